//go:build unix

package shell

// systemSpelling is nil: a path is what it says.
func systemSpelling() spelling { return nil }
