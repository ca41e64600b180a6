// Package render appends what is published as JSON: the rows of the release with what their codes mean, the records of public
// sources, and what is known of loads. Its callers (the API, the assistants) add only what is their own, such as pages and
// cursors.
//
// rows.go is written from the tables of package record by `go generate ./internal/record`. Nothing here allocates: a body grows
// in the slice that the caller keeps.
package render

import (
	"strings"

	"razao/internal/cnpj"
	"razao/internal/record"
)

// Renderer appends records with the texts of their codes.
type Renderer struct {
	Domains record.Domains
	// IBGE returns IBGE's code of a municipality for the tax authority's, "" when there is none.
	IBGE func(codigo string) string
}

// AppendMeaning appends the description of a code, null when the code is unknown or empty.
func (r *Renderer) AppendMeaning(dst []byte, key string, domain record.Domain, code string) []byte {
	dst = append(dst, key...)
	text, ok := r.Domains.Describe(domain, code)
	if !ok {
		return append(dst, "null"...)
	}
	return AppendString(dst, text)
}

// appendMeanings appends the descriptions of the codes of a list joined by commas, in its order. A code that the list
// repeats is described once: a key comes once in an object. Key ends with the opening brace.
func (r *Renderer) appendMeanings(dst []byte, key string, domain record.Domain, list string) []byte {
	dst = append(dst, key...)
	first := true
	for rest := list; rest != ""; {
		before := list[:len(list)-len(rest)]
		var code string
		if code, rest, _ = strings.Cut(rest, ","); code == "" || lists(before, code) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = AppendString(dst, code)
		dst = r.AppendMeaning(dst, `:`, domain, code)
	}
	return append(dst, '}')
}

// lists reports whether a list, in which every code is followed by a comma, holds code.
func lists(list, code string) bool {
	for from := 0; ; {
		i := strings.Index(list[from:], code)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(code)
		if list[end] == ',' && (start == 0 || list[start-1] == ',') {
			return true
		}
		from = end
	}
}

// appendCodes appends the codes of a list joined by commas. Key ends with the opening bracket.
func appendCodes(dst []byte, key, list string) []byte {
	dst = append(dst, key...)
	first := true
	for rest := list; rest != ""; {
		var code string
		if code, rest, _ = strings.Cut(rest, ","); code == "" {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = AppendString(dst, code)
	}
	return append(dst, ']')
}

// appendNumber appends a CNPJ and returns its 14 positions as well, of which the fields behind it are parts.
func appendNumber(dst []byte, key string, number cnpj.Full) (_, positions []byte) {
	dst = append(dst, key...)
	dst = append(dst, '"')
	start := len(dst)
	dst = number.Append(dst)
	positions = dst[start:]
	return append(dst, '"'), positions
}

func appendRoot(dst []byte, key string, root cnpj.Root) []byte {
	dst = append(dst, key...)
	dst = append(dst, '"')
	dst = root.Append(dst)
	return append(dst, '"')
}

func appendPart(dst []byte, key string, positions []byte) []byte {
	dst = append(dst, key...)
	dst = append(dst, '"')
	dst = append(dst, positions...)
	return append(dst, '"')
}
