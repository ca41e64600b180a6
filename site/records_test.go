package site

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"razao/internal/fixture"
	"razao/internal/ptbr"
	"razao/internal/source"
	"razao/site/page/pagetest"
)

// document is a served page, parsed.
type document struct{ *html.Node }

func parse(t *testing.T, body string) document {
	t.Helper()
	node, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return document{node}
}

// all returns the elements with a name, in the order of the page.
func (d document) all(name string) []document {
	var found []document
	for node := range d.Descendants() {
		if node.Type == html.ElementNode && node.Data == name {
			found = append(found, document{node})
		}
	}
	return found
}

// at returns the element with an id; it fails the test when there is none.
func (d document) at(t *testing.T, id string) document {
	t.Helper()
	for node := range d.Descendants() {
		if (document{node}).attribute("id") == id {
			return document{node}
		}
	}
	t.Fatalf("the page has no element %s", id)
	return document{}
}

func (d document) attribute(name string) string {
	for _, a := range d.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// text returns what an element says, with single blanks.
func (d document) text() string {
	var b strings.Builder
	for node := range d.Descendants() {
		if node.Type == html.TextNode {
			b.WriteString(node.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// links returns the addresses of the links in an element by their texts.
func (d document) links() map[string]string {
	links := map[string]string{}
	for _, a := range d.all("a") {
		links[a.text()] = a.attribute("href")
	}
	return links
}

func rows(d document) int {
	bodies := d.all("tbody")
	if len(bodies) == 0 {
		return 0
	}
	return len(bodies[0].all("tr"))
}

// newRecordsHandler serves the fixture with invented records, at a known time.
func newRecordsHandler(t *testing.T) (http.Handler, *fixture.Loaded) {
	t.Helper()
	l := recorded.Load(t)
	h, s := newHandler(t, l)
	s.now = today
	return h, l
}

func TestRecords(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	body := get(t, h, "/12345678000195").Body.String()
	pagetest.Form(t, body)
	page := parse(t, body)
	cards := map[string]struct {
		rows       int
		has, lacks []string
	}{
		"pgfn": {20, []string{
			"45 registros", "Registros 1 a 20 de 45", "Competência 06/2026 · carregada em", "8060000000000 não previdenciário", "PRINCIPAL",
			"Em cobrança ATIVA AJUIZADA", "COFINS", "01/03/2019", "SIM", "R$ 1.000,90", "Procuradoria-Geral", "Licença: Dados públicos", "1 a 20 de 45",
		}, []string{"desatualizada", "8069900000001"}},
		"ceis": {2, []string{
			"2 registros", "Competência 30/09/2026", "desatualizada", "Suspensão Código: 1", "10/02/2020 10/02/2022 PROC-1", "PROC-1", "MUNICIPAL, SP",
			"SERÁ APLICADO", "MAIS GRAVE", "<script>alert('oi')</script>",
		}, nil},
		"cnep":                  {0, []string{"Indisponível", "Sem carga disponível"}, []string{"Competência", "ocorrência"}},
		"mte_ceac":              {0, []string{"Indisponível"}, []string{"Sem ocorrência"}},
		"habilitacao_aduaneira": {1, []string{"LIMITADA (ATÉ US$ 150.000,00)", "US$ 150.000", "vale para todos os estabelecimentos", "Competência 11/2026"}, []string{"desatualizada"}},
		"ibama_autos":           {20, []string{"25 registros", "AUTO00 série E", "30/03/2024", "Cancelado", "R$ 150.500,00", "ALTAMIRA/PA", "cobertura desde 05/03/2024", "desatualizada"}, []string{"AUTO20"}},
		"ibama_embargos":        {2, []string{"2 registros", "TERMO7 série E", "1.234,35", "FAZENDA EXEMPLO", "Desembargado Total 20/02/2013"}, []string{"desatualizada"}},
		"rntrc":                 {1, []string{"1 registro", "000123456", "ETC, empresa de transporte", "ATIVO Desde: 23/10/2024", "23/05/2017", "CAMPINAS/SP"}, nil},
		"pncp":                  {20, []string{"21 registros", "CT-021", "fornecedor", "MUNICIPIO FICTICIO DE EXEMPLANDIA Secretaria de Merenda, Campinas/SP", "Pão francês & <b>bolo</b>", "21/08/2026", "Vigente de: 01/09/2026 até: 31/08/2027", "R$ 1.234,5678"}, []string{"CT-001"}},
		"pncp_orgao":            {0, []string{"Sem ocorrência", "Nenhuma ocorrência nesta carga; não é certidão.", "Competência 09/2026"}, []string{"nada consta"}},
		"bndes": {2, []string{
			"2 registros", "Não automática (subcrédito) Contrato: 24900001", "03/09/2024", "AMPLIACAO DE FORNOS", "TLP 5,81 % a.a.", "Carência: 36 meses",
			"R$ 10.003.861,30", "R$ 2.500.000,55", "CNPJ publicado Na fonte: 12.345.678/0001-95", "Inferido: máscara, nome e município Na fonte: **.*45.678/0001-**", "ODbL-1.0", "Fonte: BNDES",
		}, nil},
	}
	for id, want := range cards {
		t.Run(id, func(t *testing.T) {
			card := page.at(t, id)
			if got := rows(card); got != want.rows {
				t.Errorf("%d rows, want %d", got, want.rows)
			}
			pagetest.Texts(t, strings.ReplaceAll(card.text(), ptbr.NBSP, " "), want.has, want.lacks)
		})
	}
	for name, want := range map[string]string{
		"ibama_autos": "/12345678000195/ibama/autos/1", "pncp": "https://pncp.gov.br/app/contratos/" + cityNumber + "/2026/000021",
		"ibama_embargos": "#ibama_autos-1", "bndes": "/metodologia/bndes",
	} {
		if links := page.at(t, name).links(); !slices.Contains(values(links), want) {
			t.Errorf("%s does not lead to %s: %v", name, want, links)
		}
	}
	if !strings.Contains(page.text(), "Os registros dos outros estabelecimentos da empresa estão nas páginas deles") {
		t.Error("the page does not tell where the records of the other establishments are")
	}
	branch := parse(t, get(t, h, "/1234567800A479").Body.String())
	pagetest.Texts(t, strings.ReplaceAll(branch.at(t, "pgfn").text(), ptbr.NBSP, " "), []string{"1 registro", "8069900000001", "SOLIDARIO", "<B>GARANTIDA</B>", "R$ 0,22"}, []string{"1000"})
	city := parse(t, get(t, h, "/"+cityNumber).Body.String()).at(t, "pncp_orgao")
	pagetest.Texts(t, city.text(), []string{"21 registros", "PADARIA ESTRELA DO SUL LTDA 12.345.678/0001-95", "Só os primeiros 20 aparecem aqui"}, nil)
}

// The employers' register publishes where an individual entrepreneur works, which may be where she lives.
func TestRecordsOfPeople(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	body := get(t, h, "/"+meiNumber).Body.String()
	pagetest.Texts(t, parse(t, body).at(t, "mte_empregadores").text(), []string{
		"endereço não mostrado CNAE: 1063-5/00 2023, SP 3 19/02/2025 05/04/2024 a 10/05/2024, 09/04/2025", "Competência 04/09/2026",
	}, nil)
	pagetest.Texts(t, body, nil, []string{"SEGREDO"})
}

func values(links map[string]string) []string {
	var all []string
	for _, address := range links {
		all = append(all, address)
	}
	return all
}

// Every theme and every source has its heading, in the order of the table of sources.
func TestRecordsOutline(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	page := parse(t, get(t, h, "/12345678000195").Body.String())
	if themes := page.all("h3"); len(themes) != len(source.Themes()) {
		t.Errorf("%d themes, want %d", len(themes), len(source.Themes()))
	}
	var ids []string
	for _, card := range page.all("article") {
		ids = append(ids, card.attribute("id"))
	}
	if !slices.Equal(ids, source.IDs()) {
		t.Errorf("cards %v, want %v", ids, source.IDs())
	}
	level := 0
	for node := range page.Descendants() {
		if node.Type != html.ElementNode || len(node.Data) != 2 || node.Data[0] != 'h' || node.Data[1] < '1' || node.Data[1] > '6' {
			continue
		}
		next := int(node.Data[1] - '0')
		if next > level+1 {
			t.Errorf("heading of level %d after one of level %d: %s", next, level, document{node}.text())
		}
		level = next
	}
}

func TestRecordPages(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	const at = "/12345678000195"
	page := parse(t, get(t, h, at+"?pgfn_pagina=2&pncp_pagina=2").Body.String())
	debts, contracts := page.at(t, "pgfn"), page.at(t, "pncp")
	if got := rows(debts); got != 20 || !strings.Contains(debts.text(), "Registros 21 a 40 de 45") {
		t.Errorf("second page of debts: %d rows, %s", got, debts.text())
	}
	if got := rows(contracts); got != 1 || !strings.Contains(contracts.text(), "CT-001") {
		t.Errorf("second page of contracts: %d rows", got)
	}
	page.at(t, "pgfn-21")
	links := debts.links()
	if links["Anterior"] != at+"?pncp_pagina=2#pgfn" || links["Próxima"] != at+"?pgfn_pagina=3&pncp_pagina=2#pgfn" {
		t.Errorf("links %v", links)
	}
	if got := rows(parse(t, get(t, h, at+"?pgfn_pagina=3").Body.String()).at(t, "pgfn")); got != 5 {
		t.Errorf("last page of debts: %d rows", got)
	}
	for path, first := range map[string]string{
		"?pgfn_pagina=4":                        "#pgfn",
		"?pgfn_pagina=2147483647&pncp_pagina=2": "?pncp_pagina=2#pgfn",
		"?bndes_pagina=2":                       "#bndes",
		"?pncp_pagina=3&socios_pagina=1":        "?socios_pagina=1#pncp",
	} {
		w := get(t, h, at+path, "Accept", browser)
		links := parse(t, w.Body.String()).links()
		if w.Code != http.StatusNotFound || links["Ir para a primeira página da lista"] != at+first {
			t.Errorf("%s: status %d, %v", path, w.Code, links)
		}
	}
	if w := get(t, h, "/"+cityNumber+"?bndes_pagina=2"); w.Code != http.StatusNotFound {
		t.Errorf("second page of nothing: %d", w.Code)
	}
	without, _ := released.open(t)
	if w := get(t, without, at+"?bndes_pagina=2"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Sem carga disponível") {
		t.Errorf("second page of what was never loaded: %d", w.Code)
	}
	for _, name := range []string{"pgfn_pagina", "pncp_pagina", "bndes_pagina"} {
		for _, value := range []string{"0", "-1", "um", "", "1.5", "99999999999"} {
			w := get(t, h, at+"?"+name+"="+url.QueryEscape(value))
			if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `"loc":["query","`+name+`"]`) {
				t.Errorf("%s=%s: %d %s", name, value, w.Code, w.Body)
			}
		}
	}
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	page := parse(t, get(t, h, "/12345678000195?pncp_pagina=2").Body.String())
	var events []string
	for _, list := range page.all("ol") {
		if list.attribute("class") != "timeline" {
			continue
		}
		for _, item := range list.all("li") {
			target := strings.TrimPrefix(item.all("a")[0].attribute("href"), "#")
			page.at(t, target)
			events = append(events, item.text()+" → "+target)
		}
	}
	want := []string{
		"15/10/2028 Fim de sanção (CEIS) : Suspensão (data futura) → ceis-1",
		"15/10/2026 Início de sanção (CEIS) : Suspensão → ceis-1",
		"01/08/2026 Contrato público assinado : CT-001 → pncp-21",
		"03/09/2024 Operação do BNDES contratada : BNDES FINEM → bndes-1",
		"31/03/2024 Embargo do IBAMA : FAZENDA EXEMPLO → ibama_embargos-1",
		"30/03/2024 Auto de infração do IBAMA, cancelado : Flora → ibama_autos-1",
	}
	if len(events) != 15 || !slices.Equal(events[:len(want)], want) {
		t.Errorf("time line:\n%s", strings.Join(events, "\n"))
	}
	chain := parse(t, get(t, h, "/"+full(t, fixture.Chain)).Body.String())
	pagetest.Texts(t, chain.text(), []string{"01/01/2010 Entrada no quadro societário : 50 sócios", "14/03/2009 Abertura do estabelecimento"}, []string{"14/03/2009 Situação cadastral"})
}

func TestRecordsFilter(t *testing.T) {
	t.Parallel()
	l := recorded.Load(t)
	h, _ := newHandler(t, l)
	for _, path := range []string{"/busca", "/busca?q=padaria"} {
		if body := get(t, h, path).Body.String(); strings.Contains(body, "fonte=") {
			t.Errorf("%s: an index from before the records filters by them", path)
		}
	}
	if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	body := get(t, h, "/busca").Body.String()
	pagetest.Form(t, body)
	pagetest.Texts(t, body, []string{"<h2>Registros públicos</h2>", "Conforme a última construção do índice, em "}, []string{"fonte=cnep", "mte_ceac"})
	for id, want := range map[string]int{"pgfn": 2, "ceis": 1, "habilitacao_aduaneira": 4, "ibama_autos": 2, "pncp_orgao": 1, "bndes": 1} {
		src, _ := source.Find(id)
		if got := parse(t, body).links()[src.Title+" "+strconv.Itoa(want)]; got != "/busca?fonte="+id {
			t.Errorf("%s: link %q", id, got)
		}
		found := get(t, h, "/busca?fonte="+id).Body.String()
		pagetest.Texts(t, found, []string{strconv.Itoa(want) + " estabelecimento", "Registros públicos: " + src.Title, `aria-current="true"`}, nil)
	}
	pagetest.Texts(t, get(t, h, "/busca?fonte=cnep").Body.String(), []string{"Nada encontrado"}, nil)
	if links := parse(t, get(t, h, "/busca?q=padaria&ordem=nome").Body.String()).links(); links["Dívida ativa da União e do FGTS 2"] != "/busca?fonte=pgfn&ordem=nome&q=padaria" {
		t.Errorf("links beside words: %v", links)
	}
	if w := get(t, h, "/busca?fonte=receita"); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `"loc":["query","fonte"]`) {
		t.Errorf("an unknown source: %d %s", w.Code, w.Body)
	}
}
