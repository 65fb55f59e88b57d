package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// A Probe is a port of this machine where a model server may listen.
type Probe struct {
	Provider string // the provider it would be
	Port     int
}

// DefaultProbes returns the default ports of the usual local servers.
func DefaultProbes() []Probe {
	return []Probe{{"ollama", 11434}, {"lmstudio", 1234}, {"llamacpp", 8080}, {"vllm", 8000}}
}

// A Local is a model server that was found on this machine. It speaks the
// format of package chat.
type Local struct {
	Provider string
	BaseURL  string
	Models   []LocalModel
}

// A LocalModel is a model of a Local server.
type LocalModel struct {
	ID      string
	Context int // tokens; zero when the server does not say
}

const (
	discoverWait = 300 * time.Millisecond
	discoverBody = 1 << 20
)

// Discover asks the probes on 127.0.0.1, all at once, and returns the servers
// that answered within 300 ms with a list of models, in the order of the
// probes. The list of an Ollama may be empty: it was installed and has no model
// yet. It returns when every request has ended.
func Discover(ctx context.Context, client *http.Client, probes []Probe) []Local {
	ctx, cancel := context.WithTimeout(ctx, discoverWait)
	defer cancel()
	direct := *client
	direct.CheckRedirect = noRedirect
	found := make([]Local, len(probes))
	var all sync.WaitGroup
	for i, p := range probes {
		all.Go(func() { found[i] = probe(ctx, &direct, p) })
	}
	all.Wait()
	var out []Local
	for _, l := range found {
		if l.Models != nil {
			out = append(out, l)
		}
	}
	return out
}

// probe returns a Local without models for a port where nothing useful is.
func probe(ctx context.Context, client *http.Client, p Probe) Local {
	root := fmt.Sprintf("http://127.0.0.1:%d", p.Port)
	l := Local{Provider: p.Provider, BaseURL: root + "/v1"}
	if p.Provider == "ollama" {
		l.Models = ollama(ctx, client, root)
		return l
	}
	var list struct {
		Data []struct {
			ID         string `json:"id"`
			MaxLen     int    `json:"max_model_len"`      // vLLM
			Most       int    `json:"max_context_length"` // LM Studio
			Parameters struct {
				Context int `json:"n_ctx"`
			} `json:"meta"` // llama.cpp
		} `json:"data"`
	}
	if fetch(ctx, client, root+"/v1/models", &list) != nil {
		return l
	}
	for _, m := range list.Data {
		if m.ID != "" {
			l.Models = append(l.Models, LocalModel{m.ID, max(m.MaxLen, m.Most, m.Parameters.Context)})
		}
	}
	if p.Provider == "llamacpp" && len(l.Models) == 1 && l.Models[0].Context == 0 {
		l.Models[0].Context = llamaContext(ctx, client, root)
	}
	return l
}

func ollama(ctx context.Context, client *http.Client, root string) []LocalModel {
	var list struct {
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	if fetch(ctx, client, root+"/api/tags", &list) != nil || list.Models == nil {
		return nil
	}
	out := []LocalModel{}
	for _, m := range list.Models {
		if m.Name != "" {
			// The window is a setting of the server that this list does not tell.
			out = append(out, LocalModel{ID: m.Name})
		}
	}
	return out
}

// llamaContext returns the window that a llama.cpp server was started with.
func llamaContext(ctx context.Context, client *http.Client, root string) int {
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	if fetch(ctx, client, root+"/props", &props) != nil {
		return 0
	}
	return props.Settings.Context
}

func fetch(ctx context.Context, client *http.Client, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, discoverBody)).Decode(into)
}
