package build

import (
	"slices"
	"strings"

	"razao/index/column"
	"razao/index/term"
	"razao/index/text"
)

// encoder turns documents into the flat list of terms that is sorted and inverted. Not safe for concurrent use.
type encoder struct {
	words       text.Tokenizer
	significant []int
	partners    []Partner
	key, out    []byte
}

// encode returns the attributes of d and its terms, each as its length and its key. Valid until the next call.
func (e *encoder) encode(d *Doc) []byte {
	e.words.Scan(d.RazaoSocial)
	e.key = e.words.AppendWords(e.key[:0], column.MaxNameKey)
	a := d.values().Attributes(e.key)
	e.out = a.Append(e.out[:0])
	e.name()
	e.words.Scan(d.NomeFantasia)
	e.name()
	e.everybody(d.Partners)
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
	for i := range e.words.Len() {
		word := e.words.Word(i)
		e.word(field, word)
		if !e.words.IsInitials(i) || text.IsWeightless(word) {
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
	if e.words.Len() == 0 {
		return
	}
	e.wordTerms(term.FieldName)
	for i := range e.words.Len() {
		e.sound(string(e.words.Word(i)))
		short, full := text.AlsoIndexed(e.words.Word(i))
		if short != "" {
			e.term(term.FieldName, short)
		}
		for _, word := range full {
			e.term(term.FieldName, word)
		}
	}
	key, before := term.NoWords, ""
	e.significant = e.words.Significant(e.significant)
	for n, i := range e.significant {
		word := text.Canonical(e.words.Word(i))
		key = key.With(word)
		if n > 0 {
			e.hash(term.NamePair, term.PairInOrder(before, word))
		}
		before = word
	}
	e.hash(term.WholeName, key)
}

// sound adds how a word sounds.
func (e *encoder) sound(word string) {
	if sound := text.Sound(word); !strings.EqualFold(sound, word) {
		e.term(term.FieldSound, sound)
	}
}

func (e *encoder) hash(kind byte, h term.Hash) {
	start := len(e.out)
	e.out = h.AppendTerm(append(e.out, 0, term.FieldFilter), kind)
	e.close(start)
}

// everybody adds the partners. They are counted by their names, so that it does not matter in which order they come, nor that some
// are published twice.
func (e *encoder) everybody(partners []Partner) {
	e.partners = append(e.partners[:0], partners...)
	slices.SortFunc(e.partners, ComparePartners)
	names := 0
	for i := range e.partners {
		if i > 0 && e.partners[i].Name != e.partners[i-1].Name {
			names++
		}
		e.partner(names, &e.partners[i])
	}
}

// partner adds the words of a partner's name, those with weight also as his, and the document: d and the six visible digits of a
// CPF, j and a CNPJ.
func (e *encoder) partner(i int, p *Partner) {
	e.words.Scan(p.Name)
	e.wordTerms(term.FieldPartner)
	e.significant = e.words.Significant(e.significant)
	for _, word := range e.significant {
		e.hash(term.PartnerWord, term.PartnerHash(i, string(e.words.Word(word))))
	}
	e.coded(term.PartnerKind, p.Kind)
	e.coded(term.PartnerRole, p.Role)
	e.coded(term.PartnerAge, p.Age)
	switch n := len(p.Document); {
	case n == 11 && strings.HasPrefix(p.Document, "***") && strings.HasSuffix(p.Document, "**"):
		e.term(term.FieldFilter, term.PartnerDigits, p.Document[3:9])
	case n == 14:
		e.term(term.FieldFilter, term.PartnerCNPJ, p.Document)
	}
}

// filterTerms adds the terms of term.FieldFilter, by which queries are narrowed.
func (e *encoder) filterTerms(d *Doc) {
	e.coded(term.Situacao, d.SituacaoCadastral)
	e.coded(term.Porte, term.PorteCode(term.PorteRank(d.PorteEmpresa)))
	e.coded(term.Natureza, d.NaturezaJuridica)
	e.activities(d)
	e.place(term.UF, term.UFSituacao, d.UF, d)
	e.place(term.Municipio, term.MunicipioSituacao, d.Municipio, d)
	if d.HeadOffice {
		e.term(term.FieldFilter, term.HeadOffice)
	}
	if d.MEI {
		e.term(term.FieldFilter, term.MEI)
	}
	if d.Simples {
		e.term(term.FieldFilter, term.Simples)
	}
	e.coded(term.Motivo, d.Motivo)
	e.coded(term.Pais, d.Pais)
	e.contact(d)
}

// contact adds where exactly the establishment is and how to reach it.
func (e *encoder) contact(d *Doc) {
	e.words.Scan(d.Bairro)
	e.key = e.words.AppendWords(e.key[:0], term.MaxBairro)
	e.coded(term.Bairro, string(e.key))
	if len(d.CEP) == 8 {
		e.coded(term.CEPArea, d.CEP[:3])
		e.coded(term.CEPArea, d.CEP[:5])
		e.coded(term.CEPEnd, d.CEP[5:])
	}
	for _, ddd := range d.DDDs {
		e.coded(term.DDD, ddd)
	}
	if d.Telephone {
		e.term(term.FieldFilter, term.Telephone)
	}
	if d.Email != "" {
		e.term(term.FieldFilter, term.Email)
		e.coded(term.Domain, strings.ToLower(d.Email[strings.LastIndexByte(d.Email, '@')+1:]))
	}
}

// activities adds the main and the secondary activities.
func (e *encoder) activities(d *Doc) {
	e.activity(term.MainCNAE, d.CNAE)
	for code := range strings.SplitSeq(d.CNAEsSecundarios, ",") {
		e.activity(term.SecondaryCNAE, code)
	}
}

// activity adds an activity, and all that it belongs to.
func (e *encoder) activity(kind, code string) {
	for _, digits := range [...]int{2, 3, 5, 7} {
		if len(code) >= digits {
			e.term(term.FieldFilter, kind, code[:digits])
		}
	}
	e.coded(kind, term.Section(code))
}

// place adds where the establishment is, alone and together with its situation.
func (e *encoder) place(kind, both, code string, d *Doc) {
	if code != "" {
		e.term(term.FieldFilter, kind, code)
		e.term(term.FieldFilter, both, code, d.SituacaoCadastral)
	}
}

func (e *encoder) coded(kind, code string) {
	if code != "" {
		e.term(term.FieldFilter, kind, code)
	}
}
