package shell

import (
	"fmt"
	"testing"
)

func TestZZ(t *testing.T) {
	at := with("/home/u/work/a", "/home/u/work/dir/", "/home/u/work/Makefile")
	for _, l := range []string{
		"cat a | xargs ls", "ls | head", "cat ~/.bashrc", "echo hi >> ~/.bashrc", "git log --format='%H' | head -3", "git diff main...HEAD", "git show HEAD:a", "git log --author='x y'", "git blame a",
		"go test ./... 2>&1 | tail -20", "cd dir && go test ./...", "GOFLAGS=-mod=mod go build ./...", "CGO_ENABLED=0 go build ./...", "grep -rn 'foo|bar' --include='*.go' .", "find . -type f | wc -l", "find . -type f -name '*.go' -not -path './vendor/*'",
		"sed -n '1,50p' a", "sed -n '/start/,/end/p' a", "head -c 100 a", "wc -l *.go", "ls -la ~/.ssh", "tail -f a", "cat a b c", "diff -u a dir/b", "tree -L 2", "du -sh .", "git rev-parse --show-toplevel", "git status && git diff", "which python3 && python3 --version",
		"for f in *.go; do echo $f; done", "test -d dir || mkdir dir", "[ -f a ] && echo yes", "echo \"hello $USER\"", "echo \"in $HOME\"", "pwd; ls", "jq '.a | .b' x.json", "date +%s", "rg -l 'sudo' | head", "cat package.json | jq .scripts", "npm ls", "npm --version", "cat go.mod go.sum", "env | grep PATH", "printenv", "export FOO=bar && make", "time go test ./...", "sleep 1 && ls", "kill %1", "nohup ./server > out.log 2>&1 &", "curl localhost:8080/health", "docker compose up -d", "docker compose logs", "git add -A && git commit -m 'x'", "git stash && git pull", "git log -p -- a", "git grep foo", "git branch -a", "git tag", "git remote -v", "git worktree list", "git cherry-pick abc", "git revert HEAD", "git reset HEAD~1", "git reset --soft HEAD~1", "git merge --abort", "git fetch origin --force", "git apply x.patch", "git am x", "git checkout a", "git submodule update --init", "patch -p1 < x.patch", "cargo test", "cargo run", "pytest -x", "python3 -m pytest", "python3 - <<'EOF'\nprint(1)\nEOF", "node -p 1", "perl -ne 'print' a", "make -j4", "make -C dir", "tar czf out.tgz dir", "tar tf x.tgz", "unzip x.zip", "ln -s a b", "cp -r dir dir2", "mv a dir/", "chmod +x a", "mkdir -p x/y", "touch new", "rm a", "rm -r dir", "echo x > a", "echo x >> a", "cat > a <<'EOF'\nx\nEOF", "cat > new <<'EOF'\nx\nEOF", "tee new <<< x", "ssh host uptime", "rm -rf node_modules", "find . -name node_modules -prune -exec rm -rf {} +", "killall node", "lsof -ti:3000 | xargs kill", "lsof -ti:3000 | xargs kill -9", "ps aux | grep node | awk '{print $2}'", "awk -F: '{print $1}' a", "sort a | uniq -c | sort -rn | head", "tr -d '\\r' < a > b", "base64 -d a | jq .", "openssl rand -hex 8", "gh pr create --fill", "gh api repos/x/y", "xdg-open x", "open .", "code .", "ls /tmp", "cat /tmp/x", "ls /nonexistent", "ls ..", "cat /etc/os-release", "git --no-pager log", "git -C dir log", "git --no-pager diff", "LANG=C sort a", "sudo", "history | tail", "su", "echo $PATH", "echo $?", "echo $$", "set -e; make", "set -euo pipefail\ngo build ./...\ngo test ./...\n", "! grep foo a", "if ! git diff --quiet; then echo dirty; fi", "go run ./cmd/x --flag", "go install ./...", "go mod tidy", "go list ./...", "gofmt -l .", "gofmt -w .", "go vet ./...", "staticcheck ./...", "golangci-lint run", "npx tsc --noEmit", "yarn", "yarn build", "pnpm run lint", "bun test", "cmake -B build", "ninja -C build", "./gradlew build", "mvn test", "dotnet build", "kubectl get pods -n x", "kubectl logs x", "terraform plan", "aws s3 ls", "psql -c 'select 1'", "sqlite3 x.db 'select 1'", "redis-cli ping", "crontab -l", "systemctl status x", "journalctl -u x", "dmesg", "uname -a", "id", "whoami", "hostname", "ifconfig", "ip a", "netstat -tlnp", "ss -tlnp", "top -b -n1", "free -m", "df -h", "uptime", "lscpu", "cat /proc/cpuinfo", "cat /sys/x",
	} {
		a := Analyze(l, at)
		tier, why := a.Tier()
		d := ""
		if a.Denied != nil {
			d = " DENY " + a.Denied.Rule
		}
		m := ""
		if len(a.Manual) > 0 {
			m = fmt.Sprint(" MANUAL ", a.Manual)
		}
		mild := ""
		if a.Mild {
			mild = " MILD"
		}
		k := a.Key
		if k == "" {
			k = "-"
		}
		fmt.Printf("%-60q %-9s%s%s%s key=%s  | %s %v\n", l, tier, mild, d, m, k, clip(why, 60), a.Outside)
	}
}
