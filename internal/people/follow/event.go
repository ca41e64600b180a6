package follow

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/people/account"
	"razao/internal/people/webhook"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
)

// Types of events.
const (
	CompanyChanged = "empresa.mudou"  // what one load changed of one company
	LoadWithdrawn  = "carga.retirada" // a load of which the webhook was told is not part of the history any more
)

// envelope is the body of a message as Standard Webhooks recommends it.
type envelope struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      any    `json:"data"`
}

// companyBody is what one load changed of a company; the events are those of GET /v2/mudancas.
type companyBody struct {
	CNPJBasico string          `json:"cnpj_basico"`
	Itens      json.RawMessage `json:"itens"`
	URL        string          `json:"url"` // of the company's page
}

// loadBody is a load that was withdrawn, as GET /v2/mudancas names it.
type loadBody struct {
	Fonte       string `json:"fonte"`
	Competencia string `json:"competencia"`
	Carga       int64  `json:"carga"`
}

// bodyOf returns the body of the event of a company and load, which all its followers get.
func (r *round) bodyOf(c *Changed) (string, error) {
	at := place{c.Seq(), c.Root}
	if body, ok := r.bodies[at]; ok {
		return body, nil
	}
	items := []byte{'['}
	for i := range c.Changes {
		items = r.renderer.AppendEvent(render.AppendComma(items, i), &c.Changes[i])
	}
	e, err := newEvent(CompanyChanged, companyBody{c.Root.String(), append(items, ']'), r.URL + "/" + c.Root.String()})
	r.bodies[at] = e.Body
	return e.Body, err
}

func newEvent(kind string, data any) (webhook.Event, error) {
	body, err := json.Marshal(envelope{kind, webhook.Timestamp(time.Now()), data})
	if err != nil {
		return webhook.Event{}, fmt.Errorf("body of an event: %w", err)
	}
	return webhook.Event{Type: kind, Body: string(body)}, nil
}

// withdrawal is a load that was told and is withdrawn.
type withdrawal struct {
	told  int64
	event webhook.Event
}

// withdrawn returns the loads withdrawn since the marks of accounts.
func (r *round) withdrawn(ctx context.Context, waiting []mark) (map[account.ID][]withdrawal, error) {
	of := map[account.ID][]withdrawal{}
	since := map[int64][]withdrawal{}
	for _, m := range waiting {
		if _, known := since[m.Seq]; !known {
			q := snapshot.ChangeQuery{Events: []string{}, Limit: 1} // no events: only where the history goes on
			q.From.Seq = m.Seq
			page, err := r.page(ctx, q)
			if err != nil {
				return nil, err
			}
			since[m.Seq] = nil
			for _, w := range page.Withdrawn {
				e, err := newEvent(LoadWithdrawn, loadBody{w.Source, w.Period, w.Load})
				if err != nil {
					return nil, err
				}
				since[m.Seq] = append(since[m.Seq], withdrawal{w.Told, e})
			}
		}
		of[m.Account] = since[m.Seq]
	}
	return of, nil
}

// queueEvents queues what accounts with webhooks are told.
func (r *round) queueEvents(ctx context.Context, tx pgx.Tx, told []mark, changed map[account.ID][]Changed, withdrawn map[account.ID][]withdrawal) error {
	var ids []account.ID
	for _, m := range told {
		ids = append(ids, m.Account)
	}
	webhooks, err := webhook.InUse(ctx, tx, ids)
	if err != nil {
		return err
	}
	var events []webhook.Of
	for id, all := range webhooks {
		due, err := r.eventsOf(ctx, tx, id, changed[id], withdrawn[id])
		if err != nil {
			return err
		}
		for _, to := range all {
			for _, e := range due {
				events = append(events, webhook.Of{Webhook: to, Event: e})
			}
		}
	}
	return webhook.Queue(ctx, tx, events)
}

func (r *round) eventsOf(ctx context.Context, tx pgx.Tx, id account.ID, changed []Changed, withdrawn []withdrawal) (due []webhook.Event, err error) {
	for _, w := range withdrawn {
		var knows bool
		const query = `SELECT EXISTS (SELECT FROM follow_told WHERE account_id = $1 AND seq = $2)`
		if err := tx.QueryRow(ctx, query, id, w.told).Scan(&knows); err != nil {
			return nil, err
		}
		if knows {
			due = append(due, w.event)
		}
	}
	for i := range changed {
		body, err := r.bodyOf(&changed[i])
		if err != nil {
			return nil, err
		}
		due = append(due, webhook.Event{Type: CompanyChanged, Body: body})
	}
	return due, nil
}

// Recent returns what an account was told last of the loads that are still part of the history, the
// newest first, at most n.
func (s *Store) Recent(ctx context.Context, snap *snapshot.Snapshot, id account.ID, n int) ([]Changed, error) {
	told, err := s.Told(ctx, id, n)
	if err != nil || len(told) == 0 {
		return nil, err
	}
	var roots []cnpj.Root
	for _, t := range told {
		roots = append(roots, t.Root)
	}
	all, err := ChangedOf(ctx, snap, roots, told[len(told)-1].Seq)
	if err != nil {
		return nil, err
	}
	var recent []Changed
	for _, t := range told {
		for _, c := range all[t.Root] {
			if c.Seq() == t.Seq {
				recent = append(recent, c)
			}
		}
	}
	return recent, nil
}
