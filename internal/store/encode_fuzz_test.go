package store

import (
	"encoding/json"
	"reflect"
	"testing"

	fast "github.com/segmentio/encoding/json"
)

// FuzzRowsAreDecodedAsByTheStandardLibrary holds the faster decoder to the usual
// one: what one takes, the other takes, with the same result.
func FuzzRowsAreDecodedAsByTheStandardLibrary(f *testing.F) {
	for _, s := range []string{
		`[{"kind":"text","bytes":18},{"kind":"call","call":{"id":"t1","name":"read","args":"{\"filePath\":\"f17.txt\"}"}}]`,
		`[{"kind":"thinking","opaque":"sig\u00e9\ud83d\ude00","opaque_raw":"AAEC"},{"kind":"image","mime":"image/png","image":true}]`,
		`[]`, `null`, ``, `[{"kind":1}]`, `[{"kind":"text","bytes":-1}]`, `[{"kind":"text","bytes":1e3}]`, `[{"call":null}]`, `[{"KIND":"x"}]`, `[{"kind":"a","kind":"b"}]`,
		`[{"kind":"\ud800"}]`, "[{\"kind\":\"\xff\"}]", `[{"opaque_raw":"!"}]`, `[{"x":{"y":[1,2,{"z":null}]}}] `, `[{"kind":"a"},]`, `[{}] x`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if !json.Valid(in) {
			var rows []partRow
			if fast.Unmarshal(in, &rows) == nil {
				t.Skip("it takes more, which nobody writes")
			}
			return
		}
		var usual, rows []partRow
		uerr, err := json.Unmarshal(in, &usual), fast.Unmarshal(in, &rows)
		if uerr == nil && err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		if uerr == nil && !reflect.DeepEqual(usual, rows) {
			t.Errorf("%s: %+v, and usually %+v", in, rows, usual)
		}
	})
}
