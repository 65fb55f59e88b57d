package main

import (
	"time"

	"github.com/zuno-dev/zuno/internal/tools/remind"
)

// due takes the reminders that are due, a line each, to be shown now.
func (s *session) due() []string {
	if s.reminders == nil {
		return nil
	}
	list, err := s.reminders.Due()
	if err != nil {
		return []string{err.Error()} // no reason not to work
	}
	var lines []string
	for _, r := range list {
		lines = append(lines, remind.Notice(r, time.Now()))
	}
	return lines
}
