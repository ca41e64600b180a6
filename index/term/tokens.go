package term

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	maxTokenBytes = 40 // longer words are truncated, in names and in queries alike
	// maxTokenDigits bounds the digits in a word that also has letters. Six are what a masked CPF
	// shows, so more than five may identify a person or a company.
	maxTokenDigits = 5
	// maxNumberDigits bounds the digits of a purely numeric word, maxAdjacentDigits those of a run
	// of such words: 24 and 2000 are words, the parts of 41.330.504 are not.
	maxNumberDigits   = 4
	maxAdjacentDigits = 5
)

// Token is a word of a text: its folded form, and the bytes [Start, End) of the text that it comes
// from.
type Token struct {
	Text       string
	Start, End int
}

// Tokens returns the words of a text in order. Words are runs of letters and digits; the package
// comment says how initials, apostrophes and numbers are treated. A lone E is the conjunction "e",
// not an initial, unless a dot or slash touches it. Any input is safe, invalid UTF-8 included.
func Tokens(text string) []Token {
	var t Tokenizer
	t.Scan(text)
	out := make([]Token, len(t.spans))
	for i, s := range t.spans {
		out[i] = Token{string(t.buf[s.from:s.to]), s.start, s.end}
	}
	return out
}

// Words returns the folded words of a text; nil when it has none.
func Words(text string) []string {
	var words []string
	for _, token := range Tokens(text) {
		words = append(words, token.Text)
	}
	return words
}

// Tokenizer finds the words of one text at a time and reuses its buffers. The zero value is ready.
// Not safe for concurrent use.
type Tokenizer struct {
	buf   []byte // folded words, one after the other
	spans []span
}

// span is a word in progress. Words keep a range of the buffer instead of a string, so joining
// initials moves nothing: neighbours lie next to each other.
type span struct {
	from, to   int // in buf
	start, end int // in the text
	runes      int // letters and digits before folding
	digits     int
	cut        int  // bytes before an apostrophe inside, 0 for none
	near       bool // only dots, slashes and blanks separate it from the word before
	bound      bool // only apostrophes, hyphens and blanks do
	dotted     bool // a dot or slash touches it
	starred    bool // an asterisk touches it
	initials   bool // joined from several initials
}

// Len returns the number of words of the last scan.
func (t *Tokenizer) Len() int { return len(t.spans) }

// Start returns the byte offset of word i in the text.
func (t *Tokenizer) Start(i int) int { return t.spans[i].start }

// IsInitials reports whether word i was joined from several initials.
func (t *Tokenizer) IsInitials(i int) bool { return t.spans[i].initials }

// Word returns the folded form of word i, valid until the next Scan.
func (t *Tokenizer) Word(i int) []byte { return t.buf[t.spans[i].from:t.spans[i].to] }

// Cut returns the length of the part of word i before an apostrophe (D'ÁGUA), or before the blank or
// hyphen that Elide has removed, 0 for none. A word with digits has none: a part would be a number.
func (t *Tokenizer) Cut(i int) int {
	if s := t.spans[i]; s.cut < s.to-s.from && s.digits == 0 {
		return s.cut
	}
	return 0
}

// Elides reports whether word i is a particle that lacks its vowel and belongs to the next word: D
// AGUA and D-AGUA are D'AGUA. A particle with a dot is an initial.
func (t *Tokenizer) Elides(i int) bool {
	if i+1 >= len(t.spans) {
		return false
	}
	switch string(t.Word(i)) {
	case "d", "sant", "dall", "dell":
	default:
		return false
	}
	next := t.spans[i+1]
	first := t.buf[next.from]
	return next.bound && !t.spans[i].dotted && next.runes > 1 && (isVowel(first) || first == 'h') && next.to-t.spans[i].from <= maxTokenBytes
}

// Elide joins each particle that Elides with its word.
func (t *Tokenizer) Elide() {
	for i := 0; i < len(t.spans); i++ {
		if !t.Elides(i) {
			continue
		}
		s, next := &t.spans[i], t.spans[i+1]
		s.cut, s.to, s.end, s.digits = s.to-s.from, next.to, next.end, next.digits
		t.spans = slices.Delete(t.spans, i+1, i+2)
	}
}

// Spoken returns the letters of word i in text, which was scanned, for Sounds: with its cedillas.
func (t *Tokenizer) Spoken(text string, i int) string {
	s := t.spans[i]
	original := norm.NFC.String(text[s.start:s.end])
	if !strings.ContainsAny(original, "çÇ") {
		return string(t.Word(i))
	}
	var out []byte
	for _, r := range original {
		switch {
		case r == 'ç' || r == 'Ç':
			out = append(out, "ç"...)
		case isWordRune(r):
			out = appendFolded(out, r)
		}
	}
	return string(out)
}

// Scan replaces the words by those of text, in linear time.
func (t *Tokenizer) Scan(text string) {
	t.buf, t.spans = t.buf[:0], t.spans[:0]
	open, near, bound := false, false, false // inside a word; near and bound of the next word
	var before rune
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case isApostrophe(r) || isMark(r):
			near = near && open
			if last := len(t.spans) - 1; open && isApostrophe(r) && t.spans[last].cut == 0 {
				t.spans[last].cut = len(t.buf) - t.spans[last].from
			}
		case isWordRune(r):
			if !open {
				open = true
				t.spans = append(t.spans, span{
					from: len(t.buf), to: len(t.buf), start: i, near: near, bound: bound, dotted: isDot(before), starred: before == '*',
				})
			}
			t.extend(r, i+size)
			near, bound = true, true
		default:
			if open {
				open = false
				last := &t.spans[len(t.spans)-1]
				last.dotted, last.starred = last.dotted || isDot(r), last.starred || r == '*'
			}
			near = near && (isDot(r) || r == ' ')
			bound = bound && (r == ' ' || r == '-' || r == '\u2010' || r == '\u2011')
		}
		before = r
		i += size
	}
	t.joinInitials()
	t.splitLegalForm(text)
	t.dropNumbers()
}

func isDot(r rune) bool { return r == '.' || r == '/' }

// extend adds a rune to the last word; end is the rune's end in the text. A rune that would exceed
// maxTokenBytes is dropped from the word, but still counts as a digit and moves its end.
func (t *Tokenizer) extend(r rune, end int) {
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

// joinInitials merges adjacent single letters into one word.
func (t *Tokenizer) joinInitials() {
	kept := t.spans[:0]
	single := false // the last kept word consists of initials
	for _, s := range t.spans {
		initial := s.runes == 1 && s.digits == 0 && (s.dotted || string(t.buf[s.from:s.to]) != "e")
		if n := len(kept); n > 0 && single && initial && s.near && s.to-kept[n-1].from <= maxTokenBytes {
			last := &kept[n-1]
			last.to, last.end, last.initials = s.to, s.end, true
			last.starred = last.starred || s.starred
			continue
		}
		single = initial
		kept = append(kept, s)
	}
	t.spans = kept
}

// splitLegalForm splits the legal form S/A off the initials before it: J C S/A is jc and sa.
// Without the slash it must end the text, because JCSA may be a name.
func (t *Tokenizer) splitLegalForm(text string) {
	for i := 0; i < len(t.spans); i++ {
		s := t.spans[i]
		if !s.initials || s.to-s.from < 3 || string(t.buf[s.to-2:s.to]) != "sa" {
			continue
		}
		slashed := strings.EqualFold(text[max(s.end-3, s.start):s.end], "s/a")
		start := strings.LastIndexAny(text[:s.end], "sS")
		if !slashed && i < len(t.spans)-1 || start <= s.start {
			continue
		}
		suffix := s
		suffix.from, suffix.start = s.to-2, start
		end := s.start + len(strings.TrimRight(text[s.start:start], " ./"))
		t.spans[i].to, t.spans[i].end, t.spans[i].initials = s.to-2, end, s.to-s.from > 3
		t.spans = slices.Insert(t.spans, i+1, suffix)
		i++
	}
}

// dropNumbers enforces the privacy invariant: it drops words with too many digits, alone or
// together with their numeric neighbours, and words with digits touched by an asterisk.
func (t *Tokenizer) dropNumbers() {
	kept := t.spans[:0]
	for i := 0; i < len(t.spans); {
		digits, j := 0, i
		for ; j < len(t.spans) && t.spans[j].digits == t.spans[j].runes; j++ {
			digits += t.spans[j].digits
		}
		if j == i { // a word with a letter
			if s := t.spans[i]; s.to > s.from && s.digits <= maxTokenDigits && !(s.starred && s.digits > 0) {
				kept = append(kept, s)
			}
			i++
			continue
		}
		for ; i < j; i++ {
			if s := t.spans[i]; digits <= maxAdjacentDigits && s.digits <= maxNumberDigits && s.to > s.from && !s.starred {
				kept = append(kept, s)
			}
		}
	}
	t.spans = kept
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '‘' || r == '`' || r == '´' }

// isMark reports whether r is a combining mark. The first is U+0300; below it, where nearly all text
// is, the table of marks is not searched.
func isMark(r rune) bool { return r >= 0x300 && unicode.Is(unicode.Mn, r) }

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
