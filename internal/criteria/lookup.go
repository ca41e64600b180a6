package criteria

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"sync"

	"razao/index/filter"
	"razao/index/intent"
	"razao/internal/cnae"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/slug"
	"razao/internal/territory"
)

// Describer tells what codes mean in the load that is asked.
type Describer interface {
	Describe(kind record.Domain, code string) (text string, ok bool)
}

// AnyLoad describes every code that a load may have, for who has none at hand: what is refused with it is refused with any.
type AnyLoad struct{}

// Describe is that of a Describer.
func (AnyLoad) Describe(kind record.Domain, code string) (text string, ok bool) {
	if few, fixed := record.LayoutDomains()[kind]; fixed {
		text, ok = few[code]
		return text, ok
	}
	return code, true
}

// Reader turns what people and programs write into filters. Safe for concurrent use.
type Reader struct {
	atlas  *territory.Atlas
	ufs    []territory.UF
	cnae   cnae.Names
	towns  map[string][]territory.Municipality // by the slugs of their names
	places municipalityIndex

	lexicons sync.Map // by lexiconKind: the *lexicon of the load that was asked last
}

// NewReader returns a reader. An error means that the program was built with a damaged table.
func NewReader(atlas *territory.Atlas) (*Reader, error) {
	names, err := cnae.Load()
	if err != nil {
		return nil, err
	}
	r := &Reader{atlas: atlas, ufs: atlas.UFs(), cnae: names, towns: map[string][]territory.Municipality{}, places: newMunicipalityIndex(atlas)}
	for _, m := range atlas.Municipalities() {
		if m.IBGE != "" {
			r.towns[m.Slug] = append(r.towns[m.Slug], m)
		}
	}
	return r, nil
}

// question is what is being read.
type question struct {
	*Reader
	Describer
	*Criterion
	values url.Values
	// among are the values that may be meant, of one that stands for several.
	among []string
	// like are values with the words that are given for a code.
	like []Option
}

// lookUp returns how the index writes a value and what it is called; false when there is no such value.
type lookUp func(q *question, given string) (value, text string, ok bool)

func asGiven(_ *question, given string) (value, text string, ok bool) { return given, given, true }

// digitsOnly leaves out what people part digits with.
func digitsOnly(q *question, given string) (value, text string, ok bool) {
	value = strings.NewReplacer(".", "", "-", "", " ", "").Replace(given)
	if q.Form == Number {
		return value, ptbr.Number(value), true
	}
	return value, ptbr.CEP(value), true
}

// option finds one of the options, by its value or by what it is called.
func option(q *question, given string) (value, text string, ok bool) {
	for _, o := range q.Options {
		if o.Value == given || slug.Make(o.Text) == slug.Make(given) || o.Value == slug.Make(given) {
			return o.Value, o.Text, true
		}
	}
	return "", "", false
}

// shortNames are what programs call codes whose names are long.
var shortNames = map[record.Domain]map[string]string{
	record.DomainPorte: {
		"micro": record.PorteMicro, "pequeno": record.PortePequeno, "demais": record.PorteDemais, "nao_informado": record.PorteNaoInformado,
	},
}

// inDomain finds a code of the table, with what it is called behind it or without, or one of few by that alone.
func inDomain(q *question, given string) (value, text string, ok bool) {
	code, _, _ := strings.Cut(strings.TrimSpace(given), " ")
	value = strings.ReplaceAll(code, "-", "")
	if text, ok = ptbr.Meaning(q, q.Domain, value); ok {
		return value, text, true
	}
	value = shortNames[q.Domain][given]
	for code, text := range record.LayoutDomains()[q.Domain] {
		if slug.Make(text) == slug.Make(given) {
			value = code
		}
	}
	text, ok = ptbr.Meaning(q, q.Domain, value)
	return value, text, ok
}

func findUF(q *question, given string) (value, text string, ok bool) {
	uf, ok := q.atlas.UF(strings.TrimSpace(given))
	if !ok {
		i := slices.IndexFunc(q.ufs, func(uf territory.UF) bool { return slug.Make(uf.Name) == slug.Make(given) })
		if i < 0 {
			return "", "", false
		}
		uf = q.ufs[i]
	}
	return uf.Code, uf.Name, true
}

// findMunicipality finds a municipality in the state that is given with it or is another filter. Of several there is none; they are noted.
func findMunicipality(q *question, given string) (value, text string, ok bool) {
	state := ""
	if len(q.values[filter.UF]) == 1 {
		state = q.values.Get(filter.UF)
	}
	m, several, ok := q.Municipality(given, state)
	if ok {
		return m.RFB, m.Name + "/" + m.UF, true
	}
	q.among = several
	given = strings.TrimSpace(given)
	text, ok = ptbr.Meaning(q, record.DomainMunicipio, given)
	return given, text, ok
}

// Municipality finds a municipality by the tax authority's code, by IBGE's, or by its name, alone or as Campinas/SP. uf is the state of
// those that are named alone, "" for any; a name that several have is that of none, but of these.
func (r *Reader) Municipality(given, uf string) (m territory.Municipality, several []string, ok bool) {
	given = strings.TrimSpace(given)
	if m, ok = r.atlas.ByRFB(given); ok {
		return m, nil, true
	}
	if m, ok = r.atlas.ByIBGE(given); ok {
		return m, nil, true
	}
	name, state, _ := strings.Cut(given, "/")
	state = strings.TrimSpace(cmp.Or(state, uf))
	var towns []territory.Municipality
	for _, m := range r.towns[slug.Make(name)] {
		if state == "" || strings.EqualFold(m.UF, state) {
			towns, several = append(towns, m), append(several, m.Name+"/"+m.UF)
		}
	}
	if len(towns) == 1 {
		return towns[0], nil, true
	}
	slices.Sort(several)
	return territory.Municipality{}, several, false
}

var cnaePunctuation = strings.NewReplacer(".", "", "-", "", "/", "", " ", "")

// mostAlike bounds what a message lists.
const mostAlike = 4

func findCNAE(q *question, given string) (value, text string, ok bool) {
	// Forms suggest "4721-1/02 Padaria…": the code comes first.
	code, _, _ := strings.Cut(strings.TrimSpace(given), " ")
	value = strings.ToUpper(cnaePunctuation.Replace(code))
	if !q.cnae.Has(value) {
		q.like = q.Complete(nil, q.Criterion, given, mostAlike)
		return "", "", false
	}
	switch len(value) {
	case 7:
		text, _ = q.Describe(record.DomainCNAE, value)
		return value, ptbr.Join(" ", ptbr.CNAE(value), text), true
	case 5:
		return value, "Classe " + value[:4] + "-" + value[4:], true
	case 3:
		return value, "Grupo " + value, true
	}
	return value, value + " " + q.cnae[value], true
}

// findDate reads a day, or a month or a year, which at a lower end are their first day and at an upper one their last.
func findDate(q *question, given string) (value, text string, ok bool) {
	first, last, ok := intent.Days(given)
	if q.Upper() {
		first = last
	}
	return first, ptbr.PublishedDay(first), ok
}

// findAmount reads an amount as people write it, too: R$ 100 mil.
func findAmount(_ *question, given string) (value, text string, ok bool) {
	value = given
	if filter.Of(filter.CapitalFrom, given).Validate() != nil {
		if value, ok = intent.Reais(given); !ok {
			return "", "", false
		}
	}
	return value, reais(value), true
}

// reais writes an amount of an address as people do.
func reais(value string) string {
	return "R$" + ptbr.NBSP + ptbr.Number(strings.TrimSuffix(value, ".00"))
}

func findDomain(_ *question, given string) (value, text string, ok bool) {
	value = strings.ToLower(strings.TrimSpace(given[strings.LastIndexByte(given, '@')+1:]))
	return value, value, true
}
