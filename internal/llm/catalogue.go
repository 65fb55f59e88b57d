package llm

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"
)

// The catalogue is what the providers published about their models when this
// version of zuno was made. It helps (context, price, effort) but is never
// needed: a model that is not in it works.
//
//go:embed catalogue.json
var catalogueJSON string

type catalogueEntry struct {
	Provider  string `json:"provider"`
	Model     string `json:"model"`
	Context   int    `json:"context"`
	Output    int    `json:"output"`
	NoTools   bool   `json:"no_tools"`
	Images    bool   `json:"images"`
	Reasoning bool   `json:"reasoning"`
	Price     Price  `json:"price"`
}

func (e catalogueEntry) info() Info {
	return Info{
		ID: e.Provider + "/" + e.Model, Context: e.Context, Output: e.Output,
		Tools: !e.NoTools, Images: e.Images, Reasoning: e.Reasoning, Price: e.Price,
	}
}

// entries parses the catalogue. It takes well under a millisecond and happens
// a few times in a process, so that nothing is kept and nothing runs at start.
func entries() []catalogueEntry {
	var list []catalogueEntry
	if err := json.Unmarshal([]byte(catalogueJSON), &list); err != nil {
		return nil // a test parses it
	}
	return list
}

// Catalogue returns all models that are known, grouped by provider, the
// strongest first.
func Catalogue() []Info {
	var infos []Info
	for _, e := range entries() {
		infos = append(infos, e.info())
	}
	return infos
}

// Lookup returns what is known about a model, and whether anything is. A dated
// or renamed form of a known name counts as that model, and so does the same
// model at another provider, there without a price. The Info of an unknown
// model is usable: it has its ID, and Tools set.
func Lookup(provider, model string) (Info, bool) {
	id := provider + "/" + model
	list := entries()
	for _, name := range []string{model, plainName(model)} {
		for _, e := range list {
			if e.Provider == provider && e.Model == name {
				return known(e, id), true
			}
		}
	}
	for _, e := range list {
		if plainName(e.Model) == plainName(model) {
			e.Price = Price{}
			return known(e, id), true
		}
	}
	return Info{ID: id, Tools: true}, false
}

func known(e catalogueEntry, id string) Info {
	i := e.info()
	i.ID = id
	return i
}

// plainName takes off what does not tell a model from others: a vendor in
// front, a date or "latest" or a variant behind, and dots in Claude's versions.
func plainName(model string) string {
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		model = model[i+1:]
	}
	model = regexp.MustCompile(`(-\d{8}|-\d{4}-\d\d-\d\d|-latest|:free|:nitro)$`).ReplaceAllString(model, "")
	if strings.HasPrefix(model, "claude-") {
		model = strings.ReplaceAll(model, ".", "-")
	}
	return model
}
