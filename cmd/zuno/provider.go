package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/llm/anthropic"
	"github.com/zuno-dev/zuno/internal/llm/chat"
	"github.com/zuno-dev/zuno/internal/llm/google"
	"github.com/zuno-dev/zuno/internal/llm/openai"
	"github.com/zuno-dev/zuno/internal/spelling"
)

// A provider is an endpoint that zuno knows by itself.
type provider struct {
	id, api         string
	keyEnv, baseEnv string
	base            string // "" for the wire's own
	model           string // used when none is named
	keyless         bool   // a local server
	title, keysAt   string // what it is called, and where it gives out keys
}

// providers is in the order in which a default is looked for.
func providers() []provider {
	return []provider{
		{id: "anthropic", api: "anthropic", keyEnv: "ANTHROPIC_API_KEY", baseEnv: "ANTHROPIC_BASE_URL", model: "claude-sonnet-5-5", title: "Anthropic", keysAt: "console.anthropic.com"},
		{id: "openai", api: "openai", keyEnv: "OPENAI_API_KEY", baseEnv: "OPENAI_BASE_URL", model: "gpt-6.2-sol", title: "OpenAI", keysAt: "platform.openai.com/api-keys"},
		{id: "google", api: "google", keyEnv: "GEMINI_API_KEY", baseEnv: "GEMINI_BASE_URL", model: "gemini-3.1-pro-preview", title: "Google Gemini", keysAt: "aistudio.google.com/apikey"},
		{id: "openrouter", api: "openai-compatible", keyEnv: "OPENROUTER_API_KEY", base: "https://openrouter.ai/api/v1", model: "anthropic/claude-sonnet-5-5", title: "OpenRouter", keysAt: "openrouter.ai/keys"},
		{id: "ollama", api: "openai-compatible", base: "http://127.0.0.1:11434/v1", keyless: true},
		{id: "lmstudio", api: "openai-compatible", base: "http://127.0.0.1:1234/v1", keyless: true},
		{id: "llamacpp", api: "openai-compatible", base: "http://127.0.0.1:8080/v1", keyless: true},
		{id: "vllm", api: "openai-compatible", base: "http://127.0.0.1:8000/v1", keyless: true},
	}
}

// wires maps the api of a provider to the package that speaks it.
func wires() map[string]func(llm.Endpoint) llm.Model {
	return map[string]func(llm.Endpoint) llm.Model{
		"anthropic": anthropic.New, "openai": openai.New, "openai-compatible": chat.New, "google": google.New,
	}
}

// keyVariable names the variable that holds the key of a provider.
func keyVariable(id string) string {
	for _, p := range providers() {
		if p.id == id && p.keyEnv != "" {
			return p.keyEnv
		}
	}
	return "the variable that provider." + id + ".apiKeyEnv names"
}

// errNoProvider says what to do when nothing is configured.
var errNoProvider = &codedError{exitAuth, fmt.Errorf("no model provider is configured: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, start zuno in a terminal and paste a key, start a local server such as Ollama, or try zuno tour")}

// A chosen model is ready to be asked.
type chosen struct {
	llm.Model
	info llm.Info
}

// choose returns the model of that name, "provider/model"; "" means the first
// provider that has a key, or else a local server that answers.
func choose(ctx context.Context, p *plan, keys keyring, name string) (chosen, error) {
	if name == "" {
		var err error
		if name, err = fallback(ctx, keys); err != nil {
			return chosen{}, err
		}
	}
	id, model, ok := strings.Cut(name, "/")
	if !ok || id == "" || model == "" {
		return chosen{}, configErrorf("model %q is not of the form provider/model, like anthropic/claude-sonnet-5-5", name)
	}
	known, conf, err := lookUp(p.config, id)
	if err != nil {
		return chosen{}, err
	}
	e := llm.Endpoint{Provider: id, Model: model, BaseURL: known.base, Headers: conf.Headers, HTTP: p.watch.Client(llm.HTTPClient())}
	if v := os.Getenv(known.baseEnv); v != "" && known.baseEnv != "" {
		if err := checkBase(v); err != nil {
			return chosen{}, configErrorf("%s: %w", known.baseEnv, err)
		}
		e.BaseURL = v
	}
	if conf.BaseURL != "" {
		e.BaseURL = conf.BaseURL
	}
	if known.api == "anthropic" {
		e.BaseURL = strings.TrimSuffix(strings.TrimSuffix(e.BaseURL, "/"), "/v1")
	}
	if e.BaseURL == "" && known.api == "openai-compatible" {
		return chosen{}, configErrorf("provider.%s.baseURL is missing: where does the server listen?", id)
	}
	if known.keyEnv != "" {
		e.Key = strings.TrimSpace(keys.get(known.keyEnv))
	}
	if strings.ContainsFunc(e.Key, unicode.IsControl) {
		return chosen{}, authErrorf("%s holds a line break or another control character: set it to the key alone", known.keyEnv)
	}
	if e.Key == "" && !known.keyless {
		return chosen{}, authErrorf("no key for provider %q: set %s", id, known.keyEnv)
	}
	e.Info = describe(id, model, conf)
	wire := wires()[known.api]
	m := llm.Retrying(wire(e), llm.RetryPolicy{Attempts: p.config.Retry.MaxAttempts})
	return chosen{p.watch.Model(m, e.Name(), e.BaseURL), e.Info}, nil
}

// checkBase refuses an address that no request can go to, and one with a
// password in it, which would end up in messages. Neither quotes it.
func checkBase(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("it is not an http or https address, such as https://api.example.com")
	case u.User != nil:
		return errors.New("an address with a name or a password in it is not used: put the key into its own variable")
	}
	return nil
}

// lookUp merges what is configured of a provider over what is known of it.
func lookUp(c *config.Config, id string) (provider, config.Provider, error) {
	conf, configured := c.Providers[id]
	var p provider
	known := false
	for _, k := range providers() {
		if k.id == id {
			p, known = k, true
		}
	}
	switch {
	case !known && !configured:
		return p, conf, configErrorf("unknown provider %q%s (known are %s; others go under provider in zuno.json)", id, spelling.Hint(id, providerNames(c)), strings.Join(providerNames(c), ", "))
	case !known:
		p = provider{id: id, api: conf.API, keyless: conf.APIKeyEnv == ""}
	case conf.API != "":
		p.api = conf.API
	}
	if conf.APIKeyEnv != "" {
		p.keyEnv, p.keyless = conf.APIKeyEnv, false
	}
	if p.api == "" {
		p.api = "openai-compatible"
	}
	return p, conf, nil
}

func providerNames(c *config.Config) []string {
	var names []string
	for _, p := range providers() {
		names = append(names, p.id)
	}
	for id := range c.Providers {
		if !slices.Contains(names, id) {
			names = append(names, id)
		}
	}
	slices.Sort(names)
	return names
}

// describe returns what is known of a model: what is configured, over what is
// in the catalogue.
func describe(id, model string, conf config.Provider) llm.Info {
	info, _ := llm.Lookup(id, model)
	m, ok := conf.Models[model]
	if !ok {
		return info
	}
	if m.Context > 0 {
		info.Context = m.Context
	}
	if m.Output > 0 {
		info.Output = m.Output
	}
	if m.Tools != nil {
		info.Tools = *m.Tools
	}
	info.Images, info.Reasoning = info.Images || m.Images, info.Reasoning || m.Reasoning
	if m.Price != (config.Price{}) {
		info.Price = llm.Price(m.Price)
	}
	return info
}

// discoverTime bounds the search for local servers.
const discoverTime = 500 * time.Millisecond

// fallback names a model when the user named none.
func fallback(ctx context.Context, keys keyring) (string, error) {
	for _, look := range []func(string) string{os.Getenv, keys.get} { // the environment comes before what is stored
		for _, p := range providers() {
			if p.keyEnv != "" && look(p.keyEnv) != "" {
				return p.id + "/" + p.model, nil
			}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, discoverTime)
	defer cancel()
	for _, l := range llm.Discover(ctx, llm.HTTPClient(), llm.DefaultProbes()) {
		if len(l.Models) > 0 {
			return l.Provider + "/" + l.Models[0].ID, nil
		}
	}
	return "", errNoProvider
}
