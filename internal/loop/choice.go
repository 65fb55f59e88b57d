package loop

import "github.com/zuno-dev/zuno/internal/llm"

// A Choice is a model and how hard it is to think.
type Choice struct {
	Model  llm.Model
	Info   llm.Info
	Effort string // as in [Config]
}

// Use has the next request go to another model, also within a turn. The record
// keeps with each message which model made it. It may be called from anywhere.
func (s *Session) Use(c Choice) { s.next.Store(&c) }

// turnTo makes the latest choice that of the session.
func (s *Session) turnTo() {
	if c := s.next.Swap(nil); c != nil {
		s.sighted(c.Info)
		s.conf.Model, s.conf.Info, s.conf.Effort = c.Model, c.Info, c.Effort
	}
}
