package ptbr

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"
)

//go:embed official.csv
var officialFile string

// officialTexts are the texts of official tables by the table and by what is published, in capitals and without accents for the most part,
// as people write them. The code is no key: a text that its publisher changes is shown as published.
var officialTexts = readOfficial(officialFile)

type officialText struct{ table, published string }

func readOfficial(file string) map[officialText]string {
	rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("official texts: %v", err))
	}
	texts := make(map[officialText]string, len(rows))
	for _, row := range rows[1:] {
		texts[officialText{row[0], row[1]}] = row[2]
	}
	return texts
}

func official(table, published string) string {
	if written, ok := officialTexts[officialText{table, published}]; ok {
		return written
	}
	return published
}

// Motive writes the reason for a registration status: Extinção por encerramento. One that is in no table stays as published, as
// do the other two.
func Motive(published string) string { return official("motivo", published) }

// Country writes a country's own name: Estados Unidos, Irã.
func Country(published string) string { return official("pais", published) }

// Value writes one of the fixed words of public records: Não, Solidário, Ativa em cobrança.
func Value(published string) string { return official("valor", published) }
