package find

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/wording"
)

const (
	resultsPerPage = 20
	maxQuery       = 200            // characters of a search; more are cut
	maxResults     = index.MaxTotal // that can be paged through
)

// searchPage is a page of results.
type searchPage struct {
	page.Frame
	Listing
	Heading  string // of a list of results
	Start    bool   // nothing was asked for yet
	Cut      bool   // the text was too long
	Messages []message
	Number   numberHint
}

func (*searchPage) Template() string { return "search" }

// orderLink leads to the same results in another order.
type orderLink struct {
	*order
	URL    string
	Active bool
}

// message tells how a search was understood when that is not what was typed.
type message struct {
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
	Status     wording.Status
	Activity   wording.Activity
	Reason     string // why it was found, or stands where it does; "" when there is nothing to say about it

	capital record.Cents
	opened  record.Date
}

// search answers /busca.
func (rm *Room) search(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	q, err := rm.readQuery(c, snap, searchLayout())
	if err != nil {
		return page.Reply{}, err
	}
	ctx := c.Request.Context()
	full, hint, err := numberIn(ctx, snap, q.text)
	if err != nil {
		return page.Reply{}, err
	}
	if full != 0 {
		return page.Reply{Status: http.StatusFound, Location: "/" + full.String()}, nil
	}
	p := newSearchPage(q, rm.atlas)
	p.Number = hint
	wait := rm.counting(ctx, snap, q)
	var understood index.Understood
	if !p.Start {
		understood, err = rm.results(ctx, snap, q, p)
	}
	counts, uncounted := wait()
	var missing *snapshot.IndexError
	if err == nil && errors.As(uncounted, &missing) {
		err = uncounted // a form that finds nothing helps nobody
	}
	if typed, ok := cnpj.Read(q.text); ok && typed.MeansNumber() && errors.As(err, &missing) {
		return page.Reply{Status: http.StatusFound, Location: "/" + typed.Text}, nil // which needs no index, also to say what is wrong
	}
	if err != nil {
		return page.Reply{}, err
	}
	if uncounted != nil { // the results are whole without them
		web.EventOf(ctx).Fail(uncounted)
		p.Uncounted = true
		return page.Reply{Page: p}, nil
	}
	p.Facets = rm.facets(snap, q, counts, understood.Places)
	return page.Reply{Page: p}, nil
}

// newSearchPage fills what follows from the address alone.
func newSearchPage(q *query, atlas *territory.Atlas) *searchPage {
	p := &searchPage{Listing: newListing(q), Cut: q.cut, Start: q.empty()}
	p.Tips = true
	p.Query, p.NoIndex = q.text, true
	p.Kept = q.kept("q", "literal")
	p.Title = ptbr.Join(" · ", "Busca", q.text, p.chipTexts())
	p.Description = "Empresas brasileiras encontradas por nome, CNPJ ou sócio nos dados abertos da Receita Federal."
	p.Canonical = q.canonical()
	p.Heading = ptbr.Join(" ", "Estabelecimentos", q.inPlace(atlas))
	if q.text != "" {
		p.Heading = "Resultados para “" + q.text + "”"
	}
	return p
}

// results fills one page of p, which is empty past the last one, and returns what was made of the words.
func (rm *Room) results(ctx context.Context, snap *snapshot.Snapshot, q *query, p *searchPage) (index.Understood, error) {
	query := q.forIndex()
	query.Offset, query.Limit = (q.page-1)*resultsPerPage, resultsPerPage
	if query.Offset >= maxResults {
		query.Offset, query.Limit = 0, 0 // only the total
	}
	found, err := snap.Find(ctx, query)
	if err != nil {
		return index.Understood{}, err
	}
	p.Total, p.Floor = int64(found.Total), found.TotalIsFloor
	p.Messages = rm.messages(snap, q, found.Understood)
	p.Pager = page.NewPager("Páginas de resultados", &url.URL{Path: "/busca", RawQuery: q.parameters().Encode()},
		"pagina", "", q.page, resultsPerPage, p.Total)
	p.Pager.Floor = p.Floor
	p.Results = rm.resultsOf(snap, found.Matches)
	return found.Understood, nil
}

// messages tells what was made of the words of a search.
func (rm *Room) messages(snap *snapshot.Snapshot, q *query, u index.Understood) []message {
	var all []message
	for _, place := range u.Places {
		_, name, ok := findMunicipality(rm, snap, place.Municipio)
		if !ok {
			_, name, _ = findUF(rm, snap, place.UF)
		}
		all = append(all, message{
			Text: "“" + place.Words + "” foi usado como filtro: só aparecem estabelecimentos de " + name + ".",
			Undo: q.with("literal", "1"), UndoText: "Procurar estas palavras nos nomes",
		})
	}
	for _, c := range u.Corrections {
		all = append(all, message{Text: "Nada com “" + c.From + "”; mostrando “" + c.To + "”."})
	}
	for _, word := range u.Dropped {
		all = append(all, message{Text: "Nada com todas as palavras; mostrando sem “" + word + "”."})
	}
	return all
}

// numberIn returns the CNPJ that a search consists of when it is in the load, 0 otherwise, and what to tell about a
// number that is not.
func numberIn(ctx context.Context, snap *snapshot.Snapshot, text string) (cnpj.Full, numberHint, error) {
	typed, ok := cnpj.Read(text)
	if !ok || !typed.IsFull() {
		return 0, numberHint{}, nil
	}
	var hint numberHint
	if typed.MeansNumber() {
		hint.Masked = typed.Masked()
	}
	full, err := cnpj.ParseFull(typed.Text)
	if err != nil {
		hint.Typo = hint.Masked != ""
		return 0, hint, nil
	}
	switch known, err := snap.Has(ctx, full); {
	case err != nil:
		return 0, numberHint{}, err
	case known:
		return full, numberHint{}, nil
	}
	return 0, hint, nil
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

// resultsOf puts what was found into words.
func (rm *Room) resultsOf(snap *snapshot.Snapshot, matches []snapshot.Match) []result {
	results := make([]result, 0, len(matches))
	for i := range matches {
		results = append(results, rm.resultOf(snap, &matches[i]))
	}
	return results
}

func (rm *Room) resultOf(snap *snapshot.Snapshot, m *snapshot.Match) result {
	e := &m.Establishment
	r := result{
		CNPJ: e.CNPJ, Name: wording.NameOf(m.Head, e), TradeName: ptbr.Company(e.NomeFantasia), City: wording.AddressOf(rm.atlas, snap, e).City(), Status: wording.StatusOf(snap, e),
		HeadOffice: wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial), Reason: reasonOf(m.Why),
		capital: m.Company.CapitalSocial, opened: e.DataInicioAtividade,
	}
	if e.CNAEFiscalPrincipal != "" {
		r.Activity = wording.ActivityOf(snap, e.CNAEFiscalPrincipal)
	}
	return r
}
