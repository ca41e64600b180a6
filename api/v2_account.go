package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index/filter"
	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/people/webhook"
	"razao/internal/store/journal"
	"razao/internal/store/render"
	"razao/internal/web"
)

// Paths of what belongs to the account of the key. Every operation on one of them answers with the whole list as
// it is then.
const (
	followingPath = "/v2/conta/seguindo"
	webhooksPath  = "/v2/conta/webhooks"
)

const (
	mostToFollow   = 1000 // values of one request
	deliveriesSent = 50
)

var (
	errAccountLimit = errors.New("the account has the maximum of it")
	errBody         = errors.New("not the body of this operation")
)

// paceError refuses what an account asks of its webhooks too often.
type paceError struct{ many *web.TooManyError }

func (*paceError) Error() string   { return "the account asks too often of its webhooks" }
func (e *paceError) Unwrap() error { return e.many }

// registerAccount adds the routes for what belongs to the account of the key.
func (a *API) registerAccount(routes gin.IRouter) {
	if a.config.Follows == nil {
		return
	}
	web.Get(routes, followingPath, a.protect, a.shed, a.keyed(a.following))
	routes.POST(followingPath, a.protect, a.receive, a.shed, a.keyed(a.follow))
	routes.DELETE(followingPath, a.protect, a.shed, a.keyed(a.unfollow))
	web.Get(routes, webhooksPath, a.protect, a.shed, a.keyed(a.webhooks))
	routes.POST(webhooksPath, a.protect, a.receive, a.shed, a.keyed(a.createWebhook))
	one := routes.Group(webhooksPath + "/:id")
	one.DELETE("", a.protect, a.shed, a.keyed(a.changeWebhook(a.config.Webhooks.Delete)))
	one.POST("/teste", a.protect, a.shed, a.keyed(a.changeWebhook(func(ctx context.Context, id account.ID, hook int64) error {
		return a.config.Webhooks.Test(ctx, id, web.NewForm(), hook)
	})))
	one.POST("/ligar", a.protect, a.shed, a.keyed(a.changeWebhook(a.config.Webhooks.Enable)))
}

// followed is a thing that an account follows.
type followed struct {
	Kind  follow.Kind `json:"tipo"`
	Value string      `json:"valor"`
	Since time.Time   `json:"desde"`
}

// following answers with what the account follows.
func (a *API) following(c *gin.Context, b *body) error {
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	return a.appendFollowing(c, b)
}

func (a *API) appendFollowing(c *gin.Context, b *body) error {
	all, err := a.config.Follows.List(c.Request.Context(), accountOf(c))
	if err != nil {
		return err
	}
	items := make([]followed, 0, len(all))
	for _, f := range all {
		items = append(items, followed{f.Kind, f.Value, f.Since.UTC()})
	}
	return appendOwn(c, b, "seguindo", struct {
		Items  []followed          `json:"itens"`
		Limits map[follow.Kind]int `json:"limites"`
	}{items, follow.Most})
}

// toFollow is the body of a request to follow.
type toFollow struct {
	Kind   follow.Kind `json:"tipo"`
	Values []string    `json:"valores"`
}

// follow lets the account follow all values or, if one cannot be followed, none. Each search beside the first costs a call: it is
// run to see whether it finds too much.
func (a *API) follow(c *gin.Context, b *body) error {
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	var asked toFollow
	if err := readJSON(c, &asked); err != nil {
		return err
	}
	if n := len(asked.Values); n == 0 || n > mostToFollow {
		return wrong("valores", strconv.Itoa(n), fmt.Sprintf("Envie de 1 a %d valores.", mostToFollow))
	}
	slices.Sort(asked.Values)
	asked.Values = slices.Compact(asked.Values)
	if asked.Kind == follow.Search {
		if err := a.admitFurther(c, len(asked.Values)-1); err != nil {
			return err
		}
	}
	ctx, values := c.Request.Context(), make([]string, 0, len(asked.Values))
	for _, value := range asked.Values {
		f, err := a.readFollow(ctx, asked.Kind, value)
		if err != nil {
			return err
		}
		values = append(values, f.Value)
	}
	if err := a.config.Follows.Add(ctx, accountOf(c), asked.Kind, values...); err != nil {
		return ownError(err)
	}
	return a.appendFollowing(c, b)
}

// unfollow ends following one value. It is idempotent.
func (a *API) unfollow(c *gin.Context, b *body) error {
	query, err := parameters(c.Request.URL, "tipo", "valor")
	if err != nil {
		return err
	}
	kind, value := follow.Kind(query.Get("tipo")), query.Get("valor")
	if follow.Most[kind] == 0 {
		return wrongKind(kind)
	}
	if value == "" {
		return wrong("valor", value, "Envie o que deixar de seguir.")
	}
	if f, err := a.readFollow(c.Request.Context(), kind, value); err == nil {
		value = f.Value // however it is written; a search that is not understood any more goes as it was stored
	}
	if err := a.config.Follows.Remove(c.Request.Context(), accountOf(c), kind, value); err != nil {
		return err
	}
	return a.appendFollowing(c, b)
}

// readFollow reads a value to follow. The error is a parameterError that says what it must be, or trouble.
func (a *API) readFollow(ctx context.Context, kind follow.Kind, value string) (follow.Follow, error) {
	f, err := follow.Read(ctx, a.config.Live, kind, value)
	var refused *filter.ReadError
	var notSaved *journal.NotSavedError
	switch {
	case follow.Most[kind] == 0:
		err = wrongKind(kind)
	case errors.Is(err, journal.ErrTooWide):
		err = wrong("valores", value, "Esta busca acha empresas demais para serem seguidas. Acrescente um filtro ou uma palavra.")
	case errors.As(err, &refused):
		err = wrong("valores", value, "Em "+refused.Name+": "+cmp.Or(refused.Must, "valor inválido."))
	case errors.As(err, &notSaved):
		err = wrong("valores", value, "Uma busca seguida só tem q e filtros, e não "+repeated(notSaved.Name)+".")
	case errors.Is(err, follow.ErrInvalid):
		err = wrong("valores", value, map[follow.Kind]string{
			follow.Company: "Deve ser o CNPJ de uma empresa ou de um estabelecimento dela.",
			follow.Partner: "Devem ser os seis dígitos visíveis do CPF e o nome: 456789/ana-lima.",
			follow.Search:  "Devem ser palavras (q) e filtros da busca, como no endereço dela: uf=SP&porte=03.",
		}[kind])
	}
	return f, err
}

func wrongKind(kind follow.Kind) error {
	return wrong("tipo", string(kind), "Valores possíveis: empresa, socio, busca.")
}

// hook is a webhook of an account.
type hook struct {
	ID         int64      `json:"id"`
	URL        string     `json:"url"`
	CreatedAt  time.Time  `json:"criado_em"`
	Disabled   *string    `json:"desligado"`
	Failures   int        `json:"falhas_seguidas"`
	RestsUntil *time.Time `json:"em_pausa_ate"`
}

// delivery is an event for a webhook.
type delivery struct {
	ID        string     `json:"id"`
	Webhook   int64      `json:"webhook"`
	Event     string     `json:"evento"`
	CreatedAt time.Time  `json:"criado_em"`
	Tries     int        `json:"tentativas"`
	Delivered *time.Time `json:"entregue_em"`
	Next      *time.Time `json:"proxima_tentativa"`
	Answer    string     `json:"resposta"`
}

// created is a webhook that a request has just created: only its answer has the secret.
type created struct {
	ID     int64  `json:"id"`
	Secret string `json:"segredo"`
}

// webhooks answers with the webhooks of the account and what was sent to them last.
func (a *API) webhooks(c *gin.Context, b *body) error {
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	return a.appendWebhooks(c, b, "", "")
}

// appendWebhooks appends the webhooks of the account. secret is that of the one that was just created for an address, if any.
func (a *API) appendWebhooks(c *gin.Context, b *body, address, secret string) error {
	ctx := c.Request.Context()
	all, err := a.config.Webhooks.List(ctx, accountOf(c))
	if err != nil {
		return err
	}
	sent, err := a.config.Webhooks.Deliveries(ctx, accountOf(c), deliveriesSent)
	if err != nil {
		return err
	}
	answer := struct {
		Items      []hook     `json:"itens"`
		Created    *created   `json:"criado"`
		Deliveries []delivery `json:"entregas"`
		Limit      int        `json:"limite"`
	}{Items: make([]hook, 0, len(all)), Deliveries: make([]delivery, 0, len(sent)), Limit: webhook.Most}
	for _, w := range all {
		h := hook{w.ID, w.URL, w.CreatedAt.UTC(), nil, w.Failures, utc(w.RestsUntil)}
		if w.Disabled != "" {
			h.Disabled = &w.Disabled
		}
		if secret != "" && w.URL == address {
			answer.Created = &created{w.ID, secret}
		}
		answer.Items = append(answer.Items, h)
	}
	for _, d := range sent {
		answer.Deliveries = append(answer.Deliveries, delivery{
			d.ID.String(), d.Webhook, d.Event, d.CreatedAt.UTC(), d.Tries, utc(d.Delivered), utc(d.Next), d.Answer,
		})
	}
	return appendOwn(c, b, "webhooks", answer)
}

func utc(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	moment := at.UTC()
	return &moment
}

// createWebhook adds a webhook to the account; its secret is in this answer alone.
func (a *API) createWebhook(c *gin.Context, b *body) error {
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	var asked struct {
		URL string `json:"url"`
	}
	if err := readJSON(c, &asked); err != nil {
		return err
	}
	secret, err := a.config.Webhooks.Create(c.Request.Context(), accountOf(c), web.NewForm(), asked.URL)
	if errors.Is(err, webhook.ErrURL) {
		return wrong("url", asked.URL, "Envie um endereço completo que começa com https://, sem usuário e sem #.")
	}
	if err != nil {
		return ownError(err)
	}
	return a.appendWebhooks(c, b, asked.URL, secret)
}

// changeWebhook does something to a webhook of the account. What is no number is the id of none.
func (a *API) changeWebhook(do func(ctx context.Context, id account.ID, hook int64) error) handler {
	return func(c *gin.Context, b *body) error {
		if _, err := parameters(c.Request.URL); err != nil {
			return err
		}
		hook, err := strconv.ParseInt(c.Param("id"), 10, 64)
		if err != nil {
			return webhook.ErrNone
		}
		if err := do(c.Request.Context(), accountOf(c), hook); err != nil {
			return ownError(err)
		}
		return a.appendWebhooks(c, b, "", "")
	}
}

// ownError turns what stores of accounts refuse into errors that failureOf knows.
func ownError(err error) error {
	var many *web.TooManyError
	switch {
	case errors.As(err, &many):
		return &paceError{many}
	case errors.Is(err, follow.ErrTooMany), errors.Is(err, webhook.ErrTooMany):
		return fmt.Errorf("%w: %w", errAccountLimit, err)
	}
	return err
}

// accountOf returns the account of an admitted call.
func accountOf(c *gin.Context) account.ID {
	return account.ID(web.EventOf(c.Request.Context()).Account)
}

// appendOwn appends an answer about the account itself, which no load has a part in.
func appendOwn(c *gin.Context, b *body, recurso string, dados any) error {
	text, err := json.Marshal(dados)
	if err != nil {
		return fmt.Errorf("encode %s: %w", recurso, err)
	}
	b.bytes = append(append(b.bytes, `{"dados":`...), text...)
	if c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead {
		b.etag = web.ETag(b.bytes)
	}
	b.bytes = appendRelease(b.bytes, recurso)
	b.bytes = append(render.AppendText(b.bytes, `,"requisicao_id":`, web.EventOf(c.Request.Context()).RequestID), "}}"...)
	return nil
}

// ownStatuses are the error statuses of operations on what belongs to the account.
func ownStatuses(further ...int) []int {
	return slices.Concat([]int{http.StatusBadRequest, http.StatusUnauthorized}, further, []int{http.StatusTooManyRequests, http.StatusServiceUnavailable})
}
