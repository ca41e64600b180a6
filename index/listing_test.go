package index

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/flags"
	"razao/index/indextest"
	"razao/index/term"
	"razao/internal/cnpj"
	"razao/internal/record"
)

// hasActivity says whether a code belongs to a section, division, group, class or subclass.
func hasActivity(code, filter string) bool {
	if len(filter) == 1 {
		return term.Section(code) == filter
	}
	return strings.HasPrefix(code, filter)
}

// narrowed returns the conditions of an address.
func narrowed(address string) filter.Set {
	var s filter.Set
	for part := range strings.SplitSeq(address, "&") {
		name, value, _ := strings.Cut(part, "=")
		s = s.Add(name, value)
	}
	return s
}

// passes says whether a document passes filters, by looking at its fields.
func passes(s filter.Set, d *build.Doc) bool { return passer(s)(d) }

// passer is passes for many documents.
func passer(s filter.Set) func(*build.Doc) bool {
	parameters := s.Parameters()
	return func(d *build.Doc) bool {
		for name, values := range parameters {
			wanted, is, all := false, false, name == filter.SourceAll
			for _, value := range values {
				plain, excluded := strings.CutPrefix(value, "-")
				switch meets := meets(d, name, plain); {
				case excluded && meets:
					return false
				case all && !meets:
					return false
				case !excluded:
					wanted, is = true, is || meets
				}
			}
			if wanted && !is {
				return false
			}
		}
		return true
	}
}

// meets says whether a document has a value of a filter.
func meets(d *build.Doc, name, value string) bool {
	yes := func(is bool) string { return [...]string{"nao", "sim"}[bit(is)] }
	switch name {
	case filter.UF:
		return value == d.UF
	case filter.Municipio:
		return value == d.Municipio
	case filter.Situacao:
		return value == d.SituacaoCadastral
	case filter.Porte:
		return value == cmp.Or(d.PorteEmpresa, "00")
	case filter.Natureza:
		return value == d.NaturezaJuridica
	case filter.CNAE:
		return hasActivity(d.CNAE, value)
	case filter.CNAEAny:
		return slices.ContainsFunc(append(strings.Split(d.CNAEsSecundarios, ","), d.CNAE), func(code string) bool { return hasActivity(code, value) })
	case filter.MEI:
		return value == yes(d.MEI)
	case filter.Simples:
		return value == yes(d.Simples)
	case filter.HeadOffice:
		return d.HeadOffice == (value == "matriz")
	case filter.YearFrom:
		return strconv.Itoa(d.Opening/10_000) >= value
	case filter.YearTo:
		return d.Opening > 0 && strconv.Itoa(d.Opening/10_000) <= value
	case filter.OpenedFrom, filter.OpenedTo:
		return between(d.Opening, d.Opening > 0, name, value)
	case filter.SinceFrom, filter.SinceTo:
		return between(d.SituacaoDay, d.SituacaoDay > 0, name, value)
	case filter.SimplesFrom, filter.SimplesTo:
		return between(d.SimplesDay, d.SimplesDay > 0, name, value)
	case filter.MEIFrom, filter.MEITo:
		return between(d.MEIDay, d.MEIDay > 0, name, value)
	case filter.EstablishmentsFrom, filter.EstablishmentsTo:
		return between(d.Branches, true, name, value)
	case filter.PartnersFrom, filter.PartnersTo:
		return between(d.PartnerCount, true, name, value)
	case filter.CapitalFrom, filter.CapitalTo:
		return between(int(d.Capital), d.Capital >= 0, name, value)
	case filter.Capital:
		return d.Capital >= 0 && filter.CapitalBands()[term.CapitalBand(d.Capital)] == value
	case filter.Regiao:
		return strings.Contains(map[string]string{
			"sul": "PR SC RS", "sudeste": "SP RJ MG ES", "norte": "AC AM AP PA RO RR TO", "nordeste": "AL BA CE MA PB PE PI RN SE",
			"centro-oeste": "DF GO MT MS",
		}[value], d.UF)
	case filter.Bairro:
		return d.Bairro != "" && strings.Join(wordsOf(d.Bairro), " ") == strings.Join(wordsOf(value), " ")
	case filter.CEP:
		return strings.HasPrefix(d.CEP, value)
	case filter.DDD:
		return slices.Contains(d.DDDs[:], value)
	case filter.Pais:
		return d.Pais == value
	case filter.Motivo:
		return d.Motivo == value
	case filter.Telephone:
		return value == yes(d.Telephone)
	case filter.Email:
		return value == yes(d.Email != "")
	case filter.Domain:
		return strings.HasSuffix(strings.ToLower(d.Email), "@"+value)
	case filter.PartnerKind:
		kind := map[string]string{"empresa": "1", "pessoa": "2", "estrangeiro": "3"}[value]
		return slices.ContainsFunc(d.Partners, func(p build.Partner) bool { return p.Kind == kind })
	case filter.PartnerRole:
		return slices.ContainsFunc(d.Partners, func(p build.Partner) bool { return p.Role == value })
	case filter.PartnerAge:
		return slices.ContainsFunc(d.Partners, func(p build.Partner) bool { return p.Age == value })
	case filter.DebtFrom, filter.DebtTo:
		return between(totalIn(d, "pgfn"), totalIn(d, "pgfn") > 0, name, value)
	case filter.ContractsFrom, filter.ContractsTo:
		return between(totalIn(d, "pncp"), totalIn(d, "pncp") > 0, name, value)
	case filter.LoansFrom, filter.LoansTo:
		return between(totalIn(d, "bndes"), totalIn(d, "bndes") > 0, name, value)
	case filter.ContractsYear:
		return saidIn(d, "pncp", flags.Year, value)
	case filter.LoansYear:
		return saidIn(d, "bndes", flags.Year, value)
	case filter.Sanction:
		today := strconv.Itoa(int(record.Today()))
		return value == yes(saidIn(d, "ceis", flags.InForce, today) || saidIn(d, "cnep", flags.InForce, today))
	case filter.SourceAll:
		return indextest.SourcesOf(d)>>slices.Index(term.Sources(), value)&1 == 1
	case filter.Source:
		return indextest.SourcesOf(d)>>slices.Index(term.Sources(), value)&1 == 1
	case filter.PartnerDigits:
		return hasPartner(d, "***"+value+"**")
	case filter.PartnerRoot:
		return hasPartner(d, value)
	}
	panic("no filter is named " + name)
}

// known returns what a source knows of a document, nothing when it has no records of it.
func known(d *build.Doc, source string) []flags.Value {
	if indextest.SourcesOf(d)>>slices.Index(term.Sources(), source)&1 == 0 {
		return nil
	}
	return indextest.ValuesOf(d, source)
}

// totalIn returns the cents that a source has of a document, 0 for none.
func totalIn(d *build.Doc, source string) (cents int) {
	for _, v := range known(d, source) {
		if v.Measure == flags.Total {
			cents += int(v.From)
		}
	}
	return cents
}

func saidIn(d *build.Doc, source string, m flags.Measure, number string) bool {
	n, err := strconv.ParseInt(number, 10, 64)
	return err == nil && slices.ContainsFunc(known(d, source), func(v flags.Value) bool { return v.Measure == m && v.From <= n && n <= v.To })
}

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// between compares what a document has with the end of a range, whose digits are a day AAAAMMDD, cents or a count.
func between(has int, known bool, name, value string) bool {
	if criterionOfReais[name] && !strings.Contains(value, ".") {
		value += ".00"
	}
	bound, err := strconv.Atoi(punctuation.Replace(value))
	if err != nil || !known {
		return false
	}
	if strings.HasSuffix(name, "_de") {
		return has >= bound
	}
	return has <= bound
}

var criterionOfReais = map[string]bool{
	filter.CapitalFrom: true, filter.CapitalTo: true, filter.DebtFrom: true, filter.DebtTo: true, filter.ContractsFrom: true, filter.ContractsTo: true,
	filter.LoansFrom: true, filter.LoansTo: true,
}

var punctuation = strings.NewReplacer("-", "", ".", "")

// hasPartner says whether the document of a partner begins with a text.
func hasPartner(d *build.Doc, begin string) bool {
	return slices.ContainsFunc(d.Partners, func(p build.Partner) bool { return strings.HasPrefix(p.Document, begin) })
}

// trust is 0 for a capital that a company can have, 1 for one that none has, 2 for none.
func trust(d *build.Doc) int {
	switch {
	case d.Capital < 0:
		return 2
	case record.ImplausibleCapital(record.Cents(d.Capital)):
		return 1
	}
	return 0
}

// inOrder sorts documents, given in rank order.
func inOrder(docs []*build.Doc, o Order) []*build.Doc {
	day := func(d *build.Doc, unknown int) int { return cmp.Or(d.Opening, unknown) }
	names := map[*build.Doc]string{}
	if o == ByName {
		for _, d := range docs {
			names[d] = strings.Join(wordsOf(d.RazaoSocial), " ")
		}
	}
	compare := func(a, b *build.Doc) int {
		switch o {
		case ByCapital:
			return cmp.Or(cmp.Compare(trust(a), trust(b)), cmp.Compare(b.Capital, a.Capital))
		case ByName:
			return strings.Compare(names[a], names[b])
		case ByNewest:
			return cmp.Compare(day(b, -1), day(a, -1))
		case ByOldest:
			return cmp.Compare(day(a, 1<<60), day(b, 1<<60))
		}
		return 0
	}
	out := slices.Clone(docs)
	slices.SortStableFunc(out, compare)
	if o == ByOldest { // of one day the less important first; those without a day stay by rank
		for i, j := 0, 0; i < len(out); i = j {
			for j = i; j < len(out) && out[j].Opening == out[i].Opening; j++ {
			}
			if out[i].Opening > 0 {
				slices.Reverse(out[i:j])
			}
		}
	}
	return out
}

// randomFilters are filters that mostly leave d: of each that takes codes one value or several, or others that are excluded.
func randomFilters(rng *rand.Rand, d, other *build.Doc) filter.Set {
	var s filter.Set
	one := func(oneIn int, name, value string) {
		if rng.IntN(oneIn) == 0 && value != "" {
			s = s.Add(name, value)
		}
	}
	codes := func(oneIn int, name string, value func(d *build.Doc) string) {
		if rng.IntN(oneIn) > 0 || value(d) == "" {
			return
		}
		different := value(other)
		switch rng.IntN(5) {
		case 0: // one of two, and what is not there
			s = s.Add(name, value(d)).Add(name, different)
		case 1:
			if different != "" {
				s = s.Add(name, "-"+different)
			}
		case 2:
			if different != "" {
				s = s.Add(name, value(d)).Add(name, "-"+different)
			}
		default:
			s = s.Add(name, value(d))
		}
	}
	level := indextest.Pick(rng, 2, 3, 5, 7)
	codes(3, filter.UF, func(d *build.Doc) string { return d.UF })
	codes(6, filter.Municipio, func(d *build.Doc) string { return d.Municipio })
	codes(2, filter.Situacao, func(d *build.Doc) string { return d.SituacaoCadastral })
	codes(4, filter.Porte, func(d *build.Doc) string { return d.PorteEmpresa })
	codes(5, filter.Natureza, func(d *build.Doc) string { return d.NaturezaJuridica })
	codes(4, filter.CNAE, func(d *build.Doc) string { return d.CNAE[:level] })
	codes(6, filter.CNAE, func(d *build.Doc) string { return term.Section(d.CNAE) })
	codes(4, filter.CNAEAny, func(d *build.Doc) string { return d.CNAE[:level] })
	codes(8, filter.CNAEAny, func(d *build.Doc) string { return term.Section(d.CNAE) })
	one(5, filter.MEI, indextest.Pick(rng, "sim", "nao", "-sim"))
	one(5, filter.Simples, indextest.Pick(rng, "sim", "nao", "-nao"))
	one(4, filter.HeadOffice, indextest.Pick(rng, "matriz", "filial", "-filial"))
	first := 1970 + rng.IntN(30)
	one(4, filter.YearFrom, fmt.Sprint(first))
	one(4, filter.YearTo, fmt.Sprint(first+rng.IntN(40)))
	codes(5, filter.Capital, func(*build.Doc) string { return indextest.Pick(rng, filter.CapitalBands()...) })
	codes(6, filter.Source, func(*build.Doc) string { return term.Sources()[rng.IntN(4)] })
	if rng.IntN(2) == 0 { // few documents pass filters of every kind
		s = filter.Set{}
	}
	if rng.IntN(2) == 0 {
		return s
	}
	s = randomRanges(rng, s, d)
	one(9, filter.Regiao, indextest.Pick(rng, "sul", "-sudeste", "nordeste", "norte"))
	codes(9, filter.Bairro, func(d *build.Doc) string { return strings.ToLower(d.Bairro) })
	codes(9, filter.CEP, func(d *build.Doc) string { return d.CEP[:min(len(d.CEP), []int{3, 4, 5, 6, 8}[level%5])] })
	codes(9, filter.DDD, func(d *build.Doc) string { return d.DDDs[level%2] })
	codes(9, filter.Pais, func(d *build.Doc) string { return d.Pais })
	codes(9, filter.Motivo, func(d *build.Doc) string { return d.Motivo })
	one(9, filter.Telephone, indextest.Pick(rng, "sim", "nao"))
	one(9, filter.Email, indextest.Pick(rng, "sim", "nao", "-sim"))
	codes(9, filter.Domain, func(d *build.Doc) string { return strings.ToLower(d.Email[strings.LastIndex(d.Email, "@")+1:]) })
	one(9, filter.Sanction, indextest.Pick(rng, "sim", "nao", "nao", "-sim"))
	one(19, filter.ContractsYear, indextest.Pick(rng, "2024", "-2024", "2019"))
	one(19, filter.LoansYear, indextest.Pick(rng, "2024", "-2024", "2019"))
	one(9, filter.SourceAll, term.Sources()[rng.IntN(4)])
	one(19, filter.SourceAll, term.Sources()[rng.IntN(4)])
	if len(d.Partners) == 0 {
		return s
	}
	codes(9, filter.PartnerRole, func(*build.Doc) string { return d.Partners[0].Role })
	codes(9, filter.PartnerAge, func(*build.Doc) string { return d.Partners[0].Age })
	one(9, filter.PartnerKind, indextest.Pick(rng, "pessoa", "-pessoa", "empresa", "estrangeiro"))
	switch document := d.Partners[0].Document; {
	case strings.HasPrefix(document, "***"):
		one(6, filter.PartnerDigits, document[3:9])
	default:
		one(2, filter.PartnerRoot, document[:8])
	}
	return s
}

// randomRanges adds ranges about what a document has: mostly it is in them, now and then at their end.
func randomRanges(rng *rand.Rand, s filter.Set, d *build.Doc) filter.Set {
	add := func(lower string, has, spread int, write func(int) string) {
		from, to := has-rng.IntN(spread), has+rng.IntN(spread)
		_, upper, _ := filter.Bounds(lower)
		if side := rng.IntN(24); side < 4 {
			if side != 1 && from >= 0 {
				s = s.Add(lower, write(from))
			}
			if side != 2 && to >= 0 {
				s = s.Add(upper, write(to))
			}
		}
	}
	date := func(number int) string {
		number = min(max(number, 18_000_101), 20_540_101)
		return fmt.Sprintf("%04d-%02d-%02d", number/10_000, min(max(number/100%100, 1), 12), min(max(number%100, 1), 28))
	}
	amount := func(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
	add(filter.OpenedFrom, d.Opening, 200_000, date)
	add(filter.SinceFrom, d.SituacaoDay, 100_000, date)
	add(filter.SimplesFrom, d.SimplesDay, 80_000, date)
	add(filter.MEIFrom, d.MEIDay, 80_000, date)
	add(filter.CapitalFrom, int(d.Capital), 2+int(max(d.Capital, 0)), amount)
	for _, sought := range [...][2]string{{filter.DebtFrom, "pgfn"}, {filter.ContractsFrom, "pncp"}, {filter.LoansFrom, "bndes"}} {
		if total := totalIn(d, sought[1]); total > 0 || rng.IntN(20) == 0 {
			add(sought[0], total, 2+2*total, amount)
		}
	}
	add(filter.EstablishmentsFrom, d.Branches, 3, strconv.Itoa)
	add(filter.PartnersFrom, d.PartnerCount, 3, strconv.Itoa)
	return s
}

// TestListingsEqualTheOracle reads listings page by page, in every order, and compares them with a scan of the documents.
func TestListingsEqualTheOracle(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(6000)
	ix := openFlagged(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 500, Workers: 2})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	rng := rand.New(rand.NewPCG(4, 4))
	for round := range 150 {
		q := Query{Order: Order(round % 5)}
		if round > 10 {
			q.Filters = randomFilters(rng, &docs[rng.IntN(len(docs))], &docs[rng.IntN(len(docs))])
		}
		var left []*build.Doc
		for i := range docs {
			if passes(q.Filters, &docs[i]) {
				left = append(left, &docs[i])
			}
		}
		want := []cnpj.Full{}
		for _, d := range inOrder(left, q.Order) {
			want = append(want, d.CNPJ)
		}
		got := []cnpj.Full{}
		q.Limit = 1 + rng.IntN(40) + len(want)/10
		for len(got) <= len(want) { // one page too many is a difference, and the end
			q.Offset = len(got)
			r, err := ix.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if r.Total != len(want) {
				t.Errorf("%+v: total %d, want %d", q, r.Total, len(want))
			}
			if len(r.Hits) == 0 {
				break
			}
			for _, hit := range r.Hits {
				got = append(got, hit.CNPJ)
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: %.800s", q, diff)
		}
		exported := []cnpj.Full{}
		err := ix.Each(t.Context(), q, 700, func(n cnpj.Full) error {
			exported = append(exported, n)
			return nil
		})
		if diff := gocmp.Diff(want[:min(len(want), 700)], exported); err != nil || diff != "" {
			t.Errorf("export of %+v: %v %.800s", q, err, diff)
		}
	}
}

// TestDeepPagesEqualTheOracle reads pages far behind in listings of many documents, in shards that do not begin at
// whole bytes of a map of documents.
func TestDeepPagesEqualTheOracle(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(21_000)
	ix := openFlagged(t, docs, build.Options{ShardDocs: 9_999})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	for _, address := range []string{"", "simples=sim", "tipo=matriz", "situacao=08", "ano_de=1980", "uf=SP&mei=nao"} {
		f := narrowed(address)
		var left []*build.Doc
		for i := range docs {
			if passes(f, &docs[i]) {
				left = append(left, &docs[i])
			}
		}
		for _, o := range []Order{ByCapital, ByName, ByNewest, ByOldest} {
			ordered := inOrder(slices.Clone(left), o)
			for _, offset := range []int{0, 100, 3000, 8000, len(left) - 7} {
				got, err := ix.Search(t.Context(), Query{Filters: f, Order: o, Offset: offset, Limit: 10})
				want := []Hit{}
				for _, d := range ordered[min(offset, len(left)):min(offset+10, len(left))] {
					want = append(want, Hit{d.CNPJ, WhyListed})
				}
				if diff := gocmp.Diff(want, got.Hits); err != nil || diff != "" {
					t.Errorf("%+v in order %d from %d of %d: %v %.300s", f, o, offset, len(left), err, diff)
				}
			}
		}
	}
}

func TestEachReturnsTheErrorOfItsVisitor(t *testing.T) {
	t.Parallel()
	ix := openTown(t)
	stop := errors.New("enough")
	visits := 0
	err := ix.Each(t.Context(), Query{}, 10, func(cnpj.Full) error {
		visits++
		return stop
	})
	if !errors.Is(err, stop) || visits != 1 {
		t.Errorf("Each: %v after %d visits", err, visits)
	}
}

// TestTextsInOtherOrders compares a text's hits by rank with the same hits in an order of their own.
func TestTextsInOtherOrders(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(3000)
	ix := openFlagged(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 500})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	byNumber := map[cnpj.Full]*build.Doc{}
	for i := range docs {
		byNumber[docs[i].CNPJ] = &docs[i]
	}
	for _, text := range []string{"comercio", "servicos ltda", "001", strings.Fields(docs[5].RazaoSocial)[0]} {
		ranked, err := ix.Search(t.Context(), Query{Text: text, Limit: MaxTotal})
		if err != nil || ranked.Total == 0 {
			t.Fatalf("%q: %d hits, %v", text, ranked.Total, err)
		}
		why := map[cnpj.Full]Why{}
		var found []*build.Doc
		for _, hit := range ranked.Hits {
			why[hit.CNPJ] = hit.Why
			found = append(found, byNumber[hit.CNPJ])
		}
		slices.SortFunc(found, indextest.CompareRank)
		for _, o := range []Order{ByCapital, ByName, ByNewest, ByOldest} {
			want := []Hit{}
			for _, d := range inOrder(found, o) {
				want = append(want, Hit{d.CNPJ, why[d.CNPJ]})
			}
			got, err := ix.Search(t.Context(), Query{Text: text, Order: o, Limit: MaxTotal})
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(want, got.Hits); diff != "" || got.Total != ranked.Total {
				t.Errorf("%q in order %d: total %d, %.800s", text, o, got.Total, diff)
			}
		}
	}
}

func TestFiltersAreValidated(t *testing.T) {
	t.Parallel()
	good := []filter.Set{
		{},
		narrowed("uf=SP&municipio=7107&situacao=08&porte=00&natureza=2062&cnae=G&cnae_todos=4721102&mei=sim&simples=nao&tipo=matriz&ano_de=1990&ano_ate=1990&capital=100m&fonte=pncp_orgao"),
		narrowed("uf=EX&cnae=47&cnae_todos=472"),
	}
	for _, f := range good {
		if err := f.Validate(); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
	bad := map[string]filter.Set{
		"uf": narrowed("uf=XX"), "municipio": narrowed("municipio=71O7"), "situacao": narrowed("situacao=05"), "porte": narrowed("porte=02"), "natureza": narrowed("natureza=20627"),
		"cnae": narrowed("cnae=4721"), "cnae_todos": narrowed("cnae_todos=W"), "mei": narrowed("mei=talvez"), "simples": narrowed("simples=s"), "tipo": narrowed("tipo=sede"),
		"ano_de": narrowed("ano_de=90"), "ano_ate": narrowed("ano_de=2001&ano_ate=2000"), "capital": narrowed("capital=1-10"), "fonte": narrowed("fonte=receita"),
		"socio_digitos": narrowed("socio_digitos=12345"), "socio_raiz": narrowed("socio_raiz=1122233"),
	}
	ix := openTown(t)
	for field, f := range bad {
		var invalid *filter.Error
		if _, err := ix.Search(t.Context(), Query{Filters: f}); !errors.As(err, &invalid) || invalid.Field != field {
			t.Errorf("Search with bad %s: %v", field, err)
		}
		if _, err := ix.Facets(t.Context(), Query{Filters: f}); !errors.As(err, &invalid) {
			t.Errorf("Facets with bad %s: %v", field, err)
		}
	}
}

func TestCapitalBand(t *testing.T) {
	t.Parallel()
	cases := map[int64]string{
		0: "0", 99: "0", 100: "1-10k", 999_999: "1-10k", 1_000_000: "10k-100k", 9_999_999: "10k-100k", 10_000_000: "100k-1m",
		100_000_000: "1m-10m", 1_000_000_000: "10m-100m", 9_999_999_999: "10m-100m", 10_000_000_000: "100m", 1<<63 - 1: "100m",
	}
	for cents, want := range cases {
		if got := filter.CapitalBands()[term.CapitalBand(cents)]; got != want {
			t.Errorf("band of %d cents: %s, want %s", cents, got, want)
		}
	}
}

// TestRankings compares the figures of all places with sums over the documents, past what 64 bits hold.
func TestRankings(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(5000)
	for i := range docs {
		switch i % 6 {
		case 0:
			docs[i].Capital = 1<<62 + int64(i)
		case 3:
			docs[i].Capital = 400_000_000_000_00 + int64(i)
		}
	}
	ix := openFlagged(t, docs, build.Options{BucketBytes: 64 << 10})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	type figures struct {
		openings            map[string]int64
		active, implausible int64
		capital, published  *big.Int
		top                 []cnpj.Full
	}
	want := map[string]*figures{}
	for i := range docs {
		d := &docs[i]
		for _, place := range []string{"", d.UF, d.Municipio} {
			f := want[place]
			if f == nil {
				f = &figures{openings: map[string]int64{}, capital: new(big.Int), published: new(big.Int)}
				want[place] = f
			}
			f.openings[fmt.Sprint(d.SituacaoCadastral, d.Opening/10_000)]++
			if d.HeadOffice && d.SituacaoCadastral == term.SituacaoAtiva {
				f.active++
				amount := big.NewInt(max(d.Capital, 0))
				f.published.Add(f.published, amount)
				if trust(d) == 1 {
					f.implausible++
				} else {
					f.capital.Add(f.capital, amount)
				}
				if len(f.top) < 3 {
					f.top = append(f.top, d.CNPJ)
				}
			}
		}
	}
	r := ix.Rankings()
	for place, w := range want {
		got, ok, uf, municipio := r.Country(), true, "", ""
		switch len(place) {
		case 2:
			uf = place
			got, ok = r.UF(place)
		case 4:
			municipio = place
			got, ok = r.Municipality(place)
		}
		openings := map[string]int64{}
		for _, o := range got.Openings {
			openings[fmt.Sprint(o.Situacao, o.Year)] += o.Count
		}
		if diff := gocmp.Diff(w.openings, openings); diff != "" || !ok {
			t.Errorf("openings of %q: %.300s", place, diff)
		}
		if got.ImplausibleCompanies != w.implausible || got.PublishedCapital.Cmp(w.published) != 0 {
			t.Errorf("%q: %s with %d implausible ones, want %s with %d", place, got.PublishedCapital, got.ImplausibleCompanies, w.published, w.implausible)
		}
		if got.ActiveCompanies != w.active || got.Capital.Cmp(w.capital) != 0 {
			t.Errorf("%q: %d companies with %s, want %d with %s", place, got.ActiveCompanies, got.Capital, w.active, w.capital)
		}
		top, err := ix.Top(t.Context(), uf, municipio, 3)
		if err != nil || !slices.Equal(top, w.top) {
			t.Errorf("top of %q: %v, %v; want %v", place, top, err, w.top)
		}
	}
	if _, ok := r.UF("XX"); ok {
		t.Error("there are figures of XX")
	}
}
