package site_test

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/wording"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestSummaryOfAPlace(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	divisions, err := record.LoadCNAE()
	if err != nil {
		t.Fatal(err)
	}
	all := h.Establishments(t)
	snap := fixture.Acquire(t, h.Live)
	cases := []struct {
		path  string
		where sitetest.Condition
	}{{"/uf/sp", sitetest.InUF("SP")}, {"/uf/ex", sitetest.InUF("EX")}, {"/uf/sp/campinas", sitetest.InCity("6291")}, {"/uf/sp/sao-paulo", sitetest.InCity("7107")}, {"/uf/rj", sitetest.InUF("RJ")}}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			body := h.Body(t, c.path)
			pagetest.Form(t, body)
			d := pagetest.Parse(t, body)
			figures := map[string]string{}
			for _, list := range d.Of("ul", "class", "figures") {
				for _, item := range list.All("li") {
					figures[item.All("span")[0].Text()] = item.All("b")[0].Text()
				}
			}
			lately := func(d record.Date) bool {
				return d >= record.MakeDate(2025, 10, 1) && d < record.MakeDate(2026, 10, 1)
			}
			opened := func(e *sitetest.Establishment) bool { return lately(e.DataInicioAtividade) }
			closedLately := func(e *sitetest.Establishment) bool { return sitetest.Closed(e) && lately(e.DataSituacaoCadastral) }
			for words, want := range map[string]int{
				"(matrizes)": all.Count(sitetest.Head, sitetest.Active, c.where), "estabelecimentos? ativos?": all.Count(sitetest.Active, c.where),
				"estabelecimentos? abertos? .*01/10/2025": all.Count(opened, c.where), "estabelecimentos? baixados? .*01/10/2025": all.Count(closedLately, c.where),
			} {
				found := false
				for label, figure := range figures {
					if regexp.MustCompile(words).MatchString(label) {
						found = figure == strconv.Itoa(want) || found
					}
				}
				if !found {
					t.Errorf("%q is not %d: %v", words, want, figures)
				}
			}
			capital := all.Capital(c.where)
			label := ptbr.Join(", ", "capital social das empresas ativas", capital.LeftOut())
			if got := figures[ptbr.Plain(label)]; got != ptbr.Plain(ptbr.Rounded(capital.Sum)) {
				t.Errorf("capital %q of %v", got, figures)
			}
			checkTwin(t, d, all, c.where)
			checkBars(t, d, "porte", all, c.where, func(e *sitetest.Establishment) string {
				name := map[string]string{"01": "Microempresa", "03": "Empresa de Pequeno Porte", "05": "Demais"}[e.Company.PorteEmpresa]
				return cmp.Or(name, "Não informado")
			})
			checkBars(t, d, "atividades", all, c.where, func(e *sitetest.Establishment) string {
				return ptbr.CNAE(e.CNAEFiscalPrincipal) + " " + wording.Describe(snap, record.DomainCNAE, e.CNAEFiscalPrincipal)
			})
			checkBars(t, d, "divisoes", all, c.where, func(e *sitetest.Establishment) string {
				return e.CNAEFiscalPrincipal[:2] + " " + divisions[e.CNAEFiscalPrincipal[:2]]
			})
		})
	}
}

// checkBars compares a table of company counts with the records.
func checkBars(t *testing.T, d pagetest.Document, id string, all sitetest.Establishments, where sitetest.Condition, name func(*sitetest.Establishment) string) {
	t.Helper()
	want := map[string]int{}
	for _, e := range all.Companies(where) {
		want[name(e)]++
	}
	got := map[string]int{}
	for _, section := range d.Of("section", "aria-labelledby", id) {
		for _, row := range section.Rows() {
			cells := row.All("td")
			got[row.All("th")[0].Text()], _ = strconv.Atoi(cells[len(cells)-1].Text())
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-records +page):\n%s", id, diff)
	}
}

// checkTwin compares the tables of openings and closings by year and by month with the records, and the
// charts with the tables.
func checkTwin(t *testing.T, d pagetest.Document, all sitetest.Establishments, where sitetest.Condition) {
	t.Helper()
	var years, months []span
	for year := 2026 - yearsShown + 1; year <= 2026; year++ {
		years = append(years, span{strconv.Itoa(year), record.MakeDate(year, 1, 1), record.MakeDate(year+1, 1, 1)})
	}
	years[yearsShown-1].label += ", até 09/2026"
	for first := time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC); first.Year() == 2025 || first.Month() <= 9; first = first.AddDate(0, 1, 0) {
		next := first.AddDate(0, 1, 0)
		months = append(months, span{
			first.Format("01/2006"), record.MakeDate(first.Year(), int(first.Month()), 1), record.MakeDate(next.Year(), int(next.Month()), 1),
		})
	}
	months[len(months)-1].label += ", até o dia do arquivo"
	if all.Count(where) > 0 {
		checkChart(t, d, "meses", months, all, where)
	}
	table := checkChart(t, d, "anos", years, all, where)
	total := fmt.Sprintf("Total %d %d", all.Count(where), all.Count(where, sitetest.Closed))
	if got := table[len(table)-1].Text(); got != total {
		t.Errorf("total %q, want %q", got, total)
	}
}

// span is the days from first to before end.
type span struct {
	label      string
	first, end record.Date
}

// checkChart compares a chart of openings and closings, and its table, with the records, and returns the
// rows of the table.
func checkChart(t *testing.T, d pagetest.Document, id string, spans []span, all sitetest.Establishments, where sitetest.Condition) []pagetest.Document {
	t.Helper()
	section := pagetest.Document{Node: d.At(t, id).Parent}
	table, columns := section.Rows(), section.All("g")
	if len(table) < len(spans) || len(columns) != len(spans) {
		t.Fatalf("%s: %d rows in the table, %d columns in the chart", id, len(table), len(columns))
	}
	for i, s := range spans {
		within := func(d record.Date) bool { return d >= s.first && d < s.end }
		opened := all.Count(where, func(e *sitetest.Establishment) bool { return within(e.DataInicioAtividade) })
		closed := all.Count(where, sitetest.Closed, func(e *sitetest.Establishment) bool { return within(e.DataSituacaoCadastral) })
		if want := fmt.Sprintf("%s %d %d", s.label, opened, closed); table[i].Text() != want {
			t.Errorf("table: %q, want %q", table[i].Text(), want)
		}
		want := fmt.Sprintf("%s: %s, %s", s.label, ptbr.Counted(int64(opened), "abertura", "aberturas"), ptbr.Counted(int64(closed), "baixa", "baixas"))
		if got := columns[i].All("title")[0].Text(); got != want || len(columns[i].Of("rect", "class", "up")) != 1 || len(columns[i].Of("rect", "class", "down")) != 1 {
			t.Errorf("chart: %q, want %q and two columns", got, want)
		}
	}
	return table
}
