package site

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/fixture"
	"razao/internal/ptbr"
	"razao/site/page/pagetest"
)

func TestIBAMA(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	const notices, embargoes = "/12345678000195/ibama/autos/", "/12345678000195/ibama/embargos/"
	cases := []struct {
		name, path string
		rows       int
		has, lacks []string
		links      map[string]string
	}{
		{
			"first page", notices + "1", 20,
			[]string{
				"Autos de infração do IBAMA PADARIA ESTRELA DO SUL LTDA , 12.345.678/0001-95 25 registros", "Registros 1 a 20 de 25",
				"AUTO00 série E Multa 30/03/2024 Cancelado Flora Destruir vegetação nativa R$ 150.500,00 ALTAMIRA/PA Embargo: TERMO7", "Embargo: NADA",
				"Competência 05/08/2026", "desatualizada", "cobertura desde 05/03/2024", "Instituto Brasileiro do Meio Ambiente", "Licença: Dados abertos",
				"O município é o da lavratura", "Nenhuma pessoa física aparece", "sem nota nem pontuação", "Só os registros deste estabelecimento",
			},
			[]string{"AUTO20", "Anterior", "Primeira", "Página 1"},
			map[string]string{
				"Próxima": notices + "2", "Última": notices + "2", "TERMO7": embargoes + "1#ibama_embargos-1", "Ver os da empresa inteira": "/12345678/ibama/autos/1",
				"PADARIA ESTRELA DO SUL LTDA": "/12345678000195",
			},
		},
		{
			"last page", notices + "2", 5,
			[]string{"Página 2 de 2", "AUTO24", "21 a 25 de 25"},
			[]string{"AUTO00", "Próxima", "Última"},
			map[string]string{"Anterior": notices + "1", "Primeira": notices + "1"},
		},
		{
			"whole company", "/12345678/ibama/autos/2", 6,
			[]string{"PADARIA ESTRELA DO SUL LTDA , 12.345.678 26 registros", "AUTO25"},
			[]string{"empresa inteira", "deste estabelecimento"},
			map[string]string{"Anterior": "/12345678/ibama/autos/1"},
		},
		{
			"embargoes", embargoes + "1", 2,
			[]string{"TERMO7 série E 31/03/2024 Lavrado 1.234,35 FAZENDA EXEMPLO Altamira/PA Auto: AUTO00", "Desembargado Total 20/02/2013 Auto: 9024"},
			[]string{"desatualizada"},
			map[string]string{"AUTO00": notices + "1#ibama_autos-1", "9024": notices + "2#ibama_autos-25"},
		},
		{
			"nothing", "/" + cityNumber + "/ibama/embargos/1", 0,
			[]string{"Sem ocorrência", "Nenhuma ocorrência nesta carga; não é certidão."},
			[]string{"empresa inteira", "registros desta"},
			nil,
		},
		{"without establishments", "/" + fixture.Homeless + "/ibama/autos/1", 0, []string{"EMPRESA SEM ESTABELECIMENTO LTDA", "Sem ocorrência"}, nil, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := get(t, h, c.path)
			if w.Code != http.StatusOK {
				t.Fatalf("status %d", w.Code)
			}
			pagetest.Form(t, w.Body.String())
			page := parse(t, w.Body.String())
			if got := rows(page); got != c.rows {
				t.Errorf("%d rows, want %d", got, c.rows)
			}
			pagetest.Texts(t, strings.ReplaceAll(page.text(), ptbr.NBSP, " "), c.has, c.lacks)
			got := page.links()
			for text, address := range c.links {
				if got[text] != address {
					t.Errorf("%s leads to %q, want %q", text, got[text], address)
				}
			}
			if !strings.Contains(w.Body.String(), `<link rel="canonical" href="https://razao.exemplo`+c.path+`">`) {
				t.Error("the page is not its own canonical address")
			}
		})
	}
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

func TestMethodology(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	w := get(t, h, "/metodologia/bndes")
	pagetest.Form(t, w.Body.String())
	page := parse(t, w.Body.String())
	pagetest.Texts(t, page.text(), []string{
		"competência 09/2026, carregada em", "a operação mais antiga é de 14/05/2022", "Vínculos inferidos com os dados da Receita Federal de 09/2026.",
		"Open Database License (ODbL) 1.0", "oferecida sob a mesma licença", "um subcrédito não é necessariamente um contrato", "**.*NN.NNN/NNNN-**",
		"Não há medida de semelhança", "não prova ausência de financiamento", "Como pedir correção",
		"CNPJ publicado 1 Inferido: raiz no nome 0 Inferido: máscara, nome e município 1 Não vinculado 1 Todas as operações lidas 3",
	}, []string{"Sem carga", "desatualizada"})
	methods := page.text()
	for _, id := range []string{"publicado", "inferido_raiz_no_nome", "inferido_mascara_nome_municipio", "nao_vinculado"} {
		if !strings.Contains(methods, id) {
			t.Errorf("the page does not explain %s", id)
		}
	}
	empty, _ := released.open(t)
	pagetest.Texts(t, get(t, empty, "/metodologia/bndes").Body.String(), []string{"Sem carga disponível"}, []string{"<table", "Carga em uso"})
}
