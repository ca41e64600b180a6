package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// Audience is whom an answer is for, and so who may keep it.
type Audience int

// The audiences.
const (
	Nobody   Audience = iota // no cache at all: what nothing is said of, errors, forms, accounts
	Caller                   // the client alone, which asks each time whether it still holds
	Visitors                 // all who are not signed in; what it says depends on who is
	Everyone                 // whoever asks: it is the same for all
)

// Forever is the Age of what never changes under its address.
const Forever = 365 * 24 * time.Hour

// sharedAge is how long shared caches take an answer without an Age for fresh: so long a purge that got lost is felt.
const sharedAge = time.Minute

// Caching says who may keep an answer and for how long. Its zero value lets nobody, so an answer of which nobody thought is safe.
type Caching struct {
	For  Audience
	Age  time.Duration // it is fresh for, everywhere; 0: browsers ask each time, shared caches keep it for a minute
	Keys string        // surrogate keys by which shared caches are told to drop it, separated by spaces; "": none
}

// CookieName is what the names of all cookies of the program begin with, after a prefix such as __Host-.
const CookieName = "razao"

// Set sets Cache-Control, Vary and Surrogate-Key of an answer. It is the one place that decides what shared caches may keep (RFC 9111 §3):
// only a 200 to GET or HEAD that sets no cookie, of which no part is missing, and that was asked for without a key or token; and, of what
// depends on who is signed in, without a session. Who has one gets it as a private answer.
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

// hasSession reports whether a request has a cookie of the program, whatever that is worth: what depends on one is not for others.
func hasSession(r *http.Request) bool {
	for _, line := range r.Header["Cookie"] {
		if strings.Contains(line, CookieName) {
			return true
		}
	}
	return false
}

// vary adds a header of requests to those on which an answer depends (RFC 9110 §12.5.5), once.
func vary(header http.Header, name string) {
	switch now := header.Get("Vary"); {
	case now == "":
		header.Set("Vary", name)
	case !strings.Contains(now, name):
		header.Set("Vary", now+", "+name)
	}
}
