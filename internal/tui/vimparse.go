package tui

import "strings"

// A viCommand is one command of vi, read from its keys.
type viCommand struct {
	n   int    // the count, zero for none; that of the operator and of the movement multiplied
	op  string // d, c, y, >, <, g~, gu or gU; in visual mode also r, p and J; "" for none
	key string // a movement, a text object or a command; "line" for dd and the like
	arg string // the character behind f, F, t, T and r
	// span is how much a command takes again that was given in visual mode, in
	// characters or in lines. The key is "sel" then.
	span  int
	lines bool
}

// viState says what a row of keys is so far.
type viState int

const (
	viMore viState = iota // the beginning of a command
	viDone
	viBad // no command begins like that
)

// maxViCount bounds a count; more is as good as this.
const maxViCount = 9999

// The keys of vi by what they are. Those of one character are written together.
const (
	viOperators = "d c y > <"
	viCases     = "g~ gu gU"
	viMoves     = "h j k l w W b B e E 0 ^ $ _ G % { } ; , gg ge gE gj gk g_"
	viFinds     = "f F t T"
	viObjects   = "w W p \" ' ` ( ) b [ ] { } B < >"
	viActs      = "i a I A o O x X s S D C Y J p P u U . ~ v V"
	viSelected  = "d x X D y Y c s S C R > < ~ u U J p P v V o"
)

func oneOfKeys(list, key string) bool {
	for k := range strings.FieldsSeq(list) {
		if k == key {
			return true
		}
	}
	return false
}

// parseVi reads the keys of a command. It has no state: what was typed so far is
// read anew with each key.
func parseVi(keys []string, visual bool) (viCommand, viState) {
	var c viCommand
	n, keys := viCount(keys)
	c.n = n
	key, keys := viKey(keys)
	switch {
	case key == "" || key == "g":
		return c, viMore
	case visual && oneOfKeys(viSelected, key):
		c.key = key
		return c, doneIf(len(keys) == 0)
	case oneOfKeys(viCases, key) && visual:
		c.op, c.key = key, "sel"
		return c, doneIf(len(keys) == 0)
	case oneOfKeys(viOperators, key), oneOfKeys(viCases, key):
		c.op = key
		return viTarget(c, keys)
	case visual && (key == "i" || key == "a"):
		return viObject(c, key, keys)
	case key == "r":
		return viChar(c, key, keys)
	case !visual && oneOfKeys(viActs, key):
		c.key = key
		return c, doneIf(len(keys) == 0)
	}
	return viMove(c, key, keys)
}

// viTarget reads what an operator is for.
func viTarget(c viCommand, keys []string) (viCommand, viState) {
	n, keys := viCount(keys)
	if n > 0 {
		c.n = min(maxViCount, max(1, c.n)*n)
	}
	key, keys := viKey(keys)
	switch {
	case key == "" || key == "g":
		return c, viMore
	case key == c.op || len(c.op) == 2 && key == c.op[1:]:
		c.key = "line"
		return c, doneIf(len(keys) == 0)
	case key == "i" || key == "a":
		return viObject(c, key, keys)
	}
	return viMove(c, key, keys)
}

func viMove(c viCommand, key string, keys []string) (viCommand, viState) {
	switch {
	case oneOfKeys(viFinds, key):
		return viChar(c, key, keys)
	case oneOfKeys(viMoves, key):
		c.key = key
		return c, doneIf(len(keys) == 0)
	}
	return c, viBad
}

// viChar reads the character behind a key.
func viChar(c viCommand, key string, keys []string) (viCommand, viState) {
	c.key = key
	if len(keys) == 0 {
		return c, viMore
	}
	c.arg = keys[0]
	return c, doneIf(len(keys) == 1)
}

// viObject reads the name of a text object.
func viObject(c viCommand, kind string, keys []string) (viCommand, viState) {
	if len(keys) == 0 {
		return c, viMore
	}
	c.key = kind + keys[0]
	return c, doneIf(len(keys) == 1 && oneOfKeys(viObjects, keys[0]))
}

func doneIf(is bool) viState {
	if is {
		return viDone
	}
	return viBad
}

// viCount takes a count off the front. A zero alone is a movement.
func viCount(keys []string) (n int, rest []string) {
	for len(keys) > 0 && len(keys[0]) == 1 && (keys[0] >= "1" && keys[0] <= "9" || keys[0] == "0" && n > 0) {
		n = min(maxViCount, n*10+int(keys[0][0]-'0'))
		keys = keys[1:]
	}
	return n, keys
}

// viKey takes a key off the front; g and what comes behind it are one.
func viKey(keys []string) (key string, rest []string) {
	switch {
	case len(keys) == 0:
		return "", nil
	case keys[0] == "g" && len(keys) > 1:
		return "g" + keys[1], keys[2:]
	}
	return keys[0], keys[1:]
}
