package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// The bounds of one message of a server, in bytes.
const (
	maxMessage = 64 << 20
	maxHeader  = 4 << 10
)

// A codec frames messages as the protocol does, within bounds.
type codec struct{ jsonrpc2.VSCodeObjectCodec }

// ReadObject reads one message into v.
func (codec) ReadObject(r *bufio.Reader, v any) error {
	size, read := -1, 0
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			if errors.Is(err, bufio.ErrBufferFull) {
				err = errors.New("a header of the server is too long")
			}
			return err
		}
		if read += len(line); read > maxHeader {
			return errors.New("the headers of the server are too long")
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			if size < 0 {
				continue // blank lines before the headers
			}
			break
		}
		if name, value, ok := strings.Cut(text, ":"); ok && strings.EqualFold(name, "Content-Length") {
			if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || size < 0 || size > maxMessage {
				return fmt.Errorf("the server announced a message of %q bytes", value[:min(len(value), 40)])
			}
		}
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}
