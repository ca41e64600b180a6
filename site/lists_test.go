package site_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

// sendList submits the form of /lista: a file, unless it is "", and fields as pairs. It follows the answer: to its page or, with a field saida, to
// the list in this format. The fields mostrar and colunas are those of the answer.
func sendList(t *testing.T, b *sitetest.Browser, file string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	return sendListTo(t, b, "/lista", file, fields...)
}

func sendListTo(t *testing.T, b *sitetest.Browser, address, file string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	var sent []string
	of := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		switch fields[i] {
		case "saida", "mostrar", "colunas":
			of.Add(fields[i], fields[i+1])
		default:
			sent = append(sent, fields[i:i+2]...)
		}
	}
	answer := postList(t, b, address, file, sent...)
	kept := answer.Header().Get("Location")
	if answer.Code != http.StatusSeeOther || !strings.HasPrefix(kept, "/lista/") {
		return answer
	}
	if format := of.Get("saida"); format != "" {
		of.Del("saida")
		of.Set("formato", format)
		kept += "/linhas.csv"
	}
	return b.Open(t, kept+"?"+of.Encode())
}

// postList submits a form with a file and fields as pairs.
func postList(t *testing.T, b *sitetest.Browser, address, file string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(fields); i += 2 {
		if err := form.WriteField(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	w, err := form.CreateFormFile("arquivo", "fornecedores.csv") // browsers send an empty one, too
	if err == nil {
		_, err = w.Write([]byte(file))
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, address, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.Send(r)
}

// TestListComesBack sends a list with every kind of line: each is answered by itself, and its own columns
// are all there.
func TestListComesBack(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	list := "Fornecedor;CNPJ;Valor;uf\r\n" +
		"Padaria;12.345.678/0001-95;10.50;SP\r\n" +
		"Filial;12345678000276;0;\r\n" +
		"Curto;7654321000159;1;\r\n" +
		"Só a raiz;12345678;2;\r\n" +
		"Outra;99999999000191;3;\r\n" +
		"Errado;12345678000190;4;\r\n" +
		"Arredondado;1,23457E+13;5;\r\n" +
		"=1+1;;-6;\r\n"
	table := sitetest.Table(t, sendList(t, b, list, "saida", "csv"))
	var got [][]string
	for _, row := range table {
		got = append(got, []string{row["Fornecedor"], row["Valor"], row["uf_2"], row["resultado"], row["cnpj_consultado"], row["razao_social"], row["municipio"]})
	}
	want := [][]string{
		{"Padaria", "10.50", "SP", "encontrado", "12345678000195", "PADARIA ESTRELA DO SUL LTDA", "Campinas"},
		{"Filial", "0", "", "encontrado", "12345678000276", "PADARIA ESTRELA DO SUL LTDA", "Campinas"},
		{"Curto", "1", "", "encontrado com os zeros que faltavam: confira", "07654321000159", table[2]["razao_social"], table[2]["municipio"]},
		{"Só a raiz", "2", "", "encontrado", "12345678000195", "PADARIA ESTRELA DO SUL LTDA", "Campinas"},
		{"Outra", "3", "", "não está na carga", "99999999000191", "", ""},
		{"Errado", "4", "", "dígitos verificadores não conferem", "", "", ""},
		{"Arredondado", "5", "", "a planilha arredondou o número: formate a coluna como texto e copie de novo", "", "", ""},
		{"'=1+1", "-6", "", "sem CNPJ", "", "", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" || table[2]["razao_social"] == "" || table[0]["cep"] != "" {
		t.Errorf("%s", diff)
	}
	if row := sitetest.Table(t, sendList(t, b, list, "saida", "csv", "colunas", "contato"))[0]; row["cep"] != "13024100" || row["telefone_1"] == "" {
		t.Errorf("with all columns: %v", row)
	}
	book, err := excelize.OpenReader(bytes.NewReader(sendList(t, b, list, "saida", "xlsx").Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for at, want := range map[string]excelize.CellType{"A2": excelize.CellTypeInlineString, "B4": excelize.CellTypeInlineString, "C2": excelize.CellTypeUnset} { // text, text, number
		if kind, err := book.GetCellType("Dados", at); kind != want || err != nil {
			t.Errorf("%s: type %v, want %v; %v", at, kind, want, err)
		}
	}
}

// TestOwnCellsComeBack sends a workbook with dates, amounts and texts that look like numbers: in a workbook they come back as they were, below
// the headings that they had and beside titles in Portuguese; in a CSV for people as Brazilians write them, in that for programs as the API does.
func TestOwnCellsComeBack(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	book := excelize.NewFile()
	defer book.Close()
	style := func(s excelize.Style) int {
		id, err := book.NewStyle(&s)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	reais, day, month := `"R$" #,##0.00`, "dd/mm/yyyy", "mm/yyyy"
	for i, row := range [][]any{
		{"CNPJ", "Razão social", "uf", "Vencimento", "Valor", "Código", "Misto", "Pago", "", "Valor", 46296},
		{12345678000195, "Minha padaria", "SP", 46300, 1234.56, "007", 46301, true, "x", "1.235", 7},
		{"11.222.333/0001-81", "Minhas lojas", "RJ", 46301, 99.5, "1.235", "a combinar", false, "y", "2", 8.5},
	} {
		if err := book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	for cells, id := range map[[2]string]int{
		{"A2", "A2"}: style(excelize.Style{NumFmt: 11}), {"D2", "D3"}: style(excelize.Style{CustomNumFmt: &day}), {"E2", "E3"}: style(excelize.Style{CustomNumFmt: &reais}),
		{"G2", "G2"}: style(excelize.Style{NumFmt: 14}), {"K1", "K1"}: style(excelize.Style{CustomNumFmt: &month}),
	} {
		if err := book.SetCellStyle("Sheet1", cells[0], cells[1], id); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := book.Write(&file); err != nil {
		t.Fatal(err)
	}
	back, err := excelize.OpenReader(bytes.NewReader(sendList(t, b, file.String(), "saida", "xlsx").Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	rows, err := back.GetRows("Dados")
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	const own = 11
	want := [][]string{
		{"CNPJ", "Razão social", "uf", "Vencimento", "Valor", "Código", "Misto", "Pago", "Coluna 9", "Valor", "10/2026", "Resultado", "CNPJ consultado"},
		{"12345678000195", "Minha padaria", "SP", "05/10/2026", "R$ 1,234.56", "007", "10-06-26", "TRUE", "x", "1.235", "7", "encontrado", "12.345.678/0001-95"},
		{"11.222.333/0001-81", "Minhas lojas", "RJ", "06/10/2026", "R$ 99.50", "1.235", "a combinar", "FALSE", "y", "2", "8.5", "encontrado", "11.222.333/0001-81"},
	}
	for i, row := range rows {
		if diff := cmp.Diff(want[i], row[:own+2]); diff != "" {
			t.Errorf("line %d: %s", i+1, diff)
		}
	}
	if added := rows[0][own+2:]; added[0] != "Pontos" || added[2] != "Razão social (2)" || added[3] != "Matriz ou filial" || added[4] != "UF (2)" || added[6] != "Situação cadastral" {
		t.Errorf("added are %q", added)
	}
	for at, want := range map[string]excelize.CellType{"A2": excelize.CellTypeUnset, "D2": excelize.CellTypeUnset, "E3": excelize.CellTypeUnset, "F2": excelize.CellTypeInlineString, "F3": excelize.CellTypeInlineString, "G3": excelize.CellTypeInlineString, "H2": excelize.CellTypeBool} {
		if kind, err := back.GetCellType("Dados", at); kind != want || err != nil {
			t.Errorf("%s: type %v, want %v; %v", at, kind, want, err)
		}
	}
	for output, want := range map[string]string{
		"csv":    "CNPJ,Razão social,uf_2,Vencimento,Valor,Código,Misto,Pago,coluna_9,Valor_2,01/10/2026,resultado,cnpj_consultado,pontos,candidatas,razao_social,",
		"ndjson": `{"CNPJ":"12345678000195",`,
		"excel":  "\uFEFFCNPJ;Razão social;uf;Vencimento;Valor;Código;Misto;Pago;Coluna 9;Valor;01/10/2026;Resultado;CNPJ consultado;Pontos;Candidatas;Razão social (2);",
	} {
		body := sendList(t, b, file.String(), "saida", output).Body.String()
		lines := strings.Split(body, "\r\n")
		if !strings.HasPrefix(body, want) {
			t.Errorf("%s: %s", output, lines[0])
		}
		for _, line := range map[string][]string{
			"ndjson": {
				`"uf_2":"SP","Vencimento":"2026-10-05","Valor":1234.56,"Código":"007","Misto":"2026-10-06","Pago":true,"coluna_9":"x","Valor_2":"1.235",`,
			},
			"csv": {
				"12345678000195,Minha padaria,SP,2026-10-05,1234.56,007,2026-10-06,true,x,1.235,7,encontrado,12345678000195,",
				"11.222.333/0001-81,Minhas lojas,RJ,2026-10-06,99.5,1.235,a combinar,false,y,2,8.5,encontrado,11222333000181,",
			},
			"excel": {
				`"=""12345678000195""";Minha padaria;SP;05/10/2026;R$ 1.234,56;"=""007""";06/10/2026;VERDADEIRO;x;"=""1.235""";7;encontrado;12.345.678/0001-95;`,
				`11.222.333/0001-81;Minhas lojas;RJ;06/10/2026;R$ 99,50;"=""1.235""";a combinar;FALSO;y;"=""2""";8,5;encontrado;11.222.333/0001-81;`,
			},
		}[output] {
			if !strings.Contains(body, line) {
				t.Errorf("%s has no %s\n%s", output, line, body)
			}
		}
	}
	var described struct {
		Resources []struct {
			Schema struct {
				Fields []struct{ Name, Title, Type string }
			}
		}
	}
	if err := json.Unmarshal(sendList(t, b, file.String(), "saida", "descricao").Body.Bytes(), &described); err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, f := range described.Resources[0].Schema.Fields[:own] {
		types = append(types, f.Title+": "+f.Type)
	}
	if diff := cmp.Diff([]string{"CNPJ: string", "Razão social: string", "uf: string", "Vencimento: date", "Valor: number", "Código: string", "Misto: string", "Pago: boolean", "Coluna 9: string", "Valor: string", "01/10/2026: number"}, types); diff != "" {
		t.Error(diff)
	}
	again := sendList(t, h.SignedIn(t, "bia@exemplo.com"), sendList(t, h.SignedIn(t, "caio@exemplo.com"), file.String(), "saida", "xlsx").Body.String(), "saida", "excel", "planilha", "Dados").Body.String()
	if strings.Count(again, "Resultado") != 1 || strings.Count(again, "Razão social") != 2 || !strings.Contains(again, ";05/10/2026;R$ 1.234,56;") {
		t.Errorf("what came back is sent again: %s", again)
	}
}

// TestOwnTextsComeBack sends a CSV: columns of numbers and days, as programs and as Brazilians write them, go on being those; what may be either,
// and a mixture, stays as it was.
func TestOwnTextsComeBack(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	const list = "CNPJ;Plano;Reais;Dia;Ambos;Misto;Traço\n12345678000195;10.5;R$ 1.234,56;05/10/2026;1.500;3;-\n11222333000181;-2;99,90;31/12/2025;2.000;três;=2\n"
	for output, want := range map[string][]string{
		"csv":    {"12345678000195,10.5,1234.56,2026-10-05,1.500,3,-,", "11222333000181,-2,99.90,2025-12-31,2.000,três,'=2,"},
		"excel":  {`"=""12345678000195""";10,5;1234,56;05/10/2026;"=""1.500""";"=""3""";-;`, `"=""11222333000181""";-2;99,90;31/12/2025;"=""2.000""";três;'=2;`},
		"ndjson": {`"Plano":10.5,"Reais":1234.56,"Dia":"2026-10-05","Ambos":"1.500","Misto":"3","Traço":"-",`},
	} {
		body := sendList(t, h.SignedIn(t, output+"@exemplo.com"), list, "saida", output).Body.String()
		for _, line := range want {
			if !strings.Contains(body, line) {
				t.Errorf("%s has no %s\n%s", output, line, body)
			}
		}
	}
}

// TestListOfNames sends names as lists have them: with headings or without, with places, and beside numbers.
func TestListOfNames(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	bakery, inSaoPaulo := "12345678000195", "123456780"
	for list, want := range map[string][]string{
		"PADARIA ESTRELLA DO SUL ME\nNINGUEM SETENTRIONAL":                                                                {bakery, ""},
		"PADARIA ESTRELA DO SUL;Campinas/SP\nPADARIA ESTRELA DO SUL;São Paulo/SP\nREDE DE LOJAS EXEMPLO;Campinas/SP":      {bakery, inSaoPaulo, "11222333000181"},
		"Nome do fornecedor;Município;UF;Valor\nPadaria Estrela do Sul;Campinas;SP;1500\nLetras e Números Comércio;;SP;2": {bakery, "12ABC34501DE35"},
		"CEP;Razão social;CNAE\n13024100;Padaria Estrela do Sul;1091-1/02\n13024101;Estrela Participações;":               {bakery, "98765432000198"},
		"CNPJ;Empresa\n;Padaria Estrela do Sul\n98765432000198;Outra\n98765432000190;Padaria Estrela do Sul\n":            {bakery, "98765432000198", ""},
		"12345678000195\nEstrela Participações SA":                                                                        {bakery, "98765432000198"},
		"Empresa;Cidade/UF\nPADARIA ESTRELA DO SUL;Campinas - SP\nPADARIA ESTRELA DO SUL;SAO PAULO (SP)":                  {bakery, inSaoPaulo},
	} {
		table := sitetest.Table(t, sendList(t, h.SignedIn(t, rand.Text()+"@exemplo.com"), list, "saida", "csv"))
		if len(table) != len(want) {
			t.Errorf("%q: %d lines, want %d", list, len(table), len(want))
			continue
		}
		for i, number := range want {
			if got := table[i]["cnpj_consultado"]; number == "" && got != "" || !strings.HasPrefix(got, number) {
				t.Errorf("%q, line %d: %v, want %s", list, i+1, table[i], number)
			}
		}
	}
	table := sitetest.Table(t, sendList(t, b, "Empresa\nEXEMPLO LOJAS\nPadaria Estrela", "saida", "csv"))
	if row := table[0]; row["cnpj_consultado"] != "" || !strings.Contains(row["candidatas"], "11.222.333/0001-81 Rede de Lojas Exemplo S.A.") || row["pontos"] == "" || row["razao_social"] != "" || !strings.HasPrefix(row["resultado"], "incerto: ") {
		t.Errorf("in doubt: %v", row)
	}
	sitetest.Shows(t, sendList(t, b, "", "cnpjs", "Empresa\tCidade\nPadaria Estrela do Sul\tCampinas\nEXEMPLO LOJAS\t\nNinguém Setentrional\t"), http.StatusOK, []string{
		"1 encontrada de 3 linhas", "Nomes da coluna “Empresa” e municípios da coluna “Cidade”.", "1 foi encontrada pelo nome", "1 linha tem candidatas: escolha qual é.",
		"1 nome não foi encontrado.", `href="/11222333000181"`, "encontrado pelo nome: nome igual, no município", "incerto: nome parecido",
	}, nil)
	sitetest.Shows(t, sendList(t, b, "Empresa\n"+strings.Repeat("Padaria\n", 1001)), http.StatusUnprocessableEntity, []string{"mais de 1.000 linhas a procurar pelo nome"}, nil)
}

// TestCandidatesAreChosen: of a line in doubt somebody says which company it means, and takes it back.
func TestCandidatesAreChosen(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	kept := postList(t, b, "/lista", "", "cnpjs", "Empresa;Valor\nEXEMPLO LOJAS;1\nNinguém Setentrional;2").Header().Get("Location")
	body := sitetest.Shows(t, b.Open(t, kept+"?mostrar=incertas"), http.StatusOK, []string{"0 encontradas de 2 linhas", "<strong>1</strong> incerta", `value="2-11222333000181"`, `action="` + kept + `/escolhas?mostrar=incertas"`}, []string{"por você"})
	if strings.Count(body, `id="linha-`) != 1 {
		t.Errorf("lines with candidates: %s", body)
	}
	choose := func(who *sitetest.Browser, choice string) *httptest.ResponseRecorder {
		return who.Post(t, kept+"/escolhas?mostrar=conferir", "escolha", choice)
	}
	for _, wrong := range []string{"", "2", "2-x", "2-12345678000195", "3-11222333000181", "0-11222333000181", "x-11222333000181"} {
		want := http.StatusUnprocessableEntity
		if wrong == "2" { // nothing is taken back
			want = http.StatusSeeOther
		}
		if w := choose(b, wrong); w.Code != want {
			t.Errorf("%q: %d", wrong, w.Code)
		}
	}
	sitetest.Shows(t, choose(h.SignedIn(t, "bia@exemplo.com"), "2-11222333000181"), http.StatusNotFound, []string{"não está mais guardada"}, nil)
	sitetest.Leads(t, choose(b, "2-11222333000181"), kept+"?mostrar=conferir#linha-2")
	sitetest.Shows(t, b.Open(t, kept), http.StatusOK, []string{"1 encontrada de 2 linhas", "1 foi escolhida por você.", "escolhido por você: nome parecido", `href="/11222333000181"`, "Ativa desde", `value="2-"`}, []string{"incerta, com"})
	row := sitetest.Table(t, b.Open(t, kept+"/linhas.csv?formato=csv"))[0]
	if row["cnpj_consultado"] != "11222333000181" || row["razao_social"] == "" || row["candidatas"] != "" || row["Valor"] != "1" || !strings.HasPrefix(row["resultado"], "escolhido por você") {
		t.Errorf("the file: %v", row)
	}
	sitetest.Leads(t, choose(b, "2-"), kept+"?mostrar=conferir#linha-2")
	sitetest.Shows(t, b.Open(t, kept), http.StatusOK, []string{"0 encontradas de 2 linhas", "<strong>1</strong> incerta"}, []string{"por você"})
}

// TestListOnScreen shows what was found as an answer of its own: counted, by parts, and with the columns that are ticked.
func TestListOnScreen(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	const list = "12345678000195\n7654321000159\n99999999000191\nabc"
	body := sitetest.Shows(t, sendList(t, b, "", "cnpjs", list), http.StatusOK, []string{
		"2 encontradas de 4 linhas", "1 foi encontrada com zeros que a lista não tem", "1 não está na carga", "1 nome não foi encontrado.",
		`href="/07654321000159"`, "07.654.321/0001-59", "não está na carga", "<strong>3</strong> a conferir", "<strong>2</strong> encontradas", "A lista fica guardada, cifrada, até", "Ativa desde 14/03/2009", "sem carga",
	}, []string{"13024-100", "Marta"})
	if strings.Count(body, "<tbody>") != 1 {
		t.Errorf("tables: %s", body)
	}
	sitetest.Shows(t, sendList(t, b, "", "cnpjs", list, "mostrar", "conferir", "colunas", "socios", "colunas", "contato"), http.StatusOK, []string{"3 a conferir", "07.654.321/0001-59"}, []string{"12.345.678/0001-95"})
	sitetest.Shows(t, sendList(t, b, "", "cnpjs", list, "mostrar", "ativas", "colunas", "socios", "colunas", "contato"), http.StatusOK, []string{
		"12.345.678/0001-95", "Marta Figueira Inventada", "13024-100",
	}, []string{"99.999.999/0001-91", "Ativa desde", "sem carga"})
	for _, wrong := range []string{"mostrar", "colunas"} {
		sitetest.Shows(t, sendList(t, b, "", "cnpjs", list, wrong, "x"), http.StatusUnprocessableEntity, []string{"não pode ser “x”"}, nil)
	}
	b = h.SignedIn(t, "bia@exemplo.com")
	sitetest.Shows(t, sendList(t, b, "", "cnpjs", "191"+strings.Repeat("\t\"", 1<<19)), http.StatusUnprocessableEntity, []string{`"></textarea>`}, []string{"&#34;"})
	for text, has := range map[string]string{"": "A lista está vazia.", "x\n\x00": "não é um CSV nem uma planilha"} {
		sitetest.Shows(t, sendList(t, b, "", "cnpjs", text), http.StatusUnprocessableEntity, []string{has}, nil)
	}
	sitetest.Shows(t, sendList(t, b, strings.Repeat("191\n", 10_002)), http.StatusUnprocessableEntity, []string{"mais de 10.000 linhas"}, nil)
	sitetest.Shows(t, sendList(t, b, "191", "saida", "pdf"), http.StatusUnprocessableEntity, nil, nil)
	b = h.SignedIn(t, "caio@exemplo.com")
	sitetest.Shows(t, sendList(t, b, strings.Repeat("x", 5<<20)), http.StatusRequestEntityTooLarge, []string{"passa de 4 MB"}, nil)
}

// TestListsSayWhatSourcesHave: what sources have of a company is counted over all its establishments, shown, and in the file.
func TestListsSayWhatSourcesHave(t *testing.T) {
	t.Parallel()
	h := sitetest.New(t, fixture.LoadRecords(t))
	b := h.SignedIn(t, "ana@exemplo.com")
	const list = "12345678000276\n98765432000198\n7654321000159\n46000111000107\nabc"
	all := []string{"colunas", "dividas", "colunas", "sancoes", "colunas", "trabalho", "colunas", "ambiente", "colunas", "contratos"}
	sitetest.Shows(t, sendList(t, b, "", append([]string{"cnpjs", list}, all...)...), http.StatusOK, []string{
		"<strong>1</strong> com dívida ativa", "<strong>1</strong> com sanção em vigor", "<strong>2</strong> em lista do trabalho", "<strong>1</strong> com auto ou embargo do Ibama", "<strong>2</strong> com contrato público",
		"inscrições, R$", "1 em vigor",
	}, nil)
	rows := sitetest.Table(t, sendList(t, b, "", append([]string{"cnpjs", list, "saida", "csv"}, all...)...))
	for i, want := range []map[string]string{
		{"divida_inscricoes": "5", "sancoes_em_vigor": "1", "registros_trabalho": "1", "registros_ibama": "3"},
		{"divida_inscricoes": "0", "divida_ativa": "0.00", "sancoes_em_vigor": "0", "registros_trabalho": "1", "registros_ibama": "0"},
	} {
		for name, value := range want {
			if rows[i][name] != value {
				t.Errorf("line %d, %s: %q, want %q", i+1, name, rows[i][name], value)
			}
		}
	}
	if last := rows[len(rows)-1]; last["divida_inscricoes"] != "" || last["resultado"] == "" {
		t.Errorf("a line without a company: %v", last)
	}
	if rows := sitetest.Table(t, sendList(t, b, "", "cnpjs", list, "saida", "csv", "mostrar", "ambiente")); len(rows) != 1 || rows[0]["cnpj_consultado"] != "12345678000276" {
		t.Errorf("a part: %v", rows)
	}
}

// TestListsDoNotLookUpPersons: a line with a CPF is about a person, whatever name stands beside it, and however many there are.
func TestListsDoNotLookUpPersons(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	list := "CPF/CNPJ;Nome\n529.982.247-25;PADARIA ESTRELA DO SUL\n***.982.247-**;PADARIA ESTRELA DO SUL\n12345678000190;PADARIA ESTRELA DO SUL\n12345678000195;X\n"
	var got [][]string
	for _, row := range sitetest.Table(t, sendList(t, b, list, "saida", "csv")) {
		got = append(got, []string{row["resultado"], row["cnpj_consultado"], row["candidatas"]})
	}
	want := [][]string{
		{"é um CPF: pessoa natural, não consultada", "", ""},
		{"é um CPF: pessoa natural, não consultada", "", ""},
		{"dígitos verificadores não conferem; pelo nome: nome igual", "", "12.345.678/0001-95 Padaria Estrela do Sul Ltda. (Estrela do Sul Pães e Doces)"},
		{"encontrado", "12345678000195", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	sitetest.Shows(t, sendList(t, b, list+strings.Repeat("52998224725;PADARIA ESTRELA\n", 1200)), http.StatusOK, []string{"1.202 linhas trazem o CPF de uma pessoa natural", "1 encontrada de 1.204 linhas"}, nil)
}

// TestListsAreFollowed: what was found goes into the portfolio with one button.
func TestListsAreFollowed(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	body := sitetest.Shows(t, sendList(t, b, "CNPJ\n12345678000195\n12345678000276\n98765432000198\n99999999000191\n"), http.StatusOK, []string{"as 2 empresas destas linhas"}, nil)
	_, value, found := strings.Cut(body, `name="raizes" value="`)
	value, _, _ = strings.Cut(value, `"`)
	if !found || value != "12345678 98765432" {
		t.Fatalf("%q", value)
	}
	sitetest.Leads(t, b.Post(t, "/conta/carteira", "raizes", value), "/conta/carteira")
	sitetest.Shows(t, b.Open(t, "/conta/carteira"), http.StatusOK, []string{"Seguindo 2 empresas da lista.", "2 empresas"}, nil)
}

// TestListsAreReadAnew with another sheet or column than was guessed.
func TestListsAreReadAnew(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	list := "CNPJ do órgão;CNPJ contratada\n12345678000195;98765432000198\n"
	body := sitetest.Shows(t, sendList(t, b, list), http.StatusOK, []string{"CNPJs da coluna “CNPJ contratada”", `<option value="1">“CNPJ do órgão”`, `href="/98765432000198"`}, nil)
	kept := regexp.MustCompile(`/lista/[A-Za-z0-9_-]{20,}`).FindString(body)
	sitetest.Shows(t, sendListTo(t, b, kept, "", "coluna", "1"), http.StatusOK, []string{"CNPJs da coluna “CNPJ do órgão”", `href="/12345678000195"`, `<option value="1" selected>`}, nil)
	for _, column := range []string{"0", "3", "x"} {
		sitetest.Shows(t, sendListTo(t, b, kept, "", "coluna", column), http.StatusUnprocessableEntity, nil, nil)
	}
	sitetest.Shows(t, sendListTo(t, b, kept, "", "nomes", "3"), http.StatusUnprocessableEntity, nil, nil)
	b = h.SignedIn(t, "caio@exemplo.com")
	sitetest.Shows(t, sendListTo(t, b, kept, "", "coluna", "1"), http.StatusNotFound, []string{"não está mais guardada"}, nil)
	sitetest.Shows(t, sendList(t, b, "Ramo;Apelido\nPADARIA ESTRELA DO SUL;ABC\nPADARIA ESTRELA DO SUL;DEF\n", "nomes", "1"), http.StatusOK, []string{"2 encontradas de 2 linhas", "Nomes da coluna “Ramo”"}, nil)
	answered := "CNPJ;Nota;Resultado;CNPJ consultado;Razão social\n98765432000198;x;encontrado;12.345.678/0001-95;PADARIA\n"
	sitetest.Shows(t, sendList(t, b, answered), http.StatusOK, []string{"As colunas de uma consulta anterior não foram lidas", `href="/98765432000198"`}, []string{`href="/12345678000195"`})
	sitetest.Shows(t, sendList(t, b, "Relatório\nEmitido hoje\n\nCNPJ;Nota\n12345678000195;1\n"), http.StatusOK, []string{"O cabeçalho é a linha 4; 2 linhas de título não foram consultadas."}, nil)
	b = h.SignedIn(t, "bia@exemplo.com") // an account may send so many lists at once
	book := excelize.NewFile()
	defer book.Close()
	_, err := book.NewSheet("Fornecedores")
	for at, value := range map[string]string{"A1": "CNPJ", "A2": "12345678000195", "A3": "98765432000198"} {
		err = errors.Join(err, book.SetCellStr("Fornecedores", at, value), book.SetCellStr("Sheet1", "A1", "98765432000198"))
	}
	var file bytes.Buffer
	if err = errors.Join(err, book.Write(&file)); err != nil {
		t.Fatal(err)
	}
	sitetest.Shows(t, sendList(t, b, file.String()), http.StatusOK, []string{"2 encontradas de 2 linhas", "Planilha “Fornecedores”.", `<option value="Sheet1">`}, nil)
	sitetest.Shows(t, sendList(t, b, file.String(), "planilha", "Sheet1"), http.StatusOK, []string{"1 encontrada de 1 linha", "Planilha “Sheet1”."}, nil)
	sitetest.Shows(t, sendList(t, b, file.String(), "planilha", "x"), http.StatusUnprocessableEntity, []string{"não tem uma planilha com este nome"}, nil)
}

// TestHeadingsAreNoFormulas: what a reader names columns comes back in every format as text.
func TestHeadingsAreNoFormulas(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	list := "documento\t=cmd|' /C calc'!A0\t@nota\tx;-1\n12345678000195\t=1\t@a\tb"
	for output, want := range map[string]string{
		"csv":    "documento,'=cmd|' /C calc'!A0,'@nota,x;'-1,",
		"excel":  "\uFEFFdocumento;'=cmd|' /C calc'!A0;'@nota;\"x;-1\";",
		"ndjson": `{"documento":"12345678000195","=cmd|' /C calc'!A0":"=1","@nota":"@a","x;-1":"b",`,
	} {
		if body := sendList(t, b, list, "saida", output).Body.String(); !strings.HasPrefix(body, want) {
			t.Errorf("%s: %.200s", output, body)
		}
	}
	sitetest.Shows(t, sendList(t, b, strings.Repeat(strings.Repeat("x", 50)+"\t", 190)+"cnpj\n"+strings.Repeat(strings.Repeat("\t", 190)+"191\n", 10_000)), http.StatusUnprocessableEntity, []string{"grande demais"}, nil)
}

// TestListsHideWhatPagesHide: contacts of natural persons are not in the columns.
func TestListsHideWhatPagesHide(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	mei := fixture.Full(t, fixture.MEI).String()
	for i, output := range []string{"", "csv", "ndjson", "excel"} {
		w := sendList(t, h.SignedIn(t, fmt.Sprintf("ana%d@exemplo.com", i)), "cnpj\n"+mei, "saida", output, "colunas", "contato")
		body := w.Body.String()
		for _, hidden := range []string{"SEGREDO", "RESERVADA", "99887766", "9988-7766", "joana@", fixture.HiddenCPF} {
			if strings.Contains(body, hidden) {
				t.Errorf("%s has %q", output, hidden)
			}
		}
		if !strings.Contains(strings.ToUpper(body), "JOANA FICTICIA DA SILVA") {
			t.Errorf("%s lacks the entrepreneur: %d %s", output, w.Code, body)
		}
	}
}

// TestRefusalsOfListsNameTheField that is wrong, above the form, and mark that one alone.
func TestRefusalsOfListsNameTheField(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	marked := regexp.MustCompile(`(?s)id="([a-z]+)"[^>]*aria-describedby="[^"]*lista-erro"[^>]*aria-invalid="true"`)
	for name, c := range map[string]struct {
		file, pasted, field, why string
		status                   int
	}{
		"another format":       {"PK\x03\x04", "", "arquivo", "não é um CSV nem uma planilha", 422},
		"beside a pasted list": {"PK\x03\x04", "191", "arquivo", "não é um CSV nem uma planilha", 422},
		"an old format":        {"\xd0\xcf\x11\xe0", "", "arquivo", "formato antigo", 422},
		"above 4 MB":           {strings.Repeat("191\n", 1_100_000), "", "arquivo", "passa de 4 MB", 413},
		"an empty file":        {"", "", "arquivo", "vazia", 422},
		"a blank file":         {" \n", "", "arquivo", "vazia", 422},
		"a pasted list":        {"", strings.Repeat("191\n", 10_002), "cnpjs", "mais de 10.000 linhas", 422},
	} {
		w := sendList(t, b, c.file, "cnpjs", c.pasted)
		body := w.Body.String()
		refusal := strings.Index(body, `role="alert"`)
		if w.Code != c.status || refusal < 0 || refusal > strings.Index(body, `action="/lista"`) || !strings.Contains(body[refusal:], c.why) || !strings.Contains(body, `href="#`+c.field+`"`) {
			t.Errorf("%s: %d, the refusal is at %d, the form at %d", name, w.Code, refusal, strings.Index(body, `action="/lista"`))
		}
		if found := marked.FindAllStringSubmatch(body, -1); len(found) != 1 || found[0][1] != c.field {
			t.Errorf("%s: marked are %q, want %s", name, found, c.field)
		}
	}
}

// TestListsAreForAccounts: strangers and other sites get none, and no account all.
func TestListsAreForAccounts(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	sitetest.Leads(t, sendList(t, h.Visitor(), "191"), "/login?next=%2Flista")
	r := sitetest.Form(t, "/lista", "cross-site", "cnpjs", "191")
	if w := h.SignedIn(t, "ana@exemplo.com").Send(r); w.Code != http.StatusForbidden {
		t.Errorf("from another site: %d", w.Code)
	}
	b := h.SignedIn(t, "bia@exemplo.com")
	for n := 0; ; n++ {
		w := sendList(t, b, "191")
		if w.Code == http.StatusTooManyRequests {
			break
		}
		if w.Code != http.StatusOK || n > 1000 {
			t.Fatalf("list %d: %d", n, w.Code)
		}
	}
	r = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/lista", strings.NewReader("cnpjs=191"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if w := h.SignedIn(t, "caio@exemplo.com").Send(r); w.Code != http.StatusBadRequest {
		t.Errorf("without parts: %d", w.Code)
	}
}

// TestListsEndWithTheirWork: of a thousand names of twenty words that no company has, as many are looked up as six files pay for, and the
// other lines say that they were not.
func TestListsEndWithTheirWork(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	var list strings.Builder
	list.WriteString("Empresa\nPadaria Estrela do Sul\n")
	for i := range 998 {
		for word := range 20 {
			fmt.Fprintf(&list, "xq%czv%cw ", 'a'+i%20, 'a'+word)
		}
		list.WriteString("\n")
	}
	list.WriteString("Estrela Participações SA\n")
	begun := time.Now()
	table := sitetest.Table(t, sendList(t, b, list.String(), "saida", "csv"))
	if len(table) != 1000 || table[0]["cnpj_consultado"] == "" {
		t.Fatalf("%d lines, the first %v", len(table), table[0])
	}
	asked := 0
	for i, row := range table {
		if strings.HasPrefix(row["resultado"], "não procurado: ") {
			continue
		}
		if asked++; asked != i+1 {
			t.Fatalf("line %d is looked up after one that is not", i+1)
		}
	}
	if asked < 50 || asked > 300 {
		t.Errorf("%d names were looked up", asked)
	}
	const burst, taken, perSecond = 10, 6, 1.0 / 3 // files
	files := 0
	for sendList(t, b, "Empresa\nEstrela Participações SA", "saida", "csv").Code == http.StatusOK {
		files++
	}
	if most := burst - taken + time.Since(begun).Seconds()*perSecond; files == 0 || float64(files) > most {
		t.Errorf("%d further files, want at most %.1f", files, most)
	}
	other := h.SignedIn(t, "rui@exemplo.com")
	sitetest.Shows(t, sendList(t, other, list.String()), http.StatusOK, []string{"linhas não foram procuradas: os nomes desta lista são trabalho demais"}, nil)
}
