package api

import (
	"bytes"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/testing/fixture"
)

// TestHiddenContacts hides the contact of a company's only establishment and of one among many, and
// requests them on every route.
func TestHiddenContacts(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	s := start(t, l)
	hidden := []string{branch(t, fixture.City, "0001"), branch(t, fixture.Chain, "0060")}
	paths := []string{
		"/v1/cnpj/" + hidden[0], "/v1/cnpj/" + fixture.City, "/v1/cnpj/" + hidden[1],
		"/v2/empresas/" + fixture.City + "/basic", "/v2/empresas/" + fixture.City + "/estabelecimentos", "/v2/empresas/" + fixture.City + "/full",
	}
	for _, number := range hidden {
		paths = append(paths, "/v2/estabelecimentos/"+number+"/basic", "/v2/estabelecimentos/"+number+"/full")
	}
	contact := []string{"PALMEIRAS", `"RUA"`, `"214"`, "CAMBUI", "13024100", "32334455", "contato@padaria.exemplo"}
	published := map[string]answer{}
	for _, path := range paths {
		published[path] = s.do(t, "GET", path)
		for _, text := range contact {
			if !bytes.Contains(published[path].body, []byte(text)) {
				t.Errorf("%s lacks %q before it is hidden", path, text)
			}
		}
	}
	checkHidden := func(when string) {
		for _, path := range paths {
			got := s.do(t, "GET", path, "If-None-Match", published[path].header.Get("ETag"))
			if got.status != 200 || !bytes.Contains(got.body, []byte(`"correio_eletronico":""`)) || !bytes.Contains(got.body, []byte(`"municipio":"6291"`)) {
				t.Errorf("%s, %s: status %d: %s", path, when, got.status, got.body)
			}
			for _, text := range contact {
				if bytes.Contains(got.body, []byte(text)) {
					t.Errorf("%s, %s: it has %q", path, when, text)
				}
			}
		}
		all := s.do(t, "GET", "/v1/cnpj/"+fixture.Chain).body
		if got := bytes.Count(all, []byte("contato@padaria.exemplo")); got != fixture.ChainSize-1 {
			t.Errorf("%s: %d of %d other hiding are shown", when, got, fixture.ChainSize-1)
		}
	}
	for _, text := range hidden {
		number, err := cnpj.ParseFull(text)
		if err != nil {
			t.Fatal(err)
		}
		l.Hide(t, number)
	}
	checkHidden("in the same load")
	l.Ingest(t)
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkHidden("after a load")
	for _, text := range hidden {
		number, err := cnpj.ParseFull(text)
		if err != nil {
			t.Fatal(err)
		}
		l.Show(t, number)
	}
	for _, path := range paths {
		if got := s.do(t, "GET", path); got.header.Get("ETag") != published[path].header.Get("ETag") && !bytes.Contains(got.body, []byte("cursor=")) {
			t.Errorf("%s is not as before: %s", path, got.body)
		}
	}
}
