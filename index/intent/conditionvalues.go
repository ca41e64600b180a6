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

// reader reads folded words, each with a blank behind it.
type reader struct {
	text   string
	before string // the word before the first
	behind bool   // whether that belongs to another condition
	sign   string // "com" or "sem", of the words that say what there is: read, or to go on from
}

// take reads what a form matches at the beginning, and returns its groups; nil when it does not.
func (r *reader) take(form *regexp.Regexp) []string {
	m := form.FindStringSubmatch(r.text)
	if m != nil {
		r.text = r.text[len(m[0]):]
	}
	return m
}

// The ways to say that a value is an end of a range, for dates and for amounts.
var (
	afterForm   = regexp.MustCompile(`^(?:depois d[eo]|apos|posterior(?:es)? a) `)
	sinceForm   = regexp.MustCompile(`^(?:a partir d[eo]|desde) `)
	onForm      = regexp.MustCompile(`^de `)
	onwardForm  = regexp.MustCompile(`^(?:em diante|para ca|pra ca) `)
	beforeForm  = regexp.MustCompile(`^(?:antes d[eo]|anterior(?:es)? a) `)
	untilForm   = regexp.MustCompile(`^(?:ate) `)
	duringForm  = regexp.MustCompile(`^(?:em|n[oa]|durante) `)
	betweenForm = regexp.MustCompile(`^(?:entre|de) `)
	andForm     = regexp.MustCompile(`^(?:e|a|ate) `)
	alsoForm    = regexp.MustCompile(`^(?:(?:e|mas) )?`)
	aboveForm   = regexp.MustCompile(`^(?:acima d[eo]|maior(?:es)? (?:do )?que|(?:de )?mais d[eo]|superior(?:es)? a|a partir d[eo]|(?:de )?pelo menos|` +
		`(?:de |com )?no minimo|minimo de) `)
	belowForm = regexp.MustCompile(`^(?:abaixo d[eo]|menor(?:es)? (?:do )?que|(?:de )?menos d[eo]|inferior(?:es)? a|(?:de )?ate|(?:de )?no maximo|` +
		`maximo de) `)
	exactForm = regexp.MustCompile(`^de `)
	orMore    = regexp.MustCompile(`^ou (?:mais|depois|posterior|superior) `)
	orLess    = regexp.MustCompile(`^ou (?:menos|antes|anterior|inferior) `)
)

const day = "2006-01-02"

// days are the first and the last day of what a date says.
type days struct{ first, last time.Time }

var (
	months   = []string{"jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"}
	dateForm = regexp.MustCompile(`^(?:(?:o )?ano (?:de )?|o )?(?:(?:(\d\d?)[/.-])?(\d\d?)[/.-](\d{4})|(\d{4})-(\d\d)-(\d\d)|` +
		`(?:(?:dia )?(\d\d?)o? de )?(janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|` +
		`jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez) (?:d[eo] )?(\d{4})|(\d{4})) `)
)

// date reads a day, a month or a year.
func (r *reader) date() (d days, ok bool) {
	rest := r.text
	m := r.take(dateForm)
	if m == nil {
		return d, false
	}
	year, month, dayOf := m[3]+m[4]+m[9]+m[10], m[2]+m[5], m[1]+m[6]+m[7]
	y, _ := strconv.Atoi(year)
	mo, _ := strconv.Atoi(month)
	for i, name := range months {
		if strings.HasPrefix(m[8], name) {
			mo = i + 1
		}
	}
	dd, _ := strconv.Atoi(dayOf)
	first := time.Date(y, time.Month(max(mo, 1)), max(dd, 1), 0, 0, 0, 0, time.UTC)
	switch {
	case !term.IsYear(y), mo == 0 && month != "", dd == 0 && dayOf != "", first.Year() != y, mo > 0 && first.Month() != time.Month(mo):
		r.text = rest
		return d, false
	case dd > 0:
		return days{first, first}, true
	case mo > 0:
		return days{first, first.AddDate(0, 1, -1)}, true
	}
	return days{first, first.AddDate(1, 0, -1)}, true
}

// either returns both bounds, or only the one that "ou mais" or "ou menos" leaves.
func (r *reader) either(from, to pair) []pair {
	switch {
	case r.take(orMore) != nil:
		return []pair{from}
	case r.take(orLess) != nil:
		return []pair{to}
	}
	return []pair{from, to}
}

// dates reads a range of days as the two bounds of a filter; one of them may be missing.
func (r *reader) dates(name string) []pair {
	from, to := name+"_de", name+"_ate"
	forms := [...]struct {
		form *regexp.Regexp
		says func(d days) []pair
	}{
		{afterForm, func(d days) []pair { return []pair{{from, d.last.AddDate(0, 0, 1).Format(day)}} }},
		{sinceForm, func(d days) []pair { r.take(onwardForm); return []pair{{from, d.first.Format(day)}} }},
		{onForm, func(d days) []pair {
			if r.take(onwardForm) == nil {
				return nil
			}
			return []pair{{from, d.first.Format(day)}}
		}},
		{beforeForm, func(d days) []pair { return []pair{{to, d.first.AddDate(0, 0, -1).Format(day)}} }},
		{untilForm, func(d days) []pair { return []pair{{to, d.last.Format(day)}} }},
		{duringForm, func(d days) []pair {
			return r.either(pair{from, d.first.Format(day)}, pair{to, d.last.Format(day)})
		}},
	}
	whole := *r
	if r.take(betweenForm) != nil {
		first, ok := r.date()
		if ok && r.take(andForm) != nil {
			if last, ok := r.date(); ok {
				return []pair{{from, first.first.Format(day)}, {to, last.last.Format(day)}}
			}
		}
	}
	*r = whole
	var out []pair
	for {
		end := *r
		if len(out) > 0 {
			r.take(alsoForm)
		}
		var more []pair
		for _, f := range forms {
			before := *r
			if r.take(f.form) != nil {
				if d, ok := r.date(); ok {
					more = f.says(d)
					break
				}
			}
			*r = before
		}
		if len(more) != 1 && len(out) > 0 || len(more) == 0 || len(out) > 0 && more[0].name == out[0].name {
			*r = end
			return out
		}
		if out = append(out, more...); len(out) == 2 {
			return out
		}
	}
}

const maxAmount = 1e15

var (
	numberWords = map[string]string{"meio": "0,5", "um": "1", "dois": "2", "tres": "3", "cinco": "5", "dez": "10", "cem": "100", "mil": "1000"}
	scales      = map[string]float64{
		"": 1, "k": 1e3, "mil": 1e3, "mi": 1e6, "milhao": 1e6, "milhoes": 1e6, "bi": 1e9, "bilhao": 1e9, "bilhoes": 1e9,
	}
	amountForm = regexp.MustCompile(`^(?:r\$ )?(?:(\d[\d.,]*?)(k|mil|mi|milhao|milhoes|bi|bilhao|bilhoes)? |(meio|um|dois|tres|cinco|dez|cem) |(mil) )` +
		`(?:(k|mil|mi|milhao|milhoes|bi|bilhao|bilhoes) )?(e meio )?(?:(?:de )?rea(?:l|is) )?`)
	plainForm = regexp.MustCompile(`^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d\d?))?$`) // 1234,5 or 1.234,50
	scaleForm = regexp.MustCompile(`^\d+[.,]\d{1,3}$`)                         // 1,5 and 1.5, before a scale
)

// amount reads an amount in reais and the scale that was said.
func (r *reader) amount() (value, scale float64, ok bool) {
	m := r.take(amountForm)
	if m == nil || m[2] != "" && m[5] != "" {
		return 0, 0, false
	}
	digits := m[1]
	if word := m[3] + m[4]; word != "" {
		digits = numberWords[word]
	}
	scale = scales[m[2]+m[5]]
	switch {
	case plainForm.MatchString(digits):
		digits = strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", ".")
	case scale > 1 && scaleForm.MatchString(digits):
		digits = strings.ReplaceAll(digits, ",", ".")
	default:
		return 0, 0, false
	}
	value, err := strconv.ParseFloat(digits, 64)
	if m[6] != "" {
		if scale == 1 {
			return 0, 0, false
		}
		value += 0.5
	}
	return value * scale, scale, err == nil && value*scale <= maxAmount
}

// amounts reads a range of amounts as the two bounds of a filter. Both ends are included: "acima de" is said of round amounts that
// are meant as well. A single amount ("de R$ 1.000") is a range only when exact says so.
func (r *reader) amounts(name string, exact bool) []pair {
	from, to := name+"_de", name+"_ate"
	whole := *r
	if r.take(betweenForm) != nil {
		first, scale, ok := r.amount()
		if ok && r.take(andForm) != nil {
			if last, other, ok := r.amount(); ok {
				if scale == 1 && other > 1 && first < 1000 { // entre 100 e 500 mil
					first *= other
				}
				return []pair{{from, reais(first)}, {to, reais(last)}}
			}
		}
	}
	*r = whole
	var out []pair
	for _, side := range [...]struct {
		form *regexp.Regexp
		name string
	}{{aboveForm, from}, {belowForm, to}, {aboveForm, from}} {
		before := *r
		if len(out) > 0 {
			r.take(alsoForm)
		}
		if r.take(side.form) != nil && len(out) < 2 {
			if value, _, ok := r.amount(); ok {
				out = append(out, pair{side.name, reais(value)})
				continue
			}
		}
		*r = before
	}
	if len(out) == 0 && exact && r.take(exactForm) != nil {
		if value, _, ok := r.amount(); ok {
			return r.either(pair{from, reais(value)}, pair{to, reais(value)})
		}
	}
	if len(out) == 0 {
		*r = whole
	}
	return out
}

func reais(value float64) string {
	cents := int64(math.Round(value * 100))
	if cents%100 == 0 {
		return strconv.FormatInt(cents/100, 10)
	}
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}
