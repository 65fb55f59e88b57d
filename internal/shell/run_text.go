package shell

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Status says in one line how the command ended.
func (r Result) Status() string {
	took := r.Duration.Round(time.Millisecond)
	switch {
	case !r.Started:
		return "did not start: " + strings.TrimPrefix(fmt.Sprint(r.Err), "not started: ")
	case r.TimedOut:
		return fmt.Sprintf("timed out after %s and was killed", took)
	case r.Killed:
		return fmt.Sprintf("was stopped after %s", took)
	case r.Signal != "":
		return fmt.Sprintf("killed by %s (exit code %d)", r.Signal, r.Exit)
	case r.Exit > 128 && signalName(r.Exit-128) != "":
		return fmt.Sprintf("exit code %d (as after %s)", r.Exit, signalName(r.Exit-128))
	}
	return fmt.Sprintf("exit code %d", r.Exit)
}

// Text returns the output as text: valid UTF-8 without control characters,
// standard error after a line that says so, binary data only described. What
// does not fit into maxBytes and maxLines is cut from the middle of each
// stream, with a marker that tells the sizes and where the rest is; cut reports
// that. The markers come on top of the limits. Without any output it is "".
func (r Result) Text(maxBytes, maxLines int) (text string, cut bool) {
	out, errs := r.Stdout.render(), r.Stderr.render()
	fit := size{bytes: max(maxBytes, 2), lines: max(maxLines, 2)}
	outFit, errFit := fit.share(out.size(), errs.size())
	var b strings.Builder
	cut = out.write(&b, outFit, "standard output", r)
	if b.Len() > 0 && errs.head != "" && !strings.HasSuffix(b.String(), "\n") {
		b.WriteByte('\n')
	}
	if errs.head != "" {
		b.WriteString("stderr:\n")
	}
	cut = errs.write(&b, errFit, "stderr", r) || cut
	return b.String(), cut
}

// A size is an amount of text.
type size struct{ bytes, lines int }

func (s size) within(fit size) bool { return s.bytes <= fit.bytes && s.lines <= fit.lines }

// share divides s: each gets a half and what the other does not need of its.
func (s size) share(a, b size) (forA, forB size) {
	part := func(all, want, other int) int { return max(all/2, min(want, all-other)) }
	forA = size{part(s.bytes, a.bytes, b.bytes), part(s.lines, a.lines, b.lines)}
	forB = size{part(s.bytes, b.bytes, a.bytes), part(s.lines, b.lines, a.lines)}
	return forA, forB
}

// A rendering is a stream as text; with a gap between head and tail when not
// all of it was kept.
type rendering struct {
	head, tail string
	gap        bool
	binary     bool // head only says so
	total      int64
}

func (o Output) render() rendering {
	if isBinary(o.Head) || isBinary(o.Tail) {
		return rendering{head: fmt.Sprintf("[binary data, %d bytes, not shown]\n", o.Total), binary: true, total: o.Total}
	}
	if o.Cut() == 0 {
		all := o.Head
		if len(o.Tail) > 0 {
			all = append(bytes.Clone(o.Head), o.Tail...)
		}
		return rendering{head: plain(all), total: o.Total}
	}
	return rendering{head: plain(wholeRunes(o.Head)), tail: plain(fromLine(o.Tail)), gap: true, total: o.Total}
}

// wholeRunes leaves out a character that was cut off at the end.
func wholeRunes(b []byte) []byte {
	for i := 1; i <= min(len(b), utf8.UTFMax-1); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			return b
		}
	}
	return b
}

// fromLine leaves out the rest of a line that begins before b, when it is not
// long, and else the rest of a character.
func fromLine(b []byte) []byte {
	if i := bytes.IndexByte(b[:min(len(b), 4<<10)], '\n'); i >= 0 {
		return b[i+1:]
	}
	for i := range min(len(b), utf8.UTFMax) {
		if utf8.RuneStart(b[i]) {
			return b[i:]
		}
	}
	return b
}

func (t rendering) size() size {
	return size{len(t.head) + len(t.tail), strings.Count(t.head, "\n") + strings.Count(t.tail, "\n")}
}

// write appends t within fit and reports whether something is missing.
func (t rendering) write(b *strings.Builder, fit size, name string, r Result) bool {
	switch {
	case t.binary && r.SpoolPath != "":
		fmt.Fprintf(b, "[binary data, %d bytes, not shown; %s]\n", t.total, r.whole())
		return true
	case !t.gap && t.size().within(fit):
		b.WriteString(t.head)
		return t.binary
	}
	end := t.tail
	if !t.gap {
		end = t.head
	}
	head := headLines(t.head, fit.bytes/2, fit.lines/2)
	if !t.gap {
		end = end[len(head):]
	}
	tail := tailLines(end, fit.bytes-fit.bytes/2, fit.lines-fit.lines/2)
	b.WriteString(head)
	if head != "" && !strings.HasSuffix(head, "\n") {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "[… cut: %s had %d bytes; the first %d and the last %d are shown; %s …]\n", name, t.total, len(head), len(tail), r.whole())
	b.WriteString(tail)
	return true
}

// whole says where the whole output is.
func (r Result) whole() string {
	switch all := r.Stdout.Total + r.Stderr.Total; {
	case r.SpoolPath == "":
		return "the rest was not kept"
	case r.SpoolSize < all:
		return fmt.Sprintf("the first %d bytes are in %s: read that instead of running the command again", r.SpoolSize, r.SpoolPath)
	}
	return fmt.Sprintf("all of it is in %s: read that instead of running the command again", r.SpoolPath)
}

func headLines(s string, bytes, lines int) string {
	if len(s) > bytes {
		for bytes > 0 && !utf8.RuneStart(s[bytes]) {
			bytes--
		}
		s = s[:bytes]
	}
	at := 0
	for range lines {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return s
		}
		at += i + 1
	}
	return s[:at]
}

func tailLines(s string, bytes, lines int) string {
	if over := len(s) - bytes; over > 0 {
		for over < len(s) && !utf8.RuneStart(s[over]) {
			over++
		}
		s = s[over:]
	}
	at := len(strings.TrimSuffix(s, "\n"))
	for range lines {
		i := strings.LastIndexByte(s[:at], '\n')
		if i < 0 {
			return s
		}
		at = i
	}
	return s[at+1:]
}
