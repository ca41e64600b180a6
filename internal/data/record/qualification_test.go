package record

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
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
	natures := map[string]Nature{}
	for nature, codes := range naturesOf {
		for _, code := range codes {
			if natures[code] != 0 || declared[code] != 1 {
				t.Errorf("%s is of two natures, or of no part", code)
			}
			natures[code] = nature
		}
	}
	published := 0
	for _, row := range rows {
		if Domain(row[0]) != DomainQualificacao {
			continue
		}
		published++
		// What the table says in so many words decides.
		says := Nature(0)
		for word, nature := range map[string]Nature{"Pessoa Física": NaturalPerson, "Menor": NaturalPerson, "Incapaz": NaturalPerson, "Pessoa Jurídica": LegalEntity, "Sociedade ": LegalEntity} {
			if strings.Contains(row[2], word) {
				says |= nature
			}
		}
		if natures[row[1]] != says {
			t.Errorf("%s %s is of the nature %d, want %d", row[1], row[2], natures[row[1]], says)
		}
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

// TestNatures: the kind of partner decides, and of foreigners the qualification.
func TestNatures(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		kind, qualification string
		want                Nature
	}{
		{SocioCompany, "22", LegalEntity},
		{SocioPerson, "37", NaturalPerson},
		{SocioForeigner, "37", LegalEntity},
		{SocioForeigner, "38", NaturalPerson},
		{SocioForeigner, "22", 0},
		{SocioForeigner, "", 0},
		{"", "79", LegalEntity},
		{"", "99", 0},
	} {
		if p := (Partner{IdentificadorSocio: of.kind, QualificacaoSocio: of.qualification}); p.Nature() != of.want {
			t.Errorf("%+v: %d", of, p.Nature())
		}
	}
}
