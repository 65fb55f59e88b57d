package main

import (
	"image"
	"image/color"
)

// A line is a path through points of a cell, in pixels from its corner.
type line [][2]int

// strokes returns how the marks are drawn that the font lacks, and whether text
// is one of them.
func strokes(text string) ([]line, bool) {
	lines, ok := map[string][]line{
		"✓": {{{1, 10}, {3, 13}, {7, 6}}},
		"✗": {{{1, 6}, {7, 13}}, {{7, 6}, {1, 13}}},
		"⊘": {{{2, 6}, {6, 6}, {8, 9}, {6, 13}, {2, 13}, {0, 10}, {2, 6}}, {{2, 12}, {6, 7}}},
		"⇧": {{{4, 4}, {8, 9}, {5, 9}, {5, 13}, {3, 13}, {3, 9}, {0, 9}, {4, 4}}},
		"⇥": {{{0, 9}, {6, 9}, {4, 6}}, {{6, 9}, {4, 12}}, {{8, 5}, {8, 13}}},
		"⏎": {{{8, 5}, {8, 10}, {1, 10}, {3, 7}}, {{1, 10}, {3, 13}}},
		"■": {{{2, 7}, {6, 7}}, {{2, 8}, {6, 8}}, {{2, 9}, {6, 9}}, {{2, 10}, {6, 10}}, {{2, 11}, {6, 11}}},
		"▪": {{{3, 8}, {5, 8}}, {{3, 9}, {5, 9}}, {{3, 10}, {5, 10}}},
		"│": {{{4, 0}, {4, cellH - 1}}},
		"─": {{{0, 9}, {cellW - 1, 9}}},
	}[text]
	return lines, ok
}

// stroke draws a path with its cell's corner at x, y.
func stroke(img *image.RGBA, x, y int, l line, c color.Color) {
	for i := 1; i < len(l); i++ {
		from, to := l[i-1], l[i]
		n := max(abs(to[0]-from[0]), abs(to[1]-from[1]), 1)
		for k := range n + 1 {
			px, py := x+from[0]+(to[0]-from[0])*k/n, y+from[1]+(to[1]-from[1])*k/n
			img.Set(px, py, c)
			if from[0] != to[0] { // what is not upright looks thin
				img.Set(px, py+1, c)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }
