package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/zuno-dev/zuno/internal/mcp"
	"github.com/zuno-dev/zuno/internal/redact"
	"github.com/zuno-dev/zuno/internal/tools"
)

// loginsFile is the file of logins to MCP servers, in the folder of the stored
// keys and kept like them.
const loginsFile = "mcp-logins.json"

// A loginBook is that file. It is read whenever a login is needed, so that what
// another process renews counts for all.
type loginBook struct{ path string }

// Get implements mcp.Logins.
func (b loginBook) Get(server, address string) (mcp.Login, error) {
	all, err := b.read()
	return all[loginKey(server, address)], err
}

// Change implements mcp.Logins.
func (b loginBook) Change(ctx context.Context, server, address string, f func(mcp.Login) (mcp.Login, error)) error {
	unlock, err := b.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := b.read()
	if err != nil {
		return err
	}
	login, err := f(all[loginKey(server, address)])
	if err != nil {
		return err
	}
	delete(all, loginKey(server, address))
	if login.Access != "" {
		all[loginKey(server, address)] = login
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("store the login: %w", err)
	}
	return writeSecret(b.path, "login", text)
}

// loginKey names one server at one address.
func loginKey(server, address string) string { return server + " " + address }

func (b loginBook) read() (map[string]mcp.Login, error) {
	all := map[string]mcp.Login{}
	text, err := readSecret(b.path, "logins")
	if err != nil || text == nil {
		return all, err
	}
	if json.Unmarshal(text, &all) != nil || all == nil { // its error may quote a secret
		return map[string]mcp.Login{}, fmt.Errorf("the logins in %s are not used: the file is damaged: remove it and log in again", b.path)
	}
	return all, nil
}

// lockPoll is how often a lock that somebody has is tried again.
const lockPoll = 50 * time.Millisecond

// lock keeps other processes from changing the file until unlock.
func (b loginBook) lock(ctx context.Context) (unlock func(), err error) {
	fail := func(err error) (func(), error) { return nil, fmt.Errorf("change the logins in %s: %w", b.path, err) }
	if err := os.MkdirAll(filepath.Dir(b.path), 0o700); err != nil {
		return fail(errors.New(plainError(err)))
	}
	f, err := os.OpenFile(b.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fail(errors.New(plainError(err)))
	}
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for {
		switch is, err := tryLockFile(f); {
		case is:
			return func() { f.Close() }, nil
		case err != nil:
			return fail(errors.Join(err, f.Close()))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fail(errors.Join(errors.New("another zuno is changing them"), f.Close()))
		}
	}
}

// logins are the logins of the person.
func (p *plan) logins() loginBook { return loginBook{filepath.Join(p.paths.Config, loginsFile)} }

// words says of a server whether there is a login to it, and until when; "" for
// one that cannot be logged in to.
func (b loginBook) words(s mcp.Server) string {
	address, err := s.LoginAddress(os.LookupEnv)
	if err != nil {
		return ""
	}
	l, err := b.Get(s.Name, address)
	switch {
	case err != nil:
		return tools.CleanLine(err.Error())
	case l.Access == "":
		return "not logged in"
	case l.Refresh != "":
		return "logged in, renewed by itself"
	case l.Expires.IsZero():
		return "logged in"
	case time.Now().After(l.Expires):
		return "its login has ended: run zuno mcp login " + s.Name
	}
	return "logged in until " + l.Expires.Local().Format("2006-01-02 15:04")
}

// loginSecrets are what of the logins no record may hold.
func loginSecrets() []redact.Secret {
	dir := configFolder()
	if dir == "" {
		return nil // who needs the folders says so
	}
	all, err := loginBook{filepath.Join(dir, loginsFile)}.read()
	if err != nil {
		return nil // who needs a login says so
	}
	var list []redact.Secret
	for _, l := range all {
		for _, value := range []string{l.Access, l.Refresh, l.ClientSecret} {
			if value != "" {
				list = append(list, redact.Secret{Name: "MCP_LOGIN", Value: value})
			}
		}
	}
	return list
}
