package record

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"
)

// TestEveryQualificationIsAPart: each code of the published table has one part.
func TestEveryQualificationIsAPart(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.FromSlash("../../../ingest/receita/data/dominios.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]int{}
	for _, p := range parts {
		for _, code := range p.codes {
			declared[code]++
		}
	}
	published := 0
	for _, row := range rows {
		if Domain(row[0]) != DomainQualificacao {
			continue
		}
		published++
		if declared[row[1]] != 1 {
			t.Errorf("%s %s is declared %d times", row[1], row[2], declared[row[1]])
		}
	}
	if published == 0 || published != len(declared) {
		t.Errorf("%d codes are published, %d declared", published, len(declared))
	}
	for code, want := range map[string]Part{"49": Owner, "10": Manager, "08": BoardMember, "13": Appointed, "17": Agent, "53": OtherPart, "": OtherPart, "999": OtherPart} {
		if got := PartOf(code); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
}
