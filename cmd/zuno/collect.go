package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstHeap is how large the heap grows before it is collected for the first
// time, in percent of the 4 MB at which the runtime would begin. To start and to
// answer one prompt takes less: what is collected until then is work for
// nothing, and touches more memory than it gives back.
const firstHeap = 400

// collectLater puts the first collection off; from then on all is as usual. A
// GOGC in the environment is left in force.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(firstHeap)
	runtime.AddCleanup(new([64]byte), func(usual int) { debug.SetGCPercent(usual) }, 100)
}
