package spreadsheet

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format is how a workbook shows numbers. The zero Format is the general one, which shows up to eleven digits.
type Format struct {
	BuiltIn int    // one of those that have no code in the file (ECMA-376 part 1, 18.8.30), which depend on the language; 0: none
	Code    string // ECMA-376 part 1, 18.8.31; "" with BuiltIn

	shows
}

// unformatted is the general format, also that of a cell without a style.
var unformatted = &Format{}

// shows is what a format makes of a number.
type shows struct {
	moment
	percent, grouped bool
	exponent         bool
	decimals         int    // at least
	digits           int    // of a code, such as 000000, that is filled up with zeros; 0: it is none
	currency         string // "" for none
}

// moment is what a number of days shows.
type moment uint8

const (
	date moment = 1 << iota
	clock
	duration // hours beyond 24
)

// builtIn are the formats without a code in the file, as they are in Brazil. East Asian ones, which are dates there alone, are general.
var builtIn = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
	5: `"R$" #,##0;-"R$" #,##0`, 6: `"R$" #,##0;[Red]-"R$" #,##0`, 7: `"R$" #,##0.00;-"R$" #,##0.00`, 8: `"R$" #,##0.00;[Red]-"R$" #,##0.00`,
	9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 14: "dd/mm/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
	18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "hh:mm", 21: "hh:mm:ss", 22: "dd/mm/yyyy hh:mm",
	37: "#,##0;-#,##0", 38: "#,##0;[Red]-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;[Red]-#,##0.00",
	41: "#,##0", 42: `"R$" #,##0`, 43: "#,##0.00", 44: `"R$" #,##0.00`, 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}

// Formats that stand for others.
const (
	wholeNumber = 1
	twoDecimals = 4
	percents    = 10
	dates       = 14
	clocks      = 21
	datesClocks = 22
	durations   = 46

	firstCurrency, lastCurrency = 5, 8 // which libraries know by their codes only
)

// builtInFormat returns a format by its number.
func builtInFormat(id int) *Format {
	code, known := builtIn[id]
	switch {
	case !known:
		return unformatted
	case id >= firstCurrency && id <= lastCurrency:
		return &Format{Code: code, shows: readCode(code)}
	}
	return &Format{BuiltIn: id, shows: readCode(code)}
}

const longestCode = 255 // characters, in spreadsheets

// customFormat returns the format of a code, the general one for a code that no spreadsheet takes.
func customFormat(code string) *Format {
	if code == "" || strings.EqualFold(code, "general") || len(code) > longestCode && utf8.RuneCountInString(code) > longestCode || strings.ContainsFunc(code, unicode.IsControl) {
		return unformatted
	}
	return &Format{Code: code, shows: readCode(code)}
}

// Common returns the format nearest to f that every workbook has.
func (f *Format) Common() *Format {
	switch {
	case f.moment&duration != 0:
		return builtInFormat(durations)
	case f.moment == date|clock:
		return builtInFormat(datesClocks)
	case f.moment == clock:
		return builtInFormat(clocks)
	case f.moment == date:
		return builtInFormat(dates)
	case f.percent:
		return builtInFormat(percents)
	case f.grouped || f.decimals > 0 || f.currency != "":
		return builtInFormat(twoDecimals)
	}
	return unformatted
}

var (
	// literal matches what a code shows as it is, or not at all: quoted and escaped text, blanks as wide as a character, fillers, colours and
	// conditions; and other sections than the first, which is that of positive numbers.
	literal = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|;.*`)
	elapsed = regexp.MustCompile(`\[(?:h+|m+|s+)\]`)
	// symbol matches a currency, which stands in quotes, behind a backslash, or as [$R$-416].
	symbol   = regexp.MustCompile(`R\$|US\$|[$€£]`)
	exponent = regexp.MustCompile(`e[+-]`)
	thousand = regexp.MustCompile(`[0#?],[0#?]`)
	fraction = regexp.MustCompile(`\.([0#?]+)`)
)

// readCode returns what a code shows.
func readCode(code string) (s shows) {
	bare := strings.ToLower(code)
	isDuration := elapsed.MatchString(bare)
	bare = literal.ReplaceAllString(bare, "")
	switch {
	case strings.Contains(bare, "general"):
		return shows{}
	case isDuration:
		return shows{moment: duration}
	}
	if s.moment = momentOf(bare); s.moment != 0 {
		return s
	}
	if len(bare) > 1 && len(bare) <= mostZeros && strings.Trim(bare, "0") == "" {
		return shows{digits: len(bare)}
	}
	first, _, _ := strings.Cut(code, ";")
	s.percent, s.grouped, s.exponent = strings.Contains(bare, "%"), thousand.MatchString(bare), exponent.MatchString(bare)
	s.currency = symbol.FindString(strings.ReplaceAll(first, "[$", "["))
	if digits := fraction.FindStringSubmatch(bare); digits != nil && !s.exponent {
		s.decimals = strings.Count(digits[1], "0")
	}
	return s
}

// momentOf returns what a code without literals shows, 0 if no date.
func momentOf(bare string) (m moment) {
	if strings.ContainsAny(bare, "hs") {
		m |= clock
	}
	if strings.ContainsAny(bare, "dy") || m == 0 && strings.Contains(bare, "m") {
		m |= date
	}
	return m
}
