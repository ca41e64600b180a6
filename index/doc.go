package index

import (
	"strconv"
	"strings"

	"razao/internal/cnpj"
)

// Doc is one establishment as the index sees it. Its strings may point into buffers that are reused after Add returns.
type Doc struct {
	CNPJ         cnpj.Full
	HeadOffice   bool
	RazaoSocial  string // of the company, CPFs already masked (***456789**)
	NomeFantasia string // of the establishment, CPFs already masked
	// Partners belong to the company: give them with its head office only, or every branch is found by their names.
	Partners          []Partner
	UF                string
	Municipio         string // 4 digits of the tax authority
	SituacaoCadastral string // "01", "02", "03", "04", "08"
	PorteEmpresa      string // "01", "03", "05"; other values count as not informed
	NaturezaJuridica  string // 4 digits
	CNAE              string // 7 digits
	CNAEsSecundarios  string // 7 digits each, separated by commas
	MEI, Simples      bool
	Opening           int    // day of opening, AAAAMMDD; 0 unknown
	Closing           int    // day since when it is closed, AAAAMMDD; 0 unknown, or not closed
	Capital           int64  // cents, negative when unknown
	Branches          int    // establishments of the company, this one included
	Sources           uint16 // bit i: the company has records in source i of Sources
}

// Partner is a partner of the company of a document.
type Partner struct {
	Name     string
	Document string // masked CPF (***456789**), 14 positions of a CNPJ, or ""
}

// Fields of a document in the index. A posting's key is the field's letter followed by the term; the letters sort as
// the names of the fields do, which is the order they must have in a segment.
const (
	fieldID      = '_' // 8 bytes, big endian: cnpj.Full
	fieldFilter  = 'f' // filter terms, see filterTerms
	fieldName    = 'n' // words of legal and trade name, and those they are short or long for
	fieldPrefix  = 'p' // first one to five letters of the words of n, active establishments only
	fieldPartner = 's' // words of the partners' names

	lastField = 's' - fieldID + 1 // fields are told apart by their distance from the first
)

const (
	situacaoAtiva    = "02"
	situacaoSuspensa = "03"
	situacaoInapta   = "04"

	maxPrefixRunes = 5
)

// encoder turns documents into the flat list of terms that is sorted and inverted. Not safe for concurrent use.
type encoder struct {
	words       tokenizer
	significant []int
	key, out    []byte
}

// encode returns the attributes of d and its terms, each as its length and its key. Valid until the next call.
func (e *encoder) encode(d *Doc) []byte {
	e.words.scan(d.RazaoSocial)
	e.key = e.words.appendWords(e.key[:0], maxNameKey)
	a := attributes{
		facets: packFacets(d), opening: uint32(max(d.Opening, 0)), closing: uint32(max(d.Closing, 0)), activity: activityNumber(d.CNAE),
		capital: d.Capital, name: e.key,
	}
	e.out = a.append(e.out[:0])
	e.name()
	e.words.scan(d.NomeFantasia)
	e.name()
	for i := range d.Partners {
		e.partner(&d.Partners[i])
	}
	e.filterTerms(d)
	return e.out
}

// term appends one term of a field; a repeated term is dropped when the document is inverted.
func (e *encoder) term(field byte, parts ...string) {
	start := len(e.out)
	e.out = append(e.out, 0, field)
	for _, part := range parts {
		e.out = append(e.out, part...)
	}
	e.close(start)
}

// close writes the length of the term that began at start, or takes it back when it does not fit a byte.
func (e *encoder) close(start int) {
	n := len(e.out) - start - 1
	if n > 255 {
		e.out = e.out[:start]
		return
	}
	e.out[start] = byte(n)
}

func (e *encoder) wordTerms(field byte) {
	for i := range e.words.spans {
		word := e.words.word(i)
		e.word(field, word)
		if !e.words.spans[i].initials || isWeightless(word) {
			continue
		}
		for _, r := range string(word) {
			e.term(field, string(r))
		}
	}
}

func (e *encoder) word(field byte, word []byte) {
	start := len(e.out)
	e.out = append(e.out, 0, field)
	e.out = append(e.out, word...)
	e.close(start)
}

// name adds the words of the scanned legal or trade name, those they are short or long for, the pairs of words that
// follow each other, and the key of the whole name.
func (e *encoder) name() {
	if len(e.words.spans) == 0 {
		return
	}
	e.wordTerms(fieldName)
	for i := range e.words.spans {
		short, full := alsoIndexed(e.words.word(i))
		if short != "" {
			e.term(fieldName, short)
		}
		for _, word := range full {
			e.term(fieldName, word)
		}
	}
	key, before := noWords, ""
	e.significant = e.words.significant(e.significant)
	for n, i := range e.significant {
		word := canonical(e.words.word(i))
		key = key.with(word)
		if n > 0 {
			e.hash('w', pairInOrder(before, word))
		}
		before = word
	}
	e.hash('x', key)
}

func (e *encoder) hash(kind byte, h wordHash) {
	start := len(e.out)
	e.out = h.appendTerm(append(e.out, 0, fieldFilter), kind)
	e.close(start)
}

// maxPairedWords is how many words of a partner's name are paired with each other.
const maxPairedWords = 10

// partner adds the words of a partner's name, all pairs of them, and the document: d and the six visible digits of a
// CPF, j and a CNPJ.
func (e *encoder) partner(p *Partner) {
	e.words.scan(p.Name)
	e.wordTerms(fieldPartner)
	e.significant = e.words.significant(e.significant)
	e.significant = e.significant[:min(len(e.significant), maxPairedWords)]
	for n, i := range e.significant {
		for _, j := range e.significant[:n] {
			e.hash('v', pairAnyhow(string(e.words.word(j)), string(e.words.word(i))))
		}
	}
	switch n := len(p.Document); {
	case n == 11 && strings.HasPrefix(p.Document, "***") && strings.HasSuffix(p.Document, "**"):
		e.term(fieldFilter, "d", p.Document[3:9])
	case n == 14:
		e.term(fieldFilter, "j", p.Document)
	}
}

// filterTerms adds the terms of field f. One field holds many kinds, told apart by their first letters:
//
//	c<cnae> main activity: section, division, group, class, subclass     a<cnae> the same, main or secondary
//	m<municipality>  u<UF>  s<situação>  p<porte>  n<natureza>           omei  osimples  r<source>  t head office
//	ms<municipality><situação>  us<UF><situação>, of which listings are made most often
//	y<year of opening>  Y<decade of opening>                             z<number of the band of the capital>
//	d<6 digits> j<14 positions> documents of partners                    v<pair> w<pair> x<name>: see wordHash.appendTerm
func (e *encoder) filterTerms(d *Doc) {
	e.coded("s", d.SituacaoCadastral)
	rank := 2 * porteRank(d.PorteEmpresa)
	e.coded("p", portes[rank:rank+2])
	e.coded("n", d.NaturezaJuridica)
	e.activities(d)
	e.place("u", d.UF, d)
	e.place("m", d.Municipio, d)
	if d.HeadOffice {
		e.term(fieldFilter, "t")
	}
	if d.MEI {
		e.term(fieldFilter, "omei")
	}
	if d.Simples {
		e.term(fieldFilter, "osimples")
	}
	if year := d.Opening / 10_000; isYear(year) {
		e.coded("y", strconv.Itoa(year))
		e.coded("Y", strconv.Itoa(year/10))
	}
	if d.Capital >= 0 {
		e.coded("z", strconv.Itoa(capitalBand(d.Capital)))
	}
	if d.Sources == 0 {
		return
	}
	for i, source := range Sources() {
		if d.Sources>>i&1 == 1 {
			e.coded("r", source)
		}
	}
}

// activities adds the main and the secondary activities.
func (e *encoder) activities(d *Doc) {
	e.activity("c", d.CNAE)
	e.activity("a", d.CNAE)
	for code := range strings.SplitSeq(d.CNAEsSecundarios, ",") {
		e.activity("a", code)
	}
}

// activity adds an activity, and all that it belongs to.
func (e *encoder) activity(kind, code string) {
	for _, digits := range [...]int{2, 3, 5, 7} {
		if len(code) >= digits {
			e.term(fieldFilter, kind, code[:digits])
		}
	}
	e.coded(kind, section(code))
}

// section returns the letter of the CNAE section of a code, "" for a division that no section has.
func section(code string) string {
	if len(code) < 2 {
		return ""
	}
	const lastDivisions = "03A09B33C35D39E43F47G53H56I63J66K68L75M82N84O85P88Q93R96S97T99U"
	for i := 0; i < len(lastDivisions); i += 3 {
		if code[:2] <= lastDivisions[i:i+2] {
			return lastDivisions[i+2 : i+3]
		}
	}
	return ""
}

// place adds where the establishment is, alone and together with its situation.
func (e *encoder) place(kind, code string, d *Doc) {
	if code != "" {
		e.term(fieldFilter, kind, code)
		e.term(fieldFilter, kind, "s", code, d.SituacaoCadastral)
	}
}

func (e *encoder) coded(kind, code string) {
	if code != "" {
		e.term(fieldFilter, kind, code)
	}
}
