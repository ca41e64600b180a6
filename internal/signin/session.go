package signin

import (
	"bytes"
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

	"razao/internal/account"
)

const (
	lookUpTimeout   = 2 * time.Second // most pages need it for a link in their header alone
	sessionTimeout  = 5 * time.Second
	browserLifetime = time.Hour // of the cookie that a sign-in begins with
)

// Sessions keeps who is signed in in a browser: a random token in a cookie, everything else in the database. It is a store of
// gin-contrib/sessions, for notices that wait for the next page; a browser without anybody signed in has no session and no
// cookie.
type Sessions struct {
	accounts *account.Store
	secure   bool
}

// NewSessions returns the sessions of the site at a public address. With https the cookies are bound to this very host.
func NewSessions(accounts *account.Store, baseURL string) *Sessions {
	return &Sessions{accounts: accounts, secure: strings.HasPrefix(baseURL, "https://")}
}

// Middleware gives the handlers after it the session of the request, which is looked up when the first of them asks.
func (s *Sessions) Middleware() gin.HandlerFunc { return sessions.Sessions(s.cookieName("razao"), s) }

// Current returns who is signed in. ErrSignedOut: nobody is. Any other error means that nobody could look, which is never the
// same.
func Current(c *gin.Context) (account.Session, error) {
	found, ok := sessions.Default(c).Get(lookupKey{}).(lookup)
	if !ok {
		return account.Session{}, ErrSignedOut
	}
	return found.session, found.err
}

// Begin signs somebody in who has just proved who they are. The token is a new one, whatever the browser brought along, and a
// session that it brought along ends. account.ErrNoAccount: the account was deleted.
func (s *Sessions) Begin(c *gin.Context, id account.ID) (account.Session, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), sessionTimeout)
	defer cancel()
	token, started, err := s.accounts.StartSession(ctx, id, c.Request.UserAgent(), s.token(c.Request))
	if err != nil {
		return account.Session{}, err
	}
	current := sessions.Default(c)
	current.Clear()
	current.Set(lookupKey{}, lookup{session: started})
	http.SetCookie(c.Writer, s.cookie("razao", token, account.SessionLifetime))
	return started, nil
}

// End signs out the browser of the request. Nothing changes when nobody is signed in.
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
	http.SetCookie(c.Writer, s.cookie("razao", "", -time.Second))
	return nil
}

// Browser returns a random token that a cookie keeps in this browser for an hour, so that who comes back from a provider is
// known to have gone there. Tabs share it.
func (s *Sessions) Browser(c *gin.Context) string {
	token := ""
	if cookie, err := c.Request.Cookie(s.cookieName("razao-entrada")); err == nil && len(cookie.Value) == len(newToken()) {
		token = cookie.Value
	} else {
		token = newToken()
	}
	http.SetCookie(c.Writer, s.cookie("razao-entrada", token, browserLifetime))
	return token
}

// cookie returns a cookie for the time that is given; a negative one deletes it.
func (s *Sessions) cookie(name, value string, lifetime time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: int(lifetime.Seconds()),
		Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// cookieName marks a cookie that browsers take from this host alone, and only by https.
func (s *Sessions) cookieName(name string) string {
	if s.secure {
		return "__Host-" + name
	}
	return name
}

func (s *Sessions) token(r *http.Request) string {
	cookie, err := r.Cookie(s.cookieName("razao"))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// lookup is the outcome of looking for a session. It travels among the values of the session, because gin-contrib/sessions
// only logs the error of a store.
type lookup struct {
	session account.Session
	err     error
}

type lookupKey struct{}

// Get implements gorilla's store.
func (s *Sessions) Get(r *http.Request, name string) (*gorilla.Session, error) { return s.New(r, name) }

// New implements gorilla's store: it looks the session up. Trouble is among the values, for Current.
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
	}
	session.Values[lookupKey{}] = lookup{session: found, err: err}
	return session, nil
}

// Save implements gorilla's store: it keeps the values with the session of somebody who is signed in.
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
	return s.accounts.SaveSession(ctx, found.session.ID, data)
}

// Options implements the store of gin-contrib/sessions. The options of the cookie are not for handlers to change.
func (s *Sessions) Options(sessions.Options) {}

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

// decodeValues returns no values where it cannot read them: a notice that another version of the program wrote is not worth
// keeping its reader out.
func decodeValues(data []byte) map[any]any {
	values := map[any]any{}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&values); err != nil {
		return map[any]any{}
	}
	return values
}
