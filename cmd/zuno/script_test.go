//go:build unix

package main

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
	"github.com/zuno-dev/zuno/internal/llm/scripted/serve"
	"github.com/zuno-dev/zuno/internal/pdf"
	"github.com/zuno-dev/zuno/internal/shell"
)

func TestMain(m *testing.M) {
	pdf.Main(os.Args)
	testscript.Main(m, map[string]func(){"zuno": main, "fakemcp": fakeMCP, "fakelsp": fakeLSP, "fakebrowser": fakeBrowser, "dyingzuno": dyingZuno})
}

// TestScripts runs the real program against the strict scripted server, one
// archive a story. The directory is the list of what is tested.
func TestScripts(t *testing.T) {
	rg := ripgrepForTests(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, ".home")
			if err := os.MkdirAll(home, 0o700); err != nil {
				return err
			}
			e.Setenv("HOME", home)
			e.Setenv("ZUNO_HOME", filepath.Join(home, "zuno"))
			e.Setenv("ZUNO_RG", rg)
			e.Setenv("DB", filepath.Join(home, "zuno", "data", "zuno.db"))
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("RANDOM_NAME", rand.Text())
			e.Setenv("BROKEN", "sk-one\nsk-two")
			st := &state{}
			e.Values[stateKey{}] = st
			e.Defer(func() { st.end(e.T()) })
			return os.MkdirAll(filepath.Join(home, "zuno", "config"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve": cmdServe, "sent": cmdSent, "sql": cmdSQL, "await": cmdAwait, "mode": cmdMode,
			"fails": cmdFails, "alter": cmdAlter, "expand": cmdExpand, "site": cmdSite, "proxy": cmdProxy, "collector": cmdCollector, "logs": cmdLogs,
		},
	})
}

// ripgrepForTests finds the ripgrep that the Makefile provides, or skips.
func ripgrepForTests(t *testing.T) string {
	t.Helper()
	path, _, err := shell.FindRipgrep(t.Context(), shell.Lookup{Env: os.Environ()})
	if err == nil {
		return path
	}
	if abs, e := filepath.Abs("../../.tools/rg"); e == nil {
		if _, e := os.Stat(abs); e == nil {
			return abs
		}
	}
	t.Skipf("no ripgrep: run make test, which gets one (%v)", err)
	return ""
}

// key is the API key that the scripts use; none of it may be stored or sent
// anywhere but in its header.
const key = "sk-canary-0123456789"

// A state is the scripted servers of one script.
type state struct {
	servers []*serve.Server
	strict  []bool
	stops   []func()
}

type stateKey struct{}

// end fails the test when a strict server refused a request or has steps left.
func (s *state) end(t testscript.T) {
	for i, srv := range s.servers {
		s.stops[i]()
		if !s.strict[i] {
			continue
		}
		if v := srv.Violations(); len(v) > 0 {
			t.Fatal("the strict server refused a request: " + strings.Join(v, "; "))
		}
		if !srv.Done() {
			t.Fatal("the scenario has steps left over")
		}
	}
}

func stateOf(ts *testscript.TestScript) *state { return ts.Value(stateKey{}).(*state) }

// cmdServe plays a scenario and points every provider at it: serve [-lax] FILE.
// When the script ends, a refused request or an unused step is a failure, but
// not with -lax.
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	lax := len(args) > 0 && args[0] == "-lax"
	if lax {
		args = args[1:]
	}
	if len(args) != 1 || neg {
		ts.Fatalf("usage: serve [-lax] FILE")
	}
	sc, err := scripted.Parse([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	s := serve.New(sc)
	url, stop := serve.Start(s)
	st := stateOf(ts)
	st.servers, st.strict, st.stops = append(st.servers, s), append(st.strict, !lax), append(st.stops, stop)
	for name, value := range map[string]string{
		"URL": url, "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": key,
		"OPENAI_BASE_URL": url + "/v1", "GEMINI_BASE_URL": url + "/v1beta",
	} {
		ts.Setenv(name, value)
	}
}

// cmdSent asserts on the bodies of the requests that the newest server got:
// sent N TEXT..., where N counts from 1 and -1 is the last. TEXT must occur;
// with ! it must not.
func cmdSent(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: sent N TEXT...")
	}
	st := stateOf(ts)
	requests := st.servers[len(st.servers)-1].Requests()
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	if n < 0 {
		n += len(requests) + 1
	}
	if n < 1 || n > len(requests) {
		ts.Fatalf("there were %d requests", len(requests))
	}
	body := string(requests[n-1].Body)
	for _, text := range args[1:] {
		if strings.Contains(body, text) == neg {
			ts.Fatalf("request %d: contains %q is %v:\n%s", n, text, !neg, body)
		}
	}
}

// query returns the rows of the script's database, cells and rows separated by
// single spaces.
// cmdAlter changes the record as something that happened to it would have:
// alter STATEMENT
func cmdAlter(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", "file:"+ts.Getenv("DB")+"?_pragma=busy_timeout(5000)")
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(strings.Join(args, " "))
	ts.Check(err)
}

func query(ts *testscript.TestScript, q string) (string, error) {
	db, err := sql.Open("sqlite", "file:"+ts.Getenv("DB")+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return "", err
	}
	defer db.Close()
	rows, err := db.Query(q)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var out []string
	for rows.Next() {
		cells := make([]any, len(columns))
		for i := range cells {
			cells[i] = new(sql.NullString)
		}
		if err := rows.Scan(cells...); err != nil {
			return "", err
		}
		for _, c := range cells {
			out = append(out, c.(*sql.NullString).String)
		}
	}
	return strings.Join(out, " "), rows.Err()
}

// cmdSQL asserts on the record: sql QUERY WANT.
func cmdSQL(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: sql QUERY WANT")
	}
	got, err := query(ts, args[0])
	ts.Check(err)
	if (got == args[1]) == neg {
		ts.Fatalf("sql: got %q, want %q", got, args[1])
	}
}

// cmdAwait waits until a query gives what is wanted, or a file exists:
// await sql QUERY WANT, await file PATH, await requests N.
func cmdAwait(ts *testscript.TestScript, _ bool, args []string) {
	check := func() bool {
		switch {
		case len(args) == 3 && args[0] == "sql":
			got, err := query(ts, args[1])
			return err == nil && got == args[2]
		case len(args) == 2 && args[0] == "file":
			_, err := os.Stat(ts.MkAbs(args[1]))
			return err == nil
		case len(args) == 2 && args[0] == "requests":
			st := stateOf(ts)
			return fmt.Sprint(len(st.servers[len(st.servers)-1].Requests())) == args[1]
		case len(args) == 2 && args[0] == "gone":
			return processes(args[1]) == 0
		}
		ts.Fatalf("usage: await sql QUERY WANT | await file PATH | await gone COMMAND | await requests N")
		return false
	}
	for deadline := time.Now().Add(60 * time.Second); !check(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("await %q: it did not come", args)
		}
	}
}

// cmdMode asserts on permission bits: mode 0600 FILE...
func cmdMode(ts *testscript.TestScript, _ bool, args []string) {
	for _, path := range args[1:] {
		info, err := os.Stat(ts.MkAbs(path))
		ts.Check(err)
		if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
			ts.Fatalf("%s has mode %s, want %s", path, got, args[0])
		}
	}
}

// cmdFails runs a program that must end with an exit code: fails CODE PROGRAM
// ARGS...
func cmdFails(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg {
		ts.Fatalf("usage: fails CODE PROGRAM ARGS...")
	}
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("%q: exit code %d, want %s", args[1:], code, args[0])
	}
}

// cmdExpand copies a file with its variables replaced: expand FROM TO.
func cmdExpand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: expand FROM TO")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}
