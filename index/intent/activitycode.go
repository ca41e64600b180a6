package intent

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// codeForms matches the ways to type a CNAE code: 4721-1/02, 47.21-1-02, 4721-1, 4721102, and after
// the word CNAE the digits of any level (CNAE 47).
var codeForms = regexp.MustCompile(`(?i)(?:\bcnae(?:\s*nº)?:?\s*([\d./-]+\d)|\d\d\.?\d\d-\d(?:[/-]?\d\d)?|\d{7})`)

// ParseCode finds CNAE codes in a query text and returns the text around them. Only codes of the
// classification count; without any it returns the text unchanged and false.
//
// A code and a CNPJ (see ParseNumber) are told apart by form. Punctuation at the places of a code
// (4721-1/02) is never that of a CNPJ. Seven bare digits may be both: an activity if there is such
// a subclass, and the beginning of a CNPJ. Fewer bare digits are a code only after the word CNAE.
func (a *Activities) ParseCode(typed string) (found Activity, rest string, ok bool) {
	if len(typed) > maxQueryBytes || !strings.ContainsAny(typed, "0123456789") {
		return found, typed, false
	}
	var kept, texts []string // around the codes, and the codes as typed
	from := 0
	for _, m := range codeForms.FindAllStringSubmatchIndex(typed, -1) {
		start, end := m[0], m[1]
		if m[2] >= 0 {
			start = m[2]
		}
		code := strings.NewReplacer(".", "", "-", "", "/", "").Replace(typed[start:end])
		if isPart(typed[:m[0]], typed[end:]) || !a.isCode(code) {
			continue
		}
		if !slices.Contains(found.Codes, code) {
			found.Codes, texts = append(found.Codes, code), append(texts, typed[start:end])
		}
		kept = append(kept, strings.TrimSpace(typed[from:m[0]]))
		from = end
	}
	if found.Codes == nil {
		return found, typed, false
	}
	slices.Sort(found.Codes)
	found.Name = a.nameOf(found.Codes, "CNAE "+strings.Join(texts, ", "))
	return found, strings.TrimSpace(strings.Join(append(kept, strings.TrimSpace(typed[from:])), " ")), true
}

// isPart reports whether the text between before and after is part of a longer word or number,
// directly or across one separator.
func isPart(before, after string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	if strings.ContainsRune("./-", last) {
		last, _ = utf8.DecodeLastRuneInString(before[:len(before)-size])
	}
	first, size := utf8.DecodeRuneInString(after)
	if strings.ContainsRune("./-", first) {
		first, _ = utf8.DecodeRuneInString(after[size:])
	}
	return isWordRune(last) || isWordRune(first)
}

// isWordRune reports whether r is a letter or a digit.
func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isCode reports whether the classification has a division, group, class or subclass with these
// digits. Groups and classes have no entry of their own: they exist when a subclass begins with
// them.
func (a *Activities) isCode(code string) bool {
	switch len(code) {
	case 2, 7:
		return a.names[code] != ""
	case 3, 5:
		i, _ := slices.BinarySearch(a.codes, code)
		return i < len(a.codes) && strings.HasPrefix(a.codes[i], code)
	}
	return false
}
