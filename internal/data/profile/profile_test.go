package profile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// FuzzMeter measures any value as any kind of column: nothing panics, what is stored reads back, and a table compared
// with itself has not moved.
func FuzzMeter(f *testing.F) {
	for _, value := range []string{"", "00000000", "20260131", "31/01/2026", "2026-01-31", "1.234,56", "-1", "1,2E+13", "S\xc3\x83O", "***123456**", `"a"`, "\xff\x00"} {
		f.Add(value, value+"1", false)
	}
	f.Fuzz(func(t *testing.T, a, b string, latin1 bool) {
		columns := []Declaration{{Name: "t"}, {Name: "i", Kind: ID}, {Name: "c", Kind: Code}, {Name: "d", Kind: Day}, {Name: "n", Kind: Number, Personal: true}}
		m, o := NewMeter("x", columns, latin1), NewMeter("x", columns, latin1)
		for line := range int64(40) {
			for i := range columns {
				if m.Wants(line) {
					m.Add(i, "1", a)
				}
				if o.Wants(line) {
					o.Add(i, "2", b)
				}
			}
		}
		m.Merge(o)
		table := m.Table(nil)
		stored, err := json.Marshal(table)
		if err != nil {
			t.Fatal(err)
		}
		var read Table
		if err := json.Unmarshal(stored, &read); err != nil {
			t.Fatal(err)
		}
		for _, before := range []*Table{&table, &read} {
			if jumps := Compare(before, &table, columns, 1, true); len(jumps) > 0 {
				t.Errorf("moved: %v", jumps)
			}
		}
	})
}

// TestNobodyIsNamed puts names and CPFs into columns of codes, as a shifted row does: they are counted, also as unknown codes, and known by
// their hashes only; and where a former version stored them, they are not shown.
func TestNobodyIsNamed(t *testing.T) {
	t.Parallel()
	all := Release()
	for table, name := range map[string]string{
		"Estabelecimentos": "motivo_situacao_cadastral", "Socios": "qualificacao_socio", "Simples": "opcao_pelo_mei", "Empresas": "porte_empresa",
	} {
		i := slices.IndexFunc(all[table], func(d Declaration) bool { return d.Name == name })
		d := all[table][i]
		m := NewMeter(table, []Declaration{d}, true)
		persons := []string{"MARIA JOAQUINA DE SOUZA", "JOSE DE SOUZA 52998224725", "123.456.789-09", "52998224725", "ANA"}
		for line := range int64(30) {
			for _, person := range append(persons, "01", "S") {
				m.Wants(line)
				m.Add(0, "12345678", person)
			}
		}
		column := m.Table(func(_ *Declaration, code string) bool { return code == "01" }).Columns[0]
		stored, err := json.Marshal(column)
		if err != nil {
			t.Fatal(err)
		}
		for _, person := range persons {
			if strings.Contains(string(stored), person) {
				t.Errorf("%s is stored of %s: %s", person, name, stored)
			}
		}
		former := Column{Values: map[string]int64{"01": 50}}
		for _, person := range persons {
			former.Values[person] = 50
		}
		for _, c := range []*Column{&column, &former} {
			for _, class := range c.Shown(&d) {
				if class.Name != "01" && class.Name != "S" {
					t.Errorf("%q is shown of %s", class.Name, name)
				}
			}
		}
	}
}

// TestExamples: of a class that came, and of one that took the place of another, examples are rows of what there is now.
func TestExamples(t *testing.T) {
	t.Parallel()
	columns := []Declaration{{Name: "v", Kind: Code, Domain: "motivo"}}
	measure := func(value func(line int64) string) Table {
		m := NewMeter("x", columns, true)
		for line := range int64(1000) {
			m.Wants(line)
			m.Add(0, strconv.FormatInt(line, 10), value(line))
		}
		return m.Table(func(_ *Declaration, code string) bool { return len(code) == 2 })
	}
	two := func(line int64) string { return []string{"01", "02"}[line%2] }
	for name, c := range map[string]struct {
		now  func(line int64) string
		want string
	}{
		"zeros lost":   {func(line int64) string { return strings.TrimLeft(two(line), "0") }, `0: "1"`},
		"another code": {func(line int64) string { return map[bool]string{true: "07", false: two(line)}[line%5 == 4] }, `"07"`},
		"latin1":       {func(line int64) string { return map[bool]string{true: "\xe9\xe9", false: two(line)}[line%5 == 4] }, `"éé"`},
	} {
		before, after := measure(two), measure(c.now)
		jumps := Compare(&before, &after, columns, 1, false)
		if len(jumps) != 1 || len(jumps[0].Examples) != 3 || !strings.Contains(jumps[0].String(), c.want) {
			t.Errorf("%s: %v, want %s", name, jumps, c.want)
		}
	}
}

// TestSketch estimates numbers of distinct values within five standard errors.
func TestSketch(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 10, 1000, 20_000} {
		m := NewMeter("x", []Declaration{{Name: "i", Kind: ID}}, false)
		for i := range n {
			if m.Wants(int64(i)) {
				m.Add(0, "", strconv.Itoa(i*7919))
			}
		}
		column := m.Table(nil).Columns[0]
		if got := float64(column.Distinct); got < 0.84*float64(n) || got > float64(column.Filled) {
			t.Errorf("%d distinct values: %v", n, got)
		}
	}
}

// TestNeighboursMoveBehindTheMeasured: the establishments of one company, whose numbers are all the distinct ones there are, stand within the
// lines that are all measured in one month, and behind them in the next.
func TestNeighboursMoveBehindTheMeasured(t *testing.T) {
	t.Parallel()
	columns := []Declaration{{Name: "cnpj_ordem", Kind: ID}}
	month := func(first int64) Table {
		m := NewMeter("Estabelecimentos", columns, false)
		for line := range int64(3 * wholly) {
			order := int64(1)
			if at := line - first; at >= 0 && at < 5000 {
				order = at + 1
			}
			if m.Wants(line + 1) {
				m.Add(0, "12345678", fmt.Sprintf("%04d", order))
			}
		}
		return m.Table(nil)
	}
	before, after := month(wholly-5000), month(wholly)
	if jumps := Compare(&before, &after, columns, 1, false); len(jumps) > 0 {
		t.Errorf("%v", jumps[0].String())
	}
}
