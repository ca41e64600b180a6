package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/testing/fixture"
)

var bothCounts = regexp.MustCompile(`([0-9.]+) neste CNPJ · ([0-9.]+) na empresa toda`)

// TestPagesCountAsTheAPI asks the site and the API of one program about companies with branches. For every source the page says how
// many records its establishment has and how many the whole company, which is what the API says of the two.
func TestPagesCountAsTheAPI(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	var debts strings.Builder
	debts.WriteString("CPF_CNPJ;TIPO_PESSOA;TIPO_DEVEDOR;NOME_DEVEDOR;UF_DEVEDOR;UNIDADE_RESPONSAVEL;NUMERO_INSCRICAO;TIPO_SITUACAO_INSCRICAO;SITUACAO_INSCRICAO;RECEITA_PRINCIPAL;DATA_INSCRICAO;INDICADOR_AJUIZADO;VALOR_CONSOLIDADO\n")
	numbers := []cnpj.Full{}
	for company, root := range []string{fixture.Bakery, fixture.Chain, fixture.City, fixture.Letters} {
		r, err := cnpj.ParseRoot(root)
		if err != nil {
			t.Fatal(err)
		}
		for order := cnpj.Order(1); order <= 3; order++ {
			number := cnpj.Join(r, order)
			for i := range 40 * int(order) * (company % 3) {
				fmt.Fprintf(&debts, "%s;Pessoa jur\xeddica;PRINCIPAL;X;SP;X;8%d%d%09d;Garantia;X;X;01/02/2020;SIM;1.00\n", number.Masked(), company, order, i)
			}
			numbers = append(numbers, number)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "arquivo_lai_SIDA_1_202606.csv"), []byte(debts.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Source(t, "pgfn", dir, "")
	served := serverOn(t, l)
	ask := func(path string) (int, string) {
		w := served.authorize(httptest.NewRequestWithContext(t.Context(), "GET", publicAddress+path, nil))
		return w.Code, w.Body.String()
	}
	compared := 0
	for _, number := range numbers {
		for _, view := range []string{"", "?ver=estabelecimento"} {
			if status, page := ask("/" + number.String() + view); status == 200 {
				compared += compareCounts(t, ask, number, page)
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d counts were compared", compared)
	}
}

// totals returns how many records each source has, as the API says.
func totals(t *testing.T, body string) map[string]int {
	t.Helper()
	var answer struct {
		Dados struct {
			Themes map[string]map[string]struct{ Total *int } `json:"registros_publicos"`
		}
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	all := map[string]int{}
	for _, sources := range answer.Dados.Themes {
		for id, page := range sources {
			if page.Total != nil {
				all[id] = *page.Total
			}
		}
	}
	return all
}

// compareCounts compares the counts of a page with those of the API, and returns how many.
func compareCounts(t *testing.T, ask func(string) (int, string), number cnpj.Full, page string) (compared int) {
	t.Helper()
	_, own := ask("/v2/estabelecimentos/" + number.String() + "/full")
	_, whole := ask("/v2/empresas/" + number.Root().String() + "/full")
	here, company := totals(t, own), totals(t, whole)
	if len(here) != len(source.IDs()) || len(company) != len(source.IDs()) {
		t.Fatalf("%s: the API has %d and %d sources: %s", number, len(here), len(company), own)
	}
	for _, id := range source.IDs() {
		_, part, found := strings.Cut(page, ` id="`+id+`"`)
		if !found {
			t.Errorf("%s: the page has no source %s", number, id)
			continue
		}
		part, _, _ = strings.Cut(strings.Split(part, "<article ")[0], "<tr id=")
		counts := bothCounts.FindStringSubmatch(part)
		if src, _ := source.Find(id); src.CompanyOnly {
			if counts != nil || !strings.Contains(part, "A fonte só identifica a empresa") {
				t.Errorf("%s: %s counts establishments that it does not know: %v", number, id, counts)
			}
			continue
		}
		if several := strings.Contains(page, "Registros da empresa toda.") || strings.Contains(page, "Registros só deste CNPJ."); !several || company[id] == 0 {
			if counts != nil {
				t.Errorf("%s: %s counts what cannot differ: %s", number, id, counts[0])
			}
			continue
		}
		if counts == nil {
			t.Errorf("%s: %s has no counts, the API %d and %d", number, id, here[id], company[id])
			continue
		}
		compared++
		if counts[1] != grouped(here[id]) || counts[2] != grouped(company[id]) {
			t.Errorf("%s: %s says %s, the API %d and %d", number, id, counts[0], here[id], company[id])
		}
	}
	return compared
}

// grouped writes a number below a million as pages do.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d.%03d", n/1000, n%1000)
}
