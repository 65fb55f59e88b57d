package mcp

import (
	"errors"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// farewell is how long a server has to take leave.
const farewell = time.Second

// A conn is a connection that works, or has worked.
type conn struct {
	session *sdk.ClientSession
	release func() // at the end of the session
	stderr  *tail
	pipe    *pipe  // nil for a remote server
	lines   *lines // nil for a local one
	since   time.Time
}

// end ends one connection and says how its program ended.
func (c *conn) end() string {
	defer c.release()
	if c.pipe != nil {
		_ = c.pipe.Close() // its end is what is wanted, however it comes
		c.bye()
		return c.pipe.proc.Status()
	}
	t := time.AfterFunc(farewell, c.lines.hangUp)
	c.bye()
	t.Stop()
	c.lines.hangUp()
	return ""
}

// bye takes leave of the session. The library waits for what it thinks is still
// to be answered; after what a server did to it that may be for ever.
func (c *conn) bye() {
	_, _ = within(2*farewell, c.session.Close)
}

// over waits for the end of the session. When its program has ended it is over,
// whatever the library thinks.
func (c *conn) over() error {
	if c.pipe == nil {
		return c.session.Wait()
	}
	ended := make(chan error, 1)
	go func() { ended <- c.session.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-c.pipe.proc.Exited:
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(farewell):
		return errEnded
	}
}

// within returns what f returns, and false when that takes longer than limit: then
// f is left behind.
func within(limit time.Duration, f func() error) (error, bool) {
	done := make(chan error, 1)
	go func() { done <- f() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return err, true
	case <-timer.C:
		return nil, false
	}
}

// explain adds to err what the program itself said.
func (c *conn) explain(err error, status string) error {
	var access *AccessError
	if errors.As(err, &access) {
		return access
	}
	text := plainError(err)
	if status != "" {
		text += " (" + status + ")"
	}
	if s := c.stderr.String(); s != "" {
		text += "; its standard error: " + s
	}
	if c.pipe != nil {
		if n := c.pipe.noises(); n != "" {
			text += "; " + n
		}
	}
	return errors.New(c.stderr.cleaned(text))
}
