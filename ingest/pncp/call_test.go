package pncp

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzDecodePage checks that every contract kept of a page is valid JSON on one line.
func FuzzDecodePage(f *testing.F) {
	f.Add([]byte(`{"data":[{"a":1},{}],"totalRegistros":2,"totalPaginas":1,"numeroPagina":1}`), 1)
	f.Add([]byte("{\"data\":[\"\n\"]}"), 0)
	f.Fuzz(func(t *testing.T, body []byte, number int) {
		p, err := decodePage(body, number)
		if err != nil {
			return
		}
		for _, line := range p.Data {
			if !json.Valid(line) || bytes.ContainsAny(line, "\r\n") {
				t.Errorf("%q", line)
			}
		}
	})
}
