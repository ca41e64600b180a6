package seal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// LeastSecret is the minimum length of a secret in bytes: 128 bits as hexadecimal digits.
const LeastSecret = 32

// putBack says what to do about a secret that is lost. docs/operations.md has all that depends on it.
const putBack = "put it back from a backup or another server of the service. Only if there is none, delete the file: " +
	"a new secret ends cursors, feeds, webhooks, links that end mails, authorizations in progress and the key that signs checkpoints"

// ErrOtherSecret means that the file holds another secret already.
var ErrOtherSecret = errors.New("there is another secret")

// SecretFile returns the secret in a file. If there is none, it creates one of 256 random bits that
// only its owner can read. When several processes create it at the same time, all return the same
// secret.
func SecretFile(path string) (string, error) {
	for {
		kept, err := os.ReadFile(path)
		if err == nil && len(kept) >= LeastSecret {
			return string(kept), nil
		}
		if err == nil {
			return "", fmt.Errorf("the secret in %s is cut short, to %d bytes: %s", path, len(kept), putBack)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("secret: %w", err)
		}
		var raw [32]byte
		_, _ = rand.Read(raw[:]) // never fails
		// Unlike a rename, a link does not replace a file that another process has just created.
		if err := writeSecret(path, hex.EncodeToString(raw[:]), os.Link); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("secret: %w", err)
		}
	}
}

// KeepSecret writes a secret to a file. A different secret there is overwritten if replace is set;
// otherwise the error is ErrOtherSecret.
func KeepSecret(path, secret string, replace bool) error {
	there, err := os.ReadFile(path)
	switch {
	case err == nil && string(there) == secret:
		return nil
	case err == nil && !replace:
		return ErrOtherSecret
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("secret: %w", err)
	}
	return writeSecret(path, secret, os.Rename)
}

// writeSecret writes and syncs a temporary file, which move then gives its name: nobody reads half a
// secret, not even after a power cut.
func writeSecret(path, secret string, move func(from, to string) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "secret-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temporary.Name()) }()
	_, err = temporary.WriteString(secret)
	if err == nil {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return move(temporary.Name(), path)
}
