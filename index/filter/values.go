package filter

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
)

// digits, among and the is… functions below decide whether a value is in the domain of a filter.
func digits(n int) func(string) bool { return func(v string) bool { return term.IsDigits(v, n) } }

func among(values ...string) func(string) bool {
	return func(v string) bool { return slices.Contains(values, v) }
}

func isUF(v string) bool { return term.UFNumber(v) > 0 }

// regionUFs maps the value of a region to its UFs. The territory is embedded: Open fails only in a
// damaged build, which then has no region; other packages report that error.
var regionUFs = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	atlas, err := territory.Open()
	if err != nil {
		return all
	}
	for _, uf := range atlas.UFs() {
		if name := ptbr.Slug(uf.Region); name != "" {
			all[name] = append(all[name], uf.Code)
		}
	}
	return all
})

// isCNAE reports whether v is the letter of a section, or as many digits as a division, group,
// class or subclass has. Codes outside the classification are accepted: they find nothing.
func isCNAE(v string) bool {
	switch len(v) {
	case 1:
		return v[0] >= 'A' && v[0] <= 'U'
	case 2, 3, 5, 7:
		return term.IsDigits(v, len(v))
	}
	return false
}

// isRoot accepts a root in canonical form only, since the value is a prefix of terms.
func isRoot(v string) bool {
	root, err := cnpj.ParseRoot(v)
	return err == nil && root.String() == v
}

const maxDomainBytes = 253 // RFC 1035, section 2.3.4

// words returns v as the index folds a bairro, words separated by blanks, cut at term.MaxBairro.
func words(v string) string {
	var t term.Tokenizer
	t.Scan(v)
	return string(t.AppendWords(nil, term.MaxBairro))
}

func hasWords(v string) bool { return len(v) <= term.MaxBairro && words(v) != "" }

// isStreet refuses a number behind the name that is too long to be found, which would be passed over.
func isStreet(v string) bool {
	return len(v) <= term.MaxBairro && term.StreetCode(v) != "" && !longNumber.MatchString(v)
}

var longNumber = regexp.MustCompile(`\s\d{5,}\s*$`)

func isHouseNumber(v string) bool {
	return len(v) <= term.MaxBairro && houseForm.MatchString(v) && term.HouseNumberCode(v) != ""
}

func isEmail(v string) bool { return v != "" && term.EmailCode(v) == v }

func isPhone(v string) bool { return len(v) > 2 && term.PhoneCode(v[:2], v[2:]) == v }

func isCEP(v string) bool { return len(v) >= 3 && len(v) <= 8 && term.IsDigits(v, len(v)) }

func isCountry(v string) bool { return len(v) >= 1 && len(v) <= 3 && term.IsDigits(v, len(v)) }

// isDomain is a plausibility check, not RFC 1035: the value is only compared with terms.
func isDomain(v string) bool {
	plain := strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
	return plain && len(v) <= maxDomainBytes && strings.Contains(strings.Trim(v, "."), ".") && v[0] != '-'
}

func isYear(v string) bool {
	year, err := strconv.Atoi(v)
	return err == nil && term.IsDigits(v, 4) && term.IsYear(year)
}

// firstOfYear returns January 1 as AAAAMMDD.
func firstOfYear(v string) int64 { return count(v)*10_000 + 101 }

// lastOfYear returns December 31 as AAAAMMDD.
func lastOfYear(v string) int64 { return count(v)*10_000 + 1231 }

func isDate(v string) bool {
	t, err := time.Parse(time.DateOnly, v)
	return err == nil && term.IsYear(t.Year())
}

// day returns a date as the number AAAAMMDD.
func day(v string) int64 { return count(strings.ReplaceAll(v, "-", "")) }

// maxCountDigits bounds counts well above any company, and well within int64.
const maxCountDigits = 8

// isCount accepts a decimal number without leading zeros, so that equal counts are equal
// conditions.
func isCount(v string) bool {
	return v != "" && len(v) <= maxCountDigits && term.IsDigits(v, len(v)) && (v[0] != '0' || v == "0")
}

// count parses digits that the domain has bounded; its error cannot occur.
func count(v string) int64 {
	n, _ := strconv.ParseInt(v, 10, 64)
	return n
}

// maxRealDigits keeps an amount in cents within int64 (at most 10^17).
const maxRealDigits = 15

// isAmount accepts reais without leading zeros, optionally with a point and two digits of cents.
func isAmount(v string) bool {
	reais, cents, parted := strings.Cut(v, ".")
	if reais == "" || len(reais) > maxRealDigits || !term.IsDigits(reais, len(reais)) || reais[0] == '0' && reais != "0" {
		return false
	}
	return !parted || term.IsDigits(cents, 2)
}

// cents returns an amount in cents.
func cents(v string) int64 {
	reais, cents, parted := strings.Cut(v, ".")
	if !parted {
		return count(reais) * 100
	}
	return count(reais)*100 + count(cents)
}
