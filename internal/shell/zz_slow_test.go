package shell

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func FuzzSlow(f *testing.F) {
	for _, r := range Denylist() {
		for _, x := range append(r.Examples, r.Passes...) {
			f.Add(x)
		}
	}
	at := place()
	f.Fuzz(func(t *testing.T, line string) {
		tm := time.AfterFunc(2*time.Second, func() {
			os.WriteFile(fmt.Sprintf("/tmp/shtmp/slow-%d", time.Now().UnixNano()), []byte(line), 0o644)
		})
		defer tm.Stop()
		Analyze(line, at)
	})
}
