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
	OpeningYear       int   // 0 unknown
	Capital           int64 // cents, negative when unknown
	Branches          int   // establishments of the company, this one included
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
	fieldName    = 'n' // words of legal and trade name
	fieldPrefix  = 'p' // first one to five letters of the words of n, active establishments only
	fieldPartner = 's' // words of the partners' names
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
	out         []byte
}

// encode returns the terms of d: a flag byte (1 active), then per term its length and its key. Valid until the next call.
func (e *encoder) encode(d *Doc) []byte {
	e.out = e.out[:0]
	var active byte
	if d.SituacaoCadastral == situacaoAtiva {
		active = 1
	}
	e.out = append(e.out, active)
	e.name(d.RazaoSocial)
	e.name(d.NomeFantasia)
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
		start := len(e.out)
		e.out = append(e.out, 0, field)
		e.out = append(e.out, e.words.word(i)...)
		e.close(start)
	}
}

// name adds the words of a legal or trade name and the key of the whole name.
func (e *encoder) name(name string) {
	e.words.scan(name)
	if len(e.words.spans) == 0 {
		return
	}
	e.wordTerms(fieldName)
	e.significant = e.words.significant(e.significant)
	start := len(e.out)
	e.out = append(e.out, 0, fieldFilter, 'x')
	e.out = e.words.appendNameKey(e.out, e.significant)
	e.close(start)
}

// partner adds the words of a partner's name and the document: d and the six visible digits of a CPF, j and a CNPJ.
func (e *encoder) partner(p *Partner) {
	e.words.scan(p.Name)
	e.wordTerms(fieldPartner)
	switch n := len(p.Document); {
	case n == 11 && strings.HasPrefix(p.Document, "***") && strings.HasSuffix(p.Document, "**"):
		e.term(fieldFilter, "d", p.Document[3:9])
	case n == 14:
		e.term(fieldFilter, "j", p.Document)
	}
}

// filterTerms adds the terms of field f. One field holds many kinds, told apart by their first letters:
//
//	c<cnae> main activity: division, group, class, subclass (2, 3, 5, 7 digits)   k<cnae> secondary, 7 digits
//	d<6 digits> j<14 positions> documents of partners                             x<key> whole name
//	h active head offices: hu<UF> hm<municipality>                                t head office
//	m<municipality>  ms<municipality><situação>  u<UF>  us<UF><situação>          s<situação>
//	n<natureza>  omei  osimples  p<porte>  y<year of opening>  z<digits of the capital in reais>
func (e *encoder) filterTerms(d *Doc) {
	e.coded("s", d.SituacaoCadastral)
	e.coded("p", d.PorteEmpresa)
	e.coded("n", d.NaturezaJuridica)
	for _, digits := range [...]int{2, 3, 5, 7} {
		if len(d.CNAE) >= digits {
			e.term(fieldFilter, "c", d.CNAE[:digits])
		}
	}
	for code := range strings.SplitSeq(d.CNAEsSecundarios, ",") {
		e.coded("k", code)
	}
	e.place(d)
	if d.MEI {
		e.term(fieldFilter, "omei")
	}
	if d.Simples {
		e.term(fieldFilter, "osimples")
	}
	if d.OpeningYear > 0 {
		e.coded("y", strconv.Itoa(d.OpeningYear))
	}
	if d.Capital >= 0 {
		e.coded("z", strconv.Itoa(len(strconv.FormatInt(d.Capital/100, 10))))
	}
}

// place adds where the establishment is, alone and together with its situation.
func (e *encoder) place(d *Doc) {
	if d.HeadOffice {
		e.term(fieldFilter, "t")
	}
	activeHead := d.HeadOffice && d.SituacaoCadastral == situacaoAtiva
	if d.UF != "" {
		e.term(fieldFilter, "u", d.UF)
		e.term(fieldFilter, "us", d.UF, d.SituacaoCadastral)
		if activeHead {
			e.term(fieldFilter, "hu", d.UF)
		}
	}
	if d.Municipio != "" {
		e.term(fieldFilter, "m", d.Municipio)
		e.term(fieldFilter, "ms", d.Municipio, d.SituacaoCadastral)
		if activeHead {
			e.term(fieldFilter, "hm", d.Municipio)
		}
	}
}

func (e *encoder) coded(kind, code string) {
	if code != "" {
		e.term(fieldFilter, kind, code)
	}
}
