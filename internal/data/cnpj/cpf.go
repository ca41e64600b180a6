package cnpj

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaskCPFs replaces each CPF in a free text by ***456789**, as the tax authority itself publishes
// them. It returns text itself if there is none.
//
// A CPF is eleven digits with valid check digits, however they are punctuated, and no part of a
// longer number. One in a hundred other numbers of eleven digits passes that test, so how the
// digits are divided decides what else they may be: (11) 98765-4321 is a telephone and
// 1234567/2020 a proceeding, whatever their check digits.
func MaskCPFs(text string) string { return maskCPFs(text, false) }

// MaskPerson is [MaskCPFs] for the name or the document of a natural person, where eleven digits
// are the CPF even if somebody mistyped one of them.
func MaskPerson(name string) string { return maskCPFs(name, true) }

const cpfLength = 11

// maskCPFs masks until nothing changes: a number that stood beside a CPF may prove to be one too
// when that is no longer a number.
func maskCPFs(text string, person bool) string {
	for hasCPFLength(text) {
		masked := maskOnce(text, person)
		if masked == text {
			break
		}
		text = masked
	}
	return text
}

func maskOnce(text string, person bool) string {
	var runBuffer [16]digitRun
	var digitBuffer [64]byte
	runs, digits := digitRuns(text, runBuffer[:0], digitBuffer[:0])
	var out strings.Builder
	kept := 0 // bytes of text that out holds
	for i := 0; i < len(runs); {
		n := cpfRuns(runs[i:])
		if n == 0 {
			i++
			continue
		}
		cpf := digits[runs[i].first:][:cpfLength]
		c := candidate{text: text, runs: runs[i : i+n], before: runs[i].joint}
		if i+n < len(runs) {
			c.after = runs[i+n].joint
		}
		if !(validCPF(cpf) && c.mayBeCPF() || person && c.dividesAsCPF()) {
			i++
			continue
		}
		out.WriteString(text[kept:runs[i].start])
		out.WriteString("***")
		out.Write(cpf[3:9])
		out.WriteString("**")
		i += n
		kept = runs[i-1].end
	}
	if kept == 0 {
		return text
	}
	out.WriteString(text[kept:])
	return out.String()
}

// hasCPFLength reports whether a text has at least as many digits as a CPF. It may count a few
// other characters as digits.
func hasCPFLength(text string) bool {
	if len(text) < cpfLength {
		return false
	}
	const fullWidthLead = 0xef // first byte of U+FF10 to U+FF19 in UTF-8
	n := 0
	for i := range len(text) {
		if c := text[i]; c >= '0' && c <= '9' || c == fullWidthLead {
			n++
		}
	}
	return n >= cpfLength
}

// joint is what stands between two runs of digits.
type joint uint8

const (
	apart joint = iota // letters, many characters, or the end of the text
	loose              // punctuation with white space, as between two numbers of an address
	tight              // punctuation alone, as inside one number
)

// digitRun is an unbroken run of digits.
type digitRun struct {
	start, end int   // bytes of the text
	first, n   int   // position of its first digit among all digits of the text; how many there are
	joint      joint // to the run before it
}

// digitRuns appends the runs of a text, and all its digits as ASCII.
func digitRuns(text string, runs []digitRun, digits []byte) ([]digitRun, []byte) {
	const longest = 4 // characters of punctuation between parts of one number
	gap, joined := 0, apart
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch d := digitOf(r); {
		case d >= 0:
			if last := len(runs) - 1; last >= 0 && runs[last].end == i {
				runs[last].n++
				runs[last].end += size
			} else {
				runs = append(runs, digitRun{i, i + size, len(digits), 1, joined})
			}
			digits = append(digits, byte('0'+d))
			gap, joined = 0, tight
		case gap == longest || !isPunctuation(r):
			joined = apart
		default:
			gap++
			if joined == tight && unicode.IsSpace(r) {
				joined = loose
			}
		}
		i += size
	}
	return runs, digits
}

// digitOf returns the value of a digit, ASCII or full-width, -1 for anything else.
func digitOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= '０' && r <= '９':
		return int(r - '０')
	}
	return -1
}

// isPunctuation reports whether a character may divide a number: white space, punctuation, dashes,
// and what is not seen at all, such as a soft hyphen or a zero-width space. An asterisk stands for a
// hidden digit.
func isPunctuation(r rune) bool {
	return r != '*' && (unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.Is(unicode.Cf, r))
}

// cpfRuns returns how many runs from the first on make the eleven digits of a CPF, 0 if none do.
func cpfRuns(runs []digitRun) int {
	digits := 0
	for i, r := range runs {
		if i > 0 && r.joint == apart {
			return 0
		}
		if digits += r.n; digits >= cpfLength {
			if digits > cpfLength {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// candidate is a number of eleven digits, and how it is joined to its neighbours.
type candidate struct {
	text          string
	runs          []digitRun
	before, after joint
}

// mayBeCPF reports whether the number is written as a CPF may be. Written as CPFs are, it is one
// next to anything. Punctuated otherwise it must stand apart from further numbers, and not have the
// form of something else. Divided otherwise it must also stand further apart from them than its
// own parts do.
func (c *candidate) mayBeCPF() bool {
	switch {
	case c.isPlain():
		return true
	case c.isTelephone() || c.isAmount():
		return false
	case c.dividesAsCPF():
		return c.before != tight && c.after != tight
	default:
		return c.before < c.loosest() && c.after < c.loosest() && !c.isDated()
	}
}

// loosest returns the loosest joint inside the number.
func (c *candidate) loosest() joint {
	joint := tight
	for _, run := range c.runs[1:] {
		joint = min(joint, run.joint)
	}
	return joint
}

// isPlain reports whether the number has no punctuation but that of a CPF, 123.456.789-09, any of
// it left out.
func (c *candidate) isPlain() bool {
	const marks = "..-"
	for i, run := range c.runs[1:] {
		at := run.first - c.runs[0].first
		if at%3 != 0 || c.text[c.runs[i].end:run.start] != marks[at/3-1:at/3] {
			return false
		}
	}
	return true
}

// dividesAsCPF reports whether the number is divided nowhere but where a CPF is: after three, six
// and nine digits.
func (c *candidate) dividesAsCPF() bool {
	for _, run := range c.runs[1:] {
		if (run.first-c.runs[0].first)%3 != 0 {
			return false
		}
	}
	return true
}

// isTelephone reports whether the number is divided like a telephone: an area code in brackets, or
// 11 98765-4321, 11 9 8765-4321, 011 3456-7890, 0800 123 4567.
func (c *candidate) isTelephone() bool {
	first := c.runs[0]
	if first.n <= 3 && first.start > 0 && c.text[first.start-1] == '(' && c.text[first.end] == ')' {
		return true
	}
	var form strings.Builder
	for _, run := range c.runs {
		form.WriteByte(byte('0' + run.n))
	}
	switch form.String() {
	case "29", "254", "2144", "218": // mobile numbers begin with 9; no area code has a 0
		return !strings.Contains(c.text[first.start:first.end], "0") && digitIs(c.text[c.runs[1].start:], 9)
	case "344", "434":
		return digitIs(c.text[first.start:], 0)
	}
	return false
}

// digitIs reports whether a text begins with this digit.
func digitIs(text string, digit int) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return digitOf(r) == digit
}

// isAmount reports whether the number is an amount of money: a currency sign stands before it.
func (c *candidate) isAmount() bool {
	return strings.HasSuffix(strings.TrimRightFunc(c.text[:c.runs[0].start], unicode.IsSpace), "$")
}

// isDated reports whether the number begins or ends with a year, as those of proceedings and
// contracts do.
func (c *candidate) isDated() bool {
	isYear := func(r digitRun) bool {
		year := c.text[r.start:r.end]
		return len(year) == 4 && (strings.HasPrefix(year, "19") || strings.HasPrefix(year, "20"))
	}
	return isYear(c.runs[0]) || isYear(c.runs[len(c.runs)-1])
}

// validCPF reports whether the check digits (mod 11) of eleven digits are right.
func validCPF(digits []byte) bool {
	var sum1, sum2 int
	for i, c := range digits[:cpfLength-1] {
		v := int(c - '0')
		if i < 9 {
			sum1 += v * (10 - i)
		}
		sum2 += v * (11 - i)
	}
	return checkDigit(sum1) == digits[9] && checkDigit(sum2) == digits[10]
}
