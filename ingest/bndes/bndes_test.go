package bndes

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/source"
	"razao/internal/testing/fixture/sourcefiles"
)

// direct and indirect are rows of the two files: column → value.
func direct(edits map[string]string) map[string]string {
	row := map[string]string{
		"cliente": "USINA IMAGINARIA S/A", "cnpj": "31.415.926/0001-71", "descricao_do_projeto": "MOINHO NOVO; E SILOS     ",
		"uf": "PR", "municipio": "CURITIBA", "municipio_codigo": "4106902.0", "numero_do_contrato": "21300007",
		"data_da_contratacao": "2021-03-09", "valor_contratado_reais": "1500000,0", "valor_desembolsado_reais": "1600000,25",
		"fonte_de_recurso_desembolsos": "RECURSOS LIVRES - FAT / RECURSOS LIVRES - PRÓPRIOS", "custo_financeiro": "TLP",
		"juros": "1,72", "prazo_carencia_meses": "6", "prazo_amortizacao_meses": "84", "modalidade_de_apoio": "REEMBOLSÁVEL",
		"forma_de_apoio": "DIRETA", "produto": "BNDES FINEM", "instrumento_financeiro": "PRODUÇÃO – DEMAIS", "inovacao": "NÃO ",
		"area_operacional": "AREA DE INDUSTRIA", "setor_cnae": " INDUSTRIA DE TRANSFORMAÇÃO    ", "subsetor_cnae_agrupado": "ALIMENTO",
		"subsetor_cnae_codigo": "C1062700", "subsetor_cnae_nome": "MOAGEM DE TRIGO   ", "setor_bndes": "INDUSTRIA",
		"subsetor_bndes": "ALIMENTO E BEBIDA", "porte_do_cliente": "MÉDIA", "natureza_do_cliente": "PRIVADA     ",
		"instituicao_financeira_credenciada": "----------", "cnpj_da_instituicao_financeira_credenciada": "----------",
		"tipo_de_garantia": "REAL", "tipo_de_excepcionalidade": "----------", "situacao_do_contrato": "LIQUIDADO",
	}
	maps.Copy(row, edits)
	return row
}

func indirect(edits map[string]string) map[string]string {
	row := map[string]string{
		"cliente": "ROTA INVENTADA CARGAS LTDA", "cpf_cnpj": "**.*27.182/0001-**", "uf": " SP", "municipio": "SAO PAULO",
		"municipio_codigo": "3550308", "data_da_contratacao": "2024-05-14", "valor_da_operacao_em_reais": "420000",
		"valor_desembolsado_reais": "", "fonte_de_recurso_desembolsos": "-", "custo_financeiro": "TAXA FIXA", "juros": "20,09",
		"prazo_carencia_meses": "3", "prazo_amortizacao_meses": "57", "modalidade_de_apoio": "REEMBOLSÁVEL",
		"forma_de_apoio": "INDIRETA", "produto": "BNDES FINAME", "instrumento_financeiro": "AQUISIÇÃO – ÔNIBUS", "inovacao": "NÃO",
		"area_operacional": "AREA DE CANAIS", "setor_cnae": "COMERCIO E SERVICOS", "subsetor_cnae_agrupado": "Transporte terrestre",
		"subsetor_cnae_codigo": "H4930202", "subsetor_cnae_nome": "TRANSP ROD CARGA", "setor_bndes": "INFRA-ESTRUTURA",
		"subsetor_bndes": "TRANSPORTE RODOVIÁRIO", "porte_do_cliente": "MICRO", "natureza_do_cliente": "PRIVADA",
		"instituicao_financeira_credenciada": "BANCO FICTICIO S.A.", "cnpj_do_agente_financeiro": "27.182.818.0001-08",
		"situacao_da_operacao": "ATIVA",
	}
	maps.Copy(row, edits)
	return row
}

// encode writes rows in the published dialect: Windows-1252, quotes where a field holds a
// semicolon.
func encode(t testing.TB, rows []map[string]string) []byte {
	t.Helper()
	columns := slices.Sorted(maps.Keys(rows[0]))
	var text strings.Builder
	text.WriteString(strings.Join(columns, ";") + "\r\n")
	for _, row := range rows {
		for i, column := range columns {
			if i > 0 {
				text.WriteByte(';')
			}
			value := row[column]
			if strings.Contains(value, ";") {
				value = `"` + value + `"`
			}
			text.WriteString(value)
		}
		text.WriteString("\r\n")
	}
	return []byte(sourcefiles.Windows1252(t, text.String()))
}

// publish writes the two files into a folder of their own.
func publish(t testing.TB, directRows, indirectRows []map[string]string) string {
	t.Helper()
	files := layouts()
	return sourcefiles.Write(t, files[0].file, string(encode(t, directRows)), files[1].file, string(encode(t, indirectRows)))
}

// collection is the outcome of a load: records, blobs and the account.
type collection struct {
	records []rows.Record
	blobs   [][]byte
	figures *rows.Figures
	rejects []string // file, line and column
	facts   rows.Facts
}

func (c *collection) archive(blob []byte) error {
	c.blobs = append(c.blobs, bytes.Clone(blob))
	return nil
}

// replay passes the blobs that an earlier load archived.
func (c *collection) replay(yield func([]byte) error) error {
	for _, blob := range c.blobs {
		if err := yield(blob); err != nil {
			return err
		}
	}
	return nil
}

// load runs Operacoes over the files of a folder. scan is the Receita load, nil for none.
func load(t testing.TB, dir string, scan Scan) (*collection, error) {
	t.Helper()
	in, err := rows.Find(context.Background(), dir, t.TempDir(), rows.FindOptions{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	c := &collection{}
	return c, c.run(t, Operacoes(scan, c.archive), in)
}

// relink runs Relink over the blobs of an earlier load.
func relink(t testing.TB, from *collection, scan Scan) (*collection, error) {
	t.Helper()
	c := &collection{}
	return c, c.run(t, Relink(from.replay, scan, c.archive), &rows.Input{Scratch: t.TempDir(), Workers: 2})
}

// run runs a loader and sorts the records into the order in which they are served.
func (c *collection) run(t testing.TB, l rows.Loader, in *rows.Input) error {
	t.Helper()
	got, err := rowstest.Run(t, l, in)
	c.records, c.figures, c.facts = got.All(t), got.Figures, got.Facts
	for _, r := range got.Rejects {
		c.rejects = append(c.rejects, r.File+":"+strconv.FormatInt(r.Line, 10)+" "+r.Column)
	}
	slices.SortFunc(c.records, func(a, b rows.Record) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Where.File, b.Where.File), cmp.Compare(a.Where.Line, b.Where.Line))
	})
	return err
}

func mustLoad(t testing.TB, dir string, scan Scan) *collection {
	t.Helper()
	c, err := load(t, dir, scan)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRecordsHaveTheFieldsOfTheSource(t *testing.T) {
	t.Parallel()
	dir := publish(t, []map[string]string{direct(nil)}, []map[string]string{indirect(nil)})
	c := mustLoad(t, dir, base(company{root: "10027182", name: "ROTA INVENTADA CARGAS LTDA"}))
	want := []rows.Record{
		{
			Where: rows.Where{File: 0, Line: 2}, Owner: owner(t, "10027182", "0001"), Order: rows.Descending("20240514"),
			Values: []string{
				"indireta_automatica", "**.*27.182/0001-**", "", "inferido_mascara_nome_municipio", "ROTA INVENTADA CARGAS LTDA", "", "",
				"SP", "SAO PAULO", "3550308", "2024-05-14", "420000", "", "", "TAXA FIXA", "20.09", "3", "57",
				"REEMBOLSÁVEL", "INDIRETA", "BNDES FINAME", "AQUISIÇÃO – ÔNIBUS", "NÃO", "AREA DE CANAIS", "COMERCIO E SERVICOS",
				"Transporte terrestre", "H4930202", "TRANSP ROD CARGA", "INFRA-ESTRUTURA", "TRANSPORTE RODOVIÁRIO", "MICRO", "PRIVADA",
				"BANCO FICTICIO S.A.", "27182818000108", "", "", "ATIVA",
			},
		},
		{
			Where: rows.Where{File: 1, Line: 2}, Owner: owner(t, "31415926", "0001"), Order: rows.Descending("20210309"),
			Values: []string{
				"nao_automatica", "31.415.926/0001-71", "", "publicado", "USINA IMAGINARIA S/A", "21300007", "MOINHO NOVO; E SILOS",
				"PR", "CURITIBA", "4106902", "2021-03-09", "1500000.0", "1600000.25", "RECURSOS LIVRES - FAT / RECURSOS LIVRES - PRÓPRIOS",
				"TLP", "1.72", "6", "84", "REEMBOLSÁVEL", "DIRETA", "BNDES FINEM", "PRODUÇÃO – DEMAIS", "NÃO", "AREA DE INDUSTRIA",
				"INDUSTRIA DE TRANSFORMAÇÃO", "ALIMENTO", "C1062700", "MOAGEM DE TRIGO", "INDUSTRIA", "ALIMENTO E BEBIDA", "MÉDIA",
				"PRIVADA", "", "", "REAL", "", "LIQUIDADO",
			},
		},
	}
	if diff := gocmp.Diff(want, c.records); diff != "" {
		t.Error(diff)
	}
	facts := rows.Facts{Period: "2024-05", Coverage: "2021-03-09", Notes: []string{"Contratação mais recente: 2024-05-14."}}
	if diff := gocmp.Diff(facts, c.facts); diff != "" {
		t.Error(diff)
	}
}

// TestColumnsFillTheFieldsOfTheSource compares the positions of fields, and the field of each
// column, with package source.
func TestColumnsFillTheFieldsOfTheSource(t *testing.T) {
	t.Parallel()
	s, _ := source.Find(sourceID)
	if len(s.Fields) != fieldCount {
		t.Fatalf("the source has %d fields, an operation has %d", len(s.Fields), fieldCount)
	}
	renamed := map[string]string{
		"cnpj": "documento_fonte", "cpf_cnpj": "documento_fonte", "valor_da_operacao_em_reais": "valor_contratado_reais",
		"cnpj_da_instituicao_financeira_credenciada": "cnpj_instituicao_financeira", "cnpj_do_agente_financeiro": "cnpj_instituicao_financeira",
		"situacao_do_contrato": "situacao", "situacao_da_operacao": "situacao",
	}
	own := map[int]string{tipoOperacao: "tipo_operacao", cnpjVinculado: "cnpj_vinculado", metodoVinculo: "metodo_vinculo"}
	for field, name := range own {
		if s.Fields[field].Name != name {
			t.Errorf("field %d is %s, want %s", field, s.Fields[field].Name, name)
		}
	}
	filled := [2]int{}
	for i, l := range layouts() {
		for _, c := range l.columns {
			filled[i]++
			if want := cmp.Or(renamed[c.name], c.name); s.Fields[c.field].Name != want {
				t.Errorf("column %s fills %s", c.name, s.Fields[c.field].Name)
			}
		}
	}
	if want := [2]int{34, 30}; filled != want {
		t.Errorf("the files have %v columns, want %v", filled, want)
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		edits  map[string]string
		field  int
		want   string
		reject string // column of the reject
	}{
		{"unknown municipality", map[string]string{"municipio_codigo": "0"}, municipioCodigo, "", ""},
		{"unknown municipality as decimal", map[string]string{"municipio_codigo": "0.0"}, municipioCodigo, "", ""},
		{"several municipalities", map[string]string{"municipio_codigo": "9999999", "municipio": "DIVERSOS"}, municipioCodigo, "", ""},
		{"name of an unknown municipality stays", map[string]string{"municipio_codigo": "0", "municipio": "SEM MUNICÍPIO"}, municipio, "SEM MUNICÍPIO", ""},
		{"no source of funds", map[string]string{"fonte_de_recurso_desembolsos": "-"}, fonteDeRecursoDesembolsos, "", ""},
		{"no guarantee", map[string]string{"tipo_de_garantia": "----------"}, tipoDeGarantia, "", ""},
		{"nothing disbursed is not nothing known", map[string]string{"valor_desembolsado_reais": "0,0"}, valorDesembolsadoReais, "0.0", ""},
		{"no amount", map[string]string{"valor_desembolsado_reais": ""}, valorDesembolsadoReais, "", ""},
		{"decimal point", map[string]string{"valor_contratado_reais": "10003861.3"}, valorContratadoReais, "10003861.3", ""},
		{"interest", map[string]string{"juros": "12,5"}, juros, "12.5", ""},
		{"lender with a slash", map[string]string{"cnpj_da_instituicao_financeira_credenciada": "27.182.818/0001-08"}, cnpjInstituicaoFinanceira, "27182818000108", ""},
		{"lender with a dot", map[string]string{"cnpj_da_instituicao_financeira_credenciada": "27.182.818.0001-08"}, cnpjInstituicaoFinanceira, "27182818000108", ""},
		{"lender abroad", map[string]string{"cnpj_da_instituicao_financeira_credenciada": "EXTERIOR"}, cnpjInstituicaoFinanceira, "EXTERIOR", ""},
		{"person's number in the project", map[string]string{"descricao_do_projeto": "SITIO DE 123.456.789-09"}, descricaoDoProjeto, "SITIO DE ***456789**", ""},
		{"person's number in the name", map[string]string{"cliente": "JOAO INVENTADO 12345678909"}, cliente, "JOAO INVENTADO ***456789**", ""},
		{"midnight", map[string]string{"data_da_contratacao": "2021-03-09T00:00:00"}, dataDaContratacao, "2021-03-09", ""},
		{"no date", map[string]string{"data_da_contratacao": ""}, dataDaContratacao, "", ""},
		{"other date", map[string]string{"data_da_contratacao": "09/03/2021"}, 0, "", "data_da_contratacao"},
		{"no calendar day", map[string]string{"data_da_contratacao": "2021-02-30"}, 0, "", "data_da_contratacao"},
		{"no number", map[string]string{"juros": "TLP"}, 0, "", "juros"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := publish(t, []map[string]string{direct(c.edits)}, []map[string]string{indirect(nil)})
			got := mustLoad(t, dir, nil)
			if c.reject != "" {
				want := []string{layouts()[0].file + ":2 " + c.reject}
				if diff := gocmp.Diff(want, got.rejects); diff != "" || len(got.records) > 0 {
					t.Errorf("%d records; rejects: %s", len(got.records), diff)
				}
				return
			}
			if len(got.records) != 1 || got.records[0].Values[c.field] != c.want {
				t.Errorf("got %+v, want %q", got.records, c.want)
			}
		})
	}
}

func TestPersonsAreDropped(t *testing.T) {
	t.Parallel()
	var published []map[string]string
	for _, document := range []string{"***.456.789-**", "123.456.789-09", "12345678909", "1234567890"} {
		published = append(published, indirect(map[string]string{"cpf_cnpj": document}))
	}
	published = append(published, indirect(map[string]string{"cpf_cnpj": ""}), indirect(map[string]string{"cpf_cnpj": "EXTERIOR"}))
	c := mustLoad(t, publish(t, []map[string]string{direct(nil)}, published), nil)
	want := &rows.Figures{
		Read: 7, Dropped: map[string]int64{"pessoa_fisica": 4},
		Marked: map[string]int64{"operacoes": 3, "publicado": 1, "nao_vinculado": 2},
	}
	if diff := gocmp.Diff(want, c.figures); diff != "" {
		t.Error(diff)
	}
	for _, blob := range c.blobs {
		if bytes.Contains(blob, []byte("456")) {
			t.Error("the archive has a person's number")
		}
	}
}

func TestIdenticalRowsAreKeptInTheOrderOfFileAndLine(t *testing.T) {
	t.Parallel()
	older := direct(map[string]string{"data_da_contratacao": "2002-01-02"})
	undated := direct(map[string]string{"data_da_contratacao": ""})
	dir := publish(t, []map[string]string{undated, older, direct(nil), direct(nil), direct(nil)}, []map[string]string{indirect(nil)})
	c := mustLoad(t, dir, nil)
	var lines []int64
	for _, r := range c.records {
		lines = append(lines, r.Where.Line)
	}
	if diff := gocmp.Diff([]int64{4, 5, 6, 3, 2}, lines); diff != "" {
		t.Error(diff)
	}
	if c.facts.Coverage != "2002-01-02" || c.facts.Period != "2024-05" {
		t.Errorf("got facts %+v", c.facts)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	directFile, indirectFile := encode(t, []map[string]string{direct(nil)}), encode(t, []map[string]string{indirect(nil)})
	cases := []struct {
		name  string
		files map[string][]byte
		fails string // part of the error
	}{
		{"other spellings", map[string][]byte{"BNDES_nao_automaticas_2026.CSV": directFile, "bndes indiretas automaticas.csv": indirectFile}, ""},
		{"third file", map[string][]byte{
			layouts()[0].file: directFile, layouts()[1].file: indirectFile, "operacoes-financiamento-entes-administracao-publica-direta.csv": []byte("ente;valor\n"),
		}, ""},
		{"one file", map[string][]byte{layouts()[0].file: directFile}, "expected " + layouts()[1].file + ", found " + layouts()[0].file},
		{"foreign files", map[string][]byte{"leia-me.txt": {'x'}}, "expected " + layouts()[0].file + ", found leia-me.txt"},
		{"wrong layout", map[string][]byte{layouts()[0].file: indirectFile, layouts()[1].file: indirectFile}, "lacks CNPJ"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, data := range c.files {
				if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := load(t, dir, nil)
			switch {
			case c.fails == "" && (err != nil || got.figures.Marked["operacoes"] != 2):
				t.Errorf("got %v and %v", got.figures, err)
			case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
				t.Errorf("got error %v, want %q in it", err, c.fails)
			}
		})
	}
}

// TestADayToComeIsNoPeriod: taken for the newest contract, a typing error would keep out all editions that follow.
func TestADayToComeIsNoPeriod(t *testing.T) {
	t.Parallel()
	span := period{until: "2026-11-29"}
	for _, day := range []string{"2026-09-30", "", "2062-10-01", "2026-11-30", "2002-01-02"} {
		span.extend(day)
	}
	if facts := span.facts(true); facts.Period != "2026-09" || facts.Coverage != "2002-01-02" {
		t.Errorf("%+v", facts)
	}
}
