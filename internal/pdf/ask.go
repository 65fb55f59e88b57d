package pdf

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// A Process is one that was started with [Args]. Out is closed here.
type Process struct {
	In, Out *os.File
	Stop    func() error // ends it and waits
}

// ErrGaveUp says that the process did not come to an end with a document.
var ErrGaveUp = errors.New("reading the document took too much time or memory, or failed: it is damaged, or made to do that")

// Ask has the document data read by a process that start starts. When ctx ends,
// so does the process.
func Ask(ctx context.Context, start func() (*Process, error), data []byte, q Query) (Document, error) {
	if len(data) > MaxBytes {
		return Document{}, fmt.Errorf("the document has more than %d MiB", MaxBytes>>20)
	}
	line, err := json.Marshal(q)
	if err != nil {
		return Document{}, err
	}
	p, err := start()
	if err != nil {
		return Document{}, err
	}
	defer p.Out.Close()
	watch := context.AfterFunc(ctx, func() { _ = p.Stop() }) // the reading below fails then
	text, err := exchange(p, append(append(line, '\n'), data...))
	watch()
	stopped := p.Stop()
	if ctx.Err() != nil {
		return Document{}, ctx.Err()
	}
	var a reply
	if err != nil || json.Unmarshal(text, &a) != nil {
		return Document{}, ErrGaveUp
	}
	if a.Error != "" {
		return Document{}, errors.New(a.Error)
	}
	return a.Document, stopped
}

// exchange sends a query and reads the answer.
func exchange(p *Process, query []byte) ([]byte, error) {
	sent := make(chan error, 1)
	go func() {
		_, err := p.In.Write(query)
		sent <- errors.Join(err, p.In.Close())
	}()
	text, err := io.ReadAll(io.LimitReader(p.Out, maxReply+1))
	if err != nil || len(text) > maxReply {
		_ = p.Stop() // nobody reads on, and what is being sent must end
	}
	if serr := <-sent; serr != nil && err == nil && len(text) == 0 {
		err = serr
	}
	return text, err
}
