package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/mcp"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// ratifications are what a person has said of tools of MCP servers, kept among
// the keys that are allowed in a repository: the key of one definition of one
// tool, alone for "always", or followed by what it was ratified as.
type ratifications struct{ list *store.Allowlist }

// mcpKey reports whether key is that of such a tool. It never covers a command,
// nor does the key of a command cover it.
func mcpKey(key string) bool { return strings.HasPrefix(key, "mcp: ") }

func (r ratifications) class(key string) (mcp.Class, error) {
	for _, c := range []mcp.Class{mcp.ReadOnly, mcp.LowRisk} {
		if ok, err := r.list.Allowed(key + " " + c.String()); ok || err != nil {
			return c, err
		}
	}
	return mcp.Unratified, nil
}

// words says what is remembered of a tool.
func (r ratifications) words(key string) (string, error) {
	class, err := r.class(key)
	if err != nil {
		return "", err
	}
	always, err := r.list.Allowed(key)
	switch {
	case err != nil:
		return "", err
	case class != mcp.Unratified:
		return "ratified by you as " + class.String(), nil
	case always:
		return "high-risk; always allowed by you, as it is defined now", nil
	}
	return "high-risk, not ratified", nil
}

// set remembers word (always, read-only, low-risk, or high-risk for nothing) of
// a tool in the place of whatever was remembered of any definition of it.
func (r ratifications) set(key, word string) error {
	grants, err := r.list.List()
	if err != nil {
		return err
	}
	same := key[:strings.LastIndexByte(key, ' ')+1]
	for _, g := range grants {
		if strings.HasPrefix(g.Key, same) {
			if _, err := r.list.Remove(g.Key); err != nil {
				return err
			}
		}
	}
	switch word {
	case "high-risk":
		return nil
	case "always":
		return r.list.Allow(key, "")
	}
	return r.list.Allow(key+" "+word, "")
}

// notAnAgent refuses what only a person may say.
func notAnAgent() error {
	if os.Getenv("ZUNO") != "" { // set for every command that zuno runs
		return errors.New("a command that zuno runs cannot allow anything: type it in a terminal of your own")
	}
	return nil
}

// addMCPKey remembers the key of a tool of a server, as a refusal names it.
func addMCPKey(w io.Writer, p *plan, key string) error {
	f := strings.Fields(key)
	if len(f) != 4 || len(f[3]) != 32 || strings.Trim(f[3], "0123456789abcdef") != "" {
		return usageErrorf("remember %q: the key of a tool of an MCP server is mcp: SERVER TOOL and a number; zuno mcp tools shows it", tools.CleanLine(key))
	}
	return p.remember(w, func(r ratifications) error { return r.set(strings.Join(f, " "), "always") },
		fmt.Sprintf("the tool %s of the MCP server %s, as it is defined now, runs without asking", f[2], f[1]))
}

// remember opens the record for f, and then tells the person what holds.
func (p *plan) remember(w io.Writer, f func(ratifications) error, said string) error {
	db, err := store.Open(p.recordPath(), time.Now)
	if err != nil {
		return err
	}
	if err := errors.Join(f(ratifications{db.Allowlist(p.root)}), db.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "in %s: %s\n", tools.CleanLine(p.root), tools.CleanLine(said))
	return err
}
