//go:build !linux

package shell

import (
	"context"
	"errors"
	"os/exec"
)

const onlyLinux = "zuno confines commands on Linux only"

// A sandboxCheck is nothing: there is nothing to try.
type sandboxCheck struct{}

// SandboxMain does nothing where commands cannot be confined.
func SandboxMain([]string) bool { return false }

// Probe says that commands cannot be confined.
func Probe(context.Context) Ability { return Ability{Why: []string{onlyLinux}} }

func (b *box) launch(*exec.Cmd) error { return errors.New(onlyLinux) }

func runtimeDir() string { return "" }

func foreignSockets([]string) []string { return nil }

func writableOutside(string) bool { return false }

func listensOutside(string) bool { return false }
