package patch

// An edit replaces the old lines from index old on by the new ones from index
// new on.
type edit struct{ old, removed, new, added int }

const (
	// maxSteps bounds the work of one comparison. What is left to compare when
	// it is used up counts as replaced.
	maxSteps = 12_000_000
	// maxEdits bounds for how many lines that go and come the smallest difference
	// is looked for at once; it takes that number squared in time and memory.
	maxEdits = 2_000
)

// edits returns what has to change, in order, never two edits side by side. It
// is the smallest such list for texts that differ in less than maxEdits lines
// (E. W. Myers, An O(ND) difference algorithm, 1986). Others are first cut at
// lines that are in both once (patience diff, B. Cohen). Neither the machine
// nor its load decide what comes out, and a comparison takes bounded time.
func edits(a, b []string) []edit {
	c := &comparison{left: maxSteps}
	c.number(a, b)
	c.compare(0, len(a), 0, len(b))
	return c.out
}

type comparison struct {
	a, b []int32 // lines as numbers; equal lines have the same
	kept []bool  // by number: it is in both
	left int     // steps
	out  []edit
}

// number gives each distinct line a number.
func (c *comparison) number(a, b []string) {
	ids := make(map[string]int32, len(a))
	number := func(lines []string) []int32 {
		list := make([]int32, len(lines))
		for i, l := range lines {
			id, known := ids[l]
			if !known {
				id = int32(len(ids))
				ids[l] = id
			}
			list[i] = id
		}
		return list
	}
	c.a = number(a)
	old := int32(len(ids))
	c.b = number(b)
	c.kept = make([]bool, len(ids))
	for _, id := range c.b {
		c.kept[id] = id < old
	}
}

// emit adds an edit, or makes the last one larger if they touch.
func (c *comparison) emit(e edit) {
	if e.removed == 0 && e.added == 0 {
		return
	}
	if n := len(c.out) - 1; n >= 0 {
		if last := &c.out[n]; last.old+last.removed == e.old && last.new+last.added == e.new {
			last.removed += e.removed
			last.added += e.added
			return
		}
	}
	c.out = append(c.out, e)
}

// compare finds the edits from a[i:iEnd] to b[j:jEnd].
func (c *comparison) compare(i, iEnd, j, jEnd int) {
	for i < iEnd && j < jEnd && c.a[i] == c.b[j] {
		i, j = i+1, j+1
	}
	for i < iEnd && j < jEnd && c.a[iEnd-1] == c.b[jEnd-1] {
		iEnd, jEnd = iEnd-1, jEnd-1
	}
	switch {
	case i == iEnd || j == jEnd || !c.shares(i, iEnd):
		c.emit(edit{i, iEnd - i, j, jEnd - j})
	case c.shortest(i, iEnd, j, jEnd):
	default:
		c.cut(i, iEnd, j, jEnd)
	}
}

// shares reports whether some old line is among the new ones at all.
func (c *comparison) shares(i, iEnd int) bool {
	for _, id := range c.a[i:iEnd] {
		if c.kept[id] {
			return true
		}
	}
	return false
}

// cut compares the parts between lines that are in both texts once, in the
// same order. Without any, everything counts as replaced.
func (c *comparison) cut(i, iEnd, j, jEnd int) {
	anchors := c.anchors(i, iEnd, j, jEnd)
	if len(anchors) == 0 {
		c.emit(edit{i, iEnd - i, j, jEnd - j})
		return
	}
	for _, at := range anchors {
		c.compare(i, at[0], j, at[1])
		i, j = at[0]+1, at[1]+1
	}
	c.compare(i, iEnd, j, jEnd)
}

// anchors pairs the lines that are once in each part, as many as keep their
// order: the longest increasing subsequence.
func (c *comparison) anchors(i, iEnd, j, jEnd int) [][2]int {
	type seen struct{ inA, inB, atB int }
	lines := make(map[int32]*seen, iEnd-i)
	for _, id := range c.a[i:iEnd] {
		if lines[id] == nil {
			lines[id] = &seen{}
		}
		lines[id].inA++
	}
	for k, id := range c.b[j:jEnd] {
		if s := lines[id]; s != nil {
			s.inB++
			s.atB = j + k
		}
	}
	var pairs [][2]int
	var piles []int // the last pair of the best run of each length
	var before []int
	for k := i; k < iEnd; k++ {
		s := lines[c.a[k]]
		if s.inA != 1 || s.inB != 1 {
			continue
		}
		lo, hi := 0, len(piles)
		for lo < hi {
			if mid := (lo + hi) / 2; pairs[piles[mid]][1] < s.atB {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		prev := -1
		if lo > 0 {
			prev = piles[lo-1]
		}
		if lo == len(piles) {
			piles = append(piles, len(pairs))
		} else {
			piles[lo] = len(pairs)
		}
		pairs, before = append(pairs, [2]int{k, s.atB}), append(before, prev)
	}
	if len(piles) == 0 {
		return nil
	}
	run := make([][2]int, len(piles))
	for n, at := len(run)-1, piles[len(piles)-1]; n >= 0; n, at = n-1, before[at] {
		run[n] = pairs[at]
	}
	return run
}
