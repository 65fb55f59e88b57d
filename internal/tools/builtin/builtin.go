// Package builtin is the list of the tools that zuno comes with, and of the
// other names that they answer to.
package builtin

import (
	"context"
	"slices"

	"github.com/zuno-dev/zuno/internal/lsp"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tools/ask"
	"github.com/zuno-dev/zuno/internal/tools/batch"
	"github.com/zuno-dev/zuno/internal/tools/command"
	"github.com/zuno-dev/zuno/internal/tools/delegate"
	"github.com/zuno-dev/zuno/internal/tools/file"
	"github.com/zuno-dev/zuno/internal/tools/ledger"
	"github.com/zuno-dev/zuno/internal/tools/media"
	"github.com/zuno-dev/zuno/internal/tools/memory"
	"github.com/zuno-dev/zuno/internal/tools/page"
	"github.com/zuno-dev/zuno/internal/tools/recall"
	"github.com/zuno-dev/zuno/internal/tools/remind"
	"github.com/zuno-dev/zuno/internal/tools/search"
	"github.com/zuno-dev/zuno/internal/tools/skills"
	"github.com/zuno-dev/zuno/internal/tools/web"
	"github.com/zuno-dev/zuno/internal/tools/work"
)

// Config is what the tools need.
type Config struct {
	Workspace *file.Workspace
	Files     *file.Tools // of the workspace
	Command   command.Config
	// PDF reads documents; it may be nil where no call is carried out.
	PDF file.PDFReader
	// Media is what analyze_media needs, but for the files.
	Media media.Config
	// Page is what create_web_app needs, but for the files.
	Page page.Config
	// Remind keeps reminders; without a store their tools refuse.
	Remind remind.Config
	// LSP asks language servers; nil means that there are none.
	LSP *lsp.Client
	// Rg returns the path of ripgrep, or an error that names the fix.
	Rg func(context.Context) (string, error)
	// Ledger takes what is found out about uncertain calls. It may be nil where
	// no call is carried out.
	Ledger ledger.Ledger
	// Work keeps the plan, the todos and the goal of the session; with none, their
	// tools refuse.
	Work   work.Store
	Memory memory.Config
	// Delegate has other agents work; with none, the tools refuse.
	Delegate delegate.Runner
	// Web is what the tools of the web need. Where it has no service that
	// searches, web_search is to be switched off.
	Web web.Config
	// Recall is the conversation that some tools look at.
	Recall recall.Config
	// Skills are those of the session. Where there are none, the tool is to be
	// switched off.
	Skills skills.Config
}

// Reconcile is the name of the tool that is offered only while there is
// something to say with it.
const Reconcile = "reconcile"

// off names the tools that are registered but not offered until the tools map
// or an agent's allowlist names them.
var off = []string{
	"edit", "mkdir", "rm", "mv", "cp", "memory_propose", "view_memory", "manage_memory", "http_request",
	"retrieve_tool_result", "context_info", "summarize_context", "get_time",
	"read_pdf", "pdf_page_count", "ask_file_picker", "analyze_media",
	"add_reminder", "list_reminders", "cancel_reminder", "lsp", "create_web_app", "execute",
}

// New returns all tools, in the order in which they are offered.
func New(c Config) []tools.Tool {
	c.Media.Open = opener(c.Files)
	c.Page.Put = c.Files.Put
	if c.LSP == nil {
		c.LSP = lsp.New(lsp.Config{})
	}
	return slices.Concat(
		c.Files.List(),
		search.New(search.Config{Resolve: resolver(c.Workspace), Rg: c.Rg, Env: c.Command.Env}),
		command.New(c.Command),
		delegate.New(c.Delegate),
		ask.New(),
		ledger.New(c.Ledger),
		work.New(c.Work),
		memory.New(c.Memory),
		web.New(c.Web),
		skills.New(c.Skills),
		recall.New(c.Recall),
		c.Files.PDF(c.PDF),
		[]tools.Tool{c.Files.Picker(), media.New(c.Media)},
		remind.New(c.Remind),
		[]tools.Tool{c.LSP.Tool(), page.New(c.Page), batch.New()},
	)
}

// resolver adapts the one authority on paths to what a search asks of it.
func resolver(ws *file.Workspace) func(string) (string, bool, error) {
	return func(path string) (string, bool, error) {
		p, err := ws.Resolve(path)
		return p.Real, !p.Inside, err
	}
}

// opener adapts the one authority on paths to what looks at pictures.
func opener(files *file.Tools) func(string) (media.Source, error) {
	return func(path string) (media.Source, error) {
		p, err := files.Picture(path)
		return media.Source{Name: p.Name, Subjects: p.Subjects, Manual: p.Manual, Check: p.Check, Load: p.Load}, err
	}
}

// Names returns the names of all tools.
func Names(all []tools.Tool) []string {
	var names []string
	for _, t := range all {
		names = append(names, t.Spec().Name)
	}
	return names
}

// Select returns the tools on offer at all times: those that exact names when
// it is not nil, else the default surface as switches change it. A switched-off
// tool is off even when it is named. The second result is a name of exact that no tool
// has, "" when there is none.
func Select(all []tools.Tool, switches map[string]bool, exact []string) ([]tools.Tool, string) {
	names := Names(all)
	for _, n := range exact {
		if !slices.Contains(names, n) {
			return nil, n
		}
	}
	var list []tools.Tool
	for _, t := range all {
		n := t.Spec().Name
		on, switched := switches[n]
		switch {
		case n == Reconcile:
			continue
		case switched && !on:
			continue
		case exact != nil && !slices.Contains(exact, n):
			continue
		case exact == nil && !switched && slices.Contains(off, n):
			continue
		}
		list = append(list, t)
	}
	return list, ""
}
