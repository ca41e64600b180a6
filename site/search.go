package site

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/web"
)

const (
	resultsPerPage = 20
	maxQuery       = 200            // characters of a search; more are cut
	maxResults     = index.MaxTotal // that can be paged through
)

// searchPage is a page of results.
type searchPage struct {
	frame
	listing
	Heading string // of a list of results
	Start   bool   // nothing was asked for yet
	Cut     bool   // the text was too long
	Notices []notice
	Number  numberHint
}

func (*searchPage) template() string { return "search" }

// orderLink leads to the same results in another order.
type orderLink struct {
	*order
	URL    string
	Active bool
}

// notice tells how a search was understood when that is not what was typed.
type notice struct {
	Text     string
	Undo     string // address; "" when there is nothing to undo
	UndoText string
}

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
	Reason     string // why it was found, or stands where it does; "" when there is nothing to say about it

	capital registry.Cents
	opened  registry.Date
	private bool
}

// search answers /busca.
func (s *Site) search(c *gin.Context, snap *snapshot.Snapshot) (reply, error) {
	in, err := s.inquiry(c, snap, searchManner())
	if err != nil {
		return reply{}, err
	}
	ctx := c.Request.Context()
	full, hint, err := numberIn(ctx, snap, in.text)
	if err != nil {
		return reply{}, err
	}
	if full != 0 {
		return reply{status: http.StatusFound, location: "/" + full.String()}, nil
	}
	p := newSearchPage(in)
	p.Number = hint
	wait := s.counting(ctx, snap, in)
	var understood index.Understood
	if !p.Start {
		understood, err = s.results(ctx, snap, in, p)
	}
	counts, uncounted := wait()
	if err != nil {
		return reply{}, err
	}
	if uncounted != nil { // the results are whole without them
		web.EventOf(ctx).Fail(uncounted)
		p.Uncounted = true
		return reply{page: p}, nil
	}
	p.Facets = s.facets(snap, in, counts, understood.Places)
	return reply{page: p}, nil
}

// newSearchPage fills what follows from the address alone.
func newSearchPage(in *inquiry) *searchPage {
	p := &searchPage{listing: newListing(in), Cut: in.cut, Start: in.empty()}
	p.Tips = true
	p.Query, p.NoIndex = in.text, true
	p.Kept = in.kept("q", "literal")
	p.Title = ptbr.Join(" · ", "Busca", in.text, p.chipTexts())
	p.Description = "Empresas brasileiras encontradas por nome, CNPJ ou sócio nos dados abertos da Receita Federal."
	p.Canonical = in.canonical()
	p.Heading = ptbr.Join(" · ", "Estabelecimentos", in.place())
	if in.text != "" {
		p.Heading = "Resultados para “" + in.text + "”"
	}
	return p
}

// results fills one page of p, which is empty past the last one, and returns what was made of the words.
func (s *Site) results(ctx context.Context, snap *snapshot.Snapshot, in *inquiry, p *searchPage) (index.Understood, error) {
	query := in.query()
	query.Offset, query.Limit = (in.page-1)*resultsPerPage, resultsPerPage
	if query.Offset >= maxResults {
		query.Offset, query.Limit = 0, 0 // only the total
	}
	found, err := snap.Index.Search(ctx, query)
	if err != nil {
		return index.Understood{}, err
	}
	p.Total, p.Floor = int64(found.Total), found.TotalIsFloor
	p.Notices = s.notices(snap, in, found.Understood)
	p.Pager = newPager("Páginas de resultados", &url.URL{Path: "/busca", RawQuery: in.parameters().Encode()},
		"pagina", "", in.page, resultsPerPage, p.Total)
	p.Pager.Floor = p.Floor
	p.Results, err = s.hydrate(ctx, snap, found.Hits)
	return found.Understood, err
}

// notices tells what was made of the words of a search.
func (s *Site) notices(snap *snapshot.Snapshot, in *inquiry, u index.Understood) []notice {
	var all []notice
	for _, place := range u.Places {
		_, name, ok := findMunicipality(s, snap, place.Municipio)
		if !ok {
			_, name, _ = findUF(s, snap, place.UF)
		}
		all = append(all, notice{
			Text: "“" + place.Words + "” virou filtro: só aparecem estabelecimentos de " + name + ".",
			Undo: in.with("literal", "1"), UndoText: "Procurar estas palavras nos nomes",
		})
	}
	for _, c := range u.Corrections {
		all = append(all, notice{Text: "Nada com “" + c.From + "”; mostrando “" + c.To + "”."})
	}
	for _, word := range u.Dropped {
		all = append(all, notice{Text: "Nada com todas as palavras; mostrando sem “" + word + "”."})
	}
	return all
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
	case registry.IsAbsent(err):
		return 0, hint, nil
	case err != nil:
		return 0, numberHint{}, err
	}
	return full, numberHint{}, nil
}

// hydrate reads the records of hits in one batch. Large companies cost one more read for a branch that is not among
// their first.
func (s *Site) hydrate(ctx context.Context, snap *snapshot.Snapshot, hits []index.Hit) ([]result, error) {
	numbers := make([]cnpj.Full, len(hits))
	for i, hit := range hits {
		numbers[i] = hit.CNPJ
	}
	heads, err := headsOf(ctx, snap, numbers)
	if err != nil {
		return nil, err
	}
	results := make([]result, 0, len(hits))
	for _, hit := range hits {
		head, ok := heads[hit.CNPJ.Root()]
		if !ok {
			return nil, errIndexAhead
		}
		establishment, err := snap.Establishment(ctx, head, hit.CNPJ.Order())
		if err != nil {
			return nil, err
		}
		results = append(results, s.resultOf(snap, head, &establishment, hit.Why))
	}
	return results, nil
}

// errIndexAhead is the error of an index that was built from other records.
var errIndexAhead = errors.New("the index names a company that the records do not have: run `razao index build`")

// headsOf reads the companies of establishments in one batch.
func headsOf(ctx context.Context, snap *snapshot.Snapshot, numbers []cnpj.Full) (map[cnpj.Root]*registry.Head, error) {
	var roots []cnpj.Root
	seen := make(map[cnpj.Root]bool, len(numbers))
	for _, number := range numbers {
		if root := number.Root(); !seen[root] {
			seen[root] = true
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
	return byRoot, nil
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
	case index.WhyCorrected:
		return "Encontrada com outra grafia"
	case index.WhyPartial:
		return "Encontrada sem uma das palavras"
	}
	return ""
}

func (s *Site) resultOf(snap *snapshot.Snapshot, h *registry.Head, e *registry.Establishment, why index.Why) result {
	r := result{
		CNPJ: e.CNPJ, Name: nameOf(h, e), TradeName: e.NomeFantasia, City: s.address(snap, e).City(), Status: statusOf(snap, e), Reason: reasonOf(why),
		HeadOffice: describe(snap, registry.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		capital:    h.Company.CapitalSocial, opened: e.DataInicioAtividade,
		private: isPrivate(h),
	}
	if e.CNAEFiscalPrincipal != "" {
		r.Activity = activityOf(snap, e.CNAEFiscalPrincipal)
	}
	return r
}
