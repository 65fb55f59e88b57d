package main

import (
	"image/color"
	"testing"
)

// TestCellsAreDrawn: text, marks that the font lacks and what is behind them
// leave their colours, and a blank leaves none.
func TestCellsAreDrawn(t *testing.T) {
	p, err := newPen()
	if err != nil {
		t.Fatal(err)
	}
	red := color.RGBA{0xff, 0, 0, 0xff}
	for text, want := range map[string]bool{"x": true, "✓": true, "⇥": true, "│": true, "": false, " ": false} {
		img := p.draw(grid{{cell{text: text, fg: red}}})
		found := false
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				found = found || img.RGBAAt(x, y).R > 0x80
			}
		}
		if found != want {
			t.Errorf("%q: drawn is %t", text, found)
		}
	}
	if img := p.draw(grid{{cell{bg: red}}}); img.RGBAAt(margin, margin) != red {
		t.Error("what is behind a cell is not drawn")
	}
}
