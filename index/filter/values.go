package filter

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"razao/index/term"
	"razao/index/text"
	"razao/internal/cnpj"
	"razao/internal/slug"
	"razao/internal/territory"
)

func digits(n int) func(string) bool { return func(v string) bool { return term.IsDigits(v, n) } }

func oneOf(values ...string) func(string) bool {
	return func(v string) bool { return slices.Contains(values, v) }
}

func isUF(v string) bool { return term.UFNumber(v) > 0 }

// regions are the UFs of each region, by its slug. The territory is built in: an error cannot be but in a damaged build, which other
// rooms report.
var regions = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	atlas, err := territory.Open()
	if err != nil {
		return all
	}
	for _, uf := range atlas.UFs() {
		if name := slug.Make(uf.Region); name != "" {
			all[name] = append(all[name], uf.Code)
		}
	}
	return all
})

func isRegion(v string) bool { return len(regions()[v]) > 0 }

// isCNAE says whether a text is a section of the CNAE or the digits of a division, group, class or subclass.
func isCNAE(v string) bool {
	switch len(v) {
	case 1:
		return v[0] >= 'A' && v[0] <= 'U'
	case 2, 3, 5, 7:
		return term.IsDigits(v, len(v))
	}
	return false
}

func isRoot(v string) bool {
	root, err := cnpj.ParseRoot(v)
	return err == nil && root.String() == v
}

const maxDomainBytes = 253 // RFC 1035, section 2.3.4

// words returns a text as the index folds it, a blank between the words.
func words(v string) string {
	var t text.Tokenizer
	t.Scan(v)
	return string(t.AppendWords(nil, term.MaxBairro))
}

func hasWords(v string) bool { return len(v) <= term.MaxBairro && words(v) != "" }

func isCEP(v string) bool { return len(v) >= 2 && len(v) <= 8 && term.IsDigits(v, len(v)) }

func isCountry(v string) bool { return len(v) >= 1 && len(v) <= 3 && term.IsDigits(v, len(v)) }

func isDomain(v string) bool {
	plain := strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
	return plain && len(v) <= maxDomainBytes && strings.Contains(strings.Trim(v, "."), ".") && v[0] != '-'
}

func isYear(v string) bool {
	year, err := strconv.Atoi(v)
	return err == nil && term.IsDigits(v, 4) && term.IsYear(year)
}

func firstOfYear(v string) int64 { return count(v)*10_000 + 101 }

func lastOfYear(v string) int64 { return count(v)*10_000 + 1231 }

func isDate(v string) bool {
	t, err := time.Parse(time.DateOnly, v)
	return err == nil && term.IsYear(t.Year())
}

// day returns a date as the number AAAAMMDD.
func day(v string) int64 { return count(strings.ReplaceAll(v, "-", "")) }

const maxCountDigits = 8

func isCount(v string) bool {
	return v != "" && len(v) <= maxCountDigits && term.IsDigits(v, len(v)) && (v[0] != '0' || v == "0")
}

func count(v string) int64 {
	n, _ := strconv.ParseInt(v, 10, 64)
	return n
}

const maxRealDigits = 15

// isAmount says whether a text is an amount of reais, with two digits of cents or none.
func isAmount(v string) bool {
	reais, cents, parted := strings.Cut(v, ".")
	if reais == "" || len(reais) > maxRealDigits || !term.IsDigits(reais, len(reais)) || reais[0] == '0' && reais != "0" {
		return false
	}
	return !parted || term.IsDigits(cents, 2)
}

func cents(v string) int64 {
	reais, cents, parted := strings.Cut(v, ".")
	if !parted {
		return count(reais) * 100
	}
	return count(reais)*100 + count(cents)
}
