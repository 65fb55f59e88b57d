//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A row is one line of the table.
type row struct {
	id    string
	title string
	unit  string
	aim   float64 // the most that it should be; none for no aim
	// wall says that the value is a time that passed, which is longer on a slow
	// or busy machine.
	wall bool
}

// none is no aim.
const none = -1

// aimFloor is how many milliseconds an empty Go program took on the machine
// that the aims were set for.
const aimFloor = 5.4

// rows lists the table, top down.
func rows(s sizes) []row {
	a, b, c := s.steps[0], s.steps[1], s.steps[2]
	output := fmt.Sprintf("%s of shell output", size(s.output))
	long := fmt.Sprintf("%s of Markdown", size(s.markdown))
	return []row{
		{"floor", "an empty Go program", "ms", none, true},
		{"floor.cpu", "… CPU", "ms", none, false},
		{"version", "zuno --version", "ms", 12, true},
		{"version.cpu", "… CPU", "ms", none, false},
		{"prompt", "exec → prompt drawn", "ms", 30, true},
		{"prompt.key", "exec → first key echoed", "ms", 35, true},
		{"prompt.ready", "exec → session ready", "ms", none, true},
		{"prompt.cpu", "… CPU until it idles", "ms", none, false},
		{"prompt.rss", "memory at the prompt", "MB", 25, false},
		{"idle.cpu", "idle, CPU a second", "ms", 0.1, false},
		{"idle.bytes", "idle, bytes written", "B", 0, false},
		{"idle.wakes", "idle, wake-ups a second", "", none, false},
		{"oneshot", "one-shot", "ms", 45, true},
		{"oneshot.cpu", "… CPU", "ms", 45, false},
		{"oneshot.rss", "… memory", "MB", 28, false},
		{"bare", fmt.Sprintf("a step of %d, HTTP alone", c), "ms", none, true},
		{"bare.cpu", "… CPU", "ms", none, false},
		{stepID(0), fmt.Sprintf("a step of a tool loop of %d", a), "ms", 1.5, true},
		{stepID(1), fmt.Sprintf("a step of a tool loop of %d", b), "ms", 1.5, true},
		{stepID(2), fmt.Sprintf("a step of a tool loop of %d", c), "ms", 1.5, true},
		{stepID(0) + ".cpu", fmt.Sprintf("… CPU, of %d", a), "ms", none, false},
		{stepID(1) + ".cpu", fmt.Sprintf("… CPU, of %d", b), "ms", none, false},
		{stepID(2) + ".cpu", fmt.Sprintf("… CPU, of %d", c), "ms", none, false},
		{"step.ratio", fmt.Sprintf("… CPU, of %d over %d", c, a), "", 1.2, false},
		{"loop", fmt.Sprintf("%d sequential reads", c), "s", 4, true},
		{"loop.rss", "… memory", "MB", 45, false},
		{"turn", fmt.Sprintf("%d reads in one turn", s.reads), "ms", 60, true},
		{"turn.cpu", "… CPU", "ms", none, false},
		{"echo", "key echo, empty", "ms", 1, true},
		{"echo.p95", "… 95th percentile", "ms", 3, true},
		{"echo.after", fmt.Sprintf("key echo after %s", size(s.talk)), "ms", 1.2, true},
		{"echo.after.p95", "… 95th percentile", "ms", 3, true},
		{"output", output, "s", 0.5, true},
		{"output.cpu", "… CPU, with the command's", "s", none, false},
		{"output.rss", "… memory", "MB", 30, false},
		{"markdown", long, "s", 1.2, true},
		{"markdown.cpu", "… CPU", "s", 0.8, false},
		{"markdown.rss", "… memory", "MB", 70, false},
		{"markdown.bytes", "… to the terminal", "MB", 3, false},
		{"resume", fmt.Sprintf("resume %d messages, shown", 2*c), "ms", 50, true},
		{"resume.key", "… first key echoed", "ms", 55, true},
		{"resume.cpu", "… CPU", "ms", none, false},
		{"escape.gone", "Esc Esc → process tree gone", "ms", 8, true},
		{"escape.said", "… screen says so", "ms", 10, true},
		{"escape.left", "… processes left", "", 0, false},
		{"size", "binary", "MB", 25, false},
	}
}

func size(n int) string {
	if n >= mega {
		return strconv.Itoa(n/mega) + " MB"
	}
	return strconv.Itoa(n/1000) + " kB"
}

// A result is a row with what was measured.
type result struct {
	ID     string    `json:"id"`
	Title  string    `json:"title"`
	Unit   string    `json:"unit,omitempty"`
	Median float64   `json:"median"`
	Values []float64 `json:"values"`
	Aim    *float64  `json:"aim,omitempty"`
	// Ratio is the median as a multiple of the empty Go program's, of times.
	Ratio float64 `json:"ratio,omitempty"`
	// Over says that the aim is missed. A time may be over its aim by as much as
	// the empty Go program is slower here than where the aims were set.
	Over bool `json:"over,omitempty"`
}

// judge makes results of the rows that have samples.
func judge(rows []row, samples map[string][]float64) []result {
	floor, floorCPU := median(samples["floor"]), median(samples["floor.cpu"])
	var out []result
	for _, r := range rows {
		values := samples[r.id]
		if len(values) == 0 {
			continue
		}
		res := result{ID: r.id, Title: r.title, Unit: r.unit, Median: median(values), Values: values}
		per := map[string]float64{"ms": 1, "s": 1000}[r.unit]
		switch {
		case r.wall && floor > 0:
			res.Ratio = res.Median * per / floor
		case per > 0 && floorCPU > 0:
			res.Ratio = res.Median * per / floorCPU
		}
		if r.aim != none {
			res.Aim = &r.aim
			most := r.aim
			if r.wall {
				most *= max(1, floor/aimFloor)
			}
			res.Over = res.Median > most
		}
		out = append(out, res)
	}
	return out
}

func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	return (s[(n-1)/2] + s[n/2]) / 2
}

func printJSON(w io.Writer, rounds int, results []result) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		V      int      `json:"v"`
		Rounds int      `json:"rounds"`
		Rows   []result `json:"rows"`
	}{1, rounds, results})
}

func printTable(w io.Writer, rounds int, results []result) error {
	cells := [][]string{{fmt.Sprintf("median of %d", rounds), "zuno", "", "aim", "× empty", ""}}
	for _, r := range results {
		c := []string{r.Title, number(r.Median), r.Unit, "", "", ""}
		if r.Aim != nil {
			c[3] = number(*r.Aim)
		}
		if r.Ratio > 0 {
			c[4] = number(r.Ratio)
		}
		if r.Over {
			c[5] = "over"
		}
		cells = append(cells, c)
	}
	var b strings.Builder
	wide := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, c := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(c))
		}
	}
	for _, row := range cells {
		line := ""
		for i, c := range row {
			pad := strings.Repeat(" ", wide[i]-utf8.RuneCountInString(c))
			if left := i == 0 || i == 2 || i == 5; left {
				line += c + pad + " "
			} else {
				line += pad + c + " "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// number prints v with as many digits as say something.
func number(v float64) string {
	switch a := math.Abs(v); {
	case a == math.Trunc(a) && a < 1e6:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}
