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
	if Printable(raw) {
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

// Printable says whether all bytes are printable ASCII, eight at a time.
func Printable(s string) bool {
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

// Bytes of an encoding. judgedAtOnce are looked at together; enough characters beyond ASCII decide.
const (
	judgedAtOnce = 64 << 10
	enough       = 1000
)

// isUTF8 judges a text by a byte order mark, else by its first characters beyond ASCII: publishers have changed their
// encodings, and a few bytes are damaged in many files, so that the majority decides. Letters of Windows-1252 hardly ever
// make a character of UTF-8 together. Text of ASCII alone reads the same in both.
func isUTF8(r io.Reader) (bool, error) {
	data := make([]byte, 0, judgedAtOnce)
	valid, stray := 0, 0
	for first := true; ; first = false {
		var end bool
		var err error
		if data, end, err = fill(r, data); err != nil {
			return false, err
		}
		if first && bytes.HasPrefix(data, []byte(byteOrderMark)) {
			return true, nil
		}
		v, s, rest := Characters(data)
		valid, stray = valid+v, stray+s
		if end && rest < len(data) {
			stray++ // a character that the end of the file cuts
		}
		if end || valid+stray >= enough {
			return valid > stray, nil
		}
		data = data[:copy(data, data[rest:])]
	}
}

// Characters counts the characters of UTF-8 beyond ASCII and the bytes that belong to none, up to rest, where the data cut
// a character.
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
