package filter

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"razao/index/term"
	"razao/internal/data/openapi"
	"razao/internal/data/record"
)

// patterns are how values of filters with a syntax are written (ECMA-262), without an excluding "-". Reading takes other
// spellings, too, such as punctuation and names.
var patterns = map[string]string{
	CEP: "[0-9]{3,8}", DDD: "[0-9]{2}", Pais: "[0-9]{1,3}", Motivo: "[0-9]{2}", Natureza: "[0-9]{4}", PartnerRole: "[0-9]{2}",
	CNAE: cnaePattern, CNAESecondary: cnaePattern, CNAEAny: cnaePattern, ContractsYear: yearPattern, LoansYear: yearPattern,
}

const (
	cnaePattern   = "([A-U]|[0-9]{2}|[0-9]{3}|[0-9]{5}|[0-9]{7})"
	yearPattern   = "(1[89][0-9]{2}|20[0-4][0-9]|205[0-4])"
	amountPattern = "(0|[1-9][0-9]{0,14})(\\.[0-9]{2})?"
)

// Schema returns the JSON Schema of one value. excluding adds the values behind "-", which all but bounds and Every take.
func (f *Filter) Schema(excluding bool) openapi.Object {
	excluding = excluding && (f.Kind == Codes || f.Kind == Choice)
	minus := ""
	if excluding {
		minus = "-?"
	}
	is := func(kind string, further ...openapi.Member) openapi.Object {
		return append(openapi.Object{openapi.Field("type", kind)}, further...)
	}
	matching := func(pattern string) openapi.Object {
		return is("string", openapi.Field("pattern", "^"+minus+pattern+"$"))
	}
	switch {
	case f.values() != nil && excluding:
		return is("string", openapi.Field("enum", withExcluded(f.values())))
	case f.values() != nil:
		return is("string", openapi.Field("enum", f.values()))
	case patterns[f.Name] != "":
		return matching(patterns[f.Name])
	}
	switch f.Form {
	case Date:
		return is("string", openapi.Field("format", "date"))
	case Year:
		return is("integer", openapi.Field("minimum", term.FirstYear), openapi.Field("maximum", term.LastYear))
	case Number:
		most, _ := strconv.Atoi(strings.Repeat("9", maxCountDigits))
		return is("integer", openapi.Field("minimum", 0), openapi.Field("maximum", most))
	case Amount:
		return matching(amountPattern)
	case Mail:
		return is("string", openapi.Field("minLength", len("a@b.c")), openapi.Field("maxLength", 1+longestAddress))
	case Host:
		return is("string", openapi.Field("minLength", len("a.b")), openapi.Field("maxLength", 1+longestAddress))
	case Tel:
		return is("string", openapi.Field("minLength", len("1132334455")))
	}
	return is("string", openapi.Field("minLength", 1), openapi.Field("maxLength", 1+term.MaxBairro))
}

// longestAddress is what an e-mail address may have (RFC 5321, section 4.5.3.1), which a domain may be written behind.
const longestAddress = 254

// values returns all values of a filter that has few, in their order; nil for others.
func (f *Filter) values() (all []string) {
	switch {
	case f.Options != nil:
		return valuesOf(f.Options)
	case f.Name == UF:
		for number := range term.LastUF {
			all = append(all, term.UFCode(number+1))
		}
	case f.Form == OneOf:
		codes := slices.Sorted(maps.Keys(record.LayoutDomains()[f.Domain]))
		return slices.DeleteFunc(codes, func(code string) bool { return !f.takes(code) })
	}
	return all
}

// withExcluded returns values, and then each behind "-".
func withExcluded(values []string) []string {
	all := slices.Clone(values)
	for _, value := range values {
		all = append(all, "-"+value)
	}
	return all
}
