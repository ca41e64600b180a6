package people_test

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

// TestSessionsThatHang makes session look-ups hang. Public pages render without the account link;
// account pages fail.
func TestSessionsThatHang(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	l := h.Stores
	ana := h.SignedIn(t, "ana@exemplo.com")
	hold, err := l.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hold.Exec(t.Context(), `LOCK TABLE session IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"/estados", "/" + fixture.Full(t, fixture.Bakery).String()} {
		w := ana.Open(t, target)
		if body := w.Body.String(); w.Code != http.StatusOK || strings.Contains(body, `href="/login"`) || strings.Contains(body, `href="/conta"`) {
			t.Errorf("%s: status %d, or the header speaks of the visitor", target, w.Code)
		}
	}
	sitetest.Shows(t, ana.Open(t, "/conta"), 503, []string{"abrir a sua conta"}, []string{`href="/login"`})
	if w := h.Visitor().Open(t, "/estados"); !strings.Contains(w.Body.String(), `href="/login">Entrar`) {
		t.Error("a visitor without a session is not asked in")
	}
	if err := hold.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ana.Cookies[sitetest.SessionCookie] == "" {
		t.Error("the browser lost its session")
	}
	sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{`href="/conta">Conta`}, nil)
}
