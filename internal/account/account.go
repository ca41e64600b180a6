// Package account keeps the people who use Razão: accounts, the identities they sign in with, sessions, API keys, the limit of
// calls per minute and the usage history. All SQL on these tables is in this package.
//
// Store reads and writes accounts; Meter counts calls. Secrets are stored as SHA-256 only: who reads the database cannot sign
// in with it.
package account

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/net/idna"

	"razao/internal/seal"
)

var (
	// ErrMissingKey means that a call has no API key.
	ErrMissingKey = errors.New("no API key")
	// ErrInvalidKey means that a key is malformed, unknown or revoked. A failed look-up is never this error.
	ErrInvalidKey = errors.New("invalid API key")
	// ErrTooManyKeys means that the account already has MaxActiveKeys active keys.
	ErrTooManyKeys = errors.New("the account has the maximum of active keys: revoke one first")
	// ErrNotFound means that a key does not exist, or belongs to another account.
	ErrNotFound = errors.New("no such key")
	// ErrNoAccount means that an account was deleted.
	ErrNoAccount = errors.New("no such account")
	// ErrNoSession means that a session is unknown, ended or expired. A failed look-up is never this error.
	ErrNoSession = errors.New("no such session")
	// ErrInvalidEmail means that a text is not a bare e-mail address (RFC 5322 addr-spec) that SMTP can deliver to.
	ErrInvalidEmail = errors.New("not an e-mail address")
	// ErrInvalidName means that the name of a key is empty, over 80 characters or has unprintable ones.
	ErrInvalidName = errors.New("the name of a key has 1 to 80 printable characters")
)

const (
	// MaxActiveKeys is how many keys of an account may be active at the same time.
	MaxActiveKeys = 5

	maxNameLength  = 80  // characters
	maxEmailLength = 254 // bytes: RFC 5321 §4.5.3.1.3 without the angle brackets
)

// ID identifies an account. 0 is no account.
type ID int64

// KeyID identifies a key, active or revoked. 0 is no key.
type KeyID int64

// Store reads and writes accounts, identities, sessions and keys. It is safe for concurrent use, by several processes too.
type Store struct {
	pool *pgxpool.Pool
	seal *seal.Sealer
}

// NewStore returns a store on a migrated database. New keys are sealed by s, which the servers that take them share; it may be nil
// for who makes no keys.
func NewStore(pool *pgxpool.Pool, s *seal.Sealer) *Store { return &Store{pool: pool, seal: s} }

// ParseEmail returns a bare address as it is stored: the domain in lower case and ASCII (IDNA, RFC 5891), the local part as it
// is, since its case is its mail server's business; accounts are unique regardless of case. The local part must be ASCII,
// against homoglyphs and letters that fold into ASCII, such as the Kelvin sign. The error is ErrInvalidEmail.
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

// normalizeName trims the name of a key. The error is ErrInvalidName.
func normalizeName(s string) (string, error) {
	s = strings.TrimSpace(s)
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if s == "" || utf8.RuneCountInString(s) > maxNameLength || !utf8.ValidString(s) || strings.ContainsFunc(s, unprintable) {
		return "", ErrInvalidName
	}
	return s, nil
}
