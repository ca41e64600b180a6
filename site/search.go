package site

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/snapshot"
)

const (
	resultsPerPage = 20
	maxQuery       = 200            // characters of a search; more are cut
	maxResults     = index.MaxTotal // that can be paged through
)

// searchPage is a page of results.
type searchPage struct {
	frame
	Cut     bool // the text was too long
	Total   int64
	Floor   bool // there are more than Total
	Results []result
	Pager   pager
	Number  numberHint
}

func (*searchPage) template() string { return "search" }

// numberHint says what is wrong with a text that looks like a CNPJ and found nothing.
type numberHint struct {
	Masked string // "" when the text is not a number
	Typo   bool   // its check digits are wrong
}

// result is one establishment in a list of results.
type result struct {
	CNPJ       cnpj.Full
	Name       string
	TradeName  string
	HeadOffice string
	City       string
	Status     status
	Activity   activity
	Reason     string // why it was found, "" when there is nothing to say about it

	private bool
}

// search answers /busca.
func (s *Site) search(c *gin.Context, snap *snapshot.Snapshot) (reply, error) {
	page, err := pageNumber(c, "pagina")
	if err != nil {
		return reply{}, err
	}
	text, cut := cutQuery(c.Query("q"))
	p := &searchPage{Cut: cut}
	p.Query, p.NoIndex = text, true
	p.Title = sentence(" · ", "Busca", text)
	p.Description = "Empresas brasileiras encontradas por nome, CNPJ ou sócio nos dados abertos da Receita Federal."
	p.Canonical = searchURL(text, page)
	if text == "" {
		return reply{page: p}, nil
	}
	ctx := c.Request.Context()
	full, hint, err := numberIn(ctx, snap, text)
	if err != nil {
		return reply{}, err
	}
	if full != 0 {
		return reply{status: http.StatusFound, location: "/" + full.String()}, nil
	}
	p.Number = hint
	if err := s.results(ctx, snap, p, page); err != nil {
		return reply{}, err
	}
	p.Pager = newPager("Páginas de resultados", &url.URL{Path: "/busca", RawQuery: url.Values{"q": {text}}.Encode()},
		"pagina", "", page, resultsPerPage, p.Total)
	p.Pager.Floor = p.Floor
	return reply{page: p}, nil
}

// results fills one page of p. Pages past the last one are empty.
func (s *Site) results(ctx context.Context, snap *snapshot.Snapshot, p *searchPage, page int) error {
	query := index.Query{Text: p.Query, Offset: (page - 1) * resultsPerPage, Limit: resultsPerPage}
	if query.Offset >= maxResults {
		query.Offset, query.Limit = 0, 0 // only the total
	}
	found, err := snap.Index.Search(ctx, query)
	if err != nil {
		return err
	}
	p.Total, p.Floor = int64(found.Total), found.TotalIsFloor
	p.Results, err = s.hydrate(ctx, snap, found.Hits)
	return err
}

// cutQuery trims a search and bounds its length.
func cutQuery(q string) (text string, cut bool) {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(q, " ")), " ")
	if utf8.RuneCountInString(text) <= maxQuery {
		return text, false
	}
	return strings.TrimSpace(string([]rune(text)[:maxQuery])), true
}

func searchURL(text string, page int) string {
	query := url.Values{"q": {text}}
	if page > 1 {
		query.Set("pagina", strconv.Itoa(page))
	}
	return "/busca?" + query.Encode()
}

// numberIn returns the CNPJ that a search consists of when it is in the load, 0 otherwise, and what to tell about a
// number that is not.
func numberIn(ctx context.Context, snap *snapshot.Snapshot, text string) (cnpj.Full, numberHint, error) {
	number := cnpj.Unmask(text)
	digits, ok := countDigits(number)
	if !ok || len(number) != 14 {
		return 0, numberHint{}, nil
	}
	var hint numberHint
	if digits >= len(number)/2 { // fewer are rather those of a name
		hint.Masked = mask(number)
	}
	full, err := cnpj.ParseFull(number)
	if err != nil {
		hint.Typo = hint.Masked != ""
		return 0, hint, nil
	}
	head, err := snap.Head(ctx, full.Root())
	if err == nil {
		_, err = snap.Establishment(ctx, &head, full.Order())
	}
	switch {
	case errors.Is(err, registry.ErrNotFound):
		return 0, hint, nil
	case err != nil:
		return 0, numberHint{}, err
	}
	return full, numberHint{}, nil
}

// hydrate reads the records of hits in one batch. Large companies cost one more read for a branch that is not among
// their first.
func (s *Site) hydrate(ctx context.Context, snap *snapshot.Snapshot, hits []index.Hit) ([]result, error) {
	var roots []cnpj.Root
	for _, hit := range hits {
		if root := hit.CNPJ.Root(); !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	heads, err := snap.Heads(ctx, roots)
	if err != nil {
		return nil, err
	}
	byRoot := make(map[cnpj.Root]*registry.Head, len(heads))
	for i := range heads {
		byRoot[heads[i].Root] = &heads[i]
	}
	results := make([]result, 0, len(hits))
	for _, hit := range hits {
		head, ok := byRoot[hit.CNPJ.Root()]
		if !ok {
			return nil, errors.New("the index names a company that the records do not have: run `razao index build`")
		}
		establishment, err := snap.Establishment(ctx, head, hit.CNPJ.Order())
		if err != nil {
			return nil, err
		}
		results = append(results, s.resultOf(snap, head, &establishment, hit.Why))
	}
	return results, nil
}

// reasonOf says in words why a search found an establishment.
func reasonOf(why index.Why) string {
	switch why {
	case index.WhyCNPJ:
		return "Encontrada pelo CNPJ"
	case index.WhyExactName:
		return "Encontrada pelo nome exato"
	case index.WhyName:
		return "Encontrada pelo nome"
	case index.WhyPrefix:
		return "Encontrada pelo começo do nome"
	case index.WhyPartner:
		return "Encontrada por um sócio"
	}
	return ""
}

func (s *Site) resultOf(snap *snapshot.Snapshot, h *registry.Head, e *registry.Establishment, why index.Why) result {
	r := result{
		CNPJ: e.CNPJ, Name: nameOf(h, e), TradeName: e.NomeFantasia, City: s.address(snap, e).City(), Status: statusOf(snap, e), Reason: reasonOf(why),
		HeadOffice: describe(snap, registry.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		private:    isPrivate(h),
	}
	if e.CNAEFiscalPrincipal != "" {
		r.Activity = activityOf(snap, e.CNAEFiscalPrincipal)
	}
	return r
}
