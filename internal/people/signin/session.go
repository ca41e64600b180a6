package signin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/gin-contrib/sessions"
	"github.com/gin-gonic/gin"
	gorilla "github.com/gorilla/sessions"
	"github.com/jackc/pgx/v5"
	"golang.org/x/time/rate"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/web"
)

// Timeouts and cookies of sessions.
const (
	lookUpTimeout   = 2 * time.Second // short: most pages need the session only for a link in their header
	sessionTimeout  = 5 * time.Second // to begin, end and save a session
	browserLifetime = time.Hour       // of the cookie that binds a sign-in to its browser
	browserCookie   = web.CookieName + "-entrada"
)

// Sessions keeps browser sessions: a random token in a cookie, everything else in the database.
// Make one with NewSessions. It is safe for concurrent use. It is also a gin-contrib/sessions
// store, used for flash messages. Visitors who are not signed in have neither session nor cookie.
type Sessions struct {
	accounts   *account.Store
	secure     bool           // https
	unrecorded rate.Sometimes // logs, once a minute, that a read-only database cannot record the use of sessions
	now        func() time.Time
}

// NewSessions returns the sessions of the site at baseURL. With an https address, cookies are
// Secure and have the __Host- prefix.
func NewSessions(accounts *account.Store, baseURL string) *Sessions {
	return &Sessions{
		accounts: accounts, secure: strings.HasPrefix(baseURL, "https://"), unrecorded: rate.Sometimes{Interval: time.Minute},
		now: time.Now,
	}
}

// Middleware attaches the session to requests. The look-up happens at the first use, so a page that
// needs no session costs no query.
func (s *Sessions) Middleware() gin.HandlerFunc {
	return sessions.Sessions(s.cookieName(web.CookieName), s)
}

// Current returns the session of a request, or ErrSignedOut if there is none. Any other error means
// that the look-up failed and must not be taken for signed out: the handler responds 503 and the
// cookie stays. Middleware must have run.
func Current(c *gin.Context) (account.Session, error) {
	found, ok := sessions.Default(c).Get(lookupKey{}).(lookup)
	if !ok {
		return account.Session{}, ErrSignedOut
	}
	return found.session, found.err
}

// Begin signs in a user who has just authenticated and sets the session cookie. The token is always
// new, and the session whose token the browser sent ends: a token that an attacker planted in the
// browser stays worthless (session fixation). It returns account.ErrNoAccount if the account was
// deleted meanwhile.
func (s *Sessions) Begin(c *gin.Context, id account.ID) (account.Session, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), sessionTimeout)
	defer cancel()
	token, started, err := s.accounts.StartSession(ctx, id, c.Request.UserAgent(), s.token(c.Request))
	if err != nil {
		return account.Session{}, err
	}
	s.set(c, token, started)
	return started, nil
}

// BeginByLink redeems a magic link and signs its owner in, as Begin does. A form that the browser sends again within a minute, as
// by a double click, gets the session that it began, as long as that has not ended: the browser may have dropped the first answer,
// and with it the cookie. The session is therefore derived from link and browser (Browser). It returns ErrLink as UseLink does.
func (s *Sessions) BeginByLink(c *gin.Context, service *Service, link string) (account.Session, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), sessionTimeout)
	defer cancel()
	var token string
	var started account.Session
	from := link + cmp.Or(s.KnownBrowser(c), seal.RandomToken()) // of a browser that takes no cookies nobody can say whether it is the same
	err := service.UseLink(ctx, link, func(tx pgx.Tx, id account.ID) (err error) {
		token, started, err = s.accounts.StartSessionFrom(ctx, tx, from, id, c.Request.UserAgent(), s.token(c.Request))
		return err
	})
	if errors.Is(err, ErrLink) {
		var repeated error
		if token, started, repeated = s.accounts.RepeatedSession(ctx, from); !errors.Is(repeated, account.ErrNoSession) {
			err = repeated
		}
	}
	if err != nil {
		return account.Session{}, err
	}
	s.set(c, token, started)
	return started, nil
}

// set makes a session that of the request and of its browser.
func (s *Sessions) set(c *gin.Context, token string, started account.Session) {
	current := sessions.Default(c)
	current.Clear()
	current.Set(lookupKey{}, lookup{session: started})
	http.SetCookie(c.Writer, s.cookie(web.CookieName, token, account.SessionLifetime))
}

// End signs out: it deletes the session from the database and the cookie from the browser. It does
// nothing if nobody is signed in. With an error the cookie stays.
func (s *Sessions) End(c *gin.Context) error {
	current, err := Current(c)
	if errors.Is(err, ErrSignedOut) {
		return nil
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), sessionTimeout)
	defer cancel()
	if err := s.accounts.EndSession(ctx, current.Account, current.ID); err != nil && !errors.Is(err, account.ErrNoSession) {
		return err
	}
	sessions.Default(c).Clear()
	http.SetCookie(c.Writer, s.cookie(web.CookieName, "", -time.Second))
	return nil
}

// Browser returns the random token that binds sign-ins to this browser (Service.Start), creating it
// if needed, and sets its cookie for an hour. Tabs share the token; each sign-in has its own state.
func (s *Sessions) Browser(c *gin.Context) string {
	token := cmp.Or(s.KnownBrowser(c), seal.RandomToken())
	http.SetCookie(c.Writer, s.cookie(browserCookie, token, browserLifetime))
	return token
}

// KnownBrowser returns the token that Browser gave this browser, or "" if it has none.
func (s *Sessions) KnownBrowser(c *gin.Context) string {
	cookie, err := c.Request.Cookie(s.cookieName(browserCookie))
	if err != nil || len(cookie.Value) != seal.RandomTokenLength {
		return ""
	}
	return cookie.Value
}

// cookie returns a cookie with the given lifetime; a negative one deletes it. SameSite=Lax, unlike
// Strict, lets the cookie come along when a mailed link or a provider leads here; unsafe requests
// from other sites do not carry it.
func (s *Sessions) cookie(name, value string, lifetime time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: int(lifetime.Seconds()),
		Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// cookieName adds the __Host- prefix with https. Subdomains and plain http cannot set such cookies
// (RFC 6265bis §4.1.3.2), which defeats cookie tossing.
func (s *Sessions) cookieName(name string) string {
	if s.secure {
		return "__Host-" + name
	}
	return name
}

// token returns the session token of a request, or "" without one.
func (s *Sessions) token(r *http.Request) string {
	cookie, err := r.Cookie(s.cookieName(web.CookieName))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// lookup is the outcome of a session look-up. It travels among the session's values, because
// gin-contrib/sessions only logs a store's error and goes on as if nobody were signed in.
type lookup struct {
	session account.Session
	err     error
}

// lookupKey is the key of lookup among the values. Save leaves it out.
type lookupKey struct{}

// Get implements gorilla's Store.
func (s *Sessions) Get(r *http.Request, name string) (*gorilla.Session, error) { return s.New(r, name) }

// New implements gorilla's Store: it looks the session up. Its error is always nil; Current returns
// that of the look-up.
func (s *Sessions) New(r *http.Request, name string) (*gorilla.Session, error) {
	session := gorilla.NewSession(s, name)
	session.Options = &gorilla.Options{}
	ctx, cancel := context.WithTimeout(r.Context(), lookUpTimeout)
	defer cancel()
	found, err := s.accounts.Session(ctx, s.token(r))
	switch {
	case errors.Is(err, account.ErrNoSession):
		session.IsNew = true
		return session, nil
	case err == nil:
		session.Values = decodeValues(found.Data)
		if found.Unrecorded != nil {
			s.unrecorded.Do(func() { web.EventOf(ctx).Fail(found.Unrecorded) })
		}
	}
	session.Values[lookupKey{}] = lookup{session: found, err: err}
	return session, nil
}

// Save implements gorilla's Store: it stores the values with the session in the database. It
// returns ErrSignedOut without a session: visitors get no flash messages.
func (s *Sessions) Save(r *http.Request, _ http.ResponseWriter, session *gorilla.Session) error {
	found, ok := session.Values[lookupKey{}].(lookup)
	if !ok {
		return ErrSignedOut
	}
	if found.err != nil {
		return found.err
	}
	values := maps.Clone(session.Values)
	delete(values, lookupKey{})
	data, err := encodeValues(values)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), sessionTimeout)
	defer cancel()
	return s.accounts.SaveSession(ctx, found.session.ID, found.session.Data, data)
}

// Options implements gin-contrib's Store. It does nothing: handlers cannot weaken the cookie.
func (s *Sessions) Options(sessions.Options) {}

// encodeValues encodes the values of a session with gob; no values are no bytes.
func encodeValues(values map[any]any) ([]byte, error) {
	if len(values) == 0 {
		return []byte{}, nil
	}
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(values); err != nil {
		return nil, fmt.Errorf("encode the values of a session: %w", err)
	}
	return data.Bytes(), nil
}

// decodeValues decodes the values of a session. It returns an empty map for unreadable data: a
// flash message written by another version must not keep its user out.
func decodeValues(data []byte) map[any]any {
	values := map[any]any{}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&values); err != nil {
		return map[any]any{}
	}
	return values
}
