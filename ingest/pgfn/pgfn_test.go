package pgfn

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture/sourcefiles"
)

var (
	sidaHeader = sourcefiles.Header("pgfn/arquivo_lai_SIDA_1_202606.csv") + "\n"
	prevHeader = sourcefiles.Header("pgfn/arquivo_lai_PREV_1_202606.csv") + "\n"
	fgtsHeader = sourcefiles.Header("pgfn/arquivo_lai_FGTS_1_202606.csv") + "\n"
)

const (
	sidaRow = "11.222.333/0001-81;Pessoa jur\xeddica;PRINCIPAL;EMPRESA  INVENTADA LTDA;BA;BAHIA;5050600001079;Benef\xedcio Fiscal;ATIVA AJUIZADA;Receita da d\xedvida ativa - COFINS;25/01/2006;SIM;204304.92\n"
	prevRow = "11.222.333/0001-81;Pessoa jur\xeddica;Principal;EMPRESA INVENTADA LTDA;AC;ACRE;356800164;Em cobran\xe7a;PARCWEB ? Outros;SUCUMBENCIA;01/01/1000;NAO;83981.44\n"
	fgtsRow = "11.222.333/0002-62;Pessoa jur\xeddica;Principal;EMPRESA INVENTADA LTDA;PR;GUARAPUAVA;CAIXA;NA;FGPR201700786;Benef\xedcio Fiscal;INSCR PARCELADA;Contribui\xe7\xf5es FGTS;02/03/2017;NAO;.22\n"
	person  = "XXX000.001XX;Pessoa f\xedsica;Principal;PESSOA SINTETICA;SP;SAO PAULO;123456789;Em cobran\xe7a;AJUIZADA;OUTROS;01/02/2018;SIM;100.00\n"
)

func old(header string) string { return strings.Replace(header, "UF_DEVEDOR", oldUF, 1) }

// debt returns a record of the first company with values given as field, value, field, value.
func debt(t *testing.T, file int, line int64, order cnpj.Order, key string, pairs ...string) rows.Record {
	t.Helper()
	root, err := cnpj.ParseRoot("11222333")
	if err != nil {
		t.Fatal(err)
	}
	s, ok := source.Find(id)
	if !ok {
		t.Fatal("no such source")
	}
	values := make([]string, len(s.Fields))
	for i := 0; i < len(pairs); i += 2 {
		at := slices.IndexFunc(s.Fields, func(f source.Field) bool { return f.Name == pairs[i] })
		if at < 0 {
			t.Fatalf("no field %s", pairs[i])
		}
		values[at] = pairs[i+1]
	}
	return rows.Record{
		Where: rows.Where{File: file, Line: line}, Owner: rows.Owner{Root: root, Order: order}, Order: key, Values: values,
	}
}

// load reads files given by name in a folder.
func load(t *testing.T, folder string, files map[string]string) (*rowstest.Loaded, error) {
	t.Helper()
	inside := map[string]string{}
	for name, contents := range files {
		inside[folder+"/"+name] = contents
	}
	return rowstest.Load(t, PGFN(), filepath.Join(sourcefiles.WriteAll(t, inside), folder), rows.FindOptions{Workers: 2})
}

// TestColumns compares the columns with the fields of the source, which have the same names in
// lower case.
func TestColumns(t *testing.T) {
	t.Parallel()
	s, _ := source.Find(id)
	var names []string
	for _, f := range s.Fields {
		names = append(names, f.Name)
	}
	want := []string{"sistema"}
	for _, c := range (&part{}).columns() {
		want = append(want, strings.ToLower(c.Name))
	}
	want[documento] = "cnpj"
	if diff := gocmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	places := map[int]string{
		sistema: "sistema", documento: "cnpj", tipoDevedor: "tipo_devedor", nomeDevedor: "nome_devedor",
		numeroInscricao: "numero_inscricao", receita: "receita_principal", tipoCredito: "tipo_credito",
		dataInscricao: "data_inscricao", valor: "valor_consolidado",
	}
	for place, name := range places {
		if names[place] != name {
			t.Errorf("field %d is %s, want %s", place, names[place], name)
		}
	}
	if len(names) != fields {
		t.Errorf("%d fields, want %d", len(names), fields)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	got, err := load(t, "pgfn", map[string]string{
		"Dados_abertos_FGTS.zip/arquivo_lai_FGTS_1_202606.csv":                  fgtsHeader + fgtsRow,
		"Dados_abertos_Previdenciario.zip/arquivo_lai_PREV_1_202606.csv":        strings.ReplaceAll(prevHeader+prevRow+person, "\n", "\r\n"),
		"Dados_abertos_Nao_Previdenciariozip.zip/arquivo_lai_SIDA_1_202606.csv": sidaHeader + person + sidaRow,
		"Dados_abertos_Nao_Previdenciariozip.zip/pasta/arquivo_lai_SIDA_2_202606.csv": sidaHeader +
			strings.NewReplacer("PRINCIPAL", "CORRESPONSAVEL", "INVENTADA LTDA", "52998224725").Replace(sidaRow),
		"leiame.txt": "x",
	})
	if err != nil {
		t.Fatal(err)
	}
	sida := []string{
		"sistema", "nao_previdenciario", "tipo_pessoa", "Pessoa jurídica", "uf_devedor", "BA", "unidade_responsavel", "BAHIA",
		"numero_inscricao", "5050600001079", "tipo_situacao_inscricao", "Benefício Fiscal", "situacao_inscricao", "ATIVA AJUIZADA",
		"receita_principal", "Receita da dívida ativa - COFINS", "data_inscricao", "20060125", "indicador_ajuizado", "SIM",
		"valor_consolidado", "204304.92",
	}
	first := cnpj.Order(1)
	want := []rows.Record{
		debt(t, 0, 2, 2, "fFGPR201700786\x00Principal\x000002Contribuições FGTS",
			"sistema", "fgts", "tipo_pessoa", "Pessoa jurídica", "tipo_devedor", "Principal", "nome_devedor", "EMPRESA INVENTADA LTDA",
			"uf_devedor", "PR", "unidade_responsavel", "GUARAPUAVA", "entidade_responsavel", "CAIXA", "unidade_inscricao", "NA",
			"numero_inscricao", "FGPR201700786", "tipo_situacao_inscricao", "Benefício Fiscal", "situacao_inscricao", "INSCR PARCELADA",
			"receita_principal", "Contribuições FGTS", "data_inscricao", "20170302", "indicador_ajuizado", "NAO", "valor_consolidado", "0.22"),
		debt(t, 1, 2, first, "p356800164\x00Principal\x000001SUCUMBENCIA",
			"sistema", "previdenciario", "tipo_pessoa", "Pessoa jurídica", "tipo_devedor", "Principal", "nome_devedor", "EMPRESA INVENTADA LTDA",
			"uf_devedor", "AC", "unidade_responsavel", "ACRE", "numero_inscricao", "356800164", "tipo_situacao_inscricao", "Em cobrança",
			"situacao_inscricao", "PARCWEB ? Outros", "tipo_credito", "SUCUMBENCIA", "indicador_ajuizado", "NAO", "valor_consolidado", "83981.44"),
		debt(t, 2, 3, first, "n5050600001079\x00PRINCIPAL\x000001Receita da dívida ativa - COFINS",
			append(sida, "tipo_devedor", "PRINCIPAL", "nome_devedor", "EMPRESA  INVENTADA LTDA")...),
		debt(t, 3, 2, first, "n5050600001079\x00CORRESPONSAVEL\x000001Receita da dívida ativa - COFINS",
			append(sida, "tipo_devedor", "CORRESPONSAVEL", "nome_devedor", "EMPRESA  ***982247**")...),
	}
	if diff := gocmp.Diff(want, got.All(t)); diff != "" {
		t.Error(diff)
	}
	figures := &rows.Figures{
		Read: 6, Dropped: map[string]int64{"nao_cnpj": 2}, Marked: map[string]int64{"fgts": 1, "previdenciario": 2, "nao_previdenciario": 3},
	}
	if diff := gocmp.Diff(figures, got.Figures); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(rows.Facts{Period: "2026-06"}, got.Facts); diff != "" {
		t.Error(diff)
	}
}

func TestWrongCheckDigits(t *testing.T) {
	t.Parallel()
	got, err := load(t, "pgfn", map[string]string{"arquivo_lai_SIDA_1_202606.csv": sidaHeader + strings.Replace(sidaRow, "0001-81", "0001-82", 1)})
	if err != nil {
		t.Fatal(err)
	}
	if records := got.All(t); len(records) != 1 || records[0].Owner.Published != "11222333000182" {
		t.Errorf("got %+v", records)
	}
}

func TestOldLayout(t *testing.T) {
	t.Parallel()
	got, err := load(t, "pgfn", map[string]string{
		"Dados_abertos_FGTS.zip/arquivo_lai_FGTS_NA_202012.csv":               old(fgtsHeader) + strings.Replace(fgtsRow, ";PR;", ";NA;", 1),
		"Dados_abertos_Previdenciario.zip/arquivo_lai_PREV_AC_202012.csv":     old(prevHeader) + prevRow,
		"Dados_abertos_Nao_Previdenciario.zip/arquivo_lai_SIDA_BA_202012.csv": old(sidaHeader) + sidaRow,
		"Dados_abertos_Nao_Previdenciario.zip/arquivo_lai_SIDA_PR_202012.csv": old(sidaHeader) + sidaRow,
	})
	if err != nil {
		t.Fatal(err)
	}
	const ufDevedor = 5
	var ufs, names []string
	for _, r := range got.All(t) {
		ufs, names = append(ufs, r.Values[ufDevedor]), append(names, r.Values[sistema])
	}
	if diff := gocmp.Diff([]string{"", "", "", ""}, ufs); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff([]string{"fgts", "previdenciario", "nao_previdenciario", "nao_previdenciario"}, names); diff != "" {
		t.Error(diff)
	}
	src, _ := source.Find(id)
	if f := src.Fields[ufDevedor]; f.Name != "uf_devedor" || !strings.Contains(f.About, "null nas publicações até o 3º trimestre de 2022") {
		t.Errorf("the dictionary says of %s: %s", f.Name, f.About)
	}
	want := rows.Facts{Period: "2020-12", Notes: []string{"Arquivos no leiaute anterior a 2022-12, que não informa a UF do devedor."}}
	if diff := gocmp.Diff(want, got.Facts); diff != "" {
		t.Error(diff)
	}
}

// TestReadPacked reads a part that was packed with gzip after its publication.
func TestReadPacked(t *testing.T) {
	t.Parallel()
	got, err := load(t, "pgfn", map[string]string{
		"Dados_abertos_FGTS.zip/arquivo_lai_FGTS_1_202606.csv": fgtsHeader + fgtsRow,
		"arquivo_lai_PREV_1_202606.csv.gz":                     prevHeader + prevRow,
		"arquivo_lai_SIDA_1_202606.csv.gz":                     sidaHeader + sidaRow,
	})
	if err != nil {
		t.Fatal(err)
	}
	var systems []string
	for _, r := range got.All(t) {
		systems = append(systems, r.Values[sistema])
	}
	if diff := gocmp.Diff([]string{"fgts", "previdenciario", "nao_previdenciario"}, systems); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(rows.Facts{Period: "2026-06"}, got.Facts); diff != "" {
		t.Error(diff)
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, folder string
		files        map[string]string
		want         rows.Facts
	}{
		{"missing system", "pgfn", map[string]string{
			"arquivo_lai_SIDA_1_202606.csv": sidaHeader, "arquivo_lai_PREV_1_202606.csv": prevHeader,
		}, rows.Facts{Period: "2026-06", Notes: []string{"Sistemas ausentes desta carga: FGTS."}}},
		{"different quarters", "pgfn", map[string]string{
			"arquivo_lai_SIDA_1_202603.csv": sidaHeader, "arquivo_lai_PREV_1_202606.csv": prevHeader, "fgts.csv": fgtsHeader,
		}, rows.Facts{Period: "2026-06", Notes: []string{
			"Os sistemas são de competências diferentes: Não previdenciário de 2026-03; Previdenciário de 2026-06; FGTS sem competência informada.",
		}}},
		{"quarter of the folder", "2026_trimestre_02", map[string]string{
			"a.csv": sidaHeader, "b.csv": prevHeader, "c.csv": fgtsHeader,
		}, rows.Facts{Period: "2026-06"}},
		{"quarter of the zip", "pgfn", map[string]string{
			"2025_trimestre_04.zip/a.csv": sidaHeader, "2025_trimestre_04.zip/b.csv": prevHeader, "2025_trimestre_04.zip/c.csv": fgtsHeader,
		}, rows.Facts{Period: "2025-12"}},
		{"no period", "pgfn", map[string]string{"a.csv": sidaHeader, "b_202613.csv": prevHeader, "c.csv": fgtsHeader}, rows.Facts{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := load(t, c.folder, c.files)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(c.want, got.Facts); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing of it", map[string]string{"leiame.txt": "x"}, "holds no file of this source: expected Dados_abertos_Nao_Previdenciario.zip"},
		{"another file", map[string]string{"a.csv": "ID;UF\n"}, "lacks CPF_CNPJ, TIPO_PESSOA, "},
		{"neither UF", map[string]string{"a.csv": strings.Replace(sidaHeader, "UF_DEVEDOR;", "", 1)}, "lacks UF_DEVEDOR:"},
		{"FGTS without its unit", map[string]string{"a.csv": strings.Replace(fgtsHeader, "UNIDADE_INSCRICAO;", "", 1)}, "lacks UNIDADE_INSCRICAO:"},
		{"two quarters of a system", map[string]string{"SIDA_1_202603.csv": sidaHeader, "SIDA_1_202606.csv": sidaHeader}, "leave one quarter"},
		{"zipped and extracted", map[string]string{"a.csv": sidaHeader, "a.zip/a.csv": sidaHeader}, "a.csv is there twice"},
		{"packed and extracted", map[string]string{"a.csv": sidaHeader, "a.csv.gz": sidaHeader}, "a.csv is there twice"},
		{"empty", map[string]string{"a.csv": ""}, "a.csv is empty"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, "pgfn", c.files)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestRejects(t *testing.T) {
	t.Parallel()
	bad := []string{
		strings.Replace(sidaRow, "25/01/2006", "31/02/2006", 1),
		strings.Replace(sidaRow, "204304.92", "muito", 1),
		strings.Replace(sidaRow, "ATIVA", "A;TIVA", 1),
	}
	got, err := load(t, "pgfn", map[string]string{"arquivo_lai_SIDA_1_202606.csv": sidaHeader + strings.Join(bad, "") + sidaRow})
	if err != nil {
		t.Fatal(err)
	}
	if records := got.All(t); len(records) != 1 || records[0].Where.Line != 5 {
		t.Errorf("got %+v", records)
	}
	const name = "arquivo_lai_SIDA_1_202606.csv"
	want := []registry.Reject{
		{File: name, Line: 2, Column: "DATA_INSCRICAO", Reason: `"31/02/2006" is not a date DD/MM/AAAA`},
		{File: name, Line: 3, Column: "VALOR_CONSOLIDADO", Reason: `"muito" is not an amount`},
		{File: name, Line: 4, Reason: "the row has 14 columns, the header has 13"},
	}
	for i := range want {
		want[i].Raw = []byte(strings.TrimSuffix(bad[i], "\n"))
	}
	if diff := gocmp.Diff(want, got.Rejects); diff != "" {
		t.Error(diff)
	}
}

func TestFloor(t *testing.T) {
	t.Parallel()
	whole := map[string]int64{"nao_previdenciario": 30_000_000, "previdenciario": 2_000_000, "fgts": 400_000}
	if err := PGFN().Floor(&rows.Figures{Marked: whole}); err != nil {
		t.Error(err)
	}
	short := map[string]int64{"nao_previdenciario": 45_000_000, "previdenciario": 1_999_999}
	err := PGFN().Floor(&rows.Figures{Marked: short})
	want := "systems of pgfn: previdenciario has 1999999 rows, at least 2000000 are expected; fgts has 0 rows, at least 400000 are expected"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
