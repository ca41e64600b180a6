package intent

import (
	"regexp"
	"strings"

	"razao/index/term"
	"razao/internal/data/cnpj"
)

// Contact is one reading of a text as the contact of an establishment, in filters, and as words beside
// it, which say where or who that is.
type Contact struct {
	Conditions []Condition // never empty; the Without of each is Rest
	Rest       string      // the text without them
	Only       bool        // the text is this or nothing: none of it is a word of a name
	Doubtful   bool        // a street without a number, which may be a name as well
}

// Contacts returns the readings of a text as a telephone, an e-mail address or a street address,
// likeliest first; nil if it has none. A text is a telephone as a whole; an e-mail address may stand
// among words; an address begins with the type of a street. Where nothing has it, the text may be a
// name, unless it is Only that.
//
// A CPF is no telephone: not as CPFs are written, and not eleven digits in a row that are right for one.
func Contacts(typed string) []Contact {
	if len(typed) > maxQueryBytes {
		return nil
	}
	if code, ok := telephone(typed); ok {
		c := contact(typed, "", pair{"telefone_numero", code})
		c.Only = true
		return []Contact{c}
	}
	if c, ok := emailIn(typed); ok {
		return []Contact{c}
	}
	return addresses(typed)
}

// contact returns the reading of a part of a text, as typed.
func contact(words, rest string, pairs ...pair) Contact {
	c := Contact{Rest: rest}
	for _, p := range pairs {
		c.Conditions = append(c.Conditions, Condition{Words: strings.TrimSpace(words), Name: p.name, Value: p.value, Without: rest})
	}
	return c
}

var (
	phoneLabel = regexp.MustCompile(`(?i)^\s*(?:tel(?:efones?)?|fones?|cel(?:ular)?|whats(?:app)?|zap)[\s.:]+`)
	phoneForm  = regexp.MustCompile(`^[\s+]*[\d(][\d\s().+-]*\d\s*$`)
	// cpfForm is digits in groups of which the last has fewer than those of a telephone.
	cpfForm  = regexp.MustCompile(`\D\d{1,3}\s*$`)
	notDigit = regexp.MustCompile(`\D`)
)

// telephone reads a text that is a telephone and hardly anything else.
func telephone(typed string) (code string, ok bool) {
	plain := phoneLabel.ReplaceAllString(typed, "")
	if !phoneForm.MatchString(plain) || cpfForm.MatchString(plain) {
		return "", false
	}
	code, ok = Telephone(plain)
	switch {
	case !ok, code[1] == '0', // no DDD
		cnpj.MaskCPFs(plain) != plain:
		return "", false
	}
	return code, true
}

// Telephone reads a telephone as people write it, DDD first, with or without the code of the country,
// the zero of long distance calls and any marks between digits. It returns what term.PhoneCode does.
func Telephone(given string) (code string, ok bool) {
	digits := notDigit.ReplaceAllString(given, "")
	if len(digits) >= 12 || strings.HasPrefix(strings.TrimSpace(given), "+") {
		digits = strings.TrimPrefix(digits, "55")
	}
	digits = strings.TrimPrefix(digits, "0")
	if len(digits) < 2 {
		return "", false
	}
	code = term.PhoneCode(digits[:2], digits[2:])
	return code, code != ""
}

var emailForm = regexp.MustCompile(`<?(?:mailto:)?([^\s@<>()\[\]{},;:"“”]+@[^\s@<>()\[\]{},;:"“”]+\.[\pL\d]+)>?`)

// emailIn reads the first e-mail address in a text. Quoted ones are words.
func emailIn(typed string) (Contact, bool) {
	at := emailForm.FindStringSubmatchIndex(typed)
	if at == nil || len(quoteMarks(typed)) > 0 {
		return Contact{}, false
	}
	address := typed[at[2]:at[3]]
	code := term.EmailCode(address)
	rest := strings.Trim(typed[:at[0]], " ,;:") + " " + strings.Trim(typed[at[1]:], " .,;:")
	c := contact(address, strings.TrimSpace(rest), pair{"email_endereco", code})
	c.Only = c.Rest == ""
	return c, code != ""
}

var (
	// numberForm is the number of a house: after a comma, "nº" or a blank.
	numberForm = regexp.MustCompile(`(?i)(?:\s*,\s*|\s+)(?:n(?:[.º°]|[uú]mero|\.º|\.°|o\.?)?\s*)?(\d{1,5})(?:\s*-?\s*[a-z])?(?:$|[\s,;/-]+)`)
	// ofDay is what follows a number in the name of a street: 25 de Março.
	ofDay = regexp.MustCompile(`(?i)^de\s`)
	// beforeMark is a text up to its first comma, or hyphen between blanks.
	beforeMark = regexp.MustCompile(`^.+?(?:,|\s[-–]\s)`)
	// cepForm is a CEP behind an address, complementForm where in the house.
	cepForm        = regexp.MustCompile(`(?i)(?:\bcep:?\s*)?\b(\d{2}\.?\d{3}-?\d{3})\b`)
	complementForm = regexp.MustCompile(`(?i)\b(?:sala|sl|apt?o?|apartamento|conj(?:unto)?|cj|loja|lj|bloco|bl|andar|casa|km|box|galp[aã]o)\.?\s*[a-z]?\d*[a-z]?(?:$|[\s,;-]+)`)
)

// maxAddresses bounds the numbers that may be that of the house.
const maxAddresses = 3

// addresses reads a text that begins with the type of a street: with each number in it as that of the
// house, then as a street alone.
func addresses(typed string) (found []Contact) {
	kind, name := term.StreetType(typed)
	if kind == "" || len(quoteMarks(typed)) > 0 {
		return nil
	}
	before := len(strings.TrimRight(typed, " ")) - len(name) // StreetType has trimmed it
	for from := 0; from < len(name) && len(found) < maxAddresses; {
		m := numberForm.FindStringSubmatchIndex(name[from:])
		if m == nil {
			break
		}
		start, end := from+m[0], from+m[1]
		if code := term.HouseNumberCode(name[from+m[2] : from+m[3]]); code != "" && start > 0 && !ofDay.MatchString(name[end:]) {
			found = append(found, address(typed[:before+start], typed[:before+from+m[3]], code, name[end:]))
		}
		from += m[3]
	}
	for _, part := range [...]string{beforeMark.FindString(typed), typed} {
		if street := strings.Trim(part, " ,-–"); street != "" {
			c := contact(street, strings.Trim(typed[len(part):], " ,;.-–"), pair{"logradouro", street})
			c.Doubtful = true
			found = append(found, c)
		}
	}
	return found
}

// address returns the reading of a street and a number; words are both as typed, behind is the rest of
// the text: a CEP in it is a filter, too.
func address(street, words, number, behind string) Contact {
	pairs := []pair{{"logradouro", strings.TrimSpace(street)}, {"numero", number}}
	behind = complementForm.ReplaceAllString(behind, " ")
	if m := cepForm.FindStringSubmatchIndex(behind); m != nil {
		cep := notDigit.ReplaceAllString(behind[m[2]:m[3]], "")
		pairs, behind = append(pairs, pair{"cep", cep}), behind[:m[0]]+" "+behind[m[1]:]
	}
	return contact(words, strings.Trim(behind, " ,;.-/"), pairs...)
}
