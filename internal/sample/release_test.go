package sample

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
)

const roots = 20_000

// TestRecords reads a release just large enough for every trap and compares its records with
// figures of real months.
func TestRecords(t *testing.T) {
	t.Parallel()
	r := readRelease(t, Options{Roots: roots, Seed: 1, Month: "2026-09"})
	for name, check := range map[string]func(*testing.T, release){
		"counts agree":       compareSummary,
		"check digits":       checkDigits,
		"references":         checkReferences,
		"codes":              checkCodes,
		"ratios":             checkRatios,
		"traps":              checkTraps,
		"repeated rows":      checkRepeated,
		"missing rows":       checkMissing,
		"order":              checkOrder,
		"branches":           checkBranches,
		"capital":            checkCapital,
		"CPFs are valid":     checkCPFs,
		"nobody is reached":  checkContacts,
		"dates":              checkDates,
		"alphanumeric":       checkLetters,
		"partners of people": checkShared,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, r)
		})
	}
}

// column returns how often each value of a column occurs.
func (r release) column(table string, i int) map[string]int {
	values := map[string]int{}
	for _, row := range r.rows[table] {
		values[row[i]]++
	}
	return values
}

func checkDigits(t *testing.T, r release) {
	for _, row := range r.rows["Estabelecimentos"] {
		if _, err := cnpj.ParseFull(row[0] + row[1] + row[2]); err != nil {
			t.Errorf("%s%s%s: %v", row[0], row[1], row[2], err)
		}
	}
}

func checkReferences(t *testing.T, r release) {
	companies := r.column("Empresas", 0)
	full := map[string]bool{}
	for _, row := range r.rows["Estabelecimentos"] {
		full[row[0]+row[1]+row[2]] = true
	}
	companyPartners := 0
	for _, row := range r.rows["Socios"] {
		if companies[row[0]] == 0 {
			t.Errorf("partner of %s, which has no company", row[0])
		}
		if row[1] == "1" {
			companyPartners++
			if !full[row[3]] {
				t.Errorf("partner %s does not exist", row[3])
			}
			if row[3][:8] == row[0] {
				t.Errorf("%s is its own partner", row[0])
			}
		}
	}
	if companyPartners == 0 {
		t.Error("no company is a partner")
	}
}

func checkCodes(t *testing.T, r release) {
	for _, c := range []struct {
		table   string
		column  int
		domain  string
		outside []string // values that the domain lacks, in real months too
	}{
		{"Empresas", 2, "Naturezas", nil},
		{"Empresas", 3, "Qualificacoes", []string{"36"}},
		{"Estabelecimentos", 7, "Motivos", []string{"32"}},
		{"Estabelecimentos", 9, "Paises", []string{"", "0", "63", "498"}},
		{"Estabelecimentos", 11, "Cnaes", nil},
		{"Estabelecimentos", 20, "Municipios", nil},
		{"Socios", 4, "Qualificacoes", nil},
		{"Socios", 6, "Paises", []string{"", "498"}},
		{"Socios", 9, "Qualificacoes", nil},
	} {
		known := r.column(c.domain, 0)
		for value := range r.column(c.table, c.column) {
			if known[value] == 0 && !slices.Contains(c.outside, value) {
				t.Errorf("%s column %d: %q is not in %s", c.table, c.column+1, value, c.domain)
			}
		}
	}
	activities := r.column("Cnaes", 0)
	for _, row := range r.rows["Estabelecimentos"] {
		for code := range strings.SplitSeq(row[12], ",") {
			if code != "" && activities[code] == 0 {
				t.Errorf("secondary activity %q is not in Cnaes", code)
			}
		}
	}
}

func checkRatios(t *testing.T, r release) {
	share := func(table string, is func([]string) bool) float64 {
		n := 0
		for _, row := range r.rows[table] {
			if is(row) {
				n++
			}
		}
		return float64(n) / float64(len(r.rows[table]))
	}
	equals := func(column int, value string) func([]string) bool {
		return func(row []string) bool { return row[column] == value }
	}
	filled := func(column int) func([]string) bool { return func(row []string) bool { return row[column] != "" } }
	for _, c := range []struct {
		name     string
		got      float64
		min, max float64
	}{
		{"active", share("Estabelecimentos", equals(5, "02")), .40, .46},
		{"closed", share("Estabelecimentos", equals(5, "08")), .42, .48},
		{"inapt", share("Estabelecimentos", equals(5, "04")), .095, .13},
		{"suspended", share("Estabelecimentos", equals(5, "03")), .001, .006},
		{"null", share("Estabelecimentos", equals(5, "01")), .0002, .003},
		{"trade names", share("Estabelecimentos", filled(4)), .32, .42},
		{"semicolons", share("Estabelecimentos", func(row []string) bool { return strings.Contains(row[16], ";") }), .04, .06},
		{"abroad", share("Estabelecimentos", equals(19, "EX")), .001, .005},
		{"Sao Paulo", share("Estabelecimentos", equals(19, "SP")), .19, .25},
		{"most frequent activity", share("Estabelecimentos", equals(11, "4781400")), .02, .08},
		{"individuals", share("Empresas", equals(2, "2135")), .43, .48},
		{"no capital", share("Empresas", equals(4, "0,00")), .17, .24},
		{"partners per company", float64(r.sum.Partners) / float64(r.sum.Companies), .3, .5},
		{"companies as partners", share("Socios", equals(1, "1")), .01, .05},
		{"guardians", share("Socios", filled(8)), .02, .05},
		{"in Simples", float64(r.sum.Simples) / float64(r.sum.Companies), .66, .74},
		{"option that ends", share("Simples", func(row []string) bool { return row[1] == "S" && row[3] != "00000000" }), .003, .015},
		{"in MEI", share("Simples", equals(4, "S")), .2, .45},
	} {
		if c.got < c.min || c.got > c.max {
			t.Errorf("%s: %.4f, want %.4f to %.4f", c.name, c.got, c.min, c.max)
		}
	}
}

// checkOrder checks that Simples is sorted, that Empresas ascends in runs, that the other tables
// are unordered, and that the first part of each group is the largest.
func checkOrder(t *testing.T, r release) {
	for table, want := range map[string][2]float64{
		"Empresas": {.9, .9999}, "Estabelecimentos": {.3, .7}, "Socios": {.3, .7}, "Simples": {1, 1},
	} {
		rows := r.rows[table]
		ascending := 0
		for i := 1; i < len(rows); i++ {
			if rows[i][0] >= rows[i-1][0] {
				ascending++
			}
		}
		if got := float64(ascending) / float64(len(rows)-1); got < want[0] || got > want[1] {
			t.Errorf("%s: %.4f of the rows follow a smaller root, want %v", table, got, want)
		}
	}
}

func checkBranches(t *testing.T, r release) {
	perRoot := r.column("Estabelecimentos", 0)
	sizes := make([]int, 0, len(perRoot))
	for _, n := range perRoot {
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	if sizes[0] != roots/20+1 || sizes[1] != roots/40+1 {
		t.Errorf("largest companies have %v establishments, want %d and %d", sizes[:3], roots/20+1, roots/40+1)
	}
	seen := map[string]bool{}
	heads := map[string]int{}
	quirks := 0
	repeated := 0
	for _, row := range r.rows["Estabelecimentos"] {
		full := row[0] + row[1]
		if seen[full] {
			repeated++
			continue
		}
		seen[full] = true
		if row[3] == "1" {
			heads[row[0]]++
		}
		if (row[3] == "1") != (row[1] == "0001") {
			quirks++
		}
	}
	if repeated > 2 {
		t.Errorf("%d establishments occur twice", repeated)
	}
	for root, n := range heads {
		if n != 1 {
			t.Errorf("%s has %d head offices", root, n)
		}
	}
	if quirks < 2 || quirks > roots/100 {
		t.Errorf("%d rows whose order is not what their kind suggests, want a few", quirks)
	}
}

// checkCapital checks median and mean of capital by legal nature, and that the sentinel
// 999999999999,00 is rare.
func checkCapital(t *testing.T, r release) {
	byNature := map[string][]float64{}
	unlimited := 0
	for _, row := range r.rows["Empresas"] {
		capital, err := strconv.ParseFloat(strings.ReplaceAll(row[4], ",", "."), 64)
		switch {
		case err != nil:
			t.Errorf("capital %q", row[4])
		case capital == 999_999_999_999:
			unlimited++
		case capital > 0:
			byNature[row[2]] = append(byNature[row[2]], capital)
		}
	}
	if unlimited < 1 || unlimited > 2 {
		t.Errorf("%d companies without a limit of capital, want hardly any", unlimited)
	}
	for _, c := range []struct {
		nature       string
		median, mean float64
	}{{"2135", 2e3, 3e3}, {"2062", 2.5e4, 2e5}, {"2054", 1e6, 1e7}} {
		sums := byNature[c.nature]
		slices.Sort(sums)
		total := 0.0
		for _, sum := range sums[:len(sums)-2] { // the giants' are their own
			total += sum
		}
		median, mean := sums[len(sums)/2], total/float64(len(sums))
		if median < c.median/2 || median > c.median*2 || mean < c.mean/2.5 || mean > c.mean*2.5 {
			t.Errorf("natureza %s: capital %.0f in the median, %.0f in the mean; want about %.0f and %.0f", c.nature, median, mean, c.median, c.mean)
		}
	}
}

func checkCPFs(t *testing.T, r release) {
	tails, masked, individuals := 0, 0, 0
	for _, row := range r.rows["Empresas"] {
		if row[2] != "2135" {
			continue
		}
		individuals++
		name := row[1]
		if len(name) > 11 && strings.Trim(name[len(name)-11:], "0123456789") == "" {
			tails++
			if cnpj.MaskCPFs(name) == name {
				t.Errorf("%q does not end in a valid CPF", name)
			}
		}
		if root, err := cnpj.ParseRoot(row[0]); err == nil && strings.HasPrefix(name, root.Masked()+" ") {
			masked++
		}
	}
	if got := float64(tails) / float64(individuals); got < .28 || got > .38 {
		t.Errorf("%.3f of the individuals have a CPF in their name", got)
	}
	if got := float64(masked) / float64(individuals); got < .45 || got > .55 {
		t.Errorf("%.3f of the individuals have their root in their name", got)
	}
}

func checkContacts(t *testing.T, r release) {
	for _, row := range r.rows["Estabelecimentos"] {
		mail := strings.ToLower(row[27])
		_, domain, _ := strings.Cut(mail, "@")
		if mail != "" && !slices.Contains([]string{"exemplo.com.br", "example.com", "example.org"}, domain) {
			t.Errorf("mail address %q is not an example", row[27])
		}
		for _, i := range []int{22, 24, 26} {
			if phone := row[i]; phone != "" && phone[0] != '1' && !slices.Contains([]string{"0", "00000000", "99999999"}, phone) {
				t.Errorf("phone %q may be somebody's", phone)
			}
		}
	}
}

func checkDates(t *testing.T, r release) {
	odd := []string{"0", "00000000", "2021221", "11940512"}
	for _, row := range r.rows["Estabelecimentos"] {
		for _, i := range []int{6, 10} {
			if d := row[i]; !slices.Contains(odd, d) && (len(d) != 8 || d < "19660101" || d > "20260912") {
				t.Errorf("date %q in %s", d, row[0])
			}
		}
		if !slices.Contains(odd, row[6]) && !slices.Contains(odd, row[10]) && row[6] < row[10] {
			t.Errorf("%s: status since %s, began %s", row[0], row[6], row[10])
		}
	}
}

func checkLetters(t *testing.T, r release) {
	letters := func(s string) bool { return strings.Trim(s, "0123456789") != "" }
	lettered, digitFirst := 0, 0
	for _, row := range r.rows["Empresas"] {
		if letters(row[0]) {
			lettered++
			if row[0][0] <= '9' {
				digitFirst++
			}
		}
	}
	if got := float64(lettered) / roots; got < .025 || got > .035 {
		t.Errorf("%.4f of the roots have letters", got)
	}
	if digitFirst == 0 || digitFirst == lettered {
		t.Errorf("%d of %d roots with letters begin with a digit", digitFirst, lettered)
	}
	orders := 0
	for _, row := range r.rows["Estabelecimentos"] {
		if letters(row[1]) {
			orders++
			if row[10] < "20260731" {
				t.Errorf("order %s of %s was issued in %s", row[1], row[0], row[10])
			}
		}
	}
	if orders == 0 {
		t.Error("no order has letters")
	}
}

// checkShared checks that some people are partners of several companies, under one name and number.
func checkShared(t *testing.T, r release) {
	companies := map[string]map[string]bool{}
	for _, row := range r.rows["Socios"] {
		if row[1] != "2" || row[2] == "" {
			continue
		}
		person := row[2] + row[3]
		if companies[person] == nil {
			companies[person] = map[string]bool{}
		}
		companies[person][row[0]] = true
	}
	most := 0
	for _, roots := range companies {
		most = max(most, len(roots))
	}
	if most < 3 || most > 100 {
		t.Errorf("the busiest partner has %d companies", most)
	}
}
