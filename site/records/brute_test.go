package records

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// debts writes n invented debts of a company for the loader of the PGFN.
func debts(rng *rand.Rand, b *strings.Builder, root string, n int) {
	r, _ := cnpj.ParseRoot(root)
	states := []string{"Em cobrança", "Garantia", "Benefício Fiscal", "Em negociação", ""}
	debtors := []string{"PRINCIPAL", "PRINCIPAL", "PRINCIPAL", "CORRESPONSAVEL", "SOLIDARIO"}
	for i := range n {
		day := fmt.Sprintf("%02d/%02d/%d", 1+rng.IntN(28), 1+rng.IntN(12), 1996+rng.IntN(30))
		if rng.IntN(20) == 0 {
			day = "01/01/1000" // unknown
		}
		amount := fmt.Sprintf("%d.%02d", rng.IntN(1_000_000), rng.IntN(100))
		switch rng.IntN(12) {
		case 0:
			amount = ".05"
		case 1:
			amount = "793945000.14"
		}
		full := cnpj.Join(r, cnpj.Order(1+rng.IntN(3))).Masked()
		fmt.Fprintf(b, "%s;Pessoa jurídica;%s;X;SP;CAMPINAS;8%012d;%s;ATIVA;COFINS;%s;SIM;%s\n",
			full, debtors[rng.IntN(len(debtors))], i, states[rng.IntN(len(states))], day, amount)
	}
}

// loadDebts loads invented debts of companies of the fixture.
func loadDebts(t testing.TB, l *fixture.Loaded, counts map[string]int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(17, 1))
	var b strings.Builder
	b.WriteString("CPF_CNPJ;TIPO_PESSOA;TIPO_DEVEDOR;NOME_DEVEDOR;UF_DEVEDOR;UNIDADE_RESPONSAVEL;NUMERO_INSCRICAO;TIPO_SITUACAO_INSCRICAO;SITUACAO_INSCRICAO;RECEITA_PRINCIPAL;DATA_INSCRICAO;INDICADOR_AJUIZADO;VALOR_CONSOLIDADO\n")
	for _, root := range []string{fixture.Bakery, fixture.Chain, fixture.City} {
		debts(rng, &b, root, counts[root])
	}
	var latin strings.Builder
	for _, r := range b.String() {
		latin.WriteByte(byte(r))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "arquivo_lai_SIDA_1_202606.csv"), []byte(latin.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Source(t, "pgfn", dir, "")
}

// asked reads the section of an address.
func asked(t testing.TB, hs *Handlers, snap *snapshot.Snapshot, number cnpj.Full, query string) *Section {
	t.Helper()
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/"+number.String()+"?"+query, nil)
	r, err := ParseRequest(c, number)
	if err != nil {
		t.Fatal(err)
	}
	head, err := snap.Company(t.Context(), number.Root())
	if err != nil {
		t.Fatal(err)
	}
	s, err := hs.Read(t.Context(), snap, &head, r, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return s
}

func cardIn(t testing.TB, s *Section, id string) Card {
	t.Helper()
	for _, c := range s.WithRecords() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no card %s", id)
	return Card{}
}

// walked reads all records of a source about a document as the API does, page by page.
func walked(t testing.TB, snap *snapshot.Snapshot, id string, d registry.Document) []pack.Item {
	t.Helper()
	head, err := snap.Company(t.Context(), d.Root)
	if err != nil {
		t.Fatal(err)
	}
	var all []pack.Item
	for {
		p, _ := snap.Select(t.Context(), id, &head, d, registry.Selection{Range: registry.Range{From: len(all), Limit: 200}})
		if p.Err != nil {
			t.Fatal(p.Err)
		}
		all = append(all, p.Items...)
		if _, more := p.Next(); !more {
			return all
		}
	}
}

// reais formats an amount as the page does, from an exact rational number.
func reais(r *big.Rat) string {
	text := r.FloatString(2)
	whole, cents, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "." + whole[i:]
	}
	return "R$\u00a0" + whole + "," + cents
}

func TestSumsAreThoseOfAllRecords(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	loadDebts(t, l, map[string]int{fixture.Bakery: 731})
	hs, snap := newHandlers(t, l.Live)
	number := fixture.Full(t, fixture.Bakery)
	order := number.Order()
	for query, d := range map[string]registry.Document{
		"":                    {Root: number.Root()},
		"ver=estabelecimento": {Root: number.Root(), Order: &order},
	} {
		items := walked(t, snap, "pgfn", d)
		type total struct {
			n, added     int
			sum, largest *big.Rat
		}
		want := map[string]*total{}
		for i := range items {
			state := cmp.Or(items[i].Value("tipo_situacao_inscricao"), "Não informada")
			for _, key := range []string{state, "Todos"} {
				w := want[key]
				if w == nil {
					w = &total{sum: new(big.Rat), largest: new(big.Rat)}
					want[key] = w
				}
				w.n++
				if amount, ok := new(big.Rat).SetString(items[i].Value("valor_consolidado")); ok && items[i].Value("tipo_devedor") == "PRINCIPAL" {
					w.added++
					w.sum.Add(w.sum, amount)
					if amount.Cmp(w.largest) > 0 {
						w.largest = amount
					}
				}
			}
		}
		c := cardIn(t, asked(t, hs, snap, number, query), "pgfn")
		if c.Total != len(items) || len(c.Summary.Rows) != len(want)-1 {
			t.Fatalf("%q: %d records in %d groups, want %d in %d", query, c.Total, len(c.Summary.Rows), len(items), len(want)-1)
		}
		for _, row := range append(c.Summary.Rows, c.Summary.All) {
			w := want[row.Text]
			if w == nil || row.Count != int64(w.n) || row.Sum != reais(w.sum) || row.Largest != reais(w.largest) {
				t.Errorf("%q, %s: %d, %s, %s; want %+v", query, row.Text, row.Count, row.Sum, row.Largest, w)
			}
		}
	}
}

// TestOrdersAndFilters compares the rows of all pages of an order and filter with a plain sort of
// all records.
func TestOrdersAndFilters(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	loadDebts(t, l, map[string]int{fixture.Bakery: 257})
	hs, snap := newHandlers(t, l.Live)
	number := fixture.Full(t, fixture.Bakery)
	items := walked(t, snap, "pgfn", registry.Document{Root: number.Root()})
	amountOf := func(i int) *big.Rat {
		r, ok := new(big.Rat).SetString(items[i].Value("valor_consolidado"))
		if !ok {
			return big.NewRat(-1, 1)
		}
		return r
	}
	dayOf := func(i int) string { return items[i].Value("data_inscricao") }
	for _, c := range []struct {
		query string
		keeps func(i int) bool
		order func(a, b int) int
	}{
		{"pgfn_ordem=valor", nil, func(a, b int) int { return amountOf(b).Cmp(amountOf(a)) }},
		{"pgfn_ordem=data", nil, func(a, b int) int { return cmp.Compare(dayOf(b), dayOf(a)) }},
		{"pgfn_ano=2003", func(i int) bool { return strings.HasPrefix(dayOf(i), "2003") }, nil},
		{"pgfn_situacao=Garantia", func(i int) bool { return items[i].Value("tipo_situacao_inscricao") == "Garantia" }, nil},
		{"pgfn_situacao=N%C3%A3o+informada&pgfn_ordem=valor", func(i int) bool { return items[i].Value("tipo_situacao_inscricao") == "" }, func(a, b int) int { return amountOf(b).Cmp(amountOf(a)) }},
		{"pgfn_situacao=Em+cobran%C3%A7a&pgfn_ano=2010&pgfn_ordem=data", func(i int) bool {
			return items[i].Value("tipo_situacao_inscricao") == "Em cobrança" && strings.HasPrefix(dayOf(i), "2010")
		}, func(a, b int) int { return cmp.Compare(dayOf(b), dayOf(a)) }},
		{"pgfn_situacao=Nenhuma", func(int) bool { return false }, nil},
	} {
		var want []string
		var positions []int
		for i := range items {
			if c.keeps == nil || c.keeps(i) {
				positions = append(positions, i)
			}
		}
		if c.order != nil {
			slices.SortStableFunc(positions, c.order)
		}
		for _, i := range positions {
			want = append(want, fmt.Sprint("pgfn-", i+1, " ", items[i].Value("numero_inscricao")))
		}
		var got []string
		for number, page := fixture.Full(t, fixture.Bakery), 1; page == 1 || len(got) < len(want); page++ {
			shown := cardIn(t, asked(t, hs, snap, number, fmt.Sprint(c.query, "&pgfn_pagina=", page)), "pgfn")
			if shown.Among != len(want) {
				t.Fatalf("%s: among %d, want %d", c.query, shown.Among, len(want))
			}
			for _, row := range shown.Rows {
				got = append(got, row.ID+" "+row.Cells[0][0].Text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", c.query, got, want)
		}
	}
}

// TestTimelineHasAllRecords expects every dated record exactly once in the years of the time line.
func TestTimelineHasAllRecords(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	loadDebts(t, l, map[string]int{fixture.Bakery: 300})
	hs, snap := newHandlers(t, l.Live)
	number := fixture.Full(t, fixture.Bakery)
	years := map[string]int{}
	for _, it := range walked(t, snap, "pgfn", registry.Document{Root: number.Root()}) {
		if day := it.Value("data_inscricao"); day != "" {
			years[day[:4]]++
		}
	}
	newest := asked(t, hs, snap, number, "").Timeline
	listed := map[string]int{}
	for _, year := range append(slices.Clone(newest.Years), newest.Older...) {
		listed[year.Text] = int(year.Count)
	}
	for year, n := range years {
		shown := asked(t, hs, snap, number, "linha="+year).Timeline
		if len(shown.Groups) != 1 || shown.Groups[0].Year != year || len(shown.Groups[0].Events) != n {
			t.Errorf("%s: %+v, want %d facts", year, shown.Groups, n)
		}
		if got, ok := listed[year]; ok && got != n {
			t.Errorf("%s is said to have %d facts, has %d", year, got, n)
		}
	}
	if len(listed) < len(years)-1 {
		t.Errorf("%d years are listed, records have %d", len(listed), len(years))
	}
}

// TestBoundedTotals: above MaxSummed the page says that it has no totals, and keeps the API's
// order.
func TestBoundedTotals(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	loadDebts(t, l, map[string]int{fixture.Bakery: 2_000, fixture.Chain: MaxSummed, fixture.City: MaxSummed + 1})
	hs, snap := newHandlers(t, l.Live)
	for _, root := range []string{fixture.Bakery, fixture.Chain} {
		c := cardIn(t, asked(t, hs, snap, fixture.Full(t, root), ""), "pgfn")
		if c.Summary == nil || c.Unsummed != "" || c.Summary.All.Count != int64(c.Total) {
			t.Errorf("%s: no totals: %s", root, c.Unsummed)
		}
	}
	for _, query := range []string{"", "pgfn_ordem=valor&pgfn_ano=2003"} {
		s := asked(t, hs, snap, fixture.Full(t, fixture.City), query)
		c := cardIn(t, s, "pgfn")
		if c.Summary != nil || !strings.Contains(c.Unsummed, "mais de 20.000 registros") || len(c.Rows) != PerPage || c.Rows[0].ID != "pgfn-1" || c.Among != MaxSummed+1 {
			t.Errorf("%q: %q, summary %v, %d rows", query, c.Unsummed, c.Summary, len(c.Rows))
		}
		if len(s.Timeline.Missing) != 1 {
			t.Errorf("the time line says nothing of what it lacks: %v", s.Timeline.Missing)
		}
	}
}

// TestWhatIsNotAdded checks each source's declared rules on amounts that must not be added.
func TestWhatIsNotAdded(t *testing.T) {
	t.Parallel()
	type record map[string]string
	for id, c := range map[string]struct {
		records []record
		sum     string
		notes   []string
	}{
		"bndes": {[]record{
			{"numero_do_contrato": "1", "valor_contratado_reais": "10.5"},
			{"numero_do_contrato": "1", "valor_contratado_reais": "10.5"}, // the same contract, the same amount
			{"numero_do_contrato": "1", "valor_contratado_reais": "4"},
			{"valor_contratado_reais": "10.5"},
			{"valor_contratado_reais": "10.5"}, // operations without a number are each one
			{"numero_do_contrato": "2", "valor_contratado_reais": "10.5"},
			{},
		}, "R$\u00a046,00", []string{"1 registro com o valor de outro registro do mesmo contrato", "1 registro sem valor publicado"}},
		"pncp": {[]record{
			{"participacao": `["fornecedor"]`, "valor_global": "0.0001"},
			{"participacao": `["fornecedor","subcontratado"]`, "valor_global": "2.5"},
			{"participacao": `["subcontratado"]`, "valor_global": "1000"},
			{"receita": "true", "valor_global": "1000"},
		}, "R$\u00a02,50", []string{"1 registro em que a empresa é só subcontratada", "1 registro de contratos que geram receita"}},
		"ibama_autos": {[]record{
			{"val_auto_infracao": "100.00", "dat_hora_auto_infracao": "1994-07-01 00:00:00"},
			{"val_auto_infracao": "7.00", "dat_hora_auto_infracao": "1994-06-30 23:59:59"},
			{"val_auto_infracao": "9.00", "dat_hora_auto_infracao": "2001-01-01", "sit_cancelado": "S"},
			{"val_auto_infracao": "8.00"},
		}, "R$\u00a0100,00", []string{"1 registro de autos cancelados", "2 registros sem data ou de antes de 01/07/1994"}},
	} {
		src, _ := source.Find(id)
		items := make([]pack.Item, len(c.records))
		for i, r := range c.records {
			items[i] = pack.Item{Fields: src.Fields, Values: make([]string, len(src.Fields))}
			for k, f := range src.Fields {
				items[i].Values[k] = r[f.Name]
			}
		}
		s := summaryOf(&src, factsOf(&src, items, 0))
		if s.All.Sum != c.sum {
			t.Errorf("%s: %s, want %s", id, s.All.Sum, c.sum)
		}
		for _, note := range c.notes {
			if !strings.Contains(strings.Join(s.Notes, " "), note) {
				t.Errorf("%s: %q is not in %q", id, note, s.Notes)
			}
		}
	}
}

// TestTotalsThatCannotBeRead: when the first page answers and the rest fails, the page keeps its
// rows and says that there are no totals.
func TestTotalsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	loadDebts(t, l, map[string]int{fixture.Bakery: 257})
	hs, snap := newHandlers(t, l.Live)
	if _, err := l.Pool.Exec(t.Context(), fmt.Sprintf("DELETE FROM load_%06d.record WHERE seq > 0", snap.LoadOf("pgfn"))); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"", "pgfn_ordem=valor"} {
		s := asked(t, hs, snap, fixture.Full(t, fixture.Bakery), query)
		c := cardIn(t, s, "pgfn")
		if c.Total != 257 || len(c.Rows) != PerPage || c.Rows[0].ID != "pgfn-1" || c.Summary != nil || !strings.Contains(c.Unsummed, "Não foi possível ler todos os registros") {
			t.Errorf("%q: %d records, %d rows, %v, %q", query, c.Total, len(c.Rows), c.Summary, c.Unsummed)
		}
		if len(s.Timeline.Missing) != 1 || s.Timeline.Total != 0 {
			t.Errorf("%q: time line %+v", query, s.Timeline)
		}
	}
}

// BenchmarkRead reads the section of companies with few, many and the most debts.
func BenchmarkRead(b *testing.B) {
	l := fixture.Load(b)
	counts := map[string]int{fixture.City: 20, fixture.Bakery: 2_000, fixture.Chain: MaxSummed}
	loadDebts(b, l, counts)
	hs, snap := newHandlers(b, l.Live)
	for root, n := range counts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				asked(b, hs, snap, fixture.Full(b, root), "")
			}
		})
	}
}
