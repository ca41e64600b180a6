package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/people/account"
	"razao/internal/people/mail"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
)

const (
	pollEvery      = 2 * time.Second
	accountsAtOnce = 50 // told in one transaction
	digestLifetime = 3 * 24 * time.Hour
)

// Changed is what one load changed of a company, as visitors may see it.
type Changed struct {
	Root    cnpj.Root
	Changes []snapshot.Change // of one load, in its order; at least one
}

// Seq returns the number of the load in the journal.
func (c *Changed) Seq() int64 { return c.Changes[0].Load.Seq }

// Digest is what an account is told by mail.
type Digest struct {
	Changed     []Changed // by load, then by root
	Since       int64     // loads with numbers from this on are new to the account
	Unsubscribe string    // token; see Store.UnsubscribeToken
}

// Config is what a Teller needs.
type Config struct {
	Store *Store
	Live  *snapshot.Live
	Log   *slog.Logger
	URL   string // public address, without a slash at the end
	// Digest writes the mail of a digest; of the message it leaves only recipient and lifetime open.
	Digest func(ctx context.Context, snap *snapshot.Snapshot, d *Digest) (mail.Message, error)
	// Search reads the value of a Search. It may fail for one that was saved long ago.
	Search func(snap *snapshot.Snapshot, value string) (snapshot.ChangeQuery, error)
}

// Teller tells accounts what changed. Several processes may run one on the same database.
type Teller struct {
	Config
	marked int64 // the snapshot for which marks were completed
}

// NewTeller returns a Teller.
func NewTeller(c Config) *Teller { return &Teller{Config: c} }

// Run tells what snapshots in service bring, until ctx is done.
func (t *Teller) Run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if err := t.Tell(ctx); err != nil && ctx.Err() == nil {
			t.Log.Error("tell followers", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Tell queues what accounts have not been told of the snapshot in service.
func (t *Teller) Tell(ctx context.Context) error {
	whole, err := t.Live.Acquire()
	if err != nil {
		return nil //nolint:nilerr // without a snapshot there is nothing to tell; Live reports why
	}
	defer whole.Release()
	r := &round{Teller: t, snap: whole.ForVisitors(), end: whole.HistoryEnd().Seq}
	if err := t.completeMarks(ctx, r); err != nil {
		return err
	}
	waiting, err := r.waiting(ctx)
	if err != nil || len(waiting) == 0 {
		return err
	}
	if err := r.match(ctx); err != nil {
		return err
	}
	if waiting, err = r.waiting(ctx); err != nil {
		return err
	}
	began, told := time.Now(), 0
	for len(waiting) > 0 && ctx.Err() == nil {
		n, err := r.tell(ctx, waiting)
		if err != nil {
			return err
		}
		if n == 0 { // another process tells them
			break
		}
		told += n
		if waiting, err = r.waiting(ctx); err != nil {
			return err
		}
	}
	if told > 0 {
		t.Log.Info("followers told", "accounts", told, "until", r.end, "took", time.Since(began))
	}
	return ctx.Err()
}

// completeMarks gives a mark to followers that have none, as after a backup was restored: they are told
// what comes.
func (t *Teller) completeMarks(ctx context.Context, r *round) error {
	if t.marked == r.snap.ID() {
		return nil
	}
	const query = `
		INSERT INTO follow_mark (account_id, seq)
		SELECT account_id, $1 FROM follower f WHERE NOT EXISTS (SELECT FROM follow_mark WHERE account_id = f.account_id)
		ON CONFLICT DO NOTHING`
	if _, err := t.Store.pool.Exec(ctx, query, r.end); err != nil {
		return fmt.Errorf("marks of followers: %w", err)
	}
	t.marked = r.snap.ID()
	return nil
}

// round is the telling of one snapshot.
type round struct {
	*Teller
	snap     *snapshot.Snapshot // as visitors see it
	end      int64              // everything before this number of the journal is told
	partners map[string][]place // by value
	searches map[saved][]place
	renderer *render.Renderer
	bodies   map[place]string // of events
	stuck    []account.ID     // accounts with a search that could not be answered: they are told later
}

// mark is an account that has not been told everything.
type mark struct {
	Account account.ID `db:"account_id"`
	Seq     int64      `db:"seq"`
}

// behind is the condition for marks that this round moves, with $1 the end and $2 whether the index can
// be asked: accounts with searches wait for it, since an index that is away has not found nothing.
const behind = `m.seq < $1 AND ($2 OR NOT EXISTS (SELECT FROM follow WHERE account_id = m.account_id AND kind = 'busca'))`

// waiting returns accounts to be told next.
func (r *round) waiting(ctx context.Context) ([]mark, error) {
	const query = `SELECT account_id, seq FROM follow_mark m WHERE ` + behind + ` AND account_id <> ALL ($3) ORDER BY seq, account_id LIMIT $4`
	rows, err := r.Store.pool.Query(ctx, query, r.end, r.snap.Searchable(), append([]account.ID{}, r.stuck...), accountsAtOnce)
	if err != nil {
		return nil, fmt.Errorf("followers to be told: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByName[mark])
	if err != nil {
		return nil, fmt.Errorf("followers to be told: %w", err)
	}
	return all, nil
}

// tell tells accounts and returns how many, without those that another process told or that do not
// exist any more.
func (r *round) tell(ctx context.Context, waiting []mark) (n int, err error) {
	changed, err := r.changed(ctx, waiting)
	if err != nil {
		return 0, err
	}
	withdrawn, err := r.withdrawn(ctx, waiting)
	if err != nil {
		return 0, err
	}
	err = pgx.BeginFunc(ctx, r.Store.pool, func(tx pgx.Tx) error {
		told, err := r.move(ctx, tx, waiting)
		if n = len(told); n == 0 || err != nil {
			return err
		}
		if err := r.note(ctx, tx, told, changed); err != nil {
			return err
		}
		if err := r.queueEvents(ctx, tx, told, changed, withdrawn); err != nil {
			return err
		}
		return r.queueMails(ctx, tx, told, changed)
	})
	if err != nil {
		return 0, fmt.Errorf("tell followers: %w", err)
	}
	return n, nil
}

// move moves the marks of accounts that are still where they were, and returns these accounts.
func (r *round) move(ctx context.Context, tx pgx.Tx, waiting []mark) ([]mark, error) {
	const query = `
		UPDATE follow_mark SET seq = $3 WHERE account_id IN (
			SELECT m.account_id FROM follow_mark m JOIN unnest($1::bigint[], $2::bigint[]) AS w (account_id, seq) USING (account_id, seq)
			ORDER BY m.account_id FOR UPDATE OF m SKIP LOCKED)
		RETURNING account_id`
	var ids []account.ID
	var seqs []int64
	for _, m := range waiting {
		ids, seqs = append(ids, m.Account), append(seqs, m.Seq)
	}
	rows, err := tx.Query(ctx, query, ids, seqs, r.end)
	if err != nil {
		return nil, err
	}
	moved, err := pgx.CollectRows(rows, pgx.RowTo[account.ID])
	return slices.DeleteFunc(slices.Clone(waiting), func(m mark) bool { return !slices.Contains(moved, m.Account) }), err
}

// note notes what accounts are told, for their feeds.
func (r *round) note(ctx context.Context, tx pgx.Tx, told []mark, changed map[account.ID][]Changed) error {
	var rows [][]any
	for _, m := range told {
		for i := range changed[m.Account] {
			c := &changed[m.Account][i]
			rows = append(rows, []any{int64(m.Account), c.Seq(), int64(c.Root)})
		}
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"follow_told"}, []string{"account_id", "seq", "root"}, pgx.CopyFromRows(rows))
	return err
}

// queueMails queues the digests of accounts that are told by mail.
func (r *round) queueMails(ctx context.Context, tx pgx.Tx, told []mark, changed map[account.ID][]Changed) error {
	var ids []account.ID
	since := map[account.ID]int64{}
	for _, m := range told {
		if len(changed[m.Account]) > 0 {
			ids = append(ids, m.Account)
			since[m.Account] = m.Seq
		}
	}
	const query = `SELECT id, email FROM account JOIN follower ON account_id = id WHERE id = ANY($1) AND mails ORDER BY id`
	rows, err := tx.Query(ctx, query, ids)
	if err != nil {
		return err
	}
	type recipient struct {
		ID    account.ID
		Email string
	}
	recipients, err := pgx.CollectRows(rows, pgx.RowToStructByPos[recipient])
	if err != nil {
		return err
	}
	for _, to := range recipients {
		d := Digest{Changed: changed[to.ID], Since: since[to.ID], Unsubscribe: r.Store.UnsubscribeToken(to.ID)}
		m, err := r.Digest(ctx, r.snap, &d)
		if err != nil {
			return err
		}
		m.To, m.Lifetime = to.Email, digestLifetime
		switch err := mail.Queue(ctx, tx, m); {
		case errors.Is(err, mail.ErrInvalid): // such as an address that an operator typed: the others are not to wait for it
			r.Log.Error("digest", "account", to.ID, "error", err)
		case err != nil:
			return err
		}
	}
	return nil
}
