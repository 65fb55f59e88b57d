package file

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/zuno-dev/zuno/internal/patch"
	"github.com/zuno-dev/zuno/internal/tools"
)

// A change is what is to become of one file.
type change struct {
	kind   string // as in tools.Change: A, M, D or R
	place  Place  // where the content will be; of a deletion, where it was
	before state  // of place
	after  []byte
	from   Place // of a move: the old place, and its state
	source state
	whole  bool // the model gave the whole content, so it knows it; of a move: the thing itself is renamed

	what    tools.FileKind // what will be at place; Absent stands for a regular file
	looks   looks          // of what is new there
	freed   bool           // an earlier change takes away what is there
	folders []Place        // that have to be made on the way
	tree    []entry        // of a move as a whole: what is at and below from
	copied  *entry         // what it is a copy of, which must stay as it is
	blind   bool           // the model has not seen what will be there
	brief   bool           // too much to show line by line

	binary bool // the difference cannot be shown
	notes  []string
	diff   patch.Difference
}

// existing returns the file to change, or a refusal that says why it cannot be
// changed here.
func (f *files) existing(name string) (Place, state, error) {
	place, now, err := f.find(name)
	if err == nil && !now.exists() {
		if other := f.asSpelt(place); other.Real != place.Real {
			place, now, err = f.find(other.Real)
		}
	}
	switch {
	case err != nil:
		return place, now, err
	case !now.exists():
		return place, now, tools.Refuse(tools.InvalidArguments, "%s does not exist%s", place.Name, similarNames(place))
	}
	return place, now, changeable(place, now)
}

// find returns what is at a place where a file is to be changed or made.
func (f *files) find(name string) (Place, state, error) {
	place, err := f.ws.Resolve(name)
	switch {
	case err != nil:
		return place, state{}, tools.Refuse(tools.InvalidArguments, "%v", err)
	case strings.HasSuffix(name, "/"):
		return place, state{}, tools.Refuse(tools.InvalidArguments, "%s names a folder, not a file", name)
	case secret(place.Real):
		return place, state{}, tools.Refuse(tools.Denied, "%s belongs to the system: it is neither read nor changed", place.Name)
	}
	now, err := look(place.Real)
	if err != nil {
		return place, now, tools.Refuse(tools.InvalidArguments, "%s cannot be changed: %s", place.Name, explain(err))
	}
	if !now.exists() {
		err = separated(name)
	}
	return place, now, err
}

// separated refuses a name for what is not there yet whose folders are separated as
// on Windows, where they are not: it would be one long name.
func separated(name string) error {
	if filepath.Separator == '\\' || !strings.Contains(name, `\`) {
		return nil
	}
	return tools.Refuse(tools.InvalidArguments, `%s does not exist, and a \ separates no folders here: write it as %s`, name, strings.ReplaceAll(name, `\`, "/"))
}

// unfit refuses a change that does not fit a content. The reason may quote the
// content, so it is left out when nobody allowed the model to see that.
func (f *files) unfit(place Place, now state, reason error) error {
	if !place.Inside && f.receipts.check(place, now) != nil {
		return tools.Refuse(tools.InvalidArguments, "%s: the change does not fit; read the file first", place.Name)
	}
	return tools.Refuse(tools.InvalidArguments, "%s: %v", place.Name, reason)
}

// changeable refuses files that replacing would do more to than was asked for.
func changeable(place Place, now state) error {
	if now.links > 1 {
		return tools.Refuse(tools.InvalidArguments, "%s has %d names (hard links): changing it here would split them, so it is left alone; copy it first, or change it with a command", place.Name, now.links)
	}
	err := mayWrite(place.Real, false)
	if errors.Is(err, syscall.EROFS) {
		return tools.Refuse(tools.InvalidArguments, "%s is not writable: %s", place.Name, explain(err))
	}
	if err != nil {
		return tools.Refuse(tools.InvalidArguments, "%s is not writable (permissions %04o): that is left as it is; make it writable first", place.Name, now.mode)
	}
	return nil
}

// propose makes the proposal that carries out the changes.
func (f *files) propose(changes []*change) *tools.Proposal {
	f.onTheWay(changes)
	p := &tools.Proposal{}
	var manual, table []string
	for _, c := range changes {
		c.show()
		table = append(table, strings.Join([]string{c.kind, tools.CleanLine(c.place.Name), c.counts()}, "\t"))
		places := []Place{c.place}
		if c.kind == "R" {
			places = []Place{c.from, c.place}
		}
		p.Subjects = append(p.Subjects, subjects(places...)...)
		for _, place := range places {
			if !place.Inside {
				manual = append(manual, outside(place))
			}
			if place.Guard != "" {
				manual = append(manual, tools.CleanLine(place.Name)+" is "+place.Guard)
			}
		}
	}
	switch c := changes[0]; {
	case len(changes) > 1:
		unit := "files"
		if slices.ContainsFunc(changes, (*change).special) {
			unit = "entries"
		}
		p.Preview = append(p.Preview, tools.Section{Kind: tools.Table, Title: fmt.Sprintf("%d %s", len(changes), unit), Body: strings.Join(table, "\n")})
	case len(c.notes) == 0 && c.diff.Text == "":
		c.note("%s", c.plain())
	}
	diffs := sections(changes)
	p.Preview = append(p.Preview, diffs...)
	slices.Sort(manual)
	p.Manual = few(slices.Compact(manual))
	p.Summary = summary(changes)
	p.Touches = touches(changes)
	p.Do = func(ctx context.Context, _ string, report func(tools.Progress)) tools.Outcome {
		out := f.carryOut(ctx, changes, report)
		if out.Kind == tools.OK {
			out.Show = diffs
		}
		return out
	}
	return p
}

// few joins the reasons for which a person is asked, and counts those after
// the first few.
func few(reasons []string) string {
	const most = 6
	if n := len(reasons) - most; n > 0 {
		reasons = append(slices.Clone(reasons[:most]), fmt.Sprintf("and %d more", n))
	}
	return strings.Join(reasons, "; ")
}
