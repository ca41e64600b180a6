package find

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/wording"
)

// resultsPerPage, maxQuery and maxResults bound one page, one text and how deep paging goes.
const (
	resultsPerPage = 20
	maxQuery       = 200            // characters; the rest of a longer text is ignored
	maxResults     = index.MaxTotal // the index counts no further
)

// searchPage is the view model of /busca.
type searchPage struct {
	page.Frame
	Listing
	Heading  string // when there are results
	Start    bool   // the query is empty: show the introduction and facets
	Cut      bool   // the text was too long
	Of       int64  // establishments of the companies found
	Nowhere  string // place where nothing was found, em Campinas/SP; "" without one
	Messages []message
	Number   numberHint
}

func (*searchPage) Template() string { return "search" }

// choice is a menu of ways to ask the same question.
type choice struct {
	Label string
	Links []choiceLink
}

// choiceLink is one entry of a choice.
type choiceLink struct {
	Text   string
	URL    string
	Active bool
}

// message tells the visitor how the text was interpreted where that differs from what was typed.
type message struct {
	Text     string
	Undo     string // address that searches literally; "" when there is nothing to undo
	UndoText string
}

// numberHint explains why a text that looks like a CNPJ found nothing.
type numberHint struct {
	Masked string // "" when the text is not a number
	Typo   bool   // its check digits are wrong
}

// result is one establishment in a list of results, as people read it.
type result struct {
	CNPJ       cnpj.Full
	Name       string
	TradeName  string
	HeadOffice string
	City       string
	Status     wording.Status
	Activity   wording.Activity
	Size       string // opening date and capital, in one line
	Reason     string // why it matched; "" when it is obvious
	Partner    *foundPartner
	Others     int64 // the company's other establishments; 0 when results are not grouped by company
	OthersURL  string

	highlighter highlighter
}

// MarkedName returns the name with the words that match the search marked.
func (r result) MarkedName() template.HTML { return r.highlighter.mark(r.Name) }

// MarkedTrade returns the trade name with the words that match the search marked.
func (r result) MarkedTrade() template.HTML { return r.highlighter.mark(r.TradeName) }

// foundPartner is the partner whose name matched.
type foundPartner struct {
	Name template.HTML // with the words that match marked
	URL  string        // the person's companies, /socio/…; "" for companies and without visible digits
}

// search answers /busca. A text that is the CNPJ of an establishment in the load redirects to its
// page. When the index is missing, any text that is meant as a number redirects as well: that page
// needs no index.
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
		err = uncounted // without the index a search form is useless: fail with the page that says so
	}
	if typed, ok := cnpj.Read(q.text); ok && typed.MeansNumber() && errors.As(err, &missing) {
		return page.Reply{Status: http.StatusFound, Location: "/" + typed.Text}, nil // its page works without the index, and explains a wrong number
	}
	if err != nil {
		return page.Reply{}, err
	}
	if uncounted != nil { // optional: the results are served without them
		web.EventOf(ctx).Fail(uncounted)
		p.Uncounted = true
		return page.Reply{Page: p}, nil
	}
	p.Facets = rm.facets(snap, q, counts, understood.Places)
	return page.Reply{Page: p}, nil
}

// newSearchPage fills in everything that follows from the address alone.
func newSearchPage(q *query, atlas *territory.Atlas) *searchPage {
	p := &searchPage{Listing: newListing(q, page.WithParameters("/busca.csv", q.parameters())), Cut: q.cut, Start: q.empty()}
	p.Tips, p.Grouped = true, !q.ungrouped
	p.Query, p.NoIndex = q.text, true
	p.Kept = q.kept("q", "literal")
	p.Title = ptbr.Join(" · ", "Busca", q.text, p.chipTexts())
	p.Description = "Empresas brasileiras encontradas por nome, CNPJ ou sócio nos dados abertos da Receita Federal."
	p.Canonical = q.canonical()
	what := "Empresas"
	if q.ungrouped {
		what = "Estabelecimentos"
	}
	p.Heading = ptbr.Join(" ", what, q.inPlace(atlas))
	if q.text != "" {
		p.Heading = "Resultados para “" + q.text + "”"
	}
	return p
}

// results fills p with one page of results and returns how the index understood the text. A page
// past the end has no rows but keeps the total.
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
	p.Total, p.Floor, p.Of = int64(found.Total), found.TotalIsFloor, int64(found.Establishments)
	p.Messages = rm.messages(snap, q, found.Understood)
	p.Chips = append(p.Chips, rm.said(snap, q, found.Understood.Conditions)...)
	p.Filtered = len(p.Chips)
	p.Pager = page.NewPager("Páginas de resultados", &url.URL{Path: "/busca", RawQuery: q.parameters().Encode()},
		"pagina", "", q.page, resultsPerPage, p.Total)
	p.Pager.Floor = p.Floor
	p.Results = rm.resultsOf(snap, found.Matches)
	highlighter := newHighlighter(q.text, found.Understood)
	for i := range p.Results {
		p.Results[i].mark(&found.Matches[i], highlighter, !q.ungrouped)
	}
	if p.Total > 0 {
		return found.Understood, nil
	}
	p.Nowhere = rm.nowhere(found.Understood.Places)
	p.Broader, err = rm.broader(ctx, snap, q, p.Chips, found.Understood.Places)
	return found.Understood, err
}

// mark adds to a result what is known of the search: the words to highlight, the partner who
// matched and, when results are grouped by company, a link to the company's other establishments.
func (r *result) mark(m *snapshot.Match, h highlighter, company bool) {
	r.highlighter = h
	if m.Partner != nil {
		r.Partner = &foundPartner{h.mark(ptbr.Partner(m.Partner)), page.PersonPath(m.Partner)}
	}
	if company && m.Head.Establishments > 1 {
		r.Others = int64(m.Head.Establishments - 1)
		r.OthersURL = "/busca?q=" + m.Head.Root.String() + "&" + groupName + "=" + notGrouped
	}
}

// nowhere returns, in words, the first place the text named.
func (rm *Room) nowhere(places []index.PlaceFilter) string {
	for _, place := range places {
		if m, ok := rm.atlas.ByRFB(place.Municipio); ok {
			return wording.InCity(m)
		}
		if uf, ok := rm.atlas.UF(place.UF); ok {
			return wording.InState(uf)
		}
	}
	return ""
}

// countText puts a count into words: 12 empresas com 340 estabelecimentos. floor means that there
// are more than total.
func countText(total, establishments int64, floor, companies bool) string {
	what := ptbr.Counted(total, "estabelecimento", "estabelecimentos")
	if companies {
		what = ptbr.Counted(total, "empresa", "empresas")
	}
	switch {
	case floor:
		return "mais de " + what
	case establishments > total:
		return what + " com " + ptbr.Count(establishments) + " estabelecimentos"
	}
	return what
}

// Found returns the number of results in words.
func (p *searchPage) Found() string { return countText(p.Total, p.Of, p.Floor, p.Grouped) }

// messages explains how the text was interpreted: words used as filters, an activity that was
// searched too, corrected and dropped words.
func (rm *Room) messages(snap *snapshot.Snapshot, q *query, u index.Understood) []message {
	var all []message
	var said []string // words used as filters
	for _, place := range u.Places {
		where, ok := rm.filters.Value(snap, filter.Municipio, place.Municipio)
		if !ok {
			where, _ = rm.filters.Value(snap, filter.UF, place.UF)
		}
		said = append(said, "“"+place.Words+"” ("+where.Text+")")
	}
	for i, c := range u.Conditions {
		if i == 0 || c.Words != u.Conditions[i-1].Words {
			said = append(said, "“"+c.Words+"”")
		}
	}
	if len(said) > 0 {
		all = append(all, message{
			Text: "Usado como filtro: " + ptbr.List(said) + ".", Undo: q.with("literal", "1"), UndoText: "Procurar estas palavras nos nomes",
		})
	}
	if u.Activity != "" {
		all = append(all, message{Text: "Inclui empresas cuja atividade principal é “" + u.Activity + "”."})
	}
	for _, c := range u.Corrections {
		all = append(all, message{Text: "Nada com “" + c.From + "”; mostrando “" + c.To + "”."})
	}
	for _, word := range u.Dropped {
		all = append(all, message{Text: "Nada com todas as palavras; mostrando sem “" + word + "”."})
	}
	return all
}

// numberIn returns the CNPJ that the text consists of if the load has it. Otherwise it returns 0,
// and a hint when the text is meant as a CNPJ; an eight-position root is left to the search.
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

// resultsOf puts matches into words, in their order. It never returns nil.
func (rm *Room) resultsOf(snap *snapshot.Snapshot, matches []snapshot.Match) []result {
	results := make([]result, 0, len(matches))
	for i := range matches {
		results = append(results, rm.resultOf(snap, &matches[i]))
	}
	return results
}

// resultOf puts a match into words. It leaves what only a search knows to mark.
func (rm *Room) resultOf(snap *snapshot.Snapshot, m *snapshot.Match) result {
	e := &m.Establishment
	r := result{
		CNPJ: e.CNPJ, Name: wording.NameOf(m.Head, e), TradeName: ptbr.Company(e.NomeFantasia), City: wording.CityOf(rm.atlas, snap, e), Status: wording.StatusOf(snap, e),
		HeadOffice: wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial), Reason: m.Why.Text(),
	}
	opened, capital := "Abertura não informada", "Capital social não informado"
	if day := ptbr.Date(e.DataInicioAtividade.Time()); day != "" {
		opened = "Abertura em " + day
	}
	if amount := ptbr.Capital(m.Company.CapitalSocial); amount != "" {
		capital = "Capital social: " + amount
	}
	r.Size = opened + " · " + capital
	if e.CNAEFiscalPrincipal != "" {
		r.Activity = wording.ActivityOf(snap, e.CNAEFiscalPrincipal)
	}
	return r
}
