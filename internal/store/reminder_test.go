package store_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools/remind"
)

func TestAReminderIsShownOnceWhenItIsDue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zuno.db")
	now := time.Unix(1_800_000_000, 0)
	s, err := store.Open(path, func() time.Time { return now })
	must(t, err)
	defer s.Close()
	r := s.Reminders()
	late, err := r.AddReminder(now.Add(2*time.Hour), "late")
	must(t, err)
	_, err = r.AddReminder(now.Add(time.Hour), "early")
	must(t, err)
	list, err := r.Reminders()
	must(t, err)
	if len(list) != 2 || list[0].Text != "early" || !list[1].At.Equal(now.Add(2*time.Hour)) {
		t.Errorf("%+v", list)
	}
	due := func() string {
		t.Helper()
		list, err := s.Reminders().Due()
		must(t, err)
		var texts []string
		for _, d := range list {
			texts = append(texts, d.Text)
		}
		return strings.Join(texts, " ")
	}
	if got := due(); got != "" {
		t.Errorf("before its time: %q", got)
	}
	now = now.Add(time.Hour)
	if got := due(); got != "early" {
		t.Errorf("at its time: %q", got)
	}
	if got := due(); got != "" {
		t.Errorf("once more: %q", got)
	}
	if there, err := r.CancelReminder(late); err != nil || !there {
		t.Errorf("%v, %v", there, err)
	}
	if there, err := r.CancelReminder(late); err != nil || there {
		t.Errorf("cancelled twice: %v, %v", there, err)
	}
	now = now.Add(9 * time.Hour)
	if got := due(); got != "" {
		t.Errorf("a cancelled one: %q", got)
	}
	for range remind.Most {
		_, err := r.AddReminder(now, "x")
		must(t, err)
	}
	if _, err := r.AddReminder(now, "x"); err == nil || !strings.Contains(err.Error(), "200 reminders already") {
		t.Errorf("%v", err)
	}
}
