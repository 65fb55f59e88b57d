package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"

	"github.com/spf13/cobra"

	"github.com/zuno-dev/zuno/internal/redact"
	"github.com/zuno-dev/zuno/internal/shell"
	"github.com/zuno-dev/zuno/internal/store"
	"github.com/zuno-dev/zuno/internal/tools"
)

// newShow returns the command that prints a session; see [newExport] for one as
// a file.
func newShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Print a session as plain text",
		Long: `show prints what was said in a session, with a receipt for each call. Another
zuno may be writing it.`,
		Args: exactly("the ID of a session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return recorded(flags{}, func(_ *plan, db *store.Store) error {
				t, err := readTranscript(db, args[0])
				if err != nil {
					return err
				}
				_, err = io.WriteString(cmd.OutOrStdout(), t.text())
				return err
			})
		},
	}
}

func newExport() *cobra.Command {
	var format, file string
	var share bool
	cmd := &cobra.Command{
		Use:   "export ID",
		Short: "Write a session as a document to keep or pass on",
		Long: `export writes a session with what each call was asked for and returned. Secrets
were taken out when it was recorded; --redact also takes out what is assigned to
names of secrets, home folders, e-mail addresses and the name of the machine.
Read the result before you pass it on.`,
		Args: exactly("the ID of a session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "markdown" && format != "json" {
				return usageErrorf("--format %s: it must be markdown or json", format)
			}
			return recorded(flags{}, func(_ *plan, db *store.Store) error {
				b, err := exported(db, args[0], format, share)
				switch {
				case err != nil:
					return err
				case file == "" || file == "-":
					_, err = cmd.OutOrStdout().Write(b)
					return err
				}
				return writeNew(file, b)
			})
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&format, "format", "markdown", "write `FORMAT`: markdown or json")
	fl.BoolVar(&share, "redact", false, "take out more than secrets")
	fl.StringVarP(&file, "output", "o", "", "write to `FILE`, which must not be there yet")
	return cmd
}

// readTranscript reads a session that another process may hold.
func readTranscript(db *store.Store, id string) (transcript, error) {
	m, past, err := db.Read(id)
	if err != nil {
		return transcript{}, err
	}
	spent, err := db.Spent(m.ID)
	if err != nil {
		return transcript{}, err
	}
	return transcribe(m, past, spent)
}

// exported is a session as a document.
func exported(db *store.Store, id, format string, share bool) ([]byte, error) {
	t, err := readTranscript(db, id)
	if err != nil {
		return nil, err
	}
	hide, place := redact.New(secrets()), here()
	if format == "markdown" {
		text := t.markdown()
		if share {
			text = hide.Share(text, place)
		}
		return []byte(text), nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(t); err != nil || !share {
		return b.Bytes(), err
	}
	return hide.ShareJSON(b.Bytes(), place)
}

// writeNew writes a file for its owner only, and never over another.
func writeNew(file string, b []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usageErrorf("%s is there already: name another file", tools.CleanLine(file))
	}
	if err != nil {
		return fmt.Errorf("write %s: %s", tools.CleanLine(file), plainError(err))
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// secrets are the values in the environment and among the stored keys that no
// record may hold. What envAllowlist shows to commands is a secret all the same.
func secrets() []redact.Secret {
	_, hidden := shell.Environ(os.Environ(), nil)
	list := redact.FromEnv(os.Environ(), hidden)
	if keys, err := openKeyring(); err == nil {
		for _, name := range keys.names() {
			list = append(list, redact.Secret{Name: name, Value: keys.stored[name]})
		}
	}
	return append(list, loginSecrets()...)
}

// here is what of this machine an export may leave out. What is not known is
// left out of what is left out.
func here() redact.Place {
	var p redact.Place
	p.Home, _ = os.UserHomeDir()
	p.Host, _ = os.Hostname()
	if u, err := user.Current(); err == nil {
		p.User = u.Username
	}
	return p
}
