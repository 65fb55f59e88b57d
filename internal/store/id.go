package store

import (
	"crypto/rand"
	"time"
)

// digits are Crockford's base 32, in lower case: no i, l, o or u. They sort
// like the numbers they write.
const digits = "0123456789abcdefghjkmnpqrstvwxyz"

// newID returns an ID of 9 digits that say when it was made, to the
// millisecond, and 7 random ones. The first 9 do until the year 3084.
func newID(now time.Time) string {
	var id [16]byte
	ms := now.UnixMilli()
	for i := 8; i >= 0; i-- {
		id[i] = digits[ms&31]
		ms >>= 5
	}
	_, _ = rand.Read(id[9:]) // never fails
	for i := 9; i < len(id); i++ {
		id[i] = digits[id[i]&31]
	}
	return string(id[:])
}
