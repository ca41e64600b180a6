package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// leastSecret is the length that a secret of the operator's must have: 128 bits as hexadecimal digits.
const leastSecret = 32

// secret returns what keys are derived from: RAZAO_SECRET, which several servers share, or one made once for the data folder.
func (a *app) secret() (string, error) {
	if given := a.settings.Secret; given != "" {
		if len(given) < leastSecret {
			return "", fmt.Errorf("RAZAO_SECRET has %d characters, at least %d are needed", len(given), leastSecret)
		}
		return given, nil
	}
	path := filepath.Join(a.settings.Data, "secret")
	for {
		kept, err := os.ReadFile(path)
		if err == nil && len(kept) >= leastSecret {
			return string(kept), nil
		}
		if err == nil {
			return "", fmt.Errorf("%s is cut short: delete it, and cursors that clients hold end", path)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("secret: %w", err)
		}
		if err := createSecret(path); err != nil && !errors.Is(err, fs.ErrExist) { // another process was first
			return "", fmt.Errorf("secret: %w", err)
		}
	}
}

// createSecret writes a new secret under its name at once and whole.
func createSecret(path string) error {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "secret-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temporary.Name()) }()
	_, err = temporary.WriteString(hex.EncodeToString(raw[:]))
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Link(temporary.Name(), path) // unlike a rename, it does not replace what is there
}

// keepSecret makes the secret of a backup that of the data folder, unless RAZAO_SECRET names one. Another one there goes if replace says
// so: keys and tokens work with either, as "The secret" in docs/operations.md explains, but cost more with the wrong one.
func (a *app) keepSecret(secret string, replace bool) error {
	if secret == "" || a.settings.Secret == secret {
		return nil
	}
	if a.settings.Secret != "" {
		a.log.Warn("the backup has another secret than RAZAO_SECRET: keys and tokens of before work at a price (docs/operations.md, \"The secret\")")
		return nil
	}
	path := filepath.Join(a.settings.Data, "secret")
	there, err := os.ReadFile(path)
	switch {
	case err == nil && string(there) == secret:
		return nil
	case err == nil && !replace:
		return fmt.Errorf("%s is not the secret of the backup: delete it if no server uses it, or --replace", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("secret: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return writeWhole(path, func(out io.Writer) error { _, err := io.WriteString(out, secret); return err })
}
