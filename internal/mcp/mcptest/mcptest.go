// Package mcptest is a remote MCP server that wants a login, with the
// authorization server that gives it: both on this machine, for tests, and
// strict. What a client does wrong is kept as a problem beside the refusal.
package mcptest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// A Site is the two servers.
type Site struct {
	// Resource is the address of the MCP server, and Issuer that of the
	// authorization server.
	Resource, Issuer string

	// What follows may be set before the first request. Client and Secret are a
	// client that is known; Closed says that no other is registered. Lives is how
	// long tokens live, in seconds, 0 for ever and without a word about it. Deny
	// refuses every login.
	Client, Secret string
	Closed, Deny   bool
	Lives          int

	servers []*httptest.Server

	mu       sync.Mutex // guards what follows
	problems []string
	clients  map[string]client
	grants   map[string]grant  // by code
	tokens   map[string]bool   // that are taken
	renewals map[string]string // clients by refresh token
	issued   int
	renewed  int
	calls    int
	page     string // that calls are refused for
}

// Start starts a site; Close ends it.
func Start() *Site {
	s := &Site{clients: map[string]client{}, grants: map[string]grant{}, tokens: map[string]bool{}, renewals: map[string]string{}}
	resource, issuer := http.NewServeMux(), http.NewServeMux()
	for _, m := range []*http.ServeMux{resource, issuer} {
		h := httptest.NewServer(m)
		s.servers = append(s.servers, h)
	}
	s.Resource, s.Issuer = s.servers[0].URL+"/mcp", s.servers[1].URL
	resource.HandleFunc("/mcp", s.mcp)
	resource.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"resource": s.Resource, "authorization_servers": []string{s.Issuer}, "scopes_supported": []string{"tools"}})
	})
	issuer.HandleFunc("/.well-known/oauth-authorization-server", s.metadata)
	issuer.HandleFunc("/register", s.register)
	issuer.HandleFunc("/authorize", s.authorize)
	issuer.HandleFunc("/token", s.token)
	issuer.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
	return s
}

// Close ends the servers.
func (s *Site) Close() {
	for _, h := range s.servers {
		h.CloseClientConnections()
		h.Close()
	}
}

// Problems lists what clients did wrong.
func (s *Site) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

// Calls is how many calls of its tool were carried out, and Renewed how often a
// login was renewed.
func (s *Site) Calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// Renewed is how often a login was renewed.
func (s *Site) Renewed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.renewed
}

// Revoke makes every token that was given worthless, and the way to renew it as
// well when all is set.
func (s *Site) Revoke(all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
	if all {
		clear(s.renewals)
	}
}

// Demand refuses calls until the page was visited; "" for no page.
func (s *Site) Demand(page string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.page = page
}

func (s *Site) wrong(format string, a ...any) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf(format, a...)
	s.problems = append(s.problems, text)
	return text
}

func answer(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v) // whoever has gone does not read
}

// mcp is the MCP server: one tool, called act, for those with a token.
func (s *Site) mcp(w http.ResponseWriter, r *http.Request) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	taken, page := s.tokens[token], s.page
	s.mu.Unlock()
	switch {
	case r.URL.RawQuery != "":
		s.wrong("the server was asked with %q", r.URL.RawQuery)
	case !taken:
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+strings.TrimSuffix(s.Resource, "/mcp")+`/.well-known/oauth-protected-resource/mcp", scope="tools"`)
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	case r.Method != http.MethodPost:
		http.Error(w, "no stream here", http.StatusMethodNotAllowed)
		return
	}
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	reply := func(what string, v any) {
		answer(w, http.StatusOK, map[string]any{"jsonrpc": "2.0", "id": m.ID, what: v})
	}
	switch m.Method {
	case "initialize":
		reply("result", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "site", "version": "1"}})
	case "tools/list":
		reply("result", map[string]any{"tools": []any{map[string]any{"name": "act", "inputSchema": map[string]any{"type": "object"}}}})
	case "tools/call":
		if page != "" {
			reply("error", map[string]any{"code": -32042, "message": "first the page", "data": map[string]any{"elicitations": []any{map[string]any{"mode": "url", "message": "Connect your account.", "url": page, "elicitationId": "e1"}}}})
			return
		}
		s.mu.Lock()
		s.calls++
		s.mu.Unlock()
		reply("result", map[string]any{"content": []any{map[string]any{"type": "text", "text": "acted"}}})
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}
