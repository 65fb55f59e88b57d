//go:build !linux

package main

// harden does nothing where the environment of a process is not a file.
func harden() {}
