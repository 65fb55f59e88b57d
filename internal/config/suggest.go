package config

import (
	"strings"

	"github.com/zuno-dev/zuno/internal/spelling"
)

// suggest says which key was probably meant by a name that the object at row
// does not have; "" when there is no telling.
func suggest(row, name string) string {
	if row == "" && strings.Contains(name, ".") && find(name) != nil {
		return " (nest the objects: its dots are levels)"
	}
	var siblings []string
	for i := range table {
		if parent, last := split(table[i].path); parent == row && last != "*" {
			siblings = append(siblings, last)
		}
	}
	if s := spelling.Nearest(name, siblings); s != "" || row != "" {
		return spelling.DidYouMean(s)
	}
	for i := range table {
		_, last := split(table[i].path)
		if spelling.Same(last, name) && !strings.Contains(table[i].path, "*") && table[i].kind != later {
			return spelling.DidYouMean(table[i].path)
		}
	}
	return ""
}

func split(path string) (parent, last string) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}
