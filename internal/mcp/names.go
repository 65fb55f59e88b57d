package mcp

import (
	"strings"
)

// maxName is the length that every provider takes.
const maxName = 64

// A namer gives the tools of all servers names that every provider takes and
// that belong to one tool each. The name of a tool depends on the configured
// servers, its server and itself, and not on which server was ready first.
type namer struct {
	servers []string
	taken   map[string]bool
}

// name returns the name of a tool; "" when there is none to be had.
func (n *namer) name(server, tool string) string {
	plain := "mcp_" + clean(server) + "_" + clean(tool)
	lossy := clean(server) != server || clean(tool) != tool || len(plain) > maxName || n.ambiguous(server)
	if lossy {
		plain = suffixed(plain, sum(server, tool)[:8])
	}
	for _, try := range []string{plain, suffixed(plain, sum(server, tool)[:16])} {
		if !n.taken[try] {
			n.taken[try] = true
			return try
		}
	}
	return ""
}

// ambiguous reports whether the name of another server begins that of this one,
// so that the two could make the same name of different tools: a with b_c, and
// a_b with c.
func (n *namer) ambiguous(server string) bool {
	for _, s := range n.servers {
		if s != server && strings.HasPrefix(clean(server)+"_", clean(s)+"_") {
			return true
		}
	}
	return false
}

func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
}

func suffixed(name, hash string) string {
	if most := maxName - len(hash) - 1; len(name) > most {
		name = name[:most]
	}
	return name + "_" + hash
}
