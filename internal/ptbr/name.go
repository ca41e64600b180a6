package ptbr

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"razao/internal/cnpj"
	"razao/internal/record"
)

// Company writes the name of a company in title case, Padaria Estrela do Sul Ltda. Names that are published in capitals are; those
// in mixed case stay as they are. Accents are never added: nobody knows which the owners write.
func Company(published string) string { return titled(published, companyName) }

// Person writes the name of a person in title case, Ana Maria d'Ávila de Souza.
func Person(published string) string { return titled(published, personName) }

// Street writes a street, a district or what else stands in an address in title case.
func Street(published string) string { return titled(published, streetName) }

// Holder writes the name of the company with a root. Names of MEI begin with the root, which is left out; of an individual entrepreneur it is
// that of a person.
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

// Partner writes the name of a partner, a person or a company.
func Partner(p *record.Partner) string {
	if p.IdentificadorSocio == record.SocioCompany {
		return Company(p.NomeSocio)
	}
	return Person(p.NomeSocio)
}

// Email writes an address in lower case.
func Email(published string) string { return strings.ToLower(published) }

// nameKind is what a name is of: the words that it may have differ.
type nameKind uint8

const (
	companyName nameKind = 1 << iota
	personName
	streetName
)

// wordKind is what is known of a word, one bit for each kind of name in which it is so.
type wordKind struct {
	small   nameKind // within a name it is in lower case
	capital nameKind // it is an abbreviation in capitals
	spelled nameKind // it has no vowel and is a word all the same
	closing nameKind // it says what a company is
	state   bool     // it is the code of a UF
}

const everyName = companyName | personName | streetName

var knownWords = knowWords()

const longestKnown = 6 // bytes of a known word

func about(word string) wordKind {
	if len(word) > longestKnown {
		return wordKind{}
	}
	return knownWords[word]
}

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

// titling is a name on its way into title case.
type titling struct {
	text   string
	kind   nameKind
	out    []byte
	before string // the word before
}

func titled(text string, kind nameKind) string {
	if !capitals(text) {
		return text
	}
	var room [128]byte // most names need no more
	t := titling{text: text, kind: kind, out: room[:0]}
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

// capitals reports whether a text has capital letters and no others.
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

// wordEnd returns where the word that begins at a position ends, the position itself when none does.
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

// word writes the word between two positions and returns where to go on.
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

// share reports whether a word is S/A, S.A. or SA at the end of the name of a joint-stock company; DE SA is a family name.
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

// closes reports whether nothing but punctuation, another suffix or a state such as EM LIQUIDACAO follows.
func (t *titling) closes(end int) bool {
	next := t.next(end)
	return next == "" || next == "EM" || about(next).closing != 0 || !onlySpaces(t.text[end:], next)
}

// next returns the word after a position, without points at its end.
func (t *titling) next(end int) string {
	for end < len(t.text) {
		if stop := wordEnd(t.text, end); stop > end {
			return strings.TrimRight(t.text[end:stop], ".")
		}
		end++
	}
	return ""
}

// onlySpaces reports whether nothing but spaces stands before a word.
func onlySpaces(text, word string) bool { return strings.HasPrefix(strings.TrimLeft(text, " "), word) }

// smallHere reports whether a particle stands where it is one: PARA after DO is a state, A beside an initial is one, too.
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

// stateHere reports whether what stands around a word lets it be the code of a UF: Campinas/SP, Niterói - RJ, (BA).
func (t *titling) stateHere(at, end int) bool {
	left, right := strings.TrimRight(t.text[:at], " "), strings.TrimLeft(t.text[end:], " ")
	if left == "" || strings.IndexByte("/-(", left[len(left)-1]) < 0 {
		return false
	}
	return right == "" || strings.IndexByte(")/-,", right[0]) >= 0
}

// suffix writes what says what a company is.
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

// kept reports whether a word stays in capitals: initials, numbers, Roman numerals and what nobody can say as a word.
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

// isRoman reports whether a text is one of the Roman numerals from I to XXXIX.
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

func (t *titling) lower(word string) {
	for at := 0; at < len(word); {
		at += t.small(word[at:])
	}
}

// title writes a word with a capital at its beginning, and at that of its parts: D'Avila, Silva&Filhos, Loja.com.
func (t *titling) title(word string) {
	up := true
	for at := 0; at < len(word); {
		b := word[at]
		switch {
		case b == '.' || b == '&':
			up = !domain(word[at:])
		case b == '\'':
			up = len(word)-at > 2 // DONALD'S
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

// domain reports whether a text is the end of an address such as .COM.BR.
func domain(text string) bool {
	switch text {
	case ".COM", ".COM.BR", ".BR", ".NET", ".ORG":
		return true
	}
	return false
}

// small appends the first character of a text in lower case and returns how many bytes of the text it has. What has no lower case that leads
// back to it stays.
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
