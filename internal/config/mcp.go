package config

import (
	"reflect"
	"slices"
	"strings"
)

// An MCPServer is what a file says of one MCP server. Texts are as written: a
// ${VAR} in them has not been replaced.
type MCPServer struct {
	// Type is local, remote or sse (the older remote transport, which only
	// .mcp.json knows).
	Type    string
	Command []string // the program and its arguments
	Env     map[string]string
	Dir     string // "" for the workspace
	URL     string
	Headers map[string]string
	// Enabled is nil where the file does not say.
	Enabled *bool
	// Timeout bounds the wait for the server, and CallTimeout one call, both in
	// milliseconds; 0 is the default.
	Timeout, CallTimeout int
	// Only and Except name the tools that are offered and that are not.
	Only, Except []string
	OAuth        MCPLogin
	Place        Place
}

// An MCPLogin is how to log in to a remote server, as far as a file says.
type MCPLogin struct {
	ClientID, ClientSecret, Scope, RedirectURI string
	CallbackPort                               int // 0 where the file does not say
}

// Off reports whether the server is switched off.
func (s MCPServer) Off() bool { return s.Enabled != nil && !*s.Enabled }

func (c *Config) server(name string, change func(*MCPServer)) {
	s := c.MCP[name]
	change(&s)
	c.MCP[name] = s
}

func put(m *map[string]string, name, text string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[name] = text
}

// over returns s with what top says above it.
func (s MCPServer) over(top MCPServer) MCPServer {
	if len(top.Command) > 0 || top.URL != "" || top.Type != "" {
		return top
	}
	if top.Enabled != nil {
		s.Enabled = top.Enabled
	}
	if top.Timeout > 0 {
		s.Timeout = top.Timeout
	}
	if top.CallTimeout > 0 {
		s.CallTimeout = top.CallTimeout
	}
	if top.Only != nil {
		s.Only = top.Only
	}
	if top.OAuth != (MCPLogin{}) {
		s.OAuth = top.OAuth
	}
	s.Except = append(slices.Clip(s.Except), top.Except...)
	return s
}

// MergeMCP returns the servers of a project under those of the configuration,
// and the names of those that are the project's definition, sorted. An entry of
// the configuration that defines no server of its own changes the project's; one
// that changes none is left out.
func MergeMCP(own, project map[string]MCPServer) (all map[string]MCPServer, projects []string) {
	all = map[string]MCPServer{}
	for name, s := range project {
		all[name] = s
	}
	for name, s := range own {
		below, both := project[name]
		switch {
		case s.Type != "":
			all[name] = s
		case both:
			all[name] = below.over(s)
		}
	}
	for name := range project {
		if own[name].Type == "" {
			projects = append(projects, name)
		}
	}
	slices.Sort(projects)
	return all, projects
}

// settle fills in the type of a server, or says what is wrong with it; "" when
// nothing is.
func (s *MCPServer) settle() string {
	command, url := len(s.Command) > 0, s.URL != ""
	if s.Type == "" {
		switch {
		case command:
			s.Type = "local"
		case url:
			s.Type = "remote"
		}
	}
	switch {
	case command && url:
		return "has a command and a url: keep one of them"
	case s.Type == "local" && !command:
		return "is local and has no command"
	case s.Type != "" && s.Type != "local" && !url:
		return "is remote and has no url"
	case s.OAuth != (MCPLogin{}) && s.Type != "remote" && s.Type != "":
		return "has oauth, which is for a remote server"
	case s.OAuth.ClientSecret != "" && s.OAuth.ClientID == "":
		return "has a clientSecret without a clientId"
	case url && !strings.Contains(s.URL, "${"):
		if p := address(s.URL); p != "" {
			return "has a url that " + strings.Replace(p, "in apiKeyEnv", "in headers", 1)
		}
	}
	return ""
}

// servers settles the servers of the configuration.
func (c *Config) servers() error {
	var problems []Problem
	for name, s := range c.MCP {
		if reflect.DeepEqual(s, MCPServer{Place: s.Place}) {
			delete(c.MCP, name) // it says nothing
			continue
		}
		if p := s.settle(); p != "" {
			problems = append(problems, Problem{s.Place, subject("mcp."+name) + " " + p})
		}
		c.MCP[name] = s
	}
	if len(problems) == 0 {
		return nil
	}
	slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.String(), b.String()) })
	return &Error{Problems: problems}
}
