package places_test

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
	"razao/site/wording"
)

func TestSummary(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	divisions, err := record.LoadCNAE()
	if err != nil {
		t.Fatal(err)
	}
	all := h.Establishments(t)
	snap, err := h.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Release)
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
				name := map[string]string{"01": "Microempresa", "03": "Empresa de Pequeno Porte", "05": "Demais (médio ou grande)"}[e.Company.PorteEmpresa]
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

// checkTwin compares the table of openings and closings with the records, and the chart and total
// with the table.
func checkTwin(t *testing.T, d pagetest.Document, all sitetest.Establishments, where sitetest.Condition) {
	t.Helper()
	section := pagetest.Document{Node: d.At(t, "anos").Parent}
	table := section.Rows()
	var up, down []pagetest.Document
	for _, rect := range section.All("rect") {
		switch {
		case rect.Attribute("x") == "": // of the legend
		case rect.Attribute("class") == "up":
			up = append(up, rect)
		default:
			down = append(down, rect)
		}
	}
	if len(table) != yearsShown+1 || len(up) != yearsShown || len(down) != yearsShown {
		t.Fatalf("%d years in the table, %d and %d in the chart", len(table), len(up), len(down))
	}
	for i := range yearsShown {
		year := 2026 - yearsShown + 1 + i
		opened, closed := all.Count(where, sitetest.OpenedIn(year)), all.Count(where, sitetest.ClosedIn(year))
		label := strconv.Itoa(year)
		if i == yearsShown-1 {
			label += ", até 09/2026"
		}
		if want := fmt.Sprintf("%s %d %d", label, opened, closed); table[i].Text() != want {
			t.Errorf("table: %q, want %q", table[i].Text(), want)
		}
		if want := fmt.Sprintf("%d: %s", year, ptbr.Counted(int64(opened), "abertura", "aberturas")); up[i].Text() != want {
			t.Errorf("chart: %q, want %q", up[i].Text(), want)
		}
		if want := fmt.Sprintf("%d: %s", year, ptbr.Counted(int64(closed), "baixa", "baixas")); down[i].Text() != want {
			t.Errorf("chart: %q, want %q", down[i].Text(), want)
		}
	}
	total := fmt.Sprintf("Total %d %d", all.Count(where), all.Count(where, sitetest.Closed))
	if got := section.All("tfoot")[0].Text(); got != total {
		t.Errorf("total %q, want %q", got, total)
	}
}
