package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

// parts splits an example into what is kept before, the secret, and what is
// kept behind.
func parts(example string) (before, secret, behind string) {
	p := strings.Split(example, "…")
	switch len(p) {
	case 1:
		return "", p[0], ""
	case 2:
		return p[0], p[1], ""
	}
	return p[0], p[1], p[2]
}

func TestEveryExampleIsTakenOutAndNoCounterexample(t *testing.T) {
	r := New(nil)
	for _, s := range shapes() {
		if len(s.examples) == 0 || len(s.counter) == 0 {
			t.Errorf("%s %q: it has no example, or no counterexample", s.name, s.starts)
		}
		for _, e := range s.examples {
			before, secret, behind := parts(e)
			for _, around := range [][2]string{{"", ""}, {"see ", " there"}, {`{"x":"a\n`, `"}`}, {"KEY='", "'"}, {"(", ")."}} {
				got := r.Text(around[0] + before + secret + behind + around[1])
				want := around[0] + before + mark(s.name) + behind + around[1]
				// A point may belong to a token; then it goes with it.
				if got != want && got != strings.Replace(want, "].", "]", 1) && !strings.HasPrefix(got, around[0]+before+mark(s.name)) {
					t.Errorf("%s: %q became %q", s.name, around[0]+e+around[1], got)
				}
				if strings.Contains(got, secret) {
					t.Errorf("%s: %q is still in %q", s.name, secret, got)
				}
			}
		}
		for _, c := range s.counter {
			if got := r.Text(c); got != c {
				t.Errorf("%s: %q became %q", s.name, c, got)
			}
		}
	}
}

func TestOrdinaryTextStaysAsItIs(t *testing.T) {
	r := New([]Secret{{"SHORT_KEY", "1234567"}, {"MARK_KEY", "redacted"}})
	for _, s := range []string{
		"", "a", "sk", "sk-", "1234567", "[redacted: x]", "git commit -m 'bearer tokens are checked'",
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"commit 6552f2b3e8145489361e75b9afe45b27832cb700", "uuid 123e4567-e89b-12d3-a456-426614174000",
		"go: downloading github.com/zuno-dev/zuno v0.0.0-20261129233035-6552f2b3e814",
		`integrity="sha512-0123456789abcdefghijABCDEFGHIJ0123456789abcdefghij=="`,
	} {
		if got := r.Text(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestExactValuesAreTakenOutWhereverTheyStand(t *testing.T) {
	r := New([]Secret{{"DB_PASSWORD", `pa"ss\word`}, {"A_TOKEN", "hunter2hunter2"}, {"B_TOKEN", "hunter2hunter2longer"}})
	for in, want := range map[string]string{
		"xhunter2hunter2y":                              "x[redacted: A_TOKEN]y",
		"hunter2hunter2longer":                          "[redacted: B_TOKEN]",
		`is pa"ss\word here`:                            "is [redacted: DB_PASSWORD] here",
		`{"p":"pa\"ss\\word"}`:                          `{"p":"[redacted: DB_PASSWORD]"}`,
		"hunter2hunter2ghp_" + strings.Repeat("a1", 20): "[redacted: A_TOKEN][redacted: GitHub token]",
	} {
		if got := r.Text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestTheTextOfAJSONValueStaysOne(t *testing.T) {
	r := New([]Secret{{"A_KEY", `\u003cabcdefg`}, {"B_KEY", `nabcdefghij`}})
	for _, in := range []string{
		`{"command":"curl -H 'Authorization: Bearer 0123456789abcdefXYZ'"}`,
		`{"content":"-----BEGIN PRIVATE KEY-----\nMIIE\n"}`,
		`{"content":"-----BEGIN PRIVATE KEY-----\nMIIE\\"}`,
		`["ghp_0123456789abcdefghijABCDEFGHIJ012345"]`,
	} {
		got := r.JSON(in)
		if got == in || !json.Valid([]byte(got)) {
			t.Errorf("%s became %s", in, got)
		}
	}
	// What only looks like a value because of an escape is none.
	if in := `{"x":"a\nabcdefghij"}`; r.JSON(in) != in {
		t.Error(r.JSON(in))
	}
	if got := r.JSON(`{"broken`); got != `{"broken` {
		t.Error(got)
	}
}

func TestOfTheEnvironmentOnlySecretsAreTaken(t *testing.T) {
	environ := []string{
		"A_TOKEN=abcdefgh", "DB_PASSWORD=/abc/def", "SSL_KEY=/etc/ssl/x.pem", "SHORT_KEY=1234567", "GIT_AUTHOR_NAME=Ada Lovelace Byron",
		"API_URL=http://localhost:8080/v1", "SSH_AUTH_SOCK=/tmp/ssh-x/agent.1", "XAUTHORITY=/home/a/.Xauthority", "X_API=0123456789abcdef",
		"OLDPWD=/home/ada/src/project", "PLAIN=abcdefgh", "EQ_SECRET=a=b=c=d=e",
	}
	hidden := []string{"A_TOKEN", "DB_PASSWORD", "SSL_KEY", "SHORT_KEY", "GIT_AUTHOR_NAME", "API_URL", "SSH_AUTH_SOCK", "XAUTHORITY", "X_API", "OLDPWD", "EQ_SECRET"}
	var got []string
	for _, s := range FromEnv(environ, hidden) {
		got = append(got, s.Name+"="+s.Value)
	}
	if want := "A_TOKEN=abcdefgh DB_PASSWORD=/abc/def X_API=0123456789abcdef EQ_SECRET=a=b=c=d=e"; strings.Join(got, " ") != want {
		t.Errorf("got %q", got)
	}
}

func TestWhatIsSharedNamesNeitherHomeNorPersonNorMachine(t *testing.T) {
	r, p := New(nil), Place{Home: "/home/ada", User: "ada", Host: "analytical"}
	for in, want := range map[string]string{
		"open /home/ada/src/x.go and /home/adam/y":    "open ~/src/x.go and /home/[redacted: user]/y",
		"mail ada.l@example.org or ada":               "mail [redacted: e-mail] or [redacted: user]",
		"ada@analytical:~$ adapt":                     "[redacted: user]@[redacted: host]:~$ adapt",
		"password: hunter22, x":                       "password: [redacted: value], x",
		`{"apiKey":"abcdefgh12"}`:                     `{"apiKey":"[redacted: value]"}`,
		"DB_TOKEN='abcdef'":                           "DB_TOKEN='[redacted: value]'",
		"tokens: 12":                                  "tokens: 12",
		"key ghp_0123456789abcdefghijABCDEFGHIJ01234": "key [redacted: GitHub token]",
	} {
		got := r.Share(in, p)
		if got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
		if again := r.Share(got, p); again != got {
			t.Errorf("%q became %q the second time", got, again)
		}
	}
}

func TestAJSONValueIsSharedWithoutWhatItHoldsUnderNamesOfSecrets(t *testing.T) {
	b, err := New(nil).ShareJSON([]byte(`{"args":{"apiKey":"abcdefgh","n":12345678901234567890},"list":["/home/ada/x"]}`), Place{Home: "/home/ada"})
	if want := `{"args":{"apiKey":"[redacted: value]","n":12345678901234567890},"list":["~/x"]}`; err != nil || strings.Join(strings.Fields(strings.ReplaceAll(string(b), ": ", ":")), "") != strings.ReplaceAll(strings.ReplaceAll(want, ": ", ":"), " ", "") {
		t.Errorf("%s, %v", b, err)
	}
	b, err = New(nil).ShareJSON([]byte(`{"result":"it worked\nMY_TOKEN=abcdefgh\nthe end"}`), Place{})
	if err != nil || !strings.Contains(string(b), `"it worked\nMY_TOKEN=[redacted: value]\nthe end"`) {
		t.Errorf("%s, %v", b, err)
	}
	if _, err := New(nil).ShareJSON([]byte(`{`), Place{}); err == nil {
		t.Error("half a value was taken")
	}
}

// FuzzText checks that redacting is idempotent, and keeps JSON what it is.
func FuzzText(f *testing.F) {
	for _, s := range shapes() {
		for _, e := range append(s.examples, s.counter...) {
			f.Add(strings.ReplaceAll(e, "…", ""))
			f.Add(`{"x":"\n` + strings.ReplaceAll(e, "…", "") + `"}`)
		}
	}
	f.Add("abcdefghsk-abcdefgh0123456789")
	r := New([]Secret{{"A_KEY", "abcdefgh"}, {"B_KEY", `q"\q12345`}})
	f.Fuzz(func(t *testing.T, s string) {
		once := r.Text(s)
		if twice := r.Text(once); twice != once {
			t.Errorf("%q became %q, then %q", s, once, twice)
		}
		if json.Valid([]byte(s)) && !json.Valid([]byte(r.JSON(s))) {
			t.Errorf("%q became %q, which is not JSON", s, r.JSON(s))
		}
	})
}

func BenchmarkText(b *testing.B) {
	var secrets []Secret
	for i := range 30 {
		secrets = append(secrets, Secret{"K", strings.Repeat(string(rune('A'+i)), 12)})
	}
	r := New(secrets)
	for name, line := range map[string]string{
		"code":   "\tif err := s.writer.write(processDeath, func(t tx) error { return nil }); err != nil { // see https://example.org/x\n",
		"dashes": "----------------------------------------\n",
		"eyJ":    "eyJ-eyJ-sk-sk-sk-sk-ghp_ghp_ ", "secrets": "a line with ghp_0123456789abcdefghijABCDEFGHIJ012345 in it\n",
	} {
		text := strings.Repeat(line, 50_000/len(line))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.Text(text)
			}
		})
	}
}
