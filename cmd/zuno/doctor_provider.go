package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/reach"
)

// reachTime bounds how long anybody waits for a provider's address.
const reachTime = 3 * time.Second

// A source of models is a provider that could be asked here.
type source struct {
	provider
	base   string // address, as far as it is known
	key    string // where the key is; "" for nowhere
	models []llm.LocalModel
	// local says that it was found on this machine, and reached what became of a
	// request without a key: "" when somebody answered.
	local   bool
	reached string
}

// sources returns the providers that have a key, are configured or were found
// on this machine, in the order of providers. Each address is asked once,
// without a key, all of them at once.
func sources(ctx context.Context, p *plan, keys keyring) []source {
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	client := llm.HTTPClient()
	defer client.CloseIdleConnections()
	found := llm.Discover(ctx, client, llm.DefaultProbes())
	var list []source
	for _, id := range orderedProviders(p) {
		k, conf, err := lookUp(p.config, id)
		if err != nil {
			continue // every id is known
		}
		s := source{provider: k, key: keys.from(k.keyEnv)}
		s.base = firstSet(conf.BaseURL, envOf(k.baseEnv), k.base, usualBase(k.id))
		at := slices.IndexFunc(found, func(l llm.Local) bool { return l.Provider == id })
		if at >= 0 && conf.BaseURL == "" {
			s.local, s.models = true, found[at].Models
		}
		_, configured := p.config.Providers[id]
		if s.key != "" || s.local || configured {
			list = append(list, s)
		}
	}
	var all sync.WaitGroup
	for i := range list {
		if !list[i].local {
			all.Go(func() { list[i].reached = answers(ctx, client, list[i].base) })
		}
	}
	all.Wait()
	return list
}

// orderedProviders lists the known ids in their order, then the configured ones.
func orderedProviders(p *plan) []string {
	var ids []string
	for _, k := range providers() {
		ids = append(ids, k.id)
	}
	for _, id := range providerNames(p.config) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func envOf(name string) string {
	if name == "" {
		return ""
	}
	return os.Getenv(name)
}

func firstSet(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// usualBase is the address of a provider's own API, where its wire knows it.
func usualBase(id string) string {
	return map[string]string{
		"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1", "google": "https://generativelanguage.googleapis.com/v1beta",
	}[id]
}

// answers asks an address whether anybody answers, with no key and no body. Any
// answer is one; it returns why there was none.
func answers(ctx context.Context, client *http.Client, base string) string {
	if err := checkBase(base); err != nil {
		return err.Error()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base, nil)
	if err != nil {
		return "it is not an address"
	}
	resp, err := client.Do(req)
	if err != nil {
		if p := reach.Explain(err, req.URL); p != nil {
			return p.Text
		}
		if ctx.Err() != nil {
			return fmt.Sprintf("no answer within %s", reachTime)
		}
		return reach.Plain(err).Error()
	}
	_ = resp.Body.Close()
	if p := reach.Refused(resp, req.URL); p != nil {
		return p.Text
	}
	return ""
}

// providerFindings says which providers could be asked, and not what their keys
// are. A key is not tried: that it is accepted shows with the first prompt.
func providerFindings(ctx context.Context, p *plan) []finding {
	keys, err := openKeyring()
	if err != nil {
		return []finding{wrong("providers", err.Error(), "chmod 600 or remove the file; zuno asks for a key again")}
	}
	var list []finding
	list = append(list, wayFindings()...)
	all := sources(ctx, p, keys)
	usable := false
	for _, s := range all {
		what, words := "provider "+s.id, s.base
		switch {
		case s.local && len(s.models) == 0:
			list = append(list, noted(what, words+", answers and has no model", "ollama pull NAME gets one"))
			continue
		case s.local:
			words += fmt.Sprintf(", answers, %s", counted(len(s.models), "model"))
		case s.reached != "":
			list = append(list, noted(what, s.base+": "+s.reached, "check the network and the address (provider."+s.id+".baseURL)"))
			usable = usable || s.key != "" || s.keyless
			continue
		default:
			words += ", answers"
		}
		if s.key == "" && !s.keyless {
			list = append(list, noted(what, words+", no key", "set "+s.keyEnv))
			continue
		}
		usable = true
		if s.key != "" {
			words += ", key " + s.keyEnv + " from " + s.key + " (not tried)"
		}
		list = append(list, fine(what, words))
	}
	if !usable {
		list = append(list, noted("providers", "there is no model to talk to", strings.TrimPrefix(errNoProvider.Error(), "no model provider is configured: ")))
	}
	return list
}
