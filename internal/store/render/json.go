package render

import (
	"strconv"
	"time"
	"unicode/utf8"

	"razao/internal/data/record"
)

// The functions of this file append one field to dst: key, then the value. key is written as it is
// and contains everything before the value: comma (unless it is the first field), quotes and colon,
// such as `,"uf":`.

// AppendText appends a field with a string.
func AppendText(dst []byte, key, value string) []byte {
	dst = append(dst, key...)
	return AppendString(dst, value)
}

// AppendTextOrNull appends a field with a string, null if it is empty.
func AppendTextOrNull(dst []byte, key, value string) []byte {
	if value == "" {
		dst = append(dst, key...)
		return append(dst, "null"...)
	}
	return AppendText(dst, key, value)
}

// AppendTextOrNone appends a field with a string, and nothing, not even the key, if it is empty.
func AppendTextOrNone(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return AppendText(dst, key, value)
}

// appendTexts appends a field with an array of strings, and nothing if it is empty. key ends with
// the opening bracket.
func appendTexts(dst []byte, key string, texts []string) []byte {
	if len(texts) == 0 {
		return dst
	}
	dst = append(dst, key...)
	for i, text := range texts {
		dst = AppendString(AppendComma(dst, i), text)
	}
	return append(dst, ']')
}

// AppendComma appends the comma before item n of an array, counted from 0: none before the first.
func AppendComma(dst []byte, n int) []byte {
	if n == 0 {
		return dst
	}
	return append(dst, ',')
}

// AppendInt appends a field with an integer.
func AppendInt(dst []byte, key string, n int64) []byte {
	dst = append(dst, key...)
	return strconv.AppendInt(dst, n, 10)
}

// AppendDate appends a field with a date as YYYY-MM-DD, null for the zero Date.
func AppendDate(dst []byte, key string, d record.Date) []byte {
	dst = append(dst, key...)
	if d == 0 {
		return append(dst, "null"...)
	}
	dst = append(dst, '"')
	dst = d.Append(dst)
	return append(dst, '"')
}

// AppendTime appends a field with a time in UTC to the second (RFC 3339), null for nil.
func AppendTime(dst []byte, key string, t *time.Time) []byte {
	dst = append(dst, key...)
	if t == nil {
		return append(dst, "null"...)
	}
	return t.UTC().AppendFormat(dst, `"2006-01-02T15:04:05Z"`)
}

// AppendFlag appends a field with true, false or, for record.Unknown, null.
func AppendFlag(dst []byte, key string, f record.Flag) []byte {
	dst = append(dst, key...)
	switch f {
	case record.Yes:
		return append(dst, "true"...)
	case record.No:
		return append(dst, "false"...)
	}
	return append(dst, "null"...)
}

// AppendCents appends a field with an amount as a number with two decimals, without the rounding of
// floats; null for record.NoCents. c must not be negative otherwise.
func AppendCents(dst []byte, key string, c record.Cents) []byte {
	dst = append(dst, key...)
	if c == record.NoCents {
		return append(dst, "null"...)
	}
	dst = strconv.AppendInt(dst, int64(c/100), 10)
	return append(dst, '.', byte('0'+c/10%10), byte('0'+c%10))
}

// plain says of each byte whether a JSON string contains it as it is: ASCII that needs no escape.
var plain = func() (is [256]bool) {
	for c := range utf8.RuneSelf {
		is[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return is
}()

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string, byte for byte like encoding/json with
// SetEscapeHTML(false): invalid UTF-8 becomes U+FFFD, and U+2028 and U+2029 are escaped, which
// JavaScript before ES2019 does not allow in string literals. Runs without escapes are copied at
// once.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0 // of the run that is not copied yet
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		if c := s[i]; c < utf8.RuneSelf {
			dst = append(dst, s[start:i]...)
			dst = appendEscaped(dst, c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029':
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\u202`...)
			dst = append(dst, hexDigits[r&0xf])
			start = i + size
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendEscaped appends a control character, quote or backslash, escaped.
func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}
