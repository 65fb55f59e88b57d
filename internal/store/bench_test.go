package store_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zuno-dev/zuno/internal/llm"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

func BenchmarkOpenExisting(b *testing.B) {
	path := filepath.Join(b.TempDir(), "zuno.db")
	s := openAt(b, path)
	fill(b, s, 100)
	cpuPerOp(b)
	for b.Loop() {
		s, err := store.Open(path, nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenNew(b *testing.B) {
	dir, i := b.TempDir(), 0
	cpuPerOp(b)
	for b.Loop() {
		i++
		s, err := store.Open(filepath.Join(dir, fmt.Sprint(i), "zuno.db"), nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall measures all the transitions of one call that nobody is asked
// about, in the commits that the loop makes of them.
func BenchmarkCall(b *testing.B) {
	for _, c := range []struct {
		name   string
		replay tools.Replay
		args   int
		result int
	}{
		{"safe", tools.Safe, 100, 1000},
		{"never", tools.Never, 100, 1000},
		{"safe_50KB", tools.Safe, 100, 50_000},
		{"never_50KB", tools.Never, 100, 50_000},
		{"never_50KB_of_arguments_too", tools.Never, 50_000, 50_000},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := openAt(b, filepath.Join(b.TempDir(), "zuno.db"))
			j := newSession(b, s, store.Meta{})
			args, text := json.RawMessage(`{"x":"`+strings.Repeat("a", c.args)+`"}`), words(c.result)
			n := 0
			cpuPerOp(b)
			for b.Loop() {
				n++
				runCall(b, j, fmt.Sprint("c", n), args, c.replay, tools.Outcome{Kind: tools.OK, Text: text})
			}
		})
	}
}

func BenchmarkStart(b *testing.B) {
	for _, replay := range []tools.Replay{tools.Safe, tools.Never} {
		b.Run(replay.String(), func(b *testing.B) {
			s := openAt(b, filepath.Join(b.TempDir(), "zuno.db"))
			j := newSession(b, s, store.Meta{})
			n := 0
			cpuPerOp(b)
			for b.Loop() {
				b.StopTimer()
				n++
				c := call(fmt.Sprint("c", n))
				must(b, j.Propose(&tools.Proposal{Call: c, Spec: tools.Spec{Replay: replay}}))
				must(b, j.Decide(c, allowed()))
				b.StartTimer()
				must(b, j.Start(c))
			}
		})
	}
}

func BenchmarkAllowed(b *testing.B) {
	s := openAt(b, filepath.Join(b.TempDir(), "zuno.db"))
	a := s.Allowlist("/repo")
	must(b, a.Allow("git status", "git status --short"))
	cpuPerOp(b)
	for b.Loop() {
		if ok, err := a.Allowed("git status"); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkLoad1000(b *testing.B) {
	s := openAt(b, filepath.Join(b.TempDir(), "zuno.db"))
	j := fill(b, s, 1000)
	cpuPerOp(b)
	for b.Loop() {
		p, err := j.Load()
		if err != nil || len(p.Messages) != 1000 {
			b.Fatal(len(p.Messages), err)
		}
	}
}

func BenchmarkResume1000(b *testing.B) {
	path := filepath.Join(b.TempDir(), "zuno.db")
	s := openAt(b, path)
	j := fill(b, s, 1000)
	must(b, j.Close())
	cpuPerOp(b)
	for b.Loop() {
		s, err := store.Open(path, nil)
		must(b, err)
		id, _, err := s.Latest("/dir")
		must(b, err)
		j, err := s.OpenSession(id)
		must(b, err)
		_, err = j.Load()
		must(b, err)
		must(b, j.Close())
		must(b, s.Close())
	}
}

func BenchmarkSessions(b *testing.B) {
	s := openAt(b, filepath.Join(b.TempDir(), "zuno.db"))
	for range 50 {
		must(b, fill(b, s, 20).Close())
	}
	cpuPerOp(b)
	for b.Loop() {
		if list, err := s.Sessions(50); err != nil || len(list) != 50 {
			b.Fatal(len(list), err)
		}
	}
}

// BenchmarkReads measures what a screen or a script asks while nothing else goes
// on, over 50 sessions of 20 messages.
func BenchmarkReads(b *testing.B) {
	s := openAt(b, filepath.Join(b.TempDir(), "zuno.db"))
	id := ""
	for range 50 {
		j := fill(b, s, 20)
		id = j.ID()
		must(b, j.Close())
	}
	for name, read := range map[string]func() error{
		"latest": func() error { _, _, err := s.Latest("/dir"); return err },
		"list20": func() error { _, err := s.SessionsIn("/dir", 20); return err },
		"spent":  func() error { _, err := s.Spent(id); return err },
		"search": func() error { _, err := s.Search("quoted tag", "/dir", 5); return err },
		"ledger": func() error { return s.Ledger(id, false, func(store.Entry) error { return nil }) },
	} {
		b.Run(name, func(b *testing.B) {
			cpuPerOp(b)
			for b.Loop() {
				must(b, read())
			}
		})
	}
}

// fill makes a session of n messages: prompts, answers with thoughts, and a
// call of 2 KB for each answer.
func fill(tb testing.TB, s *store.Store, n int) *store.Session {
	tb.Helper()
	j := newSession(tb, s, store.Meta{Dir: "/dir"})
	text := strings.Repeat("word \"quoted\" and <tag>\n", 40)
	for i := 0; i < n; i += 2 {
		must(tb, j.Append(llm.UserText(text)))
		id := fmt.Sprint("c", i)
		must(tb, j.Append(&llm.Message{Role: llm.Assistant, Model: "p/m", Stop: llm.StopCalls, Usage: llm.Usage{Input: 5, Output: 7}, Parts: []llm.Part{
			{Kind: llm.Thinking, Text: text, Opaque: json.RawMessage(`{"signature":"abc"}`)},
			{Kind: llm.Text, Text: text},
			{Kind: llm.CallPart, Call: &llm.Call{ID: id, Name: "read", Args: json.RawMessage(`{"path":"a.go"}`)}},
		}}))
		c := tools.Call{ID: id, Tool: "read", Args: json.RawMessage(`{"path":"a.go"}`)}
		must(tb, j.Propose(&tools.Proposal{Call: c, Summary: "a.go", Spec: tools.Spec{Replay: tools.Safe, Effect: tools.ReadOnly}}))
		must(tb, j.Decide(c, allowed()))
		must(tb, j.Start(c))
		must(tb, j.Settle(c, tools.Outcome{Kind: tools.OK, Text: strings.Repeat("x", 2000)}, time.Millisecond))
	}
	return j
}

// words is n bytes of text as a tool returns it: a thousand different words.
func words(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "word%d: internal/store/file%d.go:%d\n", i*i%1009, i%50, i)
	}
	return b.String()[:n]
}
