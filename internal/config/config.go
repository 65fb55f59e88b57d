// Package config reads zuno's configuration once and returns plain values.
//
// One table of keys (see keys.go) says what there is: the decoder, the JSON
// schema and the reference page are all made from it, so that none of them can
// drift. Files of the user, and a file named on the command line, are trusted.
// Files of a project may only tighten what those say, until whoever loads them
// says that their exact text is trusted; and some keys are never a project's.
package config

// A Config is everything that was configured, with the defaults filled in. It
// is not changed after [Load] returned it.
type Config struct {
	// Model and SmallModel are "provider/model", or "" when not set.
	Model, SmallModel string
	Providers         map[string]Provider
	// Policy is strict, read-only, low-risk, high-risk or yolo.
	Policy string
	// Rules are the permission rules: the user's, those of the file named on the
	// command line and the project's, each in the order in which they are written.
	Rules []Rule
	// Tools switches single tools on or off; a tool that is not named keeps its
	// default.
	Tools       map[string]bool
	ToolOutput  ToolOutput
	Concurrency Concurrency
	// Lift names the rows of the denylist that ask instead of blocking.
	Lift []string
	// EnvAllowlist names the variables that children see although their names
	// look like those of secrets.
	EnvAllowlist []string
	// MCP are the configured MCP servers by name.
	MCP    map[string]MCPServer
	Agents map[string]Agent
	// DefaultAgent is the agent of a new session, "" when not set.
	DefaultAgent string
	// Depth is how deep agents delegate, 0 to 3.
	Depth      int
	Retry      Retry
	Sandbox    Sandbox
	Compaction Compaction
	// Formatters and Checks are the commands that follow a change of files, by
	// name.
	Formatters, Checks map[string]Follower
	// Companions are the models that work for the model of the conversation, by
	// what for, such as "analyze:image".
	Companions map[string]string
	// Languages are the language servers by name.
	Languages map[string]LanguageServer
	// Memory says that sessions are told what was accepted to be remembered.
	Memory   bool
	Webfetch Webfetch
	UI       UI
	// Keys are the keys of the screen's commands, by the name of the command.
	Keys      map[string][]string
	WebSearch WebSearch
	Telemetry Telemetry
	// Notifications says when and how the terminal calls the person.
	Notifications Notifications

	// Skills and Commands are what is found in files beside the configuration.
	Skills, Commands Found

	// Hooks are the programs that run at points of a session, in the order in
	// which they do.
	Hooks []Hook
	// CustomTools are the person's own tools by name.
	CustomTools map[string]CustomTool

	// Files are the files that were read, in the order in which they were
	// applied.
	Files []File
	// Places tells where a key was set last, by its dotted path
	// ("provider.ollama.baseURL"). Keys that have their default are missing.
	Places map[string]Place
	values map[string]string // of the same paths, as JSON; see Settings
}

// A Follower is a command that follows a change of files.
type Follower struct {
	// Command is the program and its arguments. An argument that is $FILE stands
	// for the paths of the changed files.
	Command []string
	// Extensions are those of the files that it is for, such as ".go"; none means
	// every file.
	Extensions []string
}

// Found says where more of what is found in files is looked for, and what of it
// is left out.
type Found struct {
	Paths    []string // folders, as written
	Disabled []string // names
}

// A LanguageServer is a program that is asked about code.
type LanguageServer struct {
	Command    []string
	Extensions []string // such as ".go"
	Options    string   // initializationOptions as JSON, "" for none
}

// A Provider is an endpoint that serves models.
type Provider struct {
	// API is anthropic, openai, openai-compatible or google.
	API string
	// BaseURL is an http or https address, "" for the provider's own.
	BaseURL string
	// APIKeyEnv is the name of the variable that holds the key.
	APIKeyEnv string
	Headers   map[string]string
	// Models says what is known of single models. A model need not be listed.
	Models map[string]Model
}

// A Model is what the configuration says of one model. Zero values, and a nil
// Tools, mean not known.
type Model struct {
	Context, Output   int // tokens
	Tools             *bool
	Images, Reasoning bool
	Price             Price
}

// A Price is in US dollars per million tokens.
type Price struct {
	Input, Output, CacheRead, CacheWrite float64
}

// A Rule is one permission rule: the last rule that matches wins, and a deny is
// terminal.
type Rule struct {
	// Tool is a tool's name or a wildcard; Pattern is matched with what the call
	// touches and is "*" where the file gives none.
	Tool, Pattern string
	Action        string // allow, ask or deny
	Place         Place
	// Match and NotMatch are examples of what the rule is about and of what it is
	// not, which whoever applies the rules has to hold them to.
	Match, NotMatch []string
}

// ToolOutput bounds what the model sees of one result.
type ToolOutput struct {
	MaxBytes, MaxLines int
}

// Concurrency bounds how much runs at once, each 1 to 64; 1 is one after the
// other.
type Concurrency struct {
	ToolCalls, Delegations, MCPConnections, LSPRequests int
}

// An Agent is what the configuration says of one agent. Empty fields leave
// what a built-in agent of that name has.
type Agent struct {
	Description string
	Mode        string // primary, subagent or all
	Prompt      string
	// Tools is the exact list of tools; nil leaves the default surface, and an
	// empty list is no tools.
	Tools  []string
	Model  string
	Policy string
	// Rules come behind those of the session.
	Rules []Rule
	// Delegates are the agents that it may delegate to; nil means all that are not
	// only primary, an empty list none.
	Delegates       []string
	Disable, Hidden bool
	Reasoning       string // off, low, medium or high; "" leaves it to the model
	Steps           int    // of one turn; zero means the default
}

// Retry bounds how a failed model call is attempted again.
type Retry struct {
	MaxAttempts int // the first attempt included
}

// Compaction says when a conversation is made smaller, in percent of what a
// request may have.
type Compaction struct {
	Auto                   bool
	Warn, Clear, Threshold int
	Tail                   int // turns that stay verbatim
	Model                  string
}

// UI says how the screen looks and behaves.
type UI struct {
	Vim        bool   // the composer understands the commands of vi
	Theme      string // a built-in theme, or the name of a file in themes
	Background string // auto, dark or light
	// Title, Compact, Animations and ScreenReader switch what their keys say.
	Title, Compact, Animations, ScreenReader bool
}

// Notifications says when and how the person is called.
type Notifications struct {
	When            string // unfocused, always or never
	Method          string // auto, bell, osc9, osc99 or osc777
	LongTurnSeconds int
}

// Telemetry says whether spans are exported, and where to.
type Telemetry struct {
	Enabled bool
	// Endpoint is an http or https address, "" for that of the environment.
	Endpoint string
}

// A File is a configuration file that was read.
type File struct {
	Path string
	// Project files are those of the project; the others are the user's, which
	// are always trusted.
	Project bool
	// Trusted files are in force as far as their kind may be; those of a project
	// that are not may only tighten.
	Trusted bool
	// Beyond lists, by their dotted paths, the settings of a project's file that
	// are in force only when it is trusted, and Text is its exact text when there
	// are any.
	Beyond []string
	Text   string
}

// Default returns the configuration of somebody who configured nothing.
func Default() *Config {
	c := &Config{Providers: map[string]Provider{}, Tools: map[string]bool{}, MCP: map[string]MCPServer{}, Agents: map[string]Agent{}, Formatters: map[string]Follower{}, Checks: map[string]Follower{}, Keys: map[string][]string{}, values: map[string]string{}, Companions: map[string]string{}, Languages: map[string]LanguageServer{}, CustomTools: map[string]CustomTool{}, Places: map[string]Place{}}
	for i := range table {
		k := &table[i]
		if k.def == "" {
			continue
		}
		v, problem := k.read(literal(k.def))
		if problem != "" {
			continue // a test keeps the table's defaults valid
		}
		k.set(c, nil, v)
	}
	return c
}

func (c *Config) provider(id string, change func(*Provider)) {
	p := c.Providers[id]
	change(&p)
	c.Providers[id] = p
}

func (c *Config) model(names []string, change func(*Model)) {
	c.provider(names[0], func(p *Provider) {
		if p.Models == nil {
			p.Models = map[string]Model{}
		}
		m := p.Models[names[1]]
		change(&m)
		p.Models[names[1]] = m
	})
}

func (c *Config) agent(name string, change func(*Agent)) {
	a := c.Agents[name]
	change(&a)
	c.Agents[name] = a
}

func (c *Config) language(name string, change func(*LanguageServer)) {
	s := c.Languages[name]
	change(&s)
	c.Languages[name] = s
}

// follower changes one of Formatters or of Checks.
func follower(all map[string]Follower, name string, change func(*Follower)) {
	f := all[name]
	change(&f)
	all[name] = f
}

// complete fills in what depends on more than one key.
func (c *Config) complete() {
	for id, p := range c.Providers {
		if p.API != "" {
			continue
		}
		p.API = "openai-compatible"
		for _, api := range apis {
			if id == api {
				p.API = api
			}
		}
		c.Providers[id] = p
	}
}

// Sandbox says how far commands are confined.
type Sandbox struct {
	// Mode is read-only, workspace-write or off; "" leaves it to the machine.
	Mode string
	// Network lets confined commands reach the network.
	Network bool
}

// Webfetch says what the tools of the web may reach.
type Webfetch struct {
	// Allow lists hosts, or host:port, that are allowed although they are not
	// public.
	Allow []string
}

// WebSearch says how the web is searched.
type WebSearch struct {
	// Provider is brave, tavily, exa or searxng; "" is the first that has a key.
	Provider string
	// Endpoint is an http or https address, "" for the provider's own.
	Endpoint string
	// APIKeyEnv is the name of the variable that holds the key, "" for the usual.
	APIKeyEnv                         string
	MaxResults, MaxQueries, TimeoutMS int
}
