// Package account keeps the people who use the API and their keys. All SQL on these tables is in this package.
package account

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	// ErrMissingKey means that a call came without a key.
	ErrMissingKey = errors.New("no API key")
	// ErrInvalidKey means that a key is malformed, unknown or revoked. Trouble while looking is never this error.
	ErrInvalidKey = errors.New("invalid API key")
	// ErrTooManyKeys means that the account has MaxActiveKeys keys already.
	ErrTooManyKeys = errors.New("the account has the maximum of active keys: revoke one first")
	// ErrNotFound means that there is no key with the id that was given.
	ErrNotFound = errors.New("no such key")
	// ErrInvalidEmail means that a text is not one plain e-mail address.
	ErrInvalidEmail = errors.New("not an e-mail address")
	// ErrInvalidName means that the name of a key is empty, too long or not plain text.
	ErrInvalidName = errors.New("the name of a key has 1 to 80 printable characters")
)

const (
	// MaxActiveKeys is how many keys of an account may be active at the same time.
	MaxActiveKeys = 5

	maxNameLength  = 80  // characters
	maxEmailLength = 254 // bytes, the longest address that SMTP can deliver to
)

// ID identifies an account. No account has ID 0.
type ID int64

// KeyID identifies a key, also after it was revoked. No key has KeyID 0.
type KeyID int64

// Store reads and writes accounts and keys. It is safe for concurrent use, also by several processes.
type Store struct {
	pool *pgxpool.Pool
}

// NewStore returns a store on a migrated database.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

// normalizeEmail accepts a bare address. The domain becomes lower case; what comes before it belongs to its mail server
// and stays, though two accounts may not differ in case alone.
func normalizeEmail(s string) (string, error) {
	s = strings.TrimSpace(s)
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s || len(s) > maxEmailLength {
		return "", ErrInvalidEmail
	}
	at := strings.LastIndexByte(s, '@')
	return s[:at] + strings.ToLower(s[at:]), nil
}

func normalizeName(s string) (string, error) {
	s = strings.TrimSpace(s)
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if s == "" || utf8.RuneCountInString(s) > maxNameLength || !utf8.ValidString(s) || strings.ContainsFunc(s, unprintable) {
		return "", ErrInvalidName
	}
	return s, nil
}
