package serve

import (
	"net/http"
	"strings"
)

// list answers the listings by which clients and local discovery find models.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	id := or(s.scenario.Model, "scripted")
	switch {
	case r.URL.Path == "/api/tags":
		writeJSON(w, http.StatusOK, obj{"models": []any{obj{
			"name": id, "model": id, "modified_at": "2026-01-01T00:00:00Z", "size": 1, "digest": strings.Repeat("0", 64),
			"details": obj{"format": "gguf", "family": "scripted", "parameter_size": "1B", "quantization_level": "Q4_0"},
		}}})
	case r.URL.Path == "/v1beta/models":
		writeJSON(w, http.StatusOK, obj{"models": []any{obj{
			"name": "models/" + id, "displayName": id, "inputTokenLimit": 1048576, "outputTokenLimit": 65536,
			"supportedGenerationMethods": []any{"generateContent"},
		}}})
	case strings.HasSuffix(r.URL.Path, "/v1/models") && r.Header.Get("Anthropic-Version") != "":
		writeJSON(w, http.StatusOK, obj{"data": []any{obj{
			"type": "model", "id": id, "display_name": id, "created_at": "2026-01-01T00:00:00Z",
		}}, "has_more": false, "first_id": id, "last_id": id})
	case strings.HasSuffix(r.URL.Path, "/models"):
		writeJSON(w, http.StatusOK, obj{"object": "list", "data": []any{obj{
			"id": id, "object": "model", "created": created, "owned_by": "scripted",
		}}})
	default:
		http.NotFound(w, r)
	}
}
