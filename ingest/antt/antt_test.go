package antt

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"razao/ingest/frame"
	"razao/internal/cnpj"
	"razao/internal/source"
)

const header = "nome_transportador;numero_rntrc;data_primeiro_cadastro;situacao_rntrc;cpfcnpjtransportador;categoria_transportador;cep;municipio;uf;equiparado;data_situacao_rntrc"

// csvFile writes lines as the publisher does: ISO-8859-1, CR LF.
func csvFile(t *testing.T, lines ...string) string {
	t.Helper()
	encoded, err := charmap.ISO8859_1.NewEncoder().String(strings.Join(lines, "\r\n") + "\r\n")
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

type sink struct{ records *[]frame.Record }

func (s sink) Add(r *frame.Record) error {
	kept := *r
	kept.Order = strings.Clone(r.Order)
	kept.Values = make([]string, len(r.Values))
	for i, v := range r.Values {
		kept.Values[i] = strings.Clone(v)
	}
	*s.records = append(*s.records, kept)
	return nil
}

func (s sink) Close() error { return nil }

// load runs the loader over a folder with files named in pairs: name, contents.
func load(t *testing.T, files ...string) ([]frame.Record, frame.Facts, *frame.Output, error) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, err := frame.Find(context.Background(), dir, t.TempDir(), frame.FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var records []frame.Record
	out := frame.NewOutput(func(string) frame.Sink { return sink{&records} }, nil)
	facts, err := RNTRC().Read(context.Background(), in, out)
	return records, facts, out, err
}

func TestRNTRC(t *testing.T) {
	t.Parallel()
	records, facts, out, err := load(t, "transportadores_rntrc_07_2026.csv", csvFile(t, header,
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
	want := []frame.Record{
		{
			Where: frame.Where{Line: 2}, Owner: establishment(t, "11222333000181"), Order: frame.Descending("20241023") + "050085788",
			Values: []string{
				"050085788", "TRANSPORTES EXEMPLO LTDA ***456789**", "", "ETC", "ATIVO", "23/05/2017", "23/10/2024",
				"01310-100", "SÃO PAULO", "SP", "Não",
			},
		},
		{
			Where: frame.Where{Line: 3}, Owner: establishment(t, "44555666000181"), Order: frame.Descending("") + "058308655",
			Values: []string{"058308655", `EMPRESA "ASPAS" + LTDA`, "", "CTC", "PENDENTE", "", "", "68370-000", "ALTAMIRA", "PA", "Sim"},
		},
	}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(frame.Facts{Period: "2026-07"}, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	wantDropped := map[string]int64{
		"autonomo_tac": 1, "categoria_desconhecida": 1, "pessoa_fisica": 1, "documento_invalido": 1, "sem_documento": 1,
	}
	figures := out.Figures()
	if diff := cmp.Diff(wantDropped, figures.Dropped); diff != "" || figures.Read != 8 || figures.Rejected != 1 {
		t.Errorf("read %d, rejected %d; want 8, 1; dropped (-want +got):\n%s", figures.Read, figures.Rejected, diff)
	}
	if got := out.Rejects()[0]; got.Line != 9 || !strings.EqualFold(got.Column, "data_situacao_rntrc") {
		t.Errorf("rejected line %d, column %s; want 9, data_situacao_rntrc", got.Line, got.Column)
	}
}

func establishment(t *testing.T, s string) frame.Owner {
	t.Helper()
	full, err := cnpj.ParseFull(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return frame.Owner{Root: full.Root(), Order: full.Order()}
}

// TestFieldsAreColumns holds the source's fields, which the loader reads by their names, to the published header.
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
			if _, _, _, err := load(t, c.files...); err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want one with %q", err, c.err)
			}
		})
	}
}
