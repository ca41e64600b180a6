package signin

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestSafeNext(t *testing.T) {
	t.Parallel()
	tests := []struct{ next, want string }{
		{"/", "/"},
		{"/conta", "/conta"},
		{"/conta/", "/conta/"},
		{"/busca?q=padaria+do+Z%C3%A9&uf=SP", "/busca?q=padaria+do+Z%C3%A9&uf=SP"},
		{"/busca?q=https://outro.example//a", "/busca?q=https://outro.example//a"},
		{"/uf/sp/são-paulo", "/uf/sp/s%C3%A3o-paulo"},
		{"/oauth/consent?authorization_id=abc", "/oauth/consent?authorization_id=abc"},
		{"/conta#chaves", "/conta"},
		{"", "/"},
		{"conta", "/"},
		{"https://evil.example/", "/"},
		{"javascript:alert(1)", "/"},
		{"//evil.example", "/"},
		{"///evil.example", "/"},
		{"/\\evil.example", "/"},
		{"\\\\evil.example", "/"},
		{"/conta\\..\\..", "/"},
		{"/%2fevil.example", "/"},
		{"/%2F%2Fevil.example", "/"},
		{"/%5cevil.example", "/"},
		{"/%09/evil.example", "/"},
		{"/%0d%0aLocation:%20//evil.example", "/"},
		{"/\t/evil.example", "/"},
		{"/\n/evil.example", "/"},
		{"/conta\r\nSet-Cookie: a=b", "/"},
		{"/conta\x00", "/"},
		{"/conta\x7f", "/"},
		{"/conta\u2028", "/"},
		{"/conta\xff", "/"},
		{"/.//evil.example", "/"},
		{"/..//evil.example", "/"},
		{"/a/..//evil.example", "/"},
		{"/./conta", "/"},
		{"/@evil.example", "/@evil.example"},
		{" /conta", "/"},
		{"/%zz", "/"},
		{"/" + strings.Repeat("a", maxNext), "/"},
	}
	for _, tt := range tests {
		if got := SafeNext(tt.next); got != tt.want {
			t.Errorf("SafeNext(%q) = %q, want %q", tt.next, got, tt.want)
		}
	}
}

func FuzzSafeNext(f *testing.F) {
	for _, seed := range []string{"/", "/conta", "//evil.example", "/\\evil.example", "/%2f/evil.example", "/\t/evil", "/a?b#c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, next string) {
		w := httptest.NewRecorder()
		http.Redirect(w, httptest.NewRequest("GET", "https://razao.example/login", nil), SafeNext(next), http.StatusSeeOther)
		location := w.Header().Get("Location")
		base := url.URL{Scheme: "https", Host: "razao.example", Path: "/login"}
		target, err := base.Parse(strings.NewReplacer("\\", "/", "\t", "", "\n", "", "\r", "").Replace(location)) // as browsers read it
		if err != nil || target.Host != "razao.example" || target.Scheme != "https" {
			t.Errorf("%q leads to %q: %v, %v", next, location, target, err)
		}
	})
}
