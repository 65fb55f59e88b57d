package approval

import (
	"context"

	"github.com/zuno-dev/zuno/internal/tools"
)

// Evidence is what a classifier may read. Words of the assistant or of tools
// cannot be put into it.
type Evidence struct {
	Command string
	// UserRequests are the newest user messages, oldest first; empty when nobody
	// is at the keyboard.
	UserRequests []string
}

// A Classifier judges the risk of a command. It has no error: every failure
// is High.
type Classifier interface {
	Classify(ctx context.Context, e Evidence) tools.Risk
}

// evidence is bounded as the contract says: the last five messages, 800
// characters in all, newest kept first.
const (
	evidenceMessages = 5
	evidenceRunes    = 800
)

// Heard notes what the user said, as evidence for the classifier. What an agent
// is told that another one delegates to was written by a model: it is none.
func (g *Gate) Heard(text string) {
	if g.base != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.heard = append(g.heard, text)
	if n := len(g.heard) - evidenceMessages; n > 0 {
		g.heard = append([]string(nil), g.heard[n:]...)
	}
}

func (g *Gate) evidence(command string) Evidence {
	e := Evidence{Command: command}
	if !g.conf.Attended {
		return e
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	left := evidenceRunes
	for i := len(g.heard) - 1; i >= 0 && left > 0; i-- {
		r := []rune(g.heard[i])
		if len(r) > left {
			r = append(r[:max(0, left-1)], '…')
		}
		left -= len(r)
		e.UserRequests = append([]string{string(r)}, e.UserRequests...)
	}
	return e
}
