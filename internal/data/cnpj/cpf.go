package cnpj

import (
	"regexp"
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

// masked matches eleven positions divided as those of a CPF, some of them hidden: ***.456.789-**, XXX456789XX. It captures them.
var maskedCPF = regexp.MustCompile(`(?:^|[^\pL\pN*•])([0-9*xX•]{3}[. ]?[0-9*xX•]{3}[. ]?[0-9*xX•]{3}[- ]?[0-9*xX•]{2})(?:[^\pL\pN*•]|$)`)

// writtenCPF matches eleven digits with the punctuation of a CPF, which is one even if somebody mistyped it.
var writtenCPF = regexp.MustCompile(`(?:^|[^0-9.])[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}(?:[^0-9]|$)`)

// HasCPF reports whether a text has a CPF, also one that is mistyped or of which some digits are hidden: it is about a natural person.
func HasCPF(text string) bool {
	if MaskCPFs(text) != text || writtenCPF.MatchString(text) {
		return true
	}
	if !strings.ContainsAny(text, "*xX•") {
		return false
	}
	said := maskedCPF.FindStringSubmatch(text)
	return said != nil && strings.ContainsAny(said[1], "*xX•") && strings.ContainsAny(said[1], "0123456789")
}

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
	scan := runScanner{text: text}
	var buffer [2 * cpfLength]digitRun
	runs := buffer[:0]
	var out strings.Builder
	kept := 0 // bytes of text that out holds
	for {
		if runs = scan.fill(runs, buffer[:]); len(runs) == 0 {
			break
		}
		n := cpfRuns(runs)
		if n == 0 {
			runs = runs[1:]
			continue
		}
		c := candidate{text: text, runs: runs[:n], before: runs[0].joint}
		if n < len(runs) {
			c.after = runs[n].joint
		}
		cpf := c.digits()
		if !(validCPF(cpf[:]) && c.mayBeCPF() || person && c.dividesAsCPF()) {
			runs = runs[1:]
			continue
		}
		out.WriteString(text[kept:runs[0].start])
		out.WriteString("***")
		out.Write(cpf[3:9])
		out.WriteString("**")
		kept = runs[n-1].end
		runs = runs[n:]
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

// runScanner finds the runs of digits of a text, one after the other: kept all at once, those of a text of
// single digits would take forty times its size.
type runScanner struct {
	text       string
	at, digits int   // what has been read
	joint      joint // to the next run
}

// fill reads on until runs are as many as decide about the first of them, the run after eleven single
// digits included, or the text ends. It keeps them in buffer, of which runs are a part.
func (s *runScanner) fill(runs, buffer []digitRun) []digitRun {
	if len(runs) > cpfLength || s.at == len(s.text) {
		return runs
	}
	runs = buffer[:copy(buffer, runs)]
	for len(runs) < len(buffer) {
		run, ok := s.next()
		if !ok {
			break
		}
		runs = append(runs, run)
	}
	return runs
}

// next returns the next run, false if there is none.
func (s *runScanner) next() (run digitRun, ok bool) {
	const longest = 4 // characters of punctuation between parts of one number
	for gap := 0; s.at < len(s.text); {
		r, size := rune(s.text[s.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s.text[s.at:])
		}
		isDigit := digitOf(r) >= 0
		switch {
		case isDigit && run.n == 0:
			run = digitRun{s.at, s.at + size, s.digits, 1, s.joint}
			s.digits++
			s.joint = tight
		case isDigit:
			run.n++
			run.end += size
			s.digits++
		case run.n > 0:
			return run, true
		case gap == longest || !isPunctuation(r):
			s.joint = apart
		default:
			gap++
			if s.joint == tight && unicode.IsSpace(r) {
				s.joint = loose
			}
		}
		s.at += size
	}
	return run, run.n > 0
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

// digits returns the digits of the number, as ASCII.
func (c *candidate) digits() (digits [cpfLength]byte) {
	n := 0
	for _, run := range c.runs {
		for _, r := range c.text[run.start:run.end] {
			digits[n] = byte('0' + digitOf(r))
			n++
		}
	}
	return digits
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
	var form [cpfLength]byte
	for i, run := range c.runs {
		form[i] = byte('0' + run.n)
	}
	switch string(form[:len(c.runs)]) {
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
