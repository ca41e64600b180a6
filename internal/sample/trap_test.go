package sample

import (
	"strings"
	"testing"

	"razao/internal/sample/world"
)

// is returns a predicate for the value of one column.
func is(column int, value string) func([]string) bool {
	return func(row []string) bool { return row[column] == value }
}

func contains(column int, part string) func([]string) bool {
	return func(row []string) bool { return strings.Contains(row[column], part) }
}

// hasAccents reports whether a company's name has a capital letter of the upper half of ISO-8859-1.
func hasAccents(row []string) bool {
	for _, c := range []byte(row[1]) {
		if c >= 0xC0 && c <= 0xDC {
			return true
		}
	}
	return false
}

// checkTraps looks for every trap that shows in a single row. Fields are raw bytes: one byte is one
// character.
func checkTraps(t *testing.T, r release) {
	for _, c := range []struct {
		name  string
		table string
		is    func([]string) bool
	}{
		{"quotes in a company's name", "Empresas", contains(1, `"`)},
		{"accents in a company's name", "Empresas", hasAccents},
		{"leading blanks", "Empresas", func(row []string) bool { return strings.HasPrefix(row[1], " ") }},
		{"double blank", "Empresas", func(row []string) bool { return strings.Contains(strings.TrimSpace(row[1]), "  ") }},
		{"capital sentinel", "Empresas", is(4, "999999999999,00")},
		{"capital with cents", "Empresas", func(row []string) bool { return !strings.HasSuffix(row[4], ",00") }},
		{"unknown qualification", "Empresas", is(3, "36")},
		{"phantom row", "Empresas", func(row []string) bool { return row[1] == "" && row[2] == "0000" && row[4] == "0,00" }},
		{"size not informed", "Empresas", is(5, "")},
		{"public body", "Empresas", contains(6, " - ")},
		{"quotes in a trade name", "Estabelecimentos", contains(4, `"`)},
		{"quotes in the complement", "Estabelecimentos", contains(16, `"`)},
		{"line feed", "Estabelecimentos", contains(16, "\n")},
		{"semicolon", "Estabelecimentos", contains(16, ";")},
		{"double blank in the complement", "Estabelecimentos", contains(16, "  ")},
		{"trailing backslash", "Estabelecimentos", func(row []string) bool { return strings.HasSuffix(row[16], `\`) }},
		{`S\N`, "Estabelecimentos", is(15, `S\N`)},
		{"NUL", "Estabelecimentos", contains(14, "\x00")},
		{"blanks before the street", "Estabelecimentos", func(row []string) bool { return strings.HasPrefix(row[14], " ") }},
		{"byte 8F", "Estabelecimentos", contains(27, "\x8F")},
		{"date 0", "Estabelecimentos", is(6, "0")},
		{"date 00000000", "Estabelecimentos", is(6, "00000000")},
		{"date of seven digits", "Estabelecimentos", is(6, "2021221")},
		{"year 1194", "Estabelecimentos", func(row []string) bool { return strings.HasPrefix(row[10], "1194") }},
		{"CEP of seven digits", "Estabelecimentos", func(row []string) bool { return len(row[18]) == 7 }},
		{"CEP 0", "Estabelecimentos", is(18, "0")},
		{"CEP of blanks and 0", "Estabelecimentos", is(18, "       0")},
		{"no CEP", "Estabelecimentos", func(row []string) bool { return row[18] == "" && row[19] != "EX" }},
		{"country 0", "Estabelecimentos", is(9, "0")},
		{"country of two digits", "Estabelecimentos", func(row []string) bool { return len(row[9]) == 2 }},
		{"country 105", "Estabelecimentos", is(9, "105")},
		{"country 498", "Estabelecimentos", is(9, "498")},
		{"city abroad", "Estabelecimentos", func(row []string) bool { return row[8] != "" && row[19] == "EX" && row[20] == "9707" }},
		{"activity not informed", "Estabelecimentos", is(11, world.NotInformed)},
		{"reason 32", "Estabelecimentos", is(7, "32")},
		{"no type of street", "Estabelecimentos", is(13, "")},
		{"DDD 0", "Estabelecimentos", is(21, "0")},
		{"DDD 0000", "Estabelecimentos", is(21, "0000")},
		{"DDD of three digits", "Estabelecimentos", func(row []string) bool { return len(row[21]) == 3 }},
		{"phone 0", "Estabelecimentos", is(22, "0")},
		{"phone 00000000", "Estabelecimentos", is(22, "00000000")},
		{"phone 99999999", "Estabelecimentos", is(22, "99999999")},
		{"special situation", "Estabelecimentos", func(row []string) bool { return row[28] != "" && row[29] != "" }},
		{"no district", "Estabelecimentos", is(17, "")},
		{"nameless partner", "Socios", is(2, "")},
		{"guardian without a name", "Socios", func(row []string) bool { return row[8] == "" && row[9] != "00" }},
		{"partner of country 498", "Socios", is(6, "498")},
		{"unknown option", "Simples", func(row []string) bool { return row[1] == "" && row[4] == "" }},
		{"exclusion to come", "Simples", func(row []string) bool { return row[3] > "20260912" }},
	} {
		n := 0
		for _, row := range r.rows[c.table] {
			if c.is(row) {
				n++
			}
		}
		if n == 0 {
			t.Errorf("no row of %s has the trap %q", c.table, c.name)
		}
	}
}

func checkRepeated(t *testing.T, r release) {
	for _, table := range []string{"Empresas", "Estabelecimentos", "Socios"} {
		seen := map[string]bool{}
		repeated := 0
		for _, row := range r.rows[table] {
			line := strings.Join(row, ";")
			if seen[line] {
				repeated++
			}
			seen[line] = true
		}
		if repeated == 0 || repeated > 5 {
			t.Errorf("%d rows of %s occur twice, want one or a few", repeated, table)
		}
	}
	names := map[string]bool{}
	for _, row := range r.rows["Empresas"] {
		if row[1] != "" {
			names[row[0]] = true
		}
	}
	for _, row := range r.rows["Empresas"] {
		if row[1] == "" && !names[row[0]] {
			t.Errorf("the phantom row of %s has no good one beside it", row[0])
		}
	}
	twins := map[string]string{}
	same := 0
	for _, row := range r.rows["Socios"] {
		key := row[0] + row[3]
		if other, ok := twins[key]; ok && row[1] == "2" && other != row[2] {
			same++
		}
		twins[key] = row[2]
	}
	if same == 0 {
		t.Error("no two partners of a company share a masked CPF")
	}
}

func checkMissing(t *testing.T, r release) {
	companies, establishments := r.column("Empresas", 0), r.column("Estabelecimentos", 0)
	missing := func(table string, in map[string]int) int {
		n := 0
		for root := range r.column(table, 0) {
			if in[root] == 0 {
				n++
			}
		}
		return n
	}
	for name, n := range map[string]int{
		"company without establishment": missing("Empresas", establishments),
		"establishment without company": missing("Estabelecimentos", companies),
		"Simples without company":       missing("Simples", companies),
	} {
		if n < 1 || n > 3 {
			t.Errorf("%s: %d, want one or two", name, n)
		}
	}
}
