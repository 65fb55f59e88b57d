package file

import "path/filepath"

// within returns the path of real relative to root, and whether it is root or
// below it. It goes by components: a sibling that begins like root is outside.
func within(root, real string) (string, bool) {
	rel, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}
