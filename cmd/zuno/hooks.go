package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/agent"
	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/hook"
	"github.com/zuno-dev/zuno/internal/loop"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools"
)

// hooks are the configured hooks of a session, as the loop asks for them.
type hooks struct {
	run *hook.Runner
	// first is context for the first prompt.
	first string

	mu   sync.Mutex
	said map[string]bool // troubles that were told
	late []string        // what is to be told with the next ruling
	last map[int]hookRun // how each came out last
}

// newHooks returns the hooks of p, nil when there are none.
func newHooks(p *plan, session string, box *sandbox) (*hooks, error) {
	if len(p.config.Hooks) == 0 {
		return nil, nil
	}
	env := append(p.environ(), "ZUNO_PROJECT_DIR="+p.root, "CLAUDE_PROJECT_DIR="+p.root) // the second is what existing hooks know
	r := &hook.Runner{
		Shell: p.lookup().Shell(), Dir: p.root, Env: env,
		Confine: func() (*shell.Confinement, error) {
			c, _, err := box.confine()
			return c, err
		},
		Common: map[string]any{"session_id": session, "cwd": p.dir, "permission_mode": p.policy.String()},
	}
	var late []string
	for _, h := range p.config.Hooks {
		if problem := hook.CheckMatcher(h.Matcher); problem != "" {
			return nil, configErrorf("hooks.%s: the matcher %q %s", h.Event, tools.CleanLine(h.Matcher), tools.CleanLine(problem))
		}
		one := hook.Hook{Event: h.Event, Matcher: h.Matcher, Command: h.Command, Timeout: h.Timeout, Confined: h.Sandbox != nil && *h.Sandbox}
		if p.ofProject(h.Place) {
			one.Source, one.Confined = tools.CleanLine(p.inProject(h.Place.File)), true
			if h.Sandbox != nil && !*h.Sandbox {
				late = append(late, fmt.Sprintf("%s: a project's hook runs in the sandbox, whatever it says; copy it into your own configuration to run it outside", tools.CleanLine(h.Place.String())))
			}
		}
		r.Hooks = append(r.Hooks, one)
	}
	h := &hooks{run: r, said: map[string]bool{}, late: late, last: map[int]hookRun{}}
	r.Ran = h.ran
	return h, nil
}

// ofProject reports whether a setting stands in a file of the project.
func (p *plan) ofProject(at config.Place) bool {
	return slices.ContainsFunc(p.config.Files, func(f config.File) bool { return f.Project && f.Path == at.File })
}

// workerHooks are those of the session for an agent that it delegated to: what
// they say about calls holds for whoever makes them. The task of such an agent is
// no prompt of the person's, and its end is not the session's.
type workerHooks struct{ *hooks }

// Prompted implements loop.Hooks.
func (workerHooks) Prompted(context.Context, string) loop.Ruling { return loop.Ruling{} }

// Stopping implements loop.Hooks.
func (workerHooks) Stopping(context.Context, bool) loop.Ruling { return loop.Ruling{} }

// conventional are the names that hooks written for other agents know tools by.
func conventional(tool string) []string {
	names := []string{tool}
	for _, n := range []struct{ ours, theirs string }{
		{"shell", "Bash"},
		{"read", "Read"},
		{"write", "Write"},
		{"edit", "Edit"},
		{"edit", "MultiEdit"},
		{"apply_patch", "Edit"},
		{"apply_patch", "Write"},
		{"apply_patch", "edit"},
		{"glob", "Glob"},
		{"grep", "Grep"},
		{"webfetch", "WebFetch"},
		{"web_search", "WebSearch"},
		{"task", "Task"},
	} {
		if n.ours == tool {
			names = append(names, n.theirs)
		}
	}
	return names
}

// fire runs the hooks of one event.
func (h *hooks) fire(ctx context.Context, event string, names []string, about map[string]any) loop.Ruling {
	a := h.run.Run(ctx, event, names, about)
	r := loop.Ruling{Block: a.Block, Ask: a.Ask, Project: a.Source != "", Reason: agent.Escape(a.Reason), Context: agent.Escape(a.Context)}
	h.mu.Lock()
	defer h.mu.Unlock()
	r.Notices = append(h.late, a.Say...)
	h.late = nil
	for _, t := range a.Troubles {
		if !h.said[t] {
			h.said[t] = true
			what := "it decides nothing"
			if a.Ask {
				what = "a person decides"
			}
			r.Notices = append(r.Notices, t+" ("+what+", and this is said once)")
		}
	}
	return r
}

// Prompted implements loop.Hooks.
func (h *hooks) Prompted(ctx context.Context, text string) loop.Ruling {
	r := h.fire(ctx, "UserPromptSubmit", []string{""}, map[string]any{"prompt": text})
	if h.first != "" && !r.Block {
		if r.Context != "" {
			r.Context = "\n" + r.Context
		}
		r.Context, h.first = h.first+r.Context, ""
	}
	return r
}

// Proposed implements loop.Hooks.
func (h *hooks) Proposed(ctx context.Context, p *tools.Proposal) loop.Ruling {
	return h.fire(ctx, "PreToolUse", conventional(p.Call.Tool), aboutCall(p.Call))
}

// Settled implements loop.Hooks.
func (h *hooks) Settled(ctx context.Context, r tools.Record) loop.Ruling {
	about := aboutCall(r.Call)
	response := map[string]any{"outcome": r.Outcome.Kind.String(), "text": r.Outcome.Text}
	if r.Outcome.ExitCode != nil {
		response["exit_code"] = *r.Outcome.ExitCode
	}
	about["tool_response"] = response
	return h.fire(ctx, "PostToolUse", conventional(r.Call.Tool), about)
}

// Stopping implements loop.Hooks.
func (h *hooks) Stopping(ctx context.Context, again bool) loop.Ruling {
	return h.fire(ctx, "Stop", []string{""}, map[string]any{"stop_hook_active": again})
}

// Compacting implements loop.Hooks.
func (h *hooks) Compacting(ctx context.Context) loop.Ruling {
	return h.fire(ctx, "PreCompact", []string{"auto", "manual"}, nil)
}

func aboutCall(c tools.Call) map[string]any {
	about := map[string]any{"tool_name": c.Tool, "tool_use_id": c.ID}
	if json.Valid(c.Args) {
		about["tool_input"] = c.Args
	}
	return about
}

// endTime bounds what hooks may take when a session ends.
const endTime = 3 * time.Second

// attach begins the hooks of a session, and has them told of its end.
func (h *hooks) attach(ctx context.Context, s *session, resumed bool) {
	source := "startup"
	if resumed {
		source = "resume"
	}
	r := h.fire(ctx, "SessionStart", []string{source}, map[string]any{"source": source})
	if r.Block {
		r.Notices = append(r.Notices, "hook SessionStart: "+r.Reason)
	}
	h.first = r.Context
	s.notices = append(s.notices, r.Notices...)
	s.closers = append(s.closers, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), endTime)
		defer cancel()
		h.fire(ctx, "SessionEnd", []string{"other"}, map[string]any{"reason": "other"})
		return nil
	})
}

// A hookedAsker has hooks say no to what would be asked, and tells them that
// something is.
type hookedAsker struct {
	approval.Asker
	*hooks
	attended bool
}

// Ask implements approval.Asker.
func (a hookedAsker) Ask(ctx context.Context, r approval.Request) (approval.Answer, error) {
	call := r.Proposal.Call
	if len(r.Proposal.Options) == 0 {
		got := a.fire(ctx, "PermissionRequest", conventional(call.Tool), aboutCall(call))
		a.mu.Lock()
		a.late = append(a.late, got.Notices...)
		a.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return approval.Answer{}, ctx.Err()
		case got.Block:
			return approval.Answer{Verb: approval.Deny, Reason: got.Reason, By: tools.ByHook, Project: got.Project}, nil
		}
	}
	if !a.attended || !slices.ContainsFunc(a.run.Hooks, func(h hook.Hook) bool { return h.Event == "Notification" }) {
		return a.Asker.Ask(ctx, r)
	}
	// The hooks run beside the card, and no longer than it is open.
	inner, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		about := aboutCall(call)
		about["message"], about["notification_type"] = "zuno asks about "+call.Tool+": "+r.Proposal.Summary, "permission_prompt"
		a.run.Run(inner, "Notification", []string{"permission_prompt"}, about)
	}()
	ans, err := a.Asker.Ask(ctx, r)
	cancel()
	<-done
	return ans, err
}
