package frame

import (
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// decoder turns published bytes into texts. They are valid until the next reset or as long as the bytes they came from,
// whichever ends first.
type decoder struct {
	utf8    bool   // else Windows-1252
	scratch []byte // texts that could not be used where they lie
	damaged bool   // a byte since the last reset meant nothing
}

func (d *decoder) reset() { d.scratch, d.damaged = d.scratch[:0], false }

// text decodes, strips NUL bytes and trims.
func (d *decoder) text(raw string) string {
	raw = trimBlanks(raw)
	if plain(raw) {
		return raw
	}
	if d.utf8 && strings.IndexByte(raw, 0) < 0 && utf8.ValidString(raw) {
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

func (d *decoder) appendUTF8(raw string) {
	for i, r := range raw {
		if r == 0 {
			continue
		}
		if r == utf8.RuneError {
			_, size := utf8.DecodeRuneInString(raw[i:])
			d.damaged = d.damaged || size == 1
		}
		d.scratch = utf8.AppendRune(d.scratch, r)
	}
}

func (d *decoder) append1252(raw string) {
	for i := range len(raw) {
		b := raw[i]
		switch {
		case b == 0:
		case b < utf8.RuneSelf:
			d.scratch = append(d.scratch, b)
		default:
			r := charmap.Windows1252.DecodeByte(b)
			d.damaged = d.damaged || r == utf8.RuneError // five bytes mean nothing
			d.scratch = utf8.AppendRune(d.scratch, r)
		}
	}
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func trimBlanks(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// plain says whether all bytes are printable ASCII, eight at a time.
func plain(s string) bool {
	const (
		ones = 0x0101010101010101
		tops = 0x8080808080808080
	)
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		control := (w - 0x20*ones) & ^w // top bit of a byte below 0x20
		del := w ^ 0x7f*ones            // zero byte where 0x7f stands
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

const byteOrderMark = "\xef\xbb\xbf"

// isUTF8 judges by the beginning of a file: a byte order mark, or text that is valid and not all ASCII. A character may
// be cut at the end.
func isUTF8(head []byte) bool {
	if strings.HasPrefix(view(head), byteOrderMark) {
		return true
	}
	for i := 1; i < utf8.UTFMax && i <= len(head); i++ {
		if last := head[len(head)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				head = head[:len(head)-i]
			}
			break
		}
	}
	beyond := false
	for _, b := range head {
		if b >= utf8.RuneSelf {
			beyond = true
			break
		}
	}
	return beyond && utf8.Valid(head)
}

// fold gives the name of a column the form in which names are compared.
func fold(name string) string {
	name = strings.Map(func(r rune) rune {
		switch r {
		case '\u2013', '\u2014', '\u0096': // dashes, the last one a Windows-1252 dash taken for something else
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
