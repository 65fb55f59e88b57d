package llm

import (
	"bytes"
	"strconv"
)

// A Count is a number of tokens as servers write it: whole, with a fraction, or in
// quotes. What cannot be a count, such as a negative number, is read as zero, which
// is what a server reports that says nothing.
type Count int

// UnmarshalJSON implements [encoding/json.Unmarshaler].
func (c *Count) UnmarshalJSON(b []byte) error {
	const most = 1e12
	n, err := strconv.ParseFloat(string(bytes.Trim(b, `"`)), 64)
	*c = 0
	if err == nil && n > 0 && n < most {
		*c = Count(n)
	}
	return nil
}
