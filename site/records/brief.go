package records

import (
	"cmp"
	"slices"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/totals"
	"razao/site/page"
)

// Brief is what the first screen of a company says about one subject: the figures of its cards.
type Brief struct {
	Text   string // the subject
	URL    string // fragment of the first card with records, else of the first source's row
	Says   string // R$ 990.040,50, 1 em vigor, nada nesta carga
	Detail string // number of records, and sources that did not answer; "" for none
	Status registry.Status
}

// None reports whether all sources of the subject were read and have nothing.
func (b *Brief) None() bool { return b.Status == registry.None }

// Failed reports whether the subject has no records only because a source could not be read.
func (b *Brief) Failed() bool { return b.Status == registry.Failed }

// subject is what a brief is about: one source with amounts, or several whose records are in force
// or not.
type subject struct {
	text    string
	sources []string
	inForce bool
}

// subjects are those of every page, in its order.
var subjects = []subject{
	{text: "Dívida ativa", sources: []string{"pgfn"}},
	{text: "Sanções e acordos", sources: []string{"ceis", "cnep", "cepim", "acordos_leniencia", "mte_empregadores", "mte_ceac"}, inForce: true},
	{text: "Contratos como fornecedor", sources: []string{"pncp"}},
	{text: "Contratos como contratante", sources: []string{"pncp_orgao"}},
	{text: "Empréstimos do BNDES", sources: []string{"bndes"}},
}

// Further returns the cards with records that no brief is about.
func (s *Section) Further() []Card {
	return slices.DeleteFunc(s.WithRecords(), func(c Card) bool {
		return slices.ContainsFunc(subjects, func(about subject) bool { return slices.Contains(about.sources, c.ID) })
	})
}

// briefs puts the cards' figures into the words of the first screen.
func (read *reading) briefs() []Brief {
	var all []Brief
	for i := range subjects {
		all = append(all, read.brief(&subjects[i]))
	}
	return all
}

// brief counts the records of a subject and the sources that did not answer, which are never taken
// for sources without records.
func (read *reading) brief(about *subject) Brief {
	b := Brief{Text: about.text, URL: "#" + about.sources[0]}
	records, failed, unavailable := 0, 0, 0
	var first *Card // with records
	for i := range read.cards {
		c := &read.cards[i]
		switch {
		case !slices.Contains(about.sources, c.ID):
		case c.Found():
			records += c.Total
			first = cmp.Or(first, c)
		case c.Failed():
			failed++
		case c.Unavailable():
			unavailable++
		}
	}
	share := func(n int) string {
		return ptbr.Count(n) + " de " + ptbr.Counted(len(about.sources), "fonte", "fontes")
	}
	several := len(about.sources) > 1
	without := page.When(several && unavailable > 0, share(unavailable)+" sem carga")
	switch {
	case first != nil:
		b.URL, b.Status = "#"+first.ID, registry.Found
		b.Says, b.Detail = read.figures(about, first, records)
		b.Detail = ptbr.Join("; ", b.Detail, page.When(failed > 0, "não foi possível consultar agora "+share(failed)), without)
	case failed > 0:
		b.Says, b.Status = "não foi possível consultar agora", registry.Failed
		b.Detail = ptbr.Join("; ", page.When(failed < len(about.sources), share(failed)), without)
	case unavailable == len(about.sources):
		b.Says, b.Status = "sem carga", registry.Unavailable
	default:
		b.Says, b.Detail, b.Status = "nada nesta carga", without, registry.None
	}
	return b
}

// figures returns what the records of a subject come to, and how many they are. c is the first card
// that has some.
func (read *reading) figures(about *subject, c *Card, records int) (says, detail string) {
	counted := ptbr.Counted(records, "registro", "registros")
	if about.inForce {
		n, known := read.inForce(about)
		if !known {
			return counted, "vigência não lida agora"
		}
		return page.Either(n > 0, ptbr.Count(n), "nenhum") + " em vigor", counted
	}
	switch {
	case c.Total > MaxSummed:
		return counted, "mais do que esta página soma"
	case c.Summary == nil:
		return counted, "soma não lida agora"
	case c.Summary.All.Sum == "":
		return counted, "nenhum entra na soma"
	}
	return c.Summary.All.Sum, counted
}

// inForce counts the records of a subject that hold today. known is false when some of them could
// not be read.
func (read *reading) inForce(about *subject) (n int, known bool) {
	now := read.hs.now().In(record.Brasilia)
	today := int64(record.MakeDate(now.Year(), int(now.Month()), now.Day()))
	holds := func(s totals.Span) bool { return s.From <= today && today <= s.To }
	for i := range read.pages {
		src := &read.pages[i].Source
		if !slices.Contains(about.sources, src.ID) {
			continue
		}
		if read.facts[i].missing != "" {
			return 0, false
		}
		for _, f := range read.facts[i].all {
			if slices.ContainsFunc(totals.Spans(&src.Facts, f.item), holds) {
				n++
			}
		}
	}
	return n, true
}
