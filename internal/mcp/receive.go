package mcp

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/zuno-dev/zuno/internal/tools"
)

// receiving stands before all that a server asks or tells by itself. Its questions
// the link answers, since the library would fill in what the person left out; and
// a message that the library cannot cope with, such as one without the params that
// it counts on, is an error of that message and of nothing else.
func (l *link) receiving(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				l.note("message not understood", tools.CleanLine(tools.Clip(fmt.Sprintf("%s: %v", method, p), 200)), 0)
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this cannot be understood"}
			}
		}()
		if q, asks := r.(*sdk.ElicitRequest); asks {
			return l.elicit(ctx, q)
		}
		return next(ctx, method, r)
	}
}
