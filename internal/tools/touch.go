package tools

import (
	"crypto/sha256"
	"io/fs"
)

// A FileKind says what stands at a path.
type FileKind string

// The kinds. Absent is the zero value.
const (
	Absent  FileKind = ""
	Regular FileKind = "file"
	Link    FileKind = "link" // a symbolic link
	Folder  FileKind = "folder"
)

// A FileState is what stands at a path at one moment.
type FileState struct {
	Kind FileKind
	// Mode is the permission bits of a regular file or a folder that exists; zero
	// where they are not known, as of a file that is yet to be made.
	Mode fs.FileMode
	// Sum is the SHA-256 of a file's content or of a link's target, and Size its
	// length in bytes.
	Sum  [sha256.Size]byte
	Size int64
	// Data is the content or the target, nil where it is not known any more.
	Data []byte
}

// StateOf returns the state of a regular file or a link with these data.
func StateOf(kind FileKind, mode fs.FileMode, data []byte) FileState {
	if data == nil {
		data = []byte{}
	}
	return FileState{Kind: kind, Mode: mode.Perm(), Sum: sha256.Sum256(data), Size: int64(len(data)), Data: data}
}

// Holds reports whether s and other are the same thing with the same content.
// Permissions are no difference.
func (s FileState) Holds(other FileState) bool {
	return s.Kind == other.Kind && s.Sum == other.Sum && s.Size == other.Size
}

// Known reports whether what s was can be made again: its content is there, or
// it has none.
func (s FileState) Known() bool {
	return s.Kind == Absent || s.Kind == Folder || s.Data != nil
}

// A Touch is one path that a call takes from one state to another. What stood
// there before is recorded with its content before the call may start, so that
// it can be put back.
type Touch struct {
	// Path is absolute, with all symbolic links on the way resolved.
	Path string
	// Name is how people see it.
	Name          string
	Before, After FileState
}
