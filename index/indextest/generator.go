// Package indextest makes indexes of an invented registry for tests and benchmarks.
//
// Generator draws words from Zipf distributions and sizes, situations and branches in the
// proportions of the real registry, so postings lists have realistic lengths. Everything derives
// from a seed: the same seed gives the same documents. Details that do not decide how a name is
// found (contacts, dates, roles) derive from the CNPJ instead, so they do not disturb the sequence
// of names.
//
// Synthetic and Varied return documents, Build indexes them, Flag adds what the public-record
// sources know. CompareRank, SourcesOf and ValuesOf tell a test what the index must contain.
package indextest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"razao/index/build"
	"razao/index/term"
	"razao/internal/data/cnpj"
)

// Generator yields the establishments of an invented registry, company by company, the head office
// first. Not safe for concurrent use.
type Generator struct {
	rng           *rand.Rand
	first, last   []string
	trade         []string
	zFirst, zLast *rand.Zipf
	zTrade, zCity *rand.Zipf
	activities    []string
	zActivity     *rand.Zipf
	root          int64
	company       build.Doc        // current company's head office
	partners      [3]build.Partner // reused from company to company
	branchesLeft  int
	branchOrder   int
}

// NewGenerator returns a generator whose documents depend on the seed alone.
func NewGenerator(seed uint64) *Generator {
	g := &Generator{rng: rand.New(rand.NewPCG(seed, 7)), root: 100_000}
	g.first = g.vocabulary(4_000, 2, 4)
	g.last = g.vocabulary(30_000, 2, 4)
	g.trade = g.vocabulary(60_000, 2, 4)
	g.zFirst = rand.NewZipf(g.rng, 1.25, 8, uint64(len(g.first)-1))
	g.zLast = rand.NewZipf(g.rng, 1.2, 8, uint64(len(g.last)-1))
	g.zTrade = rand.NewZipf(g.rng, 1.15, 8, uint64(len(g.trade)-1))
	g.zCity = rand.NewZipf(g.rng, 1.2, 10, 5569)
	for range 1_332 { // subclasses of the CNAE
		g.activities = append(g.activities, fmt.Sprintf("%02d%02d%03d", 1+g.rng.IntN(90), g.rng.IntN(16), g.rng.IntN(5)))
	}
	g.zActivity = rand.NewZipf(g.rng, 1.2, 10, uint64(len(g.activities)-1))
	return g
}

// vocabulary returns n distinct pronounceable words.
func (g *Generator) vocabulary(n, minSyllables, maxSyllables int) []string {
	seen := make(map[string]bool, n)
	out := make([]string, 0, n)
	for len(out) < n {
		if w := g.coin(minSyllables + g.rng.IntN(maxSyllables-minSyllables+1)); !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// coin returns a random pronounceable word.
func (g *Generator) coin(syllables int) string {
	const consonants, vowels = "BCDFGJLMNPRSTVZ", "AEIOU"
	word := make([]byte, 0, 2*syllables)
	for range syllables {
		word = append(word, consonants[g.rng.IntN(len(consonants))], vowels[g.rng.IntN(len(vowels))])
	}
	return string(word)
}

func (g *Generator) person() string {
	return g.first[g.zFirst.Uint64()] + " " + g.last[g.zLast.Uint64()] + " " + g.last[g.zLast.Uint64()]
}

func (g *Generator) activity() string { return g.activities[g.zActivity.Uint64()] }

// Pick returns one of the values at random. It panics without values.
func Pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// Next overwrites d with the next establishment. Partners share a buffer: they are valid until the
// following company, see Synthetic.
func (g *Generator) Next(d *build.Doc) {
	if g.branchesLeft > 0 {
		g.branchesLeft--
		g.branchOrder++
		*d = g.company
		d.Partners = nil
		d.HeadOffice = false
		d.CNPJ = cnpj.Join(g.company.CNPJ.Root(), order(g.branchOrder))
		g.place(d)
	} else {
		g.newCompany()
		*d = g.company
	}
	g.detail(d)
}

// order returns establishment n of a company, a number of four digits.
func order(n int) cnpj.Order {
	o, err := cnpj.ParseOrder(fmt.Sprintf("%04d", n))
	if err != nil {
		panic(err)
	}
	return o
}

// newCompany draws a company and its head office. 47 % are individual entrepreneurs, whose names
// begin with their masked root.
func (g *Generator) newCompany() {
	g.root += 1 + g.rng.Int64N(3) // 40 M establishments fit eight digits
	root, err := cnpj.ParseRoot(fmt.Sprintf("%08d", g.root))
	if err != nil {
		panic(err)
	}
	c := build.Doc{
		CNPJ: cnpj.Join(root, order(1)), HeadOffice: true, Branches: 1,
		NaturezaJuridica: "2135", PorteEmpresa: "01",
		CNAE:    g.activity(),
		Opening: (1970+g.rng.IntN(56))*10_000 + (1+g.rng.IntN(12))*100 + 1 + g.rng.IntN(28), Capital: int64(g.rng.IntN(50)) * 100_000,
	}
	for range g.rng.IntN(4) {
		c.CNAEsSecundarios += g.activity() + ","
	}
	c.CNAEsSecundarios = strings.TrimSuffix(c.CNAEsSecundarios, ",")
	g.branchOrder, g.branchesLeft = 1, 0
	if g.rng.IntN(100) < 47 {
		c.RazaoSocial = root.Masked() + " " + g.person()
		c.MEI, c.Simples = g.rng.IntN(2) == 0, true
	} else {
		g.limited(&c)
	}
	if g.rng.IntN(100) < 36 {
		c.NomeFantasia = g.tradeName()
	}
	g.company = c
	g.place(&g.company)
}

func (g *Generator) tradeName() string {
	name := g.trade[g.zTrade.Uint64()]
	for range g.rng.IntN(3) {
		name += " " + g.trade[g.zTrade.Uint64()]
	}
	if g.rng.IntN(100) < 12 {
		name += " " + g.coin(4+g.rng.IntN(2)) // a nearly unique word
	}
	return name
}

// limited makes c a company with one to three partners and, in 6 % of cases, branches; one in 500
// of those has 400.
func (g *Generator) limited(c *build.Doc) {
	c.RazaoSocial = g.tradeName() + " " + Pick(g.rng, "COMERCIO", "SERVICOS", "CONSTRUCOES", "DE ALIMENTOS", "TRANSPORTES") + " " +
		Pick(g.rng, "LTDA", "LTDA", "LTDA", "LTDA ME", "EIRELI", "S/A")
	c.NaturezaJuridica, c.PorteEmpresa = "2062", Pick(g.rng, "01", "01", "03", "05")
	c.Capital = int64(1+g.rng.IntN(1000)) * 1_000_000
	c.Partners = g.partners[:1+g.rng.IntN(3)]
	for i := range c.Partners {
		c.Partners[i] = build.Partner{Name: g.person(), Document: fmt.Sprintf("***%06d**", g.rng.IntN(1_000_000))}
	}
	if g.rng.IntN(100) < 6 {
		g.branchesLeft = 1 + int(g.rng.ExpFloat64()*2)
		if g.rng.IntN(500) == 0 {
			g.branchesLeft = 400
		}
		c.Branches += g.branchesLeft
	}
}

// place draws municipality and situação; the UF depends on the municipality.
func (g *Generator) place(d *build.Doc) {
	city := g.zCity.Uint64()
	d.UF = Pick(rand.New(rand.NewPCG(city, 1)), "SP", "SP", "SP", "SP", "SP", "SP", "SP", "MG", "MG", "MG", "RJ", "RJ", "RS", "RS", "PR", "PR",
		"SC", "BA", "BA", "GO", "PE", "CE", "DF", "ES", "MT", "MS", "PA", "MA", "PB", "RN", "AM", "RO", "TO", "AL", "SE", "PI", "AC", "AP", "RR")
	d.Municipio = fmt.Sprintf("%04d", city)
	switch r := g.rng.IntN(1000); {
	case r < 426:
		d.SituacaoCadastral = term.SituacaoAtiva
	case r < 540:
		d.SituacaoCadastral = term.SituacaoInapta
	case r < 543:
		d.SituacaoCadastral = term.SituacaoSuspensa
	default:
		d.SituacaoCadastral = "08"
	}
}
