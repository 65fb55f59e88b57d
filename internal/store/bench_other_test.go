//go:build !unix

package store_test

import "testing"

// cpuPerOp reports nothing where the CPU time is not known.
func cpuPerOp(*testing.B) {}
