package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/zuno-dev/zuno/internal/spelling"
)

// LoadMCP returns the servers of the .mcp.json in dir, in the format that other
// agents share ({"mcpServers": {NAME: {command, args, env} or {type, url,
// headers}}}). What is wrong in it are notices: an entry with a mistake in it is
// left out, and so is everything where the file cannot be read. zuno starts all
// the same, since the file is not its own.
func LoadMCP(dir string) (map[string]MCPServer, []Notice) {
	path := filepath.Join(dir, ".mcp.json")
	there, err := exists(path)
	if err == nil && !there {
		return nil, nil
	}
	var text []byte
	if err == nil {
		text, _, err = read(path)
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("it is a link that leads nowhere")
		}
		return nil, []Notice{{Place{path, 1, 1}, "mcp", fmt.Sprintf("the file is not read: %v", reason(err))}}
	}
	d := mcpDecoder{src: newSource(path, bytes.TrimPrefix(text, []byte("\ufeff")))}
	root, problem := parse(d.src)
	if problem != nil {
		return nil, []Notice{{problem.Place, "mcp", "the file is not read: " + problem.Text}}
	}
	return d.file(root), d.notices
}

// An mcpDecoder reads a .mcp.json.
type mcpDecoder struct {
	src     *source
	notices []Notice
	bad     bool // the entry at hand has a mistake
}

func (d *mcpDecoder) notice(at int, format string, a ...any) {
	if len(d.notices) < maxProblems {
		d.notices = append(d.notices, Notice{d.src.place(at), "mcp", fmt.Sprintf(format, a...)})
	}
}

// wrong notes a mistake for which the entry is left out.
func (d *mcpDecoder) wrong(at int, format string, a ...any) {
	d.bad = true
	d.notice(at, format, a...)
}

func (d *mcpDecoder) file(root hujson.Value) map[string]MCPServer {
	obj, ok := root.Value.(*hujson.Object)
	if !ok {
		d.notice(root.StartOffset, "the file must be an object, not %s", describe(root.Value))
		return nil
	}
	found := map[string]MCPServer{}
	for i := range obj.Members {
		m := &obj.Members[i]
		name := unquote(m.Name.Value)
		servers, ok := m.Value.Value.(*hujson.Object)
		switch {
		case name != "mcpServers":
			if name != "$schema" && name != "inputs" {
				d.notice(m.Name.StartOffset, "unknown key %q: it has no effect", clip(name))
			}
		case !ok:
			d.notice(m.Value.StartOffset, "mcpServers must be an object, not %s", describe(m.Value.Value))
		default:
			for j := range servers.Members {
				d.entry(&servers.Members[j], found)
			}
		}
	}
	return found
}

func (d *mcpDecoder) entry(m *hujson.ObjectMember, found map[string]MCPServer) {
	name, at := unquote(m.Name.Value), m.Name.StartOffset
	obj, ok := m.Value.Value.(*hujson.Object)
	d.bad = false
	s := MCPServer{Place: d.src.place(at)}
	_, twice := found[name]
	switch {
	case serverName(name) != "":
		d.wrong(at, "%q %s", clip(name), serverName(name))
	case twice:
		d.wrong(at, "server %q is given twice", name)
	case !ok:
		d.wrong(m.Value.StartOffset, "server %q must be an object, not %s", name, describe(m.Value.Value))
	default:
		for i := range obj.Members {
			d.field(&obj.Members[i], &s)
		}
		if p := s.settle(); p != "" && !d.bad {
			d.wrong(at, "server %q %s", name, p)
		} else if s.Type == "" && !d.bad {
			d.wrong(at, "server %q has neither a command nor a url", name)
		}
	}
	if d.bad {
		d.notice(at, "server %q is left out", clip(name))
		return
	}
	found[name] = s
}

// ignored are keys of other agents that say nothing about what runs.
var ignored = []string{"description", "autoApprove", "alwaysAllow", "trust", "gallery", "version", "note", "tags", "icon"}

func (d *mcpDecoder) field(m *hujson.ObjectMember, s *MCPServer) {
	name, at, v := unquote(m.Name.Value), m.Value.StartOffset, &m.Value
	switch name {
	case "type", "transport":
		t := d.text(name, v)
		kinds := map[string]string{"stdio": "local", "local": "local", "http": "remote", "streamable-http": "remote", "streamableHttp": "remote", "remote": "remote", "sse": "sse"}
		if s.Type = kinds[t]; s.Type == "" && !d.bad {
			d.wrong(at, "%s must be stdio, http or sse, not %q", name, clip(t))
		}
	case "command":
		if c := d.text(name, v); !d.bad && c == "" {
			d.wrong(at, "command must not be empty")
		} else {
			s.Command = append([]string{c}, s.Command...)
		}
	case "args":
		s.Command = append(s.Command, d.texts(name, v)...)
	case "env":
		s.Env = d.table(name, v, variable)
	case "headers":
		s.Headers = d.table(name, v, headerName)
	case "cwd":
		s.Dir = d.text(name, v)
	case "url", "serverUrl", "httpUrl":
		s.URL = d.text(name, v)
	case "disabled", "enabled":
		on, ok := v.Value.(hujson.Literal)
		if ok = ok && (on.Kind() == 't' || on.Kind() == 'f'); !ok {
			d.wrong(at, "%s must be true or false, not %s", name, describe(v.Value))
			return
		}
		enabled := on.Bool() == (name == "enabled")
		s.Enabled = &enabled
	case "timeout":
		k := key{kind: whole, min: 1, max: 86_400_000}
		n, problem := k.read(v.Value)
		if problem != "" {
			d.wrong(at, "timeout %s", problem)
		}
		s.CallTimeout = n.whole
	case "enabled_tools", "includeTools":
		s.Only = d.texts(name, v)
	case "disabled_tools", "excludeTools":
		s.Except = d.texts(name, v)
	case "oauth":
		d.oauth(v, &s.OAuth)
	case "headersHelper":
		d.notice(m.Name.StartOffset, "%s is not supported by this version and has no effect", name)
	default:
		if !slices.Contains(ignored, name) {
			d.wrong(m.Name.StartOffset, "unknown key %q%s", clip(name), spelling.Hint(name, []string{"type", "command", "args", "env", "headers", "cwd", "url", "disabled", "timeout"}))
		}
	}
}

// oauth reads what other agents write there as well; what says nothing to zuno is
// passed over.
func (d *mcpDecoder) oauth(v *hujson.Value, l *MCPLogin) {
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		d.wrong(v.StartOffset, "oauth must be an object, not %s", describe(v.Value))
		return
	}
	for i := range obj.Members {
		name, v := unquote(obj.Members[i].Name.Value), &obj.Members[i].Value
		switch name {
		case "clientId":
			l.ClientID = d.text("oauth."+name, v)
		case "clientSecret":
			l.ClientSecret = d.text("oauth."+name, v)
		case "scope", "scopes":
			if _, list := v.Value.(*hujson.Array); list {
				l.Scope = strings.Join(d.texts("oauth."+name, v), " ")
			} else {
				l.Scope = d.text("oauth."+name, v)
			}
		case "callbackPort":
			k := key{kind: whole, min: 1, max: 65535}
			n, problem := k.read(v.Value)
			if problem != "" {
				d.wrong(v.StartOffset, "oauth.callbackPort %s", problem)
			}
			l.CallbackPort = n.whole
		case "redirectUri":
			if l.RedirectURI = d.text("oauth."+name, v); !d.bad && loopback(l.RedirectURI) != "" {
				d.wrong(v.StartOffset, "oauth.redirectUri %s", loopback(l.RedirectURI))
			}
		default:
			d.notice(obj.Members[i].Name.StartOffset, "oauth.%s has no effect", clip(name))
		}
	}
}

func (d *mcpDecoder) text(name string, v *hujson.Value) string {
	if v.Value.Kind() != '"' {
		d.wrong(v.StartOffset, "%s must be a string, not %s", name, describe(v.Value))
		return ""
	}
	return unquote(v.Value)
}

func (d *mcpDecoder) texts(name string, v *hujson.Value) []string {
	arr, ok := v.Value.(*hujson.Array)
	if !ok {
		d.wrong(v.StartOffset, "%s must be a list of strings, not %s", name, describe(v.Value))
		return nil
	}
	all := []string{}
	for i := range arr.Elements {
		all = append(all, d.text("an element of "+name, &arr.Elements[i]))
	}
	return all
}

func (d *mcpDecoder) table(name string, v *hujson.Value, check func(string) string) map[string]string {
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		d.wrong(v.StartOffset, "%s must be an object, not %s", name, describe(v.Value))
		return nil
	}
	all := map[string]string{}
	for i := range obj.Members {
		m := &obj.Members[i]
		k := unquote(m.Name.Value)
		if p := check(k); p != "" {
			d.wrong(m.Name.StartOffset, "%s: %q %s", name, clip(k), p)
			continue
		}
		all[k] = d.text(name+"."+k, &m.Value)
	}
	return all
}
