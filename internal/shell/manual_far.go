package shell

import (
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
	{"npm|pnpm|yarn publish|unpublish|deprecate|owner|adduser|login|logout|token|dist-tag", "it publishes or changes a package for everyone"},
	{"cargo publish|yank|owner|login", "it publishes or changes a package for everyone"},
	{"twine|flit|hatch upload|publish", "it publishes a package for everyone"},
	{"poetry|uv|pdm publish", "it publishes a package for everyone"},
	{"gem push|yank", "it publishes a package for everyone"},
	{"mvn|mvnw deploy", "it publishes a package for everyone"},
	{"goreleaser release|publish", "it publishes a release for everyone"},
	{"gh|glab release|repo|secret|auth|ssh-key|gpg-key|variable|workflow|run create|delete|edit|upload|merge|set|remove|login|logout|archive|rename|enable|disable|cancel|rerun|add|transfer|fork|sync|refresh", "it changes something that others share"},
	{"gh|glab pr|mr|issue|gist|label|project|discussion create|merge|close|reopen|edit|comment|review|delete|lock|ready|transfer|approve|note", "others will see it"},
	{"gh api", "it may change anything that the account can"},
	{"docker|podman|nerdctl push|login|logout", "it publishes an image for everyone"},
	{"docker|podman|nerdctl rm|rmi|prune|kill", "it removes containers or images"},
	{"docker|podman|nerdctl system|volume|image|container|network|builder rm|prune|remove", "it removes containers, images or volumes"},
	{"docker|podman compose down|rm", "it removes containers"},
	{"docker-compose down|rm", "it removes containers"},
	{"kubectl|oc delete|apply|create|replace|patch|edit|scale|drain|cordon|rollout|exec|cp|run|set|label|annotate|taint", "it changes a cluster"},
	{"helm install|upgrade|uninstall|delete|rollback|push", "it changes a cluster"},
	{"terraform|tofu|terragrunt|pulumi apply|destroy|import|taint|state|up|refresh|cancel", "it changes real infrastructure"},
	{"ansible-playbook", "it changes other machines"},
	{"ansible", "it changes other machines"},
	{"aws s3 rm|rb|mv|cp|sync", "it changes stored objects"},
	{"gsutil|rclone rm|rb|mv|cp|rsync|sync|delete|purge|copy|move", "it changes stored objects"},
	{"gcloud|az|aws|doctl|heroku|fly|flyctl|vercel|netlify|firebase|wrangler|eb|cf|serverless|sls|sam|cdk|railway", "it acts in a cloud account"},
	{"systemctl start|stop|restart|enable|disable|mask|kill|reload|daemon-reload|edit|isolate", "it changes the machine's services"},
	{"service|launchctl|initctl|rc-service|update-rc.d|chkconfig", "it changes the machine's services"},
	{"crontab|at|batch", "it schedules something for later"},
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
	{"npm|pnpm|yarn|bun|pip|pip3|gh|glab|pdm|jj|az|gcloud config set|unset|delete|edit|add", "it changes a program's settings, which later runs follow"},
	{"npm|pnpm set", "it changes a program's settings, which later runs follow"},
	{"poetry|composer|bundle|conda|mamba|flutter config", "it changes a program's settings, which later runs follow"},
	{"gh|glab alias set|import|delete", "it changes what a later command means"},
	{"gh extension install|upgrade|remove|exec", "it changes what a later command means"},
	{"gem sources", "it changes a program's settings, which later runs follow"},
	{"kubectl|oc config set|set-context|set-cluster|set-credentials|use-context|use|unset|delete-context|delete-cluster|delete-user|rename-context", "it changes a program's settings, which later runs follow"},
	{"docker|podman context create|use|update|rm|import", "it changes a program's settings, which later runs follow"},
	{"helm repo|plugin add|install|remove|rm|uninstall|update", "it changes a program's settings, which later runs follow"},
	{"ip link|address|addr|a|route|r|rule|netns|neigh|tunnel add|del|delete|set|change|replace|append|flush|exec", "it changes the machine's network"},
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
		return first == "api" && !c.has("XfF", "method", "field", "raw-field", "input") || oneOf(first, "pr", "issue", "repo", "run") && len(ops) > 1 && oneOf(ops[1].text, "view", "list", "diff", "checks", "status")
	case "apt", "apt-get", "brew", "dpkg", "rpm", "apk", "dnf", "pacman", "snap", "flatpak", "port":
		return oneOf(first, "list", "show", "search", "info", "policy", "ls", "deps", "config", "outdated") || c.name == "dpkg" && c.has("lLsS", "list", "status", "search") ||
			c.name == "rpm" && c.has("q", "query") || c.name == "pacman" && len(c.args) > 0 && strings.HasPrefix(c.args[0].text, "-Q")
	case "kubectl", "oc":
		return first == "rollout" && len(ops) > 1 && oneOf(ops[1].text, "status", "history") || c.has("", "dry-run")
	case "terraform", "tofu":
		return first == "state" && len(ops) > 1 && oneOf(ops[1].text, "list", "show")
	case "tmux":
		return oneOf(first, "ls", "has", "lsp", "lsw", "info", "display", "display-message", "capture-pane", "capturep") || strings.HasPrefix(first, "list-") || strings.HasPrefix(first, "show-") || strings.HasPrefix(first, "has-")
	case "screen":
		return len(c.args) == 1 && c.has("", "list") || len(c.args) > 0 && c.args[0].is("-ls", "-list")
	case "service":
		return last == "status"
	case "aws", "gcloud", "az", "gsutil", "rclone", "doctl", "fly", "flyctl", "heroku", "vercel":
		for _, w := range ops {
			if verb, _, _ := strings.Cut(w.text, "-"); oneOf(verb, "describe", "list", "get", "ls", "show", "head", "status", "logs", "version") {
				return true
			}
		}
	case "poetry", "composer", "bundle", "conda", "mamba", "flutter", "gem":
		return c.has("l", "list", "show", "show-sources", "get") || len(ops) > 1 && ops[1].is("list", "get") || c.name == "poetry" && len(ops) == 2 && !c.has("", "unset") || len(ops) < 2 && len(c.args) < 2
	case "zfs", "zpool", "btrfs", "sysctl", "losetup", "modprobe":
		return oneOf(first, "list", "status", "get") || c.name == "sysctl" && !c.has("wp", "write", "load") && !strings.Contains(first, "=")
	case "gpg", "gpg2":
		return c.has("k", "list-keys", "verify")
	case "npm", "yarn", "pnpm", "cargo":
		return c.has("", "dry-run")
	}
	return false
}

func containerReach(c *call) string {
	for i, w := range c.args {
		text := w.text
		if oneOf(text, "-v", "--volume", "--mount") && i+1 < len(c.args) {
			text = text + "=" + c.args[i+1].text
		}
		_, v, _ := strings.Cut(text, "=")
		switch {
		case oneOf(text, "--privileged", "--pid=host", "--net=host", "--network=host", "--ipc=host", "--userns=host"), strings.HasPrefix(text, "--cap-add"), strings.HasPrefix(text, "--device"):
			return "it takes down the walls of the container"
		case strings.HasPrefix(text, "-v"), strings.HasPrefix(text, "--volume"), strings.HasPrefix(text, "--mount"):
			if strings.HasPrefix(v, "/") || strings.Contains(v, "source=/") || strings.Contains(v, "src=/") || strings.HasPrefix(text, "-v/") || strings.HasPrefix(v, "~") || strings.Contains(v, hole) {
				return "it gives a container access to the machine's files"
			}
		case strings.Contains(text, "docker.sock"):
			return "it gives a container control of the machine"
		}
	}
	return ""
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
