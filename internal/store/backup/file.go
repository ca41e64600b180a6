package backup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"
)

// RecipientError means that a text is not the public key of an age identity.
type RecipientError struct{ Err error }

func (e *RecipientError) Error() string { return e.Err.Error() }
func (e *RecipientError) Unwrap() error { return e.Err }

// Recipients returns who can decrypt a backup: the holders of the given age keys (age1…) and, if
// passphrase is not "", whoever knows the first line of that file. Without either it returns none,
// and the backup is not encrypted. A malformed key is a *RecipientError.
func Recipients(keys []string, passphrase string) ([]age.Recipient, error) {
	var all []age.Recipient
	for _, key := range keys {
		r, err := age.ParseX25519Recipient(key)
		if err != nil {
			return nil, &RecipientError{err}
		}
		all = append(all, r)
	}
	if passphrase == "" {
		return all, nil
	}
	word, err := firstLine(passphrase)
	if err != nil {
		return nil, err
	}
	r, err := age.NewScryptRecipient(word)
	return append(all, r), err
}

// Identities returns what decrypts a backup: the passphrase in the first line of a file, or else
// the age keys (AGE-SECRET-KEY-1…) in another one. Either path may be "".
func Identities(keys, passphrase string) ([]age.Identity, error) {
	if passphrase != "" {
		word, err := firstLine(passphrase)
		if err != nil {
			return nil, err
		}
		id, err := age.NewScryptIdentity(word)
		return []age.Identity{id}, err
	}
	if keys == "" {
		return nil, nil
	}
	f, err := os.Open(keys)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	all, err := age.ParseIdentities(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", keys, err)
	}
	return all, nil
}

// longestLine bounds the bytes that are read of a file with a passphrase.
const longestLine = 64 << 10

// firstLine returns the first line of a file without its line end. An empty one is an error.
func firstLine(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, longestLine)) // the rest of the file does not matter
	if err != nil {
		return "", err
	}
	line, _, ended := strings.Cut(string(text), "\n")
	if !ended && len(text) == longestLine {
		return "", fmt.Errorf("%s has no passphrase: its first line has more than %d bytes", path, longestLine)
	}
	if line = strings.TrimRight(line, "\r"); line == "" {
		return "", fmt.Errorf("%s has no passphrase in its first line", path)
	}
	return line, nil
}

// WriteFile creates path with what write writes, readable by its owner alone. It writes a temporary
// file, syncs and renames it: after an error or crash path is what it was before.
func WriteFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".razao-backup-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
