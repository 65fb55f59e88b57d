package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAZoneHasItsName(t *testing.T) {
	dir := t.TempDir()
	zone := filepath.Join(dir, "zoneinfo", "America", "New_York")
	if err := os.MkdirAll(filepath.Dir(zone), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(zone, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "localtime")
	if err := os.Symlink(zone, link); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ name, link, want string }{
		{"Europe/Oslo", link, "Europe/Oslo"},
		{"UTC", link, "UTC"},
		{"Local", link, "America/New_York"},
		{"Local", filepath.Join(dir, "none"), ""},
		{zone, "", "America/New_York"},
		{"Local", dir, ""},
	} {
		if got := zoneName(c.name, c.link); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.name, c.link, got, c.want)
		}
	}
}
