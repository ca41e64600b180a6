package records

import (
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"testing"

	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/fixture"
	"razao/site/chart"
)

// TestYearsAreThoseOfAllRecords compares the chart of a list, and of each of its states, with a plain
// sum over all records: every year from the first to the last, and what its column leads to.
func TestYearsAreThoseOfAllRecords(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	loadDebts(t, l, map[string]int{fixture.Bakery: 257})
	hs, snap := newHandlers(t, l.Live)
	number := fixture.Full(t, fixture.Bakery)
	items := walked(t, snap, "pgfn", registry.Document{Root: number.Root()})
	for _, state := range []string{"", "Garantia"} {
		query := ""
		if state != "" {
			query = "pgfn_situacao=" + state + "&"
		}
		counts, sums := map[string]int{}, map[string]*big.Rat{}
		for i := range items {
			if state != "" && items[i].Value("tipo_situacao_inscricao") != state {
				continue
			}
			year := "Sem data"
			if day := items[i].Value("data_inscricao"); day != "" {
				year = day[:4]
			}
			for _, key := range []string{year, "Todos os anos"} {
				if sums[key] == nil {
					sums[key] = new(big.Rat)
				}
				counts[key]++
				if amount, ok := new(big.Rat).SetString(items[i].Value("valor_consolidado")); ok && items[i].Value("tipo_devedor") == "PRINCIPAL" {
					sums[key].Add(sums[key], amount)
				}
			}
		}
		drawn := cardIn(t, asked(t, hs, snap, number, query+"pgfn_ano=2003"), "pgfn").Summary.Years
		seen := 0
		for i, p := range append(drawn.Points, drawn.Extra...) {
			n := counts[p.Text]
			seen += min(n, 1)
			if want := fmt.Sprint(p.Text, ", ", ptbr.Counted(n, "registro", "registros")); p.Row != want || p.Current != (p.Text == "2003") {
				t.Errorf("%q: %q, current %t; want %q", state, p.Row, p.Current, want)
			}
			if got := ptbr.Money(p.Values[0]); n > 0 && got != reais(sums[p.Text]) {
				t.Errorf("%q, %s: %s, want %s", state, p.Text, got, reais(sums[p.Text]))
			}
			if i > 0 && i < len(drawn.Points) && p.Text != yearAfter(drawn.Points[i-1].Text) {
				t.Errorf("%q: %s follows %s", state, p.Text, drawn.Points[i-1].Text)
			}
			if p.URL == "" {
				if n > 0 && p.Text != "Sem data" {
					t.Errorf("%q: no link to %s", state, p.Text)
				}
				continue
			}
			address, err := url.Parse(p.URL)
			if err != nil {
				t.Fatal(err)
			}
			if shown := cardIn(t, asked(t, hs, snap, number, address.RawQuery), "pgfn"); shown.Among != n {
				t.Errorf("%q: the link of %s leads to %d records, want %d", state, p.Text, shown.Among, n)
			}
		}
		if seen != len(counts) || !drawn.Money || len(counts) < 20 {
			t.Errorf("%q: %d of %d years and totals are there", state, seen, len(counts))
		}
	}
}

// yearAfter returns the year after.
func yearAfter(year string) string {
	var n int
	_, _ = fmt.Sscan(year, &n) // the caller compares years
	return yearText(n + 1)
}

// TestAxisOfYears: years that are missing are drawn empty, years of typing errors are in the table
// alone, and without amounts to add the columns count.
func TestAxisOfYears(t *testing.T) {
	t.Parallel()
	draw := func(id string, records ...map[string]string) *chart.Columns {
		src, _ := source.Find(id)
		items := make([]pack.Item, len(records))
		for i, r := range records {
			items[i] = pack.Item{Fields: src.Fields, Values: make([]string, len(src.Fields))}
			for k, f := range src.Fields {
				items[i].Values[k] = r[f.Name]
			}
		}
		facts := factsOf(&src, items, 0)
		summaryOf(&src, facts)
		return yearsOf(&list{}, &src, facts, func(year string) string { return "?" + year })
	}
	debt := func(day, debtor, amount string) map[string]string {
		return map[string]string{"data_inscricao": day, "tipo_devedor": debtor, "valor_consolidado": amount}
	}
	text := func(c *chart.Columns) string {
		if c == nil {
			return "none"
		}
		var all []string
		for i, p := range append(c.Points, c.Extra...) {
			if i == len(c.Points) {
				all = append(all, "|")
			}
			all = append(all, fmt.Sprint(p.Text, p.URL, "=", p.Values[0]))
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct{ name, want, got string }{
		{"one year", "none", text(draw("pgfn", debt("2019-03-01", "PRINCIPAL", "1.00"), debt("2019-04-01", "PRINCIPAL", "1.00")))},
		{
			"a gap", "2019?2019=150 2020=0 2021?2021=0 | Sem data=200 Todos os anos?=350",
			text(draw("pgfn", debt("2019-03-01", "PRINCIPAL", "1.50"), debt("2021-03-01", "SOLIDARIO", "9.00"), debt("", "PRINCIPAL", "2.00"))),
		},
		{
			"no amount that may be added", "2019?2019=1 2020?2020=2 | Todos os anos?=3",
			text(draw("pgfn", debt("2019-03-01", "SOLIDARIO", "9.00"), debt("2020-03-01", "SOLIDARIO", "9.00"), debt("2020-03-01", "PRINCIPAL", ""))),
		},
		{
			"an amount below 0", "2019?2019=1 2020?2020=1 | Todos os anos?=2",
			text(draw("pgfn", debt("2019-03-01", "PRINCIPAL", "-9.00"), debt("2020-03-01", "PRINCIPAL", "1.00"))),
		},
		{
			"years of typing errors", "2019?2019=1 2020?2020=1 | 1819?1819=1 3020?3020=1 Todos os anos?=4",
			text(draw("ibama_embargos", map[string]string{"dat_embargo": "2019-03-01"}, map[string]string{"dat_embargo": "1819-01-01"}, map[string]string{"dat_embargo": "3020-01-01"}, map[string]string{"dat_embargo": "2020-01-01"})),
		},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, c.got, c.want)
		}
	}
}
