package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// newLedger returns the command about what was decided and done. It runs nothing.
func newLedger() *cobra.Command {
	var f flags
	var session string
	var asJSON, uncertain, verify bool
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "List every call: who decided on it, why, and what it did",
		Long: `ledger lists every call that was asked for, in order: when, which tool, about
what, who decided and why, on which evidence, and what it did.

Every decision, outcome and finding is an entry in a chain of hashes. --verify recomputes
the chains and names the first entry that does not match what is recorded. That
finds what was edited later by hand; it is no proof against somebody who can run
the program that makes the entries, or removes a whole session or the end of one.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if verify {
				if session != "" || uncertain {
					return usageErrorf("--verify looks at everything: leave --session and --uncertain out")
				}
				return verifyLedger(cmd.OutOrStdout(), f, asJSON)
			}
			return printLedger(cmd.OutOrStdout(), f, session, asJSON, uncertain)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&session, "session", "", "list the calls of the session with this `ID`, and of its agents")
	fl.BoolVar(&uncertain, "uncertain", false, "list only calls that may have happened")
	fl.BoolVar(&asJSON, "json", false, "print one JSON object")
	fl.BoolVar(&verify, "verify", false, "check that nothing recorded was edited")
	return cmd
}

// A ledgerEntry is what is printed of a call.
type ledgerEntry struct {
	Session   string         `json:"session"`
	ID        string         `json:"id"`
	Dir       string         `json:"dir"`
	Tool      string         `json:"tool"`
	Requested string         `json:"requested_name,omitempty"`
	Subject   string         `json:"subject"`
	Operator  bool           `json:"operator,omitempty"`
	Edited    bool           `json:"edited,omitempty"`
	State     string         `json:"state"`
	Effect    string         `json:"effect"`
	Replay    string         `json:"replay"`
	Risk      string         `json:"risk"`
	Verdict   string         `json:"verdict,omitempty"`
	Key       string         `json:"key,omitempty"`
	Allowed   bool           `json:"allowed"`
	DecidedBy string         `json:"decided_by,omitempty"`
	Reason    string         `json:"reason,omitempty"`
	Choice    string         `json:"choice,omitempty"`
	Outcome   string         `json:"outcome,omitempty"`
	Block     string         `json:"block_kind,omitempty"`
	Began     bool           `json:"began"`
	ExitCode  *int           `json:"exit_code,omitempty"`
	Changes   []tools.Change `json:"changes,omitempty"`
	TookMS    int64          `json:"duration_ms"`
	Asked     time.Time      `json:"requested_at"`
	Proposed  *time.Time     `json:"proposed_at,omitempty"`
	Decided   *time.Time     `json:"decided_at,omitempty"`
	Started   *time.Time     `json:"started_at,omitempty"`
	Settled   *time.Time     `json:"settled_at,omitempty"`
	Recovered bool           `json:"recovered,omitempty"`
	Told      bool           `json:"told,omitempty"`
	Chained   bool           `json:"chained"`
}

func ledgerEntryOf(e store.Entry) ledgerEntry {
	l := ledgerEntry{
		Session: e.Session, ID: e.Call.ID, Dir: e.Dir, Tool: e.Call.Tool, Requested: e.Call.Requested, Subject: e.Summary, Operator: e.Operator, Edited: e.Was != nil,
		State: string(e.State), Effect: e.Effect.String(), Replay: e.Replay.String(), Risk: e.Risk.String(), Key: e.Key,
		Allowed: e.Decision.Allowed, DecidedBy: string(e.Decision.By), Reason: e.Decision.Reason, Choice: e.Decision.Choice,
		ExitCode: e.Outcome.ExitCode, Changes: e.Outcome.Changes, TookMS: e.Took.Milliseconds(), Began: !e.Started.IsZero(),
		Asked: e.Requested, Proposed: known(e.Proposed), Decided: known(e.Decision.At), Started: known(e.Started), Settled: known(e.Settled),
		Recovered: e.Recovered, Told: e.Told, Chained: e.Chained,
	}
	if e.State == tools.Settled {
		l.Outcome, l.Block = e.Outcome.Kind.String(), e.Outcome.Block.String()
	}
	if e.Decision.Verdict != tools.Unknown {
		l.Verdict = e.Decision.Verdict.String()
	}
	return l
}

func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// print writes a call for a person.
func (l ledgerEntry) print(w io.Writer) error {
	word := l.Outcome
	if word == "" {
		word = l.State
	}
	if l.Block != "" {
		word += " (" + l.Block + ")"
	}
	lines := []string{fmt.Sprintf("%s  %-9s  %-11s %s", l.Asked.Local().Format("2006-01-02 15:04:05"), word, l.Tool, l.Subject)}
	decided := "not decided"
	if l.DecidedBy != "" {
		decided = map[bool]string{true: "allowed ", false: "not allowed "}[l.Allowed]
		if l.DecidedBy == string(tools.ByStale) {
			decided = "not allowed, and "
		}
		decided += who(l.DecidedBy, l.Reason, l.Verdict)
	}
	if l.Edited && !strings.Contains(l.Reason, "changed by you") {
		decided = "changed by you; " + decided
	}
	if l.Key != "" {
		decided += "; key " + l.Key
	}
	lines = append(lines, "    "+decided)
	what := did(l.ExitCode, l.Changes, time.Duration(l.TookMS)*time.Millisecond)
	for _, x := range []struct {
		is   bool
		word string
	}{
		{!l.Began, "it did not begin"},
		{l.Recovered, "settled by rule after zuno had died"},
		{l.Outcome == "uncertain" && l.Told, "the model was told"},
		{l.Outcome == "uncertain" && !l.Told, "the model was not told yet"},
		{!l.Chained, "not chained"},
	} {
		if x.is {
			what = strings.TrimPrefix(what+" · "+x.word, " · ")
		}
	}
	if what != "" {
		lines = append(lines, "    "+what)
	}
	lines = append(lines, fmt.Sprintf("    session %s  call %s  %s, replay %s, %s risk", l.Session, l.ID, l.Effect, l.Replay, l.Risk))
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, tools.CleanLine(line)); err != nil {
			return err
		}
	}
	return nil
}

func printLedger(w io.Writer, f flags, session string, asJSON, uncertain bool) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	n, list := 0, []ledgerEntry{}
	err = p.withRecord(func(db *store.Store) error {
		if db == nil {
			if session != "" {
				return usageErrorf("--session %s: nothing is recorded yet", tools.CleanLine(session))
			}
			return nil
		}
		return db.Ledger(session, uncertain, func(e store.Entry) error {
			n++
			if asJSON {
				list = append(list, ledgerEntryOf(e))
				return nil
			}
			return ledgerEntryOf(e).print(w)
		})
	})
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(w, struct {
			V     int           `json:"v"`
			Calls []ledgerEntry `json:"calls"`
		}{1, list})
	case n == 0 && uncertain:
		fmt.Fprintln(w, "no call is uncertain")
	case n == 0:
		fmt.Fprintln(w, "no call is recorded yet")
	}
	return nil
}

type verifiedLedger struct {
	V         int           `json:"v"`
	Entries   int           `json:"entries"`
	Unchained int           `json:"unchained_calls"`
	Findings  int           `json:"unchained_findings"`
	Broken    *brokenLedger `json:"broken"`
}

type brokenLedger struct {
	Session string `json:"session"`
	Call    string `json:"call,omitempty"`
	Entry   int64  `json:"entry,omitempty"`
	Event   string `json:"event,omitempty"`
	Why     string `json:"why"`
}

// verifyLedger ends with 1 when the record was edited.
func verifyLedger(w io.Writer, f flags, asJSON bool) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	out := verifiedLedger{V: 1}
	err = p.ifRecorded(func(db *store.Store) error {
		v, err := db.Verify()
		out.Entries, out.Unchained, out.Findings = v.Entries, v.Unchained, v.UnchainedFindings
		if b := v.Broken; b != nil {
			out.Broken = &brokenLedger{b.Session, b.Call, b.Seq, b.Event, b.Why}
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case asJSON:
		err = printJSON(w, out)
	default:
		err = out.print(w)
	}
	if err == nil && out.Broken != nil {
		return &codeOnly{exitFailed}
	}
	return err
}

func (v verifiedLedger) print(w io.Writer) error {
	if b := v.Broken; b != nil {
		where := "session " + b.Session
		if b.Call != "" {
			where += ", call " + b.Call
		}
		if b.Entry > 0 {
			where += fmt.Sprintf(", entry %d", b.Entry)
		}
		_, err := fmt.Fprintln(w, tools.CleanLine(where+" ("+b.Event+"): "+b.Why))
		return err
	}
	line := fmt.Sprintf("%d entries match what is recorded", v.Entries)
	if v.Unchained > 0 {
		line += fmt.Sprintf("; %s not chained: recorded before there was a chain", counted(v.Unchained, "call"))
	}
	if v.Findings > 0 {
		line += fmt.Sprintf("; %s not chained: recorded before the chain had findings", counted(v.Findings, "finding"))
	}
	_, err := fmt.Fprintln(w, line)
	return err
}
