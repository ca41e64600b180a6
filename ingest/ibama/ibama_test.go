package ibama

import (
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/source"
	"razao/internal/testing/fixture/sourcefiles"
)

// The headers, as published.
var (
	noticeHeader  = sourcefiles.Header("ibama_autos/auto_infracao_2024.csv")
	embargoHeader = sourcefiles.Header("ibama_embargos/termo_embargo.csv")
)

// values are columns or fields with a value; the others are empty.
type values map[string]string

// csvFile writes rows as the publisher does: quotes only where they are needed.
func csvFile(header string, rows ...values) string {
	columns := strings.Split(header, ";")
	var b strings.Builder
	b.WriteString("\ufeff" + header + "\n")
	for _, row := range rows {
		for i, column := range columns {
			if i > 0 {
				b.WriteByte(';')
			}
			value := row[column]
			if strings.ContainsAny(value, ";\"\n") {
				value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
			}
			b.WriteString(value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func load(t *testing.T, l rows.Loader, files ...string) (*rowstest.Loaded, error) {
	t.Helper()
	return rowstest.Load(t, l, sourcefiles.Write(t, files...), rows.FindOptions{Workers: 2})
}

// inOrder returns the values of a source's fields by position.
func inOrder(t *testing.T, id string, v values) []string {
	t.Helper()
	src, ok := source.Find(id)
	if !ok {
		t.Fatalf("no source %s", id)
	}
	all := make([]string, len(src.Fields))
	for name, value := range v {
		i := slices.IndexFunc(src.Fields, func(f source.Field) bool { return f.Name == name })
		if i < 0 {
			t.Fatalf("%s has no field %s", id, name)
		}
		all[i] = value
	}
	return all
}

// TestFieldsAreColumns checks the forms against the sources, and both against the published
// headers.
func TestFieldsAreColumns(t *testing.T) {
	t.Parallel()
	for header, f := range map[string]form{noticeHeader: autos(), embargoHeader: embargos()} {
		src, ok := source.Find(f.source)
		if !ok {
			t.Fatalf("no source %s", f.source)
		}
		fields := map[string]source.Kind{}
		for _, field := range src.Fields {
			fields[field.Name] = field.Kind
			if !slices.Contains(strings.Split(header, ";"), strings.ToUpper(field.Name)) {
				t.Errorf("%s: the file has no column for the field %s", f.source, field.Name)
			}
		}
		names := slices.Concat(f.key[:], f.changed, f.ids, []string{f.date, extractedField})
		for _, name := range names {
			if _, ok := fields[name]; !ok {
				t.Errorf("%s has no field %s", f.source, name)
			}
		}
		if fields[f.document] != source.Document {
			t.Errorf("%s: %s is not the document", f.source, f.document)
		}
	}
}

func TestAutos(t *testing.T) {
	t.Parallel()
	const extracted = "2026-08-05 18:56:39"
	geometry := "POLYGON((" + strings.Repeat("-38.5 -12.9,\n", 20_000) + "))" // 260 KB on 20,000 lines
	old := csvFile(noticeHeader,
		values{
			"SEQ_AUTO_INFRACAO": "100045.0", "NUM_AUTO_INFRACAO": "045123", "SER_AUTO_INFRACAO": "A", "VAL_AUTO_INFRACAO": "1500,5",
			"DAT_HORA_AUTO_INFRACAO": "1998-05-07", "COD_MUNICIPIO": "1500602.0", "SIT_CANCELADO": "S",
			"CPF_CNPJ_INFRATOR": "44.555.666/0001-81", "ULTIMA_ATUALIZACAO_RELATORIO": extracted,
		},
		values{"DAT_HORA_AUTO_INFRACAO": "1977-01-02", "CPF_CNPJ_INFRATOR": "123.456.789-09", "VAL_AUTO_INFRACAO": "mil", "TP_PESSOA_INFRATOR": "PF"},
		values{"DAT_HORA_AUTO_INFRACAO": "none", "CPF_CNPJ_INFRATOR": "XXX.456.789-XX"},
		values{"CPF_CNPJ_INFRATOR": "***.456.789-**"},
		values{"CPF_CNPJ_INFRATOR": "", "TP_PESSOA_INFRATOR": "PJ"},
		values{"CPF_CNPJ_INFRATOR": "44.555.666/0001-82"},
		values{"CPF_CNPJ_INFRATOR": "44.555.666/0001-81", "DAT_HORA_AUTO_INFRACAO": "07/05/1998"},
		values{"CPF_CNPJ_INFRATOR": "44.555.666/0001-81", "DAT_HORA_AUTO_INFRACAO": "1998-05-07", "VAL_AUTO_INFRACAO": "mil"},
	)
	recent := csvFile(noticeHeader,
		values{
			"SEQ_AUTO_INFRACAO": "2790001", "DES_STATUS_FORMULARIO": "Lavrado", "DS_SIT_AUTO_AIE": "Lavrado", "SIT_CANCELADO": "N",
			"NUM_AUTO_INFRACAO": "ABC1D2E3", "SER_AUTO_INFRACAO": "E", "TIPO_AUTO": "Multa", "TIPO_MULTA": "Aberta",
			"VAL_AUTO_INFRACAO": "150500,00", "GRAVIDADE_INFRACAO": "Média",
			"DES_AUTO_INFRACAO":      "Ter em depósito madeira; \"serrada\",\nsem licença, por ordem do CPF 123.456.789-09",
			"DAT_HORA_AUTO_INFRACAO": "2024-03-18 10:42:00", "FORMA_ENTREGA": "Pessoal", "COD_MUNICIPIO": "1500602",
			"MUNICIPIO": "ALTAMIRA", "UF": "PA", "NUM_PROCESSO": "02018000123202411", "COD_INFRACAO": "409999",
			"NOME_INFRATOR": "MADEIREIRA MODELO DO NORTE LTDA", "CPF_CNPJ_INFRATOR": "44.555.666/0001-81", "TP_PESSOA_INFRATOR": "PJ",
			"QT_AREA": "12,3500", "NUM_LONGITUDE_AUTO": "-52,20638888889", "DS_WKT": geometry,
			"DT_LANCAMENTO": "2024-03-19 08:00:00", "DT_ULT_ALTERACAO": "2024-04-02 09:10:11", "CD_TERMOS_EMBARGOS": "XYZ9K8L7",
			"ULTIMA_ATUALIZACAO_RELATORIO": extracted,
		},
		values{
			"NUM_AUTO_INFRACAO": "16L1JUFB", "SER_AUTO_INFRACAO": "E", "DAT_HORA_AUTO_INFRACAO": "2024-06-02 14:00:00",
			"CPF_CNPJ_INFRATOR": "11.222.333/0001-81", "DT_LANCAMENTO": "2024-06-03 08:00:00", "ULTIMA_ATUALIZACAO_RELATORIO": extracted,
		},
		values{"CPF_CNPJ_INFRATOR": "11.222.333/0001-81", "SER_AUTO_INFRACAO": "E"},
	)
	got, err := load(t, Autos(), "auto_infracao_csv.zip/auto_infracao_1998.csv", old, "auto_infracao_csv.zip/auto_infracao_ano_2024.csv", recent)
	if err != nil {
		t.Fatal(err)
	}

	timber, carrier := rowstest.Owner(t, "44555666000181"), rowstest.Owner(t, "11222333000181")
	wantRecords := []rows.Record{
		{
			Where: rows.Where{File: 0, Line: 2}, Owner: timber, Order: rows.Descending("19980507000000") + "100045",
			Identity: "100045", Version: "\t\t",
			Values: inOrder(t, "ibama_autos", values{
				"seq_auto_infracao": "100045", "num_auto_infracao": "045123", "ser_auto_infracao": "A", "val_auto_infracao": "1500.5",
				"dat_hora_auto_infracao": "1998-05-07", "cod_municipio": "1500602", "sit_cancelado": "S",
				"ultima_atualizacao_relatorio": extracted,
			}),
		},
		{
			Where: rows.Where{File: 1, Line: 2}, Owner: timber, Order: rows.Descending("20240318104200") + "2790001",
			Identity: "2790001", Version: "2024-04-02 09:10:11\t2024-03-19 08:00:00\t",
			Values: inOrder(t, "ibama_autos", values{
				"seq_auto_infracao": "2790001", "des_status_formulario": "Lavrado", "ds_sit_auto_aie": "Lavrado", "sit_cancelado": "N",
				"num_auto_infracao": "ABC1D2E3", "ser_auto_infracao": "E", "tipo_auto": "Multa", "tipo_multa": "Aberta",
				"val_auto_infracao": "150500.00", "gravidade_infracao": "Média",
				"des_auto_infracao":      "Ter em depósito madeira; \"serrada\",\nsem licença, por ordem do CPF ***456789**",
				"dat_hora_auto_infracao": "2024-03-18 10:42:00", "forma_entrega": "Pessoal", "cod_municipio": "1500602",
				"municipio": "ALTAMIRA", "uf": "PA", "num_processo": "02018000123202411", "cod_infracao": "409999",
				"nome_infrator": "MADEIREIRA MODELO DO NORTE LTDA", "tp_pessoa_infrator": "PJ", "qt_area": "12.3500",
				"dt_lancamento": "2024-03-19 08:00:00", "dt_ult_alteracao": "2024-04-02 09:10:11", "cd_termos_embargos": "XYZ9K8L7",
				"ultima_atualizacao_relatorio": extracted,
			}),
		},
		{
			Where: rows.Where{File: 1, Line: 20_004}, Owner: carrier, Order: rows.Descending("20240602140000") + "16L1JUFB/E",
			Identity: "16L1JUFB/E", Version: "\t2024-06-03 08:00:00\t",
			Values: inOrder(t, "ibama_autos", values{
				"num_auto_infracao": "16L1JUFB", "ser_auto_infracao": "E", "dat_hora_auto_infracao": "2024-06-02 14:00:00",
				"dt_lancamento": "2024-06-03 08:00:00", "ultima_atualizacao_relatorio": extracted,
			}),
		},
		{ // without any number: no version of another row
			Where: rows.Where{File: 1, Line: 20_005}, Owner: carrier, Order: rows.Descending(""), Version: "\t\t",
			Values: inOrder(t, "ibama_autos", values{"ser_auto_infracao": "E"}),
		},
	}
	if diff := gocmp.Diff(wantRecords, got.All(t)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(rows.Facts{Period: "2026-08-05", Coverage: "1977-01-02"}, got.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	wantDropped := map[string]int64{"pessoa_fisica": 3, "sem_documento": 1, "documento_invalido": 1}
	if diff := gocmp.Diff(wantDropped, got.Figures.Dropped); diff != "" || got.Figures.Read != 11 || got.Figures.Rejected != 2 {
		t.Errorf("read %d, rejected %d; want 11, 2; dropped (-want +got):\n%s", got.Figures.Read, got.Figures.Rejected, diff)
	}
	if diff := gocmp.Diff([]string{"DAT_HORA_AUTO_INFRACAO", "VAL_AUTO_INFRACAO"}, got.Rejected()); diff != "" {
		t.Errorf("columns of rejected rows (-want +got):\n%s", diff)
	}
}

func TestEmbargos(t *testing.T) {
	t.Parallel()
	const extracted = "2026-05-03 18:56:39"
	got, err := load(t, Embargos(), "termo_embargo.csv", csvFile(embargoHeader,
		values{
			"SEQ_TAD": "310001.0", "NUM_TAD": "XYZ9K8L7", "SER_TAD": "E", "DAT_EMBARGO": "2024-03-18 11:00:00", "SIT_CANCELADO": "N",
			"CPF_CNPJ_EMBARGADO": "44555666000181", "QTD_AREA_EMBARGADA": "12,35", "NOME_IMOVEL": "FAZENDA EXEMPLO 12345678909",
			"NUM_LONGITUDE_TAD": "-52.2", "SEQ_AUTO_INFRACAO": "2790001.0", "NUM_AUTO_INFRACAO": "ABC1D2E3",
			"ULTIMA_ATUALIZACAO_RELATORIO": extracted,
		},
		values{
			"SEQ_TAD": "310002", "NUM_TAD": "654321", "DAT_EMBARGO": "2011-09-01 00:00:00", "CPF_CNPJ_EMBARGADO": "123457000193",
			"SIT_DESEMBARGO": "Desembargado", "DAT_DESEMBARGO": "2013-02-20 00:00:00", "DAT_ULT_ALTERACAO": "2013-02-21 00:00:00",
			"GEOM_AREA_EMBARGADA": "POLYGON((-38.5 -12.9;\n-38.4 -12.9))", "ULTIMA_ATUALIZACAO_RELATORIO": "2026-05-02 23:59:59",
		},
		values{"CPF_CNPJ_EMBARGADO": "123457000194"},
		values{"CPF_CNPJ_EMBARGADO": "12345678909", "DAT_EMBARGO": "1985-01-01 00:00:00"},
		values{"CPF_CNPJ_EMBARGADO": "12345678909.0"},
		values{"CPF_CNPJ_EMBARGADO": "191"},
	))
	if err != nil {
		t.Fatal(err)
	}
	want := []rows.Record{
		{
			Where: rows.Where{Line: 2}, Owner: rowstest.Owner(t, "44555666000181"),
			Order: rows.Descending("20240318110000") + "310001",
			Values: inOrder(t, "ibama_embargos", values{
				"seq_tad": "310001", "num_tad": "XYZ9K8L7", "ser_tad": "E", "dat_embargo": "2024-03-18 11:00:00", "sit_cancelado": "N",
				"qtd_area_embargada": "12.35", "nome_imovel": "FAZENDA EXEMPLO ***456789**", "seq_auto_infracao": "2790001",
				"num_auto_infracao": "ABC1D2E3", "ultima_atualizacao_relatorio": extracted,
			}),
		},
		{
			Where: rows.Where{Line: 3}, Owner: rowstest.Owner(t, "00123457000193"),
			Order: rows.Descending("20110901000000") + "310002",
			Values: inOrder(t, "ibama_embargos", values{
				"seq_tad": "310002", "num_tad": "654321", "dat_embargo": "2011-09-01 00:00:00", "sit_desembargo": "Desembargado",
				"dat_desembargo": "2013-02-20 00:00:00", "dat_ult_alteracao": "2013-02-21 00:00:00",
				"ultima_atualizacao_relatorio": "2026-05-02 23:59:59",
			}),
		},
	}
	if diff := gocmp.Diff(want, got.All(t)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	wantFacts := rows.Facts{Period: "2026-05-03", Coverage: "1985-01-01", Notes: []string{
		"As linhas foram extraídas pelo publicador em datas diferentes, de 2026-05-02 a 2026-05-03; a competência é a mais recente.",
	}}
	if diff := gocmp.Diff(wantFacts, got.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(map[string]int64{"pessoa_fisica": 3, "documento_invalido": 1}, got.Figures.Dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
}

func TestChoiceOfFiles(t *testing.T) {
	t.Parallel()
	notices := csvFile(noticeHeader, values{"CPF_CNPJ_INFRATOR": "44.555.666/0001-81"})
	embargoes := csvFile(embargoHeader, values{"CPF_CNPJ_EMBARGADO": "44555666000181"})
	older := strings.NewReplacer(";DS_UNID_CONCILIACAO", "", ";DENUNCIA_SISLIV", "", ";DS_WKT_GE_AREA_AUTUADA_COM_ERRO", "").Replace(noticeHeader)
	cases := map[string]struct {
		loader rows.Loader
		files  []string
		read   int64
		err    string // part of it; "" when the load succeeds
	}{
		"the zip and its member beside it are one file": {
			Autos(), []string{"auto_infracao_csv.zip/auto_infracao_2024.csv", notices, "auto_infracao_2024.csv", notices}, 1, "",
		},
		"other files are left alone": {Embargos(), []string{"termo_embargo.csv", embargoes, "LEIAME.txt", "x"}, 1, ""},
		"81 columns":                 {Autos(), []string{"auto_infracao_2024.csv", csvFile(older, values{"CPF_CNPJ_INFRATOR": "44.555.666/0001-81"})}, 1, ""},
		"two files for a year": {
			Autos(), []string{"auto_infracao_2024.csv", notices, "auto_infracao_ano_2024.csv", notices}, 0, "both hold 2024 of ibama_autos",
		},
		"the zip and another edition of its member": {
			Autos(), []string{"auto_infracao_csv.zip/auto_infracao_2024.csv", notices, "auto_infracao_2024.csv", notices + "\n"}, 0, "leave the newer one",
		},
		"two files of embargoes": {
			Embargos(), []string{"termo_embargo.csv", embargoes, "termo_embargo_2026.csv", embargoes}, 0, "leave the newer one",
		},
		"layout of 2023": {
			Autos(), []string{"auto_infracao_2023.csv", "SEQ_AUTO_INFRACAO;QTD_AREA;DAT_LANCAMENTO\n1;2;3\n"}, 0, "auto_infracao_2023.csv has the 42 columns of 2023",
		},
		"legacy embargoes by name": {
			Embargos(), []string{"areas_embargadas.csv", "NUM_TAD\n1\n"}, 0, "areas_embargadas.csv has the legacy layout",
		},
		"legacy embargoes by header": {
			Embargos(), []string{"termo_embargo.csv", "NUM_TAD;NOME_PESSOA_EMBARGADA\n1;X\n"}, 0, "termo_embargo.csv has the legacy layout",
		},
		"missing column": {
			Embargos(), []string{"termo_embargo.csv", strings.Replace(embargoes, "DAT_EMBARGO;", "DATA;", 1)}, 0, "DAT_EMBARGO",
		},
		"foreign files": {Autos(), []string{"termo_embargo.csv", embargoes}, 0, "expected auto_infracao_csv.zip or its members auto_infracao_AAAA.csv, found termo_embargo.csv"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := load(t, c.loader, c.files...)
			switch {
			case c.err == "" && err != nil:
				t.Fatal(err)
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Fatalf("error %v, want one with %q", err, c.err)
			case c.err == "" && got.Figures.Read != c.read:
				t.Errorf("%d rows read, want %d", got.Figures.Read, c.read)
			}
		})
	}
}

// TestVersionsSort checks the order of versions: the last change decides, then the entry.
func TestVersionsSort(t *testing.T) {
	t.Parallel()
	rising := []values{
		{},
		{"DT_LANCAMENTO": "2024-03-19 08:00:00"},
		{"DT_ULT_ALTERACAO": "2024-04-02", "DT_LANCAMENTO": "2024-03-19 08:00:00"},
		{"DT_ULT_ALTERACAO": "2024-04-02 09:10:11"},
		{"DT_ULT_ALTERACAO": "2024-04-02 09:10:11", "DT_LANCAMENTO": "2024-03-19 08:00:00"},
		{"DT_ULT_ALTERACAO": "2025-01-01 00:00:00"},
	}
	for _, row := range rising {
		row["SEQ_AUTO_INFRACAO"], row["CPF_CNPJ_INFRATOR"] = "1", "44.555.666/0001-81"
	}
	got, err := load(t, Autos(), "auto_infracao_2024.csv", csvFile(noticeHeader, rising...))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.All(t)) != len(rising) {
		t.Fatalf("%d records, want %d", len(got.All(t)), len(rising))
	}
	for i := 1; i < len(got.All(t)); i++ {
		if a, b := got.All(t)[i-1], got.All(t)[i]; a.Identity != b.Identity || a.Version >= b.Version {
			t.Errorf("%q of %q does not follow %q of %q", b.Version, b.Identity, a.Version, a.Identity)
		}
	}
}

// TestServedLatestFirst checks the order of records with dates of both forms.
func TestServedLatestFirst(t *testing.T) {
	t.Parallel()
	served := []string{"2024-03-18 10:42:01", "2024-03-18 10:42:00", "2024-03-18", "2024-03-17 23:59:59", "1977-01-01", ""}
	var rows []values
	for _, date := range served {
		rows = append(rows, values{"DAT_EMBARGO": date, "CPF_CNPJ_EMBARGADO": "44555666000181"})
	}
	got, err := load(t, Embargos(), "termo_embargo.csv", csvFile(embargoHeader, rows...))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.All(t)) != len(served) {
		t.Fatalf("%d records, want %d", len(got.All(t)), len(served))
	}
	for i := 1; i < len(served); i++ {
		if got.All(t)[i-1].Order >= got.All(t)[i].Order {
			t.Errorf("%q is not served before %q", served[i-1], served[i])
		}
	}
}

// TestADayToComeIsNoPeriod: taken for the last extraction, a typing error would keep out all editions that follow.
func TestADayToComeIsNoPeriod(t *testing.T) {
	t.Parallel()
	s := span{until: "2026-11-29"}
	for _, day := range []string{"2026-11-28", "2062-10-01", "2026-11-30"} {
		extracted, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		s.addExtracted(extracted)
	}
	if facts := s.facts(); facts.Period != "2026-11-28" || facts.Notes != nil {
		t.Errorf("%+v", facts)
	}
}
