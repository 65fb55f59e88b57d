//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestMain lets the test binary be the part of a measurement that the benchmark
// starts it as.
func TestMain(m *testing.M) {
	helper(os.Args)
	os.Exit(m.Run())
}

func TestSmoke(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs zuno")
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux")
	}
	zuno := filepath.Join(t.TempDir(), "zuno")
	if out, err := exec.Command("go", "build", "-o", zuno, "../../cmd/zuno").CombinedOutput(); err != nil {
		t.Skipf("zuno cannot be built: %v\n%s", err, out)
	}
	if os.Getenv("ZUNO_RG") == "" {
		if _, err := exec.LookPath("rg"); err != nil {
			t.Skip("there is no ripgrep: ZUNO_RG does not name one")
		}
	}
	var stdout, stderr bytes.Buffer
	if err := bench(t.Context(), []string{"-zuno", zuno, "-smoke", "-json"}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	var got struct{ Rows []result }
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	measured := map[string]bool{}
	for _, r := range got.Rows {
		measured[r.ID] = len(r.Values) == 1
		if r.ID == "step.0.cpu" && len(r.Values) == 1 && r.Values[0] <= 0 {
			measured["step.ratio"] = true // of one try of two steps, less what an empty turn takes; nothing has a ratio to that
		}
	}
	for _, r := range rows(small()) {
		if !measured[r.id] {
			t.Errorf("%s (%s) was not measured", r.id, r.title)
		}
	}
}

func TestATimeMayBeAsSlowAsTheMachineIs(t *testing.T) {
	table := []row{
		{"floor", "", "ms", none, true},
		{"wall", "", "ms", 10, true},
		{"cpu", "", "ms", 10, false},
		{"bytes", "", "B", 0, false},
	}
	got := judge(table, map[string][]float64{
		"floor": {2 * aimFloor}, "wall": {100, 19, 0}, "cpu": {9, 11, 12, 13}, "bytes": {0, 1, 0},
	})
	over := map[string]bool{}
	for _, r := range got {
		over[r.ID] = r.Over
	}
	if over["wall"] || !over["cpu"] || over["bytes"] || got[1].Median != 19 || got[2].Median != 11.5 {
		t.Errorf("got %+v", got)
	}
}

func TestTheTableIsAligned(t *testing.T) {
	aim := 12.0
	var b bytes.Buffer
	err := printTable(&b, 3, []result{
		{Title: "… CPU", Unit: "ms", Median: 12.345, Aim: &aim, Ratio: 2, Over: true},
		{Title: "binary", Unit: "MB", Median: 1234.4},
	})
	want := "median of 3 zuno    aim × empty\n" +
		"… CPU       12.3 ms  12       2 over\n" +
		"binary      1234 MB\n"
	if err != nil || b.String() != want {
		t.Errorf("got\n%s\n%v", b.String(), err)
	}
}
