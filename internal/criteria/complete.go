package criteria

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"razao/index/text"
	"razao/internal/ptbr"
	"razao/internal/record"
)

// Completes says whether Complete knows the values of the filter: one of many, that a table has.
func (c *Criterion) Completes() bool { return c.Form == Coded && c.Domain != "" }

// Complete returns values that what was typed may become, as Read takes them, with what they are: the likeliest first, most of them at the
// most. Those are codes that begin with it, whatever its punctuation, then names that do, then names of which each typed word begins one;
// of municipalities those of this name, then the most populous. tables are those of the load; without them it knows what is built in.
func (r *Reader) Complete(tables record.Domains, c *Criterion, typed string, most int) []Option {
	if c.Domain == record.DomainMunicipio {
		return r.completePlace(typed, most)
	}
	t := newTyped(typed)
	if len(t.words) == 0 {
		return nil
	}
	var byRank [bestRank + 1][]Option
	for _, e := range r.lexicon(tables, c.Domain).entries {
		rank := t.rank(&e)
		byRank[rank] = append(byRank[rank], e.Option)
	}
	slices.Reverse(byRank[1:])
	options := slices.Concat(byRank[1:]...)
	return options[:min(len(options), most)]
}

// Values returns all values of a filter by one of many, as Read takes them, by code.
func (r *Reader) Values(tables record.Domains, c *Criterion) []Option {
	var all []Option
	for _, e := range r.lexicon(tables, c.Domain).entries {
		all = append(all, e.Option)
	}
	return all
}

func (r *Reader) completePlace(typed string, most int) []Option {
	whole, others := r.Places(typed, most, most)
	places := append(whole, others...)
	var options []Option
	for _, m := range places[:min(len(places), most)] {
		uf, _ := r.atlas.UF(m.UF)
		options = append(options, Option{m.Name + "/" + m.UF, uf.Name})
	}
	return options
}

// lexicon is the codes of a table in the order in which they are offered.
type lexicon struct {
	of      map[string]string // the table of the load; kept, nothing else can have its address
	entries []entry
}

// lexiconKind parts what is built in from what a load has.
type lexiconKind struct {
	domain record.Domain
	loaded bool
}

// entry is a code with its folded name, and what is offered for it.
type entry struct {
	code, name string
	Option
}

// lexicon makes that of a domain, once for the tables of each load.
func (r *Reader) lexicon(tables record.Domains, domain record.Domain) *lexicon {
	of := tables[domain]
	kind := lexiconKind{domain, of != nil}
	if known, ok := r.lexicons.Load(kind); ok {
		if known := known.(*lexicon); reflect.ValueOf(known.of).Pointer() == reflect.ValueOf(of).Pointer() {
			return known
		}
	}
	made := &lexicon{of: of}
	for code, name := range r.names(tables, domain) {
		made.entries = append(made.entries, entry{code, text.Fold(name), r.written(domain, code, name)})
	}
	slices.SortFunc(made.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(len(a.code), len(b.code)), cmp.Compare(a.code, b.code))
	})
	r.lexicons.Store(kind, made)
	return made
}

// names returns the codes of a domain with their names. Groups and classes of the CNAE have none.
func (r *Reader) names(tables record.Domains, domain record.Domain) map[string]string {
	named := map[string]string{}
	for code := range tables[domain] {
		named[code], _ = ptbr.Meaning(tables, domain, code)
	}
	if domain != record.DomainCNAE {
		return named
	}
	loaded := len(named) > 0
	for code, name := range r.cnae {
		if len(code) <= 2 || !loaded {
			named[code] = name
		}
	}
	for _, code := range slices.Collect(maps.Keys(named)) {
		if len(code) == 7 {
			named[code[:3]], named[code[:5]] = "", ""
		}
	}
	return named
}

// written is a code as people read and type it, with its name; forms part values by semicolons, so that names have none.
func (r *Reader) written(domain record.Domain, code, name string) Option {
	value, about := code, ""
	switch {
	case domain == record.DomainNatureza:
		value = ptbr.Natureza(value)
	case domain != record.DomainCNAE:
	case len(value) == 1:
		about = "Seção"
	case len(value) == 2:
		about = "Divisão"
	case len(value) == 3:
		about = "Grupo: " + r.cnae[value[:2]]
	case len(value) == 5:
		value, about = value[:4]+"-"+value[4:], "Classe: "+r.cnae[value[:2]]
	default:
		value, about = ptbr.CNAE(value), "Subclasse"
	}
	return Option{ptbr.Join(" ", value, strings.ReplaceAll(name, ";", ",")), about}
}

// typed is what somebody typed, who means a code or a name.
type typed struct {
	code  string // its beginning, without punctuation, in upper case
	words []string
	name  string // the words with blanks
}

func newTyped(s string) *typed {
	words := strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	first, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return &typed{strings.ToUpper(cnaePunctuation.Replace(first)), words, strings.Join(words, " ")}
}

const bestRank = 3

// rank says how well a code and its name are what was typed, 0 for not at all.
func (t *typed) rank(e *entry) int {
	if t.code != "" && strings.HasPrefix(e.code, t.code) {
		return bestRank
	}
	if strings.HasPrefix(e.name, t.name) {
		return bestRank - 1
	}
	for _, word := range t.words {
		if !beginsWord(e.name, word) {
			return 0
		}
	}
	return 1
}

// beginsWord says whether a word of a folded name begins with prefix.
func beginsWord(name, prefix string) bool {
	for at := 0; ; at++ {
		i := strings.Index(name[at:], prefix)
		if i < 0 {
			return false
		}
		at += i
		if at == 0 || !isAlphanumeric(name[at-1]) {
			return true
		}
	}
}

func isAlphanumeric(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80 }
