package find

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index/filter"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/web"
	"razao/site/page"
)

// Bounds of suggestions.
const (
	maxSuggestions = 10
	maxPlaces      = 3                      // municipalities whose whole name was typed
	maxOtherPlaces = 2                      // municipalities whose name begins with it
	suggestionTime = 250 * time.Millisecond // a later answer would find other text in the box

	suggestionAge = 5 * time.Minute // max-age for browsers and shared caches
)

// suggestionsBody is the JSON of /sugestoes.
type suggestionsBody struct {
	Q     string       `json:"q"`
	Items []suggestion `json:"itens"`
}

// suggestion is one completion: a company or a municipality.
type suggestion struct {
	Kind   string  `json:"tipo"` // empresa or municipio
	CNPJ   *string `json:"cnpj"` // null for a municipality
	Title  string  `json:"titulo"`
	Detail string  `json:"detalhe"`
	URL    string  `json:"url"`
}

// suggestions answers /sugestoes. The status is always 200: errors and timeouts are logged and give
// an empty list, because a broken suggestion must not disturb typing.
func (hs *Handlers) suggestions(c *gin.Context) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), hs.suggestionTime)
	defer cancel()
	text, _ := cutQuery(c.Query("q"))
	body := suggestionsBody{Q: text, Items: []suggestion{}}
	caching := web.Caching{For: web.Everyone, Age: suggestionAge}
	if text != "" {
		var err error
		body.Items, caching, err = hs.suggest(ctx, text)
		web.EventOf(ctx).Fail(err)
	}
	hs.pages.SendJSON(c, http.StatusOK, body, caching)
}

// valuesBody is the JSON of /sugestoes/valores.
type valuesBody struct {
	Items []valueItem `json:"itens"`
}

// valueItem is a value as the filter's field takes it, with its description.
type valueItem struct {
	Value string `json:"valor"`
	Text  string `json:"texto"`
}

// values answers /sugestoes/valores with at most maxSuggestions values of a filter. Without a load
// it completes from built-in tables only.
func (hs *Handlers) values(c *gin.Context) {
	name := c.Query("filtro")
	f := filter.Named(name)
	if f == nil || !f.Completes() {
		hs.pages.Fail(c, page.UnknownValue("filtro", name, "Deve ser "+ptbr.Alternatives(CompletedFilters())+"."))
		return
	}
	var tables record.Domains
	var caching web.Caching
	if snap, err := hs.pages.Live.Acquire(); err == nil {
		defer snap.Release()
		tables, caching = snap.Domains, page.ForEveryone(snap, suggestionAge)
	} else {
		web.EventOf(c.Request.Context()).Fail(err)
	}
	body := valuesBody{Items: []valueItem{}}
	text, _ := cutQuery(c.Query("q"))
	for _, o := range hs.filters.Complete(tables, f, text, maxSuggestions) {
		body.Items = append(body.Items, valueItem(o))
	}
	hs.pages.SendJSON(c, http.StatusOK, body, caching)
}

// CompletedFilters returns the names of the filters that /sugestoes/valores completes, in the order
// of package filter.
func CompletedFilters() []string {
	var names []string
	for _, c := range filter.All() {
		if c.Completes() {
			names = append(names, c.Name)
		}
	}
	return names
}

// NoSuggestions answers a suggestion request that was shed under load: an empty list with status
// 200.
func (hs *Handlers) NoSuggestions(c *gin.Context, err error) {
	web.EventOf(c.Request.Context()).Fail(err)
	if c.FullPath() == valuesPath {
		hs.pages.SendJSON(c, http.StatusOK, valuesBody{Items: []valueItem{}}, web.Caching{})
		return
	}
	text, _ := cutQuery(c.Query("q"))
	hs.pages.SendJSON(c, http.StatusOK, suggestionsBody{Q: text, Items: []suggestion{}}, web.Caching{})
}

// suggest returns at most maxSuggestions items, never nil, in this order: municipalities with
// exactly this name, companies, municipalities whose name begins with the text (only when there are
// none of the first).
func (hs *Handlers) suggest(ctx context.Context, text string) ([]suggestion, web.Caching, error) {
	snap, err := hs.pages.Live.Acquire()
	if err != nil {
		return []suggestion{}, web.Caching{}, err
	}
	defer snap.Release()
	full, _, err := numberIn(ctx, snap, text)
	if err != nil {
		return []suggestion{}, web.Caching{}, err
	}
	if full != 0 {
		text = full.String() // the index reads no number without its leading zeros
	}
	whole, others := hs.filters.Places(text, maxPlaces, maxOtherPlaces)
	if len(whole) > 0 {
		others = nil
	}
	matches, err := snap.Suggest(ctx, text, maxSuggestions-len(whole)-len(others))
	if err != nil {
		return []suggestion{}, web.Caching{}, err
	}
	items := make([]suggestion, 0, maxSuggestions)
	for _, m := range whole {
		items = append(items, suggestPlace(m))
	}
	for i, r := range hs.resultsOf(snap, matches) {
		items = append(items, suggestCompany(r, matches[i].Partner))
	}
	for _, m := range others {
		items = append(items, suggestPlace(m))
	}
	return items, page.ForEveryone(snap, suggestionAge), nil
}

// suggestCompany returns a company as a suggestion. partner is the one whose name matched, or nil.
func suggestCompany(r result, partner *record.Partner) suggestion {
	number, found := r.CNPJ.String(), ""
	if partner != nil {
		found = "Sócio: " + ptbr.Partner(partner)
	}
	return suggestion{
		Kind: "empresa", CNPJ: &number, Title: r.Name, URL: "/" + number,
		Detail: ptbr.Join(" · ", found, r.TradeName, r.City, r.CNPJ.Masked(), r.Status.Text),
	}
}

func suggestPlace(m territory.Municipality) suggestion {
	return suggestion{Kind: "municipio", Title: m.Name, Detail: "Município · " + m.UF, URL: page.MunicipalityPath(m)}
}
