package api

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"razao/index/filter"
	"razao/internal/store/registry"
)

// FuzzQuery checks that an accepted query has one reading.
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

// FuzzSearch checks that an accepted search survives a round trip: its canonical query string,
// which links carry, is parsed as the same search.
func FuzzSearch(f *testing.F) {
	f.Add("q=padaria+%22do+sul%22&uf=SP&uf=-RJ&ordem=nome&agrupar=nao&literal=1&em=socios")
	f.Add("capital_de=1500.50&bairro=cambu%C3%AD&limite=7&facetas=sim")
	f.Add("q=%ff&fonte=-")
	reader, err := filter.NewReader()
	if err != nil {
		f.Fatal(err)
	}
	read := func(raw string) (searchRequest, error) {
		q, query, err := searchRequestOf(&url.URL{RawQuery: raw})
		if err == nil {
			err = q.readFilters(cursorSigner{[]byte("key")}, reader, filter.AnyLoad{}, query)
		}
		return q, err
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := read(raw)
		if err != nil {
			if f := failureOf(err); f.status != http.StatusBadRequest || f.message == "" {
				t.Errorf("%q: %+v", raw, f)
			}
			return
		}
		again, err := read(q.at.query + "&limite=" + strconv.Itoa(q.at.limit))
		again.facets = q.facets
		if err != nil || again != q {
			t.Errorf("%q is read as %+v and then as %+v, %v", raw, q, again, err)
		}
	})
}

// FuzzBearerToken checks that no other scheme passes, and that the token has nothing around it.
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

// FuzzDocument checks that an accepted number is the one that was sent.
func FuzzDocument(f *testing.F) {
	f.Add("12345678")
	f.Add("12345678000195")
	f.Add("ab.cd12")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := registry.ParseDocument(text)
		if err == nil && d.Root.String() != strings.ToUpper(text)[:8] {
			t.Errorf("%q: %s", text, d.Root)
		}
	})
}
