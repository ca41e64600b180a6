package filter

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"razao/index/term"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
)

// Completes reports whether Complete knows the values of the filter.
func (c *Filter) Completes() bool { return c.Form == Coded && c.Domain != "" }

// Complete returns values that typed may become, in the form that Read accepts, each with a
// description, at most most of them. Codes with this prefix come first (punctuation is ignored),
// then names with this prefix, then names of which each typed word begins a word. Municipalities
// are ordered by exact name, then population. tables are the domains of the load; without them only
// built-in codes are known. The cost is linear in the codes of the domain.
func (r *Reader) Complete(tables record.Domains, c *Filter, typed string, most int) []Option {
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

// Values returns all values of a Coded filter in the form that Read accepts, shortest codes first,
// then by code.
func (r *Reader) Values(tables record.Domains, c *Filter) []Option {
	var all []Option
	for _, e := range r.lexicon(tables, c.Domain).entries {
		all = append(all, e.Option)
	}
	return all
}

// completePlace completes a municipality as Name/UF.
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

// lexicon is the codes of a domain with folded names, in the order in which they are offered.
type lexicon struct {
	of      map[string]string // table it was made from; kept, so that its address is not reused
	entries []entry
}

// lexiconKind is the key of the cache: built-in codes and those of a load are separate lexicons.
type lexiconKind struct {
	domain record.Domain
	loaded bool
}

// entry is a code, its folded name, and the option that is offered for it.
type entry struct {
	code, name string
	Option
}

// lexicon returns the lexicon of a domain, cached per load. A load is recognized by the identity of
// its table: maps cannot be compared, so their addresses are. Concurrent misses may build it twice,
// which is harmless.
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
		made.entries = append(made.entries, entry{code, term.Fold(name), r.written(domain, code, name)})
	}
	slices.SortFunc(made.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(len(a.code), len(b.code)), cmp.Compare(a.code, b.code))
	})
	r.lexicons.Store(kind, made)
	return made
}

// names returns the codes of a domain with their names. Groups and classes of the CNAE are added
// with an empty name: no table has one.
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

// written returns a code as people read and type it, with its name. Forms separate values by
// semicolons, so names must not have any.
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

// typedPrefix is the input of a completion: the beginning of a code, or of a name.
type typedPrefix struct {
	code  string   // the first word without punctuation, in upper case
	words []string // folded
	name  string   // the words, separated by blanks
}

// newTyped prepares an input.
func newTyped(s string) *typedPrefix {
	words := strings.FieldsFunc(term.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	first, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return &typedPrefix{strings.ToUpper(cnaePunctuation.Replace(first)), words, strings.Join(words, " ")}
}

// bestRank is the highest rank of typed.rank.
const bestRank = 3

// rank returns how well an entry matches: 3 for a prefix of the code, 2 for a prefix of the name, 1
// when each typed word begins a word of the name, 0 for no match.
func (t *typedPrefix) rank(e *entry) int {
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

// beginsWord reports whether a word of a folded name begins with prefix.
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

// isAlphanumeric counts every byte of a multi-byte rune as a letter.
func isAlphanumeric(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80 }
