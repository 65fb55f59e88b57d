package page

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// complete returns the page with what it lacks at the beginning of its head: the
// encoding, the policy, the size that it is laid out for and the title. Nothing
// of the page itself is changed.
func complete(page string, w webApp) string {
	at := beginning().FindStringIndex(page)[1]
	head, tail := strings.TrimSpace(page[:at]), strings.TrimLeft(page[at:], "\r\n")
	if doctype().FindString(head) == "" {
		head = strings.TrimSuffix("<!DOCTYPE html>\n"+head, "\n")
	}
	lines := []string{head, `<meta charset="utf-8">`, `<meta http-equiv="Content-Security-Policy" content="` + policy(w.interactive) + `">`}
	viewport, title := brings(page)
	if !viewport {
		lines = append(lines, fmt.Sprintf(`<meta name="viewport" content="width=%d, height=%d">`, w.width, w.height))
	}
	if !title {
		lines = append(lines, "<title>"+html.EscapeString(w.title)+"</title>")
	}
	return strings.TrimSuffix(strings.Join(append(lines, tail), "\n"), "\n") + "\n"
}

// beginning is what may stand before the policy: the doctype and the tags of html
// and head, as plain as they usually are. Before anything else the policy comes
// first, and a browser takes it for the beginning of the head.
func beginning() *regexp.Regexp {
	const attributes = `(\s+[a-zA-Z-]+(=("[\w-]*"|'[\w-]*'|[\w-]+))?)*\s*`
	return regexp.MustCompile(`^(?i:\s*<!doctype html>)?(?i:\s*<html` + attributes + `>)?(?i:\s*<head` + attributes + `>)?`)
}

func doctype() *regexp.Regexp { return regexp.MustCompile(`^(?i:<!doctype html>)`) }

// policy has browsers load nothing and send nothing, and run no scripts or those
// in the page.
func policy(interactive bool) string {
	if !interactive {
		return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:; base-uri 'none'; form-action 'none'"
	}
	return "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
}

// brings reports whether a page says for which size it is, and what it is called.
func brings(page string) (viewport, title bool) {
	z := html.NewTokenizer(strings.NewReader(page))
	in := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return viewport, title
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			in = t.Data
			viewport = viewport || in == "meta" && strings.EqualFold(value(t, "name"), "viewport")
		case html.TextToken:
			title = title || in == "title" && strings.TrimSpace(string(z.Raw())) != ""
			in = ""
		case html.EndTagToken:
			in = ""
		}
	}
}
