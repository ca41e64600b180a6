package antt

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/source"
	"razao/internal/testing/fixture/sourcefiles"
)

var header = sourcefiles.Header("rntrc/transportadores_rntrc_07_2026.csv")

// csvFile encodes lines as the publisher does: ISO-8859-1 with CRLF.
func csvFile(t *testing.T, lines ...string) string {
	t.Helper()
	return sourcefiles.Windows1252(t, strings.Join(lines, "\r\n")+"\r\n")
}

func load(t *testing.T, files ...string) (*rowstest.Loaded, error) {
	t.Helper()
	return rowstest.Load(t, RNTRC(), sourcefiles.Write(t, files...), rows.FindOptions{})
}

func TestRNTRC(t *testing.T) {
	t.Parallel()
	got, err := load(t, "transportadores_rntrc_07_2026.csv", csvFile(t, header,
		`"TRANSPORTES EXEMPLO LTDA 12345678909";"050085788";"23/05/2017";"ATIVO";"11.222.333/0001-81";"ETC";"01310-100";"SÃO PAULO";"SP";"Não";"23/10/2024"`,
		`"EMPRESA ""ASPAS"" + LTDA";058308655;;PENDENTE;"44.555.666/0001-81";CTC;"68370-000";"ALTAMIRA";PA;"Sim";`,
		`"AUTONOMO FICTICIO";"055515644";"07/12/2022";"ATIVO";"***.456.789-**";"TAC";"14080-080";"RIBEIRÃO PRETO";"SP";"Não";"ontem"`,
		`"CATEGORIA NOVA";"1";"";"ATIVO";"11.222.333/0001-81";"XYZ";"";"";"";"";""`,
		`"PESSOA SINTETICA";"2";"";"ATIVO";"***.456.789-**";"ETC";"";"";"";"";""`,
		`"DIGITO ERRADO";"3";"";"ATIVO";"11.222.333/0001-82";"ETC";"";"";"";"";""`,
		`"SEM NUMERO";"4";"";"ATIVO";"";"CTC";"";"";"";"";""`,
		`"DATA ERRADA";"5";"";"ATIVO";"11.222.333/0001-81";"ETC";"";"";"";"";"2024-10-23"`,
	))
	if err != nil {
		t.Fatal(err)
	}
	want := []rows.Record{
		{
			Where: rows.Where{Line: 2}, Owner: rowstest.Owner(t, "11222333000181"), Order: rows.Descending("20241023") + "050085788",
			Values: []string{
				"050085788", "TRANSPORTES EXEMPLO LTDA ***456789**", "", "ETC", "ATIVO", "23/05/2017", "23/10/2024",
				"01310-100", "SÃO PAULO", "SP", "Não",
			},
		},
		{
			Where: rows.Where{Line: 3}, Owner: rowstest.Owner(t, "44555666000181"), Order: rows.Descending("") + "058308655",
			Values: []string{"058308655", `EMPRESA "ASPAS" + LTDA`, "", "CTC", "PENDENTE", "", "", "68370-000", "ALTAMIRA", "PA", "Sim"},
		},
	}
	if diff := cmp.Diff(want, got.All(t)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(rows.Facts{Period: "2026-07"}, got.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	wantDropped := map[string]int64{
		"autonomo_tac": 1, "categoria_desconhecida": 1, "pessoa_fisica": 1, "documento_invalido": 1, "sem_documento": 1,
	}
	figures := got.Figures
	if diff := cmp.Diff(wantDropped, figures.Dropped); diff != "" || figures.Read != 8 || figures.Rejected != 1 {
		t.Errorf("read %d, rejected %d; want 8, 1; dropped (-want +got):\n%s", figures.Read, figures.Rejected, diff)
	}
	if reject := got.Rejects[0]; reject.Line != 9 || !strings.EqualFold(reject.Column, "data_situacao_rntrc") {
		t.Errorf("rejected line %d, column %s; want 9, data_situacao_rntrc", reject.Line, reject.Column)
	}
}

// TestFieldsAreColumns checks that every field of the source is a column of the published header,
// because the loader looks columns up by the fields' names.
func TestFieldsAreColumns(t *testing.T) {
	t.Parallel()
	src, _ := source.Find(rntrc)
	if columns := strings.Split(header, ";"); len(columns) != len(src.Fields) {
		t.Errorf("%d columns, %d fields", len(columns), len(src.Fields))
	}
	for _, field := range src.Fields {
		if !slices.Contains(strings.Split(header, ";"), field.Name) {
			t.Errorf("the file has no column for the field %s", field.Name)
		}
	}
	if l := newLayout(); src.Fields[l.document].Kind != source.Document {
		t.Errorf("%s is not the document", src.Fields[l.document].Name)
	}
}

func TestMonth(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"transportadores_rntrc_03_2026.csv":     "2026-03",
		"Transportadores_RNTRC_12_2025.CSV":     "2025-12",
		"transportadores_rntrc_12_2025.csv.gz":  "2025-12",
		"transportadores_rntrc_12_2025 (1).csv": "",
		"transportadores_rntrc_13_2026.csv":     "",
		"rntrc.csv":                             "",
	}
	for name, want := range cases {
		if got := month(name); got != want {
			t.Errorf("month(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		files []string
		err   string // part of it
	}{
		"two months": {
			[]string{"transportadores_rntrc_06_2026.csv", header, "transportadores_rntrc_07_2026.csv", header},
			"holds transportadores_rntrc_06_2026.csv, transportadores_rntrc_07_2026.csv: expected one file",
		},
		"no table":       {[]string{"LEIAME.txt", "x"}, "expected transportadores_rntrc_MM_AAAA.csv, found LEIAME.txt"},
		"missing column": {[]string{"transportadores_rntrc_07_2026.csv", strings.Replace(header, "equiparado;", "", 1)}, "lacks EQUIPARADO"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := load(t, c.files...); err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want one with %q", err, c.err)
			}
		})
	}
}
