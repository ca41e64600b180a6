// Package render appends records as JSON: companies, establishments, partners and Simples with the
// meaning of their codes, records of public sources, and the loads of sources. The API and the
// assistants share it, so a record looks the same everywhere; they add pages, cursors and
// envelopes.
//
// The functions for records (rows.go) are generated from the tables of package record by `go
// generate ./internal/data/record`, which is faster than a loop over getters. The others are the
// primitives that the generated code calls. A body takes less CPU than with encoding/json, and no
// allocation; tests compare the two.
//
// All functions are appenders in the style of strconv: they take a buffer, return the extended one
// and allocate only when it has to grow. None can fail, and the output is deterministic, because
// ETags are hashes of it. Keys are constants that the caller passes as they stand in the JSON; only
// values are escaped. Some objects are left open, without their last brace, for what the caller
// adds: their comments say so.
//
// Networks are also exported in the formats of others (Exporter). These are written once for a whole
// network and go through encoding/json, whose errors they return.
package render

import (
	"strings"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
)

// Renderer appends records with the meaning of their codes. It is safe for concurrent use if its
// function is.
type Renderer struct {
	quoted map[record.Domain]map[string]string // meanings as JSON strings
	ibge   func(codigo string) string
}

// New returns a Renderer for records whose codes have the meanings of domains. ibge translates the tax
// authority's code of a municipality to IBGE's, "" if there is none. The meanings are escaped here, once
// for all records.
func New(domains record.Domains, ibge func(codigo string) string) *Renderer {
	r := &Renderer{quoted: make(map[record.Domain]map[string]string, len(domains)), ibge: ibge}
	for domain, meanings := range domains {
		quoted := make(map[string]string, len(meanings))
		for code, text := range meanings {
			quoted[code] = string(AppendString(nil, text))
		}
		delete(quoted, "") // means nothing
		r.quoted[domain] = quoted
	}
	return r
}

// rendererKey is the key of a snapshot's Renderer.
type rendererKey struct{}

// Of returns the Renderer for records of a snapshot, see New.
func Of(s *snapshot.Snapshot) *Renderer {
	r, _ := snapshot.Once(s, rendererKey{}, func() (*Renderer, error) { return New(s.Domains, s.Internals().Atlas().IBGE), nil })
	return r
}

// AppendPartners appends an array of partners.
func (r *Renderer) AppendPartners(dst []byte, all []record.Partner) []byte {
	dst = append(dst, '[')
	for i := range all {
		dst = r.AppendPartner(AppendComma(dst, i), &all[i])
	}
	return append(dst, ']')
}

// AppendEstablishments appends an array of establishments.
func (r *Renderer) AppendEstablishments(dst []byte, all []record.Establishment) []byte {
	dst = append(dst, '[')
	for i := range all {
		dst = r.AppendEstablishment(AppendComma(dst, i), &all[i])
	}
	return append(dst, ']')
}

// IBGE translates the tax authority's code of a municipality to IBGE's, "" if there is none.
func (r *Renderer) IBGE(codigo string) string { return r.ibge(codigo) }

// AppendMeaning appends a field with the meaning of a code, null if the code is unknown or empty.
func (r *Renderer) AppendMeaning(dst []byte, key string, domain record.Domain, code string) []byte {
	return appendMeaning(dst, key, r.quoted[domain], code)
}

func appendMeaning(dst []byte, key string, quoted map[string]string, code string) []byte {
	dst = append(dst, key...)
	if text, ok := quoted[code]; ok {
		return append(dst, text...)
	}
	return append(dst, "null"...)
}

// appendMeanings appends the members of an object from codes to meanings and closes it. list has
// codes joined by commas; their order is kept. A repeated code is described once, because duplicate
// names in an object are undefined (RFC 8259 §4). key ends with the opening brace.
func (r *Renderer) appendMeanings(dst []byte, key string, domain record.Domain, list string) []byte {
	dst = append(dst, key...)
	quoted := r.quoted[domain]
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
		dst = appendMeaning(dst, `:`, quoted, code)
	}
	return append(dst, '}')
}

// lists reports whether code is in a list in which a comma follows every code. Lists are short, so
// a scan per code, quadratic in all, is cheaper than a set and allocates nothing.
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

// appendCodes appends an array from codes joined by commas. key ends with the opening bracket.
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

// appendNumber appends a CNPJ and also returns its 14 characters, of which the following fields are
// parts. They alias dst and stay valid when it grows, since bytes appended once do not change.
func appendNumber(dst []byte, key string, number cnpj.Full) (_, positions []byte) {
	dst = append(dst, key...)
	dst = append(dst, '"')
	start := len(dst)
	dst = number.Append(dst)
	positions = dst[start:]
	return append(dst, '"'), positions
}

// appendRoot appends a field with the 8 characters of a root.
func appendRoot(dst []byte, key string, root cnpj.Root) []byte {
	dst = append(dst, key...)
	dst = append(dst, '"')
	dst = root.Append(dst)
	return append(dst, '"')
}

// appendPart appends a field with a part of a CNPJ, which needs no escaping.
func appendPart(dst []byte, key string, positions []byte) []byte {
	dst = append(dst, key...)
	dst = append(dst, '"')
	dst = append(dst, positions...)
	return append(dst, '"')
}
