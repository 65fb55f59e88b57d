package shell

import (
	"strings"
	"sync"
)

// secretActs lists commands that print what keeps an account or what another
// program holds. The words are as in farActs; a "-" at the end of the program's
// name stands for all names that begin so.
var secretActs = []struct{ words, why string }{
	{"gh|glab auth token", "it shows a credential"},
	{"gcloud auth print-access-token|print-identity-token|print-refresh-token|application-default", "it shows a credential"},
	{"az account get-access-token", "it shows a credential"},
	{"aws configure get|export-credentials", "it shows a credential"},
	{"aws ecr|ecr-public|codeartifact get-login-password|get-login|get-authorization-token", "it shows a credential"},
	{"aws secretsmanager get-secret-value|batch-get-secret-value", "it shows a credential"},
	{"aws ssm get-parameter|get-parameters|get-parameters-by-path", "it shows a credential"},
	{"aws sts get-session-token|get-federation-token|assume-role|assume-role-with-web-identity|assume-role-with-saml", "it shows a credential"},
	{"kubectl|oc get secret|secrets", "it shows a credential"},
	{"heroku auth:token", "it shows a credential"},
	{"bw get|list|export", "it shows a credential"},
	{"lpass show|export", "it shows a credential"},
	{"keyctl print|read|pipe", "it shows a credential"},
	{"docker-credential- get|list", "it shows a credential"},
	{"git-credential-", "it shows a credential"},
	{"git credential|credential-store|credential-cache|credential-osxkeychain|credential-libsecret|credential-manager|credential-wincred", "it shows a credential"},
	{"pbpaste|wl-paste|xclip|xsel", "it shows what is on the clipboard"},
	{"tmux capture-pane|capturep|show-buffer|showb|save-buffer|saveb|show-environment|showenv", "it shows what another terminal holds"},
	{"gcore|pargs|jmap|procdump", "it shows what another process holds"},
}

var secretIndex = sync.OnceValue(func() map[string][]act {
	out := map[string][]act{}
	for _, row := range secretActs {
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

// showsSecret says why a call may print a secret that lies in no file it
// names, or "".
func showsSecret(c *call) string {
	name := c.name
	for _, prefix := range []string{"docker-credential-", "git-credential-"} {
		if strings.HasPrefix(name, prefix) {
			name = prefix
		}
	}
	if acts := secretIndex()[name]; acts != nil {
		ops := c.operands("--profile", "--region", "-n", "--namespace", "--context", "--kubeconfig", "-C", "-c")
		for _, a := range acts {
			if follows(ops, a.words) {
				return a.why
			}
		}
	}
	switch name {
	case "gh", "glab":
		if ops := c.operands(); len(ops) > 1 && ops[0].is("auth") && c.has("t", "show-token") {
			return "it shows a credential"
		}
	case "kubectl", "oc":
		ops := c.operands("-n", "--namespace", "--context", "--kubeconfig", "-o", "--output", "-l", "--selector")
		if len(ops) > 1 && ops[0].is("config") && c.has("", "raw") {
			return "it shows a credential"
		}
		if len(ops) > 0 && ops[0].is("get", "describe") {
			for _, kinds := range ops[1:] {
				for kind := range strings.FieldsFuncSeq(kinds.text, func(r rune) bool { return r == ',' || r == '/' || r == '.' }) {
					if oneOf(strings.ToLower(kind), "secret", "secrets") {
						return "it shows a credential"
					}
				}
			}
			if w, ok := c.value("", "raw"); ok && strings.Contains(w.text, "secret") {
				return "it shows a credential"
			}
		}
	case "gdb", "lldb", "strace", "ltrace", "gdbserver":
		if c.has("p", "pid", "attach", "attach-pid") {
			return "it shows what another process holds"
		}
	}
	return ""
}
