//go:build unix

package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestAProviderThatIsBusyIsAskedAgainAsOftenAsDocumented is C093: rate limits,
// overload and refusals before the stream. Connections that are refused are in
// errors.txtar.
func TestAProviderThatIsBusyIsAskedAgainAsOftenAsDocumented(t *testing.T) {
	const shortly = `attempt 2 of 3 in ([5-9]00ms|1s)`
	for _, c := range []struct {
		fault    string
		exit     int
		requests int
		says     string // a regular expression for what the user reads
	}{
		{`{"status": 429, "retry_after": "1"}`, exitDone, 2, `attempt 2 of 3 in 1s`},
		{`{"status": 429}`, exitDone, 2, shortly},
		{`{"status": 429, "retry_after": "soon"}`, exitDone, 2, shortly},
		{`{"status": 429, "retry_after": "-5"}`, exitDone, 2, shortly},
		{`{"status": 503}`, exitDone, 2, shortly},
		{`{"status": 529}`, exitDone, 2, shortly},
		{`{"status": 529, "again": 99}`, exitUnavailable, 3, `attempt 3 of 3 in 1(\.\d)?s|attempt 3 of 3 in 2s`},
		{`{"status": 429, "retry_after": "7200"}`, exitUnavailable, 1, `2h`},
		{`{"error": "quota"}`, exitUnavailable, 1, `quota|billing`},
		{`{"status": 401}`, exitAuth, 1, `check the key`},
		{`{"status": 403}`, exitAuth, 1, `check the key`},
	} {
		t.Run(strings.NewReplacer(`"`, "", " ", "", "{", "", "}", "").Replace(c.fault), func(t *testing.T) {
			t.Parallel()
			s, url := serveLax(t, `{"steps":[{"text":"Here.","fault":`+c.fault+`}]}`)
			w := newWorld(t, nil)
			w.env = zunoEnv(t, url)
			stdout, stderr, code := w.zuno("run", "--model", "mine/m", "hello")
			if code != c.exit || (code == exitDone) != (stdout == "Here.\n") {
				t.Errorf("exit %d: %q", code, stdout)
			}
			if n := len(s.Requests()); n != c.requests {
				t.Errorf("%d requests", n)
			}
			if !regexp.MustCompile(c.says).MatchString(stderr) || c.requests == 1 && strings.Contains(stderr, "attempt") {
				t.Errorf("it says %s", stderr)
			}
		})
	}
}

// A wait that a provider asks for, here by a date, is announced, and an interrupt
// ends it.
func TestAnInterruptEndsTheWaitForAProvider(t *testing.T) {
	after := time.Now().Add(50 * time.Second).UTC().Format(http.TimeFormat)
	s, url := serveLax(t, fmt.Sprintf(`{"steps":[{"text":"never","fault":{"status":429,"retry_after":%q}}]}`, after))
	p := openPane(t, zunoEnv(t, url), t.TempDir(), "--model", "mine/m")
	p.await("low-risk")
	p.typed("hello")
	p.keys("Enter")
	got := p.await("attempt 2 of 3 in ")
	if !regexp.MustCompile(`attempt 2 of 3 in [1-5]\d(\.\d)?s`).MatchString(got) {
		t.Errorf("the wait is not the provider's:\n%s", got)
	}
	began := time.Now()
	p.keys("Escape")
	p.await("again")
	p.keys("Escape")
	p.await("interrupted")
	// It is no measure of speed: without the interrupt it would be the whole wait.
	if time.Since(began) > 40*time.Second || len(s.Requests()) != 1 {
		t.Errorf("%s, %d requests", time.Since(began), len(s.Requests()))
	}
	p.leave()
}

// TestLongLinesArriveWhole is C097, but for lines that never end.
func TestLongLinesArriveWhole(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", 3<<20/16)
	w := newWorld(t, nil)
	for i, quirks := range []string{`["whole_calls"]`, `["json_body"]`} {
		thought := strings.Repeat("hm ", 200_000/3)
		args := fmt.Sprintf(`{"filePath": "long%d.txt", "content": %q}`, i, text)
		w.env = zunoEnv(t, play(t, fmt.Sprintf(`{"steps":[{"think":%q,"chunk":200000,"calls":[{"name":"write","args":%s}],"fault":{"quirks":%s}},{"text":"written"}]}`, thought, args, quirks)))
		stdout, stderr, code := w.zuno("run", "--model", "mine/m", "--approval-policy", "high-risk", "write it")
		if code != exitDone || stdout != "written\n" {
			t.Fatalf("exit %d: %s\n%.2000s", code, stdout, stderr)
		}
		if b, err := os.ReadFile(fmt.Sprintf("%s/long%d.txt", w.dir, i)); err != nil || string(b) != text {
			t.Errorf("%d bytes arrived, %v", len(b), err)
		}
	}
	s, url := serveLax(t, fmt.Sprintf(`{"steps":[{"text":"never","fault":{"status":400,"body":%q}}]}`, strings.Repeat("words ", 5<<20/6)))
	w.env = zunoEnv(t, url)
	if _, stderr, code := w.zuno("run", "--model", "mine/m", "hello"); code != exitFailed || len(stderr) > 1000 || len(s.Requests()) != 1 {
		t.Errorf("exit %d after %d requests: %.2000s", code, len(s.Requests()), stderr)
	}
}
