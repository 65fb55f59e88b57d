//go:build unix

package store_test

import (
	"syscall"
	"testing"
	"time"
)

// cpuPerOp has b report the CPU time that an operation takes, also that of the
// kernel: on a busy machine it is what can be compared.
func cpuPerOp(b *testing.B) {
	b.Helper()
	used := func() time.Duration {
		var u syscall.Rusage
		must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	b.Cleanup(func() { b.ReportMetric(float64((used()-before).Microseconds())/float64(b.N), "cpu-µs/op") })
}
