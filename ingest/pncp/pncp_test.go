package pncp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/testing/fixture/sourcefiles"
)

// load reads files, given by name and contents.
func load(t *testing.T, workers int, files map[string]string) (*rowstest.Loaded, error) {
	t.Helper()
	return rowstest.Load(t, Contratos(), sourcefiles.WriteAll(t, files), rows.FindOptions{Workers: workers})
}

// lines loads one file of JSON Lines.
func lines(t *testing.T, documents ...string) *rowstest.Loaded {
	t.Helper()
	l, err := load(t, 1, map[string]string{"pncp.jsonl": strings.Join(documents, "\n")})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// changes are members of a contract that differ, with their JSON; "" takes a member away.
type changes map[string]string

// contractWith returns a contract on one line, as the portal writes it.
func contractWith(c changes) string {
	members := map[string]string{
		"numeroControlePNCP":          `"99000111000165-2-000035/2024"`,
		"numeroControlePncpCompra":    `"99000111000165-1-000099/2024"`,
		"anoContrato":                 `2024`,
		"sequencialContrato":          `35`,
		"numeroContratoEmpenho":       `"06990"`,
		"processo":                    `"S/00038"`,
		"tipoContrato":                `{"id": 7, "nome": "Empenho"}`,
		"categoriaProcesso":           `{"nome": "Compras", "id": 2}`,
		"receita":                     `false`,
		"objetoContrato":              `"AQUIS. DE BEBEDOURO "`,
		"informacaoComplementar":      `""`,
		"orgaoEntidade":               `{"cnpj": "99000111000165", "razaoSocial": "MUNICIPIO DE EXEMPLOPOLIS", "poderId": "N", "esferaId": "M"}`,
		"unidadeOrgao":                `{"ufNome": "São Paulo", "codigoUnidade": "1", "nomeUnidade": "Prefeitura de Exemplópolis", "ufSigla": "SP", "municipioNome": "São Paulo", "codigoIbge": "3550308"}`,
		"orgaoSubRogado":              `null`,
		"unidadeSubRogada":            `null`,
		"tipoPessoa":                  `"PJ"`,
		"niFornecedor":                `"11222333000181"`,
		"nomeRazaoSocialFornecedor":   `"TRANSPORTES EXEMPLO LTDA"`,
		"codigoPaisFornecedor":        `"BRA"`,
		"tipoPessoaSubContratada":     `null`,
		"niFornecedorSubContratado":   `null`,
		"nomeFornecedorSubContratado": `null`,
		"valorInicial":                `7056`,
		"numeroParcelas":              `1`,
		"valorParcela":                `7056.0000`,
		"valorGlobal":                 `98765.4321`,
		"valorAcumulado":              `null`,
		"dataAssinatura":              `"2024-08-01"`,
		"dataVigenciaInicio":          `"2024-08-01"`,
		"dataVigenciaFim":             `"2024-09-01"`,
		"numeroRetificacao":           `0`,
		"dataPublicacaoPncp":          `"2024-08-14T09:49:03"`,
		"dataAtualizacao":             `"2024-08-14T09:49:03"`,
		"dataAtualizacaoGlobal":       `null`,
		"identificadorCipi":           `null`,
		"urlCipi":                     `null`,
		"usuarioNome":                 `"SISTEMA FICTICIO"`,
		"emendaParlamentar":           `[{"numero": "1"}]`,
	}
	maps.Copy(members, c)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if members[name] != "" {
			b.WriteString(`, "` + name + `": ` + members[name])
		}
	}
	return "{" + b.String()[2:] + "}"
}

func itemOf(t *testing.T, values []string) map[string]string {
	t.Helper()
	src, _ := source.Find(suppliers)
	if len(values) != len(src.Fields) {
		t.Fatalf("%d values, the source has %d fields", len(values), len(src.Fields))
	}
	item := map[string]string{}
	for i, f := range src.Fields {
		if values[i] != "" && !json.Valid([]byte(values[i])) {
			t.Errorf("%s: %q is not JSON", f.Name, values[i])
		}
		item[f.Name] = values[i]
	}
	return item
}

// companyOf returns the owner that an establishment's number stands for.
func companyOf(t *testing.T, number string) rows.Owner {
	t.Helper()
	full, err := cnpj.ParseFull(number)
	if err != nil {
		t.Fatal(err)
	}
	return rows.Owner{Root: full.Root(), Order: full.Order()}
}

// shapeOf returns what a column holds: the JSON type that the loader insists on, and the members of an object.
func shapeOf(c *column) string {
	switch c.kind {
	case number:
		return "number"
	case flag:
		return "boolean"
	case object:
		parts := "object"
		for _, part := range c.parts {
			parts += " " + part.item + ":" + shapeOf(&part)
		}
		return parts
	}
	if c.item == "participacao" { // which the loader makes
		return "list of string fornecedor subcontratado"
	}
	return "string"
}

// declared returns the same of a field.
func declared(f *source.Field) string {
	if f.Kind == source.Number {
		return "number"
	}
	if f.Kind == source.Text {
		return "string"
	}
	said := f.Shape.Type
	if f.Shape.List {
		said = "list of " + said
	}
	for _, member := range f.Shape.Members {
		said += " " + member.Name + ":" + declared(&member)
	}
	return strings.Join(append([]string{said}, f.Shape.Values...), " ")
}

func TestColumnsAreThoseOfTheSource(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range columns() {
		got = append(got, c.item+" "+shapeOf(&c))
	}
	for _, id := range Contratos().Sources {
		src, ok := source.Find(id)
		if !ok {
			t.Fatalf("no source %s", id)
		}
		var want []string
		for _, f := range src.Fields {
			if f.Kind == source.JSON {
				want = append(want, f.Name+" "+declared(&f))
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

func TestContract(t *testing.T) {
	t.Parallel()
	l := lines(t, contractWith(nil))
	values := []string{
		`"99000111000165-2-000035/2024"`, `"99000111000165-1-000099/2024"`, `["fornecedor"]`, `2024`, `35`, `"06990"`, `"S/00038"`,
		`{"id":7,"nome":"Empenho"}`, `{"id":2,"nome":"Compras"}`, `false`, `"AQUIS. DE BEBEDOURO"`, `""`,
		`{"cnpj":"99000111000165","razao_social":"MUNICIPIO DE EXEMPLOPOLIS","poder_id":"N","esfera_id":"M"}`,
		`{"codigo_unidade":"1","nome_unidade":"Prefeitura de Exemplópolis","codigo_ibge":"3550308","municipio_nome":"São Paulo","uf_sigla":"SP","uf_nome":"São Paulo"}`,
		"", "", `"PJ"`, `"11222333000181"`, `"TRANSPORTES EXEMPLO LTDA"`, `"BRA"`, "", "", "",
		`7056`, `1`, `7056.0000`, `98765.4321`, "", `"2024-08-01"`, `"2024-08-01"`, `"2024-09-01"`, `0`,
		`"2024-08-14T09:49:03"`, `"2024-08-14T09:49:03"`, "", "", "", `"SISTEMA FICTICIO"`,
		`"https://pncp.gov.br/app/contratos/99000111000165/2024/000035"`,
	}
	body := slices.Clone(values)
	body[2] = ""
	const (
		control = "99000111000165-2-000035/2024"
		version = " 2024-08-14T09:49:03 0000000000"
	)
	order := rows.Descending("20240801") + control
	where := rows.Where{File: 0, Line: 1}
	want := map[string][]rows.Record{
		suppliers: {
			{Where: where, Owner: companyOf(t, "11222333000181"), Order: order + " fornecedor", Identity: control + " fornecedor", Version: version, Values: values},
			{Where: where, Order: order + " subcontratado", Identity: control + " subcontratado", Version: version},
		},
		bodies: {
			{Where: where, Owner: companyOf(t, "99000111000165"), Order: order + " orgao", Identity: control + " orgao", Version: version, Values: body},
		},
	}
	got := map[string][]rows.Record{suppliers: l.Records[suppliers], bodies: l.Records[bodies]}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	facts := rows.Facts{Period: "2024-08", Coverage: "2024-08-14"}
	if diff := gocmp.Diff(facts, l.Facts); diff != "" {
		t.Error(diff)
	}
	figures := &rows.Figures{Read: 1, Dropped: map[string]int64{}, Marked: map[string]int64{}}
	if diff := gocmp.Diff(figures, l.Figures); diff != "" {
		t.Error(diff)
	}
}

// TestValues changes one member and checks the field that is made of it.
func TestValues(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		changes     changes
		field, want string
	}{
		"four decimals":             {changes{"valorInicial": `1234.5600`}, "valor_inicial", `1234.5600`},
		"more digits than a float":  {changes{"valorGlobal": `12345678901234567890.1234`}, "valor_global", `12345678901234567890.1234`},
		"null":                      {changes{"valorGlobal": `null`}, "valor_global", ""},
		"absent":                    {changes{"valorGlobal": ""}, "valor_global", ""},
		"revenue":                   {changes{"receita": `true`}, "receita", `true`},
		"blanks around":             {changes{"processo": "\" \\n1/2 \u00a0\""}, "processo", `"1/2"`},
		"blanks only":               {changes{"processo": `"  "`}, "processo", `""`},
		"raw control characters":    {changes{"objetoContrato": "\"um\x02dois\ttrês\x1f\""}, "objeto_contrato", `"um dois três"`},
		"escapes":                   {changes{"objetoContrato": `"\u00e7\/\"\\ <&>\n\ud83d\ude00"`}, "objeto_contrato", `"ç/\"\\ <&>\n😀"`},
		"CPF in a text":             {changes{"objetoContrato": `"PAGTO A FULANO, 123.456.789-09."`}, "objeto_contrato", `"PAGTO A FULANO, ***456789**."`},
		"CPF behind an escape":      {changes{"informacaoComplementar": `"CPF\n12345678909\u0020"`}, "informacao_complementar", `"CPF\n***456789**"`},
		"CPF written in escapes":    {changes{"objetoContrato": `"\u0031\u00323456789\u0030\u0039"`}, "objeto_contrato", `"***456789**"`},
		"CPF in a supplier's name":  {changes{"nomeRazaoSocialFornecedor": `"MARIA EXEMPLO 12345678909"`}, "nome_razao_social_fornecedor", `"MARIA EXEMPLO ***456789**"`},
		"CPF of the user":           {changes{"usuarioNome": `"12345678909"`}, "usuario_nome", `"***456789**"`},
		"CPF in the body's name":    {changes{"orgaoEntidade": `{"cnpj":"99000111000165","razaoSocial":"FUNDO 12345678909","poderId":"E","esferaId":""}`}, "orgao_entidade", `{"cnpj":"99000111000165","razao_social":"FUNDO ***456789**","poder_id":"E","esfera_id":""}`},
		"process like a CPF":        {changes{"processo": `"12345678909"`}, "processo", `"12345678909"`},
		"part missing":              {changes{"tipoContrato": `{"nome":"Outros"}`}, "tipo_contrato", `{"id":null,"nome":"Outros"}`},
		"part null or unknown":      {changes{"tipoContrato": `{"id":8,"nome":null,"sigla":"O"}`}, "tipo_contrato", `{"id":8,"nome":null}`},
		"other spelling":            {changes{"numeroControlePncpCompra": "", "numeroControlePNCPCompra": `"99000111000165-1-000010/2026"`}, "numero_controle_pncp_compra", `"99000111000165-1-000010/2026"`},
		"both spellings":            {changes{"numeroControlePNCPCompra": `null`}, "numero_controle_pncp_compra", `"99000111000165-1-000099/2024"`},
		"sequence without zeros":    {changes{"numeroControlePNCP": `"99000111000165-2-7/2023"`}, "url", `"https://pncp.gov.br/app/contratos/99000111000165/2023/7"`},
		"letters in the number":     {changes{"numeroControlePNCP": `"12ABC34501DE35-2-000048/2026"`}, "url", `"https://pncp.gov.br/app/contratos/12ABC34501DE35/2026/000048"`},
		"body that takes over":      {changes{"orgaoSubRogado": `{"cnpj":"77888999000181","razaoSocial":"X","poderId":"E","esferaId":"M"}`}, "orgao_sub_rogado", `{"cnpj":"77888999000181","razao_social":"X","poder_id":"E","esfera_id":"M"}`},
		"member named with escapes": {changes{"processo": "", `process\u006f`: `"1"`}, "processo", `"1"`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := lines(t, contractWith(tc.changes))
			if len(l.Rejects) > 0 || len(l.Records[bodies]) != 1 {
				t.Fatalf("%d records, rejects %v", len(l.Records[bodies]), l.Rejects)
			}
			if got := itemOf(t, l.Records[bodies][0].Values)[tc.field]; got != tc.want {
				t.Errorf("%s is %s, want %s", tc.field, got, tc.want)
			}
		})
	}
}

// FuzzContract reads arbitrary JSON as a contract: if it is accepted, every value is valid JSON.
func FuzzContract(f *testing.F) {
	f.Add(contractWith(nil))
	f.Add(contractWith(changes{"tipoPessoa": `"PF"`, "niFornecedor": `"***.456.789-**"`, "objetoContrato": "\"a\x01\\u0000\""}))
	f.Fuzz(func(t *testing.T, document string) {
		c := newContract()
		in := newScanner(withoutControls(document))
		if err := in.object(c.member); err != nil {
			return
		}
		if _, err := c.read(document); err != nil {
			return
		}
		for i, value := range c.values {
			if value != "" && !json.Valid([]byte(value)) {
				t.Fatalf("%s is %q", c.columns[i].item, value)
			}
		}
	})
}

// TestADayToComeIsNoPeriod: taken for the last update, a typing error would keep out all editions that follow.
func TestADayToComeIsNoPeriod(t *testing.T) {
	t.Parallel()
	s := span{until: "2026-11-29"}
	for _, updated := range []string{"2026-11-28T10:00:00", "2062-10-01T00:00:00", "2026-11-29T23:59:59", "2026-11-30T00:00:00", ""} {
		s.add("2026-11-01", updated)
	}
	if s.newest != "2026-11-29T23:59:59" {
		t.Errorf("the last update is %s", s.newest)
	}
}
