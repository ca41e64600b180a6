package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds of an answer that is read, which a stranger may have passed on: its bytes, and its commas, each of which
// parts two values that take memory. A company with 30,000 establishments has ten million bytes.
const (
	maxAnswer = 64 << 20
	maxCommas = 4 << 20
)

// maxNesting bounds objects and arrays within each other; the deepest answer of the API has eight.
const maxNesting = 64

// ReadJSON reads one JSON value, objects as map[string]any and numbers as json.Number, as strictly as I-JSON
// (RFC 7493, sections 2.1 and 2.3) wants it. What two programs may read differently is an error: a name that
// an object has twice, bytes that are not UTF-8, half a surrogate pair, data after the value.
func ReadJSON(r io.Reader) (any, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxAnswer:
		return nil, fmt.Errorf("the answer is larger than any: it has more than %d MiB", maxAnswer>>20)
	case bytes.Count(text, []byte{','}) > maxCommas:
		return nil, errors.New("the answer has more members than any")
	case !utf8.Valid(text):
		return nil, errors.New("the answer is not UTF-8")
	case hasLoneSurrogate(text):
		return nil, errors.New("the answer has half a surrogate pair")
	}
	var whole json.RawMessage // Decoder.Token would read no further than the value
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, fmt.Errorf("it is no JSON, or not all of it: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return readValue(d, maxNesting)
}

func readValue(d *json.Decoder, nesting int) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch {
	case nesting == 0:
		return nil, errors.New("the answer is nested more deeply than any")
	case token == json.Delim('{'):
		return readObject(d, nesting-1)
	case token == json.Delim('['):
		return readArray(d, nesting-1)
	}
	return token, nil
}

func readObject(d *json.Decoder, nesting int) (any, error) {
	members := map[string]any{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		if _, met := members[name.(string)]; met {
			return nil, fmt.Errorf("an object of the answer has the name %q twice (byte %d)", name, d.InputOffset())
		}
		if members[name.(string)], err = readValue(d, nesting); err != nil {
			return nil, err
		}
	}
	_, err := d.Token() // the brace
	return members, err
}

func readArray(d *json.Decoder, nesting int) (any, error) {
	items := []any{}
	for d.More() {
		item, err := readValue(d, nesting)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := d.Token() // the bracket
	return items, err
}

// hasLoneSurrogate reports whether an escape of JSON text is half a surrogate pair, for which encoding/json
// reads U+FFFD.
func hasLoneSurrogate(text []byte) bool {
	for at := bytes.IndexByte(text, '\\'); at >= 0 && at < len(text); {
		size := 2
		if r, ok := escapedUnit(text[at:]); ok {
			size = 6
			if utf16.IsSurrogate(r) {
				low, _ := escapedUnit(text[at+size:])
				if utf16.DecodeRune(r, low) == utf8.RuneError {
					return true
				}
				size = 12
			}
		}
		next := bytes.IndexByte(text[min(at+size, len(text)):], '\\')
		if next < 0 {
			return false
		}
		at += size + next
	}
	return false
}

// escapedUnit returns the code unit of \uXXXX at the beginning of text.
func escapedUnit(text []byte) (unit rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if digit < 0 {
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	return unit, true
}
