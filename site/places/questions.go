package places

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"razao/index"
	"razao/index/figures"
	"razao/index/filter"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// Answer is a question with its answer in the load, and the page that proves it.
type Answer struct{ Question, Text, URL string }

const questionsAsked = 3

// answersKey is the snapshot.Once key of the answers. Flags of a source may come into a snapshot later.
type answersKey struct{ unflagged bool }

// Answers returns three questions that the load answers, fewer if it does not, cached for the snapshot.
func (hs *Handlers) Answers(ctx context.Context, snap *snapshot.Snapshot) ([]Answer, error) {
	key := answersKey{slices.Contains(snap.Unflagged(), "pgfn")}
	return snapshot.Once(snap, key, func() ([]Answer, error) {
		all, err := snap.Places()
		if err != nil {
			return nil, err
		}
		q := questions{snap, all}
		var answers []Answer
		for _, ask := range []func(context.Context) (Answer, error){q.bakeries, q.debts, q.perThousand, q.openings, q.companies} {
			a, err := ask(ctx)
			if err != nil {
				return nil, fmt.Errorf("questions of the first page: %w", err)
			}
			if a.Text == "" {
				continue
			}
			if answers = append(answers, a); len(answers) == questionsAsked {
				break
			}
		}
		return answers, nil
	})
}

// questions are asked of a snapshot. An answer without a text is none.
type questions struct {
	snap *snapshot.Snapshot
	all  *figures.Places
}

// count counts what a listing with these parameters has; false if that is not exact.
func (q *questions) count(ctx context.Context, v url.Values) (n int64, exact bool, err error) {
	var pairs []string
	for name, values := range v {
		for _, value := range values {
			if name != filter.HeadOffice || value != anyOffice {
				pairs = append(pairs, name, value)
			}
		}
	}
	found, err := q.snap.Find(ctx, index.Query{Filters: filter.Of(pairs...)})
	return int64(found.Total), !found.TotalIsFloor, err
}

// Codes of the CNAE for bakeries: those that bake, and those that sell what others have baked.
var bakeries = []string{"1091102", "4721102"}

// bakeries asks about Campinas or, if there is none, about the first of the largest cities with one.
func (q *questions) bakeries(ctx context.Context) (Answer, error) {
	const campinas, tried = "6291", 20
	cities, err := ordered(q.snap, measuresOf(q.all)[0])
	if err != nil {
		return Answer{}, err
	}
	if at := slices.IndexFunc(cities, func(p *figures.Place) bool { return p.Municipality.RFB == campinas }); at >= 0 {
		cities = slices.Concat(cities[at:at+1], cities[:min(tried, len(cities))])
	}
	for _, city := range cities[:min(tried+1, len(cities))] {
		v := url.Values{filter.CNAE: bakeries, filter.Situacao: {record.SituacaoAtiva}, filter.HeadOffice: {anyOffice}}
		address := page.WithParameters(pathOf(city), v)
		v.Set(filter.UF, city.UF)
		v.Set(filter.Municipio, city.Municipality.RFB)
		n, exact, err := q.count(ctx, v)
		if err != nil {
			return Answer{}, err
		}
		if n > 0 && exact {
			return Answer{"Quantas padarias ativas há em " + city.Name + "?", ptbr.Counted(n, "padaria", "padarias"), address}, nil
		}
	}
	return Answer{}, nil
}

// debts asks about the largest debts that any company has.
func (q *questions) debts(ctx context.Context) (Answer, error) {
	if slices.Contains(q.snap.Unflagged(), "pgfn") {
		return Answer{}, nil
	}
	for _, least := range []struct {
		reais int
		text  string
	}{{1e9, "R$\u00a01\u00a0bilhão"}, {1e8, "R$\u00a0100\u00a0milhões"}, {1e7, "R$\u00a010\u00a0milhões"}, {1e6, "R$\u00a01\u00a0milhão"}, {1e5, "R$\u00a0100\u00a0mil"}, {1e4, "R$\u00a010\u00a0mil"}} {
		v := url.Values{filter.DebtFrom: {strconv.Itoa(least.reais)}, filter.Situacao: {record.SituacaoAtiva}}
		address := page.WithParameters("/empresas", v)
		v.Set(filter.HeadOffice, "matriz") // as listings imply
		n, exact, err := q.count(ctx, v)
		if err != nil {
			return Answer{}, err
		}
		if n > 0 && exact {
			return Answer{"Quantas empresas ativas têm " + least.text + " ou mais em dívida ativa?", ptbr.Counted(n, "empresa", "empresas"), address}, nil
		}
	}
	return Answer{}, nil
}

func (q *questions) perThousand(context.Context) (Answer, error) {
	return q.first(perThousand, "Onde há mais empresas ativas por mil habitantes?")
}

func (q *questions) openings(context.Context) (Answer, error) {
	return q.first("aberturas", "Qual município abriu mais estabelecimentos em "+strconv.Itoa(q.all.Year)+"?")
}

func (q *questions) companies(context.Context) (Answer, error) {
	return q.first("", "Qual município tem mais empresas ativas?")
}

// first asks which municipality is the first by a measure.
func (q *questions) first(name, question string) (Answer, error) {
	by, ok := measureNamed(measuresOf(q.all), name)
	if !ok {
		return Answer{}, nil
	}
	places, err := ordered(q.snap, by)
	if err != nil || by.value(places[0]) == 0 {
		return Answer{}, err
	}
	first := places[0]
	ranking := rankingQuery{by: by}
	return Answer{question, first.Name + "/" + first.UF + ", com " + by.text(first), ranking.address("/municipios")}, nil
}
