package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/internal/data/cnpj"
)

// number returns the CNPJ of an establishment from its root and order.
func number(t testing.TB, root, order string) cnpj.Full {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	o, err := cnpj.ParseOrder(order)
	if err != nil {
		t.Fatal(err)
	}
	return cnpj.Join(r, o)
}

// town is a small registry, listed in rank order. Everybody in it is invented.
func town(t testing.TB) []build.Doc {
	t.Helper()
	active := func(root, order, legal, trade string, partners ...build.Partner) build.Doc {
		return build.Doc{
			CNPJ: number(t, root, order), HeadOffice: order == "0001", RazaoSocial: legal, NomeFantasia: trade, Partners: partners,
			UF: "SP", Municipio: "6291", SituacaoCadastral: "02", PorteEmpresa: "01", Branches: 1,
		}
	}
	large := func(d build.Doc) build.Doc {
		d.PorteEmpresa, d.Branches = "05", 3
		return d
	}
	closed := func(d build.Doc) build.Doc {
		d.SituacaoCadastral = "08"
		return d
	}
	return []build.Doc{
		large(active("11222333", "0001", "PADARIA CENTRAL LTDA", "PÃO QUENTE", build.Partner{Name: "MARIA EXEMPLO DA SILVA", Document: "***456789**"})),
		active("20000001", "0001", "PADARIA CENTRAL DE CAMPINAS EIRELI", ""),
		active("20000002", "0001", "CENTRAL PADARIA S/A", ""),
		active("20000003", "0001", "PADARIA CENTRALIZADA LTDA", ""),
		active("20000004", "0001", "PADARIA DOIS IRMÃOS ME", "CENTRO DO PÃO"),
		active("20000005", "0001", "ALFA BETA LTDA", "GAMA DELTA"),
		active("20000006", "0001", "HOLDING X", "", build.Partner{Name: "CENTRAL PADARIA PARTICIPACOES S.A.", Document: "11222333000181"}),
		active("20000007", "0001", "20.000.007 JOAO EXEMPLO", ""),
		active("20000008", "0001", "JOAO EXEMPLO ***456789**", ""),
		active("12ABC345", "0001", "LETRAS E NUMEROS LTDA", "3M TINTAS"),
		active("12ABC345", "01DE", "LETRAS E NUMEROS LTDA", ""),
		large(active("11222333", "0002", "PADARIA CENTRAL LTDA", "")),
		large(active("11222333", "0003", "PADARIA CENTRAL LTDA", "")),
		closed(active("20000010", "0001", "PADARIA CENTRAL LTDA", "")),
		closed(active("20000011", "0001", "LTDA ME", "")),
	}
}

func openTown(t *testing.T) *Index {
	t.Helper()
	docs := town(t)
	shuffled := slices.Clone(docs)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(docs), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	return open(t, indextest.Build(t, shuffled, build.Options{BucketBytes: 1 << 10, ShardDocs: 4}))
}

// show renders hits as root/order:reason.
func show(hits []Hit) []string {
	names := map[Why]string{WhyCNPJ: "cnpj", WhyExactName: "exact", WhyName: "name", WhyPrefix: "prefix", WhyPartner: "partner", WhyActivity: "activity", WhySound: "sound", WhyCorrected: "corrected", WhyPartial: "partial", WhyListed: "listed"}
	out := []string{}
	for _, hit := range hits {
		out = append(out, fmt.Sprintf("%s/%s:%s", hit.CNPJ.Root(), hit.CNPJ.Order(), names[hit.Why]))
	}
	return out
}

func TestSearch(t *testing.T) {
	t.Parallel()
	ix := openTown(t)
	root := []string{"11222333/0001:cnpj", "11222333/0002:cnpj", "11222333/0003:cnpj"}
	letters := []string{"12ABC345/0001:cnpj", "12ABC345/01DE:cnpj"}
	padarias := []string{
		"11222333/0001:exact", "11222333/0002:exact", "11222333/0003:exact", "20000010/0001:exact",
		"20000001/0001:name", "20000002/0001:name", "20000003/0001:prefix", "20000006/0001:partner",
	}
	complete := slices.Delete(slices.Clone(padarias), 6, 7) // a word follows the last one that has weight
	cases := map[string][]string{
		" 11.222.333/0001-81 ":    {"11222333/0001:cnpj"},
		"11222333":                root,
		"11.222.333":              root,
		"112":                     root,
		"11.222.333/0002":         {"11222333/0002:cnpj"},
		"112223330001":            {"11222333/0001:cnpj"},
		"1122233300018":           {"11222333/0001:cnpj"},
		"1122233300019":           {},
		"11222333000182":          {},
		"112223330001811":         {},
		"11":                      {},
		"12ABC34501DE35":          {"12ABC345/01DE:cnpj"},
		"12.abc.345/01de-35":      {"12ABC345/01DE:cnpj"},
		"12abc345":                letters,
		"12A":                     letters,
		"padaria central":         padarias,
		"PADARIA CENTRAL LTDA":    complete,
		"Padaria, Central - S.A.": complete,
		"central padaria": {
			"20000002/0001:exact", "11222333/0001:name", "20000001/0001:name", "11222333/0002:name", "11222333/0003:name",
			"20000010/0001:name", "20000006/0001:partner",
		},
		"pao quente":                {"11222333/0001:exact"},
		"PÃO QUENTE LTDA":           {"11222333/0001:exact"},
		"pao":                       {"11222333/0001:name", "20000004/0001:name"},
		"quente padaria":            {"11222333/0001:name"},
		"padaria qu":                {"11222333/0001:prefix"},
		"padaria irmaos":            {"20000004/0001:name"},
		"alfa beta":                 {"20000005/0001:exact"},
		"gama delta":                {"20000005/0001:exact"},
		"alfa gama":                 {"20000005/0001:name"},
		"delta gama":                {"20000005/0001:name"},
		"joao exemplo":              {"20000007/0001:exact", "20000008/0001:exact"},
		"20.000.007 joao exemplo":   {"20000007/0001:exact", "20000008/0001:exact"},
		"maria silva":               {"11222333/0001:partner"},
		"central participacoes":     {"20000006/0001:partner"},
		"3m":                        {"12ABC345/0001:name"},
		"3m tintas":                 {"12ABC345/0001:exact"},
		"ltda me":                   {"20000011/0001:exact"},
		"456789":                    {},
		"***456789**":               {},
		"joao exemplo ***456789**":  {"20000007/0001:exact", "20000008/0001:exact"},
		"d456789":                   {},
		"j11222333000181":           {},
		"usSP02":                    {},
		"nada disso existe":         {},
		"' OR 1=1 --":               {},
		"<script>alert(1)</script>": {},
	}
	for text, want := range cases {
		r, err := ix.Search(t.Context(), Query{Text: text, Limit: 20})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := gocmp.Diff(want, show(r.Hits)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		if r.Total != len(want) || r.TotalIsFloor {
			t.Errorf("%q: total %d (floor %v), want %d", text, r.Total, r.TotalIsFloor, len(want))
		}
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	ix := openTown(t)
	cases := map[string][]string{
		"":                 {},
		"q":                {"11222333/0001:prefix"},
		"quent":            {"11222333/0001:prefix"},
		"pao quente":       {"11222333/0001:exact"},
		"padaria do":       {"20000004/0001:prefix", "11222333/0001:name", "20000001/0001:name", "20000002/0001:name"},
		"padaria centrali": {"20000003/0001:prefix"},
		"irm":              {"20000004/0001:prefix"},
		"112":              {"11222333/0001:cnpj"},
		"11222333":         {"11222333/0001:cnpj"},
		"11.222.333/0":     {"11222333/0001:cnpj", "11222333/0002:cnpj", "11222333/0003:cnpj"},
		"lt":               {},
		"padar":            {"11222333/0001:prefix", "20000001/0001:prefix", "20000002/0001:prefix", "20000003/0001:prefix"},
		"zzz":              {},
		"45":               {},
		"maria":            {},
	}
	for text, want := range cases {
		hits, err := ix.Suggest(t.Context(), text, 4)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := gocmp.Diff(want, show(hits)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if hits, err := ix.Suggest(t.Context(), "padaria", 0); err != nil || len(hits) != 0 {
		t.Errorf("none asked for: %v, %v", hits, err)
	}
}

// TestSuggestionsOfPeople completes names that companies and partners have: a list has room for both.
func TestSuggestionsOfPeople(t *testing.T) {
	t.Parallel()
	var docs []build.Doc
	add := func(n int, municipio, legal string, partners ...string) {
		for range n {
			d := build.Doc{
				CNPJ: number(t, fmt.Sprintf("%08d", 30_000_000+16*len(docs)), "0001"), HeadOffice: true, RazaoSocial: legal, UF: "SP", Municipio: municipio,
				SituacaoCadastral: "02", PorteEmpresa: "01", Branches: 1,
			}
			for _, name := range partners {
				d.Partners = append(d.Partners, build.Partner{Name: name})
			}
			docs = append(docs, d)
		}
	}
	add(12, "7107", "JOSE CARLOS DA SILVA FICTICIO")                          // 0 to 11: a list full of companies
	add(2, "7107", "ALFA LTDA", "ANA LIMA", "JOSE CARLOS DA SILVA INVENTADO") // 12, 13
	add(1, "6291", "BETA LTDA", "JOSE CARLOS SILVEIRA")                       // 14 Campinas
	add(1, "7107", "GAMA LTDA", "JOSE CARLOS PEREIRA", "MARIA DA SILVA")      // 15 nobody is Jose Carlos da Silva
	add(1, "7107", "DELTA LTDA", "CARLOS EDUARDO SILVESTRE")                  // 16
	add(2, "7107", "RITA DE CASSIA MODELO")                                   // 17, 18
	add(14, "7107", "EPSILON LTDA", "RITA DE CASSIA FICTICIA")                // 19 to 32: a list full of people
	add(1, "6291", "PADARIA ESTRELADA LTDA", "ZELIA DOS ANJOS EXEMPLO")       // 33
	ix := open(t, indextest.Build(t, docs, build.Options{BucketBytes: 1 << 10, ShardDocs: 8}))
	for _, c := range []struct {
		text string
		want []string
	}{
		{"jose carlos da sil", []string{"0-6 prefix", "12-14 partner"}},
		{"jose carlos da silva", []string{"0-7 prefix", "12-13 partner"}},
		{"JOSÉ CARLOS DA SILVA FI", []string{"0-9 prefix"}},
		{"carlos silv", []string{"0-6 prefix", "12-13 partner", "14 partner"}},
		{"silva jose car", []string{"0-7 prefix", "12-13 partner"}},
		{"jose carlos da", []string{"0-6 name", "12-14 partner"}},
		{"jose carlos da s", []string{"0-9 prefix"}}, // too short for names of partners
		{"carlos eduardo s", []string{"16 partner"}}, // as long as there is nothing else
		{"carlos eduardo sil", []string{"16 partner"}},
		{"jose carlos silvei", []string{"14 partner"}},
		{"jose carlos pere", []string{"15 partner"}},
		{"maria da silv", []string{"15 partner"}},
		{"rita de cassia", []string{"17-18 prefix", "19-26 partner"}},
		{"rita de cas", []string{"17-18 prefix", "19-26 partner"}},
		{"cassia fict", []string{"19-28 partner"}},
		{"zelia dos anj", []string{"33 partner"}},
		{"dos anjos zel", []string{"33 partner"}},
		{"jose carlos silveira campinas", []string{"14 partner"}},
		{"jose carlos sil em campinas sp", []string{"14 partner"}},
		{"campinas sp padaria estrel", []string{"33 prefix"}},
		{"campinas zelia anj", []string{"33 partner"}},
		{"jose sil", []string{"0-6 prefix", "12-14 partner"}},
		{"silva", []string{"0-9 prefix"}},
	} {
		hits, err := ix.Suggest(t.Context(), c.text, 10)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, span := range c.want {
			var from, to int
			var why string
			if n, _ := fmt.Sscanf(span, "%d-%d %s", &from, &to, &why); n < 3 {
				_, _ = fmt.Sscanf(span, "%d %s", &from, &why)
				to = from
			}
			for ; from <= to; from++ {
				want = append(want, fmt.Sprint(from, " ", why))
			}
		}
		if diff := gocmp.Diff(want, answered(docs, hits)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestTotalsAboveTheLimit(t *testing.T) {
	t.Parallel()
	docs := make([]build.Doc, MaxTotal+500)
	for i := range docs {
		docs[i] = build.Doc{CNPJ: cnpj.Join(cnpj.Root(36*i+1), 1), HeadOffice: true, RazaoSocial: fmt.Sprintf("COMERCIO %d LTDA", i), SituacaoCadastral: "02"}
		if i < MaxTotal {
			docs[i].NomeFantasia = "LOJA"
		}
	}
	ix := open(t, indextest.Build(t, docs, build.Options{ShardDocs: 3000, BucketBytes: 128 << 10}))
	cases := []struct {
		query Query
		hits  int
		total int
		floor bool
	}{
		{Query{Text: "comercio", Limit: 20}, 20, MaxTotal, true},
		{Query{Text: "comercio", Offset: MaxTotal + 490, Limit: 20}, 10, MaxTotal, true},
		{Query{Text: "comercio", Offset: MaxTotal + 500, Limit: 20}, 0, MaxTotal, true},
		{Query{Text: "comercio", Offset: 1 << 62, Limit: 1 << 62}, 0, MaxTotal, true},
		{Query{Text: "comercio", Offset: -5, Limit: -5}, 0, MaxTotal, true},
		{Query{Text: "loja", Limit: 1}, 1, MaxTotal, false},
		{Query{Text: "000", Limit: 20}, 20, MaxTotal, true},
		{Query{Text: "000", Offset: MaxTotal + 495, Limit: 20}, 5, MaxTotal, true},
	}
	for _, c := range cases {
		r, err := ix.Search(t.Context(), c.query)
		if err != nil || len(r.Hits) != c.hits || r.Total != c.total || r.TotalIsFloor != c.floor {
			t.Errorf("%+v: %d hits of %d (floor %v), %v; want %d of %d (%v)", c.query, len(r.Hits), r.Total, r.TotalIsFloor, err, c.hits, c.total, c.floor)
		}
	}
}

// longestQuery is the most bytes of a text that is read.
const longestQuery = 512

func TestGarbageFindsNothing(t *testing.T) {
	t.Parallel()
	ix := openTown(t)
	texts := map[string]string{
		"blanks": " \t\n ", "punctuation": "!?.,;:/\\-_()[]{}***", "controls": "\x00\x01\x02\x7f\x1b[0m",
		"not UTF-8": "\xff\xfe\xfd", "emoji": "🙂🏢👨‍👩‍👧", "accents alone": "\u0301\u0302", "one letter of no name": "w",
		"half a rune": "\xc3", "zero width": "\u200b\u200d\ufeff",
	}
	// The short texts are found; the long ones, with the same words, are beyond the limit.
	for short, long := range map[string]string{
		strings.Repeat("padaria ", longestQuery/8): strings.Repeat("padaria ", longestQuery/8+1),
		"padaria":                            "padaria" + strings.Repeat(" ", longestQuery),
		strings.Repeat(".", 32) + "11222333": strings.Repeat(".", 33) + "11222333",
	} {
		if r, err := ix.Search(t.Context(), Query{Text: short, Limit: 10}); err != nil || r.Total == 0 {
			t.Errorf("%q: %+v, %v", short, r, err)
		}
		texts[fmt.Sprintf("%d bytes of %.20q", len(long), long)] = long
	}
	for name, text := range texts {
		start := time.Now()
		r, err := ix.Search(t.Context(), Query{Text: text, Limit: 10})
		if err != nil || len(r.Hits) != 0 || r.Total != 0 || r.Hits == nil {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if hits, err := ix.Suggest(t.Context(), text, 10); err != nil || len(hits) != 0 {
			t.Errorf("%s: suggestions %v, %v", name, hits, err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}

func TestQueriesEndWithTheirContext(t *testing.T) {
	t.Parallel()
	ix := openTown(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ix.Search(ctx, Query{Text: "padaria", Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search: %v", err)
	}
	if _, err := ix.Suggest(ctx, "11222333", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Suggest: %v", err)
	}
	if _, err := ix.Facets(ctx, Query{Text: "padaria"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Facets: %v", err)
	}
	if err := ix.Warm(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Warm: %v", err)
	}
	if err := ix.Rehearse(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Rehearse: %v", err)
	}
}

// TestRehearsal expects a search of each scope and order and its completion, of an index that has none of the
// words, too.
func TestRehearsal(t *testing.T) {
	t.Parallel()
	ix := openTown(t)
	if err := ix.Rehearse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := ix.Stats().Entered, uint64(2*len(rehearsal)); got != want {
		t.Errorf("%d queries, want %d", got, want)
	}
}

// TestQueriesAtOnce runs the same queries from many goroutines; run it with -race.
func TestQueriesAtOnce(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(3000)
	ix := open(t, indextest.Build(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 1000}))
	var texts []string
	for i := range 40 {
		texts = append(texts, docs[i*70].RazaoSocial, docs[i*70].CNPJ.String()[:4], docs[i*70].RazaoSocial[11:15])
	}
	want := make([]Results, len(texts))
	for i, text := range texts {
		var err error
		if want[i], err = ix.Search(t.Context(), Query{Text: text, Limit: 10}); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for i, text := range texts {
				got, err := ix.Search(t.Context(), Query{Text: text, Limit: 10})
				if err != nil {
					t.Error(err)
				}
				if diff := gocmp.Diff(want[i], got); diff != "" {
					t.Errorf("%q: %s", text, diff)
				}
				if _, err := ix.Suggest(t.Context(), text, 10); err != nil {
					t.Error(err)
				}
				if _, err := ix.Facets(t.Context(), Query{Text: text}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// FuzzSearch asks anything, in any order: no error, no panic, no hit twice, no more than wanted.
func FuzzSearch(f *testing.F) {
	docs := town(f)
	ix := open(f, indextest.Build(f, docs, build.Options{BucketBytes: 1 << 10, ShardDocs: 4}))
	for _, seed := range []string{"padaria central", "112", "12ABC345", "11.222.333/0001-81", "***456789**", "S/A", "\xff", "a\u0301", `"pao quente" sp`, "padria", "j c s/a"} {
		f.Add(seed, 0, 3)
	}
	f.Fuzz(func(t *testing.T, text string, offset, limit int) {
		order := Order(uint(offset+limit) % 5)
		office := filter.Of(filter.HeadOffice, [...]string{"", "matriz", "filial"}[uint(limit)%3])
		r, err := ix.Search(t.Context(), Query{Text: text, Order: order, Filters: office, Offset: offset, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		hits, err := ix.Suggest(t.Context(), text, 5)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Hits) > max(limit, 0) || len(r.Hits) > r.Total || r.Total > len(docs) || len(hits) > 5 {
			t.Fatalf("%q from %d: %d hits of %d, limit %d; %d suggestions", text, offset, len(r.Hits), r.Total, limit, len(hits))
		}
		for _, list := range [][]Hit{r.Hits, hits} {
			seen := map[cnpj.Full]bool{}
			for _, hit := range list {
				if seen[hit.CNPJ] {
					t.Fatalf("%q finds %s twice", text, hit.CNPJ)
				}
				seen[hit.CNPJ] = true
			}
		}
	})
}

func TestEmptyIndex(t *testing.T) {
	t.Parallel()
	ix := open(t, indextest.Build(t, nil, build.Options{}))
	r, err := ix.Search(t.Context(), Query{Text: "padaria", Limit: 10})
	if err != nil || r.Total != 0 || r.Hits == nil {
		t.Errorf("Search: %+v, %v", r, err)
	}
	if hits, err := ix.Suggest(t.Context(), "11222333", 10); err != nil || len(hits) != 0 {
		t.Errorf("Suggest: %v, %v", hits, err)
	}
}
