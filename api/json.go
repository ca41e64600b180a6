package api

import (
	"strconv"
	"unicode/utf8"

	"razao/internal/registry"
)

// The functions of this file append JSON values to dst without allocating. A field is a value behind its key, which is
// given as it stands in the text, with quotes and colon and, where it is not the first, the comma.

func appendTextField(dst []byte, key, value string) []byte {
	dst = append(dst, key...)
	return appendString(dst, value)
}

// appendOptionalField appends a text, or null when it is empty.
func appendOptionalField(dst []byte, key, value string) []byte {
	if value == "" {
		dst = append(dst, key...)
		return append(dst, "null"...)
	}
	return appendTextField(dst, key, value)
}

func appendIntField(dst []byte, key string, n int64) []byte {
	dst = append(dst, key...)
	return strconv.AppendInt(dst, n, 10)
}

// appendDateField appends AAAA-MM-DD, or null when there is no date.
func appendDateField(dst []byte, key string, d registry.Date) []byte {
	dst = append(dst, key...)
	if d == 0 {
		return append(dst, "null"...)
	}
	dst = append(dst, '"')
	dst = d.Append(dst)
	return append(dst, '"')
}

func appendFlagField(dst []byte, key string, f registry.Flag) []byte {
	dst = append(dst, key...)
	switch f {
	case registry.Yes:
		return append(dst, "true"...)
	case registry.No:
		return append(dst, "false"...)
	}
	return append(dst, "null"...)
}

// appendCentsField appends the exact amount with its two decimals, or null when none was published.
func appendCentsField(dst []byte, key string, c registry.Cents) []byte {
	dst = append(dst, key...)
	if c == registry.NoCents {
		return append(dst, "null"...)
	}
	dst = strconv.AppendInt(dst, int64(c/100), 10)
	return append(dst, '.', byte('0'+c/10%10), byte('0'+c%10))
}

const hexDigits = "0123456789abcdef"

// appendString appends s as encoding/json does with SetEscapeHTML(false): bytes that are not UTF-8 become U+FFFD, and
// the two line separators that JavaScript once did not allow in strings are escaped.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0 // of what has not been appended yet
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
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

// appendEscaped appends a control character, quote or backslash.
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
