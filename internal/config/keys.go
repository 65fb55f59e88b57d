package config

import (
	"cmp"
	"strings"
)

// A kind is the type of a key's value.
type kind int

const (
	object kind = iota // has the keys that the table lists below it
	named              // has names of the user's choice as keys
	text
	oneOf // one of the enum
	whole // an integer from min to max
	number
	flag
	list     // of texts
	rule     // one of the enum, or an object with the keys below it
	anything // an object whose content is somebody else's business
	raw      // any JSON, which the key's raw judges
	later    // known, but nothing acts on it yet
)

// A key is one row of the table: what may stand at a path of the file, what it
// means and where it goes.
type key struct {
	// path is the dotted path; * stands for a name of the user's choice.
	path     string
	kind     kind
	enum     []string
	min, max int
	// def is the default as JSON; unset says in words what not setting it means.
	def, unset string
	doc        string
	// name and check say what is wrong with the name that stands for the last *
	// and with a text or an element of a list; "" when nothing is.
	name, check func(string) string
	// raw says what is wrong with JSON, and wanted what it has to be.
	raw    func(json []byte) string
	wanted string
	// set stores the value; names are what stands for the * of the path.
	set func(c *Config, names []string, v value)
	// part, in the place of set, puts the value into that of the object that the
	// key stands in: an object that counts as a whole or not at all.
	part func(whole *value, v value)
	// tightens reports whether v is at least as strict as what c holds. Projects
	// may set a key only where it does; nil means never. projects says for the
	// reference what that comes to.
	projects string
	tightens func(c *Config, names []string, v value) bool
	// trusted says, for the reference, what of the key a project may set when its
	// file was trusted: "all", or which values, and then grants tells them apart.
	// What is "" only the user may set: where keys are sent, which secrets
	// commands see, and what blocks or asks whatever anybody trusts.
	trusted string
	grants  func(v value) bool
	// refuse says why a value that is well formed cannot be honoured. It is an
	// error where the file is trusted: somebody relies on it.
	refuse func(v value) string
}

// The words of some keys. None of these is ever written to.
var (
	policies = []string{"strict", "read-only", "low-risk", "high-risk", "yolo"} // strictest first
	apis     = []string{"anthropic", "openai", "openai-compatible", "google"}
	actions  = []string{"allow", "ask", "deny"}
	modes    = []string{"primary", "subagent", "all"}
	// serverTypes of MCP; the others are for files that come from elsewhere.
	serverTypes = []string{"local", "remote"}
	boxes       = []string{"read-only", "workspace-write", "off"}
	efforts     = []string{"off", "low", "medium", "high"}

	backgrounds = []string{"auto", "dark", "light"}
	occasions   = []string{"unfocused", "always", "never"}
	calls       = []string{"auto", "bell", "osc9", "osc99", "osc777"}

	searchers = []string{"brave", "tavily", "exa", "searxng"}
)

// table is every key there is, in the order of the reference page. It is long and
// in one piece, so that what reads it, and who looks a key up, finds all in one
// place.
var table = [...]key{
	{
		path: "$schema", kind: text, doc: "Address of the JSON schema, for editors. It has no effect.",
		set:      func(*Config, []string, value) {},
		projects: "the same", tightens: func(*Config, []string, value) bool { return true },
	},
	{
		path: "model", kind: text, check: modelName, unset: "the first model that can be reached", doc: "Model of the conversation, `provider/model`.",
		set:     func(c *Config, _ []string, v value) { c.Model = v.text },
		trusted: "all",
	},
	{
		path: "small_model", kind: text, check: modelName, unset: "the model of the session", doc: "Model that classifies commands, `provider/model`.",
		set:     func(c *Config, _ []string, v value) { c.SmallModel = v.text },
		trusted: "all",
	},

	{path: "provider", kind: named, doc: "Providers of models by id."},
	{
		path: "provider.*", kind: object, name: providerID, doc: "One provider. Its id is the first half of a model's name.",
		set: func(c *Config, n []string, _ value) { c.provider(n[0], func(*Provider) {}) },
	},
	{
		path: "provider.*.api", kind: oneOf, enum: apis, unset: "the id, where it is one of these, else `openai-compatible`", doc: "Wire format.",
		set: func(c *Config, n []string, v value) { c.provider(n[0], func(p *Provider) { p.API = v.text }) },
	},
	{
		path: "provider.*.baseURL", kind: text, check: address, unset: "the provider's own", doc: "Address of the API.",
		set: func(c *Config, n []string, v value) { c.provider(n[0], func(p *Provider) { p.BaseURL = v.text }) },
	},
	{
		path: "provider.*.apiKeyEnv", kind: text, check: variable, unset: "the provider's usual variable", doc: "Name of the environment variable that holds the key. Keys themselves are never read from a file.",
		set: func(c *Config, n []string, v value) { c.provider(n[0], func(p *Provider) { p.APIKeyEnv = v.text }) },
	},
	{path: "provider.*.headers", kind: named, doc: "Headers sent with every request."},
	{
		path: "provider.*.headers.*", kind: text, name: headerName, check: headerValue, doc: "Value of one header.",
		set: func(c *Config, n []string, v value) { c.provider(n[0], func(p *Provider) { p.header(n[1], v.text) }) },
	},
	{path: "provider.*.models", kind: named, doc: "What is known of single models. A model need not be listed to be used."},
	{
		path: "provider.*.models.*", kind: object, name: modelID, doc: "One model by its id at the provider.",
		set: func(c *Config, n []string, _ value) { c.model(n, func(*Model) {}) },
	},
	{
		path: "provider.*.models.*.context", kind: whole, min: 1, max: 1e9, unset: "not known", doc: "Size of the context window in tokens.",
		set: func(c *Config, n []string, v value) { c.model(n, func(m *Model) { m.Context = v.whole }) },
	},
	{
		path: "provider.*.models.*.output", kind: whole, min: 1, max: 1e9, unset: "not known", doc: "Most tokens of one answer.",
		set: func(c *Config, n []string, v value) { c.model(n, func(m *Model) { m.Output = v.whole }) },
	},
	{
		path: "provider.*.models.*.tools", kind: flag, unset: "true", doc: "Whether the model can call tools.",
		set: func(c *Config, n []string, v value) { c.model(n, func(m *Model) { m.Tools = &v.flag }) },
	},
	{
		path: "provider.*.models.*.images", kind: flag, unset: "false", doc: "Whether the model reads images.",
		set: func(c *Config, n []string, v value) { c.model(n, func(m *Model) { m.Images = v.flag }) },
	},
	{
		path: "provider.*.models.*.reasoning", kind: flag, unset: "false", doc: "Whether the model accepts a reasoning effort.",
		set: func(c *Config, n []string, v value) { c.model(n, func(m *Model) { m.Reasoning = v.flag }) },
	},
	{path: "provider.*.models.*.price", kind: object, doc: "What tokens cost, in US dollars per million."},
	{
		path: "provider.*.models.*.price.input", kind: number, unset: "not known", doc: "Input tokens.",
		set: func(c *Config, n []string, v value) { c.model(n, func(m *Model) { m.Price.Input = v.number }) },
	},
	{
		path: "provider.*.models.*.price.output", kind: number, unset: "not known", doc: "Output tokens, reasoning included.",
		set: func(c *Config, n []string, v value) { c.model(n, func(m *Model) { m.Price.Output = v.number }) },
	},
	{
		path: "provider.*.models.*.price.cache_read", kind: number, unset: "not known", doc: "Input tokens read from the provider's cache.",
		set: func(c *Config, n []string, v value) { c.model(n, func(m *Model) { m.Price.CacheRead = v.number }) },
	},
	{
		path: "provider.*.models.*.price.cache_write", kind: number, unset: "not known", doc: "Input tokens written to the provider's cache.",
		set: func(c *Config, n []string, v value) { c.model(n, func(m *Model) { m.Price.CacheWrite = v.number }) },
	},

	{path: "approval", kind: object, doc: "Who decides."},
	{
		path: "approval.policy", kind: oneOf, enum: policies, def: `"low-risk"`, doc: "Highest risk that runs without asking, strictest first.",
		set:      func(c *Config, _ []string, v value) { c.Policy = v.text },
		projects: "stricter", tightens: func(c *Config, _ []string, v value) bool { return index(policies, v.text) <= index(policies, c.Policy) },
		trusted: "all but `yolo`", grants: func(v value) bool { return v.text != "yolo" },
	},
	{path: "permission", kind: object, doc: "Rules that decide before the policy does."},
	{
		path: "permission.lift", kind: list, check: rowID, unset: "none", doc: "Ids of denylist rows that ask instead of blocking. Rows of privilege, destruction, remote code and credentials cannot be lifted.",
		set: func(c *Config, _ []string, v value) { c.Lift = v.list },
	},
	{
		path: "permission.rules", kind: named, doc: "Ordered rules by a tool's name or wildcard. `edit` covers write, edit and apply_patch. The last match wins, but a `deny` is final.",
	},
	{
		path: "permission.rules.*", kind: rule, name: ruleTool, enum: actions, doc: "What to do with every call of the tool, or an object from patterns for what a call touches.",
		set:      addRule,
		projects: "`ask` `deny`", tightens: forbids,
		trusted: "all",
	},
	{
		path: "permission.rules.*.*", kind: rule, name: rulePattern, enum: actions, doc: "What to do with what the pattern matches, or an object with that and with examples. `*` stands for any text, `?` for one character.",
		set:      addRule,
		projects: "`ask` `deny`", tightens: forbids,
		trusted: "all",
	},
	{
		path: "permission.rules.*.*.action", kind: oneOf, enum: actions, unset: "an error", doc: "What to do.",
		part: func(whole *value, v value) { whole.text = v.text },
	},
	{
		path: "permission.rules.*.*.match", kind: list, check: example, unset: "none", doc: "Examples that the rule must decide on, or the configuration is an error: command lines for `shell`, else what a call touches.",
		part: func(whole *value, v value) { whole.match = v.list },
	},
	{
		path: "permission.rules.*.*.not_match", kind: list, check: example, unset: "none", doc: "Examples that it must not decide on.",
		part: func(whole *value, v value) { whole.notMatch = v.list },
	},
	{path: "tools", kind: named, doc: "Switches single tools on or off."},
	{
		path: "tools.*", kind: flag, name: toolName, unset: "the tool's own default", doc: "Whether the tool is offered.",
		set:      func(c *Config, n []string, v value) { c.Tools[n[0]] = v.flag },
		projects: "`false`", tightens: func(_ *Config, _ []string, v value) bool { return !v.flag },
		trusted: "all",
	},
	{path: "tool_output", kind: object, doc: "How much of one result the model sees."},
	{
		path: "tool_output.max_bytes", kind: whole, min: 1, max: 16 << 20, def: "51200", doc: "Bytes, shared by head and tail.",
		set:      func(c *Config, _ []string, v value) { c.ToolOutput.MaxBytes = v.whole },
		projects: "lower", tightens: func(c *Config, _ []string, v value) bool { return v.whole <= c.ToolOutput.MaxBytes },
		trusted: "all",
	},
	{
		path: "tool_output.max_lines", kind: whole, min: 1, max: 1e6, def: "2000", doc: "Lines, shared by head and tail.",
		set:      func(c *Config, _ []string, v value) { c.ToolOutput.MaxLines = v.whole },
		projects: "lower", tightens: func(c *Config, _ []string, v value) bool { return v.whole <= c.ToolOutput.MaxLines },
		trusted: "all",
	},
	{path: "concurrency", kind: object, doc: "How much runs at once; 1 is one after the other."},
	{
		path: "concurrency.tool_calls", kind: whole, min: 1, max: 64, def: "8", doc: "Calls of one turn.",
		set:      func(c *Config, _ []string, v value) { c.Concurrency.ToolCalls = v.whole },
		projects: "lower", tightens: func(c *Config, _ []string, v value) bool { return v.whole <= c.Concurrency.ToolCalls },
		trusted: "all",
	},
	{
		path: "concurrency.delegations", kind: whole, min: 1, max: 64, def: "8", doc: "Agents working for a turn.",
		set:      func(c *Config, _ []string, v value) { c.Concurrency.Delegations = v.whole },
		projects: "lower", tightens: func(c *Config, _ []string, v value) bool { return v.whole <= c.Concurrency.Delegations },
		trusted: "all",
	},
	{
		path: "concurrency.mcp_connections", kind: whole, min: 1, max: 64, def: "8", doc: "Connections to MCP servers.",
		set:      func(c *Config, _ []string, v value) { c.Concurrency.MCPConnections = v.whole },
		projects: "lower", tightens: func(c *Config, _ []string, v value) bool { return v.whole <= c.Concurrency.MCPConnections },
		trusted: "all",
	},
	{
		path: "concurrency.lsp_requests", kind: whole, min: 1, max: 64, def: "4", doc: "Requests to language servers.",
		set:      func(c *Config, _ []string, v value) { c.Concurrency.LSPRequests = v.whole },
		projects: "lower", tightens: func(c *Config, _ []string, v value) bool { return v.whole <= c.Concurrency.LSPRequests },
		trusted: "all",
	},
	{
		path: "envAllowlist", kind: list, check: revealable, unset: "none", doc: "Exact names of variables that children see although the names look like those of secrets. `SSH_*` stays hidden.",
		set: func(c *Config, _ []string, v value) { c.EnvAllowlist = v.list },
	},

	{path: "formatter", kind: named, doc: "Commands that format files which a tool changed, by name. Each runs after the change as a call of its own, through the gate and with its own receipt."},
	{
		path: "formatter.*", kind: object, name: agentName, doc: "One formatter.",
		set:     func(c *Config, n []string, _ value) { follower(c.Formatters, n[0], func(*Follower) {}) },
		trusted: "all",
	},
	{
		path: "formatter.*.command", kind: list, check: example, unset: "an error", doc: "Program and arguments. An argument that is `$FILE` stands for the paths of the changed files.",
		set: func(c *Config, n []string, v value) {
			follower(c.Formatters, n[0], func(f *Follower) { f.Command = v.list })
		},
		trusted: "all",
	},
	{
		path: "formatter.*.extensions", kind: list, check: extension, unset: "every file", doc: "Endings of the names of the files that it is for, such as `.go`.",
		set: func(c *Config, n []string, v value) {
			follower(c.Formatters, n[0], func(f *Follower) { f.Extensions = v.list })
		},
		trusted: "all",
	},

	{path: "check", kind: named, doc: "Commands that check files which a tool changed, by name: linters, compilers, tests. Each runs as a call of its own, and the model reads what it says."},
	{
		path: "check.*", kind: object, name: agentName, doc: "One check.",
		set:     func(c *Config, n []string, _ value) { follower(c.Checks, n[0], func(*Follower) {}) },
		trusted: "all",
	},
	{
		path: "check.*.command", kind: list, check: example, unset: "an error", doc: "Program and arguments. An argument that is `$FILE` stands for the paths of the changed files.",
		set: func(c *Config, n []string, v value) {
			follower(c.Checks, n[0], func(f *Follower) { f.Command = v.list })
		},
		trusted: "all",
	},
	{
		path: "check.*.extensions", kind: list, check: extension, unset: "every file", doc: "Endings of the names of the files that it is for, such as `.go`.",
		set: func(c *Config, n []string, v value) {
			follower(c.Checks, n[0], func(f *Follower) { f.Extensions = v.list })
		},
		trusted: "all",
	},

	{path: "mcp", kind: named, doc: "MCP servers by name, above those of the project's `.mcp.json`. One named there as well needs no more than what is different, such as `enabled`."},
	{
		path: "mcp.*", kind: object, name: serverName, doc: "One server. `${VAR}` and `${VAR:-default}` are replaced in its command, environment, url and headers.",
		set: func(c *Config, n []string, v value) {
			c.server(n[0], func(s *MCPServer) { s.Place = cmp.Or(s.Place, v.place) })
		},
		projects: "the same", tightens: func(*Config, []string, value) bool { return true }, // an entry alone is nothing
	},
	{
		path: "mcp.*.type", kind: oneOf, enum: serverTypes, unset: "`local` with a command, `remote` with a url", doc: "Whether zuno starts the server or connects to it (streamable HTTP).",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.Type = v.text }) },
	},
	{
		path: "mcp.*.command", kind: list, check: example, doc: "The program of a local server and its arguments. No shell sees them.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.Command = v.list }) },
	},
	{path: "mcp.*.environment", kind: named, doc: "Variables that a local server gets beside those of every child."},
	{
		path: "mcp.*.environment.*", kind: text, name: variable, doc: "Value of one variable.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { put(&s.Env, n[1], v.text) }) },
	},
	{
		path: "mcp.*.cwd", kind: text, check: example, unset: "the workspace", doc: "Working directory of a local server.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.Dir = v.text }) },
	},
	{
		path: "mcp.*.url", kind: text, check: example, doc: "Address of a remote server.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.URL = v.text }) },
	},
	{path: "mcp.*.headers", kind: named, doc: "Headers sent to a remote server."},
	{
		path: "mcp.*.headers.*", kind: text, name: headerName, check: headerValue, doc: "Value of one header.",
		set: func(c *Config, n []string, v value) {
			c.server(n[0], func(s *MCPServer) { put(&s.Headers, n[1], v.text) })
		},
	},
	{
		path: "mcp.*.enabled", kind: flag, unset: "true", doc: "Whether the server is used.",
		set:      func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.Enabled = &v.flag }) },
		projects: "`false`", tightens: func(_ *Config, _ []string, v value) bool { return !v.flag },
	},
	{
		path: "mcp.*.timeout", kind: whole, min: 1, max: 600_000, unset: "10000", doc: "Milliseconds that anybody waits for the server to be ready.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.Timeout = v.whole }) },
	},
	{
		path: "mcp.*.call_timeout", kind: whole, min: 1, max: 86_400_000, unset: "180000", doc: "Milliseconds that one call may take.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.CallTimeout = v.whole }) },
	},
	{
		path: "mcp.*.enabled_tools", kind: list, check: example, unset: "all", doc: "Tools of the server that are offered, by the server's own names.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.Only = v.list }) },
	},
	{
		path: "mcp.*.disabled_tools", kind: list, check: example, unset: "none", doc: "Tools of the server that are not offered.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.Except = v.list }) },
	},
	{path: "mcp.*.oauth", kind: object, doc: "How `zuno mcp login` logs in to a remote server; it needs none of this where the server registers whoever comes."},
	{
		path: "mcp.*.oauth.clientId", kind: text, check: example, unset: "the server registers zuno", doc: "Client ID that the authorization server knows zuno by.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.OAuth.ClientID = v.text }) },
	},
	{
		path: "mcp.*.oauth.clientSecret", kind: text, check: example, unset: "none", doc: "Secret of that client; write it as `${VAR}`.",
		set: func(c *Config, n []string, v value) {
			c.server(n[0], func(s *MCPServer) { s.OAuth.ClientSecret = v.text })
		},
	},
	{
		path: "mcp.*.oauth.scope", kind: text, check: example, unset: "what the server asks for", doc: "What the login is to allow, separated by blanks.",
		set: func(c *Config, n []string, v value) { c.server(n[0], func(s *MCPServer) { s.OAuth.Scope = v.text }) },
	},
	{
		path: "mcp.*.oauth.callbackPort", kind: whole, min: 1, max: 65535, unset: "19876, or a free one", doc: "Port on 127.0.0.1 that the browser comes back to.",
		set: func(c *Config, n []string, v value) {
			c.server(n[0], func(s *MCPServer) { s.OAuth.CallbackPort = v.whole })
		},
	},
	{
		path: "mcp.*.oauth.redirectUri", kind: text, check: loopback, unset: "`http://127.0.0.1:PORT/callback`", doc: "Address of this machine that the browser comes back to, where the client is known with another.",
		set: func(c *Config, n []string, v value) {
			c.server(n[0], func(s *MCPServer) { s.OAuth.RedirectURI = v.text })
		},
	},

	{path: "agents", kind: named, doc: "Agents by name. One that is built in (build, plan, explore) keeps what is not set here."},
	{
		path: "agents.*", kind: object, name: agentName, doc: "One agent.",
		set:     func(c *Config, n []string, _ value) { c.agent(n[0], func(*Agent) {}) },
		trusted: "all",
	},
	{
		path: "agents.*.description", kind: text, doc: "What the agent is for, in one line.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Description = v.text }) },
		trusted: "all",
	},
	{
		path: "agents.*.mode", kind: oneOf, enum: modes, unset: "`all`", doc: "Whether people start it, other agents do, or both.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Mode = v.text }) },
		trusted: "all",
	},
	{
		path: "agents.*.prompt", kind: text, doc: "What the model is told about its role, after what every agent is told.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Prompt = v.text }) },
		trusted: "all",
	},
	{
		path: "agents.*.tools", kind: list, check: toolName, unset: "the default tools", doc: "The exact tools it has.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Tools = v.list }) },
		trusted: "all",
	},
	{
		path: "agents.*.model", kind: text, check: modelName, unset: "the model of the session", doc: "Model, `provider/model`.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Model = v.text }) },
		trusted: "all",
	},
	{
		path: "agents.*.policy", kind: oneOf, enum: policies, unset: "`approval.policy`", doc: "Approval policy while the agent is active.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Policy = v.text }) },
		trusted: "all but `yolo`", grants: func(v value) bool { return v.text != "yolo" },
	},
	{path: "agents.*.permission", kind: object, doc: "Rules of one agent."},
	{
		path: "agents.*.permission.rules", kind: named, doc: "Rules as in `permission.rules`, behind these. When another agent delegated to it, only `ask` and `deny` count.",
	},
	{
		path: "agents.*.permission.rules.*", kind: rule, name: ruleTool, enum: actions, doc: "What to do with every call of the tool, or an object from patterns for what a call touches.",
		set: addAgentRule, trusted: "all",
	},
	{
		path: "agents.*.permission.rules.*.*", kind: oneOf, name: rulePattern, enum: actions, doc: "What to do with what the pattern matches.",
		set: addAgentRule, trusted: "all",
	},
	{
		path: "agents.*.delegates", kind: list, check: agentName, unset: "every agent that is not only primary", doc: "Agents that it may delegate to; an empty list is none.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Delegates = v.list }) },
		trusted: "all",
	},
	{
		path: "agents.*.disable", kind: flag, unset: "false", doc: "Whether there is no such agent.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Disable = v.flag }) },
		trusted: "all",
	},
	{
		path: "agents.*.hidden", kind: flag, unset: "false", doc: "Whether the lists for people leave it out. It can be named all the same.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Hidden = v.flag }) },
		trusted: "all",
	},
	{
		path: "agents.*.reasoning", kind: oneOf, enum: efforts, unset: "the model's default", doc: "Reasoning effort, for models that have one.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Reasoning = v.text }) },
		trusted: "all",
	},
	{
		path: "agents.*.steps", kind: whole, min: 1, max: 1000, unset: "100, and 50 for an agent that another one delegates to", doc: "Model steps of one turn; then it must answer without tools.",
		set:     func(c *Config, n []string, v value) { c.agent(n[0], func(a *Agent) { a.Steps = v.whole }) },
		trusted: "all",
	},
	{path: "agents.*.color", kind: later},
	{path: "agents.*.options", kind: later, refuse: because("options of a provider are not passed on by this version")},
	{path: "agents.*.requiredSkills", kind: later, refuse: because("an agent cannot demand skills in this version: say in its prompt what it has to know")},
	{path: "agents.*.temperature", kind: later, refuse: because("no temperature is sent by this version: models that reason refuse one")},
	{path: "agents.*.top_p", kind: later, refuse: because("no top_p is sent by this version: models that reason refuse one")},
	{path: "agents.*.variant", kind: later, refuse: because("models have no variants in this version: name the model and its reasoning")},
	{
		path: "default_agent", kind: text, check: agentName, unset: "`build`", doc: "Agent of a new session.",
		set:     func(c *Config, _ []string, v value) { c.DefaultAgent = v.text },
		trusted: "all",
	},
	{
		path: "subagent_depth", kind: whole, min: 0, max: 3, def: "1", doc: "How deep agents delegate: 1 is that the agents which do the delegated work delegate no further, 0 that nobody delegates.",
		set:      func(c *Config, _ []string, v value) { c.Depth = v.whole },
		projects: "lower", tightens: func(c *Config, _ []string, v value) bool { return v.whole <= c.Depth },
		trusted: "all",
	},
	{path: "retry", kind: object, doc: "How failed model calls are attempted again. Tool calls never are."},
	{
		path: "retry.max_attempts", kind: whole, min: 1, max: 20, def: "3", doc: "Attempts in all; 1 is no retry.",
		set:     func(c *Config, _ []string, v value) { c.Retry.MaxAttempts = v.whole },
		trusted: "all",
	},
	{path: "retry.recovery_window_ms", kind: later},

	{path: "sandbox", kind: object, doc: "What confines commands."},
	{
		path: "sandbox.mode", kind: oneOf, enum: boxes, unset: "`workspace-write` where the machine can, else `off`",
		doc:      "How far commands are confined, strictest first. A mode that is set and cannot be had is an error.",
		set:      func(c *Config, _ []string, v value) { c.Sandbox.Mode = v.text },
		projects: "stricter", tightens: func(c *Config, _ []string, v value) bool {
			in := c.Sandbox.Mode
			if in == "" {
				in = "workspace-write"
			}
			return index(boxes, v.text) <= index(boxes, in)
		},
		trusted: "all but `off`", grants: func(v value) bool { return v.text != "off" },
	},
	{
		path: "sandbox.network", kind: flag, def: "false", doc: "Whether confined commands reach the network.",
		set:      func(c *Config, _ []string, v value) { c.Sandbox.Network = v.flag },
		projects: "`false`", tightens: func(_ *Config, _ []string, v value) bool { return !v.flag },
		trusted: "all",
	},
	{path: "sandbox.onUnavailable", kind: later},
	{path: "sandbox.writableRoots", kind: later},
	{path: "sandbox.protectedPaths", kind: later},
	{path: "sandbox.backend", kind: later},

	{path: "webfetch", kind: object, doc: "What the tools of the web may reach."},
	{
		path: "webfetch.allow", kind: list, check: allowedHost, unset: "none", doc: "Hosts, `host` or `host:port`, that `webfetch` and `http_request` may reach although they are not on the public Internet.",
		set: func(c *Config, _ []string, v value) { c.Webfetch.Allow = v.list },
	},
	{path: "web_search", kind: object, doc: "The service that searches the web."},
	{
		path: "web_search.provider", kind: oneOf, enum: searchers, unset: "the first whose variable holds a key", doc: "Service that is asked. Without one `web_search` is not offered.",
		set: func(c *Config, _ []string, v value) { c.WebSearch.Provider = v.text },
	},
	{
		path: "web_search.endpoint", kind: text, check: address, unset: "the service's own; `searxng` has none", doc: "Address of the service, without the path.",
		set: func(c *Config, _ []string, v value) { c.WebSearch.Endpoint = v.text },
	},
	{
		path: "web_search.apiKeyEnv", kind: text, check: variable, unset: "`BRAVE_API_KEY`, `TAVILY_API_KEY` or `EXA_API_KEY`", doc: "Name of the environment variable that holds the key.",
		set: func(c *Config, _ []string, v value) { c.WebSearch.APIKeyEnv = v.text },
	},
	{
		path: "web_search.max_results", kind: whole, min: 1, max: 20, def: "8", doc: "Most results of one query.",
		set: func(c *Config, _ []string, v value) { c.WebSearch.MaxResults = v.whole },
	},
	{
		path: "web_search.max_queries", kind: whole, min: 1, max: 10, def: "4", doc: "Most queries of one call.",
		set: func(c *Config, _ []string, v value) { c.WebSearch.MaxQueries = v.whole },
	},
	{
		path: "web_search.timeout_ms", kind: whole, min: 100, max: 120000, def: "20000", doc: "Milliseconds that a query may take.",
		set: func(c *Config, _ []string, v value) { c.WebSearch.TimeoutMS = v.whole },
	},
	{path: "companions", kind: named, doc: "Models that look at media for the model of the conversation. To bind one is standing consent: nobody is asked which model may see a picture."},
	{
		path: "companions.*", kind: text, name: companionRole, check: modelName, unset: "a person picks one each time", doc: "Model for `analyze:image`, `provider/model`.",
		set: func(c *Config, n []string, v value) { c.Companions[n[0]] = v.text },
	},
	{
		path: "memory", kind: flag, def: "false", doc: "Whether sessions are told what you accepted to be remembered, and the model may propose more. You decide on every entry.",
		set:      func(c *Config, _ []string, v value) { c.Memory = v.flag },
		projects: "`false`", tightens: func(_ *Config, _ []string, v value) bool { return !v.flag },
	},
	{path: "lsp", kind: named, doc: "Language servers by name, for the tool `lsp`. One is started when it is first needed."},
	{
		path: "lsp.*", kind: object, name: agentName, doc: "One language server.",
		set:     func(c *Config, n []string, _ value) { c.language(n[0], func(*LanguageServer) {}) },
		trusted: "all",
	},
	{
		path: "lsp.*.command", kind: list, check: example, unset: "an error", doc: "Program and arguments, such as `gopls`. No shell sees them.",
		set: func(c *Config, n []string, v value) {
			c.language(n[0], func(s *LanguageServer) { s.Command = v.list })
		},
		trusted: "all",
	},
	{
		path: "lsp.*.extensions", kind: list, check: extension, unset: "an error", doc: "Endings of the names of the files that it knows, such as `.go`.",
		set: func(c *Config, n []string, v value) {
			c.language(n[0], func(s *LanguageServer) { s.Extensions = v.list })
		},
		trusted: "all",
	},
	{
		path: "lsp.*.initializationOptions", kind: anything, unset: "none", doc: "What the server wants to be told at its start.",
		set: func(c *Config, n []string, v value) {
			c.language(n[0], func(s *LanguageServer) { s.Options = v.text })
		},
		trusted: "all",
	},
	{path: "skills", kind: object, doc: "Instructions that the model loads when a task needs them. They are found in the usual folders; see the guide."},
	{
		path: "skills.paths", kind: list, check: example, unset: "none", doc: "More folders of skills of your own, searched after the usual ones. `~/` is your home folder; a relative path is one of the workspace.",
		set: func(c *Config, _ []string, v value) { c.Skills.Paths = v.list },
	},
	{
		path: "skills.disabled", kind: list, check: example, unset: "none", doc: "Names of skills that are not used. What all files name counts together.",
		set:      func(c *Config, _ []string, v value) { c.Skills.Disabled = append(c.Skills.Disabled, v.list...) },
		projects: "the same", tightens: func(*Config, []string, value) bool { return true },
	},
	{path: "hooks", kind: named, doc: "Programs that run at points of a session, by event: " + strings.Join(hookEvents(), ", ") + ". Those of all files run, yours first."},
	{
		path: "hooks.*", kind: raw, name: hookEvent, raw: hookGroups, wanted: "a list", unset: "none",
		doc:     "Objects with `matcher`, a regular expression for the whole name of a tool, and `hooks`, a list of objects with `type` (`command`), `command`, a line for the shell, `timeout` in seconds (60), and `sandbox`: whether it is confined like commands (a project's hooks always are, yours only when you say so). They get JSON on standard input. Exit status 2 blocks, with standard error as the reason.",
		set:     func(c *Config, n []string, v value) { c.addHooks(n[0], v) },
		trusted: "all",
	},
	{path: "custom_tools", kind: named, doc: "Tools of your own, by name: programs that get the arguments as JSON on standard input and print the result. They take the same road as every tool; what is not declared counts as the strictest."},
	{
		path: "custom_tools.*", kind: object, name: toolName, doc: "One tool.",
		set: func(c *Config, n []string, v value) {
			c.custom(n[0], func(t *CustomTool) { t.Place = cmp.Or(t.Place, v.place) })
		},
		trusted: "all",
	},
	{
		path: "custom_tools.*.description", kind: text, check: example, unset: "an error", doc: "What it does and when to use it, for the model.",
		set:     func(c *Config, n []string, v value) { c.custom(n[0], func(t *CustomTool) { t.Description = v.text }) },
		trusted: "all",
	},
	{
		path: "custom_tools.*.command", kind: list, check: example, unset: "an error", doc: "The program and its arguments. No shell sees them. It runs in the workspace.",
		set:     func(c *Config, n []string, v value) { c.custom(n[0], func(t *CustomTool) { t.Command = v.list }) },
		trusted: "all",
	},
	{
		path: "custom_tools.*.schema", kind: raw, raw: objectSchema, wanted: "an object", unset: "no arguments", doc: "JSON schema of the arguments, an object. A call that does not fit is refused before anything runs.",
		set:     func(c *Config, n []string, v value) { c.custom(n[0], func(t *CustomTool) { t.Schema = v.text }) },
		trusted: "all",
	},
	{
		path: "custom_tools.*.effect", kind: oneOf, enum: []string{"read-only", "side-effecting"}, unset: "`side-effecting`", doc: "What a call does.",
		set:     func(c *Config, n []string, v value) { c.custom(n[0], func(t *CustomTool) { t.Effect = v.text }) },
		trusted: "all",
	},
	{
		path: "custom_tools.*.replay", kind: oneOf, enum: []string{"safe", "never"}, unset: "`never`", doc: "Whether a call may be made again when its result was lost.",
		set:     func(c *Config, n []string, v value) { c.custom(n[0], func(t *CustomTool) { t.Replay = v.text }) },
		trusted: "all",
	},
	{
		path: "custom_tools.*.concurrency", kind: oneOf, enum: []string{"parallel-safe", "exclusive"}, unset: "`exclusive`", doc: "Whether a call may overlap with others.",
		set:     func(c *Config, n []string, v value) { c.custom(n[0], func(t *CustomTool) { t.Concurrency = v.text }) },
		trusted: "all",
	},
	{
		path: "custom_tools.*.risk", kind: oneOf, enum: []string{"read-only", "low-risk", "high-risk"}, unset: "`high-risk`", doc: "The tier that the approval policy is compared with.",
		set:     func(c *Config, n []string, v value) { c.custom(n[0], func(t *CustomTool) { t.Risk = v.text }) },
		trusted: "all",
	},
	{
		path: "custom_tools.*.timeout_ms", kind: whole, min: 1, max: 3_600_000, unset: "180000", doc: "Milliseconds that a call may take.",
		set:     func(c *Config, n []string, v value) { c.custom(n[0], func(t *CustomTool) { t.TimeoutMS = v.whole }) },
		trusted: "all",
	},
	{
		path: "custom_tools.*.sandbox", kind: flag, unset: "true", doc: "Whether it is confined like commands are.",
		set: func(c *Config, n []string, v value) { c.custom(n[0], func(t *CustomTool) { t.Unconfined = !v.flag }) },
	},
	{path: "commands", kind: object, doc: "Prompts in files that you send by a name. They are found in the usual folders; see the guide."},
	{
		path: "commands.paths", kind: list, check: example, unset: "none", doc: "More folders of commands of your own, searched after the usual ones. `~/` is your home folder; a relative path is one of the workspace.",
		set: func(c *Config, _ []string, v value) { c.Commands.Paths = v.list },
	},
	{
		path: "commands.disabled", kind: list, check: example, unset: "none", doc: "Names of commands that are not used. What all files name counts together.",
		set:      func(c *Config, _ []string, v value) { c.Commands.Disabled = append(c.Commands.Disabled, v.list...) },
		projects: "the same", tightens: func(*Config, []string, value) bool { return true },
	},
	{path: "compaction", kind: object, doc: "How a conversation is kept within the context of the model. Percentages are of what a request may have."},
	{
		path: "compaction.auto", kind: flag, def: "true", doc: "Whether it is done without being asked. `/compact` always works.",
		set:     func(c *Config, _ []string, v value) { c.Compaction.Auto = v.flag },
		trusted: "all",
	},
	{
		path: "compaction.warn_percent", kind: whole, min: 1, max: 100, def: "70", doc: "When it is said how full the context is.",
		set:     func(c *Config, _ []string, v value) { c.Compaction.Warn = v.whole },
		trusted: "all",
	},
	{
		path: "compaction.clear_percent", kind: whole, min: 1, max: 100, def: "65", doc: "When large results of old calls are left out. They can be read back.",
		set:     func(c *Config, _ []string, v value) { c.Compaction.Clear = v.whole },
		trusted: "all",
	},
	{
		path: "compaction.threshold_percent", kind: whole, min: 1, max: 100, def: "80", doc: "When a summary takes the place of the older part.",
		set:     func(c *Config, _ []string, v value) { c.Compaction.Threshold = v.whole },
		trusted: "all",
	},
	{
		path: "compaction.tail_turns", kind: whole, min: 1, max: 100, def: "2", doc: "How many of the latest turns stay word for word, as far as there is room.",
		set:     func(c *Config, _ []string, v value) { c.Compaction.Tail = v.whole },
		trusted: "all",
	},
	{
		path: "compaction.model", kind: text, check: modelName, unset: "the model of the session", doc: "Model that writes the summary, `provider/model`.",
		set:     func(c *Config, _ []string, v value) { c.Compaction.Model = v.text },
		trusted: "all",
	},
	{path: "ui", kind: object, doc: "How the screen looks and behaves. Only yours."},
	{
		path: "ui.theme", kind: text, check: themeName, def: `"ansi"`, doc: "Colours: `ansi`, `plain`, `vivid`, `colorblind`, or a file `themes/NAME.json` beside your configuration.",
		set: func(c *Config, _ []string, v value) { c.UI.Theme = v.text },
	},
	{
		path: "ui.background", kind: oneOf, enum: backgrounds, def: `"auto"`, doc: "What the theme is on. `auto` asks the terminal where the theme has two halves.",
		set: func(c *Config, _ []string, v value) { c.UI.Background = v.text },
	},
	{
		path: "ui.title", kind: flag, def: "true", doc: "Whether the terminal's title says where zuno works and whether it waits for you.",
		set: func(c *Config, _ []string, v value) { c.UI.Title = v.flag },
	},
	{
		path: "ui.compact", kind: flag, def: "false", doc: "Whether receipts of what went well are one row, without output and diffs (Ctrl+O and Ctrl+T show them), and the live zone has no empty rows.",
		set: func(c *Config, _ []string, v value) { c.UI.Compact = v.flag },
	},
	{
		path: "ui.animations", kind: flag, def: "true", doc: "Whether marks move while something runs. Elapsed times count on either way.",
		set: func(c *Config, _ []string, v value) { c.UI.Animations = v.flag },
	},
	{
		path: "ui.screen_reader", kind: flag, def: "false", doc: "Whether the screen is plain lines, one an event, with words for marks and no movement of the cursor. `ZUNO_SCREEN_READER=1` does the same.",
		set: func(c *Config, _ []string, v value) { c.UI.ScreenReader = v.flag },
	},
	{
		path: "ui.vim", kind: flag, def: "false", doc: "Whether the composer understands the commands of vi.",
		set: func(c *Config, _ []string, v value) { c.UI.Vim = v.flag },
	},
	{path: "keys", kind: named, doc: "Keys by the name of a command, see [keys](keys.md)."},
	{
		path: "keys.*", kind: list, name: commandName, check: keyName, unset: "the keys of the table", doc: "Every key of the command, such as `ctrl+g`, or two with a blank between them. An empty list takes them away.",
		set: func(c *Config, n []string, v value) { c.Keys[n[0]] = v.list },
	},
	{path: "notifications", kind: object, doc: "When and how the terminal calls you. Only yours."},
	{
		path: "notifications.when", kind: oneOf, enum: occasions, def: `"unfocused"`, doc: "`unfocused`: when the terminal says that you look elsewhere, or says nothing of that and no key was pressed for 15 s.",
		set: func(c *Config, _ []string, v value) { c.Notifications.When = v.text },
	},
	{
		path: "notifications.method", kind: oneOf, enum: calls, def: `"auto"`, doc: "What is sent: the bell, or one of the sequences that terminals show as a notification. `auto` goes by the terminal.",
		set: func(c *Config, _ []string, v value) { c.Notifications.Method = v.text },
	},
	{
		path: "notifications.long_turn_seconds", kind: whole, min: 1, max: 86400, def: "10", doc: "How long a turn takes whose end is worth calling you.",
		set: func(c *Config, _ []string, v value) { c.Notifications.LongTurnSeconds = v.whole },
	},
	{path: "telemetry", kind: object, doc: "Export of spans to an OpenTelemetry collector. Only yours, and off unless you switch it on here."},
	{
		path: "telemetry.enabled", kind: flag, def: "false", doc: "Whether turns, model calls and tool calls are exported as spans, without prompts, arguments and outputs. Variables of OpenTelemetry in the environment switch nothing on; with this they are honoured.",
		set: func(c *Config, _ []string, v value) { c.Telemetry.Enabled = v.flag },
	},
	{
		path: "telemetry.endpoint", kind: text, check: address, unset: "`OTEL_EXPORTER_OTLP_ENDPOINT`, else `http://localhost:4318`", doc: "Address of the collector for OTLP over HTTP, without the path.",
		set: func(c *Config, _ []string, v value) { c.Telemetry.Endpoint = v.text },
	},
}

// addRule appends a rule; one without a pattern is about everything.
func addRule(c *Config, n []string, v value) {
	r := Rule{Tool: n[0], Pattern: "*", Action: v.text, Place: v.place, Match: v.match, NotMatch: v.notMatch}
	if len(n) > 1 {
		r.Pattern = n[1]
	}
	c.Rules = append(c.Rules, r)
}

// because refuses every value with a reason.
func because(reason string) func(value) string { return func(value) string { return reason } }

// addAgentRule appends a rule of one agent.
func addAgentRule(c *Config, n []string, v value) {
	r := Rule{Tool: n[1], Pattern: "*", Action: v.text, Place: v.place}
	if len(n) > 2 {
		r.Pattern = n[2]
	}
	c.agent(n[0], func(a *Agent) { a.Rules = append(a.Rules, r) })
}

// grantable reports whether a project may set k to v once its file is trusted.
func (k *key) grantable(v value) bool {
	return k.trusted != "" && (k.grants == nil || k.grants(v))
}

func forbids(_ *Config, _ []string, v value) bool { return v.text != "allow" }

func (p *Provider) header(name, text string) {
	if p.Headers == nil {
		p.Headers = map[string]string{}
	}
	p.Headers[name] = text
}

func index(words []string, word string) int {
	for i, w := range words {
		if w == word {
			return i
		}
	}
	return -1
}
