package rows

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// decoder turns published bytes into UTF-8 strings. Text that is clean ASCII or valid UTF-8 is
// returned as a view of its source, the rest is built in scratch. A string is valid until the next
// reset or as long as its source, whichever ends first.
type decoder struct {
	utf8    bool   // encoding of the file; else Windows-1252
	scratch []byte // decoded texts since the last reset
	damaged bool   // an undefined byte occurred since the last reset
}

func (d *decoder) reset() { d.scratch, d.damaged = d.scratch[:0], false }

// text decodes a value, takes NUL bytes out and trims white space.
func (d *decoder) text(raw string) string {
	raw = trimBlanks(raw)
	if Printable(raw) {
		return raw
	}
	if strings.IndexByte(raw, 0) >= 0 {
		raw = partAtNULs(raw)
	}
	if d.utf8 && utf8.ValidString(raw) {
		return strings.TrimSpace(raw)
	}
	start := len(d.scratch)
	if d.utf8 {
		d.appendUTF8(raw)
	} else {
		d.append1252(raw)
	}
	return strings.TrimSpace(view(d.scratch[start:]))
}

// partAtNULs puts a blank in the place of NUL bytes, which part words, but nothing between two digits:
// half a CPF would not be masked.
func partAtNULs(raw string) string {
	isDigit := func(b byte) bool { return b >= '0' && b <= '9' }
	var parted []byte
	for part := range strings.FieldsFuncSeq(raw, func(r rune) bool { return r == 0 }) {
		if n := len(parted); n > 0 && !(isDigit(parted[n-1]) && isDigit(part[0])) {
			parted = append(parted, ' ')
		}
		parted = append(parted, part...)
	}
	return string(parted)
}

// appendUTF8 appends raw; invalid bytes become U+FFFD.
func (d *decoder) appendUTF8(raw string) {
	for i, r := range raw {
		if r == utf8.RuneError {
			_, size := utf8.DecodeRuneInString(raw[i:])
			d.damaged = d.damaged || size == 1
		}
		d.scratch = utf8.AppendRune(d.scratch, r)
	}
}

// append1252 decodes Windows-1252.
func (d *decoder) append1252(raw string) {
	for i := range len(raw) {
		r := charmap.Windows1252.DecodeByte(raw[i])
		d.damaged = d.damaged || r == utf8.RuneError // five bytes are undefined
		d.scratch = utf8.AppendRune(d.scratch, r)
	}
}

// view returns the bytes as a string without copying. They must not change while the string is
// used.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// trimBlanks removes blanks and tabs at both ends. It is faster than strings.TrimSpace on ASCII.
func trimBlanks(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// Printable reports whether all bytes are printable ASCII (0x20 to 0x7e). It looks at eight bytes
// at a time, as words (SWAR).
func Printable(s string) bool {
	const (
		ones = 0x0101010101010101
		tops = 0x8080808080808080
	)
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		control := (w - 0x20*ones) & ^w // top bit set for bytes below 0x20
		del := w ^ 0x7f*ones            // 0x00 where a byte is 0x7f
		if (w|control|((del-ones)&^del))&tops != 0 {
			return false
		}
		b = b[8:]
	}
	for _, x := range b {
		if x < 0x20 || x >= 0x7f {
			return false
		}
	}
	return true
}

// ByteOrderMark begins some files of UTF-8. It is no part of the first row.
const ByteOrderMark = "\xef\xbb\xbf"

// Bytes that the detection of an encoding reads at once, and after how many characters beyond ASCII
// it decides.
const (
	judgedAtOnce = 64 << 10
	enough       = 1000
)

// isUTF8 reports whether a text is UTF-8: by its byte order mark, else by a majority of its first
// 1000 characters beyond ASCII. A majority, because publishers changed encodings over the years and
// many files have a few damaged bytes. Letters of Windows-1252 rarely form valid UTF-8 sequences by
// chance. Pure ASCII reads the same in both and is not UTF-8 here.
func isUTF8(r io.Reader) (bool, error) {
	data := make([]byte, 0, judgedAtOnce)
	valid, stray := 0, 0
	for first := true; ; first = false {
		var end bool
		var err error
		if data, end, err = fill(r, data); err != nil {
			return false, err
		}
		if first && bytes.HasPrefix(data, []byte(ByteOrderMark)) {
			return true, nil
		}
		v, s, rest := Characters(data)
		valid, stray = valid+v, stray+s
		if end && rest < len(data) {
			stray++ // a character cut off by the end of the file
		}
		if end || valid+stray >= enough {
			return valid > stray, nil
		}
		data = data[:copy(data, data[rest:])]
	}
}

// Characters counts valid UTF-8 characters beyond ASCII and stray bytes that belong to none. It
// stops at rest if the data end inside a character, for the caller to continue there with more
// data.
func Characters(data []byte) (valid, stray, rest int) {
	for rest < len(data) {
		if data[rest] < utf8.RuneSelf {
			rest++
			continue
		}
		if !utf8.FullRune(data[rest:]) {
			break
		}
		_, size := utf8.DecodeRune(data[rest:])
		if size > 1 {
			valid++
		} else {
			stray++
		}
		rest += size
	}
	return valid, stray, rest
}

// fold normalizes the name of a column for comparison.
func fold(name string) string {
	name = strings.Map(func(r rune) rune {
		switch r {
		case '\u2013', '\u2014', '\u0096': // dashes; U+0096 is one of Windows-1252
			return '-'
		case '\ufeff':
			return -1
		}
		return r
	}, name)
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToUpper(name)))
	return strings.Join(strings.Fields(name), " ")
}
