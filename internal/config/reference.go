package config

import (
	"fmt"
	"strings"
)

// Reference returns the page that documents the configuration, as Markdown.
func Reference() string {
	var b strings.Builder
	b.WriteString(introduction)
	b.WriteString("| key | value | default | set by | meaning |\n|---|---|---|---|---|\n")
	var unsupported []string
	for i := range table {
		k := &table[i]
		if k.kind == later {
			unsupported = append(unsupported, "`"+placeholder(k.path)+"`")
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", placeholder(k.path), k.column(), k.fallback(), k.setters(), k.doc)
	}
	b.WriteString("\n## Known, not supported by this version\n\n")
	b.WriteString("Using one of these is reported and has no effect; those of agents but `color` are errors.\n\n")
	b.WriteString(strings.Join(unsupported, " · ") + "\n")
	return b.String()
}

const introduction = `# Configuration

<!-- Generated from the table in internal/config/keys.go. Do not edit. -->

zuno reads ` + "`zuno.json` or `zuno.jsonc`" + ` (JSON with comments and trailing commas) from:

1. ` + "`$XDG_CONFIG_HOME/zuno/`, which is usually `~/.config/zuno/`" + `: your own. Trusted.
2. ` + "`--config FILE`" + `: for one run, above your own. Trusted.
3. the root of the repository and its ` + "`.zuno/`" + `: the project's. Until you trust it, it may only tighten what the
   others say; whatever else it says is ignored and reported. What "trusted projects" may set is in force once you have
   seen the file and said so (` + "`zuno trust`" + `, or the question at the start), until its text changes. The rest is only yours.

Objects of several files are merged, other values replaced; rules are appended. Both spellings in one folder are an
error, and so are unknown keys, keys given twice and values of the wrong type. ` + "`ZUNO_HOME`" + ` moves everything that zuno keeps
into its sub-folders ` + "`config`, `data`, `cache` and `state`" + `. No ` + "`.env`" + ` file is read.

` + "```jsonc" + `
{
  "model": "anthropic/claude-sonnet-5-5",
  "provider": {
    "local": {"api": "openai-compatible", "baseURL": "http://127.0.0.1:8080/v1"}
  },
  "permission": {
    "rules": {
      "shell": { // the last match wins, a deny is final
        "git log*": {"action": "allow", "match": ["git log -3"], "not_match": ["git log -3 && rm x"]},
        "git push *": "ask",
        "rm *": "deny"
      },
      "edit": {"secrets/*": "deny"}
    }
  }
}
` + "```" + `

` + "`zuno config schema`" + ` prints a JSON schema of the file.

## Keys

`

// placeholder writes the names of the user's choice as words.
func placeholder(path string) string {
	return strings.NewReplacer("provider.*", "provider.ID", "models.*", "models.MODEL", "rules.*.*", "rules.TOOL.PATTERN", "rules.*", "rules.TOOL", ".*", ".NAME").Replace(path)
}

func (k *key) column() string {
	switch k.kind {
	case text:
		return "string"
	case oneOf:
		return "`" + strings.Join(k.enum, "` `") + "`"
	case whole:
		return fmt.Sprintf("%d to %d", k.min, k.max)
	case number:
		return "number"
	case flag:
		return "`true` `false`"
	case anything:
		return "object"
	case list:
		return "list of strings"
	case raw:
		return strings.TrimPrefix(strings.TrimPrefix(k.wanted, "a "), "an ")
	case rule:
		return "`" + strings.Join(k.enum, "` `") + "` or object"
	}
	return "object"
}

func (k *key) fallback() string {
	if k.def != "" {
		return "`" + strings.Trim(k.def, `"`) + "`"
	}
	return k.unset
}

func (k *key) setters() string {
	if k.kind == object || k.kind == named || k.part != nil {
		return ""
	}
	by := "you"
	if k.tightens != nil {
		by += "; projects: " + k.projects
	}
	switch k.trusted {
	case "":
		return by
	case "all":
		return by + "; trusted projects"
	}
	return by + "; trusted projects: " + k.trusted
}
