//go:build !linux

package shell

import (
	"errors"
	"os/exec"
)

// SandboxMain does nothing where commands cannot be confined.
func SandboxMain([]string) bool { return false }

func sandboxCandidates() []Ability { return nil }

func noCandidate() string { return "zuno confines commands on Linux only" }

func (b *box) launch(*exec.Cmd) error { return errors.New(noCandidate()) }

func runtimeDir() string { return "" }

func foreignSockets() []string { return nil }

func writableOutside(string) bool { return false }

func listensOutside(string) bool { return false }
