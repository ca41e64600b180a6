// Package profile measures the shape of each column of a load, and finds what moved from one load to the next
// further than real editions move: the sign of a column that was ruined on its way, which reads without an
// error and breaks no rule about rows.
//
// # Flow
//
//	published row → Meter (one for each goroutine) → Merge → Table → Compare with the load before → Jumps
//
// A [Meter] is given the values of a column as published, in the pass that parses them: every row at the beginning of
// a file, then each eighth, by its line. Which rows are measured does not depend on which goroutine reads them; how
// often a rare value was seen does, a little.
// A [Column] keeps, of the filled values, how many have which length and which characters, and which values are
// common: codes by themselves, days by year, numbers by their size. Texts that people wrote are kept as hashes,
// and only those that many rows share, so a profile says nothing of a person.
//
// # Bounds
//
// Successive editions of a register are nearly the same rows, so their shapes differ by what happened in
// between: openings, closings, an act of the authority that touches millions of rows at once. The bounds are
// of that, see [Compare]; none comes from the ways in which columns have been ruined.
package profile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"razao/internal/data/record"
	"razao/internal/data/source"
)

// Kind says which classes the values of a column are counted in.
type Kind uint8

// The kinds of columns.
const (
	Text   Kind = iota // common values, as hashes
	ID                 // a part of a CNPJ, in which letters count as digits
	Code               // values
	Day                // years
	Year               // years, of columns that have nothing else
	Number             // digits before the decimals
)

// Declaration is a column to measure.
type Declaration struct {
	Name     string
	Kind     Kind
	Domain   record.Domain // table of its codes; "": none
	Swings   bool          // an act of the authority may change it in a large part of the rows at once
	Edition  bool          // speaks of the edition: its values change in every one
	Personal bool          // examples show no values
	Owner    bool          // measured is what is known of the number of the owner, not the number
	Words    bool          // its codes are words of the publisher, whose rows have no CPF any more
}

// Columns returns the tables of a source by their published names, the company registry or one of public records, with the
// columns in the order of the files.
func Columns(id string) map[string][]Declaration {
	if src, ok := source.Find(id); ok {
		return map[string][]Declaration{id: Source(&src)}
	}
	return Release()
}

// Release returns the tables of the company registry by their published names, with the columns in the order of the
// files.
func Release() map[string][]Declaration {
	root := Declaration{Name: "cnpj_basico", Kind: ID}
	company, establishment := record.CompanyTable(), record.EstablishmentTable()
	partner, simples := record.PartnerTable(), record.SimplesTable()
	all := map[string][]Declaration{
		"Empresas": ofTable(&company), "Estabelecimentos": ofTable(&establishment),
		"Socios":  append([]Declaration{root}, ofTable(&partner)...),
		"Simples": append([]Declaration{root}, ofTable(&simples)...),
	}
	for _, codes := range []string{"Cnaes", "Motivos", "Municipios", "Naturezas", "Paises", "Qualificacoes"} {
		all[codes] = []Declaration{{Name: "codigo", Kind: ID}, {Name: "descricao"}}
	}
	return all
}

// ofTable returns the published columns of a table.
func ofTable(t *record.Table) (all []Declaration) {
	for _, f := range t.Fields {
		d := Declaration{Name: f.Name, Domain: f.Domain, Swings: f.Swings, Personal: f.Personal}
		switch f.Kind {
		case record.CNPJ, record.IBGECode:
			continue // derived
		case record.Root, record.Order, record.CheckDigits:
			d.Kind = ID
		case record.Code, record.YesOrNo:
			d.Kind = Code
		case record.Day:
			d.Kind = Day
		case record.Amount:
			d.Kind = Number
		}
		if f.Kind == record.Codes {
			d.Domain = "" // of each, not of the list
		}
		all = append(all, d)
	}
	return all
}

// Source returns the columns of a source of public records, in the order of its fields. That of the owner is
// measured by what is known of it.
func Source(src *source.Source) (all []Declaration) {
	windows := strings.HasPrefix(src.ID, "pncp") // an operator says which days are fetched
	for _, f := range src.Fields {
		d := Declaration{Name: f.Name, Edition: f.Edition, Owner: f.Kind == source.Document, Personal: f.Personal || f.Kind == source.Text && f.Unit == ""}
		switch {
		case f.Kind == source.Code && f.Unit == "", f.Kind == source.Document:
			d.Kind, d.Words = Code, true
		case strings.HasPrefix(f.Name, "ano_"):
			d.Kind = Year
		case f.Kind == source.Number, f.Unit == "reais":
			d.Kind = Number
		case f.Unit != "":
			d.Kind = Day
		}
		d.Edition = d.Edition || windows && (d.Kind == Day || f.Name == "ano_contrato")
		all = append(all, d)
	}
	return all
}

// Table is what was measured of a table. It is stored as JSON.
type Table struct {
	Name    string   `json:"tabela"` // as published; of a source its id
	Rows    int64    `json:"linhas"` // that were measured
	Columns []Column `json:"colunas"`
}

// Column is what was measured of a column. The counts of lengths, shapes and values are of the filled ones.
type Column struct {
	Name     string           `json:"coluna"`
	Filled   int64            `json:"preenchidas"`
	Distinct int64            `json:"distintos"`                // estimated, with a standard error of 2 %
	Lengths  map[int]int64    `json:"comprimentos,omitempty"`   // in bytes; [LongText] or more under that
	Shapes   map[string]int64 `json:"formatos,omitempty"`       // by the characters that occur, see Shape
	Values   map[string]int64 `json:"valores,omitempty"`        // the commonest, in the classes of the kind
	Largest  int64            `json:"maior,omitempty"`          // rows with the commonest value, whatever its kind
	Quantile []string         `json:"quantis,omitempty"`        // of days and numbers: 1, 25, 50, 75 and 99 %
	Unknown  int64            `json:"fora_da_tabela,omitempty"` // codes that their table lacks

	examples map[Figure]map[string]examples // by class; of the load that was just read only
}

// Class counts the filled values of a column that have something in common.
type Class struct {
	Name string `json:"classe"`
	Rows int64  `json:"linhas"`
}

// Classes returns the lengths, shapes or values of a column, the commonest first.
func Classes[K cmp.Ordered](of map[K]int64) []Class {
	all := make([]Class, 0, len(of))
	for _, name := range slices.SortedFunc(maps.Keys(of), func(a, b K) int { return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b)) }) {
		all = append(all, Class{fmt.Sprint(name), of[name]})
	}
	return all
}

// Shown returns the classes of values that anybody may see, see [Declaration.Shows].
func (c *Column) Shown(d *Declaration) []Class {
	return slices.DeleteFunc(Classes(c.Values), func(v Class) bool { return !d.Shows(v.Name, v.Rows) })
}

// Shows reports whether anybody may see a class of values that so many rows have: no texts, which are known by their hashes only, of
// codes only what has the form of one, since a row that was shifted has names and numbers of persons there, and of a publisher's words
// only what many rows have, since others name a record.
func (d *Declaration) Shows(class string, rows int64) bool {
	switch {
	case d.Kind == Text, d.Kind == ID:
		return false
	case d.Kind != Code, d.Owner:
		return true
	case d.Words:
		return rows >= sharedBy && !strings.HasPrefix(class, hashed)
	}
	return d.names(class)
}

// names reports whether a profile names a value of a column, instead of counting it under a hash. Codes of the company registry have at most
// seven digits or two capitals.
func (d *Declaration) names(value string) bool {
	digits, capitals := strings.Trim(value, "0123456789") == "", strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	return d.Kind == Code && (d.Words || digits && len(value) <= 7 || capitals && len(value) <= 2)
}

// hashed begins the name of a value that is known by its hash only.
const hashed = "#"

// Find returns what was measured of a table, nil if it is not among them.
func Find(tables []Table, name string) *Table {
	i := slices.IndexFunc(tables, func(t Table) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return &tables[i]
}

// Column returns what was measured of a column, nil if it was not.
func (t *Table) Column(name string) *Column {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Columns[i]
}
