//go:build unix

package main

import (
	"fmt"
	"strings"
)

// endMark ends a long answer.
const endMark = "Here it ends at last."

// markdown returns about n bytes of an answer that holds what answers hold:
// prose with emphasis and links, lists, tables, quotes and code. endMark is its
// end.
func markdown(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		fmt.Fprintf(&b, section, i, i, i, i, i)
	}
	return b.String() + endMark + "\n"
}

const section = `## Section %d: how the request is carried out

The **handler** takes the request, checks it against the *schema* and hands it to ` + "`dispatch`" + `, which looks the route up in a table that was built at the start; see [the documentation](https://example.com/docs/%d) for the order in which routes are tried. Nothing is cached between two requests, so that a change of the configuration shows at once, and an error is returned as it came, with the name of the step that failed.

- The first point is short.
- The second point is longer and wraps, since it explains why the ` + "`timeout`" + ` of the client has to be longer than that of the server, **not** the other way round.
  - A nested point with ` + "`code`" + ` in it.
  - Another one.
- The third point ends the list.

1. Read the file.
2. Change line %d.
3. Run the tests again.

> A quoted remark: measure before you change anything.

| name | value | what it does |
|------|------:|--------------|
| retries | %d | how often a request is sent again |
| timeout | 30s | how long one attempt may take |
| verbose | false | whether each attempt is written to the log |

` + "```go" + `
// handle%d carries one request out.
func handle(ctx context.Context, r *Request) (*Response, error) {
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("validate: %%w", err)
	}
	out, err := dispatch(ctx, r.Route, r.Body) // the table is never changed
	if err != nil {
		return nil, err
	}
	return &Response{Body: out, Took: time.Since(r.Began)}, nil
}
` + "```" + `

日本語の文章と、Ünïcödé, and an emoji 🙂 are in the text as well.

`
