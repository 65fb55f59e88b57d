package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/tui"
)

func TestTheScreenLooksAsConfigured(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("ZUNO_SCREEN_READER", "")
	t.Setenv("ZUNO_NO_MOTION", "")
	if err := os.Mkdir(filepath.Join(dir, "themes"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"good.json": `{"dark": {"ok": "#00ff00"}}`, "bad.json": `{"dark": {"ok": "puce"}}`, "big.json": strings.Repeat(" ", maxTheme+1), "ansi.json": "{}"} {
		if err := os.WriteFile(filepath.Join(dir, "themes", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "themes", "folder.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := &plan{config: config.Default(), paths: config.Paths{Config: dir}}
	for name, want := range map[string]string{
		"ansi": "", "vivid": "", "good": "", "bad": `"puce"`, "big": "more than", "folder": "not a file", "nosuch": `no theme "nosuch"`,
	} {
		p.config.UI.Theme = name
		var o tui.Options
		err := p.appearance(&o)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
		if code, _ := exitCode(err); err != nil && code != exitConfig {
			t.Errorf("%s: exit code %d", name, code)
		}
		if err == nil && o.Theme.Name != name {
			t.Errorf("%s: the theme is %q", name, o.Theme.Name)
		}
	}
	p.config.UI.Theme = "good"
	t.Setenv("ZUNO_SCREEN_READER", "1")
	var o tui.Options
	if err := p.appearance(&o); err != nil || !o.UI.Reader || !o.UI.Title || o.UI.Still || o.Notify.Long != 10*time.Second {
		t.Errorf("got %+v %+v, %v", o.UI, o.Notify, err)
	}
	list, err := p.themes()
	if err == nil || len(list) != len(tui.Builtin())+1 || list[len(list)-1].Name != "good" {
		t.Errorf("the list is %v, %v", list, err)
	}
}
