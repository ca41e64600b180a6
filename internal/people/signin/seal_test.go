package signin

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/people/seal"
)

func TestSeal(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := NewSessions(nil, "https://razao.example")
	s.now = func() time.Time { return now }
	browser := func(token string) *gin.Context {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		if token != "" {
			r.AddCookie(&http.Cookie{Name: s.cookieName("razao"), Value: token})
		}
		return &gin.Context{Request: r}
	}
	ana, bia := browser(seal.RandomToken()), browser(seal.RandomToken())
	const text = "rz_chave"
	sealed, err := s.Seal(ana, text)
	if err != nil || strings.Contains(sealed, text) {
		t.Fatalf("%q, %v", sealed, err)
	}
	if got, err := s.Open(ana, sealed); err != nil || got != text {
		t.Errorf("opened: %q, %v", got, err)
	}
	again, err := s.Seal(ana, text)
	if err != nil || again == sealed {
		t.Errorf("sealed twice to the same: %v", err)
	}
	if _, err := s.Seal(browser(""), text); !errors.Is(err, ErrSignedOut) {
		t.Errorf("without a session: %v", err)
	}
	flipped := []byte(sealed)
	flipped[len(flipped)-1] ^= 1
	for name, open := range map[string]func() (string, error){
		"by another browser": func() (string, error) { return s.Open(bia, sealed) },
		"changed":            func() (string, error) { return s.Open(ana, string(flipped)) },
		"cut":                func() (string, error) { return s.Open(ana, sealed[:20]) },
		"nothing":            func() (string, error) { return s.Open(ana, "") },
		"too late": func() (string, error) {
			now = now.Add(sealLifetime + time.Second)
			defer func() { now = now.Add(-sealLifetime - time.Second) }()
			return s.Open(ana, sealed)
		},
	} {
		if got, err := open(); !errors.Is(err, ErrSeal) || got != "" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
