package intent

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"razao/index/term"
)

// reader is the input of the rules: folded words, each followed by a blank. A rule that fails may
// leave it consumed; rules are given a fresh one each.
type reader struct {
	text   string
	before string // the word before the input
	behind bool   // before belongs to another condition
	sign   string // "com" or "sem": inherited from the condition before, and set by a rule for the next one
}

// words compiles a form that matches whole words at the beginning of the input.
func words(form string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + form + `) `) }

// take consumes what a form matches and returns its groups; nil, consuming nothing, when it does
// not match.
func (r *reader) take(form *regexp.Regexp) []string {
	m := form.FindStringSubmatch(r.text)
	if m != nil {
		r.text = r.text[len(m[0]):]
	}
	return m
}

// limits has the values that a date or an amount can set as an end of a range, indexed by the
// constants below.
type limits [5]string

// Indices of limits. An amount has the same text at all of them: "acima de" is said of round
// amounts, which are meant to be included.
const (
	noLimit   = iota
	dayBefore // day before the period begins
	firstDay
	lastDay
	dayAfter // day after the period ends
)

// side is a way to express one end of a range, or both.
type side struct {
	form     *regexp.Regexp // before the value
	from, to int            // indices of limits, noLimit for an open end
	then     *regexp.Regexp // must follow the value, unless nil
}

var (
	dateSides = []side{
		{words(`depois d[eo]|apos|posterior(?:es)? a`), dayAfter, noLimit, nil},
		{words(`a partir d[eo]|desde|de`), firstDay, noLimit, words(`em diante|p(?:a)?ra ca`)},
		{words(`a partir d[eo]|desde`), firstDay, noLimit, nil},
		{words(`antes d[eo]|anterior(?:es)? a`), noLimit, dayBefore, nil},
		{words(`ate`), noLimit, lastDay, nil},
		{words(`em|n[oa]|durante`), firstDay, noLimit, words(`ou (?:mais|depois)`)},
		{words(`em|n[oa]|durante`), noLimit, lastDay, words(`ou antes`)},
		{words(`em|n[oa]|durante`), firstDay, lastDay, nil},
	}
	amountSides = []side{
		{words(`acima d[eo]|maior(?:es)? (?:do )?que|(?:de )?mais d[eo]|superior(?:es)? a|a partir d[eo]|(?:de )?pelo menos|(?:de |com )?no minimo|` +
			`minimo de`), firstDay, noLimit, nil},
		{words(`abaixo d[eo]|menor(?:es)? (?:do )?que|(?:de )?menos d[eo]|inferior(?:es)? a|(?:de )?ate|(?:de )?no maximo|` +
			`maximo de`), noLimit, lastDay, nil},
		{words(`de`), firstDay, noLimit, words(`ou mais`)},
		{words(`de`), noLimit, lastDay, words(`ou menos`)},
	}
	exactSides  = append(amountSides[:len(amountSides):len(amountSides)], side{words(`de`), firstDay, lastDay, nil})
	betweenForm = words(`entre|de`)
	andForm     = words(`e|a|ate`)
	alsoForm    = words(`e|mas`)
)

// bounds reads a range as bounds of the filter name: "entre 10 e 20", "acima de 10", "acima de 10 e
// abaixo de 20". It returns nil, consuming nothing, when there is none.
func (r *reader) bounds(name string, sides []side, value func(*reader) (limits, bool)) []pair {
	names := [2]string{name + "_de", name + "_ate"}
	whole := *r
	if r.take(betweenForm) != nil {
		if low, ok := value(r); ok && r.take(andForm) != nil {
			if high, ok := value(r); ok {
				return []pair{{names[0], low[firstDay]}, {names[1], high[lastDay]}}
			}
		}
	}
	*r = whole
	found := r.side(names, sides, value)
	if len(found) == 1 {
		whole = *r
		r.take(alsoForm)
		if more := r.side(names, sides, value); len(more) == 1 && more[0].name != found[0].name {
			return append(found, more...)
		}
		*r = whole
	}
	return found
}

// side reads one end of a range, or both ends that one value sets ("em 2020"). The first
// alternative of sides that matches wins. It consumes nothing on failure.
func (r *reader) side(names [2]string, sides []side, value func(*reader) (limits, bool)) (found []pair) {
	whole := *r
	for _, s := range sides {
		if r.take(s.form) != nil {
			if l, ok := value(r); ok && (s.then == nil || r.take(s.then) != nil) {
				for i, limit := range [...]int{s.from, s.to} {
					if limit != noLimit {
						found = append(found, pair{names[i], l[limit]})
					}
				}
				return found
			}
		}
		*r = whole
	}
	return nil
}

func (r *reader) dates(name string) []pair { return r.bounds(name, dateSides, (*reader).date) }

// amounts reads a range of amounts. A single amount ("de R$ 1.000") is a range only with exact.
func (r *reader) amounts(name string, exact bool) []pair {
	if exact {
		return r.bounds(name, exactSides, (*reader).amount)
	}
	return r.bounds(name, amountSides, (*reader).amount)
}

// dateForm matches 15/03/2020, 03/2020, 2020-03-15, "15 de março de 2020", "março de 2020" and
// 2020.
var dateForm = words(`(?:(?:o )?ano (?:de )?|o )?(?:(?:(\d\d?)[/.-])?(\d\d?)[/.-](\d{4})|(\d{4})-(\d\d)-(\d\d)|` +
	`(?:(?:dia )?(\d\d?)o? de )?(jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)` +
	`(?:eiro|ereiro|co|il|o|ho|sto|embro|ubro)? (?:d[eo] )?(\d{4})|(\d{4}))`)

// date reads a day, a month or a year that exists and that the index can tell apart.
func (r *reader) date() (l limits, ok bool) {
	m := r.take(dateForm)
	if m == nil {
		return l, false
	}
	year, _ := strconv.Atoi(m[3] + m[4] + m[9] + m[10])
	month, day := m[2]+m[5], m[1]+m[6]+m[7]
	if m[8] != "" {
		month = strconv.Itoa(strings.Index("janfevmarabrmaijunjulagosetoutnovdez", m[8])/3 + 1)
	}
	days := [3]int{0, 0, 1} // length of the period: years, months, days
	switch {
	case month == "":
		month, day, days = "1", "1", [3]int{1, 0, 0}
	case day == "":
		day, days = "1", [3]int{0, 1, 0}
	}
	start, err := time.Parse("2006-1-2", fmt.Sprintf("%04d-%s-%s", year, strings.TrimPrefix(month, "0"), strings.TrimPrefix(day, "0")))
	if err != nil || !term.IsYear(year) {
		return l, false
	}
	next := start.AddDate(days[0], days[1], days[2])
	for limit, t := range map[int]time.Time{dayBefore: start.AddDate(0, 0, -1), firstDay: start, lastDay: next.AddDate(0, 0, -1), dayAfter: next} {
		l[limit] = t.Format(time.DateOnly)
	}
	return l, true
}

const (
	maxAmount  = 1e15 // reais; the bound of filter amounts
	scaleWords = `k|mil|mi|milhao|milhoes|bi|bilhao|bilhoes`
)

var (
	numerals = map[string]string{"meio": "0.5", "um": "1", "dois": "2", "tres": "3", "cinco": "5", "dez": "10", "cem": "100", "mil": "1000"}
	scales   = map[string]float64{
		"k": 1e3, "mil": 1e3, "mi": 1e6, "milhao": 1e6, "milhoes": 1e6, "bi": 1e9, "bilhao": 1e9, "bilhoes": 1e9,
	}
	amountForm = words(`(?:r\$ )?(?:(\d[\d.,]*?)|(meio|um|dois|tres|cinco|dez|cem|mil))(?: ?(` + scaleWords + `))?( e meio)?(?: (?:de )?rea(?:l|is))?`)
	andScale   = words(`(?:e|a|ate) (?:r\$ )?[\d.,]+ ?(` + scaleWords + `)`)         // "entre 100 e 500 mil" is 100 mil
	plainForm  = regexp.MustCompile(`^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d\d?)?$`) // 1234,5 or 1.234,50
	scaledForm = regexp.MustCompile(`^\d+[.,]\d{1,3}$`)                              // 1,5 or 1.5, before a scale
)

// amount reads an amount in reais, rounded to cents: digits or a numeral, optionally a scale and "e
// meio". An ambiguous form such as 1.5 without a scale is rejected.
func (r *reader) amount() (l limits, ok bool) {
	m := r.take(amountForm)
	if m == nil {
		return l, false
	}
	digits, scale := m[1], m[3]
	switch {
	case m[2] != "":
		digits = numerals[m[2]]
	case plainForm.MatchString(digits):
		digits = strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", ".")
	case scale != "" && scaledForm.MatchString(digits):
		digits = strings.ReplaceAll(digits, ",", ".")
	default:
		return l, false
	}
	value, err := strconv.ParseFloat(digits, 64)
	if m[4] != "" {
		value += 0.5
	}
	if shared := andScale.FindStringSubmatch(r.text); scale == "" && value < 1000 && shared != nil {
		scale = shared[1]
	}
	if scale != "" {
		value *= scales[scale]
	} else if m[4] != "" {
		return l, false
	}
	if err != nil || value > maxAmount {
		return l, false
	}
	text := strings.TrimSuffix(strconv.FormatFloat(math.Round(value*100)/100, 'f', 2, 64), ".00")
	return limits{"", text, text, text, text}, true
}

// Days returns the first and the last day, AAAA-MM-DD, of a date as people write it: 2020-03-15,
// 15/03/2020, março de 2020, 2020. ok is false when the text is anything else.
func Days(typed string) (first, last string, ok bool) {
	r := &reader{text: read(typed).folded}
	l, ok := r.date()
	return l[firstDay], l[lastDay], ok && strings.TrimSpace(r.text) == ""
}

// Reais returns an amount as people write it (R$ 1,5 milhão or 100.000,00) in the form that filters
// take: reais, and cents after a point unless they are zero. ok is false when the text is anything
// else.
func Reais(typed string) (amount string, ok bool) {
	r := &reader{text: read(typed).folded}
	l, ok := r.amount()
	return l[firstDay], ok && strings.TrimSpace(r.text) == ""
}
