package pdf

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// helperWord is the argument that makes zuno the process which reads documents.
const helperWord = "__read-pdf"

// Args are the arguments of the process that [Ask] talks to.
func Args() []string { return []string{helperWord} }

// maxReply bounds in bytes what the process may answer: the longest text, each
// character of it spelled in the longest way.
const maxReply = 16 << 20

// maxHeap is how much memory, in bytes, the process may take for its own data.
const maxHeap = 512 << 20

// maxSeconds is how much of a processor it may use.
const maxSeconds = 60

// A reply is what the process answers.
type reply struct {
	Document
	Error string `json:"error,omitempty"`
}

// Main is called early by main, with os.Args. When they say that zuno was
// started to read a document, it does so, between standard input and output,
// and ends the program. Else it returns at once.
func Main(args []string) {
	if len(args) != 2 || args[1] != helperWord {
		return
	}
	debug.SetMemoryLimit(maxHeap / 2)
	if err := errors.Join(confine(maxHeap, maxSeconds), serve(os.Stdin, os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers one query: a line of JSON, with the document behind it.
func serve(in io.Reader, out io.Writer) error {
	r := bufio.NewReader(in)
	line, err := r.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("read the query: %w", err)
	}
	var q Query
	if err := json.Unmarshal(line, &q); err != nil {
		return fmt.Errorf("read the query: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	var a reply
	if a.Document, err = read(data, q); err != nil {
		a = reply{Error: err.Error()}
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, bytes.NewReader(text))
	return err
}
