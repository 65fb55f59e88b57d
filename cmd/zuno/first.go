package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/zuno-dev/zuno/internal/approval"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/tools"
	"github.com/zuno-dev/zuno/internal/tui"
)

// offerSetup is what the screen shows when there is no model to talk to: how to
// get one, what was found already, and the tour, which needs none. What went
// wrong just now stands first. On goes on to the session, past what was answered
// before this.
func offerSetup(ctx context.Context, p *plan, asker approval.Asker, left *[]string, problem string, on func(context.Context) (tui.Ready, error)) tui.Ready {
	keys, err := openKeyring()
	if err != nil {
		problem = err.Error()
	}
	rows := []tools.Option{}
	if err == nil && canHide() {
		for _, k := range providers() {
			if k.keyEnv != "" {
				rows = append(rows, tools.Option{ID: k.keyEnv, Label: "Paste a key for " + k.title, Detail: k.keysAt, Write: true})
			}
		}
	}
	title := "No model is configured"
	if problem != "" {
		title = "There is no model to talk to yet"
	}
	rows = append(rows, tools.Option{ID: "again", Label: "Look again", Detail: "after you started a local server"},
		tools.Option{ID: "tour", Label: "Take the tour", Detail: "offline, without a key"}, tools.Option{ID: "leave", Label: "Leave"})
	return tui.Ready{Dir: p.dir, Notices: p.notices, Offer: &tui.Offer{
		Title: title, Text: setupText(ctx, p, keys, problem), Choices: rows,
		Choose: func(ctx context.Context, id string) (tui.Ready, error) {
			name, key, pasted := strings.Cut(id, ":")
			switch {
			case pasted:
				if err := keys.store(name, key); err != nil {
					return offerSetup(ctx, p, asker, left, err.Error(), on), nil
				}
				p.notices = append(p.notices, fmt.Sprintf("the key is kept in %s, for you alone; %s in the environment comes before it, and to forget it remove the file", keys.path, name))
				return on(ctx)
			case id == "again":
				return on(ctx)
			case id == "tour":
				return startTour(ctx, p.flags, asker, left)
			}
			return tui.Ready{}, tui.ErrLeave
		},
	}}
}

// canHide reports whether the screen can keep from showing what is typed. A
// terminal without a cursor edits and shows its lines itself.
func canHide() bool {
	term, set := os.LookupEnv("TERM")
	return !set || term != "" && term != "dumb"
}

// setupText says how to get a model, and what of this machine matters for it.
func setupText(ctx context.Context, p *plan, keys keyring, problem string) string {
	var b strings.Builder
	if problem != "" {
		fmt.Fprintf(&b, "%s\n\n", oneLine(problem))
	}
	or := "Set"
	if canHide() {
		b.WriteString("Paste a key: it is not shown, and is kept for you alone in " + keys.path + ". ")
		or = "Or set"
	}
	b.WriteString(or + " ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY and start zuno again. Or start a local server.\n")
	for _, line := range surroundings(ctx) {
		fmt.Fprintf(&b, "%s\n", line)
	}
	if p.config.Model != "" {
		fmt.Fprintf(&b, "\nThe configuration names %s.\n", tools.CleanLine(p.config.Model))
	}
	return strings.TrimSpace(b.String())
}

// surroundings says what was found here that decides on how to get a model.
func surroundings(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, discoverTime)
	defer cancel()
	client := llm.HTTPClient()
	defer client.CloseIdleConnections()
	var lines []string
	local := llm.Discover(ctx, client, llm.DefaultProbes())
	for _, l := range local {
		if len(l.Models) == 0 {
			lines = append(lines, "Found: Ollama answers and has no model yet: ollama pull qwen3:8b gets one, say; then look again.")
		}
	}
	if len(local) == 0 {
		lines = append(lines, "Found: no key, and no local server on 127.0.0.1 (Ollama 11434, LM Studio 1234, llama.cpp 8080, vLLM 8000).")
	}
	if inContainer() {
		lines = append(lines, "In a container: 127.0.0.1 is the container; name a server of the host with provider.ollama.baseURL in zuno.json.")
	}
	if os.Getenv("SSH_CONNECTION") != "" {
		lines = append(lines, "Over ssh: variables and servers of the machine you sit at are not here.")
	}
	if names := proxies(); names != "" {
		lines = append(lines, "Requests to providers go through the proxy of "+names+".")
	}
	return lines
}

// noModel reports whether err is about there being nobody to talk to that a key
// or a server would help against.
func noModel(err error) (problem string, is bool) {
	var coded *codedError
	switch {
	case errors.Is(err, errNoProvider):
		return "", true
	case errors.As(err, &coded) && coded.code == exitAuth:
		return err.Error(), true
	}
	return "", false
}
