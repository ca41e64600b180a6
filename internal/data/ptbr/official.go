package ptbr

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"
)

//go:embed official.csv
var officialFile string

// officialTexts maps texts of official tables, mostly published in capitals without accents, to
// their written form. The key is the published text, not its code: if the publisher changes a text,
// the new one is shown as published.
var officialTexts = readOfficial(officialFile)

// officialText is a text as published in a table. The table is part of the key, because the same
// text may be written differently elsewhere.
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

// official returns the written form of a text, or the text itself if its table does not have it.
func official(table, published string) string {
	if written, ok := officialTexts[officialText{table, published}]; ok {
		return written
	}
	return published
}

// Motive returns the written form of the reason for a registration status: Extinção por
// encerramento.
func Motive(published string) string { return official("motivo", published) }

// Country returns the common name of a country: Estados Unidos, Irã.
func Country(published string) string { return official("pais", published) }

// Value returns the written form of an enumerated value of public records: Não, Solidário, Ativa em
// cobrança.
func Value(published string) string { return official("valor", published) }
