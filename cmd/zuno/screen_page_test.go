//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A page is shown as what is written, and a browser starts when the person says
// so on its card, and not before. What they said no to is not opened.
func TestAPageIsOpenedOnItsCardOnly(t *testing.T) {
	url := play(t, `{"steps":[
		{"calls":[{"name":"create_web_app","args":{"html":"<h1>May</h1>","title":"May","mode":"static"}}]},
		{"expect":["web_app outcome=\"ok\"","was handed to xdg-open"],"calls":[{"name":"create_web_app","args":{"html":"<h1>June</h1>","title":"June","mode":"static"}}]},
		{"expect_not":["was handed to"],"text":"Both are there."}]}`)
	w := newWorld(t, nil)
	w.point(url)
	w.configure(`{"tools": {"create_web_app": true}}`)
	bin := t.TempDir()
	opened := filepath.Join(bin, "opened")
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '" + opened + "'\nexec sleep 1\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	env := append(slices.Clone(w.env), "DISPLAY=:7")
	for i, e := range env {
		if path, ok := strings.CutPrefix(e, "PATH="); ok {
			env[i] = "PATH=" + bin + ":" + path
		}
	}
	p := openPane(t, env, w.dir, "--model", "anthropic/claude-sonnet-5-5", "--approval-policy", "read-only")
	p.await("read-only")
	p.line("make it")
	p.await("approve · create_web_app", "+ <h1>May</h1>", "Content-Security-Policy", "laid out for", "800 × 600", "Run once")
	if _, err := os.Stat(filepath.Join(w.dir, "may.html")); !os.IsNotExist(err) {
		t.Fatalf("it was written before it was allowed (%v)", err)
	}
	p.answer("y", "Run once")
	p.await("Open may.html in the browser", "starts", "xdg-open", "one of these must be chosen")
	if _, err := os.Stat(opened); !os.IsNotExist(err) {
		t.Fatalf("it was opened before it was agreed to (%v)", err)
	}
	p.answer("1", "starts")
	p.await("+ <h1>June</h1>", "Run once")
	p.answer("y", "Run once")
	p.await("Open june.html in the browser")
	p.answer("n", "None of these")
	p.submit("Both are there.")
	p.leave()
	if b, err := os.ReadFile(opened); err != nil || string(b) != "file://"+filepath.Join(w.dir, "may.html")+"\n" {
		t.Errorf("opened %q, %v", b, err)
	}
}
