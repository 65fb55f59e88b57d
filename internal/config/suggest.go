package config

import "strings"

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
	if s := nearest(name, siblings); s != "" || row != "" {
		return didYouMean(s)
	}
	for i := range table {
		_, last := split(table[i].path)
		if plain(last) == plain(name) && !strings.Contains(table[i].path, "*") && table[i].kind != later {
			return didYouMean(table[i].path)
		}
	}
	return ""
}

func didYouMean(s string) string {
	if s == "" {
		return ""
	}
	return ` (did you mean "` + s + `"?)`
}

func split(path string) (parent, last string) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// nearest returns the candidate that word is a misspelling of, or "".
func nearest(word string, candidates []string) string {
	if len(word) > 40 {
		return ""
	}
	best, least := "", len(word)/3+2
	for _, c := range candidates {
		if plain(c) == plain(word) {
			return c
		}
		if n := distance(plain(word), plain(c)); n < least {
			best, least = c, n
		}
	}
	return best
}

// plain folds case and drops what separates words, so that base_url is baseURL.
func plain(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s))
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours between a and b (optimal string alignment).
func distance(a, b string) int {
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
