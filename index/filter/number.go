package filter

import (
	"regexp"
	"strings"

	"razao/index/intent"
	"razao/internal/data/ptbr"
)

// How numbers are written, in every parameter: digits alone; cents after a comma or a point, as one or two digits; points between thousands,
// in whole groups of three. One point or comma before three digits may be either, so 1.500 is refused, unless something says that it is
// Brazilian: a second group, cents after a comma, R$, reais, mil, milhões.
var (
	eitherForm    = regexp.MustCompile(`^([1-9]\d{0,2})[.,](\d{3})$`)
	countForm     = regexp.MustCompile(`^0*(\d+|[1-9]\d{0,2}(?:\.\d{3}){2,})$`)
	spokenAmount  = regexp.MustCompile(`^(?:[Rr]\$\s*)?(\d+(?:[.,]\d+)*)((?:\s*\pL+)*)$`)
	plainAmount   = regexp.MustCompile(`^0*(\d+)(?:[.,](\d\d?))?$`)
	cepForm       = regexp.MustCompile(`^\d{2}(?:\.?\d{1,3}|\.?\d{3}-?\d{1,3})?$`)
	telephoneForm = regexp.MustCompile(`^(?:\+?55[\s.-]*)?\(?0?\d{2}\)?[\s.-]*(?:\d[\s.-]*)?\d{4}[\s.-]*\d{4}$`)
	houseForm     = regexp.MustCompile(`^[\pL\sº°.]*\d+[-\pL\s]*$`)
)

// readings returns the numbers that a text may stand for, as people write them; nil unless these are two.
func readings(given string) []string {
	m := eitherForm.FindStringSubmatch(given)
	if m == nil {
		return nil
	}
	return []string{m[1] + m[2], strings.TrimRight(strings.TrimRight(m[1]+","+m[2], "0"), ",")}
}

// findNumber matches a count.
func findNumber(q *lookup, given string) (value, text string, ok bool) {
	q.readings = readings(given)
	m := countForm.FindStringSubmatch(given)
	if m == nil {
		return "", "", false
	}
	value = strings.ReplaceAll(m[1], ".", "")
	return value, ptbr.Number(value), true
}

// findAmount matches an amount, in digits or as people say it: R$ 100 mil.
func findAmount(q *lookup, given string) (value, text string, ok bool) {
	if q.readings = readings(given); q.readings != nil {
		return "", "", false
	}
	spoken := spokenAmount.FindStringSubmatch(given)
	if spoken == nil { // no sign, comparison or bracket is passed over
		return "", "", false
	}
	scale := strings.ToLower(strings.TrimSpace(spoken[2]))
	if q.readings = readings(spoken[1]); q.readings != nil && scale != "" && scale != "reais" {
		for i := range q.readings {
			q.readings[i] += " " + scale
		}
		return "", "", false
	}
	q.readings = nil
	if m := plainAmount.FindStringSubmatch(given); m != nil {
		value = strings.TrimSuffix(m[1]+"."+(m[2] + "00")[:2], ".00")
	} else if value, ok = intent.Reais(given); !ok {
		return "", "", false
	}
	return value, "R$" + ptbr.NBSP + ptbr.Number(value), true
}

// findDigits matches a CEP, a beginning of one, or a DDD.
func findDigits(given string) (value, text string, ok bool) {
	value = strings.NewReplacer(".", "", "-", "").Replace(given)
	return value, ptbr.CEP(value), cepForm.MatchString(given)
}

// findTelephone matches a telephone, with the marks of telephones between its groups.
func findTelephone(given string) (value, text string, ok bool) {
	if value, ok = intent.Telephone(given); !ok || !telephoneForm.MatchString(given) {
		return "", "", false
	}
	return value, ptbr.Phone(value[:2], value[2:]), true
}
