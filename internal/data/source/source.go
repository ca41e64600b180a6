// Package source declares the public-record sources as data: who publishes each, which fields its
// records have, how often it appears, how small a plausible load may be, and what its fields mean
// for totals, orders, time lines and searches (Facts).
//
// All returns the table. Loaders, the record store, the API, the website and the search index read
// it, so a new source is one entry here and one loader under ingest. The order of Fields is the
// order of rows.Record.Values and of the keys in JSON. A stored load names its own fields, so
// adding one does not invalidate older loads.
//
// The table is built once and shared by all callers, who read it in every request and must not
// change it. Texts for people are in Portuguese, as published or shown.
package source

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Receita is the id of the company registry, which is no source of public records.
const Receita = "receita"

// Kind says how the value of a field is stored and rendered.
type Kind uint8

// The kinds of fields. A value is kept as a string; "" is null for every kind.
const (
	Text     Kind = iota // a JSON string
	Code                 // a JSON string that many records share, stored once per load
	Number               // a JSON number with the publisher's digits, never through a float
	JSON                 // a complete JSON value, see Shape
	Document             // a JSON string: the CNPJ that owns the record, not stored as a value
)

// Field is one field of a source's records.
type Field struct {
	Name     string // the publisher's, lower case without accents; also the JSON key
	Kind     Kind
	Unit     string // unit of a number, or format of a date (DD/MM/AAAA); "" for none
	About    string // meaning of the value, for documentation and schemas
	Personal bool   // may identify a natural person; names of companies do not count
	Serial   bool   // the number of a proceeding, contract or registration: eleven digits in it are no CPF
	Edition  bool   // speaks of the edition or its extraction, not of the thing: no change of a record
	Shape    *Shape // of kind JSON, what it holds
}

// Shape is what a field of kind JSON holds, or null. Loaders reject rows with anything else.
type Shape struct {
	Type    string   // as JSON Schema names it: string, number, boolean or object
	List    bool     // a list of these
	Values  []string // all that a string can be; nil: anything
	Name    string   // of an object, which has its own schema
	About   string
	Members []Field // of an object, each always present, of kind Text or Number, or null
}

// Shapes of single values.
var (
	aString  = &Shape{Type: "string"}
	aNumber  = &Shape{Type: "number"}
	aBoolean = &Shape{Type: "boolean"}
)

// Says returns About with the unit in brackets.
func (f *Field) Says() string {
	if f.Unit == "" {
		return f.About
	}
	return f.About + " (" + f.Unit + ")"
}

// MayHoldCPF reports whether people may have written a CPF into a value. Dates, amounts and JSON,
// whose texts a loader masks where they stand, have none; the number of a proceeding has none
// unless there are words in it.
func (f *Field) MayHoldCPF(value string) bool {
	switch {
	case f.Kind != Text && f.Kind != Code || f.Unit != "":
		return false
	case f.Serial:
		return strings.ContainsFunc(value, unicode.IsLetter)
	}
	return true
}

// Source is one public-record source. The fields with Portuguese names are rendered as its
// provenance.
type Source struct {
	ID          string // key of the source, such as "ceis"; never translated
	Theme       string // key of its group in registros_publicos, such as "sancoes"
	Title       string
	Description string
	Orgao       string // publishing body
	Conjunto    string // name of the data set
	URL         string // page or file of the publisher
	Licenca     string // licence, or the law that makes the data public
	Atribuicao  string // attribution that the licence prescribes, "" for none
	Metodologia string // path of the page on how records are linked; "" if none is inferred

	PeriodKind  string // what a period is: mes, trimestre, dia, edicao or versao
	CompanyOnly bool   // records are about companies, never about establishments
	Floor       int64  // fewest rows of a plausible file; fewer mean that it was cut short
	Records     int64  // fewest records of a plausible load; fewer mean that the format changed
	StaleAfter  int    // days after the end of a period until it is stale; 0: rhythm unknown

	Fields []Field // in the order of values and of JSON keys
	Facts  Facts
}

// Themes returns the groups of registros_publicos in the order in which they are shown, each once.
// The slice is shared: callers must not change it.
func Themes() []string { return themes() }

var themes = sync.OnceValue(func() []string {
	var themes []string
	for _, s := range All() {
		if !slices.Contains(themes, s.Theme) {
			themes = append(themes, s.Theme)
		}
	}
	return slices.Clip(themes)
})

// IDs returns the ids of all sources in the order of All. The slice is shared: callers must not
// change it.
func IDs() []string { return ids() }

var ids = sync.OnceValue(func() []string {
	var ids []string
	for _, s := range All() {
		ids = append(ids, s.ID)
	}
	return slices.Clip(ids)
})

// Find returns the source with an id; ok is false when there is none. It does not find CompanyRegistry.
func Find(id string) (Source, bool) {
	all := All()
	i := slices.IndexFunc(all, func(s Source) bool { return s.ID == id })
	if i < 0 {
		return Source{}, false
	}
	return all[i], true
}

// Addresses returns the names of a source's fields that may hold the address of a natural person,
// nil for most sources. Pages for visitors withhold them.
func Addresses(id string) []string {
	switch id {
	case "mte_empregadores", "mte_ceac":
		return []string{"estabelecimento"}
	}
	return nil
}

// Rhythm returns how often the source is published, in Portuguese; "" when StaleAfter is 0.
func (s *Source) Rhythm() string {
	if s.StaleAfter == 0 {
		return ""
	}
	return map[string]string{
		"mes": "todo mês", "trimestre": "todo trimestre, um a dois meses depois do fim dele", "dia": "quase todo dia, sem dia certo",
		"edicao": "em edições, em geral duas por ano",
	}[s.PeriodKind]
}

// Stale reports whether a load of period is stale at now: more than StaleAfter days have passed
// since the period ended. It returns nil when that cannot be said, because the rhythm is unknown or
// the period is no date. A period is AAAA-MM, AAAA-MM-DD or the publisher's label.
func (s *Source) Stale(period string, now time.Time) *bool {
	if s.StaleAfter == 0 {
		return nil
	}
	end, err := time.Parse(time.DateOnly, period)
	if err != nil {
		month, err := time.Parse("2006-01", period)
		if err != nil {
			return nil
		}
		end = month.AddDate(0, 1, -1)
	}
	stale := now.After(end.AddDate(0, 0, s.StaleAfter+1))
	return &stale
}
