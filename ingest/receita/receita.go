// Package receita reads the tax authority's monthly release "Dados Abertos CNPJ": 37 files of one table each, headerless
// CSV in ISO-8859-1, zipped or extracted. It turns their rows into clean records, keeps aside the rows that cannot be
// read, and refuses a release that is incomplete or has another layout. It stores nothing.
package receita

import (
	"errors"
	"fmt"
	"strings"
)

// Release is one month found in a folder.
type Release struct {
	Month   string // AAAA-MM
	Files   []File // in the order of the release
	Missing []string
	// Fictional is true when the folder holds FictionalMark: the release was invented and must be shown as such.
	Fictional bool
}

// FictionalMark is the file beside the zips by which an invented release says so.
const FictionalMark = "DADOS-FICTICIOS.txt"

// File is one file of a release.
type File struct {
	Name  string // Estabelecimentos0.zip, also when it was found extracted
	Path  string
	Table Table
}

// Table is one of the tables of a release.
type Table int

// The tables of a release.
const (
	Companies Table = iota
	Establishments
	Partners
	SimplesOptions
	CNAEs
	Motivos
	Municipios
	Naturezas
	Paises
	Qualificacoes
)

// layout describes the files of a table.
type layout struct {
	zip     string // name of the zip without number and ending
	parts   int    // 0: one file without a number
	member  string // part of the name of the member inside, upper case
	columns int
}

const domainColumns = 2 // code and description

// layouts returns the description of every table, by Table. Package record names the columns.
func layouts() [10]layout {
	return [...]layout{
		Companies:      {"Empresas", 10, "EMPRECSV", 7},
		Establishments: {"Estabelecimentos", 10, "ESTABELE", 30},
		Partners:       {"Socios", 10, "SOCIOCSV", 11},
		SimplesOptions: {"Simples", 0, "SIMPLES", 7},
		CNAEs:          {"Cnaes", 0, "CNAECSV", domainColumns},
		Motivos:        {"Motivos", 0, "MOTICSV", domainColumns},
		Municipios:     {"Municipios", 0, "MUNICCSV", domainColumns},
		Naturezas:      {"Naturezas", 0, "NATJUCSV", domainColumns},
		Paises:         {"Paises", 0, "PAISCSV", domainColumns},
		Qualificacoes:  {"Qualificacoes", 0, "QUALSCSV", domainColumns},
	}
}

// String returns the name that the release gives the table.
func (t Table) String() string { return layouts()[t].zip }

// isDomain says whether the table holds codes and descriptions.
func (t Table) isDomain() bool { return t >= CNAEs }

// ErrIncomplete is the error of a release that lacks files.
var ErrIncomplete = errors.New("incomplete release")

// IncompleteError names the files that a release lacks.
type IncompleteError struct {
	Month   string
	Where   string
	Missing []string
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("release %s in %s is incomplete: %d of 37 files are missing (%s); complete it, or load what is there with --partial",
		e.Month, e.Where, len(e.Missing), abbreviate(e.Missing))
}

// Unwrap makes the error an ErrIncomplete.
func (e *IncompleteError) Unwrap() error { return ErrIncomplete }

func abbreviate(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
