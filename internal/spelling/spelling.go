// Package spelling says which of the words that there are a misspelt one was
// meant to be: keys of the configuration, commands, flags, names of models.
package spelling

import "strings"

// maxWord bounds the words that are looked at, in bytes.
const maxWord = 60

// Nearest returns the candidate that word is a misspelling of, or "". Of those
// that are equally near it is the first.
func Nearest(word string, candidates []string) string {
	if len(word) > maxWord {
		return ""
	}
	best, least := "", len(word)/3+2
	if len(word) < 5 {
		least = 2 // short words are near to each other anyway
	}
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

// Hint is what an error says behind a word that there is not: the nearest
// candidate in parentheses with a space before them, or "".
func Hint(word string, candidates []string) string {
	return DidYouMean(Nearest(word, candidates))
}

// DidYouMean is the hint at s; "" for "".
func DidYouMean(s string) string {
	if s == "" {
		return ""
	}
	return ` (did you mean "` + s + `"?)`
}

// Same reports whether two words differ in nothing but case and what separates
// their parts.
func Same(a, b string) bool { return plain(a) == plain(b) }

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
