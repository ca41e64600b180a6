package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/people/account"
	"razao/internal/people/mail"
	"razao/internal/people/webhook"
	"razao/internal/recovery"
	"razao/internal/store/journal"
	"razao/internal/store/snapshot"
)

const (
	pollEvery      = 2 * time.Second
	accountsAtOnce = 50 // notified in one transaction
	digestLifetime = 3 * 24 * time.Hour
)

// Digest is what an account is notified of by mail.
type Digest struct {
	Changed     []journal.Entry // as visitors may see it, by load, then by root
	Since       int64           // loads with numbers from this on are new to the account
	Unsubscribe string          // token; see Store.UnsubscribeToken
}

// Config is what a Notifier needs.
type Config struct {
	Store *Store
	Live  *snapshot.Live
	Log   *slog.Logger
	URL   string // public address, without a slash at the end
	// Digest writes the mail of a digest; of the message it leaves only the recipient open.
	Digest func(ctx context.Context, snap *snapshot.Snapshot, d *Digest) (mail.Message, error)
	// Search reads the value of a Search. It may fail for one that was saved long ago.
	Search func(snap *snapshot.Snapshot, value string) (journal.Query, error)
}

// Notifier notifies accounts of what changed. Several processes may run one on the same database.
type Notifier struct {
	Config
	marked int64 // the snapshot for which marks were completed
}

// NewNotifier returns a Notifier.
func NewNotifier(c Config) *Notifier { return &Notifier{Config: c} }

// Run notifies of what snapshots in service bring, until ctx is done.
func (n *Notifier) Run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	down := recovery.NewOutage(n.Log, "notify followers")
	for {
		if err := n.Notify(ctx); ctx.Err() == nil {
			down.Note(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Notify queues what accounts have not been notified of in the snapshot in service. Accounts with searches come
// last, those with the fewest first, and each is notified as soon as its own searches are done: searches
// cost, and nobody waits for those of an account that has more.
func (n *Notifier) Notify(ctx context.Context) error {
	whole, err := n.Live.Acquire()
	if err != nil {
		return nil //nolint:nilerr // without a snapshot there is no news; Live reports why
	}
	defer whole.Release()
	r := &round{Notifier: n, snap: whole.ForVisitors(), end: journal.End(whole).Seq, searches: map[search][]webhook.Subject{}, done: []account.ID{}}
	if err := n.completeMarks(ctx, r); err != nil {
		return err
	}
	if waits, err := r.anyWaits(ctx); err != nil || !waits {
		return err
	}
	if err := r.matchPartners(ctx); err != nil {
		return err
	}
	began, notified := time.Now(), 0
	for _, next := range []func(context.Context) ([]mark, error){r.withoutSearches, r.withSearches} {
		for ctx.Err() == nil {
			waiting, err := next(ctx)
			if err != nil {
				return err
			}
			if len(waiting) == 0 {
				break
			}
			count, err := r.notify(ctx, waiting)
			if err != nil {
				return err
			}
			notified += count
		}
	}
	if notified > 0 {
		n.Log.Info("followers notified", "accounts", notified, "until", r.end, "took", time.Since(began))
	}
	return ctx.Err()
}

// completeMarks gives a mark to followers that have none, as after a backup was restored: they are notified
// of what comes.
func (n *Notifier) completeMarks(ctx context.Context, r *round) error {
	if n.marked == r.snap.ID() {
		return nil
	}
	const query = `
		INSERT INTO follow_mark (account_id, seq)
		SELECT account_id, $1 FROM follower f WHERE NOT EXISTS (SELECT FROM follow_mark WHERE account_id = f.account_id)
		ON CONFLICT DO NOTHING`
	if _, err := n.Store.pool.Exec(ctx, query, r.end); err != nil {
		return fmt.Errorf("marks of followers: %w", err)
	}
	n.marked = r.snap.ID()
	return nil
}

// round is the notification of one snapshot.
type round struct {
	*Notifier
	snap     *snapshot.Snapshot           // as visitors see it
	end      int64                        // accounts are notified of everything before this number of the journal
	partners map[string][]webhook.Subject // by value
	searches map[search][]webhook.Subject // that were looked for
	done     []account.ID                 // left to another process, or for a later round
}

// mark is an account that has not been notified of everything.
type mark struct {
	Account account.ID `db:"account_id"`
	Seq     int64      `db:"seq"`
}

// behind is the condition for marks that this round moves, with $1 the end and $2 the accounts that are done.
const behind = `m.seq < $1 AND m.account_id <> ALL ($2)`

// searching is the condition for accounts with searches, in any of several queries.
const searching = `EXISTS (SELECT FROM follow WHERE account_id = m.account_id AND kind = 'busca')`

// anyWaits reports whether accounts can be notified in this round.
func (r *round) anyWaits(ctx context.Context) (waits bool, err error) {
	const query = `SELECT EXISTS (SELECT FROM follow_mark m WHERE ` + behind + ` AND ($3 OR NOT ` + searching + `))`
	if err := r.Store.pool.QueryRow(ctx, query, r.end, r.done, r.snap.Searchable()).Scan(&waits); err != nil {
		return false, fmt.Errorf("followers to be notified: %w", err)
	}
	return waits, nil
}

// withoutSearches returns accounts without searches to be notified next.
func (r *round) withoutSearches(ctx context.Context) ([]mark, error) {
	const query = `SELECT account_id, seq FROM follow_mark m WHERE ` + behind + ` AND NOT ` + searching + ` ORDER BY seq, account_id LIMIT $3`
	return r.waiting(ctx, query, r.end, r.done, accountsAtOnce)
}

// withSearches looks for what an account with searches has found, and returns the account. It leaves those out of which a search
// cannot be answered: not to know is not to have found nothing. All wait while the index is away.
func (r *round) withSearches(ctx context.Context) ([]mark, error) {
	const query = `
		SELECT account_id, seq FROM follow_mark m WHERE ` + behind + ` AND ` + searching + `
		ORDER BY (SELECT count(*) FROM follow WHERE account_id = m.account_id AND kind = 'busca'), seq, account_id LIMIT 1`
	for r.snap.Searchable() {
		next, err := r.waiting(ctx, query, r.end, r.done)
		if err != nil || len(next) == 0 {
			return nil, err
		}
		answered, err := r.search(ctx, next[0])
		if answered || err != nil {
			return next, err
		}
		r.done = append(r.done, next[0].Account)
	}
	return nil, nil
}

func (r *round) waiting(ctx context.Context, query string, args ...any) ([]mark, error) {
	rows, err := r.Store.pool.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("followers to be notified: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByName[mark])
	if err != nil {
		return nil, fmt.Errorf("followers to be notified: %w", err)
	}
	return all, nil
}

// notify notifies accounts and returns how many, without those that another process notified or that do not
// exist any more.
func (r *round) notify(ctx context.Context, waiting []mark) (n int, err error) {
	changed, err := r.changed(ctx, waiting)
	if err != nil {
		return 0, err
	}
	withdrawn, err := r.withdrawn(ctx, waiting)
	if err != nil {
		return 0, err
	}
	err = pgx.BeginFunc(ctx, r.Store.pool, func(tx pgx.Tx) error {
		notified, err := r.move(ctx, tx, waiting)
		if n = len(notified); n == 0 || err != nil {
			return err
		}
		if err := r.note(ctx, tx, notified, changed); err != nil {
			return err
		}
		if err := r.queueEvents(ctx, tx, notified, changed, withdrawn); err != nil {
			return err
		}
		return r.queueMails(ctx, tx, notified, changed)
	})
	if err != nil {
		return 0, fmt.Errorf("notify followers: %w", err)
	}
	return n, nil
}

// move moves the marks of accounts that are still where they were, and returns these accounts. The
// others are notified by another process.
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
	if err != nil {
		return nil, err
	}
	var here []mark
	for _, m := range waiting {
		if slices.Contains(moved, m.Account) {
			here = append(here, m)
		} else {
			r.done = append(r.done, m.Account)
		}
	}
	return here, nil
}

// note stores the notices of accounts, for their feeds.
func (r *round) note(ctx context.Context, tx pgx.Tx, notified []mark, changed map[account.ID][]journal.Entry) error {
	var rows [][]any
	for _, m := range notified {
		for _, e := range changed[m.Account] {
			rows = append(rows, []any{int64(m.Account), e.Load().Seq, int64(e.Root())})
		}
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"follow_told"}, []string{"account_id", "seq", "root"}, pgx.CopyFromRows(rows))
	return err
}

// queueMails queues the digests of accounts that are notified by mail. A digest is stored as the notices that it
// is of, and written when it is sent: see [Notifier.Mail].
func (r *round) queueMails(ctx context.Context, tx pgx.Tx, notified []mark, changed map[account.ID][]journal.Entry) error {
	var ids []account.ID
	since := map[account.ID]int64{}
	for _, m := range notified {
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
		d := draft{to.ID, since[to.ID], r.end}
		switch err := mail.QueueDraft(ctx, tx, to.Email, d.String(), digestLifetime); {
		case errors.Is(err, mail.ErrInvalid): // such as an address that an operator typed: the others are not to wait for it
			r.Log.Error("digest", "account", to.ID, "error", err)
		case err != nil:
			return err
		}
	}
	return nil
}

// draft is a digest that waits in the outbox: the notices of an account, of loads since a number of the journal and before another.
type draft struct {
	account      account.ID
	since, until int64
}

func (d draft) String() string { return fmt.Sprintf("%d %d %d", d.account, d.since, d.until) }

// Mail writes the mail of a draft: it is a [mail.Writer]. It has what may be shown now. What an account does not follow by mail any
// more, and what was withdrawn, is not in it.
func (n *Notifier) Mail(ctx context.Context, text string) (mail.Message, error) {
	var d draft
	if _, err := fmt.Sscanf(text, "%d %d %d", &d.account, &d.since, &d.until); err != nil {
		return mail.Message{}, fmt.Errorf("draft of a digest: %w", err)
	}
	whole, err := n.Live.Acquire()
	if err != nil {
		return mail.Message{}, err
	}
	defer whole.Release()
	if d.until > journal.End(whole).Seq {
		return mail.Message{}, errors.New("a digest of what this server does not serve yet")
	}
	means, err := n.Store.Means(ctx, d.account)
	if err != nil {
		return mail.Message{}, err
	}
	snap := whole.ForVisitors()
	const query = `SELECT seq, root FROM follow_told WHERE account_id = $1 AND seq >= $2 AND seq < $3 ORDER BY seq, root`
	changed, err := n.Store.entries(ctx, snap, query, d.account, d.since, d.until)
	if err != nil {
		return mail.Message{}, err
	}
	if len(changed) == 0 || !means.Mails {
		return mail.Message{}, mail.ErrNothing
	}
	return n.Digest(ctx, snap, &Digest{Changed: changed, Since: d.since, Unsubscribe: n.Store.UnsubscribeToken(d.account)})
}
