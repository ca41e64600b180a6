package cgu

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/testing/fixture/sourcefiles"
)

var (
	agreementHeader = table(strings.Split(sourcefiles.Header("acordos_leniencia/20260813_Acordos.csv"), ";"))
	effectHeader    = table(strings.Split(sourcefiles.Header("acordos_leniencia/20260813_Efeitos.csv"), ";"))
)

func agreementRow(id, document, start string) string {
	return table([]string{
		id, document, "EXEMPLO S.A.", "", start, "27/05/2029", "Em Execução", "13/08/2026", "00190.000001/2019-00",
		"Termos do acordo.\r\nAssinado por 123.456.789-09.", "Controladoria-Geral da União",
	})
}

func TestAcordosLeniencia(t *testing.T) {
	t.Parallel()
	dir := publish(t, map[string]string{
		"20260813_Acordos.csv": agreementHeader +
			agreementRow("9000001", "11222333000181", "27/05/2019") +
			agreementRow("9000001", "11222333000262", "27/05/2019") +
			agreementRow("9000002", "EXEXEMPLO", "01/02/2021") +
			agreementRow("9000003", "11.222.333/0001-81", "01/02/2021"),
		"20260813_Efeitos.csv": effectHeader + table(
			[]string{"9000001", "Multa <paga> & quitada", "Representante 12345678909"},
			[]string{"9000002", "Efeito de estrangeira", ""},
			[]string{"9000001", "Isenção", ""},
			[]string{"9000009", "De acordo que não há", ""},
			[]string{"9000009", "Outro", ""},
		),
	})
	// The en dash of the header is the single byte 0x96, which ISO-8859-1 lacks.
	raw, err := os.ReadFile(filepath.Join(dir, "20260813_Acordos.csv"))
	if err != nil || !bytes.Contains(raw, []byte{' ', 0x96, ' '}) {
		t.Fatalf("the header has no 0x96 (%v)", err)
	}
	got, err := load(t, AcordosLeniencia(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	record := func(line int64, id, document, order, start, effects string) rows.Record {
		return rows.Record{
			Where: rows.Where{Line: line},
			Owner: rowstest.Owner(t, strings.NewReplacer(".", "", "/", "", "-", "").Replace(document)),
			Order: order,
			Values: []string{
				id, document, "EXEMPLO S.A.", "", start, "27/05/2029", "Em Execução", "13/08/2026", "00190.000001/2019-00",
				"Termos do acordo.\nAssinado por ***456789**.", "Controladoria-Geral da União", effects,
			},
		}
	}
	first, second := rows.Descending("20210201"), rows.Descending("20190527")
	const effects = `[{"efeito":"Multa <paga> & quitada","complemento":"Representante ***456789**"},{"efeito":"Isenção","complemento":null}]`
	want := []rows.Record{
		record(8, "9000003", "11.222.333/0001-81", first+"9000003 0001", "01/02/2021", "[]"),
		record(2, "9000001", "11222333000181", second+"9000001 0001", "27/05/2019", effects),
		record(4, "9000001", "11222333000262", second+"9000001 0002", "27/05/2019", effects),
	}
	if diff := gocmp.Diff(want, got.Served(t)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(rows.Facts{Period: "2026-08-13"}, got.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	wantFigures := &rows.Figures{
		Read:    9,
		Dropped: map[string]int64{notCompany: 1, strayEffects: 2},
		Marked:  map[string]int64{effectRows: 5},
	}
	if diff := gocmp.Diff(wantFigures, got.Figures); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}

func TestCorrectedSpellingOfTheAgreement(t *testing.T) {
	t.Parallel()
	corrected := strings.NewReplacer("LENIÊNICA", "LENIÊNCIA", "–", "-").Replace(agreementHeader)
	got, err := load(t, AcordosLeniencia(), publish(t, map[string]string{
		"20260813_Acordos.csv": corrected + agreementRow("1", "11222333000181", ""),
		"20260813_Efeitos.csv": strings.Replace(effectHeader, "LENIENCIA", "LENIÊNCIA", 1),
	}), "")
	if err != nil {
		t.Fatal(err)
	}
	if v := values(agreementFields(), &got.Served(t)[0]); v["situacao_acordo"] != "Em Execução" || v["razao_social_receita"] != "EXEMPLO S.A." {
		t.Errorf("values %v", v)
	}
}

// TestEffectsAreBounded: they are kept in memory, and a small zip may hold millions of rows.
func TestEffectsAreBounded(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(table([]string{"9000001", "", ""}), mostEffects/overhead)
	dir := publish(t, map[string]string{
		"20260813_Acordos.csv": agreementHeader + agreementRow("9000001", "11222333000181", "27/05/2019"), "20260813_Efeitos.csv": effectHeader + many,
	})
	if _, err := load(t, AcordosLeniencia(), dir, ""); err == nil || !strings.Contains(err.Error(), "effects take more than") {
		t.Errorf("got %v", err)
	}
}
