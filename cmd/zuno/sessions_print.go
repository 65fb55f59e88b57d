package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// minute is how times are printed in lists.
const minute = "2006-01-02 15:04"

// A listedSession is what is printed of a session.
type listedSession struct {
	store.Summary
	spent []store.Spent
}

type sessionList struct {
	V        int             `json:"v"`
	Sessions []listedSession `json:"sessions"`
}

// line is a session as one line; anywhere says that it may be of another
// directory.
func (s listedSession) line(anywhere bool) string {
	parts := []string{s.ID, s.Updated.Local().Format(minute)}
	if s.Branch != "" {
		parts = append(parts, tools.CleanLine(s.Branch))
	}
	parts = append(parts, counted(s.Messages, "message"))
	if w := peculiar(s.Summary); w != "" {
		parts = append(parts, w)
	}
	title := tools.CleanLine(s.Title)
	if title == "" {
		title = "(no title)"
	}
	if anywhere && s.Dir != "" {
		title += "  " + tools.CleanLine(s.Dir)
	}
	return strings.Join(append(parts, title), "  ")
}

// peculiar says what of a session is out of the ordinary.
func peculiar(m store.Summary) string {
	var words []string
	if m.Held {
		words = append(words, "in use")
	}
	if m.Unsettled > 0 && !m.Held {
		words = append(words, fmt.Sprintf("%d unsettled", m.Unsettled))
	}
	if m.Uncertain > 0 {
		words = append(words, fmt.Sprintf("%d uncertain", m.Uncertain))
	}
	return strings.Join(words, ", ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// MarshalJSON writes the fields under the names that scripts rely on.
func (s listedSession) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID        string       `json:"id"`
		Title     string       `json:"title"`
		Dir       string       `json:"dir"`
		Repo      string       `json:"repo"`
		Branch    string       `json:"branch,omitempty"`
		Forked    string       `json:"forked_from,omitempty"`
		Model     string       `json:"model"`
		Agent     string       `json:"agent"`
		Created   time.Time    `json:"created"`
		Updated   time.Time    `json:"updated"`
		Messages  int          `json:"messages"`
		Calls     int          `json:"calls"`
		Uncertain int          `json:"uncertain"`
		Untold    int          `json:"untold"`
		Unsettled int          `json:"unsettled"`
		Held      bool         `json:"held"`
		Usage     []purposeSum `json:"usage"`
	}{
		s.ID, s.Title, s.Dir, s.Repo, s.Branch, s.Forked, s.Model, s.Agent, s.Created, s.Updated,
		s.Messages, s.Calls, s.Uncertain, s.Untold, s.Unsettled, s.Held, purposes(s.spent),
	})
}

// A purposeSum is what the model calls of one purpose came to.
type purposeSum struct {
	Purpose    string `json:"purpose"`
	Calls      int    `json:"calls"`
	Input      int    `json:"input"`
	CacheRead  int    `json:"cache_read"`
	CacheWrite int    `json:"cache_write"`
	Output     int    `json:"output"`
	Reasoning  int    `json:"reasoning"`
	// Unreported is of how many calls the provider did not report the usage, or not to
	// its end.
	Unreported int `json:"unreported_calls"`
	// Cost is null when the price of no call is known; Unpriced is of how many it
	// is not.
	Cost     *float64 `json:"cost_usd"`
	Unpriced int      `json:"unpriced_calls"`
	TookMS   int64    `json:"took_ms"`
}

func purposes(list []store.Spent) []purposeSum {
	sums := []purposeSum{}
	for _, x := range list {
		p := purposeSum{
			Purpose: x.Purpose, Calls: x.Calls, Input: x.Usage.Input, CacheRead: x.Usage.CacheRead, CacheWrite: x.Usage.CacheWrite,
			Output: x.Usage.Output, Reasoning: x.Usage.Reasoning, Unreported: x.Unreported, Unpriced: x.Unpriced, TookMS: x.Took.Milliseconds(),
		}
		if x.Unpriced < x.Calls {
			p.Cost = &x.Cost
		}
		sums = append(sums, p)
	}
	return sums
}

// spending says, a line each, what was spent on what.
func spending(list []store.Spent) []string {
	if len(list) == 0 {
		return []string{"no model was asked in this session yet"}
	}
	var lines []string
	for _, x := range list {
		u := x.Usage
		line := fmt.Sprintf("%-12s  %s  %d in", tools.CleanLine(x.Purpose), counted(x.Calls, "call"), u.Input+u.CacheRead+u.CacheWrite)
		if u.CacheRead > 0 {
			line += fmt.Sprintf(" (%d from the cache)", u.CacheRead)
		}
		line += fmt.Sprintf(", %d out  %s", u.Output, price(x))
		if x.Unreported > 0 {
			line += fmt.Sprintf("  (at least: %s not reported in full)", counted(x.Unreported, "call"))
		}
		if x.Took > 0 {
			line += fmt.Sprintf("  %s a call", (x.Took / time.Duration(x.Calls)).Round(time.Millisecond))
		}
		lines = append(lines, line)
	}
	return lines
}

func price(x store.Spent) string {
	switch {
	case x.Unpriced == x.Calls:
		return "price unknown"
	case x.Unpriced > 0:
		return fmt.Sprintf("$%.4f, and %s of unknown price", x.Cost, counted(x.Unpriced, "call"))
	}
	return fmt.Sprintf("$%.4f", x.Cost)
}
