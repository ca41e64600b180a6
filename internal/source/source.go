// Package source describes the public-record sources as data: what each is, who publishes it, which fields its items
// have and when a load of it is old. A further source is one entry of the table here and one loader.
package source

import (
	"slices"
	"time"
)

// Kind says how the value of a field is kept and shown.
type Kind uint8

// The kinds of fields. Whatever the kind, an empty value is null.
const (
	Text     Kind = iota // a JSON string
	Code                 // a JSON string that many records share: kept once for each load
	Number               // a JSON number with the digits of the publisher
	JSON                 // a JSON value of any kind, complete
	Document             // the CNPJ under which the record is kept; a JSON string
)

// Field is one field of a source's items. Names are those of the publisher, lower case and without accents.
type Field struct {
	Name     string
	Kind     Kind
	Unit     string // of a number, or how a date is written; "" of what has neither
	About    string // what it holds, in Portuguese
	Personal bool   // may name a natural person or lead to one; the names of companies are not meant
}

// Says returns what is said of a field, with its unit.
func (f *Field) Says() string {
	if f.Unit == "" {
		return f.About
	}
	return f.About + " (" + f.Unit + ")"
}

// Source is one public-record source.
type Source struct {
	ID          string
	Theme       string // a group of registros_publicos
	Title       string
	Description string
	Orgao       string
	Conjunto    string
	URL         string
	Licenca     string
	Atribuicao  string // "" unless the licence asks for a wording of its own
	Metodologia string // path of the page that explains how records were linked, "" when they are published as they are

	PeriodKind  string // mes, trimestre, dia, edicao or versao
	CompanyOnly bool   // the publisher names the company only, not the establishment
	Floor       int64  // rows that a real file has at the least; fewer mean that it was cut short
	Records     int64  // records of companies that a real file gives at the least; fewer mean that its format has changed
	StaleAfter  int    // days after the end of the period; 0: nothing is known of how often it is published

	Fields []Field
	Facts  Facts
}

// Themes returns the groups of registros_publicos in their order.
func Themes() []string {
	var themes []string
	for _, s := range All() {
		if !slices.Contains(themes, s.Theme) {
			themes = append(themes, s.Theme)
		}
	}
	return themes
}

// IDs returns the ids of all sources in their order.
func IDs() []string {
	var ids []string
	for _, s := range All() {
		ids = append(ids, s.ID)
	}
	return ids
}

// Find returns the source with an id.
func Find(id string) (Source, bool) {
	all := All()
	i := slices.IndexFunc(all, func(s Source) bool { return s.ID == id })
	if i < 0 {
		return Source{}, false
	}
	return all[i], true
}

// Addresses returns the names of the fields of a source that may hold where a person lives.
func Addresses(id string) []string {
	switch id {
	case "mte_empregadores", "mte_ceac":
		return []string{"estabelecimento"}
	}
	return nil
}

// Rhythm says how often the source is published; "" when nothing is known of it.
func (s *Source) Rhythm() string {
	if s.StaleAfter == 0 {
		return ""
	}
	return map[string]string{
		"mes": "todo mês", "trimestre": "todo trimestre, um a dois meses depois do fim dele", "dia": "em dias, às vezes todos",
		"edicao": "em edições, em geral duas por ano",
	}[s.PeriodKind]
}

// Stale says whether a load of a period is old at a time; nil when that is not known: the source has no known rhythm, or
// its period is a label and no date. Periods are AAAA-MM, AAAA-MM-DD or the publisher's label.
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
