package mcptest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A client is who asks for logins.
type client struct {
	redirect string // exactly, "" for any port of this machine
	secret   string
}

// A grant is a login that waits for its code to be handed in.
type grant struct{ client, redirect, challenge string }

func (s *Site) metadata(w http.ResponseWriter, _ *http.Request) {
	m := map[string]any{
		"issuer": s.Issuer, "authorization_endpoint": s.Issuer + "/authorize", "token_endpoint": s.Issuer + "/token", "registration_endpoint": s.Issuer + "/register",
		"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"}, "scopes_supported": []string{"tools", "offline_access"},
		"authorization_response_iss_parameter_supported": true,
	}
	if s.Closed {
		delete(m, "registration_endpoint")
	}
	answer(w, http.StatusOK, m)
}

// refuse answers with an error of the protocol, and keeps why.
func (s *Site) refuse(w http.ResponseWriter, code, format string, a ...any) {
	answer(w, http.StatusBadRequest, map[string]any{"error": code, "error_description": s.wrong(format, a...)})
}

func (s *Site) register(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Redirects []string `json:"redirect_uris"`
		Method    string   `json:"token_endpoint_auth_method"`
		Grants    []string `json:"grant_types"`
		Kind      string   `json:"application_type"`
	}
	err := json.NewDecoder(r.Body).Decode(&m)
	switch {
	case err != nil || r.Method != http.MethodPost || len(m.Redirects) != 1:
		s.refuse(w, "invalid_client_metadata", "registered with %s %+v", r.Method, m)
	case !strings.HasPrefix(m.Redirects[0], "http://127.0.0.1:") || m.Kind != "native" || m.Method != "none" || !slices.Contains(m.Grants, "refresh_token"):
		s.refuse(w, "invalid_redirect_uri", "registered with %+v", m)
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		id := fmt.Sprintf("client-%d", len(s.clients)+1)
		s.clients[id] = client{redirect: m.Redirects[0]}
		answer(w, http.StatusCreated, map[string]any{"client_id": id, "redirect_uris": m.Redirects, "token_endpoint_auth_method": "none"})
	}
}

// known returns a client, also the one that is known from the start.
func (s *Site) known(id string) (client, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, is := s.clients[id]
	if !is && id != "" && id == s.Client {
		return client{secret: s.Secret}, true
	}
	return c, is
}

func (s *Site) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	c, is := s.known(q.Get("client_id"))
	back := q.Get("redirect_uri")
	switch {
	case !is:
		s.refuse(w, "invalid_client", "an unknown client %q", q.Get("client_id"))
	case back != c.redirect && c.redirect != "" || !strings.HasPrefix(back, "http://127.0.0.1:"):
		s.refuse(w, "invalid_redirect_uri", "sent back to %q", back)
	case q.Get("response_type") != "code" || q.Get("state") == "" || q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43:
		s.refuse(w, "invalid_request", "asked with %q", r.URL.RawQuery)
	case q.Get("resource") != s.Resource:
		s.refuse(w, "invalid_target", "a login for %q", q.Get("resource"))
	case !strings.Contains(q.Get("scope"), "tools"):
		s.refuse(w, "invalid_scope", "a login for the scope %q", q.Get("scope"))
	case s.Deny:
		http.Redirect(w, r, back+"?"+url.Values{"error": {"access_denied"}, "error_description": {"no \x1b[2J way"}, "state": {q.Get("state")}, "iss": {s.Issuer}}.Encode(), http.StatusFound)
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.issued++
		code := fmt.Sprintf("code-%d", s.issued)
		s.grants[code] = grant{q.Get("client_id"), back, q.Get("code_challenge")}
		http.Redirect(w, r, back+"?"+url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {s.Issuer}}.Encode(), http.StatusFound)
	}
}

func (s *Site) token(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "" && s.Secret == "" {
		s.wrong("the authorization server was shown %s", strings.Fields(r.Header.Get("Authorization"))[0])
	}
	if err := r.ParseForm(); err != nil || r.Method != http.MethodPost || r.URL.RawQuery != "" {
		s.refuse(w, "invalid_request", "a token was asked for with %s %q", r.Method, r.URL.RawQuery)
		return
	}
	f := r.PostForm
	id, secret := f.Get("client_id"), f.Get("client_secret")
	if user, pass, basic := r.BasicAuth(); basic {
		id, _ = url.QueryUnescape(user)
		secret, _ = url.QueryUnescape(pass)
	}
	c, is := s.known(id)
	switch {
	case !is || secret != c.secret:
		s.refuse(w, "invalid_client", "the client %q with its secret %v", id, secret == c.secret)
	case f.Get("resource") != s.Resource:
		s.refuse(w, "invalid_target", "a token for %q", f.Get("resource"))
	case f.Get("grant_type") == "authorization_code":
		s.exchange(w, id, f)
	case f.Get("grant_type") == "refresh_token":
		s.renew(w, id, f.Get("refresh_token"))
	default:
		s.refuse(w, "unsupported_grant_type", "a grant of the type %q", f.Get("grant_type"))
	}
}

func (s *Site) exchange(w http.ResponseWriter, id string, f url.Values) {
	s.mu.Lock()
	g, is := s.grants[f.Get("code")]
	delete(s.grants, f.Get("code")) // once
	s.mu.Unlock()
	sum := sha256.Sum256([]byte(f.Get("code_verifier")))
	switch {
	case !is || g.client != id || g.redirect != f.Get("redirect_uri"):
		s.refuse(w, "invalid_grant", "a code of %q for %q, back at %q and not %q", g.client, id, f.Get("redirect_uri"), g.redirect)
	case base64.RawURLEncoding.EncodeToString(sum[:]) != g.challenge:
		s.refuse(w, "invalid_grant", "the verifier does not fit the challenge")
	default:
		s.give(w, id)
	}
}

// renew takes each refresh token once. One that is revoked is no problem of the
// client's.
func (s *Site) renew(w http.ResponseWriter, id, token string) {
	s.mu.Lock()
	of, is := s.renewals[token]
	delete(s.renewals, token)
	if is && of == id {
		s.renewed++
	}
	s.mu.Unlock()
	if !is || of != id {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	s.give(w, id)
}

func (s *Site) give(w http.ResponseWriter, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issued++
	access, refresh := fmt.Sprintf("access-canary-%d", s.issued), fmt.Sprintf("refresh-canary-%d", s.issued)
	s.tokens[access], s.renewals[refresh] = true, id
	m := map[string]any{"access_token": access, "refresh_token": refresh, "token_type": "Bearer"}
	if s.Lives > 0 {
		m["expires_in"] = s.Lives
	}
	answer(w, http.StatusOK, m)
}
