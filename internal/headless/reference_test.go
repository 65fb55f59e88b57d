package headless

import "testing"

func TestEveryFieldHasAMeaning(t *testing.T) {
	if list := undocumented(); len(list) > 0 {
		t.Errorf("no meaning for %v", list)
	}
}
