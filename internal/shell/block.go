package shell

// A block hands out pieces of large allocations, so that the many small things
// of a long line cost few. The zero value is ready.
type block[T any] struct {
	free []T
	size int // of the latest allocation
}

// maxBlock is the most that is allocated ahead, in items. Larger ones would be
// large objects to the allocator, which are dear.
const maxBlock = 96

// take returns n zero values that nothing else uses; appending to them moves
// them elsewhere.
func (b *block[T]) take(n int) []T {
	if n > len(b.free) {
		b.size = min(max(4, 4*b.size), maxBlock)
		b.free = make([]T, max(n, b.size))
	}
	out := b.free[:n:n]
	b.free = b.free[n:]
	return out
}
