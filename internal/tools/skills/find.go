package skills

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zuno-dev/zuno/internal/skill"
	"github.com/zuno-dev/zuno/internal/tools"
)

// line says of a skill what a model chooses by.
func (k kit) line(s skill.Skill) string {
	return fmt.Sprintf("- %s (%s): %s", s.Name, k.Show(s.Source), k.Show(s.Description))
}

func (k kit) list(at string) (string, error) {
	var lines []string
	for _, s := range k.Skills {
		lines = append(lines, k.line(s))
	}
	whole := strings.Join(lines, "\n")
	from, err := offset(at, whole, len(lines))
	if err != nil {
		return "", err
	}
	if len(lines) == 0 {
		return "there are no skills", nil
	}
	to := min(from+listPage, len(lines))
	text := fmt.Sprintf("skills %d to %d of %d:\n%s", from+1, to, len(lines), strings.Join(lines[from:to], "\n"))
	if to < len(lines) {
		text += fmt.Sprintf("\n[not complete: cursor %s reads on]", cursor(to, whole))
	}
	return text, nil
}

// search returns the skills that have the most of the words; a word of the name
// counts more.
func (k kit) search(query string, limit int) (string, error) {
	words := strings.Fields(strings.ToLower(query))
	switch {
	case len(words) == 0:
		return "", tools.Refuse(tools.InvalidArguments, "invalid arguments: query must not be blank; list names all skills")
	case limit < 0 || limit > maxSearch:
		return "", tools.Refuse(tools.InvalidArguments, "invalid arguments: limit must be 1 to %d", maxSearch)
	case limit == 0:
		limit = usualSearch
	}
	type hit struct{ at, score int }
	var hits []hit
	for i, s := range k.Skills {
		name, about, score := strings.ToLower(s.Name), strings.ToLower(s.Description), 0
		for _, w := range words {
			if strings.Contains(name, w) {
				score += 3
			}
			if strings.Contains(about, w) {
				score++
			}
		}
		if score > 0 {
			hits = append(hits, hit{i, score})
		}
	}
	if len(hits) == 0 {
		return "no skill matches; " + k.names(), nil
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	shown := hits[:min(limit, len(hits))]
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d that match:\n", len(shown), len(hits))
	for _, h := range shown {
		b.WriteString(k.line(k.Skills[h.at]) + "\n")
	}
	return b.String(), nil
}
