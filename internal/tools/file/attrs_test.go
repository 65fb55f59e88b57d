package file

import "testing"

func TestAnAccessListOfItsOwnIsTold(t *testing.T) {
	for list, want := range map[string]bool{
		"":                                 false,
		"D:AI":                             false,
		"D:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)": false,
		"D:(A;ID;FA;;;SY)":                 false,
		"D:PAI(A;;FA;;;SY)":                true,
		"D:P":                              true,
		"D:AI(A;ID;FA;;;SY)(D;;FA;;;WD)":   true,
		"D:(A;;FA;;;WD)":                   true,
		"D:NO_ACCESS_CONTROL":              true,
	} {
		if got := ownList(list); got != want {
			t.Errorf("%q: %v", list, got)
		}
	}
}
