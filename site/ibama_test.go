package site

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/testing/fixture"
	"razao/internal/testing/outline"
)

func TestIBAMA(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	without, _ := released.open(t)
	compareStates(t, h, "ibama", []pageCase{
		{"first-page", "/12345678000195/ibama/autos/1", 200, []string{"Anterior", "Primeira", "Página 1"}},
		{"last-page", "/12345678000195/ibama/autos/2", 200, []string{"Próxima", "Última"}},
		{"whole-company", "/12345678/ibama/autos/2", 200, []string{"empresa inteira", "deste estabelecimento"}},
		{"embargoes", "/12345678000195/ibama/embargos/1", 200, []string{"desatualizada"}},
		{"nothing", "/" + cityNumber + "/ibama/embargos/1", 200, []string{"empresa inteira", "registros desta"}},
		{"without-establishments", "/" + fixture.Homeless + "/ibama/autos/1", 200, nil},
	})
	comparePages(t, without, "ibama", []pageCase{
		{"without-a-load", "/12345678000195/ibama/autos/1", 200, []string{"<table", "Sem ocorrência"}},
	}, outline.Against(get(t, h, "/12345678000195/ibama/autos/1").Body))
}

func TestIBAMAAddresses(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
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
		{"/" + cityNumber + "/ibama/autos/2", 404, ""},
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
		w := get(t, h, c.path)
		if got := w.Header().Get("Location"); w.Code != c.status || got != c.location {
			t.Errorf("%s: got %d to %q, want %d to %q", c.path, w.Code, got, c.status, c.location)
		}
	}
	got := strings.TrimSpace(get(t, h, "/12345678000195/ibama/autos/0").Body.String())
	want := `{"detail":[{"loc":["path","numero_pagina"],"msg":"Deve ser maior ou igual a 1.","type":"greater_than_equal","input":"0","ctx":{"ge":1}}]}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("422 (-want +got):\n%s", diff)
	}
	if w := get(t, h, "/12345678000195/ibama/autos/3", "Accept", browser); parse(t, w.Body.String()).links()["Ir para a primeira página da lista"] != "/12345678000195/ibama/autos/1" {
		t.Error("the 404 of a page past the end does not lead to the list")
	}
}
