package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"razao/internal/account"
)

// Admission is what is known of a call whose key was recognised, let in or not.
type Admission struct {
	Caller account.Caller
	Rate   Rate
}

// Rate is where an account stands in the present window. The zero Rate says nothing and is not shown.
type Rate struct {
	Limit     int // calls in a window
	Remaining int
	Reset     time.Time // when the next window begins
}

// Blocked is the error of a call that came too soon.
type Blocked struct {
	ByAddress bool          // by the protection of addresses; else by the limit of the account
	Wait      time.Duration // after which a call may be let in again
}

// Error implements error.
func (b *Blocked) Error() string {
	return fmt.Sprintf("blocked for %s, by address: %v", b.Wait, b.ByAddress)
}

// seconds returns Wait as a whole number of seconds, at least one.
func (b *Blocked) seconds() string {
	return strconv.FormatInt(max(1, int64((b.Wait+time.Second-1)/time.Second)), 10)
}

// set writes the three headers that tell a client where its account stands.
func (r Rate) set(header http.Header) {
	if r == (Rate{}) {
		return
	}
	header.Set("X-RateLimit-Limit", strconv.Itoa(r.Limit))
	header.Set("X-RateLimit-Remaining", strconv.Itoa(r.Remaining))
	header.Set("X-RateLimit-Reset", strconv.FormatInt(r.Reset.Unix(), 10))
}

// KeyAdmission lets in every call that carries an active key of store.
func KeyAdmission(store *account.Store) func(ctx context.Context, authorization string) (Admission, error) {
	return func(ctx context.Context, authorization string) (Admission, error) {
		caller, err := store.Authenticate(ctx, bearerToken(authorization))
		return Admission{Caller: caller}, err
	}
}

// bearerToken returns the token of an Authorization header, "" when the header is empty or of another scheme.
func bearerToken(authorization string) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
