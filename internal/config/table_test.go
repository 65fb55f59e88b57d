//go:build unix

package config

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheTableIsConsistent(t *testing.T) {
	seen := map[string]bool{}
	for i := range table {
		k := &table[i]
		if seen[k.path] {
			t.Errorf("%s is there twice", k.path)
		}
		seen[k.path] = true
		if parent, _ := split(k.path); parent != "" && !seen[parent] {
			t.Errorf("%s comes before its parent", k.path)
		}
		if strings.HasSuffix(k.path, ".*") && k.name == nil {
			t.Errorf("%s checks no names", k.path)
		}
		if k.kind == named && find(k.path+".*") == nil {
			t.Errorf("%s has nothing below it", k.path)
		}
		if k.kind != later && k.doc == "" {
			t.Errorf("%s is not documented", k.path)
		}
		if value := k.kind != object && k.kind != named && k.kind != later; value && k.set == nil && k.part == nil {
			t.Errorf("%s goes nowhere", k.path)
		}
		if parent, _ := split(k.path); k.part != nil && (find(parent).kind != rule || rulePattern(k.path[len(parent)+1:]) == "") {
			t.Errorf("%s is a part of nothing, or could be meant for a pattern", k.path)
		}
		if (k.tightens != nil) != (k.projects != "") {
			t.Errorf("%s: the reference does not say what projects may do", k.path)
		}
		if k.grants != nil && k.trusted == "" || k.trusted != "" && k.set == nil {
			t.Errorf("%s: the reference does not say what trusted projects may do", k.path)
		}
		if k.def == "" {
			continue
		}
		if _, problem := k.read(literal(k.def)); problem != "" {
			t.Errorf("the default of %s %s", k.path, problem)
		}
	}
}

func TestTheSchemaHasEveryKey(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for i := range table {
		at := schema
		for _, name := range strings.Split(table[i].path, ".") {
			if either, ok := at["anyOf"].([]any); ok { // a word, or an object
				at = either[1].(map[string]any)
			}
			next := at["additionalProperties"]
			if ps, ok := at["properties"].(map[string]any); ok {
				next = ps[name]
			}
			if at, _ = next.(map[string]any); at == nil {
				break
			}
		}
		if at == nil {
			t.Errorf("%s is missing", table[i].path)
		}
	}
	policy := schema["properties"].(map[string]any)["approval"].(map[string]any)["properties"].(map[string]any)["policy"].(map[string]any)
	if policy["default"] != "low-risk" || len(policy["enum"].([]any)) != 5 {
		t.Errorf("approval.policy is %v", policy)
	}
}

func TestTheReferenceHasEveryKeyInRowsOfFiveCells(t *testing.T) {
	page := Reference()
	for i := range table {
		if !strings.Contains(page, "`"+placeholder(table[i].path)+"`") {
			t.Errorf("%s is missing", table[i].path)
		}
	}
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != 6 {
			t.Errorf("not five cells: %s", line)
		}
	}
	if again := Reference(); again != page {
		t.Error("the page differs from one time to the next")
	}
}

func TestTheExampleOfTheReferenceIsValid(t *testing.T) {
	_, rest, _ := strings.Cut(Reference(), "```jsonc\n")
	example, _, _ := strings.Cut(rest, "```")
	if m := mistake(example); m != "" {
		t.Error(m)
	}
}
