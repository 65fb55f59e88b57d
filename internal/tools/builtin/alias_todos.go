package builtin

import "encoding/json"

// wholeList turns a whole todo list into the changes that make the list it: to
// clear what is there, and to add its items. What is no such list stays as it
// is, and is refused.
func wholeList(pairs []pair) []pair {
	raw, ok := get(pairs, "todos")
	var todos []json.RawMessage
	if !ok || json.Unmarshal(raw, &todos) != nil {
		return pairs
	}
	changes := []json.RawMessage{merge(action("clear")(nil))}
	for _, t := range todos {
		fields, ok := split(t)
		if !ok {
			return pairs
		}
		for i := range fields {
			if fields[i].key == "content" {
				fields[i].key = "subject"
			}
		}
		changes = append(changes, merge(action("add")(fields)))
	}
	list, err := json.Marshal(changes)
	if err != nil {
		return pairs
	}
	return append(without(pairs, "todos"), pair{"changes", list})
}
