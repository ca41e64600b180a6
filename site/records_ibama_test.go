package site_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/testing/fixture"
	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestIBAMA(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	without := sitetest.Released(t)
	h.CompareStates(t, "ibama", []sitetest.Page{
		sitetest.Case("first-page", "/12345678000195/ibama/autos/1", 200, "Anterior", "Primeira", "Página 1"),
		sitetest.Case("last-page", "/12345678000195/ibama/autos/2", 200, "Próxima", "Última"),
		sitetest.Case("whole-company", "/12345678/ibama/autos/2", 200, "empresa inteira", "deste estabelecimento"),
		sitetest.Case("embargoes", "/12345678000195/ibama/embargos/1", 200, "desatualizada"),
		sitetest.Case("nothing", "/"+sitetest.CityNumber+"/ibama/embargos/1", 200, "empresa inteira", "registros desta"),
		sitetest.Case("without-establishments", "/"+fixture.Homeless+"/ibama/autos/1", 200),
	})
	without.Compare(t, "ibama", []sitetest.Page{
		sitetest.Case("without-a-load", "/12345678000195/ibama/autos/1", 200, "<table", "Sem ocorrência"),
	}, outline.Against(h.Get(t, "/12345678000195/ibama/autos/1").Body))
}

func TestIBAMAAddresses(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	cases := []struct {
		path     string
		status   int
		location string
	}{
		{"/12345678000195/ibama/ibama_autos/1", 301, "/12345678000195/ibama/autos/1"},
		{"/12345678000195/ibama/ibama_embargos/7", 301, "/12345678000195/ibama/embargos/7"},
		{"/12.345.6780001-95/ibama/autos/1", 301, "/12345678000195/ibama/autos/1"},
		{"/12.345.678/0001-95/ibama/ibama_autos/2", 301, "/12345678000195/ibama/autos/2"},
		{"/12.345.678%2F0001-95/ibama/autos/2", 301, "/12345678000195/ibama/autos/2"},
		{"/12.345.678/ibama/autos/1", 301, "/12345678/ibama/autos/1"},
		{"/1234567800a479/ibama/autos/01", 301, "/1234567800A479/ibama/autos/1"},
		{"/12345678000195/ibama/multas/1", 404, ""},
		{"/12345678000195/ibama/autos/3", 404, ""},
		{"/12345678000195/ibama/autos/2147483647", 404, ""},
		{"/" + sitetest.CityNumber + "/ibama/autos/2", 404, ""},
		{"/12345678000196/ibama/autos/1", 404, ""},
		{"/11444777000161/ibama/autos/1", 404, ""},
		{"/11444777/ibama/autos/1", 404, ""},
		{"/12345678000500/ibama/autos/1", 404, ""},
		{"/empresas/ibama/autos/1", 404, ""},
		{"/12345678000195/ibama/autos", 404, ""},
		{"/12345678000195/ibama/autos/0", 422, ""},
		{"/12345678000195/ibama/autos/-1", 422, ""},
		{"/12345678000195/ibama/autos/um", 422, ""},
		{"/12345678000195/ibama/autos/1.5", 422, ""},
		{"/12345678000195/ibama/autos/99999999999", 422, ""},
	}
	for _, c := range cases {
		w := h.Get(t, c.path)
		if got := w.Header().Get("Location"); w.Code != c.status || got != c.location {
			t.Errorf("%s: got %d to %q, want %d to %q", c.path, w.Code, got, c.status, c.location)
		}
	}
	refused := h.Get(t, "/12345678000195/ibama/autos/0")
	got := strings.TrimSpace(refused.Body.String())
	want := `{"detail":[{"loc":["path","numero_pagina"],"msg":"Deve ser maior ou igual a 1.","type":"greater_than_equal","input":"0","ctx":{"ge":1}}]}`
	if diff := cmp.Diff(withError(t, want, refused.Header().Get("X-Request-ID")), got); diff != "" {
		t.Errorf("422 (-want +got):\n%s", diff)
	}
	if w := h.Get(t, "/12345678000195/ibama/autos/3", "Accept", sitetest.HTML); pagetest.Parse(t, w.Body.String()).Links()["Ir para a primeira página da lista"] != "/12345678000195/ibama/autos/1" {
		t.Error("the 404 of a page past the end does not lead to the list")
	}
}
