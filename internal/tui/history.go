package tui

import "slices"

// A history is what was sent, oldest first, each text once.
type history struct{ list []string }

// maxHistory is how many texts are kept in memory.
const maxHistory = 2000

func (h *history) load(list []string) {
	typed := h.list
	h.list = nil
	for _, t := range slices.Concat(list, typed) {
		h.add(t)
	}
}

// add puts a text in as the newest.
func (h *history) add(text string) {
	if text == "" {
		return
	}
	if i := slices.Index(h.list, text); i >= 0 {
		h.list = slices.Delete(h.list, i, i+1)
	}
	h.list = append(h.list, text)
	if n := len(h.list) - maxHistory; n > 0 {
		h.list = slices.Clone(h.list[n:])
	}
}

// back returns the text that many steps back, the newest for 1.
func (h *history) back(n int) string { return h.list[len(h.list)-n] }
