package main

import (
	"context"
	"runtime"

	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/tools/page"
)

// pages is what create_web_app needs. Where nobody is attended to, nothing can be
// opened.
func (p *plan) pages(attended bool) page.Config {
	if !attended {
		return page.Config{}
	}
	return page.Config{Browser: p.browser, Open: p.detach}
}

// browser returns the program that opens addresses, with its arguments.
func (p *plan) browser() ([]string, error) { return p.lookup().Browser(runtime.GOOS) }

// browse opens an address in the person's browser.
func (p *plan) browse(ctx context.Context, address string) error {
	argv, err := p.browser()
	if err != nil {
		return err
	}
	return p.detach(ctx, append(argv, address))
}

func (p *plan) detach(ctx context.Context, argv []string) error {
	return shell.Detach(ctx, argv, p.root, p.environ())
}
