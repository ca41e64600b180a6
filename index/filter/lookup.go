package filter

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"razao/index/intent"
	"razao/index/term"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
)

// Describer returns the meaning of a code in the load that is asked; ok is false for a code that
// the load does not have.
type Describer interface {
	Describe(kind record.Domain, code string) (text string, ok bool)
}

// AnyLoad is a Describer without a load: it accepts every code that some load may have, under its
// own text. Whatever Read refuses with it, it refuses with any load.
type AnyLoad struct{}

// Describe implements Describer. Domains with a fixed set of codes are checked, others are not.
func (AnyLoad) Describe(kind record.Domain, code string) (text string, ok bool) {
	if few, fixed := record.LayoutDomains()[kind]; fixed {
		text, ok = few[code]
		return text, ok
	}
	return code, true
}

// Reader parses values of filters and completes them. Safe for concurrent use.
type Reader struct {
	*builtIn
	lexicons sync.Map // lexiconKind to the *lexicon of the load that was asked last
}

// builtIn is what the built-in tables tell of places and activities.
type builtIn struct {
	atlas  *territory.Atlas
	ufs    []territory.UF
	cnae   record.CNAE
	towns  map[string][]territory.Municipality // by the slugs of their names
	places municipalityIndex
}

// NewReader returns a Reader. It fails only when a built-in table is damaged.
func NewReader() (*Reader, error) {
	tables, err := readTables()
	if err != nil {
		return nil, err
	}
	return &Reader{builtIn: tables}, nil
}

// readTables reads the built-in tables, once.
var readTables = sync.OnceValues(func() (*builtIn, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	cnae, err := record.LoadCNAE()
	if err != nil {
		return nil, err
	}
	return &builtIn{atlas, atlas.UFs(), cnae, atlas.ByName(ptbr.Slug), newMunicipalityIndex(atlas)}, nil
})

// lookup is the context of parsing one value.
type lookup struct {
	*Reader
	Describer
	*Filter
	values url.Values // all parameters: a UF decides between municipalities of one name
	alone  bool       // the filter has no other value
	// ambiguous is set by find when the text stands for several values.
	ambiguous []string
	// readings is set by find when the text stands for different numbers: see readings.
	readings []string
	// suggestions is set by find when the text is a name instead of a code: values with these
	// words.
	suggestions []Option
}

// find returns the value in the form of the index and its name for people; false when there is no
// such value. It need not check the domain: [Filter.takes] does.
func (q *lookup) find(given string) (value, text string, ok bool) {
	switch {
	case q.Options != nil:
		return option(q, given)
	case q.Domain == record.DomainCNAE:
		return findCNAE(q, given)
	case q.Domain == record.DomainMunicipio:
		return findMunicipality(q, given)
	case q.Domain != "":
		return inDomain(q, given)
	}
	switch q.Form {
	case Coded: // the only one without a table in the load
		return findUF(q, given)
	case Tel:
		return findTelephone(given)
	case Mail:
		value = term.EmailCode(given)
		return value, value, value != ""
	case Digits:
		return findDigits(given)
	case Host:
		return findDomain(given)
	case Date:
		return findDate(q, given)
	case Number:
		return findNumber(q, given)
	case Amount:
		return findAmount(q, given)
	}
	return given, given, true
}

// option matches one of the options, by value or by name, ignoring case and accents.
func option(q *lookup, given string) (value, text string, ok bool) {
	for _, o := range q.Options {
		if o.Value == given {
			return o.Value, o.Text, true
		}
	}
	name := ptbr.Slug(given)
	for _, o := range q.Options {
		if o.Value == name || ptbr.Slug(o.Text) == name {
			return o.Value, o.Text, true
		}
	}
	return "", "", false
}

// shortNames are words that programs may send for codes with long names.
var shortNames = map[record.Domain]map[string]string{
	record.DomainPorte: {
		"micro": record.PorteMicro, "pequeno": record.PortePequeno, "demais": record.PorteDemais, "nao_informado": record.PorteNaoInformado,
	},
}

// inDomain matches a code of the domain, alone or followed by its name as forms send it ("2062
// Sociedade…"), a short name, or the name of one of few fixed codes.
func inDomain(q *lookup, given string) (value, text string, ok bool) {
	value, _, _ = strings.Cut(strings.TrimSpace(given), " ")
	if code := strings.Replace(value, "-", "", 1); q.Domain == record.DomainNatureza && ptbr.Natureza(code) == value {
		value = code
	}
	if text, ok = ptbr.Meaning(q, q.Domain, value); ok {
		return value, text, true
	}
	value = shortNames[q.Domain][given]
	for code, text := range record.LayoutDomains()[q.Domain] {
		if ptbr.Slug(text) == ptbr.Slug(given) {
			value = code
		}
	}
	text, ok = ptbr.Meaning(q, q.Domain, value)
	return value, text, ok
}

// findUF matches the letters or the name of a UF.
func findUF(q *lookup, given string) (value, text string, ok bool) {
	uf, ok := q.atlas.UF(strings.TrimSpace(given))
	if !ok {
		i := slices.IndexFunc(q.ufs, func(uf territory.UF) bool { return ptbr.Slug(uf.Name) == ptbr.Slug(given) })
		if i < 0 {
			return "", "", false
		}
		uf = q.ufs[i]
	}
	return uf.Code, uf.Name, true
}

// findMunicipality matches a municipality, in the UF written with it or else in the UF that is the
// only one filtered by. For a name of several it sets q.ambiguous. A code that the territory lacks
// may still be in the load.
func findMunicipality(q *lookup, given string) (value, text string, ok bool) {
	state := ""
	if len(q.values[UF]) == 1 {
		state = q.values.Get(UF)
	}
	m, several, ok := q.Municipality(given, state)
	if ok {
		return m.RFB, m.Name + "/" + m.UF, true
	}
	q.ambiguous = several
	given = strings.TrimSpace(given)
	text, ok = ptbr.Meaning(q, record.DomainMunicipio, given)
	return given, text, ok
}

// Municipality returns a municipality by the code of the tax authority, by IBGE's, or by one of its
// names, alone or as Campinas/SP. uf restricts names without a UF, "" for any. A name means those that
// IBGE calls so today rather than others. When it is ambiguous all the same, ok is false and several
// has the candidates as Name/UF, sorted.
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
	slug := ptbr.Slug(name)
	towns := slices.DeleteFunc(slices.Clone(r.towns[slug]), func(m territory.Municipality) bool {
		return state != "" && !strings.EqualFold(m.UF, state)
	})
	if today := func(m territory.Municipality) bool { return m.Slug == slug }; slices.ContainsFunc(towns, today) {
		towns = slices.DeleteFunc(towns, func(m territory.Municipality) bool { return !today(m) })
	}
	if len(towns) == 1 {
		return towns[0], nil, true
	}
	for _, m := range towns {
		several = append(several, m.Name+"/"+m.UF)
	}
	slices.Sort(several)
	return territory.Municipality{}, several, false
}

var cnaePunctuation = strings.NewReplacer(".", "", "-", "", "/", "", " ", "")

// markedCNAE is a code of the CNAE, or the beginning of one, with marks where these are written: 4721-1/02 or 47.21-1-02.
var markedCNAE = regexp.MustCompile(`^(?:\pL|\d{2}(?:\.?\d(?:\d-?\d(?:[-/]?\d{2})?)?)?)$`)

// mostAlike bounds the suggestions of an error message.
const mostAlike = 4

// findCNAE matches a code of the CNAE at any level, with or without punctuation. A text that is no
// code sets q.suggestions.
func findCNAE(q *lookup, given string) (value, text string, ok bool) {
	// Forms suggest "4721-1/02 Padaria…": the code comes first.
	code, _, _ := strings.Cut(strings.TrimSpace(given), " ")
	value = strings.ToUpper(cnaePunctuation.Replace(code))
	if !markedCNAE.MatchString(code) || !q.cnae.Has(value) {
		q.suggestions = q.Complete(nil, q.Filter, given, mostAlike)
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

// findDate matches a day, a month or a year. A month or year means its first day at a lower end and
// its last day at an upper end.
func findDate(q *lookup, given string) (value, text string, ok bool) {
	first, last, ok := intent.Days(given)
	if q.upper {
		first = last
	}
	return first, ptbr.PublishedDay(first), ok
}

// findDomain matches a domain, alone or behind an e-mail address.
func findDomain(given string) (value, text string, ok bool) {
	value = strings.ToLower(strings.TrimSpace(given[strings.LastIndexByte(given, '@')+1:]))
	return value, value, true
}
