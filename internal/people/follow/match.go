package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/people/account"
	"razao/internal/people/webhook"
	"razao/internal/store/journal"
	"razao/internal/store/snapshot"
)

const (
	rootsAtOnce  = 2000 // read in one query
	walkedAtOnce = 1000 // events of a page of a walk
)

// search is a saved search of accounts with a mark. What it finds is bounded, so another mark finds
// something else.
type search struct {
	value string
	since int64
}

// subjectOf returns what an event to webhooks about an entry is about.
func subjectOf(e journal.Entry) webhook.Subject {
	return webhook.Subject{Seq: e.Load().Seq, Root: e.Root()}
}

// search looks for what the searches of an account find. One that somebody else has saved, too, and
// that is asked since the same mark, is asked once. answered is false if one failed.
func (r *round) search(ctx context.Context, m mark) (answered bool, err error) {
	rows, err := r.Store.pool.Query(ctx, `SELECT value FROM follow WHERE account_id = $1 AND kind = 'busca' ORDER BY value`, m.Account)
	if err != nil {
		return false, fmt.Errorf("followed searches: %w", err)
	}
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return false, fmt.Errorf("followed searches: %w", err)
	}
	for _, value := range values {
		s := search{value, m.Seq}
		if _, known := r.searches[s]; known {
			continue
		}
		q, err := r.Search(r.snap, value)
		if err == nil {
			r.searches[s], err = r.walk(ctx, q, m.Seq, MostSearchEvents, nil)
		} else {
			r.Log.Warn("saved search is not understood any more", "error", err)
			r.searches[s], err = nil, nil
		}
		if errors.Is(err, journal.ErrTooWide) {
			r.Log.Warn("saved search finds too much by now", "error", err)
			err = nil
		}
		if err != nil {
			r.Log.Error("saved search of followers", "error", err)
			delete(r.searches, s)
			return false, ctx.Err()
		}
	}
	return true, nil
}

// PartnerValue returns the value of a Partner: "" for one whose CPF has no visible digits.
func PartnerValue(p *record.Partner) string {
	digits, ok := p.VisibleDigits()
	slug := ptbr.Slug(p.NomeSocio)
	if !ok || slug == "" {
		return ""
	}
	return digits + "/" + slug
}

func valueOf(p change.Partner) string {
	return PartnerValue(&record.Partner{IdentificadorSocio: p.Type, NomeSocio: p.Name, CNPJCPFSocio: p.Document})
}

// matchPartners finds the events of all partners that accounts follow, in one walk.
func (r *round) matchPartners(ctx context.Context) error {
	r.partners = map[string][]webhook.Subject{}
	const query = `
		SELECT f.value, min(m.seq) AS since FROM follow f JOIN follow_mark m USING (account_id) WHERE f.kind = 'socio' AND ` + behind + ` GROUP BY f.value`
	rows, err := r.Store.pool.Query(ctx, query, r.end, r.done)
	if err != nil {
		return fmt.Errorf("followed partners: %w", err)
	}
	var partner string
	var first int64
	since := r.end
	if _, err := pgx.ForEachRow(rows, []any{&partner, &first}, func() error {
		r.partners[partner], since = nil, min(since, first)
		return nil
	}); err != nil {
		return fmt.Errorf("followed partners: %w", err)
	}
	if len(r.partners) == 0 {
		return nil
	}
	var q journal.Query
	for _, kind := range change.Kinds() {
		if kind.Part == change.Partners {
			q.Events = append(q.Events, kind.Code)
		}
	}
	q.Where = func(e *change.Event) bool {
		_, followed := r.partners[valueOf(e.Partner)]
		return followed
	}
	_, err = r.walk(ctx, q, since, 0, func(c *journal.Change) {
		value := valueOf(c.Partner)
		r.partners[value] = append(r.partners[value], webhook.Subject{Seq: c.Load.Seq, Root: c.Root})
	})
	return err
}

// walk returns the subjects of the events that a query finds, each once and at most n, 0 for all; each, if
// not nil, is called for every event.
func (r *round) walk(ctx context.Context, q journal.Query, since int64, n int, each func(*journal.Change)) ([]webhook.Subject, error) {
	q.Limit, q.From.Seq = walkedAtOnce, since
	var subjects []webhook.Subject
	for {
		page, err := r.page(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range page.Changes {
			c := &page.Changes[i]
			if each != nil {
				each(c)
			}
			at := webhook.Subject{Seq: c.Load.Seq, Root: c.Root}
			if at.Seq < r.end && (len(subjects) == 0 || subjects[len(subjects)-1] != at) {
				if subjects = append(subjects, at); len(subjects) == n {
					return subjects, nil
				}
			}
		}
		if !page.More {
			return subjects, nil
		}
		q.From = page.Next
	}
}

// page returns a page of the history, from its beginning if that is behind the wanted position.
func (r *round) page(ctx context.Context, q journal.Query) (journal.Page, error) {
	page, err := journal.Walk(ctx, r.snap, q)
	if tooOld, ok := errors.AsType[*journal.TooOldError](err); ok {
		q.From = tooOld.Oldest
		return journal.Walk(ctx, r.snap, q)
	}
	return page, err
}

// changed returns what accounts are to be notified of, by load and root.
func (r *round) changed(ctx context.Context, waiting []mark) (map[account.ID][]journal.Entry, error) {
	wanted, err := r.wanted(ctx, waiting)
	if err != nil {
		return nil, err
	}
	since := r.end
	roots := map[cnpj.Root]bool{}
	for _, m := range waiting {
		since = min(since, m.Seq)
		for root := range wanted[m.Account] {
			roots[root] = true
		}
	}
	all, err := ChangedOf(ctx, r.snap, slices.Collect(maps.Keys(roots)), since)
	if err != nil {
		return nil, err
	}
	of := map[account.ID][]journal.Entry{}
	for _, m := range waiting {
		for root, seqs := range wanted[m.Account] {
			for _, c := range all[root] {
				if seq := c.Load().Seq; m.Seq <= seq && seq < r.end && (seqs == nil || slices.Contains(seqs, seq)) {
					of[m.Account] = append(of[m.Account], c)
				}
			}
		}
		slices.SortFunc(of[m.Account], func(a, b journal.Entry) int {
			return cmp.Or(cmp.Compare(a.Load().Seq, b.Load().Seq), cmp.Compare(a.Root(), b.Root()))
		})
	}
	return of, nil
}

// wanted returns the roots that accounts are notified of, each with the loads; nil: all of them.
func (r *round) wanted(ctx context.Context, waiting []mark) (map[account.ID]map[cnpj.Root][]int64, error) {
	since := map[account.ID]int64{}
	wanted := map[account.ID]map[cnpj.Root][]int64{}
	for _, m := range waiting {
		since[m.Account], wanted[m.Account] = m.Seq, map[cnpj.Root][]int64{}
	}
	const query = `SELECT account_id, kind, value FROM follow WHERE account_id = ANY($1) ORDER BY kind = 'empresa'`
	rows, err := r.Store.pool.Query(ctx, query, slices.Collect(maps.Keys(since)))
	if err != nil {
		return nil, fmt.Errorf("what is followed: %w", err)
	}
	var id account.ID
	var f Follow
	_, err = pgx.ForEachRow(rows, []any{&id, &f.Kind, &f.Value}, func() error {
		subjects := r.partners[f.Value]
		switch f.Kind {
		case Company: // comes last
			root, err := cnpj.ParseRoot(f.Value)
			wanted[id][root] = nil
			return err
		case Search:
			subjects = r.searches[search{f.Value, since[id]}]
		}
		for _, at := range subjects {
			wanted[id][at.Root] = append(wanted[id][at.Root], at.Seq)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("what is followed: %w", err)
	}
	return wanted, nil
}

// ChangedOf returns what loads from a number of the journal on changed of companies, the newest first.
func ChangedOf(ctx context.Context, snap *snapshot.Snapshot, roots []cnpj.Root, since int64) (map[cnpj.Root][]journal.Entry, error) {
	all := map[cnpj.Root][]journal.Entry{}
	for part := range slices.Chunk(roots, rootsAtOnce) {
		found, err := journal.OfCompanies(ctx, snap, part, since)
		if err != nil {
			return nil, err
		}
		for root, changes := range found {
			all[root] = journal.Entries(changes)
		}
	}
	return all, nil
}
