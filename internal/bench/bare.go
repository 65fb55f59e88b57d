//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/zuno-dev/zuno/internal/llm/scripted"
)

// bareWord as the first argument makes the program a client that does nothing
// but ask a model.
const bareWord = "bare"

// bareGrowth is by how many bytes a request is longer than the one before: a
// call and what it read.
const bareGrowth = fileSize + 500

// bare sends as many requests as args[1] says to the address args[0], each
// longer than the one before, and reads the answers.
func bare(args []string) int {
	n, err := strconv.Atoi(args[1])
	if err == nil {
		err = askBarely(args[0], n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func askBarely(url string, n int) error {
	body := []byte(`{"tools":[],"messages":"`)
	more := bytes.Repeat([]byte("x"), bareGrowth)
	for range n {
		body = append(body, more...)
		whole := append(body[:len(body):len(body)], `"}`...)
		req, err := http.NewRequest(http.MethodPost, url+"/v1/messages", bytes.NewReader(whole))
		if err != nil {
			return err
		}
		req.Header.Set("X-Api-Key", "scripted")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close() // it was read to its end, or err says why not
		if err == nil && resp.StatusCode != http.StatusOK {
			err = fmt.Errorf("the scripted model answered %s", resp.Status)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bare measures the least that a step of the longest loop can take.
func (l *lab) bare() error {
	n := l.size.steps[2]
	m, err := newModel(readStep(n))
	if err != nil {
		return err
	}
	defer m.stop()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c, _, _, err := l.run(l.dir, l.environ(m.url), self, bareWord, m.url, strconv.Itoa(n))
	if err == nil {
		err = m.done()
	}
	if err != nil {
		return err
	}
	l.add("bare", c.wallMS()/float64(n))
	l.add("bare.cpu", c.cpuMS()/float64(n))
	return nil
}

// readStep is n answers that read one file each.
func readStep(n int) scripted.Step {
	return scripted.Step{Text: "Now the next one.", Calls: []scripted.Call{{Name: "read", Args: `{"filePath":"f{{n}}.txt"}`}}, Repeat: n}
}
