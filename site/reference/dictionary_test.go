package reference_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestDictionaryHasEveryField compares the page and its CSV with the published schemas and files.
func TestDictionaryHasEveryField(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	want := map[string]bool{}
	for _, table := range record.Tables() {
		for _, f := range table.Fields {
			want[strings.ToLower(table.Name)+"."+f.Name] = true
		}
	}
	for _, src := range source.All() {
		for _, f := range src.Fields {
			want[src.ID+"."+f.Name] = true
		}
	}
	cookie := h.Session(t, "ana@exemplo.com.br")
	for file, in := range map[string]string{"municipios.csv": "/", "empresas.csv": "/", "carteira.csv": "/conta/"} {
		header, _, _ := strings.Cut(h.Body(t, in+file, "Cookie", cookie), "\r\n")
		for name := range strings.SplitSeq(header, ",") {
			want[file+"."+name] = true
		}
	}
	for file, in := range map[string]string{"serie.csv": "/uf/sp/", "coortes.csv": "/uf/sp/", "rede.csv": "/98765432/", "grupo.csv": "/98765432/"} {
		header, _, _ := strings.Cut(h.Body(t, in+file), "\r\n")
		for name := range strings.SplitSeq(header, ",") {
			want[file+"."+name] = true
		}
	}
	for file, path := range map[string]string{"socio.csv": "/socio/456789/marta-figueira-inventada/empresas.csv", "mudancas.csv": "/mudancas/lista.csv"} {
		header, _, _ := strings.Cut(h.Body(t, path, "Cookie", cookie), "\r\n")
		for name := range strings.SplitSeq(header, ",") {
			want[file+"."+name] = true
		}
	}
	body := h.Body(t, "/dicionario")
	for id := range want {
		pagetest.Texts(t, body, []string{`<div id="` + id + `">`}, nil)
	}
	file := sitetest.Table(t, h.Get(t, "/dicionario.csv"))
	if len(file) != len(want) {
		t.Errorf("%d rows, want %d", len(file), len(want))
	}
	for _, row := range file {
		if id := row["tabela"] + "." + row["campo"]; !want[id] || row["tipo"] == "" || len(row["descricao"]) < 3 {
			t.Errorf("%s: %v", id, row)
		}
	}
}

// The CSV describes each field: type, domain, unit, personal or not, and text.
func TestDictionarySaysWhatAFieldIs(t *testing.T) {
	t.Parallel()
	h := sitetest.Nothing(t)
	w := h.Get(t, "/dicionario.csv")
	lines, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || strings.Join(lines[0], " ") != "tabela campo tipo dominio unidade pessoal descricao" {
		t.Fatal(lines[0], err)
	}
	rows := map[string]string{}
	for _, row := range lines[1:] {
		rows[row[0]+"."+row[1]] = strings.Join(row[2:], "|")
	}
	for id, want := range map[string]string{
		"empresa.capital_social":             "número em reais, com duas casas, ou null||reais|não|capital social",
		"estabelecimento.situacao_cadastral": "código|01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada||não|situação cadastral, código de dois dígitos",
		"estabelecimento.cep":                "texto|||sim|CEP, oito dígitos sem hífen",
		"pgfn.data_inscricao":                "texto||AAAAMMDD|não|data da inscrição em dívida ativa; null quando a fonte não a conhece",
		"mte_empregadores.estabelecimento":   "texto|||sim|local fiscalizado, em texto livre; pode ser a residência de alguém",
		"pagina.escopo":                      "uma de algumas palavras|empresa; estabelecimento||não|a que o documento foi comparado",
		"empresas.csv.data_inicio_atividade": "data (AAAA-MM-DD)||AAAA-MM-DD|não|data de início da atividade",
		"empresas.csv.telefone_1":            "texto|||sim|primeiro telefone, com DDD",
	} {
		if rows[id] != want {
			t.Errorf("%s: %s", id, rows[id])
		}
	}
	tag := w.Header().Get("ETag")
	if again := h.Get(t, "/dicionario.csv", "If-None-Match", tag); tag == "" || again.Code != http.StatusNotModified {
		t.Errorf("a table that the client has: %d", again.Code)
	}
}
