//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zuno-dev/zuno/internal/mcp/mcptest"
)

// fakeBrowser goes to an address, follows where it leads, and notes where it
// began.
func fakeBrowser() {
	if note := os.Getenv("BROWSED"); note != "" {
		put(note, os.Args[1]+"\n")
	}
	r, err := http.Get(os.Args[1])
	if err == nil {
		_, err = io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// loginWorld is a world whose user has a remote server that wants a login.
func loginWorld(t *testing.T) (*world, *mcptest.Site) {
	t.Helper()
	s := mcptest.Start()
	t.Cleanup(func() {
		s.Close()
		for _, p := range s.Problems() {
			t.Errorf("the site was used wrongly: %s", p)
		}
	})
	w := newWorld(t, nil)
	w.configure(fmt.Sprintf(`{"mcp": {"tickets": {"url": %q}}}`, s.Resource))
	w.env = append(w.env, "BROWSER=fakebrowser", "BROWSED="+w.path("browsed"))
	return w, s
}

// A server that wants a login is said to, once and with the command; the login is
// made in the browser, which nothing opens by itself, kept for the person alone,
// renewed, shown without a secret, hidden from commands, and forgotten.
func TestALoginToAServerIsMadeKeptAndForgotten(t *testing.T) {
	w, s := loginWorld(t)
	w.point(w.play([]byte(`{"steps":[{"text":"Hello."}]}`)))
	if _, stderr, _ := w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "hi"); strings.Count(stderr, "MCP server tickets: it asks for a login: run zuno mcp login tickets") != 1 || w.read("browsed") != "" {
		t.Errorf("without a login:\n%s%s", stderr, w.read("browsed"))
	}
	if stdout, _, _ := w.zuno("mcp", "list"); !strings.Contains(stdout, "login     not logged in") {
		t.Errorf("list:\n%s", stdout)
	}
	env := w.env
	w.env = append(w.env, "ZUNO=1")
	if _, stderr, code := w.typing("\n", "mcp", "login", "tickets"); code == 0 || !strings.Contains(stderr, "in a terminal of your own") {
		t.Errorf("an agent logs in: %d %s", code, stderr)
	}
	w.env = env
	stdout, stderr, code := w.typing("\n", "mcp", "login", "tickets")
	if code != 0 || !strings.Contains(stdout, "logged in to the MCP server tickets") || !strings.Contains(stderr, s.Issuer+"/authorize?") || !strings.HasPrefix(w.read("browsed"), s.Issuer+"/authorize?") {
		t.Fatalf("login: %d\n%s%s", code, stdout, stderr)
	}
	file := filepath.Join(w.home(), "zuno", "config", "mcp-logins.json")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info, err)
	}
	kept, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(kept), "access-canary") {
		t.Fatalf("kept: %s, %v", kept, err)
	}

	// It is used and renewed, by every command that comes.
	s.Revoke(false)
	model := `{"steps":[{"calls":[{"name":"mcp_tickets_act"},{"name":"shell","args":{"command":"cat ` + file + ` mcp-logins.json; env; echo access-canary-2"}}]},{"text":"Done."}]}`
	srv, url := serveLax(t, model)
	w.point(url)
	out, said, _ := w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "yolo", "--output-format", "json", "act")
	if !strings.Contains(out, `"outcome":"ok"`) || s.Calls() != 1 || s.Renewed() != 1 {
		t.Errorf("%d calls, %d renewals\n%s%s", s.Calls(), s.Renewed(), out, said)
	}
	all := out + said
	for _, r := range srv.Requests() {
		all += string(r.Body)
	}
	if strings.Contains(all, "refresh-canary") || strings.Contains(strings.ReplaceAll(all, "access-canary-2", ""), "access-canary") {
		t.Errorf("a secret is told:\n%.3000s", all)
	}
	doctor, _, _ := w.zuno("doctor")
	list, _, _ := w.zuno("mcp", "list")
	if !strings.Contains(doctor, "logged in, renewed by itself") || !strings.Contains(list, "login     logged in, renewed by itself") || strings.Contains(doctor+list, "canary") {
		t.Errorf("shown:\n%s\n%s", doctor, list)
	}

	// One that has ended says so, and a call is blocked, not lost.
	s.Revoke(true)
	w.point(w.play([]byte(`{"steps":[{"calls":[{"name":"mcp_tickets_act"}]},{"text":"No."}]}`)))
	out, _, _ = w.zuno("run", "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "yolo", "--output-format", "json", "act")
	if !strings.Contains(out, `"outcome":"blocked","block_kind":"unavailable"`) || !strings.Contains(out, "zuno mcp login tickets") || s.Calls() != 1 {
		t.Errorf("ended: %s", out)
	}
	if _, _, code := w.typing("\n", "mcp", "login", "tickets"); code != 0 {
		t.Fatalf("login again: %d", code)
	}
	if stdout, _, code := w.zuno("mcp", "logout", "tickets"); code != 0 || !strings.Contains(stdout, "is forgotten here") {
		t.Errorf("logout: %s", stdout)
	}
	if kept, err := os.ReadFile(file); err != nil || strings.Contains(string(kept), "canary") {
		t.Errorf("kept: %s, %v", kept, err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := w.zuno("mcp", "test", "tickets"); code == 0 || !strings.Contains(stderr, "others can read the file") {
		t.Errorf("a file that others can read is used: %d %s", code, stderr)
	}
}

// On the screen it is a note with the command; a page that a server wants to be
// visited is a card with its whole address, and opened when that is chosen.
func TestAPageOfAServerIsACardOnTheScreen(t *testing.T) {
	w, s := loginWorld(t)
	model, url := serveLax(t, `{"steps":[{"text":"Ready."},{"text":"Still ready."},{"calls":[{"name":"mcp_tickets_act"}]},{"text":"First."},{"calls":[{"name":"mcp_tickets_act"}]},{"text":"Second."}]}`)
	w.point(url)
	p := openPane(t, w.env, w.dir, "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "high-risk", "hello")
	p.await("Ready.")
	p.typed("again")
	p.keys("Enter")
	p.await("Still ready.", "MCP server tickets: it asks for a login: run zuno mcp login tickets")
	if w.read("browsed") != "" {
		t.Error("a browser was opened")
	}
	if _, stderr, code := w.typing("\n", "mcp", "login", "tickets"); code != 0 {
		t.Fatalf("login: %s", stderr)
	}
	if _, stderr, code := w.zuno("mcp", "test", "tickets"); code != 0 {
		t.Fatalf("test: %s", stderr)
	}
	p.leave()
	browsed := w.read("browsed")

	page := s.Issuer + "/connect?to=accounts.example&state=" + strings.Repeat("0123456789", 12) + "end"
	s.Demand(page)
	p = openPane(t, w.env, w.dir, "--model", "anthropic/claude-haiku-4-5", "--approval-policy", "high-risk", "go")
	p.await("Connect your account.", "whose host is "+strings.TrimPrefix(s.Issuer, "http://"), "It is not https", "Open it in the browser", "Copy the address", "Decline")
	if got := strings.NewReplacer("│", "", " ", "", "\n", "").Replace(p.text()); !strings.Contains(got, page) || w.read("browsed") != browsed {
		t.Errorf("the card:\n%s", p.text())
	}
	p.answer("3", "Copy the address")
	p.await("First.")
	p.typed("go")
	p.keys("Enter")
	p.await("Open it in the browser")
	p.answer("1", "Copy the address")
	await(t, "the browser", func() bool { return strings.Contains(w.read("browsed"), page) })
	p.await("waiting for the server to say that the page is done")
	p.keys("Escape", "Escape")
	p.await("interrupted")
	p.leave()
	if s.Calls() != 0 {
		t.Errorf("the call was carried out %d times", s.Calls())
	}
	requests := model.Requests()
	body := string(requests[len(requests)-2].Body)
	if strings.Contains(body, "0123456789012345") {
		t.Error("the model was told the address")
	}
}
