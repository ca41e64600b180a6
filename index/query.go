package index

import (
	"fmt"
	"slices"

	"razao/index/term"
	"razao/internal/cnpj"
)

// MaxTotal is the highest total that is counted; beyond it results say "more than". It is also how far an export goes.
const MaxTotal = 10_000

// Query is what a person asked for. The zero Limit counts without returning hits.
type Query struct {
	Text    string // empty: a listing of what Filters leave
	Filters Filters
	// Order of the hits. With a text, another order than ByRank applies to everything found, whatever the reason.
	Order         Order
	Offset, Limit int
	LiteralPlaces bool  // words that name a city or state are not taken for a filter
	Scope         Scope // where the words are looked for
	// ByCompany has each company once: the first of its establishments by reason and importance stands for it. Pages and Total are
	// of companies.
	ByCompany bool
}

// Scope is where the words of a text are looked for. Numbers are found in any.
type Scope int

// The scopes.
const (
	InAll      Scope = iota
	InNames          // legal and trade names
	InPartners       // names of partners
)

// has says whether hits of a reason are in the scope.
func (s Scope) has(why Why) bool {
	switch s {
	case InNames:
		return why != WhyPartner && why != WhyActivity
	case InPartners:
		return why == WhyPartner
	}
	return true
}

// Filters narrow a query. The zero value narrows nothing; in each field "", 0 and Any do not.
type Filters struct {
	UF        string // "SP"; "EX" is abroad
	Municipio string // 4 digits of the tax authority
	Situacao  string // "01", "02" (active), "03", "04", "08"
	Porte     string // "01", "03", "05"; "00" is not informed
	Natureza  string // 4 digits
	// CNAE is of the main activity: a section's letter, or 2, 3, 5 or 7 digits: division, group, class, subclass.
	CNAE             string
	CNAEAny          string // the same, of the main or a secondary activity
	MEI, Simples     Choice
	HeadOffice       Choice
	YearFrom, YearTo int         // of opening, both included
	Capital          CapitalBand // one of CapitalBands
	Source           string      // id of a source that has records of the company: one of Sources
	// PartnerDigits are the six visible digits of a person among the partners, PartnerRoot the eight positions of a company
	// among them. Partners are known of the head office and of the company's first establishment, mostly the same one. The
	// digits are not for visitors to choose: many people share them, and callers compare the name as well.
	PartnerDigits, PartnerRoot string
}

// Choice narrows by something that is or is not.
type Choice int

// The choices. Any does not narrow.
const (
	Any Choice = iota
	Yes
	No
)

// Order of a listing. Documents that are equal in it follow by importance.
type Order int

// The orders. What has no capital, name or date comes last.
const (
	ByRank    Order = iota // importance: active, head office, size, capital
	ByCapital              // largest first, implausible ones behind all others
	ByName                 // legal name, as words are folded
	ByNewest               // opening
	ByOldest               // opening; on the same day the less important first
)

// CapitalBand is a range of the capital in reais, by its name: "1-10k" is from 1 to less than 10,000.
type CapitalBand string

// CapitalBands returns the bands, rising. "0" is less than one real, "100m" is 100 million and more.
func CapitalBands() []CapitalBand {
	return []CapitalBand{"0", "1-10k", "10k-100k", "100k-1m", "1m-10m", "10m-100m", "100m"}
}

// FilterError says that a filter has a value that cannot exist.
type FilterError struct {
	Field string // uf, municipio, situacao, porte, natureza, cnae, cnae_todos, mei, simples, matriz, ano_de, ano_ate, capital, fonte, socio_digitos, socio_raiz, ordem
	Value string
}

func (e *FilterError) Error() string { return fmt.Sprintf("filter %s cannot be %q", e.Field, e.Value) }

// Validate returns a *FilterError for the first value that cannot exist, nil when all can. Codes that may exist but
// that no establishment has are valid: they find nothing.
func (f Filters) Validate() error {
	for _, check := range []struct {
		field, value string
		ok           bool
	}{
		{"uf", f.UF, f.UF == "" || term.UFNumber(f.UF) > 0},
		{"municipio", f.Municipio, f.Municipio == "" || term.IsDigits(f.Municipio, 4)},
		{"situacao", f.Situacao, slices.Contains([]string{"", "01", "02", "03", "04", "08"}, f.Situacao)},
		{"porte", f.Porte, slices.Contains([]string{"", "00", "01", "03", "05"}, f.Porte)},
		{"natureza", f.Natureza, f.Natureza == "" || term.IsDigits(f.Natureza, 4)},
		{"cnae", f.CNAE, isCNAE(f.CNAE)},
		{"cnae_todos", f.CNAEAny, isCNAE(f.CNAEAny)},
		{"mei", fmt.Sprint(f.MEI), f.MEI >= Any && f.MEI <= No},
		{"simples", fmt.Sprint(f.Simples), f.Simples >= Any && f.Simples <= No},
		{"matriz", fmt.Sprint(f.HeadOffice), f.HeadOffice >= Any && f.HeadOffice <= No},
		{"ano_de", fmt.Sprint(f.YearFrom), f.YearFrom == 0 || term.IsYear(f.YearFrom)},
		{"ano_ate", fmt.Sprint(f.YearTo), f.YearTo == 0 || term.IsYear(f.YearTo) && f.YearTo >= f.YearFrom},
		{"capital", string(f.Capital), f.Capital == "" || slices.Contains(CapitalBands(), f.Capital)},
		{"fonte", f.Source, f.Source == "" || slices.Contains(term.Sources(), f.Source)},
		{"socio_digitos", f.PartnerDigits, f.PartnerDigits == "" || term.IsDigits(f.PartnerDigits, 6)},
		{"socio_raiz", f.PartnerRoot, f.PartnerRoot == "" || isRoot(f.PartnerRoot)},
	} {
		if !check.ok {
			return &FilterError{check.field, check.value}
		}
	}
	return nil
}

func (q *Query) validate() error {
	if q.Order < ByRank || q.Order > ByOldest {
		return &FilterError{"ordem", fmt.Sprint(int(q.Order))}
	}
	return q.Filters.Validate()
}

// isRoot says whether a text is a root as terms have it: in capitals, without punctuation.
func isRoot(s string) bool {
	root, err := cnpj.ParseRoot(s)
	return err == nil && root.String() == s
}

func isCNAE(s string) bool {
	switch len(s) {
	case 0:
		return true
	case 1:
		return s[0] >= 'A' && s[0] <= 'U'
	case 2, 3, 5, 7:
		return term.IsDigits(s, len(s))
	}
	return false
}

// Results of a query: one page of hits, and how many there are in all.
type Results struct {
	Hits         []Hit // never nil; ByRank: in order of the reason, then of importance (numbers: of the CNPJ)
	Total        int
	TotalIsFloor bool // there are more than Total: it is MaxTotal, or the query was cut short
	// Establishments is how many establishments are found, of which companies stand for several; it is a floor with Total.
	Establishments int
	Understood     Understood
}

// Understood says how a text was read where it was not taken as it stands. All its lists may be nil.
type Understood struct {
	Places      []PlaceFilter // what became a filter, whether or not it leaves anything; Query.LiteralPlaces undoes it
	Corrections []Correction  // only when nothing matched as typed
	Dropped     []string      // words left out as the last resort
	Activity    string        // what was also looked for as an activity, in Portuguese; "" when that found nothing
	Phrases     []string      // quoted words that must stand together
}

// PlaceFilter is a place that words of the query name.
type PlaceFilter struct {
	Words     string // as folded: "campinas sp"
	UF        string
	Municipio string // 4 digits, "" for a whole state
}

// Correction is a word that nothing matched and the one that was searched instead, both folded.
type Correction struct{ From, To string }

// Hit is a found establishment and why it was found.
type Hit struct {
	CNPJ cnpj.Full
	Why  Why
}

// Why is the reason of a hit; a smaller one comes first in the results.
type Why int

// The reasons, best first. An establishment that has several is listed under the first.
const (
	WhyCNPJ      Why = iota // its number is, or begins with, what was typed
	WhyExactName            // the legal or the trade name is what was typed, legal suffixes and particles aside
	WhyName                 // legal and trade name have all the words
	WhyPrefix               // the same with the last word taken as the beginning of one
	WhyPartner              // a partner's name has all the words
	WhyActivity             // the main activity is what the words say: see Understood.Activity
	WhySound                // names have words that sound like these
	WhyCorrected            // names match once a typing error is corrected: see Understood.Corrections
	WhyPartial              // names have all words but one: see Understood.Dropped
	WhyListed               // no text was asked for: the filters leave it
)
