// Package account keeps the people who use Razão: their identities, sessions and keys, the calls that each account is let
// make in a minute, and the history of those calls. All SQL on these tables is in this package.
package account

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/net/idna"
)

var (
	// ErrMissingKey means that a call came without a key.
	ErrMissingKey = errors.New("no API key")
	// ErrInvalidKey means that a key is malformed, unknown or revoked. Trouble while looking is never this error.
	ErrInvalidKey = errors.New("invalid API key")
	// ErrTooManyKeys means that the account has MaxActiveKeys keys already.
	ErrTooManyKeys = errors.New("the account has the maximum of active keys: revoke one first")
	// ErrNotFound means that there is no key with the id that was given, or that it is another account's.
	ErrNotFound = errors.New("no such key")
	// ErrNoAccount means that there is no account with the id that was given: it was deleted.
	ErrNoAccount = errors.New("no such account")
	// ErrNoSession means that a session is unknown, ended or expired. Trouble while looking is never this error.
	ErrNoSession = errors.New("no such session")
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

// ParseEmail accepts a bare address and returns the form in which it is stored and mailed to. The domain becomes lower
// case, in its ASCII form; what comes before it belongs to its mail server and stays, though two accounts may not differ in
// case alone. That part must be ASCII: letters of other scripts look like it, and some turn into it when their case changes.
// The error is ErrInvalidEmail.
func ParseEmail(s string) (string, error) {
	s = strings.TrimSpace(s)
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s {
		return "", ErrInvalidEmail
	}
	at := strings.LastIndexByte(s, '@')
	local := s[:at]
	domain, err := idna.Lookup.ToASCII(s[at+1:])
	isNotASCII := func(r rune) bool { return r > unicode.MaxASCII }
	if err != nil || strings.ContainsFunc(local, isNotASCII) || len(local)+1+len(domain) > maxEmailLength {
		return "", ErrInvalidEmail
	}
	return local + "@" + domain, nil
}

func normalizeName(s string) (string, error) {
	s = strings.TrimSpace(s)
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if s == "" || utf8.RuneCountInString(s) > maxNameLength || !utf8.ValidString(s) || strings.ContainsFunc(s, unprintable) {
		return "", ErrInvalidName
	}
	return s, nil
}
