package shell

import "strings"

// plainName reports a word that no shell and no program reads specially.
func plainName(w string) bool {
	if w == "" {
		return false
	}
	for i := range len(w) {
		c := w[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || strings.IndexByte("_-+.:", c) < 0) {
			return false
		}
	}
	return true
}

// exactOnly reports programs that do whatever their arguments say: a key of one
// or two words would cover anything.
func exactOnly(name string) bool {
	if _, wraps := wrapperOf(name); wraps || launches([]string{name}) || isShell(name) || isLanguage(name) || isEditor(name) || isClient(name) {
		return true
	}
	return oneOf(name, "make", "gmake", "just", "task", "rake", "ninja", "xargs", "watch", "parallel", "script", "ssh", "npx", "bunx", "pnpx", "uvx", "awk", "gawk", "mawk", "nawk",
		"vim", "vi", "nvim", "emacs", "gdb", "lldb", "curl", "wget", "rsync", "scp", "sftp", "nix-shell", "nix", "entr", "nodemon", "watchexec", "su", "man", "tee", "dd", "sqlite3", "psql", "mysql", "tmux", "screen",
		"mv", "cp", "ln", "rm", "rmdir", "unlink", "install", "chmod", "chown", "chgrp", "kill", "ifconfig", "route", "open", "xdg-open", "code", "tar", "zip", "unzip", "gzip", "patch", "truncate")
}

// isEditor reports editors, which run what they are told to as well.
func isEditor(name string) bool {
	return oneOf(name, "vim", "vi", "nvim", "view", "ex", "ed", "rvim", "rview", "gvim", "gview", "vimdiff", "gvimdiff", "nvim-qt", "emacs", "emacsclient", "nano", "pico", "joe", "micro", "hx", "kak", "mg", "jed", "mcedit")
}

// isClient reports programs that talk to the machine that their words name, or
// send it what their words say.
func isClient(name string) bool {
	return oneOf(name, "nc", "ncat", "netcat", "socat", "telnet", "ftp", "lftp", "tftp", "aria2c", "http", "https", "xh", "httpie", "lynx", "w3m", "links", "youtube-dl", "yt-dlp", "redis-cli", "mongo", "mongosh", "ssh-keyscan", "finger",
		"ping", "ping6", "dig", "drill", "kdig", "delv", "nslookup", "host", "whois", "traceroute", "tracepath", "mtr", "nmap", "arping", "fping", "getent", "avahi-resolve", "systemd-resolve", "resolvectl", "logger", "wscat", "websocat", "grpcurl", "curlie", "axel", "openssl")
}

// never lists the shell's own words, which change the shell and run nothing.
func never(name string) bool {
	return oneOf(name, "cd", "pushd", "popd", "eval", "source", ".", "trap", "alias", "unalias", "set", "unset", "export", "readonly", "read", "exit", "return", "shift", "hash", "enable",
		"shopt", "umask", "ulimit", "wait", "bg", "fg", "jobs", "disown", "complete", "bind", "let", "local", "declare", "typeset", "getopts", "mapfile", "readarray", "break", "continue", "times")
}

// wholeProgram reports programs without subcommands, whose name is the key.
func wholeProgram(name string) bool {
	return reader(name) || oneOf(name, "sed", "gofmt", "goimports", "gofumpt", "mkdir", "touch", "staticcheck", "golint", "eslint", "prettier", "tsc", "pytest", "mypy", "flake8", "pylint",
		"shellcheck", "jest", "vitest", "mocha", "less", "more", "bat", "zcat", "ps", "lsof", "pgrep", "yq", "ctags", "golangci-lint")
}

// keyWords is how many words the key of a program with subcommands has.
func keyWords(words []string) int {
	if len(words) < 2 {
		return 2
	}
	for _, p := range []string{
		"npm run|config|pkg|cache|access|audit", "pnpm run|config|store", "yarn run|config|workspace", "bun run|pm", "go mod|work|tool", "git stash|remote|config|worktree|submodule|notes|bisect|reflog|lfs|bundle",
		"docker compose|container|image|volume|network|system|buildx", "podman compose|container|image|volume|network|system", "gh pr|issue|repo|run|release|workflow|gist|label|search|cache",
		"glab mr|issue|repo|ci|release", "kubectl config|rollout", "helm repo", "terraform state|workspace", "uv pip|tool|python|cache", "poetry env|run|config", "bundle config|exec", "cargo xtask|nextest|make",
		"rustup toolchain|target|component", "dotnet tool|nuget|ef", "prisma migrate|db", "supabase db|functions|migration|secrets|storage|gen", "rails db|generate", "conda env",
	} {
		program, subs, _ := strings.Cut(p, " ")
		if words[0] == program && oneOf(words[1], strings.Split(subs, "|")...) {
			return 3
		}
	}
	return 2
}

// runsAny reports subcommands that run what the rest of the line names.
func runsAny(words []string) bool {
	if launches(words) {
		return true
	}
	for _, p := range []string{
		"go run|generate", "npm exec|x|explore", "pnpm exec|dlx|x", "yarn exec|dlx|node", "bun x", "cargo run|xtask|make", "poetry run|shell", "uv run", "pipenv run|shell", "bundle exec",
		"git bisect|difftool|mergetool|filter-branch|submodule|instaweb|help", "docker run|exec|compose|build|buildx", "podman run|exec|build", "kubectl exec|run|debug", "hatch run", "tox run|exec", "nox run", "mise exec|run|x",
		"direnv exec", "dotnet run|exec", "rails runner|console", "composer exec|run-script|run", "deno run|task|eval|repl", "gh api|extension|alias", "conda run", "mamba run", "bazel run", "mix run",
		"stack exec|run|runghc|ghc|script|ghci", "cabal exec|run|repl", "dune exec", "zig run", "crystal run|eval", "nim r", "dart run", "swift run|package", "lein run", "nx run|exec", "turbo run", "lerna run|exec", "moon run", "volta run", "docker-compose run|exec", "podman compose", "nerdctl run|exec|compose|build",
		"helm plugin", "pre-commit try-repo", "rebar3 shell", "composer run", "perf record|stat|trace",
	} {
		program, subs, _ := strings.Cut(p, " ")
		if words[0] == program && len(words) > 1 && oneOf(words[1], strings.Split(subs, "|")...) {
			return true
		}
	}
	return false
}

// scriptRunner reports a named script that is given more than its name.
func scriptRunner(words []string) bool {
	return words[1] == "run" && oneOf(words[0], "npm", "pnpm", "yarn", "bun")
}

func allPlain(words []string) bool {
	for i, w := range words {
		if !plainName(w) || i > 0 && strings.Contains(w, ".") {
			return false
		}
	}
	return true
}
