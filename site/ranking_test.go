package site

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/internal/fixture"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/territory"
	"razao/site/page"
	"razao/site/page/pagetest"
	"razao/site/wording"
)

// What the pages of places show at the most.
const (
	municipalitiesShown = 100
	yearsShown          = 20
)

// capitalIn adds up the capital of the active companies among the entries.
func capitalIn(all []entry, where func(*entry) bool) *big.Int {
	sum := new(big.Int)
	for i := range all {
		e := &all[i]
		if e.active && e.head && where(e) && e.company.CapitalSocial != record.NoCents {
			sum.Add(sum, big.NewInt(int64(e.company.CapitalSocial)))
		}
	}
	return sum
}

func openedIn(year int) func(*entry) bool {
	return func(e *entry) bool { return e.DataInicioAtividade.Year() == year }
}

func closed(e *entry) bool { return e.Closed() }

func TestStates(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	atlas, err := territory.Open()
	if err != nil {
		t.Fatal(err)
	}
	all := entries(t, released.load(t).View(t))
	people := 0
	for _, m := range atlas.Municipalities() {
		if m.UF == "SP" {
			people += m.Population
		}
	}
	companies := countOf(all, isHead, isActive, inUF("SP"))
	for _, order := range []string{"", "por_mil", "aberturas", "baixas", "capital"} {
		body := get(t, h, "/estados?ordem="+order).Body.String()
		pagetest.Form(t, body)
		d := rankingIn(t, body)
		if n := rows(d); n != 27 {
			t.Fatalf("ordem=%s: %d rows, want 27", order, n)
		}
		first := d.all("tbody")[0].all("tr")[0]
		want := fmt.Sprintf("1 São Paulo %d %s %d %d %s", companies, ptbr.Rate(float64(companies)*1000/float64(people)),
			countOf(all, inUF("SP"), openedIn(2025)), countOf(all, inUF("SP"), closed), ptbr.Sum(capitalIn(all, inUF("SP"))))
		if order != "aberturas" && strings.ReplaceAll(first.text(), ptbr.NBSP, " ") != strings.ReplaceAll(want, ptbr.NBSP, " ") {
			t.Errorf("ordem=%s: first row %q, want %q", order, first.text(), want)
		}
		sorted := 0
		for _, th := range d.all("th") {
			if th.attribute("aria-sort") == "descending" {
				sorted++
			}
		}
		if sorted != 1 {
			t.Errorf("ordem=%s: %d columns say that they order the table", order, sorted)
		}
	}
	body := get(t, h, "/estados?ordem=nome").Body.String()
	d := parse(t, body)
	if first := rankingIn(t, body).all("tbody")[0].all("tr")[0].text(); !strings.HasPrefix(first, "1 Acre 0 0,0") {
		t.Errorf("by name the first is %q", first)
	}
	shapes := 0
	for _, path := range d.all("path") {
		if strings.HasPrefix(path.attribute("class"), "t") {
			shapes++
		}
	}
	if shapes != 27 {
		t.Errorf("the map has %d states", shapes)
	}
}

// rankingIn returns the table of a ranking.
func rankingIn(t *testing.T, body string) document {
	t.Helper()
	for _, table := range parse(t, body).all("table") {
		if table.attribute("class") == "ranking" {
			return table
		}
	}
	t.Fatal("there is no ranking")
	return document{}
}

func TestMunicipalities(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	all := entries(t, released.load(t).View(t))
	body := get(t, h, "/municipios").Body.String()
	pagetest.Form(t, body)
	d := parse(t, body)
	table := rankingIn(t, body)
	if n := rows(table); n != municipalitiesShown {
		t.Errorf("%d rows, want %d", n, municipalitiesShown)
	}
	if first := table.all("tbody")[0].all("tr")[0]; first.links()["Campinas /SP"] != "/uf/sp/campinas" && first.links()["Campinas/SP"] != "/uf/sp/campinas" {
		t.Errorf("first row: %v", first.links())
	}
	dots := 0
	for _, path := range d.all("path") {
		if strings.HasPrefix(path.attribute("class"), "dots") && path.attribute("d") != "M20 20h0" {
			dots += strings.Count(path.attribute("d"), "h0")
		}
	}
	if dots != 2 {
		t.Errorf("%d municipalities with companies on the map, want 2", dots)
	}
	file := readTable(t, get(t, h, "/municipios.csv"))
	if len(file) != 5571 {
		t.Fatalf("%d rows in the CSV, want 5571", len(file))
	}
	for i, row := range file {
		if row["posicao"] != strconv.Itoa(i+1) || len(row["codigo_municipio_ibge"]) != 7 || row["competencia"] != fixture.Month {
			t.Fatalf("row %d: %v", i, row)
		}
	}
	got := file[0]
	want := map[string]string{
		"municipio": "Campinas", "uf": "SP", "codigo_municipio": "6291", "codigo_municipio_ibge": "3509502",
		"empresas_ativas":         strconv.Itoa(countOf(all, isHead, isActive, inCity("6291"))),
		"estabelecimentos_ativos": strconv.Itoa(countOf(all, isActive, inCity("6291"))),
		"ano_aberturas":           "2025", "aberturas": "0", "baixadas": strconv.Itoa(countOf(all, closed, inCity("6291"))),
		"capital_social": page.Decimal(capitalIn(all, inCity("6291"))), "populacao": "1223237", "ano_populacao": strconv.Itoa(territory.PopulationYear),
		"empresas_ativas_por_mil_habitantes": "0.007",
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s: got %q, want %q", name, got[name], value)
		}
	}
}

// readTable parses an answer that must be a complete CSV file to be kept.
func readTable(t *testing.T, w *httptest.ResponseRecorder) []map[string]string {
	t.Helper()
	answer := w.Result()
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasPrefix(answer.Header.Get("Content-Disposition"), "attachment; filename=") {
		t.Fatalf("status %d, %v", answer.StatusCode, answer.Header)
	}
	records, err := csv.NewReader(answer.Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var table []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, value := range record {
			row[records[0][i]] = value
		}
		table = append(table, row)
	}
	return table
}

// readDivisions returns the names of the sections and divisions of the CNAE.
func readDivisions(t *testing.T) map[string]string {
	t.Helper()
	table, err := os.Open("find/cnae.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	records, err := csv.NewReader(table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, record := range records {
		names[record[0]] = record[1]
	}
	return names
}

func TestSummary(t *testing.T) {
	t.Parallel()
	h, s := released.open(t)
	divisions := readDivisions(t)
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
			if got := figures["capital social das empresas ativas"]; got != strings.ReplaceAll(ptbr.Rounded(capitalIn(all, c.where)), ptbr.NBSP, " ") {
				t.Errorf("capital %q", got)
			}
			checkTwin(t, d, all, c.where)
			checkBars(t, d, "porte", all, c.where, func(e *entry) string {
				name := map[string]string{"01": "Microempresa", "03": "Empresa de Pequeno Porte", "05": "Demais"}[e.company.PorteEmpresa]
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

// checkBars compares a table of counts of active companies with the records.
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

// closedIn says whether an establishment was closed in a year.
func closedIn(year int) func(*entry) bool {
	return func(e *entry) bool { return closed(e) && e.DataSituacaoCadastral.Year() == year }
}

// checkTwin compares the table of openings and closings with the records, the chart with the table, and the total.
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

func TestPartnerPage(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	d := parse(t, get(t, h, "/12345678000195").Body.String())
	address := d.links()["MARTA FIGUEIRA INVENTADA"]
	if address != "/socio/456789/marta-figueira-inventada" {
		t.Fatalf("the company links its partner to %q", address)
	}
	w := get(t, h, address)
	pagetest.Form(t, w.Body.String())
	if n := resultsIn(parse(t, w.Body.String())); n != 2 {
		t.Errorf("%d companies, want 2", n)
	}
	chain := parse(t, get(t, h, "/"+full(t, fixture.Chain)).Body.String())
	if got := chain.links()["ACIONISTA 037 FICTICIO"]; got != "/socio/000001/acionista-037-ficticio" {
		t.Errorf("a partner among many is linked to %q", got)
	}
	// One that does not stand in the first row of its company.
	if w := get(t, h, "/socio/000129/"+strings.ToLower(fmt.Sprintf("acionista-%03d-ficticio", (129*37)%fixture.ChainQSA))); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "1 empresa na competência") {
		t.Errorf("the last partner of many: status %d", w.Code)
	}
}

func TestCompaniesCSV(t *testing.T) {
	t.Parallel()
	l := peopled(t)
	h, s := newHandler(t, l)
	all := entries(t, l.View(t))
	cookie := signedIn(t, s, "ana@exemplo.com")
	for _, headers := range [][]string{nil, {"Cookie", sessionCookie + "=errado"}} {
		w := get(t, h, "/empresas.csv?uf=SP&ordem=nome", headers...)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/login?next=%2Fempresas.csv%3Fuf%3DSP%26ordem%3Dnome" ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("a stranger: %d, %v", w.Code, w.Header())
		}
	}
	cases := []struct {
		query string
		want  int
	}{
		{"", countOf(all, isHead)},
		{"tipo=todos", len(all)},
		{"uf=SP&tipo=filial", countOf(all, isBranch, inUF("SP"))},
		{"municipio=7107&tipo=todos", 2},
		{"uf=RJ", 0},
		{"mei=sim", 1},
		{"ordem=antiga&situacao=08", countOf(all, isHead, closed)},
	}
	for _, c := range cases {
		w := get(t, h, "/empresas.csv?"+c.query, "Cookie", cookie)
		if cache := w.Header().Get("Cache-Control"); cache != "private, no-store" {
			t.Errorf("%s: Cache-Control %q", c.query, cache)
		}
		table := readTable(t, w)
		if len(table) != c.want {
			t.Errorf("%s: %d rows, want %d", c.query, len(table), c.want)
		}
		for i := 1; i < len(table); i++ {
			if table[i]["cnpj"] <= table[i-1]["cnpj"] {
				t.Errorf("%s: %s follows %s", c.query, table[i]["cnpj"], table[i-1]["cnpj"])
			}
		}
	}
	if w := get(t, h, "/empresas.csv?uf=XX", "Cookie", cookie); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("unknown state: status %d", w.Code)
	}
	byCNPJ := map[string]map[string]string{}
	body := get(t, h, "/empresas.csv", "Cookie", cookie)
	text := body.Body.String()
	for _, row := range readTable(t, body) {
		byCNPJ[row["cnpj"]] = row
	}
	for _, hidden := range []string{"SEGREDO", "RESERVADA", "99887766", "9988-7766", "joana@", "ze@", fixture.HiddenCPF} {
		if strings.Contains(text, hidden) {
			t.Errorf("the file has %q", hidden)
		}
	}
	bakery := byCNPJ["12345678000195"]
	for name, want := range map[string]string{
		"razao_social": "PADARIA ESTRELA DO SUL LTDA", "capital_social": "480000.00", "correio_eletronico": "contato@padaria.exemplo",
		"telefone_1": "(19) 3233-4455", "cep": "13024100", "data_inicio_atividade": "2009-03-14", "municipio": "Campinas",
		"codigo_municipio_ibge": "3509502", "situacao_cadastral": "Ativa", "cnae_fiscal_principal": "1091102",
	} {
		if bakery[name] != want {
			t.Errorf("%s: got %q, want %q", name, bakery[name], want)
		}
	}
	if joana := byCNPJ[full(t, fixture.MEI)]; joana["razao_social"] != "41.330.504 JOANA FICTICIA DA SILVA" || joana["municipio"] != "Campinas" || joana["cep"]+joana["logradouro"] != "" {
		t.Errorf("the individual entrepreneur: %v", joana)
	}
}
