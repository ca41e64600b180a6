package term

import (
	"strings"
	"unicode"
)

// The code of a contact is how the index has it and how a query asks for it: both go through the
// functions below. Each returns "" for a text that is no such contact.

// Bounds of a telephone: digits of the number, without DDD, and bytes of an e-mail address (RFC 5321).
const (
	minPhoneDigits, maxPhoneDigits = 8, 9
	maxEmail                       = 254
)

// PhoneCode returns the DDD and the number of a telephone, as published, as one run of digits. Only
// mobile numbers have nine digits, the first of which is 9, so that eleven digits of another form,
// such as most CPFs, are no telephone.
func PhoneCode(ddd, number string) string {
	ddd = strings.TrimLeft(ddd, "0")
	n := len(number)
	switch {
	case !IsDigits(ddd, 2), n < minPhoneDigits || n > maxPhoneDigits || !IsDigits(number, n), n == maxPhoneDigits && number[0] != '9':
		return ""
	}
	return ddd + number
}

// OtherPhoneCode returns the code of the same mobile telephone without its ninth digit, which numbers
// of that time lack, or with it; "" for others. Mobile numbers began with 6 to 9 then.
func OtherPhoneCode(code string) string {
	switch ddd, number := code[:2], code[2:]; {
	case len(number) == 9 && number[1] >= '6':
		return ddd + number[1:]
	case len(number) == 8 && number[0] >= '6':
		return ddd + "9" + number
	}
	return ""
}

// EmailCode returns an e-mail address in lower case. An address with a masked CPF has none.
func EmailCode(address string) string {
	code := strings.ToLower(strings.TrimSpace(address))
	box, domain, _ := strings.Cut(code, "@")
	if box == "" || domain == "" || len(code) > maxEmail || strings.ContainsAny(domain, "@") || strings.ContainsAny(code, "* \t\r\n") {
		return ""
	}
	return code
}

// maxStreet is the number of bytes at which a folded street is cut, in terms and in queries alike.
const maxStreet = 100

// StreetCode returns the folded words of a street, its type before its name, separated by blanks:
// particles and titles left out, abbreviations in full, the numbers of days in digits, a type that
// stands twice once. So R. DR. JOSE DA SILVA, RUA RUA DOUTOR JOSE SILVA and Rua José da Silva are one.
func StreetCode(street string) string { return new(Tokenizer).StreetCode(street) }

// StreetCode is the function StreetCode, by a scan of t.
func (t *Tokenizer) StreetCode(street string) string {
	words := make([]string, 0, 8)
	for {
		kind, name := StreetType(street)
		if kind == "" || len(words) > 0 && words[0] != kind {
			break
		}
		words, street = append(words[:0], kind), name
	}
	t.Scan(street)
	for i := range t.Len() {
		word, last := string(t.Word(i)), i == t.Len()-1 // RUA D is the street between C and E
		switch form := nameForms[word]; {
		case !last && (titles[word] != "" || IsWeightless(t.Word(i))):
		case form != "" && (!last || form[0] <= '9'):
			words = append(words, form)
		default:
			words = append(words, word)
		}
	}
	code := strings.Join(words, " ")
	return code[:min(len(code), maxStreet)]
}

// StreetType returns the type that a street begins with, folded and in full, and its name. Without a
// type, or with nothing behind one, both are "".
func StreetType(street string) (kind, name string) {
	street = strings.TrimSpace(street)
	end := strings.IndexFunc(street, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 || street[end] != '.' && street[end] != ' ' {
		return "", ""
	}
	kind = streetTypes[Fold(street[:end])]
	name = strings.TrimLeft(street[end:], ". ")
	if kind == "" || name == "" {
		return "", ""
	}
	return kind, name
}

// streetTypes has the types of streets by themselves and by their abbreviations, titles the titles of
// people in their names, which who writes an address leaves out, and nameForms other words that are
// written in several ways: Rua Sete de Setembro.
var (
	streetTypes = readShortForms(`
		alameda al alam
		avenida av ave aven
		beco bc
		estrada est estr
		ladeira lad
		largo lgo lg
		praca pca pc
		quadra qd
		rodovia rod
		rua r
		travessa tv trav
		viela
	`)
	titles = readShortForms(`
		almirante alm
		brigadeiro brig
		capitao cap
		comendador com
		conselheiro cons
		coronel cel
		deputado dep
		desembargador des
		doutor dr
		doutora dra
		engenheiro eng
		general gal gen
		governador gov
		major maj
		marechal mal
		ministro min
		prefeito pref
		presidente pres
		professor prof
		professora profa
		sargento sgto sgt
		senador sen
		tenente ten
		vereador ver
	`)
	nameForms = readShortForms(`
		conego con
		dom d
		jardim jd
		monsenhor mons
		padre pe
		parque pq
		santa sta
		santo sto
		sao s
		vigario vig
		vila vl
		visconde visc
		1 primeiro 1o
		2 dois
		3 tres
		4 quatro
		5 cinco
		6 seis
		7 sete
		8 oito
		9 nove
		10 dez
		11 onze
		12 doze
		13 treze
		14 quatorze
		15 quinze
		16 dezesseis
		17 dezessete
		18 dezoito
		19 dezenove
	`)
)

// readShortForms parses lines of a word and its abbreviations, and maps all of them to the word.
func readShortForms(table string) map[string]string {
	full := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(table)) {
		forms := strings.Fields(line)
		for _, form := range forms {
			full[form] = forms[0]
		}
	}
	return full
}

// maxHouseDigits bounds the number of a house. Six digits are what a masked CPF shows.
const maxHouseDigits = 5

// HouseNumberCode returns the first run of digits in the number of an address, without zeros before
// it: 589 of 589-A, nothing of S/N.
func HouseNumberCode(number string) string {
	code := strings.TrimLeftFunc(number, func(r rune) bool { return r < '1' || r > '9' })
	if end := strings.IndexFunc(code, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		code = code[:end]
	}
	if len(code) > maxHouseDigits || strings.Contains(number, "*") {
		return ""
	}
	return code
}
