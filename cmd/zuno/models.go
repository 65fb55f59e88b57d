package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/config"
	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/spelling"
	"github.com/zuno-dev/zuno/internal/tools"
)

// newModels returns the command that lists what there is to talk to.
func newModels() *cobra.Command {
	var f flags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List the models that can be used here, with window, price and abilities",
		Long: `models lists the models of the providers that have a key, are configured or
answer on this machine: what zuno's catalogue knows, what is configured, and what
local servers (Ollama, LM Studio, llama.cpp, vLLM) say that they have. A model
need not be listed to be used: --model PROVIDER/MODEL takes any name.

Addresses are asked whether anybody answers, without a key, for three seconds at
most; no model is asked. The model marked * is used when none is named.`,
		Example: `  zuno models
  zuno models --json
  zuno run --model ollama/qwen3:8b "hello"`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listModels(cmd.Context(), cmd.OutOrStdout(), f, asJSON)
		},
	}
	seen(cmd, &f)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// A listedModel is one row of the list, in the shape of its JSON.
type listedModel struct {
	ID        string      `json:"id"`
	Default   bool        `json:"default"`
	From      string      `json:"from"`              // catalogue, configuration or local
	Context   int         `json:"context,omitempty"` // tokens; 0 is not known
	Output    int         `json:"output,omitempty"`
	Tools     bool        `json:"tools"`
	Images    bool        `json:"images"`
	Reasoning bool        `json:"reasoning"`
	Price     *llmPricing `json:"price,omitempty"` // nil is not known
}

// An llmPricing is in US dollars per million tokens.
type llmPricing struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cache_read"`
	CacheWrite float64 `json:"cache_write"`
}

type listedProvider struct {
	ID      string `json:"id"`
	Address string `json:"address"`
	Local   bool   `json:"local"`
	// Key names where the key is, "" for nowhere.
	Key      string `json:"key,omitempty"`
	Problem  string `json:"problem,omitempty"`
	Keyless  bool   `json:"keyless"`
	Variable string `json:"variable,omitempty"`
}

func listModels(ctx context.Context, w io.Writer, f flags, asJSON bool) error {
	p, err := newPlan(f)
	if err != nil {
		return err
	}
	keys, err := openKeyring()
	if err != nil {
		return &codedError{exitConfig, err}
	}
	all := sources(ctx, p, keys)
	list := struct {
		Providers []listedProvider `json:"providers"`
		Models    []listedModel    `json:"models"`
	}{[]listedProvider{}, []listedModel{}}
	for _, s := range all {
		x := listedProvider{ID: s.id, Address: s.base, Local: s.local, Key: s.key, Problem: s.reached, Keyless: s.keyless, Variable: s.keyEnv}
		if x.Problem == "" && s.key == "" && !s.keyless {
			x.Problem = "no key: set " + s.keyEnv
		}
		list.Providers = append(list.Providers, x)
		if s.key != "" || s.keyless {
			list.Models = append(list.Models, modelsOf(p.config, s)...)
		}
	}
	usual := usualModel(p, all)
	for i := range list.Models {
		list.Models[i].Default = list.Models[i].ID == usual
	}
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	if len(list.Models) == 0 {
		for _, x := range list.Providers {
			fmt.Fprintf(os.Stderr, "zuno: %s: %s\n", x.ID, oneLine(cmp.Or(x.Problem, "it lists no models; name one with --model "+x.ID+"/MODEL")))
		}
		if len(list.Providers) == 0 {
			return errNoProvider
		}
		return nil
	}
	return printModels(w, list.Providers, list.Models)
}

// nearModel asks, in front of other words, whether a model of the catalogue was
// meant by one that the provider does not have; "" when there is no telling.
func nearModel(provider, model string) string {
	var names []string
	for _, info := range llm.Catalogue() {
		if name, of := strings.CutPrefix(info.ID, provider+"/"); of {
			names = append(names, name)
		}
	}
	if near := spelling.Nearest(model, names); near != "" && near != model {
		return "did you mean " + provider + "/" + near + "? "
	}
	return ""
}

// usualModel is the one that is used when none is named.
func usualModel(p *plan, all []source) string {
	if name := cmp.Or(p.profile.Model, p.config.Model); name != "" {
		return name
	}
	for _, from := range []bool{true, false} { // the environment comes before what is stored
		for _, s := range all {
			if s.key != "" && (s.key == "the environment") == from && s.model != "" {
				return s.id + "/" + s.model
			}
		}
	}
	for _, s := range all {
		if s.local && len(s.models) > 0 {
			return s.id + "/" + s.models[0].ID
		}
	}
	return ""
}

// modelsOf lists what is known of a provider's models, each once.
func modelsOf(c *config.Config, s source) []listedModel {
	conf := c.Providers[s.id]
	var list []listedModel
	add := func(model, from string, window int) {
		id := s.id + "/" + model
		if slices.ContainsFunc(list, func(m listedModel) bool { return m.ID == id }) {
			return
		}
		info := describe(s.id, model, conf)
		m := listedModel{ID: id, From: from, Context: cmp.Or(window, info.Context), Output: info.Output, Tools: info.Tools, Images: info.Images, Reasoning: info.Reasoning}
		if info.Price != (llm.Price{}) {
			m.Price = &llmPricing{info.Price.Input, info.Price.Output, info.Price.CacheRead, info.Price.CacheWrite}
		}
		list = append(list, m)
	}
	for _, name := range slices.Sorted(maps.Keys(conf.Models)) {
		add(name, "configuration", 0)
	}
	for _, m := range s.models {
		add(m.ID, "local", m.Context)
	}
	for _, info := range llm.Catalogue() {
		if id, model, _ := strings.Cut(info.ID, "/"); id == s.id && conf.BaseURL == "" {
			add(model, "catalogue", 0)
		}
	}
	return list
}

func printModels(out io.Writer, from []listedProvider, list []listedModel) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  model\twindow\t$ in/out per 1M\ttakes\tfrom")
	for _, m := range list {
		mark, price, takes := " ", "?", "no tools"
		if m.Default {
			mark = "*"
		}
		if m.Price != nil {
			price = fmt.Sprintf("%g / %g", m.Price.Input, m.Price.Output)
		}
		if m.Tools {
			takes = "tools"
		}
		if m.Images {
			takes += ", images"
		}
		fmt.Fprintf(w, "%s %s\t%s\t%s\t%s\t%s\n", mark, tools.CleanLine(m.ID), window(m.Context), price, takes, m.From)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, x := range from {
		if x.Problem != "" {
			fmt.Fprintf(os.Stderr, "zuno: %s: %s\n", x.ID, oneLine(x.Problem))
		}
	}
	return nil
}

// window is a number of tokens in few characters.
func window(tokens int) string {
	switch {
	case tokens == 0:
		return "?"
	case tokens >= 1_000_000 && tokens%100_000 == 0:
		return fmt.Sprintf("%gM", float64(tokens)/1e6)
	}
	return fmt.Sprintf("%dk", tokens/1000)
}
