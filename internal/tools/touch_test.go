package tools

import "testing"

func TestAStateIsWhatItHolds(t *testing.T) {
	file := StateOf(Regular, 0o644, []byte("a\n"))
	for _, c := range []struct {
		name  string
		other FileState
		holds bool
	}{
		{"the same", StateOf(Regular, 0o644, []byte("a\n")), true},
		{"other permissions", StateOf(Regular, 0o755, []byte("a\n")), true},
		{"content forgotten", FileState{Kind: Regular, Sum: file.Sum, Size: 2}, true},
		{"other content", StateOf(Regular, 0o644, []byte("b\n")), false},
		{"a link of that target", StateOf(Link, 0, []byte("a\n")), false},
		{"nothing", FileState{}, false},
	} {
		if got := file.Holds(c.other); got != c.holds {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if (FileState{Kind: Regular, Sum: file.Sum}).Known() || !file.Known() || !(FileState{}).Known() || !StateOf(Regular, 0o600, nil).Known() {
		t.Error("what can be made again is told wrongly")
	}
}
