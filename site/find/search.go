package find

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/page"
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
	Heading  string                   // when there are results
	Cut      bool                     // the text was too long
	Of       int64                    // establishments of the companies found
	Nowhere  string                   // place where nothing was found, em Campinas/SP; "" without one
	Towns    []territory.Municipality // that the text names, and nothing else
	Messages []message
	Number   numberHint
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

// search answers /busca: parameters, query, answer of the index, page. A text that is the CNPJ of an
// establishment in the load redirects to its page. When the index is missing, any text that is meant
// as a number redirects as well: that page needs no index.
func (hs *Handlers) search(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	q, err := hs.readQuery(c, snap, searchLayout())
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
	a, err := hs.ask(ctx, snap, q)
	var missing *snapshot.IndexError
	if err == nil && errors.As(a.uncounted, &missing) {
		err = a.uncounted // without the index a search form is useless: fail with the page that says so
	}
	if typed, ok := cnpj.Read(q.text); ok && typed.MeansNumber() && errors.As(err, &missing) {
		return page.Reply{Status: http.StatusFound, Location: "/" + typed.Text}, nil // its page works without the index, and explains a wrong number
	}
	if err != nil {
		return page.Reply{}, err
	}
	web.EventOf(ctx).Fail(a.uncounted) // optional: the results are served without them
	p, err := hs.searchPage(ctx, snap, q, a)
	if err != nil {
		return page.Reply{}, err
	}
	p.Number = hint
	return page.Reply{Page: p}, nil
}

// searchPage returns the page of an answer. A page past the end has no rows but keeps the total. A
// search without results asks once more, for broader variants.
func (hs *Handlers) searchPage(ctx context.Context, snap *snapshot.Snapshot, q *query, a *answer) (*searchPage, error) {
	p := &searchPage{Cut: q.cut, Of: int64(a.Establishments)}
	p.Listing = hs.newListing(snap, q, a, &p.Frame)
	p.describe(q, hs.atlas)
	p.Messages = hs.messages(snap, a.Understood, p.literal)
	for _, code := range a.Understood.Towns {
		if m, ok := hs.atlas.ByRFB(code); ok {
			p.Towns = append(p.Towns, m)
		}
	}
	highlighter := newHighlighter(q.text, a.Understood)
	for i := range p.Results {
		p.Results[i].mark(&a.Matches[i], highlighter, p.Grouped)
	}
	if p.Start || p.Total > 0 {
		return p, nil
	}
	p.Nowhere = hs.nowhere(a.Understood.Places)
	var err error
	p.Broader, err = hs.broader(ctx, snap, p.wider, p.Grouped)
	return p, err
}

// describe fills in the frame.
func (p *searchPage) describe(q *query, atlas *territory.Atlas) {
	p.Query, p.FormFields, p.NoIndex = q.text, p.box, true
	p.Title = ptbr.Join(" · ", "Busca", q.text, p.chosen)
	p.Description = "Empresas brasileiras encontradas por nome, CNPJ ou sócio nos dados abertos da Receita Federal."
	what := "Empresas"
	if q.ungrouped {
		what = "Estabelecimentos"
	}
	p.Heading = ptbr.Join(" ", what, q.inPlace(atlas))
	if q.text != "" {
		p.Heading = "Resultados para “" + q.text + "”"
	}
}

// nowhere returns, in words, the first place the text named.
func (hs *Handlers) nowhere(places []index.PlaceFilter) string {
	for _, place := range places {
		if m, ok := hs.atlas.ByRFB(place.Municipio); ok {
			return wording.InCity(m)
		}
		if uf, ok := hs.atlas.UF(place.UF); ok {
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
// searched too, corrected and dropped words. literal is the address that takes no word for a filter.
func (hs *Handlers) messages(snap *snapshot.Snapshot, u index.Understood, literal string) []message {
	var all []message
	var used []string // words used as filters
	for _, place := range u.Places {
		where, ok := hs.filters.Value(snap, filter.Municipio, place.Municipio)
		if !ok {
			where, _ = hs.filters.Value(snap, filter.UF, place.UF)
		}
		used = append(used, "“"+place.Words+"” ("+where.Text+")")
	}
	for i, c := range u.Conditions {
		if i == 0 || c.Words != u.Conditions[i-1].Words {
			used = append(used, "“"+c.Words+"”")
		}
	}
	if len(used) > 0 {
		all = append(all, message{
			Text: "Usado como filtro: " + ptbr.List(used) + ".", Undo: literal, UndoText: "Procurar estas palavras nos nomes",
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
	h, err := snap.Company(ctx, full.Root())
	if err == nil {
		_, err = snap.Establishment(ctx, &h, full.Order())
	}
	switch {
	case registry.IsAbsent(err):
		return 0, hint, nil
	case err != nil:
		return 0, numberHint{}, err
	}
	return full, numberHint{}, nil
}
