package find

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/territory"
	"razao/internal/web"
	"razao/site/page"
)

const (
	maxSuggestions = 10
	suggestionTime = 250 * time.Millisecond // an answer that comes later helps nobody who is typing
)

// suggestionsBody is the answer of /sugestoes.
type suggestionsBody struct {
	Q     string       `json:"q"`
	Items []suggestion `json:"itens"`
}

// suggestion is one completion of what was typed.
type suggestion struct {
	Kind   string  `json:"tipo"` // empresa or municipio
	CNPJ   *string `json:"cnpj"` // null for a municipality
	Title  string  `json:"titulo"`
	Detail string  `json:"detalhe"`
	URL    string  `json:"url"`
}

// suggestions answers /sugestoes: always 200, with an empty list when there is nothing to say or no way to say it in
// time.
func (rm *Room) suggestions(c *gin.Context) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), rm.suggestionTime)
	defer cancel()
	text, _ := cutQuery(c.Query("q"))
	body := suggestionsBody{Q: text, Items: []suggestion{}}
	caching := "public, max-age=300"
	if text != "" {
		items, err := rm.suggest(ctx, text)
		if err != nil {
			caching = "no-store"
			web.EventOf(ctx).Fail(err)
		} else {
			body.Items = items
		}
	}
	c.Header("Cache-Control", caching)
	rm.pages.SendJSON(c, http.StatusOK, body)
}

// NoSuggestions answers /sugestoes when there is no time to look.
func (rm *Room) NoSuggestions(c *gin.Context, err error) {
	web.EventOf(c.Request.Context()).Fail(err)
	text, _ := cutQuery(c.Query("q"))
	c.Header("Cache-Control", "no-store")
	rm.pages.SendJSON(c, http.StatusOK, suggestionsBody{Q: text, Items: []suggestion{}})
}

// suggest returns at most maxSuggestions, never nil without an error: municipalities whose name was typed, companies,
// municipalities whose name may become what was typed.
func (rm *Room) suggest(ctx context.Context, text string) ([]suggestion, error) {
	snap, err := rm.pages.Live.Acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	whole, others := rm.municipalities.suggest(text)
	matches, err := snap.Suggest(ctx, text, maxSuggestions-len(whole)-len(others))
	if err != nil {
		return nil, err
	}
	items := make([]suggestion, 0, maxSuggestions)
	for _, m := range whole {
		items = append(items, suggestPlace(m))
	}
	for i, r := range rm.resultsOf(snap, matches) {
		items = append(items, suggestCompany(r, matches[i].Partner))
	}
	for _, m := range others {
		items = append(items, suggestPlace(m))
	}
	return items, nil
}

// suggestCompany suggests a company; partner is by whom it was found, or nil.
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
