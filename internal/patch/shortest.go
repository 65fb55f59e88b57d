package patch

import "slices"

// shortest emits the smallest edits from a[i:iEnd] to b[j:jEnd], and reports
// false, having emitted nothing, when that takes too much.
//
// It walks a grid of old lines across and new lines down. On diagonal k, which
// is x-y, reach[k] is how far right a path with d edits can come.
func (c *comparison) shortest(i, iEnd, j, jEnd int) bool {
	a, b := c.a[i:iEnd], c.b[j:jEnd]
	n, m := len(a), len(b)
	most := min(n+m, maxEdits)
	reach := make([]int32, 2*most+3)
	for k := range reach {
		reach[k] = nowhere
	}
	zero := most + 1
	reach[zero+1] = 0 // so that the first step, down from there, begins at the corner
	var trace [][]int32
	for d := 0; d <= most; d++ {
		if c.left -= 2*d + 1; c.left < 0 {
			return false
		}
		for k := -d; k <= d; k += 2 {
			x := step1(reach, zero, k, n, m)
			if x == nowhere {
				reach[zero+k] = nowhere
				continue
			}
			y := int(x) - k
			for int(x) < n && y < m && a[x] == b[y] {
				x, y = x+1, y+1
				c.left--
			}
			reach[zero+k] = x
			if int(x) == n && y == m {
				c.trail(append(trace, slices.Clone(reach[zero-d:zero+d+1])), i, j, n, m)
				return true
			}
		}
		trace = append(trace, slices.Clone(reach[zero-d:zero+d+1]))
	}
	return false
}

const nowhere = -1 << 30

// step1 returns how far right on diagonal k one more edit leads: a new line
// down from the diagonal above, or an old line to the right of the one below,
// whichever leads further inside of the grid.
func step1(reach []int32, zero, k, n, m int) int32 {
	down, right := reach[zero+k+1], reach[zero+k-1]+1
	if down < 0 || int(down)-k > m {
		down = nowhere
	}
	if right <= 0 || int(right) > n {
		right = nowhere
	}
	return max(down, right)
}

// trail emits the edits on the way that trace tells: trace[d] is the reach
// after d edits, on the diagonals -d to d.
func (c *comparison) trail(trace [][]int32, i, j, n, m int) {
	at := func(d, k int) int32 {
		if k < -d || k > d || (k+d)%2 != 0 {
			return nowhere
		}
		return trace[d][k+d]
	}
	var back []edit
	x, y := n, m
	for d := len(trace) - 1; d > 0; d-- {
		k := x - y
		down, right := at(d-1, k+1), at(d-1, k-1)+1
		if down < 0 || int(down)-k > m {
			down = nowhere
		}
		if right <= 0 || int(right) > n {
			right = nowhere
		}
		if right > down {
			x = int(right) - 1
			y = x - (k - 1)
			back = append(back, edit{i + x, 1, j + y, 0})
		} else {
			x = int(down)
			y = x - (k + 1)
			back = append(back, edit{i + x, 0, j + y, 1})
		}
	}
	for _, e := range slices.Backward(back) {
		c.emit(e)
	}
}
