package site

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
	"razao/site/wording"
)

func TestSummary(t *testing.T) {
	t.Parallel()
	h, s := released.open(t)
	divisions, err := record.LoadCNAE()
	if err != nil {
		t.Fatal(err)
	}
	all := entries(t, released.load(t).View(t))
	snap, err := s.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Release)
	cases := []struct {
		path  string
		where func(*entry) bool
	}{{"/uf/sp", inUF("SP")}, {"/uf/ex", inUF("EX")}, {"/uf/sp/campinas", inCity("6291")}, {"/uf/sp/sao-paulo", inCity("7107")}, {"/uf/rj", inUF("RJ")}}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			body := get(t, h, c.path).Body.String()
			pagetest.Form(t, body)
			d := parse(t, body)
			figures := map[string]string{}
			for _, list := range d.all("ul") {
				if list.attribute("class") == "figures" {
					for _, item := range list.all("li") {
						figures[item.all("span")[0].text()] = item.all("b")[0].text()
					}
				}
			}
			lately := func(d record.Date) bool {
				return d >= record.MakeDate(2025, 10, 1) && d < record.MakeDate(2026, 10, 1)
			}
			opened := func(e *entry) bool { return lately(e.DataInicioAtividade) }
			closedLately := func(e *entry) bool { return closed(e) && lately(e.DataSituacaoCadastral) }
			for words, want := range map[string]int{
				"(matrizes)": countOf(all, isHead, isActive, c.where), "estabelecimentos? ativos?": countOf(all, isActive, c.where),
				"estabelecimentos? abertos? .*01/10/2025": countOf(all, opened, c.where), "estabelecimentos? baixados? .*01/10/2025": countOf(all, closedLately, c.where),
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
			capital := capitalIn(all, c.where)
			label := ptbr.Join(", ", "capital social das empresas ativas", ptbr.LeftOut(capital.implausible, capital.published))
			if got := figures[ptbr.Plain(label)]; got != ptbr.Plain(ptbr.Rounded(capital.sum)) {
				t.Errorf("capital %q of %v", got, figures)
			}
			checkTwin(t, d, all, c.where)
			checkBars(t, d, "porte", all, c.where, func(e *entry) string {
				name := map[string]string{"01": "Microempresa", "03": "Empresa de Pequeno Porte", "05": "Demais (médio ou grande)"}[e.company.PorteEmpresa]
				return cmp.Or(name, "Não informado")
			})
			checkBars(t, d, "atividades", all, c.where, func(e *entry) string {
				return ptbr.CNAE(e.CNAEFiscalPrincipal) + " " + wording.Describe(snap, record.DomainCNAE, e.CNAEFiscalPrincipal)
			})
			checkBars(t, d, "divisoes", all, c.where, func(e *entry) string {
				return e.CNAEFiscalPrincipal[:2] + " " + divisions[e.CNAEFiscalPrincipal[:2]]
			})
		})
	}
}

// checkBars compares a table of company counts with the records.
func checkBars(t *testing.T, d document, id string, all []entry, where func(*entry) bool, name func(*entry) string) {
	t.Helper()
	want := map[string]int{}
	for i := range all {
		if e := &all[i]; e.active && e.head && where(e) {
			want[name(e)]++
		}
	}
	got := map[string]int{}
	for _, section := range d.all("section") {
		if section.attribute("aria-labelledby") != id {
			continue
		}
		for _, row := range section.all("tbody")[0].all("tr") {
			cells := row.all("td")
			got[row.all("th")[0].text()], _ = strconv.Atoi(cells[len(cells)-1].text())
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-records +page):\n%s", id, diff)
	}
}

// closedIn returns a condition: the establishment was closed in a year.
func closedIn(year int) func(*entry) bool {
	return func(e *entry) bool { return closed(e) && e.DataSituacaoCadastral.Year() == year }
}

// checkTwin compares the table of openings and closings with the records, and the chart and total
// with the table.
func checkTwin(t *testing.T, d document, all []entry, where func(*entry) bool) {
	t.Helper()
	section := document{d.at(t, "anos").Parent}
	table := section.all("tbody")[0].all("tr")
	var up, down []document
	for _, rect := range section.all("rect") {
		switch {
		case rect.attribute("x") == "": // of the legend
		case rect.attribute("class") == "up":
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
		opened, closed := countOf(all, where, openedIn(year)), countOf(all, where, closedIn(year))
		label := strconv.Itoa(year)
		if i == yearsShown-1 {
			label += ", até 09/2026"
		}
		if want := fmt.Sprintf("%s %d %d", label, opened, closed); table[i].text() != want {
			t.Errorf("table: %q, want %q", table[i].text(), want)
		}
		if want := fmt.Sprintf("%d: %s", year, ptbr.Counted(int64(opened), "abertura", "aberturas")); up[i].text() != want {
			t.Errorf("chart: %q, want %q", up[i].text(), want)
		}
		if want := fmt.Sprintf("%d: %s", year, ptbr.Counted(int64(closed), "baixa", "baixas")); down[i].text() != want {
			t.Errorf("chart: %q, want %q", down[i].text(), want)
		}
	}
	total := fmt.Sprintf("Total %d %d", countOf(all, where), countOf(all, where, closed))
	if got := section.all("tfoot")[0].text(); got != total {
		t.Errorf("total %q, want %q", got, total)
	}
}
