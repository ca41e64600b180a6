package index

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	maxTokenBytes = 40 // longer words are cut, in names and in queries alike
	// maxTokenDigits is how many digits a word may carry. More look like a number of a person or a company, and those
	// are never words: six is also what a masked CPF shows.
	maxTokenDigits = 5
)

// Token is a word of a text: its folded form and where it stands, in bytes.
type Token struct {
	Text       string
	Start, End int
}

// Fold returns s in lower case without accents, as words are compared. Compatibility forms become the plain letters
// they stand for; bytes that are not UTF-8 become blanks.
func Fold(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			out = append(out, ' ')
		} else {
			out = appendFolded(out, r)
		}
		i += size
	}
	return string(out)
}

// Tokens returns the words of a text in order. Letters and digits form words; apostrophes vanish (D'AGUA is dagua);
// single letters parted by one dot or slash are one word (S/A and S.A. are sa). Words without a letter and words with
// more than five digits are left out, so that no number of a person can be found. Safe for any input.
func Tokens(text string) []Token {
	var t tokenizer
	t.scan(text)
	out := make([]Token, len(t.spans))
	for i, s := range t.spans {
		out[i] = Token{string(t.buf[s.from:s.to]), s.start, s.end}
	}
	return out
}

// tokenizer finds the words of a text; its buffers are reused from text to text.
type tokenizer struct {
	buf   []byte // folded words, one after the other
	spans []span
}

type span struct {
	from, to   int // in buf
	start, end int // in the text
	runes      int // letters and digits in the text
	digits     int
	joined     bool // one dot or slash, and nothing else, stands between this word and the one before
}

// word returns the folded form of word i; valid until the next scan.
func (t *tokenizer) word(i int) []byte { return t.buf[t.spans[i].from:t.spans[i].to] }

// scan replaces the words by those of text.
func (t *tokenizer) scan(text string) {
	t.buf, t.spans = t.buf[:0], t.spans[:0]
	open := false
	lastEnd, gap := -1, 0 // where the word before ended; bytes since then that are neither dot nor slash
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case isApostrophe(r) || unicode.Is(unicode.Mn, r):
			if !open {
				gap++
			}
		case isWordRune(r):
			if !open {
				open = true
				joined := lastEnd >= 0 && gap == 0 && i-lastEnd == 1
				t.spans = append(t.spans, span{from: len(t.buf), to: len(t.buf), start: i, joined: joined})
			}
			t.extend(r, i+size)
		default:
			if open {
				open = false
				lastEnd, gap = i, 0
			}
			if r != '.' && r != '/' {
				gap++
			}
		}
		i += size
	}
	t.joinInitials()
	t.dropNumbers()
}

// extend adds one rune to the last word; end is where the rune ends in the text.
func (t *tokenizer) extend(r rune, end int) {
	s := &t.spans[len(t.spans)-1]
	s.end = end
	s.runes++
	if unicode.IsDigit(r) {
		s.digits++
	}
	before := len(t.buf)
	t.buf = appendFolded(t.buf, r)
	if len(t.buf)-s.from > maxTokenBytes {
		t.buf = t.buf[:before]
		return
	}
	s.to = len(t.buf)
}

// joinInitials makes one word of neighbouring single letters that a dot or slash parts.
func (t *tokenizer) joinInitials() {
	kept := t.spans[:0]
	single := false // whether the last kept word consists of single letters
	for _, s := range t.spans {
		initial := s.runes == 1 && s.digits == 0
		if n := len(kept); n > 0 && single && initial && s.joined && kept[n-1].to-kept[n-1].from < maxTokenBytes {
			kept[n-1].to, kept[n-1].end = s.to, s.end
			continue
		}
		single = initial
		kept = append(kept, s)
	}
	t.spans = kept
}

// dropNumbers leaves out what has no letter or too many digits.
func (t *tokenizer) dropNumbers() {
	kept := t.spans[:0]
	for _, s := range t.spans {
		if s.to > s.from && s.runes > s.digits && s.digits <= maxTokenDigits {
			kept = append(kept, s)
		}
	}
	t.spans = kept
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '‘' || r == '`' || r == '´' }

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// appendFolded appends the lower case base of r; a combining mark appends nothing.
func appendFolded(dst []byte, r rune) []byte {
	switch {
	case r >= 'A' && r <= 'Z':
		return append(dst, byte(r)+'a'-'A')
	case r < utf8.RuneSelf:
		return append(dst, byte(r))
	case unicode.Is(unicode.Mn, r):
		return dst
	}
	switch lower := unicode.ToLower(r); lower {
	case 'ß':
		return append(dst, "ss"...)
	case 'æ':
		return append(dst, "ae"...)
	case 'œ':
		return append(dst, "oe"...)
	case 'ø':
		return append(dst, 'o')
	case 'đ':
		return append(dst, 'd')
	case 'ł':
		return append(dst, 'l')
	}
	var raw [utf8.UTFMax]byte
	encoded := utf8.AppendRune(raw[:0], r)
	parts := norm.NFKD.Properties(encoded).Decomposition()
	if parts == nil {
		return utf8.AppendRune(dst, unicode.ToLower(r))
	}
	for len(parts) > 0 {
		part, size := utf8.DecodeRune(parts)
		if !unicode.Is(unicode.Mn, part) {
			dst = utf8.AppendRune(dst, unicode.ToLower(part))
		}
		parts = parts[size:]
	}
	return dst
}
