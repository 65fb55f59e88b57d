package tools

// A Use is something that a call does as another tool would, such as a command
// that reads a file. Rules about that tool which deny or ask hold for it too.
type Use struct {
	Tool string // "read" or "edit"
	// Path is how rules about the tool see the file: relative to the workspace,
	// with slashes, and absolute when it lies outside. In the forms that are not
	// exact it is what is known.
	Path string
	Form UseForm
}

// A UseForm says how much of a Use is known.
type UseForm int

// The forms. Unknown is the zero value: it may be any file.
const (
	UsesUnknown UseForm = iota // Path is "", or says why
	UsesExactly                // the file that Path names
	UsesMatches                // the files that Path matches, as a pattern of the shell
	UsesBelow                  // whatever is in the folder, "." for the workspace
	UsesShown                  // the same, but for what is hidden
)
