package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
)

// partialBody has what responses of v2 say of what the load lacks.
type partialBody struct {
	Dados struct {
		Empresa struct {
			Socios lower `json:"socios"`
		} `json:"empresa"`
		lower
	} `json:"dados"`
	Meta struct {
		Disponibilidade string `json:"disponibilidade"`
		Lacunas         []struct {
			Parte    string   `json:"parte"`
			Arquivos []string `json:"arquivos"`
		} `json:"lacunas"`
	} `json:"meta"`
	Erro struct {
		Codigo, Mensagem string
	} `json:"erro"`
}

type lower struct {
	Itens       json.RawMessage `json:"itens"`
	Total       int             `json:"total"`
	TotalMinimo bool            `json:"total_minimo"`
}

func (s *service) partial(t *testing.T, path string, status int) (b partialBody) {
	t.Helper()
	got := s.do(t, "GET", path)
	if err := json.Unmarshal(got.body, &b); err != nil || got.status != status {
		t.Errorf("%s: %d %.300s, %v", path, got.status, got.body, err)
	}
	return b
}

// gaps returns the names of the parts that a response names as incomplete.
func (b *partialBody) gaps() (parts []string) {
	for _, gap := range b.Meta.Lacunas {
		parts = append(parts, gap.Parte)
	}
	return parts
}

// TestMissingFilesAreNoAbsence asks, of a load without partners, without a file of companies, and without one of establishments,
// what may be in them.
func TestMissingFilesAreNoAbsence(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-07"))
	s := start(t, l)
	company := "/v2/empresas/" + fixture.Bakery
	whole := s.partial(t, company+"/basic", 200)
	if whole.Meta.Disponibilidade != "completa" || whole.Meta.Lacunas != nil || whole.Dados.Empresa.Socios.TotalMinimo {
		t.Errorf("a whole load: %+v", whole)
	}
	tags := map[string]string{}
	for _, path := range []string{company + "/basic", company + "/socios", "/v1/cnpj/" + fixture.Bakery, "/v2/busca?q=padaria"} {
		tags[path] = s.do(t, "GET", path).header.Get("ETag")
	}

	l.Publish(t, fixture.Without(t, "2026-08", "Socios0", "Simples"))
	for path, want := range map[string][]string{
		company + "/basic": {"socios", "simples"}, company + "/full": {"socios", "simples"}, company + "/socios": {"socios"},
		"/v2/estabelecimentos/" + fixture.Bakery + "000195/basic": {"socios", "simples"}, company + "/estabelecimentos": nil,
		company + "/rede": {"socios"}, "/v2/grupos/" + fixture.Bakery: {"socios"}, "/v2/busca?uf=SP": nil, "/v2/busca?q=padaria&em=nomes": nil,
		"/v2/busca?q=padaria": {"socios"}, "/v2/busca?socios_de=1": {"socios"}, "/v2/busca?simples=sim": {"simples"}, "/v2/busca?uf=SP&facetas=sim": {"socios", "simples"},
	} {
		got := s.partial(t, path, 200)
		if got.Meta.Disponibilidade != map[bool]string{true: "parcial", false: "completa"}[want != nil] || !slices.Equal(got.gaps(), want) {
			t.Errorf("%s: %+v, want %v", path, got.Meta, want)
		}
		if strings.Contains(path, "busca?") && !strings.Contains(path, "facetas") && got.Dados.TotalMinimo != (want != nil) {
			t.Errorf("%s: total %+v", path, got.Dados.lower)
		}
	}
	if got := s.partial(t, company+"/basic", 200); !got.Dados.Empresa.Socios.TotalMinimo || got.Meta.Lacunas[0].Arquivos[0] != "Socios0.zip" || strings.Count(string(s.do(t, "GET", company+"/basic").body), "total_minimo") != 1 {
		t.Errorf("got %+v", got)
	}
	for path, tag := range tags {
		if got := s.do(t, "GET", path, "If-None-Match", tag); got.status != 200 {
			t.Errorf("%s: %d for the tag of a whole load", path, got.status)
		}
	}
	v1 := s.do(t, "GET", "/v1/cnpj/"+fixture.Bakery)
	if got := v1.header.Get("X-Carga-Parcial"); got != "socios, simples" || strings.Contains(string(v1.body), "lacunas") {
		t.Errorf("v1: %q", got)
	}
	for _, path := range []string{
		"/v2/busca?socios_ate=0", "/v2/busca?uf=SP&simples=nao", "/v2/busca?mei=nao", "/v2/busca?q=padaria+nao+optante+pelo+simples", "/v2/socios/999999-ninguem-ficticio/empresas",
	} {
		if got := s.partial(t, path, 503); got.Erro.Codigo != "carga_parcial" || !strings.Contains(got.Erro.Mensagem, ".zip") {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := s.partial(t, "/v2/empresas/99999999/basic", 404); got.Erro.Codigo != "cnpj_nao_encontrado" {
		t.Errorf("a company that is in no file: %+v", got)
	}

	for file, paths := range map[string]map[string]int{
		"Empresas1":         {"/v2/empresas/99999999/basic": 503, "/v1/cnpj/99999999": 503, "/v2/estabelecimentos/" + fixture.Bakery + "000519/basic": 404, "/v2/busca?capital_ate=1": 503},
		"Estabelecimentos1": {"/v2/empresas/99999999/basic": 503, "/v2/estabelecimentos/" + fixture.Bakery + "000519/basic": 503, "/v2/busca?estabelecimentos_ate=1": 503},
	} {
		l.Publish(t, fixture.Without(t, "2026-09", file))
		for path, status := range paths {
			s.partial(t, path, status)
		}
		if got := s.partial(t, "/v2/busca?uf=SP", 200); !got.Dados.TotalMinimo || got.Meta.Disponibilidade != "parcial" {
			t.Errorf("without %s: %+v", file, got)
		}
		answers := s.batch(t, []string{"99999999", fixture.Bakery})
		if answers[0].Erro.Codigo != "carga_parcial" || answers[1].Dados == nil {
			t.Errorf("without %s: %+v", file, answers)
		}
	}
	l.Publish(t, fixture.Published(t, "2026-10"))
	if got := s.do(t, http.MethodGet, "/v1/cnpj/99999999"); got.status != 404 {
		t.Errorf("whole again: %d", got.status)
	}
}
