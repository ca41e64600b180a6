package change

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"razao/internal/data/record"
	"razao/internal/data/source"
)

// What a reader takes for the same is no change: letter case and the number of blanks, the order of codes in a list, a
// number with other zeros, and a code of nothing but zeros, which stands for none.

// sameValue reports whether two values of a field of the company registry read the same.
func sameValue(f *record.Field, b, a string) bool {
	switch {
	case b == a:
		return true
	case f.Kind == record.Codes:
		return slices.Equal(codesOf(b), codesOf(a))
	case f.Kind == record.Code || f.Name == "representante_legal": // ***000000**: there is none
		b, a = strings.TrimSpace(b), strings.TrimSpace(a)
		if strings.Trim(b, "*0") == "" && strings.Trim(a, "*0") == "" {
			return true
		}
	}
	return sameText(b, a)
}

// sameText reports whether two texts read the same.
func sameText(b, a string) bool {
	return b == a || bytes.Equal(appendText(nil, b), appendText(nil, a))
}

// codesOf returns the codes of a list, sorted, each once.
func codesOf(list string) []string {
	codes := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	slices.Sort(codes)
	return slices.Compact(codes)
}

// AppendReading appends the value of a field of a source to dst, in a form that values share which read the same.
// Nothing is appended for a value that reads as none.
func AppendReading(dst []byte, kind source.Kind, value string) []byte {
	switch kind {
	case source.Number:
		return appendNumber(dst, strings.TrimSpace(value))
	case source.JSON:
		return appendJSON(dst, value)
	}
	return appendText(dst, value)
}

// appendText appends a text with single blanks between its words and in one letter case.
func appendText(dst []byte, text string) []byte {
	start, i := len(dst), asItself(text)
	dst = append(dst, text[:i]...)
	for blank := false; i < len(text); {
		r, n := rune(text[i]), 1 // nearly all are ASCII
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		i += n
		if r == ' ' || (r < ' ' || r >= utf8.RuneSelf) && unicode.IsSpace(r) {
			blank = true
			continue
		}
		if blank && len(dst) > start {
			dst = append(dst, ' ')
		}
		blank = false
		switch {
		case 'a' <= r && r <= 'z':
			dst = append(dst, byte(r)-'a'+'A')
		case r < utf8.RuneSelf:
			dst = append(dst, byte(r))
		default:
			dst = utf8.AppendRune(dst, unicode.ToUpper(r))
		}
	}
	return dst
}

// asItself returns the length of the beginning of a text, in whole words, that reads as itself: as publishers mostly write.
func asItself(text string) int {
	word := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' && i == word:
			return max(0, i-1) // a second blank, or the first of all
		case c == ' ':
			word = i + 1
		case c < ' ' || c >= utf8.RuneSelf || 'a' <= c && c <= 'z':
			return max(0, word-1)
		}
	}
	if word == len(text) {
		return max(0, word-1)
	}
	return len(text)
}

// appendNumber appends a decimal number without zeros that say nothing; what is none is appended as a text.
func appendNumber(dst []byte, number string) []byte {
	digits, negative := strings.CutPrefix(number, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if digits == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return appendText(dst, number)
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if negative && whole+fraction != "" {
		dst = append(dst, '-')
	}
	if whole == "" {
		whole = "0"
	}
	dst = append(dst, whole...)
	if fraction != "" {
		dst = append(append(dst, '.'), fraction...)
	}
	return dst
}

// appendJSON appends a complete JSON value, its texts and numbers as they read and its list, if it is one, in any order.
// Empty lists, objects and texts read as null.
func appendJSON(dst []byte, value string) []byte {
	start, depth := len(dst), 0
	var ends []int // of the elements of a list
	for rest := value; rest != ""; {
		n := 1
		switch c := rest[0]; {
		case c == '"':
			n = 1 + endOfText(rest[1:])
			dst = append(appendText(append(dst, '"'), strings.TrimSuffix(rest[1:n], `"`)), '"')
		case c == '-' || '0' <= c && c <= '9':
			if n = strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("+-.0123456789eE", r) }); n < 0 {
				n = len(rest)
			}
			dst = appendNumber(dst, rest[:n])
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			if c == '[' || c == '{' {
				depth++
			}
			if depth == 1 && (c == ',' || c == ']') {
				ends = append(ends, len(dst))
			}
			if c == ']' || c == '}' {
				depth--
			}
			dst = append(dst, c)
		}
		rest = rest[n:]
	}
	switch read := dst[start:]; {
	case slices.Contains([]string{`null`, `""`, `[]`, `{}`}, string(read)):
		return dst[:start]
	case len(ends) > 1 && read[0] == '[':
		sortElements(dst, start, ends)
	}
	return dst
}

// sortElements sorts the elements of the list that begins at start, which end before the positions in ends.
func sortElements(dst []byte, start int, ends []int) {
	list := bytes.Clone(dst)
	var elements [][]byte
	from := start + 1
	for _, end := range ends {
		elements, from = append(elements, list[from:end]), end+1
	}
	slices.SortFunc(elements, bytes.Compare)
	copy(dst[start+1:], bytes.Join(elements, []byte(",")))
}

// endOfText returns the length of the rest of a JSON string, its closing quote included.
func endOfText(rest string) int {
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(rest)
}
