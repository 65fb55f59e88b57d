package shell

import (
	"slices"
	"strings"
	"sync"
)

// An act is a program's operands and what they mean.
type act struct {
	words [][]string // alternatives for each of the first operands
	why   string
}

// farIndex is farActs by program.
var farIndex = sync.OnceValue(func() map[string][]act {
	out := map[string][]act{}
	for _, row := range farActs {
		programs, rest, _ := strings.Cut(row.words, " ")
		a := act{why: row.why}
		for _, alt := range strings.Fields(rest) {
			a.words = append(a.words, strings.Split(alt, "|"))
		}
		for _, p := range strings.Split(programs, "|") {
			out[p] = append(out[p], a)
		}
	}
	return out
})

// farActs lists commands whose effect reaches other people, other machines or
// the whole account. The words are the program and its first operands; "|"
// separates alternatives.
var farActs = []struct{ words, why string }{
	{"npm|pnpm|yarn|bun publish|unpublish|deprecate|owner|adduser|login|logout|token|dist-tag", "it publishes or changes a package for everyone"},
	{"npm access|star|unstar|team|org|hook|profile|trust", "it publishes or changes a package for everyone"},
	{"yarn npm publish|login|logout|tag", "it publishes or changes a package for everyone"},
	{"dotnet nuget push|delete", "it publishes a package for everyone"},
	{"gradle|gradlew publish|publishToMavenCentral|publishPlugins|release|uploadArchives", "it publishes a package for everyone"},
	{"mvn|mvnw release:perform|release:prepare|deploy:deploy-file", "it publishes a package for everyone"},
	{"cargo publish|yank|owner|login", "it publishes or changes a package for everyone"},
	{"twine|flit|hatch upload|publish", "it publishes a package for everyone"},
	{"poetry|uv|pdm publish", "it publishes a package for everyone"},
	{"gem push|yank", "it publishes a package for everyone"},
	{"mvn|mvnw deploy", "it publishes a package for everyone"},
	{"goreleaser release|publish", "it publishes a release for everyone"},
	{"gh|glab release|repo|secret|auth|ssh-key|gpg-key|variable|workflow|run create|delete|edit|upload|merge|set|remove|login|logout|archive|rename|enable|disable|cancel|rerun|add|transfer|fork|sync|refresh", "it changes something that others share"},
	{"gh|glab pr|mr|issue|gist|label|project|discussion create|merge|close|reopen|edit|comment|review|delete|lock|ready|transfer|approve|note", "others will see it"},
	{"gh api", "it may change anything that the account can"},
	{"gh|glab codespace|cs|cache|ruleset|org|project|attestation|gpg-key|ssh-key|issue|workflow|auth|environment|deploy-key|token|user|ci|job|schedule", "it may change something that others share"},
	{"docker|podman|nerdctl push|login|logout", "it publishes an image for everyone"},
	{"docker|podman|nerdctl rm|rmi|prune|kill", "it removes containers or images"},
	{"docker|podman swarm|stack|service|secret|config|plugin|node", "it changes a cluster of containers"},
	{"docker|podman|nerdctl system|volume|image|container|network|builder rm|prune|remove", "it removes containers, images or volumes"},
	{"docker|podman compose down|rm", "it removes containers"},
	{"docker-compose down|rm", "it removes containers"},
	{"kubectl|oc delete|apply|create|replace|patch|edit|scale|autoscale|expose|drain|cordon|uncordon|rollout|exec|cp|run|set|label|annotate|taint|debug|attach|certificate|port-forward|proxy", "it changes a cluster"},
	{"kubectl|oc auth reconcile", "it changes a cluster"},
	{"helm install|upgrade|uninstall|delete|rollback|push", "it changes a cluster"},
	{"terraform|tofu|terragrunt|pulumi apply|destroy|import|taint|untaint|state|up|refresh|cancel|force-unlock", "it changes real infrastructure"},
	{"terraform|tofu workspace delete|new", "it changes real infrastructure"},
	{"ansible-playbook", "it changes other machines"},
	{"ansible", "it changes other machines"},
	{"aws s3 rm|rb|mv|cp|sync", "it changes stored objects"},
	{"gsutil|rclone rm|rb|mv|cp|rsync|sync|delete|purge|copy|move", "it changes stored objects"},
	{"gcloud|az|aws|doctl|heroku|fly|flyctl|vercel|netlify|firebase|wrangler|eb|cf|serverless|sls|sam|cdk|railway", "it acts in a cloud account"},
	{"systemctl|loginctl|machinectl|networkctl|homectl|portablectl", "it changes the machine's services"},
	{"timedatectl|hostnamectl|localectl|hwclock|update-alternatives|alternatives|systemsetup|networksetup|scutil|spctl|csrutil|tmutil|diskutil|hdiutil|pmset|nvram|dscl|sysadminctl", "it changes the machine's set-up"},
	{"rtcwake|pm-suspend|pm-hibernate", "it stops the machine"},
	{"fusermount|fusermount3|sshfs|udisksctl|pmount|pumount", "it changes what is mounted"},
	{"firewall-cmd|pfctl", "it changes the firewall"},
	{"renice", "it changes other processes"},
	{"service|launchctl|initctl|rc-service|update-rc.d|chkconfig", "it changes the machine's services"},
	{"crontab|at|atrm|batch", "it schedules something for later"},
	{"apt|apt-get|aptitude|dnf|yum|zypper|apk|pacman|brew|port|snap|flatpak|dpkg|rpm|choco|winget|nix-env|emerge", "it changes what is installed on the machine"},
	{"pip|pip3|pipx uninstall", "it removes installed packages"},
	{"conda|mamba remove|uninstall", "it removes installed packages"},
	{"mysqladmin|dropdb|dropuser|createdb|createuser|redis-cli|mongo|mongosh|cqlsh", "it may change a database"},
	{"nsenter|unshare|chroot|bwrap|firejail|proot", "it changes what the command can see and reach"},
	{"insmod|rmmod|modprobe|sysctl|setenforce|setcap|chattr|swapoff|swapon|losetup|cryptsetup|lvremove|vgremove|pvremove|zpool|zfs|btrfs", "it changes the machine"},
	{"mail|mailx|sendmail|mutt|swaks|msmtp", "it sends mail"},
	{"gpg|gpg2", "it uses the account's keys"},
	{"ssh-keygen|ssh-add|ssh-copy-id|security|kwallet-query|secret-tool|pass|op|vault|keyring", "it uses the account's keys"},
	{"osascript|defaults|xdg-settings|gsettings|dconf", "it changes the desktop's settings"},
	{"xdg-mime default|install|uninstall", "it changes the desktop's settings"},
	{"setfacl|setfattr", "it changes who may use a file"},
	{"npm|pnpm c set|delete|edit", "it changes a program's settings, which later runs follow"},
	{"npm|pnpm|yarn|bun|pip|pip3|gh|glab|pdm|jj|az|gcloud config set|unset|delete|edit|add", "it changes a program's settings, which later runs follow"},
	{"npm|pnpm set", "it changes a program's settings, which later runs follow"},
	{"poetry|composer|bundle|conda|mamba|flutter config", "it changes a program's settings, which later runs follow"},
	{"gh|glab alias set|import|delete", "it changes what a later command means"},
	{"gh extension install|upgrade|remove|exec", "it changes what a later command means"},
	{"gem sources", "it changes a program's settings, which later runs follow"},
	{"kubectl|oc config set|set-context|set-cluster|set-credentials|use-context|use|unset|delete-context|delete-cluster|delete-user|rename-context", "it changes a program's settings, which later runs follow"},
	{"docker|podman context create|use|update|rm|import", "it changes a program's settings, which later runs follow"},
	{"helm repo|plugin add|install|remove|rm|uninstall|update", "it changes a program's settings, which later runs follow"},
	{"ifup|ifdown|dhclient|dhcpcd", "it changes the machine's network"},
	{"tc qdisc|filter|class|action|chain add|del|delete|change|replace|flush", "it changes the machine's network"},
	{"bridge link|fdb|mdb|vlan|vni add|append|set|del|delete|replace|flush", "it changes the machine's network"},
	{"nmcli c|con|connection|d|dev|device|n|networking|r|radio|g|general up|down|add|modify|edit|delete|clone|reload|load|import|connect|disconnect|set|on|off|hostname", "it changes the machine's network"},
	{"iw|rfkill dev|phy|reg|block|unblock|toggle", "it changes the machine's network"},
	{"zuno run|undo|mcp", "it is zuno itself, with a policy of its own"},
	{"zuno rules add|remove", "it changes what zuno may do without asking"},
	{"zuno trust", "it changes what of a project may act"},
	{"claude|codex|opencode|crush|gemini|aider|goose|cursor-agent|copilot|kimi|amp", "it is another agent, with a policy of its own"},
	{"direnv allow|permit|grant", "it trusts a file that runs programs"},
	{"tmux|screen|zellij|byobu|dtach|abduco|systemd-run|daemonize|daemon|start-stop-daemon", "it acts in a terminal or a service of its own, where zuno neither sees nor ends what runs"},
	{"dbus-send|qdbus", "it acts through a service outside of zuno's reach"},
	{"gdbus call|emit", "it acts through a service outside of zuno's reach"},
	{"busctl call|set-property|emit", "it acts through a service outside of zuno's reach"},
	{"xdotool|ydotool|wtype|cliclick", "it acts on other windows"},
	{"wall|write", "others will see it"},
	{"prisma migrate reset", "it removes what is in a database"},
	{"rails|rake db:drop|db:drop:all|db:reset|db:purge|db:rollback|db:setup|db:schema:load|db:structure:load|db:migrate:reset|db:migrate:down|db:migrate:redo|db:truncate_all|db:seed:replant", "it changes or removes what is in a database"},
	{"php artisan migrate:fresh|migrate:reset|migrate:refresh|migrate:rollback|db:wipe", "it removes what is in a database"},
	{"artisan migrate:fresh|migrate:reset|migrate:refresh|migrate:rollback|db:wipe", "it removes what is in a database"},
	{"python|python3 manage.py flush|reset_db", "it removes what is in a database"},
	{"manage.py|django-admin flush|reset_db", "it removes what is in a database"},
	{"alembic|flask downgrade", "it removes what is in a database"},
	{"flask db downgrade", "it removes what is in a database"},
	{"sequelize|sequelize-cli db:drop|db:migrate:undo|db:migrate:undo:all|db:seed:undo|db:seed:undo:all", "it removes what is in a database"},
	{"knex migrate:rollback|migrate:down", "it removes what is in a database"},
	{"dotnet ef database drop", "it removes what is in a database"},
	{"supabase db reset|push", "it changes or removes what is in a database"},
	{"drizzle-kit push|drop", "it changes or removes what is in a database"},
	{"typeorm schema:drop|schema:sync|migration:revert", "it changes or removes what is in a database"},
	{"flyway clean|undo", "it removes what is in a database"},
	{"liquibase drop-all|dropAll|rollback", "it removes what is in a database"},
	{"mix ecto.drop|ecto.reset|ecto.rollback", "it removes what is in a database"},
	{"sqlx|diesel database drop|reset", "it removes what is in a database"},
	{"diesel migration revert|redo", "it removes what is in a database"},
	{"migrate drop|down|force", "it removes what is in a database"},
	{"mongorestore|pg_restore", "it may change a database"},
	{"rimraf|del-cli|trash-empty", "it removes files and folders, which cannot be brought back"},
	{"make|just|task publish|deploy|release|push|destroy", "its name says that it reaches others"},
	{"npm|pnpm|yarn|bun run publish|deploy|release|destroy", "its name says that it reaches others"},
}

// farReaching says why a call is asked about by name, or "".
func farReaching(c *call) string {
	var acts []act
	var ops []word // of programs with acts, which the package managers below are
	if c.traits.has(farTrait) {
		acts = farIndex()[c.name]
		ops = c.operands("-n", "--namespace", "--context", "-C", "--prefix", "-R", "--repo", "-f", "--file", "--kubeconfig", "--profile", "--region")
	}
	for _, a := range acts {
		if follows(ops, a.words) && !c.harmlessForm() {
			return a.why
		}
	}
	switch c.name {
	case "npm", "pnpm", "yarn", "bun":
		if c.has("g", "global") && len(ops) > 0 && !ops[0].is("ls", "list", "root", "bin", "prefix", "config", "outdated", "view", "run", "test") || len(ops) > 1 && ops[0].is("global") {
			return "it changes what is installed for the whole account"
		}
	case "docker", "podman", "nerdctl":
		return containerReach(c)
	case "psql", "mysql", "mariadb", "sqlite3", "sqlplus", "clickhouse-client", "duckdb":
		for _, w := range c.args {
			if up := strings.ToUpper(w.text); hasWord(up, "DROP", "DELETE", "TRUNCATE", "ALTER", "UPDATE", "GRANT", "REVOKE") {
				return "it changes or removes data in a database"
			}
		}
		if w, ok := c.value("f", "file"); ok || c.stdin.kind != noInput {
			return "it runs statements on a database from " + strings.TrimSpace(w.text+" its input")
		}
	case "ssh", "mosh":
		if len(c.operands()) > 0 {
			return "it acts on another machine"
		}
	case "prisma":
		if c.has("", "accept-data-loss", "force-reset") {
			return "it removes what is in a database"
		}
	case "ifconfig", "route":
		if n := len(c.operands()); n > 1 || c.name == "route" && n > 0 {
			return "it changes the machine's network"
		}
	case "ip":
		if c.changesNetwork() {
			return "it changes the machine's network"
		}
	case "arp", "ethtool":
		if c.name == "arp" && c.has("dsf", "delete", "set", "file") || c.name == "ethtool" && c.has("sACGKLXEfNUWr", "change", "set-", "flash", "reset") {
			return "it changes the machine's network"
		}
	case "dmesg":
		if c.has("CcDEn", "clear", "read-clear", "console-off", "console-on", "console-level") {
			return "it changes the machine's log"
		}
	case "journalctl":
		if c.has("", "vacuum-size", "vacuum-time", "vacuum-files", "rotate", "flush", "relinquish-var", "setup-keys", "update-catalog") {
			return "it changes the machine's log"
		}
	case "ionice", "taskset", "chrt", "prlimit":
		if c.has("p", "pid") {
			return "it changes other processes"
		}
	case "gofmt", "pip", "pip3":
		if c.name != "gofmt" && c.has("", "break-system-packages") {
			return "it changes what is installed on the machine"
		}
	case "ps":
		for _, w := range c.args {
			if !w.flag() && strings.Contains(w.text, "e") && strings.Trim(w.text, "acefghjlmnrstuvwxASTXZ") == "" {
				return "it shows the environment of other processes"
			}
		}
	}
	return ""
}

// follows reports whether the operands start with one alternative of each word.
func follows(ops []word, words [][]string) bool {
	for i, alts := range words {
		if i >= len(ops) || !oneOf(ops[i].text, alts...) {
			return false
		}
	}
	return true
}

// changesNetwork reports a call of ip that does more than show. Its words may be
// cut short, so that what is not a word for showing changes something.
func (c *call) changesNetwork() bool {
	for i := range c.args {
		if name, _, _ := strings.Cut(strings.TrimLeft(c.args[i].text, "-"), "="); c.args[i].flag() && name != "" && strings.HasPrefix("batch", name) {
			return true
		}
	}
	ops := c.operands("-n", "-netns", "-f", "-family", "-rc", "-l", "-loops")
	if len(ops) < 2 {
		return false
	}
	verb := ops[1].text
	if strings.HasPrefix("monitor", ops[0].text) && len(ops[0].text) > 2 || oneOf(verb, "show", "sho", "sh", "list", "lst", "ls", "get", "g", "save", "help", "identify", "pids") {
		return false
	}
	return verb != "s" || !strings.HasPrefix("address", ops[0].text) && !strings.HasPrefix("route", ops[0].text) // of "show"; elsewhere it is "set"
}

// dryRun reports a call that is told to change nothing, and not told otherwise.
func (c *call) dryRun() bool {
	dry := false
	for i := range c.args {
		name, value, has := strings.Cut(c.args[i].text, "=")
		if strings.HasPrefix(name, "--no-dry") {
			return false
		}
		if name == "--dry-run" {
			dry = !has || !oneOf(strings.ToLower(value), "none", "false", "0", "no", "")
		}
	}
	return dry
}

// cloudVerbs are words of the programs of cloud accounts: those that only look,
// and those that do something. The first that stands on a line says which it is.
var cloudVerbs = [2][]string{
	{"describe", "list", "get", "ls", "show", "head", "status", "logs", "log", "version", "search", "info", "tail", "help", "lookup", "size", "lsd", "lsl", "lsf", "cat", "check", "tree", "about", "whoami"},
	{
		"delete", "create", "update", "add", "remove", "rm", "set", "unset", "reset", "start", "stop", "restart", "apply", "deploy", "destroy", "run", "exec", "execute", "import", "export", "patch", "ssh", "scp", "cp", "mv", "rb", "mb", "sync", "bisync", "copy", "copyto", "move", "moveto",
		"purge", "put", "invoke", "terminate", "reboot", "attach", "detach", "enable", "disable", "publish", "send", "modify", "register", "deregister", "tag", "untag", "cancel", "rotate", "write", "upload", "push", "promote", "rollback", "scale", "resize", "migrate", "restore", "login", "logout", "init", "install", "rsync", "clear", "connect", "drop", "alias", "link", "use", "assume", "revoke", "grant", "authorize", "generate", "replace", "swap",
	},
}

// onlyLooks reports the words of a program of a cloud account that change
// nothing.
func onlyLooks(ops []word) bool {
	for _, w := range ops {
		verb := w.text
		if i := strings.LastIndexByte(verb, ':'); i >= 0 { // "apps:info"
			verb = verb[i+1:]
		}
		verb, _, _ = strings.Cut(verb, "-")
		switch {
		case oneOf(verb, cloudVerbs[0]...):
			return true
		case oneOf(verb, cloudVerbs[1]...):
			return false
		}
	}
	return false
}

// harmlessForm reports uses of far-reaching programs that only look.
func (c *call) harmlessForm() bool {
	ops := c.operands()
	first, last := "", ""
	if len(ops) > 0 {
		first, last = ops[0].text, ops[len(ops)-1].text
	}
	if len(c.args) == 1 && oneOf(c.args[0].text, "--version", "-V", "--help", "-h", "version", "help") {
		return true
	}
	switch c.name {
	case "crontab", "at":
		return c.has("l")
	case "gh", "glab":
		return first == "api" && !c.has("XfF", "method", "field", "raw-field", "input") ||
			len(ops) > 1 && first != "api" && oneOf(ops[1].text, "view", "list", "ls", "diff", "checks", "check", "status", "watch", "download", "verify", "logs", "ports", "field-list", "item-list", "trace")
	case "apt", "apt-get", "brew", "dpkg", "rpm", "apk", "dnf", "pacman", "snap", "flatpak", "port":
		return oneOf(first, "list", "show", "search", "info", "policy", "ls", "deps", "config", "outdated") || c.name == "dpkg" && c.has("lLsS", "list", "status", "search") ||
			c.name == "rpm" && c.has("q", "query") || c.name == "pacman" && len(c.args) > 0 && strings.HasPrefix(c.args[0].text, "-Q")
	case "kubectl", "oc":
		return first == "rollout" && len(ops) > 1 && oneOf(ops[1].text, "status", "history") || c.dryRun()
	case "docker", "podman":
		return len(ops) > 1 && oneOf(first, "swarm", "stack", "service", "secret", "config", "plugin", "node", "context", "system", "volume", "image", "container", "network", "builder") && oneOf(ops[1].text, "ls", "list", "ps", "inspect", "logs", "services", "df")
	case "systemctl", "loginctl", "machinectl", "networkctl", "homectl", "portablectl", "timedatectl", "hostnamectl", "localectl":
		verb, _, _ := strings.Cut(first, "-")
		return oneOf(verb, "", "status", "show", "cat", "list", "is", "get", "help", "timesync", "session", "user", "seat", "inspect", "lldp", "version", "log") || len(ops) == 1 && oneOf(first, "hostname", "chassis", "deployment", "location")
	case "hwclock":
		return len(c.args) == 0 || c.has("r", "show", "get") && !c.has("ws")
	case "update-alternatives", "alternatives":
		return c.has("", "list", "display", "query", "get-selections")
	case "firewall-cmd":
		return c.has("", "list-all", "get-zones", "state", "query") && !c.has("", "add", "remove", "reload", "set")
	case "diskutil", "hdiutil", "tmutil", "pmset", "spctl", "csrutil", "nvram", "scutil", "networksetup", "systemsetup", "dscl":
		return oneOf(first, "list", "info", "status", "listbackups", "destinationinfo") || len(c.args) > 0 && (strings.HasPrefix(c.args[0].text, "-get") || strings.HasPrefix(c.args[0].text, "-list") || c.args[0].is("-g", "-p", "--status", "--get", "--dns", "--proxy"))
	case "iw":
		return len(ops) > 0 && oneOf(last, "info", "list", "dump", "link", "get")
	case "udisksctl":
		return oneOf(first, "status", "info", "dump", "monitor")
	case "terraform", "tofu":
		return first == "state" && len(ops) > 1 && oneOf(ops[1].text, "list", "show")
	case "tmux":
		return oneOf(first, "ls", "has", "lsp", "lsw", "info", "display", "display-message", "capture-pane", "capturep") || strings.HasPrefix(first, "list-") || strings.HasPrefix(first, "show-") || strings.HasPrefix(first, "has-")
	case "screen":
		return len(c.args) == 1 && c.has("", "list") || len(c.args) > 0 && c.args[0].is("-ls", "-list")
	case "service":
		return last == "status"
	case "aws":
		ops = c.operands("--profile", "--region", "--output", "--endpoint-url", "--query", "--ca-bundle", "--color")
		return len(ops) > 1 && onlyLooks(ops[1:2])
	case "gcloud", "az", "gsutil", "rclone", "doctl", "fly", "flyctl", "heroku", "vercel":
		return onlyLooks(ops)
	case "poetry", "composer", "bundle", "conda", "mamba", "flutter", "gem":
		return oneOf(first, "config", "sources") && (c.has("l", "list", "show", "show-sources", "get") || len(ops) > 1 && ops[1].is("list", "get") || c.name == "poetry" && len(ops) == 2 && !c.has("", "unset") || len(ops) < 2 && len(c.args) < 2)
	case "zfs", "zpool", "btrfs", "sysctl", "losetup", "modprobe":
		return oneOf(first, "list", "status", "get") || c.name == "sysctl" && !c.has("wpf", "write", "load", "system") && !slices.ContainsFunc(c.args, func(w word) bool { return strings.Contains(w.text, "=") })
	case "gpg", "gpg2":
		return c.has("k", "list-keys", "verify")
	case "npm", "yarn", "pnpm", "bun", "cargo":
		return c.dryRun() || c.name == "npm" && len(ops) > 1 && oneOf(first, "access", "team", "org", "hook", "profile") && ops[1].is("list", "ls", "get")
	}
	return false
}

// containerReach says what a container is given beside its own walls.
func containerReach(c *call) string {
	inGlobal := true
	for i, w := range c.args {
		text := w.text
		if !w.flag() {
			inGlobal = false
			continue
		}
		next := ""
		if i+1 < len(c.args) {
			next = c.args[i+1].text
		}
		name, v, has := strings.Cut(text, "=")
		if !has && strings.HasPrefix(text, "--") {
			v = next
		}
		switch {
		case inGlobal && (oneOf(name, "--host", "--context", "--config") || strings.HasPrefix(text, "-H") || strings.HasPrefix(text, "-c") && c.name == "docker"):
			return "it acts on another machine"
		case name == "--privileged" && v != "false" || strings.HasPrefix(name, "--cap-add") || strings.HasPrefix(name, "--device"), name == "--volumes-from",
			oneOf(name, "--pid", "--net", "--network", "--ipc", "--uts", "--userns", "--cgroupns") && (v == "host" || strings.HasPrefix(v, "container:")),
			name == "--security-opt" && (strings.Contains(v, "unconfined") || strings.Contains(v, "disable")):
			return "it takes down the walls of the container"
		case strings.Contains(text, "docker.sock"):
			return "it gives a container control of the machine"
		case oneOf(name, "--volume", "--mount"):
			if c.s.mountsOutside(v, w.dyn != "" || i+1 < len(c.args) && c.args[i+1].dyn != "") {
				return "it gives a container access to the machine's files"
			}
		case text[1] != '-':
			if source, is := volumeOf(text, next); is && c.s.mountsOutside(source, w.dyn != "" || i+1 < len(c.args) && c.args[i+1].dyn != "") {
				return "it gives a container access to the machine's files"
			}
		}
	}
	return ""
}

// volumeOf is the value of -v in a group of short options of a container.
func volumeOf(text, next string) (string, bool) {
	i := strings.IndexAny(text[1:], "acehlmpuvw") + 1
	switch {
	case i == 0 || text[i] != 'v':
		return "", false
	case i+1 < len(text):
		return strings.TrimPrefix(text[i+1:], "="), true
	}
	return next, true
}

// mountsOutside reports a volume or mount whose source is a path that is not in
// the workspace. One without a path is a volume of the program's own.
func (s *scan) mountsOutside(text string, unknown bool) bool {
	source, _, _ := strings.Cut(text, ":")
	for part := range strings.SplitSeq(text, ",") {
		if name, v, is := strings.Cut(part, "="); is && oneOf(name, "source", "src") {
			source = v
		}
	}
	if strings.Contains(source, hole) || unknown && !strings.HasPrefix(source, "/") {
		return true
	}
	if !strings.ContainsAny(source, "/~") && !strings.HasPrefix(source, ".") {
		return false
	}
	ts, ok := s.paths(nil, source)
	return !ok || slices.ContainsFunc(ts, func(t target) bool { return !s.inWorkspace(t) && !s.inTemp(t) })
}

// hasWord reports a whole word in text.
func hasWord(text string, words ...string) bool {
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return (r < 'A' || r > 'Z') && r != '_' }) {
		if oneOf(f, words...) {
			return true
		}
	}
	return false
}
