package build

import (
	"slices"
	"strings"

	"razao/index/column"
	"razao/index/term"
)

// encoder turns documents into the payload that is sorted and inverted. Its buffers are reused. Not
// safe for concurrent use.
type encoder struct {
	words       term.Tokenizer
	significant []int
	partners    []Partner
	key, out    []byte
}

// encode returns the payload of d: its encoded attributes, then its terms, each as a length byte
// and a key (field letter and term). Terms are unsorted and may repeat. Those that follow from another
// term alone are left out: inverter.implied adds them. Valid until the next call.
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

// term appends a term, concatenated from parts.
func (e *encoder) term(field byte, parts ...string) {
	start := len(e.out)
	e.out = append(e.out, 0, field)
	for _, part := range parts {
		e.out = append(e.out, part...)
	}
	e.close(start)
}

// close fills in the length of the term that began at start, or drops the term when it has more
// than 255 bytes.
func (e *encoder) close(start int) {
	n := len(e.out) - start - 1
	if n > 255 {
		e.out = e.out[:start]
		return
	}
	e.out[start] = byte(n)
}

// wordTerms appends the scanned words as terms of a field; of initials, which are one word ("jc"),
// also each letter, of a word with an apostrophe also its parts.
func (e *encoder) wordTerms(field byte) {
	for i := range e.words.Len() {
		word := e.words.Word(i)
		e.word(field, word)
		if cut := e.words.Cut(i); cut > 0 {
			e.word(field, word[:cut])
			e.word(field, word[cut:])
		}
		if !e.words.IsInitials(i) || term.IsWeightless(word) {
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

// name appends the terms of the scanned legal or trade name: its words, a hash of each pair of adjacent
// words with weight, and a hash of the whole name.
func (e *encoder) name() {
	if e.words.Len() == 0 {
		return
	}
	e.words.Elide()
	e.wordTerms(term.FieldName)
	e.significant = e.words.Significant(e.significant)
	e.sequence(false)
	if slices.ContainsFunc(e.significant, func(i int) bool { return e.words.Cut(i) > 0 }) {
		e.sequence(true)
	}
}

// sequence appends the hashes of the significant words in order. If apart is set, words with an
// apostrophe are two: BOB'S may be asked for as "bob s".
func (e *encoder) sequence(apart bool) {
	key, before := term.NoWords, ""
	add := func(word []byte) {
		next := term.Canonical(word)
		key = key.With(next)
		if before != "" {
			e.hash(term.NamePair, term.PairInOrder(before, next))
		}
		before = next
	}
	for _, i := range e.significant {
		word := e.words.Word(i)
		if cut := e.words.Cut(i); apart && cut > 0 {
			add(word[:cut])
			word = word[cut:]
		}
		add(word)
	}
	e.hash(term.WholeName, key)
}

func (e *encoder) hash(kind byte, h term.Hash) {
	start := len(e.out)
	e.out = h.AppendTerm(append(e.out, 0, term.FieldFilter), kind)
	e.close(start)
}

// everybody appends the partners. Each distinct name gets a slot, counted in sorted order, so the
// terms depend neither on the order of the partners nor on duplicates.
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

// partner appends the terms of a partner in slot i: words of the name and how they sound, hashes of
// slot and either, kind, role, age band, and the document: the six visible digits of a masked CPF, or a CNPJ.
func (e *encoder) partner(i int, p *Partner) {
	e.words.Scan(p.Name)
	e.words.Elide()
	e.wordTerms(term.FieldPartner)
	e.significant = e.words.Significant(e.significant)
	for _, at := range e.significant {
		word := string(e.words.Word(at))
		e.ofPartner(i, word)
		if cut := e.words.Cut(at); cut > 0 {
			e.ofPartner(i, word[:cut])
			e.ofPartner(i, word[cut:])
		}
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

// ofPartner appends the hash of a word in the name of the partner in slot i, and how it sounds.
func (e *encoder) ofPartner(i int, word string) {
	e.hash(term.PartnerWord, term.PartnerHash(i, word))
	for _, sound := range term.Sounds(word) {
		if term.Written(sound) != word {
			e.term(term.FieldPartner, sound)
			e.hash(term.PartnerWord, term.PartnerHash(i, sound))
		}
	}
}

// filterTerms appends the terms of term.FieldFilter that filters ask for.
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

// contact appends the terms about address and contact, which can be hidden on request: see
// term.IsContact.
func (e *encoder) contact(d *Doc) {
	e.coded(term.Street, e.words.StreetCode(d.Street))
	e.coded(term.HouseNumber, term.HouseNumberCode(d.HouseNumber))
	e.words.Scan(d.Bairro)
	e.key = e.words.AppendWords(e.key[:0], term.MaxBairro)
	e.coded(term.Bairro, string(e.key))
	if len(d.CEP) == 8 {
		e.coded(term.CEPArea, d.CEP[:3])
		e.coded(term.CEPArea, d.CEP[:5])
		e.coded(term.CEPEnd, d.CEP[5:])
	}
	for i, ddd := range d.DDDs {
		e.coded(term.DDD, ddd)
		e.coded(term.PhoneNumber, term.PhoneCode(ddd, d.Telephones[i]))
	}
	if d.Telephones[0]+d.Telephones[1] != "" {
		e.term(term.FieldFilter, term.Telephone)
	}
	if d.Email != "" {
		e.term(term.FieldFilter, term.Email)
		e.coded(term.EmailAddress, term.EmailCode(d.Email))
		e.coded(term.Domain, strings.ToLower(d.Email[strings.LastIndexByte(d.Email, '@')+1:]))
	}
}

// activities appends the main and the secondary activities.
func (e *encoder) activities(d *Doc) {
	e.activity(term.MainCNAE, d.CNAE)
	for code := range strings.SplitSeq(d.CNAEsSecundarios, ",") {
		e.activity(term.SecondaryCNAE, code)
	}
}

// activity appends a subclass, or what there is of one.
func (e *encoder) activity(kind, code string) {
	for _, digits := range [...]int{7, 5, 3, 2} {
		if len(code) >= digits {
			e.term(term.FieldFilter, kind, code[:digits])
			return
		}
	}
}

// place appends a place alone and combined with the situação, the pair that listings ask for most.
func (e *encoder) place(kind, both, code string, d *Doc) {
	if code != "" {
		e.term(term.FieldFilter, kind, code)
		e.term(term.FieldFilter, both, code, d.SituacaoCadastral)
	}
}

// coded appends a filter term unless the code is "".
func (e *encoder) coded(kind, code string) {
	if code != "" {
		e.term(term.FieldFilter, kind, code)
	}
}
