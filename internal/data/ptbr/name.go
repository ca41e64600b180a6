package ptbr

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// Company returns the name of a company in title case: Padaria Estrela do Sul Ltda. Only names
// published in capitals change; mixed case is kept. Accents are never added, since the owners'
// spelling is unknown.
func Company(published string) string { return titled(published, companyName) }

// Person returns the name of a person in title case: Ana Maria de Souza.
func Person(published string) string { return titled(published, personName) }

// Street returns a part of an address, such as street or district, in title case.
func Street(published string) string { return titled(published, streetName) }

// Holder returns the name of a company in title case. The root with which the names of MEI begin,
// masked or not, is removed. If individual is true, the name is formatted as that of a person.
func Holder(root cnpj.Root, published string, individual bool) string {
	name := published
	for _, number := range [...]string{root.String(), root.Masked()} {
		if rest, ok := strings.CutPrefix(published, number+" "); ok && strings.TrimSpace(rest) != "" {
			name = strings.TrimSpace(rest)
		}
	}
	if individual {
		return Person(name)
	}
	return Company(name)
}

// Partner returns the name of a partner, person or company, in title case.
func Partner(p *record.Partner) string {
	if p.IdentificadorSocio == record.SocioCompany {
		return Company(p.NomeSocio)
	}
	return Person(p.NomeSocio)
}

// Email returns an address in lower case.
func Email(published string) string { return strings.ToLower(published) }

// nameKind is a bit set of kinds of names, which differ in the words that get special treatment.
type nameKind uint8

const (
	companyName nameKind = 1 << iota
	personName
	streetName
)

// wordKind describes a known word. Each field holds the kinds of names in which it applies.
type wordKind struct {
	small   nameKind // particle in lower case: de, da, para
	capital nameKind // acronym kept in capitals: INSS
	spelled nameKind // no vowels, yet title case: Dr, Ltd
	closing nameKind // legal form at the end of a company name: Ltda., ME
	state   bool     // code of a UF
}

const everyName = companyName | personName | streetName

var knownWords = knowWords()

const longestKnown = 6 // bytes of the longest key of knownWords

// about returns what is known of a word in capitals. Longer words skip the map look-up.
func about(word string) wordKind {
	if len(word) > longestKnown {
		return wordKind{}
	}
	return knownWords[word]
}

// knowWords builds the word list. The acronyms and abbreviations are those that are frequent in the
// published names and would be wrong in title case.
func knowWords() map[string]wordKind {
	known := map[string]wordKind{}
	add := func(words string, change func(*wordKind)) {
		for word := range strings.FieldsSeq(words) {
			k := known[word]
			change(&k)
			known[word] = k
		}
	}
	add("DE DA DO DAS DOS E DEL DELLA DI", func(k *wordKind) { k.small |= everyName })
	add("VAN VON DER", func(k *wordKind) { k.small |= personName })
	add("EM NO NA NOS NAS PARA POR PELO PELA COM SEM AO AOS", func(k *wordKind) { k.small |= companyName | streetName })
	add("A O AS OS À ÀS", func(k *wordKind) { k.small |= companyName })
	add("INSS IBGE SUS BNDES OAB USP UFRJ UFMG UFSC UFBA IPTU ICMS ISSQN IPVA UTI UBS UPA ONG USA EUA EAD TI EPP SPE MEI FIDC FII FIP ETF ABC LED SOS VIP EPI EIA OSC IPI",
		func(k *wordKind) { k.capital |= companyName })
	add("DR JR SR MR MRS ST NG LTD", func(k *wordKind) { k.spelled |= everyName })
	add("QD LT BL CJ LJ GL SL VL JD PQ PC TV CH", func(k *wordKind) { k.spelled |= streetName })
	add("ME EPP LTDA EIRELI", func(k *wordKind) { k.closing |= companyName })
	add("AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO", func(k *wordKind) { k.state = true })
	return known
}

// titling is the state of a conversion to title case.
type titling struct {
	text   string
	kind   nameKind
	out    []byte
	before string // previous word, without trailing points; "" at the start
}

// titled converts text to title case in one pass over its words; text that is not in capitals is
// returned unchanged.
func titled(text string, kind nameKind) string {
	if !capitals(text) {
		return text
	}
	var buffer [128]byte // on the stack; enough for most names
	t := titling{text: text, kind: kind, out: buffer[:0]}
	for at := 0; at < len(text); {
		end := wordEnd(text, at)
		if end == at {
			t.out = append(t.out, text[at])
			at++
			continue
		}
		at = t.word(at, end)
	}
	return string(t.out)
}

// capitals reports whether a text has upper-case but no lower-case letters.
func capitals(text string) bool {
	any := false
	for _, r := range text {
		switch {
		case 'A' <= r && r <= 'Z':
			any = true
		case 'a' <= r && r <= 'z':
			return false
		case r >= utf8.RuneSelf && unicode.IsLower(r):
			return false
		case r >= utf8.RuneSelf && unicode.IsUpper(r):
			any = true
		}
	}
	return any
}

// wordEnd returns the end of the word that begins at offset at, or at if none does. Words may
// contain points, apostrophes, & and *.
func wordEnd(text string, at int) int {
	for at < len(text) {
		switch b := text[at]; {
		case 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b >= utf8.RuneSelf, b == '.', b == '\'', b == '&', b == '*':
			at++
		default:
			return at
		}
	}
	return at
}

// word appends the word text[at:end] and returns the offset at which to continue, which is past end
// for S/A and S/N.
func (t *titling) word(at, end int) int {
	word := t.text[at:end]
	core := strings.TrimRight(word, ".")
	known := about(core)
	before := t.before
	t.before = core
	if before == "" && t.kind == companyName && core != "S" {
		known.closing, known.small = 0, 0
	}
	switch {
	case before != "" && t.kind == companyName && t.share(word, before, end):
		t.out = append(t.out, "S.A."...)
		if core == "S" {
			return end + len("/A")
		}
	case core == "S" && t.kind == streetName && strings.HasPrefix(t.text[end:], "/N"):
		t.out = append(t.out, "s/n"...)
		return end + len("/N")
	case core == "KM" && t.kind == streetName:
		t.out = append(t.out, "km"...)
		t.out = append(t.out, word[len(core):]...)
	case known.closing&t.kind != 0 && (core != "ME" || t.closes(end)):
		t.suffix(core, word)
	case known.small&t.kind != 0 && before != "" && t.smallHere(core, before, end):
		t.lower(word)
	case known.capital&t.kind != 0, known.state && t.kind != personName && t.stateHere(at, end), kept(core, known.spelled&t.kind != 0, before == ""):
		t.out = append(t.out, word...)
	default:
		t.title(word)
	}
	return end
}

// share reports whether a word is the suffix S/A, S.A. or SA of a joint-stock company. SA after a
// particle is a surname: de Sá.
func (t *titling) share(word, before string, end int) bool {
	switch word {
	case "S":
		return strings.HasPrefix(t.text[end:], "/A") && wordEnd(t.text, end+1) == end+len("/A")
	case "S.A", "S.A.":
		return t.closes(end)
	case "SA":
		return about(before).small&personName == 0 && t.closes(end)
	}
	return false
}

// closes reports whether the name ends at an offset: only punctuation, another suffix, or a status
// such as EM LIQUIDACAO follows.
func (t *titling) closes(end int) bool {
	next := t.next(end)
	return next == "" || next == "EM" || about(next).closing != 0 || !onlySpaces(t.text[end:], next)
}

// next returns the word after an offset without trailing points, "" if there is none.
func (t *titling) next(end int) string {
	for end < len(t.text) {
		if stop := wordEnd(t.text, end); stop > end {
			return strings.TrimRight(t.text[end:stop], ".")
		}
		end++
	}
	return ""
}

// onlySpaces reports whether text is spaces followed by word.
func onlySpaces(text, word string) bool { return strings.HasPrefix(strings.TrimLeft(text, " "), word) }

// smallHere reports whether a known particle is one in its context. PARA after DO is the state
// Pará, and a single letter beside an initial is an initial.
func (t *titling) smallHere(core, before string, end int) bool {
	next := t.next(end)
	switch {
	case next == "":
		return false
	case core == "PARA":
		return about(before).small == 0
	case len(core) == 1 && core != "E":
		return len(before) > 1 && len(next) > 1 && about(next).closing == 0
	}
	return true
}

// stateHere reports whether the punctuation around text[at:end] makes it the code of a UF:
// Campinas/SP, Niterói - RJ, (BA).
func (t *titling) stateHere(at, end int) bool {
	left, right := strings.TrimRight(t.text[:at], " "), strings.TrimLeft(t.text[end:], " ")
	if left == "" || strings.IndexByte("/-(", left[len(left)-1]) < 0 {
		return false
	}
	return right == "" || strings.IndexByte(")/-,", right[0]) >= 0
}

// suffix appends a legal form.
func (t *titling) suffix(core, word string) {
	switch core {
	case "LTDA":
		t.out = append(t.out, "Ltda."...)
	case "EIRELI":
		t.title(word)
	default:
		t.out = append(t.out, word...)
	}
}

// kept reports whether a word stays in capitals: single letters, initials such as J.B., words with
// digits, Roman numerals that are not the first word, and up to five letters without a vowel unless
// spelled.
func kept(core string, spelled, first bool) bool {
	letters, vowels, short, shortest, roman, parts := 0, 0, 0, true, true, false
	for _, r := range core {
		switch {
		case '0' <= r && r <= '9', r == '*':
			return true
		case r == '.', r == '&':
			shortest = shortest && short <= 2
			short, parts = 0, true
			continue
		}
		letters++
		short++
		roman = roman && (r == 'I' || r == 'V' || r == 'X')
		switch {
		case r >= utf8.RuneSelf, r == 'A', r == 'E', r == 'I', r == 'O', r == 'U', r == 'Y':
			vowels++
		}
	}
	shortest = shortest && short <= 2
	switch {
	case parts:
		return shortest
	case letters <= 1:
		return true
	case roman:
		return !first && isRoman(core)
	}
	return vowels == 0 && letters <= 5 && !spelled
}

// isRoman reports whether a text is a Roman numeral from I to XXXIX.
func isRoman(text string) bool {
	rest := strings.TrimLeft(text, "X")
	if len(text)-len(rest) > 3 {
		return false
	}
	switch rest {
	case "", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX":
		return true
	}
	return false
}

// lower appends a word in lower case.
func (t *titling) lower(word string) {
	for at := 0; at < len(word); {
		at += t.small(word[at:])
	}
}

// title appends a word with a capital initial, also after & and points, and after an apostrophe
// unless only one letter follows: D'Avila, Silva&Filhos, Donald's, Loja.com.
func (t *titling) title(word string) {
	up := true
	for at := 0; at < len(word); {
		b := word[at]
		switch {
		case b == '.' || b == '&':
			up = !domain(word[at:])
		case b == '\'':
			up = len(word)-at > 2 // not the S of DONALD'S
		case b == '*':
		case up:
			_, size := utf8.DecodeRuneInString(word[at:])
			t.out = append(t.out, word[at:at+size]...)
			at += size
			up = false
			continue
		default:
			at += t.small(word[at:])
			continue
		}
		t.out = append(t.out, b)
		at++
	}
}

// domain reports whether a text is the suffix of a domain name.
func domain(text string) bool {
	switch text {
	case ".COM", ".COM.BR", ".BR", ".NET", ".ORG":
		return true
	}
	return false
}

// small appends the first character of text in lower case and returns its length in bytes.
// Characters whose lower case does not map back to them are kept, so that no letter is lost.
func (t *titling) small(text string) int {
	if b := text[0]; b < utf8.RuneSelf {
		if 'A' <= b && b <= 'Z' {
			b |= 0x20
		}
		t.out = append(t.out, b)
		return 1
	}
	r, size := utf8.DecodeRuneInString(text)
	if low := unicode.ToLower(r); unicode.ToUpper(low) == r {
		t.out = utf8.AppendRune(t.out, low)
	} else {
		t.out = append(t.out, text[:size]...)
	}
	return size
}
