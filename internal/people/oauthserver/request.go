package oauthserver

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// requestLifetime is how long an authorization request waits for a decision. 20 minutes outlive a
// magic link (15 minutes), with which the user may have to sign in first.
const requestLifetime = 20 * time.Minute

// request is a valid authorization request. It is not stored: its id is the request itself,
// encrypted, so strangers who send any number of them fill nothing. Encrypted, because the id goes
// through the mail of a magic link, and state is between the client and the browser (RFC 6749
// §10.12).
type request struct {
	Expires   time.Time // whole seconds of the database's clock
	Client    string    // its id
	Redirect  string    // was the client's when the request was sealed: check again
	State     string    // opaque, returned unchanged
	Challenge string
}

// requestPurpose separates requests from all else that is sealed, and those of servers with another
// public address (RFC 8707) from this one's.
func (s *Server) requestPurpose() string { return "authorization request for " + s.resource }

// sealRequest returns the id of a request. It is secret: whoever opens it first owns it. No member
// has NUL, which separates them.
func (s *Server) sealRequest(r request) string {
	return s.seal.Encrypt(s.requestPurpose(), strings.Join([]string{
		strconv.FormatInt(r.Expires.Unix(), 10), r.Client, r.Redirect, r.Challenge, r.State,
	}, "\x00"))
}

// openRequest returns the request of an id, expired or not, without a query. It returns ErrNoRequest
// for what sealRequest did not make.
func (s *Server) openRequest(id string) (request, error) {
	text, ok := s.seal.Decrypt(s.requestPurpose(), id)
	if !ok {
		return request{}, ErrNoRequest
	}
	parts := strings.Split(text, "\x00")
	if len(parts) != 5 {
		return request{}, fmt.Errorf("%w: it has %d parts", ErrNoRequest, len(parts)) // of another release
	}
	expires, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return request{}, fmt.Errorf("%w: its time is no number", ErrNoRequest)
	}
	return request{Expires: time.Unix(expires, 0), Client: parts[1], Redirect: parts[2], Challenge: parts[3], State: parts[4]}, nil
}
