package bndes

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
)

// answer encodes rows as the datastore does: dates with midnight, amounts as JSON numbers, null for
// an empty value.
func answer(t testing.TB, rows ...map[string]string) []byte {
	t.Helper()
	var records []map[string]any
	for i, row := range rows {
		record := map[string]any{"_id": i + 1}
		for column, value := range row {
			switch {
			case value == "":
				record[column] = nil
			case strings.HasPrefix(column, "valor_") || column == "juros":
				record[column] = json.Number(strings.Replace(value, ",", ".", 1))
			case column == "data_da_contratacao":
				record[column] = value + "T00:00:00"
			default:
				record[column] = value
			}
		}
		records = append(records, record)
	}
	data, err := json.Marshal(map[string]any{"success": true, "result": map[string]any{"records_format": "objects", "records": records}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// writeAnswers writes the answers of the two files into a folder of their own.
func writeAnswers(t testing.TB, directAnswer, indirectAnswer []byte) string {
	t.Helper()
	dir := t.TempDir()
	for i, data := range [2][]byte{directAnswer, indirectAnswer} {
		name := strings.Replace(layouts()[i].file, ".csv", "-0001.json", 1)
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAnswersOfTheDatastoreGiveTheSameRecords(t *testing.T) {
	t.Parallel()
	scan := base(company{root: "10027182", name: "ROTA INVENTADA CARGAS LTDA"})
	fromTables := mustLoad(t, publish(t, []map[string]string{direct(nil)}, []map[string]string{indirect(nil)}), scan)
	fromAnswers := mustLoad(t, writeAnswers(t, answer(t, direct(nil)), answer(t, indirect(nil))), scan)
	for i := range fromTables.records {
		fromTables.records[i].Where.Line-- // there is no header
	}
	if diff := cmp.Diff(fromTables.records, fromAnswers.records); diff != "" || len(fromAnswers.records) != 2 {
		t.Errorf("%d records: %s", len(fromAnswers.records), diff)
	}
	if diff := cmp.Diff(fromTables.facts, fromAnswers.facts); diff != "" {
		t.Error(diff)
	}
}

func TestRowsOfAnswers(t *testing.T) {
	t.Parallel()
	wrong := direct(map[string]string{"prazo_carencia_meses": "seis"})
	person := direct(map[string]string{"cnpj": "***.456.789-**"})
	mixed := answer(t, direct(nil), wrong, person)
	mixed = []byte(strings.Replace(string(mixed), `"records":[`, `"records":["nada",`, 1))
	c := mustLoad(t, writeAnswers(t, mixed, answer(t, indirect(nil))), nil)
	want := &rows.Figures{
		Read: 5, Rejected: 2, Dropped: map[string]int64{"pessoa_fisica": 1},
		Marked: map[string]int64{"operacoes": 2, published: 1, notLinked: 1},
	}
	if diff := cmp.Diff(want, c.figures); diff != "" {
		t.Error(diff)
	}
	const name = "operacoes-financiamento-operacoes-nao-automaticas-0001.json"
	if diff := cmp.Diff([]string{name + ":1 ", name + ":3 prazo_carencia_meses"}, c.rejects); diff != "" {
		t.Error(diff)
	}
}

func TestForeignAnswersAreRefused(t *testing.T) {
	t.Parallel()
	whole := answer(t, direct(nil))
	lacking := maps.Clone(direct(nil))
	delete(lacking, "juros")
	cases := []struct{ name, data, fails string }{
		{"cut short", string(whole[:len(whole)-9]), "cut short"},
		{"no rows", `{"success":true,"result":{"records":[]}}`, "has no rows"},
		{"another report", `{"success":false,"error":{}}`, "has no rows"},
		{"a column less", string(answer(t, lacking)), "lacks juros"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := load(t, writeAnswers(t, []byte(c.data), answer(t, indirect(nil))), nil); err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("got error %v, want %q in it", err, c.fails)
			}
		})
	}
}
