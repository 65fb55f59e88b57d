package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/zuno-dev/zuno/internal/mcp"
	"github.com/zuno-dev/zuno/internal/tools"
)

// loginLimit is how long zuno waits for a person to log in.
const loginLimit = 10 * time.Minute

// loginServer has the person log in to a server in their browser. It opens
// nothing before they press Enter.
func loginServer(ctx context.Context, w io.Writer, p *plan, args []string) error {
	if err := notAnAgent(); err != nil {
		return err
	}
	if err := p.usable(args[0]); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, loginLimit, fmt.Errorf("nobody logged in within %s", loginLimit))
	defer cancel()
	return p.withServers(func(client *mcp.Client, _ *ratifications) error {
		v := mcp.Visit{Say: func(line string) { fmt.Fprintln(os.Stderr, "zuno: "+oneLine(line)) }}
		pasted := make(chan string)
		v.Pasted = pasted
		v.Show = func(address string) {
			fmt.Fprintf(os.Stderr, "To log in to the MCP server %s, visit this page:\n\n  %s\n\n", tools.CleanLine(args[0]), tools.CleanLine(address))
			fmt.Fprintln(os.Stderr, loginHelp(p))
			// It ends with the input, or with zuno: nothing can stop a read.
			go readPasted(ctx, os.Stdin, pasted, func() {
				if err := p.browse(ctx, address); err != nil {
					v.Say(err.Error())
				}
			})
		}
		err := client.Login(ctx, args[0], v)
		switch {
		case errors.Is(err, mcp.ErrNoLogin):
			_, err = fmt.Fprintf(w, "the MCP server %s lets zuno in without a login; nothing is kept\n", tools.CleanLine(args[0]))
			return err
		case err != nil:
			return fmt.Errorf("log in to the MCP server %s: %w", tools.CleanLine(args[0]), err)
		}
		_, err = fmt.Fprintf(w, "logged in to the MCP server %s; the login is kept for you alone in %s, and goes to that server only\n", tools.CleanLine(args[0]), p.logins().path)
		return err
	})
}

// loginHelp says what can be done beside reading the address.
func loginHelp(p *plan) string {
	paste := "If your browser is on another machine, paste the address here that it came back to, whether it could show it or not."
	if _, err := p.browser(); err != nil {
		return "Open it yourself. " + paste
	}
	return "Press Enter to open it in your browser, or open it yourself. " + paste
}

// readPasted hands on the lines that are pasted; an empty one calls open.
func readPasted(ctx context.Context, in io.Reader, pasted chan<- string, open func()) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<10)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			open()
			continue
		}
		select {
		case pasted <- line:
		case <-ctx.Done():
			return
		}
	}
}

// logoutServer forgets the login to a server.
func logoutServer(ctx context.Context, w io.Writer, p *plan, args []string) error {
	if err := p.usable(args[0]); err != nil {
		return err
	}
	return p.withServers(func(client *mcp.Client, _ *ratifications) error {
		was, err := client.Logout(ctx, args[0])
		switch {
		case err != nil:
			return fmt.Errorf("log out of the MCP server %s: %w", tools.CleanLine(args[0]), err)
		case !was:
			_, err = fmt.Fprintf(w, "there was no login to the MCP server %s\n", tools.CleanLine(args[0]))
			return err
		}
		_, err = fmt.Fprintf(w, "the login to the MCP server %s is forgotten here; the server itself is not told, and may take it until it ends\n", tools.CleanLine(args[0]))
		return err
	})
}
