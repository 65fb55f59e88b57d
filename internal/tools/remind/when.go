package remind

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// examples are what a refusal shows.
const examples = `write it like "in 20 minutes", "in 1 hour 30 minutes", "tomorrow 9:00", "friday 14:30", "17:00", "5pm", "2026-12-24 18:00" or "2026-12-24T18:00:00+01:00"`

// furthest is how far ahead a reminder may be.
const furthest = 10 * 366 * 24 * time.Hour

// morning is the hour that a day without a time means.
const morning = 9

// momentOf returns the moment that text means to somebody who says it at now, in the
// time zone of now. What has passed, what does not exist there, such as the hour
// that a change of clocks skips, and what is not understood is an error.
func momentOf(text string, now time.Time) (time.Time, error) {
	s := strings.ToLower(strings.Join(strings.Fields(text), " "))
	t, err := moment(s, now)
	switch {
	case err != nil:
		return t, err
	case !t.After(now):
		return t, fmt.Errorf("%q has passed: it is %s", text, now.Format("Mon 2006-01-02 15:04"))
	case t.Sub(now) > furthest:
		return t, fmt.Errorf("%q is more than ten years ahead", text)
	}
	return t, nil
}

func moment(s string, now time.Time) (time.Time, error) {
	if rest, ok := strings.CutPrefix(s, "in "); ok {
		return after(rest, now)
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02t15:04z07:00"} {
		if t, err := time.Parse(layout, strings.ToUpper(s)); err == nil {
			return t.In(now.Location()), nil
		}
	}
	words := strings.Fields(s)
	if len(words) == 0 {
		return now, errors.New("when is blank: " + examples)
	}
	if day, clock, ok := strings.Cut(s, "t"); ok && isDate(day) && clock != "" {
		words = []string{day, clock}
	}
	day, dated, rest := dayOf(words, now)
	if len(rest) > 1 && rest[0] == "at" {
		rest = rest[1:]
	}
	clock := strings.Join(rest, "")
	hour, minute, second := morning, 0, 0
	if clock != "" || !dated {
		var ok bool
		if hour, minute, second, ok = clockOf(clock); !ok {
			return now, fmt.Errorf("%q is not understood: %s", s, examples)
		}
	}
	t, err := on(day, hour, minute, second, now.Location())
	switch {
	case err != nil || t.After(now):
		return t, err
	case !dated: // the next time that the clock says so
		return on(day.AddDate(0, 0, 1), hour, minute, second, now.Location())
	case slices.Contains(weekdays(), words[0]):
		return on(day.AddDate(0, 0, 7), hour, minute, second, now.Location())
	}
	return t, nil
}

// on is a time of day, which must exist.
func on(day time.Time, hour, minute, second int, zone *time.Location) (time.Time, error) {
	t := time.Date(day.Year(), day.Month(), day.Day(), hour, minute, second, 0, zone)
	if t.Hour() != hour || t.Minute() != minute {
		return t, fmt.Errorf("%02d:%02d does not exist on %s: the clocks change", hour, minute, day.Format(time.DateOnly))
	}
	return t, nil
}

func weekdays() []string {
	return []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// dayOf reads the day at the beginning of words; dated says whether there is
// one, and without it is today.
func dayOf(words []string, now time.Time) (day time.Time, dated bool, rest []string) {
	noon := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, time.UTC)
	week := 0
	if words[0] == "next" && len(words) > 1 && slices.Contains(weekdays(), words[1]) {
		words, week = words[1:], 1
	}
	switch i := slices.Index(weekdays(), words[0]); {
	case i >= 0:
		ahead := (i - int(now.Weekday()) + 7) % 7
		if week > 0 && ahead == 0 {
			ahead = 7
		}
		return noon.AddDate(0, 0, ahead), true, words[1:]
	case words[0] == "today":
		return noon, true, words[1:]
	case words[0] == "tomorrow":
		return noon.AddDate(0, 0, 1), true, words[1:]
	}
	if d, err := time.Parse(time.DateOnly, words[0]); err == nil {
		return d.Add(12 * time.Hour), true, words[1:]
	}
	return noon, false, words
}

var clocks = regexp.MustCompile(`^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?(am|pm)?$`)

// clockOf reads a time of day. A bare number is none: it may mean anything.
func clockOf(s string) (hour, minute, second int, ok bool) {
	switch s {
	case "noon":
		return 12, 0, 0, true
	case "midnight":
		return 0, 0, 0, true
	}
	m := clocks.FindStringSubmatch(s)
	if m == nil || m[2] == "" && m[4] == "" {
		return 0, 0, 0, false
	}
	hour, _ = strconv.Atoi(m[1]) // digits; what is absent counts as zero
	minute, _ = strconv.Atoi(m[2])
	second, _ = strconv.Atoi(m[3])
	if m[4] != "" {
		if hour < 1 || hour > 12 {
			return 0, 0, 0, false
		}
		hour %= 12
		if m[4] == "pm" {
			hour += 12
		}
	}
	return hour, minute, second, hour < 24 && minute < 60 && second < 60
}

var amounts = regexp.MustCompile(`^(\d{1,6}|an?|half an) ?(minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?: and | |$)?`)

// after reads what follows "in": amounts, each of a unit of its own.
func after(s string, now time.Time) (time.Time, error) {
	bad := fmt.Errorf("%q is not understood: %s", "in "+s, examples)
	if s == "" {
		return now, bad
	}
	t, used := now, ""
	for s != "" {
		m := amounts.FindStringSubmatch(s)
		if m == nil {
			return now, bad
		}
		s = s[len(m[0]):]
		unit := m[2][:1]
		if strings.Contains(used, unit) {
			return now, bad
		}
		used += unit
		n, err := strconv.Atoi(m[1])
		if err != nil {
			n = 1
		}
		switch {
		case m[1] == "half an" && unit == "h":
			t = t.Add(30 * time.Minute)
		case m[1] == "half an":
			return now, bad
		case unit == "m":
			t = t.Add(time.Duration(n) * time.Minute)
		case unit == "h":
			t = t.Add(time.Duration(n) * time.Hour)
		case unit == "d":
			t = t.AddDate(0, 0, n)
		case unit == "w":
			t = t.AddDate(0, 0, 7*n)
		}
	}
	return t, nil
}
