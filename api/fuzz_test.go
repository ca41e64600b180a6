package api

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

// FuzzQuery checks that a query is read in one way, or refused.
func FuzzQuery(f *testing.F) {
	f.Add("limite=20&cursor=AQG9")
	f.Add("limite=+1&limite=2")
	f.Add("%zz;&=&cursor")
	f.Fuzz(func(t *testing.T, raw string) {
		query, err := parameters(&url.URL{RawQuery: raw}, "limite", "cursor")
		if err == nil {
			var limit int
			limit, err = limitOf(query)
			if err == nil && (limit < 1 || limit > maxLimit || len(query) > 2) {
				t.Errorf("%q: %d, %v", raw, limit, query)
			}
		}
		var refused parameterError
		if err != nil && (!errors.As(err, &refused) || refused.message() == "") {
			t.Errorf("%q: %v", raw, err)
		}
	})
}

// FuzzBearerToken checks that no other scheme, and nothing beside the token, is taken for one.
func FuzzBearerToken(f *testing.F) {
	f.Add("Bearer rz_abc")
	f.Add("bearer\t x y")
	f.Add("Basic Bearer x")
	f.Fuzz(func(t *testing.T, header string) {
		if token := bearerToken(header); token != "" && (!strings.HasPrefix(strings.ToLower(header), "bearer ") || !strings.Contains(header, token)) {
			t.Errorf("%q: %q", header, token)
		}
	})
}

// FuzzDocument checks that a number is refused or is the one that was sent.
func FuzzDocument(f *testing.F) {
	f.Add("12345678")
	f.Add("12345678000195")
	f.Add("ab.cd12")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseDocument(text)
		if err == nil && d.Root.String() != strings.ToUpper(text)[:8] {
			t.Errorf("%q: %s", text, d.Root)
		}
	})
}
