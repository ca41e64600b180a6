// Package account keeps the people who use the API: accounts, the identities they sign in with,
// sessions, API keys, the limit of calls per minute and the usage history. All SQL on these tables
// is in this package.
//
// [Store] reads and writes accounts, one statement or transaction a method. Secrets (keys and
// session tokens) are random and stored as SHA-256 only: reading the database lets nobody in.
//
// # Admission
//
// [Meter.Admit] authenticates a call by its key and counts it in a fixed window, the clock minute.
// The count of an account is one row of the table admission, shared by all its keys and all
// processes, and only the database's clock decides the minute. Concurrent calls of a process share
// one statement (group commit, package batching). Keys are not cached, so a revocation takes effect
// at once; refusals are, so that a client in a loop costs no query:
//
//	malformed key        checksum, in memory
//	forged key           MAC, in memory (package seal)
//	revoked key          remembered for a minute
//	exhausted minute     remembered until it ends
//
// # History
//
// [Meter.Record] queues an admitted call; a background goroutine writes the queue twice a second to
// usage_call (write-behind), so a killed process loses half a second. Every minute a roll-up adds
// the new rows to the daily totals in usage_day and moves its high-water mark, usage_rollup.upto.
// Readers add the rows above the mark to the totals, so they see every written call once.
//
// The single row of usage_rollup is also a readers-writer lock. Writers of calls share it; it is
// taken exclusively, for one short transaction each, by the roll-up, which needs ids below the mark
// to be final, and by the deletion of an account, which must leave no call behind.
package account

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/net/idna"

	"razao/internal/people/seal"
)

// Errors of the package's functions, possibly wrapped; compare with [errors.Is]. None stands for a
// failed query.
var (
	// ErrMissingKey means that a call has no API key.
	ErrMissingKey = errors.New("no API key")
	// ErrInvalidKey means that a key is malformed, forged, unknown or revoked. A failed query is
	// never this error.
	ErrInvalidKey = errors.New("invalid API key")
	// ErrTooManyKeys means that the account already has MaxActiveKeys active keys.
	ErrTooManyKeys = errors.New("the account has the maximum of active keys: revoke one first")
	// ErrFormUsed means that a form that is sent again has created a key, which cannot be shown any more.
	ErrFormUsed = errors.New("the form has created a key before")
	// ErrNotFound means that a key does not exist, or belongs to another account.
	ErrNotFound = errors.New("no such key")
	// ErrNoAccount means that an account does not exist: it was deleted.
	ErrNoAccount = errors.New("no such account")
	// ErrNoSession means that a session is unknown, ended or expired. A failed query is never this
	// error.
	ErrNoSession = errors.New("no such session")
	// ErrInvalidEmail means that a text is not a bare e-mail address (RFC 5322 addr-spec) that SMTP can deliver to.
	ErrInvalidEmail = errors.New("not an e-mail address")
	// ErrInvalidName means that the name of a key is empty, longer than 80 characters or not
	// printable.
	ErrInvalidName = errors.New("the name of a key has 1 to 80 printable characters")
)

// Bounds of what an account has.
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

// NewStore returns a Store on a migrated database. s makes the MACs of new keys; all servers that
// take these keys must share it. It may be nil if no keys are created.
func NewStore(pool *pgxpool.Pool, s *seal.Sealer) *Store { return &Store{pool: pool, seal: s} }

// ParseEmail returns a bare address in the form that is stored: the domain in lower case and ASCII
// (IDNA, RFC 5891), the local part unchanged, because only its mail server knows whether case
// matters. Accounts are unique regardless of case all the same. The local part must be ASCII, which
// stops homoglyphs and letters that fold into ASCII, such as the Kelvin sign. The error is
// ErrInvalidEmail.
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

// normalizeName trims the name of a key and validates it. The error is ErrInvalidName.
func normalizeName(s string) (string, error) {
	s = strings.TrimSpace(s)
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if s == "" || utf8.RuneCountInString(s) > maxNameLength || !utf8.ValidString(s) || strings.ContainsFunc(s, unprintable) {
		return "", ErrInvalidName
	}
	return s, nil
}
