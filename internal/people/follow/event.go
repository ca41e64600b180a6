package follow

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/people/account"
	"razao/internal/people/webhook"
	"razao/internal/store/journal"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
)

// Types of events.
const (
	CompanyChanged = "empresa.mudou"  // what one load changed of one company
	LoadWithdrawn  = "carga.retirada" // a load that was announced to the webhook is not part of the history any more
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

// Event writes the body of an event about a company: it is a [webhook.Writer]. It reads what the feed
// reads, so it has what may be shown now, and the same bytes each time until that changes.
func (n *Notifier) Event(ctx context.Context, about webhook.Subject, at time.Time) (string, error) {
	whole, err := n.Live.Acquire()
	if err != nil {
		return "", err
	}
	defer whole.Release()
	if about.Seq >= journal.End(whole).Seq {
		return "", webhook.ErrNotYet
	}
	snap := whole.ForVisitors()
	all, err := ChangedOf(ctx, snap, []cnpj.Root{about.Root}, about.Seq)
	if err != nil {
		return "", err
	}
	for _, e := range all[about.Root] {
		if subjectOf(e) == about {
			return n.bodyOf(render.Of(snap), e, at)
		}
	}
	return "", webhook.ErrWithdrawn
}

// bodyOf returns the body of the event of a company and load, which all its followers get.
func (n *Notifier) bodyOf(r *render.Renderer, e journal.Entry, at time.Time) (string, error) {
	items := []byte{'['}
	for i := range e {
		items = r.AppendEvent(render.AppendComma(items, i), &e[i])
	}
	return newBody(CompanyChanged, at, companyBody{e.Root().String(), append(items, ']'), n.URL + "/" + e.Root().String()})
}

func newBody(kind string, at time.Time, data any) (string, error) {
	body, err := json.Marshal(envelope{kind, webhook.Timestamp(at), data})
	if err != nil {
		return "", fmt.Errorf("body of an event: %w", err)
	}
	return string(body), nil
}

// withdrawal is a load that was announced and is withdrawn.
type withdrawal struct {
	announced int64 // as which number of the journal
	event     webhook.Event
}

// withdrawn returns the loads withdrawn since the marks of accounts.
func (r *round) withdrawn(ctx context.Context, waiting []mark) (map[account.ID][]withdrawal, error) {
	of := map[account.ID][]withdrawal{}
	since := map[int64][]withdrawal{}
	for _, m := range waiting {
		if _, known := since[m.Seq]; !known {
			q := journal.Query{Events: []string{}, Limit: 1} // no events: only where the history goes on
			q.From.Seq = m.Seq
			page, err := r.page(ctx, q)
			if err != nil {
				return nil, err
			}
			since[m.Seq] = nil
			for _, w := range page.Withdrawn {
				load := render.AppendWithdrawnLoad(nil, &record.WithdrawnLoad{Fonte: w.Source, Competencia: w.Period, Carga: w.Load})
				body, err := newBody(LoadWithdrawn, time.Now(), json.RawMessage(load))
				if err != nil {
					return nil, err
				}
				since[m.Seq] = append(since[m.Seq], withdrawal{w.Announced, webhook.Event{Type: LoadWithdrawn, Body: body}})
			}
		}
		of[m.Account] = since[m.Seq]
	}
	return of, nil
}

// queueEvents queues what the webhooks of accounts are notified of.
func (r *round) queueEvents(ctx context.Context, tx pgx.Tx, notified []mark, changed map[account.ID][]journal.Entry, withdrawn map[account.ID][]withdrawal) error {
	var ids []account.ID
	for _, m := range notified {
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

func (r *round) eventsOf(ctx context.Context, tx pgx.Tx, id account.ID, changed []journal.Entry, withdrawn []withdrawal) (due []webhook.Event, err error) {
	for _, w := range withdrawn {
		var knows bool
		const query = `SELECT EXISTS (SELECT FROM follow_told WHERE account_id = $1 AND seq = $2)`
		if err := tx.QueryRow(ctx, query, id, w.announced).Scan(&knows); err != nil {
			return nil, err
		}
		if knows {
			due = append(due, w.event)
		}
	}
	for _, e := range changed {
		about := subjectOf(e)
		due = append(due, webhook.Event{Type: CompanyChanged, About: &about})
	}
	return due, nil
}

// Recent returns what an account was notified of last, of the loads that are still part of the history, the
// newest first, at most n.
func (s *Store) Recent(ctx context.Context, snap *snapshot.Snapshot, id account.ID, n int) ([]journal.Entry, error) {
	const query = `SELECT seq, root FROM follow_told WHERE account_id = $1 ORDER BY seq DESC, root LIMIT $2`
	return s.entries(ctx, snap, query, id, n)
}

// entries returns the entries of notices, in the order of a query, as they may be shown now, without loads
// that are not part of the history any more.
func (s *Store) entries(ctx context.Context, snap *snapshot.Snapshot, query string, args ...any) ([]journal.Entry, error) {
	rows, err := s.pool.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("notices: %w", err)
	}
	notices, err := pgx.CollectRows(rows, pgx.RowToStructByPos[webhook.Subject])
	if err != nil {
		return nil, fmt.Errorf("notices: %w", err)
	}
	if len(notices) == 0 {
		return nil, nil
	}
	var roots []cnpj.Root
	since := notices[0].Seq
	for _, n := range notices {
		roots, since = append(roots, n.Root), min(since, n.Seq)
	}
	all, err := ChangedOf(ctx, snap, roots, since)
	if err != nil {
		return nil, err
	}
	var entries []journal.Entry
	for _, n := range notices {
		for _, e := range all[n.Root] {
			if subjectOf(e) == n {
				entries = append(entries, e)
			}
		}
	}
	return entries, nil
}
