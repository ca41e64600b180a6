package ptbr

import (
	"net/netip"
	"regexp"
	"strings"
	"unicode"
)

// Unlinked writes a published text so that programs which make links of texts by themselves, such as
// those for mails, feeds and messages, find none in it: whoever registers a company writes its name,
// which may be bait (phishing). A blank follows what begins or divides an address: the full stop before
// letters, in a domain name, or within an IP address, the colon of a scheme, and the @. Initials,
// abbreviations, numbers and amounts stay as they are, and so do telephone numbers. Characters that
// are not seen are left out, since they could hide an address. The function is idempotent.
func Unlinked(published string) string {
	text := []rune(addresses.ReplaceAllStringFunc(strings.Map(visible, published), dividedAddress))
	var b strings.Builder
	for i, r := range text {
		b.WriteRune(r)
		if i+1 < len(text) && divides(text[:i], r, text[i+1:]) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// visible drops format characters, such as zero-width and bidirectional ones.
func visible(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// divides reports whether a blank belongs between r and what follows, which is not empty.
func divides(before []rune, r rune, after []rune) bool {
	next := after[0]
	if len(before) == 0 && r != '@' || unicode.IsSpace(next) {
		return false
	}
	switch r {
	case '@', '＠', '﹫':
		return true
	case ':', '：', '﹕':
		last := before[len(before)-1]
		return unicode.IsLetter(last) || unicode.IsDigit(last) && !unicode.IsDigit(next)
	case '.', '．', '。', '｡', '․', '﹒': // those that IDNA takes for one (UTS #46 §4), and look-alikes
		return !unicode.IsSpace(before[len(before)-1]) && beginsDomain(after)
	}
	return false
}

// beginsDomain reports whether what follows a full stop may be the end of a domain name: a letter, and
// another letter or digit. A letter alone is an initial.
func beginsDomain(after []rune) bool {
	if !unicode.IsLetter(after[0]) {
		return false
	}
	for _, r := range after[1:] {
		if !unicode.IsMark(r) {
			return unicode.IsLetter(r) || unicode.IsDigit(r)
		}
	}
	return false
}

// addresses matches what may be an IP address of version 4, with what may make it an amount.
var addresses = regexp.MustCompile(`(?:R\$[ \x{a0}]?)?\d+(?:\.\d+)+`)

func dividedAddress(number string) string {
	if _, err := netip.ParseAddr(number); err != nil {
		return number
	}
	return strings.ReplaceAll(number, ".", ". ")
}
