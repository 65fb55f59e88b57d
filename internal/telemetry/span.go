package telemetry

import (
	"crypto/rand"
	"sync"
	"time"
)

// A Kind says whether a span is of this program alone, or the near end of a
// request. The numbers are OTLP's.
type Kind int

// The kinds.
const (
	Internal Kind = 1
	Client   Kind = 3
)

// An Attr is one attribute: its value is a string, an int, a bool or a list of
// strings.
type Attr struct {
	Key   string
	Value any
}

// A Span is one thing that takes time. A nil one does nothing.
type Span struct {
	from    *Exporter
	name    string
	kind    Kind
	trace   [16]byte
	id      [8]byte
	parent  [8]byte // zero for none
	started time.Time

	mu     sync.Mutex // guards what follows
	ended  time.Time
	attrs  []Attr
	failed bool
}

// Start begins a span now, below parent when there is one.
func (e *Exporter) Start(name string, kind Kind, parent *Span, attrs ...Attr) *Span {
	if e == nil {
		return nil
	}
	s := &Span{from: e, name: name, kind: kind, started: time.Now(), attrs: attrs}
	_, _ = rand.Read(s.id[:]) // never fails
	if parent != nil {
		s.trace, s.parent = parent.trace, parent.id
	} else {
		_, _ = rand.Read(s.trace[:])
	}
	return s
}

// Set adds attributes; those without a value (zero or "") are left out.
func (s *Span) Set(attrs ...Attr) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range attrs {
		switch a.Value {
		case "", 0, nil:
		default:
			s.attrs = append(s.attrs, a)
		}
	}
}

// Fail says that what the span is about failed, and how in one word.
func (s *Span) Fail(kind string) {
	s.Set(Attr{"error.type", kind})
	if s != nil {
		s.mu.Lock()
		s.failed = true
		s.mu.Unlock()
	}
}

// End ends the span and has it sent. Only the first end counts.
func (s *Span) End() {
	if s == nil {
		return
	}
	s.mu.Lock()
	first := s.ended.IsZero()
	if first {
		s.ended = time.Now()
	}
	s.mu.Unlock()
	if first {
		s.from.put(s)
	}
}
