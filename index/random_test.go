package index

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/source"
)

// TestTenThousandCombinations compares a page, its order, the total and now and then the facets of random combinations of filters
// with a scan of the documents.
func TestTenThousandCombinations(t *testing.T) {
	notShort(t)
	t.Parallel()
	docs := indextest.Varied(1200)
	ix := openFlagged(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 250, Workers: 2})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	rng := rand.New(rand.NewPCG(19, 6))
	seen, some, several := map[filter.Set]bool{}, 0, 0
	for round := 0; len(seen) < 10_000; round++ {
		q := Query{
			Filters: randomFilters(rng, &docs[rng.IntN(len(docs))], &docs[rng.IntN(len(docs))]), Order: Order(rng.IntN(5)), Limit: 1 + rng.IntN(30),
		}
		if seen[q.Filters] {
			continue
		}
		seen[q.Filters] = true
		left := passing(docs, q.Filters)
		if len(left) > 0 {
			some++
		}
		if strings.Contains(q.Filters.String(), "=-") {
			several++
		}
		q.Offset = rng.IntN(len(left) + 1)
		want := []cnpj.Full{}
		for _, d := range inOrder(left, q.Order)[q.Offset:min(len(left), q.Offset+q.Limit)] {
			want = append(want, d.CNPJ)
		}
		r, err := ix.Search(t.Context(), q)
		got := []cnpj.Full{}
		for _, hit := range r.Hits {
			got = append(got, hit.CNPJ)
		}
		if err != nil || r.Total != len(left) || r.TotalIsFloor || !slices.Equal(want, got) {
			t.Fatalf("%v, order %d, from %d: %v, total %d, want %d; %v, want %v", q.Filters, q.Order, q.Offset, err, r.Total, len(left), got, want)
		}
		if round%20 > 0 {
			continue
		}
		facets, err := ix.Facets(t.Context(), q)
		if diff := gocmp.Diff(facetsOf(docs, &q), facets); err != nil || diff != "" {
			t.Fatalf("facets of %v: %v %.800s", q.Filters, err, diff)
		}
	}
	if some < 5000 || several < 2000 {
		t.Errorf("%d combinations find something and %d exclude, want 5000 and 2000: a new one of randomFilters leaves too little, make it rarer", some, several)
	}
}

// TestFourHundredCombinations reads random combinations of filters from an address, as people write them, and compares the
// results with a scan of the documents: establishments, establishments by the records of their companies, and companies.
func TestFourHundredCombinations(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(3000)
	rng := rand.New(rand.NewPCG(56, 400))
	indextest.Regroup(docs, rng)
	moveHeadOffices(docs, rng)
	ix := openFlagged(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 700, Workers: 2})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	reader, err := filter.NewReader()
	if err != nil {
		t.Fatal(err)
	}
	activities := []string{filter.CNAE, filter.CNAESecondary, filter.CNAEAny}
	whole, some, different := ofCompanies(docs), 0, 0
	for round := range 400 {
		d, other := &docs[rng.IntN(len(docs))], &docs[rng.IntN(len(docs))]
		asked := randomFilters(rng, d, other).Without(filter.PartnerDigits, filter.PartnerRoot)
		if round%2 == 0 {
			asked = filter.Set{}
		}
		asked = randomRecords(rng, randomChoices(rng, asked), d, whole)
		_, read, err := reader.Read(filter.AnyLoad{}, writtenIn(rng, asked.Without(activities...)))
		if err != nil {
			t.Fatalf("%v: %v", asked, err)
		}
		for _, name := range activities { // invented ones have codes that the CNAE lacks
			for _, code := range asked.Values(name) {
				read = read.Add(name, code)
			}
		}
		var totals [2]int
		for _, q := range []Query{{}, {CompanyRecords: true}, {ByCompany: true}} {
			of := knowledge(known)
			if q.asksOfCompanies() {
				of = whole
			}
			passes := passerOf(asked, of)
			var found []*build.Doc
			for i := range docs {
				if passes(&docs[i]) {
					found = append(found, &docs[i])
				}
			}
			totals[bit(q.asksOfCompanies())] = len(found)
			results := found
			if q.ByCompany {
				results = firstOfEach(found)
			}
			q.Filters, q.Order, q.Limit, q.Offset = read, Order(rng.IntN(5)), 1+rng.IntN(30), rng.IntN(len(results)+1)
			if r := checkPage(t, ix, q, inOrder(results, q.Order)); r.Establishments != len(found) {
				t.Fatalf("%+v: %d establishments, want %d", q, r.Establishments, len(found))
			}
			if round%20 > 0 {
				continue
			}
			facets, err := ix.Facets(t.Context(), q)
			if diff := gocmp.Diff(facetsOf(docs, &q), facets); err != nil || diff != "" {
				t.Fatalf("facets of %+v: %v %.800s", q, err, diff)
			}
		}
		some += bit(totals[1] > 0)
		different += bit(totals[0] != totals[1])
	}
	if some < 200 || different < 60 {
		t.Errorf("%d combinations find something, of %d companies have more or less than their establishments; want 200 and 60", some, different)
	}
}

// randomChoices adds values of filters with two options, included and excluded, which may contradict each other.
func randomChoices(rng *rand.Rand, s filter.Set) filter.Set {
	if rng.IntN(3) > 0 {
		return s
	}
	name := indextest.Pick(rng, filter.MEI, filter.Simples, filter.HeadOffice, filter.Telephone, filter.Email, filter.Sanction)
	for _, o := range filter.Named(name).Options {
		for _, value := range []string{o.Value, "-" + o.Value} {
			if rng.IntN(3) == 0 {
				s = s.Add(name, value)
			}
		}
	}
	return s
}

// randomRecords adds a condition on the records of sources that the company of d has, at the end of what these add up to.
func randomRecords(rng *rand.Rand, s filter.Set, d *build.Doc, whole knowledge) filter.Set {
	for id, names := range map[string][2]string{
		"pgfn": {filter.DebtFrom, filter.DebtTo}, "pncp": {filter.ContractsFrom, filter.ContractsTo}, "bndes": {filter.LoansFrom, filter.LoansTo},
	} {
		if cents := whole.total(d, id); cents > 0 {
			cents += rng.IntN(3) - 1
			s = s.Without(names[:]...).Add(names[rng.IntN(2)], fmt.Sprintf("%d.%02d", cents/100, cents%100))
		}
	}
	if rng.IntN(4) == 0 {
		s = s.Add(filter.Source, indextest.Pick(rng, "-pgfn", "-pncp", "pgfn", "ceis"))
	}
	if rng.IntN(4) == 0 {
		s = s.Add(filter.ContractsYear, indextest.Pick(rng, "-2024", "2024", "2019", "-2020"))
	}
	return s
}

// writtenIn are filters as parameters in which amounts are written in one of several ways.
func writtenIn(rng *rand.Rand, s filter.Set) url.Values {
	values := s.Parameters()
	for name, given := range values {
		if !inReais[name] {
			continue
		}
		reais, cents, _ := strings.Cut(given[0], ".")
		n, err := strconv.ParseInt(reais, 10, 64)
		if err != nil {
			panic(err)
		}
		given[0] = indextest.Pick(rng, given[0], reais+","+cmp.Or(cents, "00"), "R$ "+ptbr.Count(n)+","+cmp.Or(cents, "00"), ptbr.Count(n)+","+cmp.Or(cents, "0")+" reais")
	}
	return values
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
	codes(6, filter.CNAESecondary, func(d *build.Doc) string { return d.CNAEsSecundarios[:min(level, len(d.CNAEsSecundarios))] })
	codes(8, filter.CNAEAny, func(d *build.Doc) string { return term.Section(d.CNAE) })
	one(5, filter.MEI, indextest.Pick(rng, "sim", "nao", "-sim"))
	one(5, filter.Simples, indextest.Pick(rng, "sim", "nao", "-nao"))
	one(4, filter.HeadOffice, indextest.Pick(rng, "matriz", "filial", "-filial"))
	first := 1970 + rng.IntN(30)
	one(4, filter.YearFrom, fmt.Sprint(first))
	one(4, filter.YearTo, fmt.Sprint(first+rng.IntN(40)))
	codes(5, filter.Capital, func(*build.Doc) string { return indextest.Pick(rng, filter.CapitalBands()...) })
	codes(6, filter.Source, func(*build.Doc) string { return source.IDs()[rng.IntN(4)] })
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
	codes(9, filter.Phone, func(d *build.Doc) string {
		if d.Telephones[level%2] == "" {
			return ""
		}
		return d.DDDs[level%2] + d.Telephones[level%2]
	})
	codes(9, filter.Address, func(d *build.Doc) string { return strings.ToLower(d.Email) })
	codes(9, filter.Street, func(d *build.Doc) string { return strings.ToLower(d.Street) })
	codes(9, filter.House, func(d *build.Doc) string { return houseForm.FindString(d.HouseNumber) })
	one(9, filter.Telephone, indextest.Pick(rng, "sim", "nao"))
	one(9, filter.Email, indextest.Pick(rng, "sim", "nao", "-sim"))
	codes(9, filter.Domain, func(d *build.Doc) string { return strings.ToLower(d.Email[strings.LastIndex(d.Email, "@")+1:]) })
	one(9, filter.Sanction, indextest.Pick(rng, "sim", "nao", "nao", "-sim"))
	one(19, filter.ContractsYear, indextest.Pick(rng, "2024", "-2024", "2019"))
	one(19, filter.LoansYear, indextest.Pick(rng, "2024", "-2024", "2019"))
	one(9, filter.SourceAll, source.IDs()[rng.IntN(4)])
	one(19, filter.SourceAll, source.IDs()[rng.IntN(4)])
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
	for _, wanted := range [...][2]string{{filter.DebtFrom, "pgfn"}, {filter.ContractsFrom, "pncp"}, {filter.LoansFrom, "bndes"}} {
		if total := knowledge(known).total(d, wanted[1]); total > 0 || rng.IntN(20) == 0 {
			add(wanted[0], total, 2+2*total, amount)
		}
	}
	add(filter.EstablishmentsFrom, d.Branches, 3, strconv.Itoa)
	add(filter.PartnersFrom, d.PartnerCount, 3, strconv.Itoa)
	return s
}
