package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A list in pages is read to its end, and where it has none to where it says
// nothing new.
func TestAListOfPages(t *testing.T) {
	one := func(name, next string) *sdk.ListToolsResult {
		return &sdk.ListToolsResult{Tools: []*sdk.Tool{{Name: name, InputSchema: map[string]any{"type": "object"}}}, NextCursor: next}
	}
	for name, c := range map[string]struct {
		page        func(cursor string) (*sdk.ListToolsResult, error)
		tools, left string
		asked       int
	}{
		"two pages": {func(at string) (*sdk.ListToolsResult, error) {
			return map[string]*sdk.ListToolsResult{"": one("a", "2"), "2": one("b", "")}[at], nil
		}, "mcp_x_a mcp_x_b", "", 2},
		"a cursor that stands": {func(string) (*sdk.ListToolsResult, error) { return one("a", "8"), nil }, "mcp_x_a", "", 2},
		"two that alternate": {func(at string) (*sdk.ListToolsResult, error) {
			return one("a", map[string]string{"": "A", "A": "B", "B": "A"}[at]), nil
		}, "mcp_x_a", "the tool a is listed twice", 3},
		"no end": {func(at string) (*sdk.ListToolsResult, error) { return one("t"+at, at+"x"), nil }, "", "more than 50 pages", 50},
		"a page that fails": {func(at string) (*sdk.ListToolsResult, error) {
			if at != "" {
				return nil, &jsonrpc.Error{Code: -32603, Message: "page \x1b[2J2 broke"}
			}
			return one("a", "2"), nil
		}, "mcp_x_a", `the rest of its list is left out: the server says page \x1b[2J2 broke`, 2},
	} {
		p := newProgram()
		p.add("unused", said)
		asked := 0
		p.server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
			return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
				list, is := r.(*sdk.ListToolsRequest)
				if !is {
					return next(ctx, method, r)
				}
				asked++
				page, err := c.page(list.Params.Cursor)
				if page == nil && err == nil {
					err = errors.New("no such page")
				}
				return page, err
			}
		})
		cl := client(t, p, nil)
		got := names(known(t, cl))
		_, left := cl.Status()
		if c.tools != "" && got != c.tools || asked != c.asked || c.left == "" && len(left) > 0 || !strings.Contains(fmt.Sprint(left), c.left) {
			t.Errorf("%s: asked %d times for %s, left %q", name, asked, got, left)
		}
	}
}
