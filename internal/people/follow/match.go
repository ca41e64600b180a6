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
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
)

const (
	rootsAtOnce  = 2000 // read in one query
	walkedAtOnce = 1000 // events of a page of a walk
)

// place is a company in a load.
type place struct {
	seq  int64
	root cnpj.Root
}

// saved is a search of an account with a mark. The places found are bounded, so another mark finds
// others.
type saved struct {
	value string
	since int64
}

// match looks once for what is common to many accounts: partners, in one walk for all, and searches.
func (r *round) match(ctx context.Context) error {
	r.partners, r.searches, r.bodies, r.renderer = map[string][]place{}, map[saved][]place{}, map[place]string{}, render.Of(r.snap)
	const query = `
		SELECT DISTINCT f.kind, f.value, m.seq FROM follow f JOIN follow_mark m USING (account_id)
		WHERE f.kind <> 'empresa' AND ` + behind
	rows, err := r.Store.pool.Query(ctx, query, r.end, r.snap.Searchable())
	if err != nil {
		return fmt.Errorf("followed partners and searches: %w", err)
	}
	var kind Kind
	var s saved
	first := r.end
	if _, err := pgx.ForEachRow(rows, []any{&kind, &s.value, &s.since}, func() error {
		if kind == Search {
			r.searches[s] = nil
			return nil
		}
		r.partners[s.value], first = nil, min(first, s.since)
		return nil
	}); err != nil {
		return fmt.Errorf("followed partners and searches: %w", err)
	}
	if err := r.matchPartners(ctx, first); err != nil {
		return err
	}
	for s := range r.searches {
		q, err := r.Search(r.snap, s.value)
		if err != nil {
			r.Log.Warn("saved search is not understood any more", "error", err)
			continue
		}
		r.searches[s], err = r.walk(ctx, q, s.since, MostSearchEvents, nil)
		if errors.Is(err, snapshot.ErrTooWide) {
			r.Log.Warn("saved search finds too much by now", "error", err)
			continue
		}
		if err != nil {
			r.Log.Error("saved search of followers", "error", err)
			if err := r.putOff(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// putOff leaves accounts with a search that could not be answered for a later round: not to know is not
// to have found nothing.
func (r *round) putOff(ctx context.Context, s saved) error {
	rows, err := r.Store.pool.Query(ctx, `SELECT account_id FROM follow WHERE kind = 'busca' AND value = $1`, s.value)
	if err != nil {
		return fmt.Errorf("accounts with a search: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[account.ID])
	if err != nil {
		return fmt.Errorf("accounts with a search: %w", err)
	}
	r.stuck = append(r.stuck, ids...)
	return nil
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

// matchPartners finds the events of all followed partners.
func (r *round) matchPartners(ctx context.Context, since int64) error {
	if len(r.partners) == 0 {
		return nil
	}
	var q snapshot.ChangeQuery
	for _, kind := range change.Kinds() {
		if kind.Part == change.Partners {
			q.Events = append(q.Events, kind.Code)
		}
	}
	q.Where = func(e *change.Event) bool {
		_, followed := r.partners[valueOf(e.Partner)]
		return followed
	}
	_, err := r.walk(ctx, q, since, 0, func(c *snapshot.Change) {
		value := valueOf(c.Partner)
		r.partners[value] = append(r.partners[value], place{c.Load.Seq, c.Root})
	})
	return err
}

// walk returns the places of the events that a query finds, each once and at most n, 0 for all; each, if
// not nil, is called for every event.
func (r *round) walk(ctx context.Context, q snapshot.ChangeQuery, since int64, n int, each func(*snapshot.Change)) ([]place, error) {
	q.Limit, q.From.Seq = walkedAtOnce, since
	var places []place
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
			if at := (place{c.Load.Seq, c.Root}); c.Load.Seq < r.end && (len(places) == 0 || places[len(places)-1] != at) {
				if places = append(places, at); len(places) == n {
					return places, nil
				}
			}
		}
		if !page.More {
			return places, nil
		}
		q.From = page.Next
	}
}

// page returns a page of the history, from its beginning if that is behind the wanted position.
func (r *round) page(ctx context.Context, q snapshot.ChangeQuery) (snapshot.ChangePage, error) {
	page, err := r.snap.WalkChanges(ctx, q)
	if tooOld, ok := errors.AsType[*snapshot.TooOldError](err); ok {
		q.From = tooOld.Oldest
		return r.snap.WalkChanges(ctx, q)
	}
	return page, err
}

// changed returns what accounts are to be told, by load and root.
func (r *round) changed(ctx context.Context, waiting []mark) (map[account.ID][]Changed, error) {
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
	of := map[account.ID][]Changed{}
	for _, m := range waiting {
		for root, seqs := range wanted[m.Account] {
			for _, c := range all[root] {
				if seq := c.Seq(); m.Seq <= seq && seq < r.end && (seqs == nil || slices.Contains(seqs, seq)) {
					of[m.Account] = append(of[m.Account], c)
				}
			}
		}
		slices.SortFunc(of[m.Account], func(a, b Changed) int {
			return cmp.Or(cmp.Compare(a.Seq(), b.Seq()), cmp.Compare(a.Root, b.Root))
		})
	}
	return of, nil
}

// wanted returns the roots that accounts are told of, each with the loads; nil: all of them.
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
		places := r.partners[f.Value]
		switch f.Kind {
		case Company: // comes last
			root, err := cnpj.ParseRoot(f.Value)
			wanted[id][root] = nil
			return err
		case Search:
			places = r.searches[saved{f.Value, since[id]}]
		}
		for _, at := range places {
			wanted[id][at.root] = append(wanted[id][at.root], at.seq)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("what is followed: %w", err)
	}
	return wanted, nil
}

// ChangedOf returns what loads from a number of the journal on changed of companies, the newest first.
func ChangedOf(ctx context.Context, snap *snapshot.Snapshot, roots []cnpj.Root, since int64) (map[cnpj.Root][]Changed, error) {
	all := map[cnpj.Root][]Changed{}
	for part := range slices.Chunk(roots, rootsAtOnce) {
		found, err := snap.ChangesOf(ctx, part, since)
		if err != nil {
			return nil, err
		}
		for root, changes := range found {
			for len(changes) > 0 {
				n := 1
				for n < len(changes) && changes[n].Load == changes[0].Load {
					n++
				}
				all[root] = append(all[root], Changed{root, changes[:n:n]})
				changes = changes[n:]
			}
		}
	}
	return all, nil
}
