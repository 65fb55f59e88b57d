package remind

import (
	"strings"
	"testing"
	"time"
)

func zone(t testing.TB) *time.Location {
	z, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	return z
}

func TestWhenIsReadInTheZoneOfThePerson(t *testing.T) {
	now := time.Date(2026, 3, 25, 10, 30, 0, 0, zone(t)) // a Wednesday
	for text, want := range map[string]string{
		"in 20 minutes":             "2026-03-25T10:50:00+01:00",
		" In  an HOUR ":             "2026-03-25T11:30:00+01:00",
		"in half an hour":           "2026-03-25T11:00:00+01:00",
		"in 1 hour 30 minutes":      "2026-03-25T12:00:00+01:00",
		"in 1h30m":                  "2026-03-25T12:00:00+01:00",
		"in 2 days and 1 hour":      "2026-03-27T11:30:00+01:00",
		"in a week":                 "2026-04-01T10:30:00+02:00",
		"tomorrow 9:00":             "2026-03-26T09:00:00+01:00",
		"tomorrow":                  "2026-03-26T09:00:00+01:00",
		"tomorrow at 5pm":           "2026-03-26T17:00:00+01:00",
		"today 17:15":               "2026-03-25T17:15:00+01:00",
		"17:00":                     "2026-03-25T17:00:00+01:00",
		"9:00":                      "2026-03-26T09:00:00+01:00",
		"at noon":                   "2026-03-25T12:00:00+01:00",
		"midnight":                  "2026-03-26T00:00:00+01:00",
		"12am":                      "2026-03-26T00:00:00+01:00",
		"friday 14:30":              "2026-03-27T14:30:00+01:00",
		"wednesday 11:00":           "2026-03-25T11:00:00+01:00",
		"wednesday":                 "2026-04-01T09:00:00+02:00",
		"next wednesday 11:00":      "2026-04-01T11:00:00+02:00",
		"monday at 8 am":            "2026-03-30T08:00:00+02:00",
		"2026-12-24":                "2026-12-24T09:00:00+01:00",
		"2026-12-24 18:00":          "2026-12-24T18:00:00+01:00",
		"2026-12-24T18:00":          "2026-12-24T18:00:00+01:00",
		"2026-12-24T18:00:30Z":      "2026-12-24T19:00:30+01:00",
		"2026-12-24T18:00:00-05:00": "2026-12-25T00:00:00+01:00",
	} {
		got, err := momentOf(text, now)
		if err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q: %s, %v; want %s", text, got.Format(time.RFC3339), err, want)
		}
	}
}

func TestWhatIsNotUnderstoodIsRefused(t *testing.T) {
	now := time.Date(2026, 3, 25, 10, 30, 0, 0, zone(t))
	for text, want := range map[string]string{
		"": "blank", "soon": "tomorrow 9:00", "5": "in 20 minutes", "tomorrow 9": "5pm", "in": "friday", "in 5": "5pm", "in 5 minutes 5 minutes": "5pm", "in half an day": "5pm",
		"25:00": "5pm", "13pm": "5pm", "9:60": "5pm", "today 9:00": "has passed", "2020-01-01": "has passed", "2026-02-30": "5pm", "in 0 minutes": "has passed",
		"in 999999 weeks": "ten years", "2026-03-29 02:30": "does not exist", "next": "5pm", "tomorrow at": "5pm", "in 1 hourly": "5pm",
	} {
		if got, err := momentOf(text, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, %v; want an error with %q", text, got.Format(time.RFC3339), err, want)
		}
	}
}

func FuzzWhen(f *testing.F) {
	for _, s := range []string{"in 1h30m", "tomorrow at 5pm", "next friday", "2026-12-24T18:00", "t", "next", "\x00"} {
		f.Add(s, int64(1774431000))
	}
	f.Fuzz(func(t *testing.T, s string, unix int64) {
		now := time.Unix(unix%(1<<33), 0).UTC()
		if at, err := momentOf(s, now); err == nil && (!at.After(now) || at.Sub(now) > furthest) {
			t.Errorf("%q at %s is %s", s, now, at)
		}
	})
}
