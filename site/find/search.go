package find

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/index/filter"
	"razao/internal/cnpj"
	"razao/internal/criteria"
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
	Of       int64  // establishments of the companies that are the results
	Nowhere  string // the place, em Campinas/SP, where there is nothing; "" without one
	Messages []message
	Number   numberHint
}

func (*searchPage) Template() string { return "search" }

// choice is one way in which a question may be asked, with all its values.
type choice struct {
	Label string
	Links []choiceLink
}

// choiceLink leads to the same question with one value of a choice.
type choiceLink struct {
	Text   string
	URL    string
	Active bool
}

// instead is a question with less in it that finds something.
type instead struct {
	Text, URL string
	Found     string
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
	Size       string // opening and capital
	Reason     string // why it was found; "" when there is nothing to say about it
	Partner    *foundPartner
	Others     int64 // establishments of the company beside this one; 0 when they are results, too
	OthersURL  string

	sought sought
}

// MarkedName is the name with the words that were sought.
func (r result) MarkedName() []segment { return r.sought.in(r.Name) }

// MarkedTrade is the same of the trade name.
func (r result) MarkedTrade() []segment { return r.sought.in(r.TradeName) }

// foundPartner is the partner by whose name a company was found.
type foundPartner struct {
	Name []segment
	URL  string // of the companies of a person; "" without visible digits
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
	p := &searchPage{Listing: newListing(q, page.WithParameters("/busca.csv", q.parameters())), Cut: q.cut, Start: q.empty()}
	p.Tips, p.Grouped = true, !q.apart
	p.Query, p.NoIndex = q.text, true
	p.Kept = q.kept("q", "literal")
	p.Title = ptbr.Join(" · ", "Busca", q.text, p.chipTexts())
	p.Description = "Empresas brasileiras encontradas por nome, CNPJ ou sócio nos dados abertos da Receita Federal."
	p.Canonical = q.canonical()
	what := "Empresas"
	if q.apart {
		what = "Estabelecimentos"
	}
	p.Heading = ptbr.Join(" ", what, q.inPlace(atlas))
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
	p.Total, p.Floor, p.Of = int64(found.Total), found.TotalIsFloor, int64(found.Establishments)
	p.Messages = rm.messages(snap, q, found.Understood)
	p.Chips = append(p.Chips, rm.said(snap, q, found.Understood.Conditions)...)
	p.Filtered = len(p.Chips)
	p.Pager = page.NewPager("Páginas de resultados", &url.URL{Path: "/busca", RawQuery: q.parameters().Encode()},
		"pagina", "", q.page, resultsPerPage, p.Total)
	p.Pager.Floor = p.Floor
	p.Results = rm.resultsOf(snap, found.Matches)
	words := soughtIn(q.text, found.Understood)
	for i := range p.Results {
		p.Results[i].mark(&found.Matches[i], words, !q.apart)
	}
	if p.Total > 0 {
		return found.Understood, nil
	}
	p.Nowhere = rm.nowhere(found.Understood.Places)
	p.Instead, err = rm.instead(ctx, snap, q, p.Chips, found.Understood.Places)
	return found.Understood, err
}

// mark says what a search knows of a result: the words that were sought, the partner who was found and, when the result stands for its
// company, how many others there are.
func (r *result) mark(m *snapshot.Match, words sought, company bool) {
	r.sought = words
	if m.Partner != nil {
		r.Partner = &foundPartner{words.in(ptbr.Partner(m.Partner)), page.PersonPath(m.Partner)}
	}
	if company && m.Head.Establishments > 1 {
		r.Others = int64(m.Head.Establishments - 1)
		r.OthersURL = "/busca?q=" + m.Head.Root.String() + "&" + groupName + "=" + notGrouped
	}
}

// nowhere says where nothing was found.
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

// instead returns the question without one of its filters, or without its place, where that finds something.
func (rm *Room) instead(ctx context.Context, snap *snapshot.Snapshot, q *query, chips []chip, places []index.PlaceFilter) ([]instead, error) {
	var all []instead
	add := func(text, url string, asked index.Query) error {
		asked.Limit = 0
		found, err := snap.Find(ctx, asked)
		if err == nil && found.Total > 0 && len(found.Understood.Dropped) == 0 {
			all = append(all, instead{text, url, countText(int64(found.Total), int64(found.Establishments), found.TotalIsFloor, !q.apart)})
		}
		return err
	}
	for _, chip := range chips {
		if err := add("Sem o filtro “"+chip.Text+"”", chip.URL, chip.without); err != nil {
			return nil, err
		}
	}
	if q.scope != index.InAll {
		asked := q.forIndex()
		asked.Scope = index.InAll
		if err := add("Em nomes e sócios", q.with(scopeName, ""), asked); err != nil {
			return nil, err
		}
	}
	if change := q.withoutPlaces(places); change != nil {
		asked := q.forIndex()
		asked.Text = change[1]
		if err := add("No país todo", q.with(change...), asked); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// countText says how many there are: 12 empresas com 340 estabelecimentos.
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

// Found says how many results there are.
func (p *searchPage) Found() string { return countText(p.Total, p.Of, p.Floor, p.Grouped) }

// messages tells what was made of the words of a search.
func (rm *Room) messages(snap *snapshot.Snapshot, q *query, u index.Understood) []message {
	var all []message
	var said []string // as filters
	for _, place := range u.Places {
		where, ok := rm.criteria.Value(snap, filter.Municipio, place.Municipio)
		if !ok {
			where, _ = rm.criteria.Value(snap, filter.UF, place.UF)
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
		HeadOffice: wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial), Reason: criteria.ReasonText(m.Why),
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
