package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// Audience is who may see a response, which decides who may cache it. Larger is wider.
type Audience int

// The audiences.
const (
	Nobody   Audience = iota // no-store, the default: errors, forms, accounts
	Caller                   // the client's own cache only, revalidated each time
	Visitors                 // shared caches, for requests without a session: the page shows who is signed in
	Everyone                 // shared caches: the same for all
)

// Forever is the Age of a response that never changes at its URL, such as a hashed asset.
const Forever = 365 * 24 * time.Hour

// sharedAge is how long shared caches keep a public response without an Age. It bounds how long a
// lost purge is felt.
const sharedAge = time.Minute

// Caching says who may cache a response and for how long. The zero value is no-store, so a handler
// that forgets about caches is safe behind them.
type Caching struct {
	For  Audience
	Age  time.Duration // max-age of a public response; 0: browsers revalidate, shared caches keep it for a minute
	Keys string        // surrogate keys for purges, separated by spaces; "": none
}

// CookieName begins the name of every cookie of the program, after a prefix such as __Host-.
// Caching recognises signed-in clients by it.
const CookieName = "razao"

// Set sets Cache-Control, Vary and Surrogate-Key of a response with this status. Call it after
// cookies are set and errors recorded. It narrows For where sharing would leak or would keep damage
// (RFC 9111 §3):
//
//   - to Nobody: a response that sets a cookie, and a public one whose status is not 200, whose
//     method is not GET or HEAD, or that lacks a part (its Event has an error);
//   - to Caller: a public response to a request with Authorization and, for Visitors, to one with a
//     session cookie.
func (k Caching) Set(c *gin.Context, status int) {
	header, who := c.Writer.Header(), k.For
	if who == Visitors {
		vary(header, "Cookie")
	}
	method := c.Request.Method
	switch shared := who > Caller; {
	case len(header["Set-Cookie"]) > 0, shared && status != http.StatusOK, shared && method != http.MethodGet && method != http.MethodHead:
		who = Nobody
	case shared && EventOf(c.Request.Context()).Err() != nil: // it lacks a part, which the next one may have
		who = Nobody
	case shared && c.GetHeader("Authorization") != "", who == Visitors && hasSession(c.Request):
		who = Caller
	}
	header.Set("Cache-Control", k.control(who))
	header.Del("Surrogate-Key")
	if who > Caller && k.Keys != "" {
		header.Set("Surrogate-Key", k.Keys)
	}
}

const noStore = "no-store"

// control returns Cache-Control for an audience. Browsers revalidate what has no Age, so a new
// snapshot shows at once; s-maxage is for caches that can be purged.
func (k Caching) control(who Audience) string {
	switch seconds := strconv.Itoa(int(k.Age.Seconds())); {
	case who == Nobody:
		return noStore
	case who == Caller:
		return "private, no-cache"
	case k.Age == 0:
		return "public, max-age=0, s-maxage=" + strconv.Itoa(int(sharedAge.Seconds()))
	case k.Age >= Forever:
		return "public, max-age=" + seconds + ", immutable"
	default:
		return "public, max-age=" + seconds
	}
}

// hasSession reports whether a request has a cookie of the program. An expired one counts, too:
// telling would take a query, and a private response is always safe.
func hasSession(r *http.Request) bool {
	for _, line := range r.Header["Cookie"] {
		if strings.Contains(line, CookieName) {
			return true
		}
	}
	return false
}

// vary adds a request header to Vary (RFC 9110 §12.5.5) unless it is listed.
func vary(header http.Header, name string) {
	switch now := header.Get("Vary"); {
	case now == "":
		header.Set("Vary", name)
	case !strings.Contains(now, name):
		header.Set("Vary", now+", "+name)
	}
}
