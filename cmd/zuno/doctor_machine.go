package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tui"
)

func programFinding() finding {
	words := fmt.Sprintf("%s, %s/%s", versionText(), runtime.GOOS, runtime.GOARCH)
	if exe, err := os.Executable(); err == nil {
		words += ", " + exe
	}
	if os.Geteuid() == 0 {
		return noted("zuno", words+", as root", "as root nothing but the sandbox and your own answers hold a command back: use an account of its own where you can")
	}
	return fine("zuno", words)
}

// terminalFinding says what the screen would use here.
func terminalFinding() finding {
	words := tui.Ability(os.Environ())
	for _, w := range [][2]string{{"TMUX", "in tmux"}, {"SSH_CONNECTION", "over ssh"}} {
		if os.Getenv(w[0]) != "" {
			words += ", " + w[1]
		}
	}
	if !isTerminal(os.Stdin) || !isTerminal(os.Stdout) {
		return noted("terminal", words+", none here", "the screen needs a terminal; zuno run needs none")
	}
	cols, rows := windowSize(os.Stdout)
	if cols == 0 || rows == 0 {
		return noted("terminal", words+", of unknown size", "run stty rows 24 cols 80 if the screen looks wrong")
	}
	words += fmt.Sprintf(", %dx%d", cols, rows)
	if cols < 40 || rows < 10 {
		return noted("terminal", words, "it is small: 40x10 or more is readable")
	}
	return fine("terminal", words)
}

func ripgrepFinding(ctx context.Context, p *plan) finding {
	path, version, err := shell.FindRipgrep(ctx, p.lookup())
	if err != nil {
		return wrong("ripgrep", err.Error(), fmt.Sprintf("install ripgrep %d or newer, or name one in ZUNO_RG: zuno does not start a session without", shell.MinRipgrep))
	}
	return fine("ripgrep", version+", "+path)
}

func gitFinding(p *plan) finding {
	path, err := p.lookup().Find("git")
	if err != nil {
		return noted("git", err.Error(), "zuno works without; install git if you or the model are to use it")
	}
	return fine("git", path)
}

// sandboxFindings says what commands are confined to, what that cannot do here,
// and whether it is what is configured. The sandbox is tried.
func sandboxFindings(p *plan) []finding {
	s, err := newSandbox(p)
	if err != nil {
		return []finding{wrong("sandbox", err.Error(), "take sandbox.mode out of zuno.json to get what the machine offers")}
	}
	c, words, err := s.confine()
	if err != nil {
		return []finding{wrong("sandbox", err.Error(), "take sandbox.mode out of zuno.json to get what the machine offers")}
	}
	words += "; tried: the machine has " + s.ability().String()
	list := []finding{fine("sandbox", words)}
	if c == nil {
		list[0] = noted("sandbox", words, sandboxFix())
	}
	for _, l := range s.ability().Limits() {
		list = append(list, noted("sandbox", l, ""))
	}
	return list
}

func sandboxFix() string {
	switch {
	case runtime.GOOS != "linux":
		return "there is a sandbox on Linux only: keep the policy strict or low-risk, and look at what you allow"
	case inContainer():
		return "the container forbids it: allow user namespaces (docker run --security-opt seccomp=unconfined), or let the container be the sandbox"
	}
	return "a kernel with Landlock (5.13 or newer), user namespaces (sysctl user.max_user_namespaces) or bubblewrap gives one"
}

// inContainer guesses whether this is one; it decides nothing but words.
func inContainer() bool {
	for _, f := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(f); err == nil {
			return true
		}
	}
	return os.Getenv("container") != "" || os.Getenv("KUBERNETES_SERVICE_HOST") != ""
}

// recordFindings checks the whole database, when there is one, and that it is
// nobody else's to read.
func recordFindings(p *plan) []finding {
	path := p.recordPath()
	info, err := os.Stat(path)
	if os.IsNotExist(err) {
		return []finding{fine("record", path+", not there yet")}
	}
	const repair = "zuno sessions repair says what can be saved, and does it with --yes"
	db, err := store.Open(path, time.Now)
	if err != nil {
		return []finding{wrong("record", err.Error(), repair)}
	}
	defer db.Close()
	if err := db.Check(); err != nil {
		return []finding{wrong("record", err.Error(), repair)}
	}
	words := path + ", whole"
	if info != nil {
		words += fmt.Sprintf(", %d KiB", (info.Size()+1023)/1024)
		if othersRead(path, info) {
			return []finding{fine("record", words), wrong("record", "others can read it", makePrivate(path))}
		}
	}
	return []finding{fine("record", words)}
}

func processFindings(p *plan) []finding {
	var list []finding
	for _, line := range strays(p.root) {
		list = append(list, wrong("processes", line, "kill it when it is of no use"))
	}
	return list
}
