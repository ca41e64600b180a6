package pncp

import (
	"encoding/json"
	"fmt"
	"strings"
)

// maxDepth bounds recursion on hostile input; a contract nests three levels deep, a page five.
const maxDepth = 64

// scanner walks JSON (RFC 8259) in place: names and values that it reports are slices of the text.
// It accepts what encoding/json accepts, up to maxDepth, and besides that raw control characters
// inside strings. It does not check that strings are UTF-8. Methods read from at and leave it
// behind what they read; after an error, at is where the text went wrong.
type scanner struct {
	text  string
	at    int
	depth int
}

// syntaxError says where and why a text is no complete JSON.
type syntaxError struct {
	at     int    // offset in the text
	member string // name of the member of the outermost object, "" outside its members
	reason string
}

// Error implements error.
func (e *syntaxError) Error() string {
	if e.member == "" {
		return e.reason
	}
	return e.member + ": " + e.reason
}

// fail returns an error at the current place; at the end of the text the reason is always that it
// ends early.
func (s *scanner) fail(reason string) error {
	if s.at >= len(s.text) {
		reason = "the JSON ends early"
	}
	return &syntaxError{at: s.at, reason: reason}
}

// document reads a text that is one object and nothing else.
func (s *scanner) document(member func(name, value string, at int)) error {
	s.blank()
	if err := s.object(member); err != nil {
		return err
	}
	if s.blank(); s.at < len(s.text) {
		return s.fail("there is text behind the end of the JSON object")
	}
	return nil
}

// object reads an object and calls member for each of its members, in order, with its decoded name,
// the raw JSON of its value and the value's offset.
func (s *scanner) object(member func(name, value string, at int)) error {
	return s.list('{', '}', "an object", func() error {
		start := s.at
		if err := s.string(); err != nil {
			return err
		}
		name := unquote(s.text[start:s.at])
		s.blank()
		err := s.expect(':')
		s.blank()
		start = s.at
		if err == nil {
			err = s.value()
		}
		if err != nil {
			if e, ok := err.(*syntaxError); ok {
				e.member = name
			}
			return err
		}
		member(name, s.text[start:s.at], start)
		return nil
	})
}

// array reads an array and calls element with each element's raw JSON and offset; an error of
// element is returned.
func (s *scanner) array(element func(value string, at int) error) error {
	return s.list('[', ']', "an array", func() error {
		start := s.at
		if err := s.value(); err != nil {
			return err
		}
		return element(s.text[start:s.at], start)
	})
}

// list reads brackets and the comma-separated parts between them, each with part.
func (s *scanner) list(first, last byte, what string, part func() error) error {
	if s.peek() != first {
		return s.fail(fmt.Sprintf("here should stand %s", what))
	}
	if s.depth++; s.depth > maxDepth {
		return s.fail("values are nested too deep")
	}
	s.at++
	if s.blank(); s.peek() != last {
		for {
			if err := part(); err != nil {
				return err
			}
			if s.blank(); s.peek() != ',' {
				break
			}
			s.at++
			s.blank()
		}
	}
	s.depth--
	return s.expect(last)
}

// value skips one value of any kind.
func (s *scanner) value() error {
	switch c := s.peek(); {
	case c == '"':
		return s.string()
	case c == '{':
		return s.object(func(string, string, int) {})
	case c == '[':
		return s.array(func(string, int) error { return nil })
	case c == '-' || digit(c):
		return s.number()
	case c == 'n':
		return s.word("null")
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	}
	return s.fail("here should stand a value")
}

// string skips a string with its quotes.
func (s *scanner) string() error {
	if s.peek() != '"' {
		return s.fail("here should stand a text in quotes")
	}
	s.at++
	for {
		rest := s.text[s.at:]
		end := strings.IndexByte(rest, '"')
		if end < 0 {
			s.at = len(s.text)
			return s.fail("")
		}
		escape := strings.IndexByte(rest[:end], '\\')
		if escape < 0 {
			s.at += end + 1
			return nil
		}
		s.at += escape
		if err := s.escape(); err != nil {
			return err
		}
	}
}

// escape skips a backslash and the rest of its escape sequence.
func (s *scanner) escape() error {
	s.at++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at++
		return nil
	case 'u':
		s.at++
		for range 4 {
			if c := s.peek(); !digit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
				return s.fail("a \\u is not followed by four hexadecimal digits")
			}
			s.at++
		}
		return nil
	}
	return s.fail("a backslash is followed by a character that it cannot escape")
}

// number skips a number.
func (s *scanner) number() error {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.peek() == '.' {
		s.at++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.peek()|0x20 != 'e' {
		return nil
	}
	s.at++
	if c := s.peek(); c == '+' || c == '-' {
		s.at++
	}
	return s.digits()
}

// digits skips one or more digits.
func (s *scanner) digits() error {
	if !digit(s.peek()) {
		return s.fail("here should stand a digit")
	}
	for digit(s.peek()) {
		s.at++
	}
	return nil
}

// word skips a literal. A text that ends inside it ends early.
func (s *scanner) word(w string) error {
	if !strings.HasPrefix(s.text[s.at:], w) {
		if strings.HasPrefix(w, s.text[s.at:]) {
			s.at = len(s.text)
		}
		return s.fail("here should stand " + w)
	}
	s.at += len(w)
	return nil
}

// expect skips the byte c, which must be next.
func (s *scanner) expect(c byte) error {
	if s.peek() != c {
		return s.fail(fmt.Sprintf("here should stand %q", c))
	}
	s.at++
	return nil
}

// blank skips white space.
func (s *scanner) blank() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// decode returns the text of a JSON string, trimmed.
func decode(raw string) string { return strings.TrimSpace(unquote(raw)) }

// unquote returns the text of a string that the scanner has accepted, with raw control characters
// as blanks.
func unquote(raw string) string {
	if plain(raw) {
		return raw[1 : len(raw)-1]
	}
	clean := strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, raw)
	var text string
	_ = json.Unmarshal([]byte(clean), &text) // the scanner has accepted it
	return text
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
