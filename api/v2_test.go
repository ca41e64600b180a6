package api

import (
	"regexp"
	"testing"

	"razao/internal/testing/fixture"
)

var loadedAt = regexp.MustCompile(`"carregada_em":"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"`)

// settled replaces what differs from one run to the next.
func settled(body []byte) []byte {
	return loadedAt.ReplaceAll(body, []byte(`"carregada_em":"2026-10-01T08:00:00Z"`))
}

func TestV2Bodies(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	headOffice, second := branch(t, fixture.Bakery, "0001"), branch(t, fixture.Bakery, "0003")
	tests := []struct{ file, path string }{
		{"examples/v2_fontes", "/v2/fontes"},
		{"examples/v2_busca", "/v2/busca?q=padaria+campinas&situacao=02&facetas=sim&limite=1"},
		{"testdata/v2_search_partner", "/v2/busca?q=marta+figueira&em=socios&limite=1"},
		{"examples/v2_empresa_basic", "/v2/empresas/" + fixture.Bakery + "/basic?limite=1"},
		{"examples/v2_empresa_full", "/v2/empresas/" + fixture.Bakery + "/full?limite=1"},
		{"examples/v2_empresa_fonte", "/v2/empresas/" + fixture.Bakery + "/fontes/pgfn?limite=2"},
		{"examples/v2_empresa_estabelecimentos", "/v2/empresas/" + fixture.Chain + "/estabelecimentos?limite=1"},
		{"examples/v2_empresa_socios", "/v2/empresas/" + fixture.Chain + "/socios?limite=2"},
		{"examples/v2_estabelecimento_basic", "/v2/estabelecimentos/" + headOffice + "/basic?limite=1"},
		{"examples/v2_estabelecimento_full", "/v2/estabelecimentos/" + second + "/full?limite=1"},
		{"examples/v2_estabelecimento_fonte", "/v2/estabelecimentos/" + headOffice + "/fontes/habilitacao_aduaneira"},
		{"testdata/v2_company_nameless", "/v2/empresas/" + fixture.Nameless + "/basic"},
		{"testdata/v2_company_homeless", "/v2/empresas/" + fixture.Homeless + "/basic"},
		{"testdata/v2_company_hostile", "/v2/empresas/" + fixture.Hostile + "/basic"},
		{"testdata/v2_body_contracts", "/v2/empresas/" + fixture.City + "/fontes/pncp_orgao"},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			got := s.do(t, "GET", tt.path)
			if got.status != 200 || got.header.Get("Content-Type") != "application/json; charset=utf-8" {
				t.Fatalf("status %d, type %s: %s", got.status, got.header.Get("Content-Type"), got.body)
			}
			golden(t, tt.file+".json", settled(got.body))
		})
	}
}
