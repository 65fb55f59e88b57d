package main

import "testing"

// A reason that stands below the line is not in it as well.
func TestATranscriptSaysWhyOnce(t *testing.T) {
	c := transcriptCall{Tool: "write", Subject: "k", Outcome: "blocked", Block: "stale", DecidedBy: "stale", Reason: "k has not been read", Result: "k has not been read"}
	if got, want := c.receipt(), "blocked (stale)  write  k  [nobody was asked]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	c.DecidedBy, c.Result = "rule", "blocked: another text"
	if got, want := c.receipt(), "blocked (stale)  write  k  [by rule: k has not been read]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
