package main

import (
	"context"
	"io"
	"os"
	"runtime"

	"github.com/zuno-dev/zuno/internal/pdf"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools/file"
)

// pdfsAtOnce bounds how many documents are read at once: each may take memory.
const pdfsAtOnce = 2

// pdfReader reads documents in processes of their own, among those of the
// session.
func pdfReader(procs *shell.Processes) file.PDFReader {
	slots := make(chan struct{}, pdfsAtOnce)
	return func(ctx context.Context, data []byte, q pdf.Query) (pdf.Document, error) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		case <-ctx.Done():
			return pdf.Document{}, ctx.Err()
		}
		return pdf.Ask(ctx, func() (*pdf.Process, error) { return startReader(procs) }, data, q)
	}
}

// startReader starts zuno as a reader of documents. It sees no variable.
func startReader(procs *shell.Processes) (*pdf.Process, error) {
	self, err := ownProgram()
	if err != nil {
		return nil, err
	}
	s, err := procs.Serve(shell.Cmd{Argv: append([]string{self}, pdf.Args()...), Dir: shell.TopDir(), Limits: shell.Limits{Grace: serverGrace}}, io.Discard)
	if err != nil {
		return nil, err
	}
	return &pdf.Process{In: s.In, Out: s.Out, Stop: s.Stop}, nil
}

// ownProgram is the program that is running, also when its file was replaced.
func ownProgram() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}
