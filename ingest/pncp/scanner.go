package pncp

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// syntaxError says where and why a text is no complete JSON.
type syntaxError struct {
	at     int    // offset in the text
	member string // name of the member of the object that it is in, "" outside its members
	reason string
}

// Error implements error.
func (e *syntaxError) Error() string {
	if e.member == "" {
		return e.reason
	}
	return e.member + ": " + e.reason
}

// scanner reads one JSON text with encoding/json, value by value. Values that it reports are slices
// of the text, which must be free of raw control characters; see withoutControls.
type scanner struct {
	text   string
	in     *json.Decoder
	raw    json.RawMessage // of the last value
	member string          // name of the member that is being read
}

func newScanner(text string) *scanner {
	return &scanner{text: text, in: json.NewDecoder(strings.NewReader(text))}
}

// object reads a text that is one object and nothing else. It calls member for each member, in order,
// with its name, the raw JSON of its value and the value's offset.
func (s *scanner) object(member func(name, value string, at int)) error {
	if err := s.open('{', "an object"); err != nil {
		return err
	}
	for s.in.More() {
		name, err := s.in.Token()
		if err != nil {
			return s.fail(err)
		}
		s.member = name.(string)
		value, at, err := s.value()
		if err != nil {
			return err
		}
		member(s.member, value, at)
		s.member = ""
	}
	return s.close("object")
}

// array reads a text that is one array and calls element with each element's raw JSON and offset; an
// error of element is returned.
func (s *scanner) array(element func(value string, at int) error) error {
	if err := s.open('[', "an array"); err != nil {
		return err
	}
	for s.in.More() {
		value, at, err := s.value()
		if err != nil {
			return err
		}
		if err := element(value, at); err != nil {
			return err
		}
	}
	return s.close("array")
}

// open reads the bracket with which the text begins.
func (s *scanner) open(bracket byte, what string) error {
	start := strings.TrimLeft(s.text, " \t\r\n")
	if start == "" {
		return s.fail(io.EOF)
	}
	if start[0] != bracket {
		return s.fail(errors.New("here should stand " + what))
	}
	_, err := s.in.Token()
	return err
}

// close reads the closing bracket, behind which there must be nothing.
func (s *scanner) close(what string) error {
	if _, err := s.in.Token(); err != nil {
		return s.fail(err)
	}
	if _, err := s.in.Token(); err != io.EOF {
		return s.fail(errors.New("there is text behind the end of the JSON " + what))
	}
	return nil
}

// value reads one value of any kind.
func (s *scanner) value() (value string, at int, err error) {
	if err := s.in.Decode(&s.raw); err != nil {
		return "", 0, s.fail(err)
	}
	end := int(s.in.InputOffset())
	at = end - len(s.raw)
	return s.text[at:end], at, nil
}

// fail returns the error of a text that is no JSON; at its end the reason is always that it ends
// early.
func (s *scanner) fail(err error) error {
	e := &syntaxError{at: int(s.in.InputOffset()), member: s.member, reason: err.Error()}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		e.at, e.reason = len(s.text), "the JSON ends early"
	}
	return e
}

// withoutControls replaces raw control characters inside strings, which the publisher writes and
// encoding/json refuses, by blanks. All offsets stay.
func withoutControls(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		return text
	}
	out, inside := []byte(text), false
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			inside = !inside
		case inside && out[i] == '\\':
			i++ // what is escaped does not end the string
		case inside && out[i] < ' ':
			out[i] = ' '
		}
	}
	return string(out)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// decode returns the text of a JSON string, trimmed.
func decode(raw string) string {
	if plain(raw) {
		return strings.TrimSpace(raw[1 : len(raw)-1])
	}
	var text string
	_ = json.Unmarshal([]byte(raw), &text) // the scanner has accepted it
	return strings.TrimSpace(text)
}

// plain reports whether a JSON string holds its text without escapes and raw control characters.
func plain(raw string) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] < ' ' || raw[i] == '\\' {
			return false
		}
	}
	return true
}

// encode returns a text as a JSON string, without the HTML escapes of encoding/json.
func encode(text string) string {
	if plain(text) && strings.IndexByte(text, '"') < 0 {
		return `"` + text + `"`
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always has a JSON form, and a Builder takes all
	return strings.TrimSuffix(b.String(), "\n")
}
