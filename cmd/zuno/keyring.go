package main

import (
	"fmt"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// pastLimit bounds the earlier commands that a key is held against.
const pastLimit = 2000

// A commandKeys says what a command key that a person edited would cover.
type commandKeys struct {
	list *store.Allowlist
	root string
}

// Check returns what key would have covered in the record of this repository.
// It fails when the shell could never match it, and when it does not cover the
// command of p: then the answer would not be about what is on the card.
func (k commandKeys) Check(key string, p *tools.Proposal) (approval.Coverage, error) {
	if key == p.Key && mcpKey(key) {
		return approval.Coverage{Key: key}, nil // of one definition of a server's tool: it is taken as it is
	}
	stored, err := shell.CheckKey(key, shell.Place{Dir: k.root, Workspace: k.root})
	if err != nil {
		return approval.Coverage{}, err
	}
	if !shell.KeyCovers(stored, p.Key) {
		return approval.Coverage{}, fmt.Errorf("it does not cover this command, whose key is %s", p.Key)
	}
	past, err := k.list.Past(pastLimit)
	c := approval.Coverage{Key: stored, Of: 0}
	for _, e := range past {
		if e.Command == p.Command {
			continue // it is the one on the card
		}
		c.Of++
		if shell.KeyCovers(stored, e.Key) {
			c.Commands = append(c.Commands, e.Command)
		}
	}
	return c, err
}
