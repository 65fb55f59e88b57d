//go:build unix && !linux

package file

// attrsOf returns no attributes: they are carried over on Linux only.
func attrsOf(int) []attr { return nil }

func setAttrs(int, []attr) error { return nil }

func clearList(int) {}
