package shell

import (
	"strings"
	"sync"
)

// networkActs lists programs that talk to other machines; those with words do
// so for these first operands only.
var networkActs = []string{
	"curl", "wget", "ping", "ping6", "dig", "drill", "nslookup", "host", "nc", "ncat", "netcat", "socat", "telnet", "ssh", "mosh", "scp", "sftp", "rsync", "ftp", "lftp",
	"tftp", "aria2c", "http", "https", "xh", "httpie", "traceroute", "tracepath", "mtr", "whois", "nmap", "ssh-keyscan", "ssh-copy-id", "rclone", "gsutil", "aws", "gcloud", "az",
	"kubectl", "oc", "helm", "gh", "glab", "heroku", "fly", "flyctl", "vercel", "netlify", "terraform", "tofu", "pulumi", "ansible", "ansible-playbook", "npx", "bunx", "pnpx",
	"uvx", "twine", "apt", "apt-get", "dnf", "yum", "zypper", "apk", "brew", "snap", "flatpak", "mail", "sendmail", "lynx", "w3m", "links", "youtube-dl", "yt-dlp", "psql", "mysql",
	"redis-cli", "mongosh", "mongo", "getent", "resolvectl", "finger", "irssi", "svn", "hg", "cvs", "bzr", "kdig", "delv", "avahi-resolve", "avahi-browse", "systemd-resolve", "arping", "fping", "hping3", "snmpget", "snmpwalk",
	"smbclient", "ldapsearch", "tcpdump", "iperf", "iperf3", "logger", "wscat", "websocat", "grpcurl", "curlie", "axel", "httrack", "xdg-open", "wpa_cli", "nmcli",
	"npm install|i|ci|add|update|up|publish|audit|view|info|show|outdated|search|ping|login|whoami|exec|init|create|dedupe|fund|link|x|install-test|it|cit",
	"pnpm install|i|add|update|up|publish|audit|outdated|dlx|fetch|import|create|exec", "yarn install|add|upgrade|up|publish|audit|outdated|info|dlx|create",
	"bun install|i|add|update|publish|x|create|outdated|upgrade", "pip install|download|wheel|index|search", "pip3 install|download|wheel|index|search", "pipx install|upgrade|run|inject",
	"uv add|sync|pip|lock|tool|publish|run|python|init", "poetry add|install|update|publish|lock|search", "conda install|create|update|search", "mamba install|create|update",
	"cargo install|fetch|update|publish|add|search|login|generate-lockfile|owner|yank", "go get|install|mod|work|telemetry", "gem install|update|fetch|push|search",
	"bundle install|update|add|outdated", "composer install|update|require|global", "docker pull|push|run|login|build|search|compose|buildx|create", "podman pull|push|run|login|build|search",
	"openssl s_client|ocsp|s_server", "rustup update|install|toolchain|target|component|self|default", "nvm install", "dotnet restore|add|tool|nuget|publish",
	"mix deps.get|deps.update|hex.publish", "deno install|cache|run|add", "corepack", "volta", "asdf install|update|plugin",
}

// networkIndex is networkActs by program; no words means always.
var networkIndex = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range networkActs {
		program, words, some := strings.Cut(row, " ")
		out[program] = nil
		if some {
			out[program] = strings.Split(words, "|")
		}
	}
	return out
})

func (s *scan) network(c *call) bool {
	if c.name == "git" {
		g := gitParts(c)
		return g.actsOnNetwork()
	}
	if !c.traits.has(networkTrait) {
		if !c.namesURL() {
			return false
		}
		s.raise(c.name, " is given an address on a network")
		return true
	}
	words := networkIndex()[c.name]
	if len(c.args) == 1 && c.args[0].is("--version", "-V", "--help", "version") {
		return false
	}
	if len(words) == 0 {
		return true
	}
	ops := c.operands()
	if c.name == "go" && len(ops) > 1 && ops[0].is("run") && strings.Contains(ops[1].text, "@") {
		return true
	}
	if oneOf(c.name, "docker", "podman") && len(ops) > 1 && ops[0].is("compose") && ops[1].is("ps", "logs", "config", "images", "top", "ls", "version", "port", "events") {
		return false
	}
	return len(ops) > 0 && oneOf(ops[0].text, words...) || len(ops) == 0 && c.name == "yarn"
}

func (g gitCall) actsOnNetwork() bool {
	ops := g.c.operands()
	switch g.sub {
	case "fetch", "pull", "push", "clone", "ls-remote", "send-email", "svn", "p4", "fetch-pack", "send-pack", "http-push", "daemon", "instaweb", "http-fetch":
		return true
	case "submodule":
		return len(ops) > 0 && ops[0].is("update", "add", "foreach")
	case "remote":
		return len(ops) > 0 && ops[0].is("update", "show", "prune", "set-head") || g.c.has("f")
	case "archive":
		return g.c.has("", "remote")
	case "lfs":
		return len(ops) > 0 && ops[0].is("fetch", "pull", "push", "clone")
	}
	return false
}

// namesURL reports a call of a program that is not known to only read files
// with a word, or the value of an option, that is an address on a network.
func (c *call) namesURL() bool {
	if c.traits.has(readerTrait | closedTrait | patternTrait) {
		return false
	}
	for i := range c.args {
		text := c.args[i].text
		if text != "" && text[0] == '-' {
			_, text, _ = strings.Cut(text, "=")
		}
		scheme, rest, is := strings.Cut(text, "://")
		if is && rest != "" && oneOf(strings.ToLower(scheme), "http", "https", "ftp", "ftps", "sftp", "ssh", "git", "ws", "wss", "tcp", "udp", "rsync", "ldap", "ldaps", "smb", "s3", "gs", "telnet", "gopher", "tftp", "svn", "dict", "imap", "smtp", "mqtt", "redis", "postgres", "postgresql", "mysql", "mongodb", "amqp") {
			return true
		}
	}
	return false
}
