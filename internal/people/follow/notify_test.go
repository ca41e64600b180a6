package follow_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"razao/index/filter"
	"razao/internal/people/follow"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

// TestNotificationStoppedMidway stops at every statement, as a killed server would, and goes on: each
// follower is notified once.
func TestNotificationStoppedMidway(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	const followers = 120 // more than two transactions
	sitetest.Leads(t, f.SignedIn(t, "ana@exemplo.com").Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	for _, query := range []string{
		`INSERT INTO account (email) SELECT 'a' || n || '@exemplo.com' FROM generate_series(2, $1) n`,
		`INSERT INTO follower (account_id) SELECT id FROM account WHERE id > 1 AND id <= $1`,
		`INSERT INTO follow (account_id, kind, value) SELECT id, 'empresa', '12345678' FROM account WHERE id > 1 AND id <= $1`,
		`INSERT INTO follow_mark SELECT id, (SELECT seq FROM follow_mark) FROM account WHERE id > 1 AND id <= $1`,
		`INSERT INTO webhook (account_id, form, seal, url) SELECT id, 'x', 'x', 'https://exemplo.com/' FROM account WHERE id <= $1`,
	} {
		f.Exec(t, query, followers)
	}
	f.Stores.Publish(t, fixture.Published(t, "2026-09", sitetest.Renamed...))
	for stop := 0; f.Count(t, `SELECT count(*) FROM follow_mark WHERE seq < (SELECT max(seq) + 1 FROM history_journal)`) > 0; stop++ {
		// A statement of the transaction fails; which one, a trigger that counts decides.
		table := []string{"follow_told", "webhook_delivery", "mail_outbox", "follow_mark"}[stop%4]
		mend := breakAt(t, f, table, 1+stop)
		err := f.Notifier.Notify(t.Context())
		mend()
		if err == nil {
			t.Errorf("a notification that ends at %s has no error", table)
		}
		if stop >= 8 {
			f.Notify(t)
		}
	}
	for _, query := range []string{
		`SELECT count(*) FROM follow_told`, `SELECT count(DISTINCT account_id) FROM follow_told`,
		`SELECT count(*) FROM mail_outbox`, `SELECT count(DISTINCT recipient) FROM mail_outbox`,
		`SELECT count(*) FROM webhook_delivery`, `SELECT count(DISTINCT webhook_id) FROM webhook_delivery`,
	} {
		if n := f.Count(t, query); n != followers {
			t.Errorf("%s: %d, want %d", query, n, followers)
		}
	}
}

// breakAt makes the nth write to a table fail, until the returned function is called.
func breakAt(t *testing.T, f *sitetest.Followers, table string, n int) (mend func()) {
	t.Helper()
	f.Exec(t, `CREATE SEQUENCE writes`)
	f.Exec(t, fmt.Sprintf(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('writes') >= %d THEN RAISE EXCEPTION 'killed'; END IF;
		RETURN NEW; END $$`, n))
	f.Exec(t, `CREATE TRIGGER stop BEFORE INSERT OR UPDATE ON `+table+` FOR EACH ROW EXECUTE FUNCTION stop()`)
	return func() {
		f.Exec(t, `DROP FUNCTION stop() CASCADE`)
		f.Exec(t, `DROP SEQUENCE writes`)
	}
}

// TestServersNotifyOnce lets several servers notify of a load at once.
func TestServersNotifyOnce(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	for _, who := range []string{"ana", "bia", "eva", "leo", "rui"} {
		b := f.SignedIn(t, who+"@exemplo.com")
		sitetest.Leads(t, b.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	}
	f.Stores.Publish(t, fixture.Published(t, "2026-09", sitetest.Renamed...))
	var servers sync.WaitGroup
	for range 4 {
		servers.Go(func() {
			if err := follow.NewNotifier(f.Notifier.Config).Notify(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	servers.Wait()
	f.Notify(t)
	if n := f.Count(t, `SELECT count(*) FROM mail_outbox`); n != 5 {
		t.Errorf("%d mails to five accounts", n)
	}
}

// TestWithdrawnLoad notifies a webhook that knew a load that it is withdrawn, once, and takes it out of the
// feed; nobody else hears of it.
func TestWithdrawnLoad(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	ana, bia := f.SignedIn(t, "ana@exemplo.com"), f.SignedIn(t, "bia@exemplo.com")
	for _, b := range []*sitetest.Browser{ana, bia} {
		sitetest.Leads(t, b.Post(t, "/conta/webhooks", "url", "https://exemplo.com/"), "/conta/webhooks")
	}
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	sitetest.Leads(t, bia.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "98765432"), "/conta/seguindo")
	f.Publish(t, "2026-09", sitetest.Renamed...)
	if _, err := f.Stores.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	if err := f.Stores.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Notify(t)
	for query, want := range map[string]int{
		`SELECT count(*) FROM webhook_delivery WHERE event = 'empresa.mudou'`:                                            1,
		`SELECT count(*) FROM webhook_delivery WHERE event = 'carga.retirada' AND body LIKE '%"competencia":"2026-09"%'`: 1,
		`SELECT count(*) FROM webhook_delivery`:                                                                          2,
		`SELECT count(*) FROM mail_outbox`:                                                                               1,
	} {
		if n := f.Count(t, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
	sitetest.Shows(t, ana.Open(t, "/conta/seguindo"), 200, []string{"Nada ainda"}, []string{"09/2026"})
}

// TestSearchThatFails leaves an account with a search that cannot be answered for later, and notifies the others.
func TestSearchThatFails(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	ana, bia := f.SignedIn(t, "ana@exemplo.com"), f.SignedIn(t, "bia@exemplo.com")
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	sitetest.Leads(t, bia.Post(t, "/conta/seguir", "tipo", "busca", "valor", "uf=SP"), "/conta/seguindo")
	search := f.Notifier.Search
	f.Notifier.Search = func(*snapshot.Snapshot, string) (journal.Query, error) {
		return journal.Query{Filters: filter.Of("uf", "XX")}, nil // which the index refuses
	}
	const mailed = `SELECT count(*) FROM mail_outbox WHERE recipient = $1`
	f.Publish(t, "2026-09", append(slices.Clone(sitetest.Renamed), "ESTRELA DO SUL P", "ESTRELA\x01DO NORTE P")...)
	if a, b := f.Count(t, mailed, "ana@exemplo.com"), f.Count(t, mailed, "bia@exemplo.com"); a != 1 || b != 0 {
		t.Errorf("%d and %d mails, want 1 and none", a, b)
	}
	f.Notifier.Search = search
	f.Notify(t)
	if a, b := f.Count(t, mailed, "ana@exemplo.com"), f.Count(t, mailed, "bia@exemplo.com"); a != 1 || b != 1 {
		t.Errorf("%d and %d mails, want one each", a, b)
	}
}

// TestSearchesOfOneAccountHoldUpNobody: who follows many searches is notified last, after those with fewer, and each is notified before
// the searches of the next are looked for.
func TestSearchesOfOneAccountHoldUpNobody(t *testing.T) {
	t.Parallel()
	f := sitetest.NewFollowers(t)
	eva, bia, ana := f.SignedIn(t, "eva@exemplo.com"), f.SignedIn(t, "bia@exemplo.com"), f.SignedIn(t, "ana@exemplo.com")
	for _, uf := range []string{"AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "SP"} {
		sitetest.Leads(t, eva.Post(t, "/conta/seguir", "tipo", "busca", "valor", "uf="+uf), "/conta/seguindo")
	}
	sitetest.Leads(t, bia.Post(t, "/conta/seguir", "tipo", "busca", "valor", "uf=SP&situacao=ativa"), "/conta/seguindo")
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	search := f.Notifier.Search
	var queued []int // digests, when a search is looked for
	f.Notifier.Search = func(snap *snapshot.Snapshot, value string) (journal.Query, error) {
		queued = append(queued, f.Count(t, `SELECT count(*) FROM mail_outbox`))
		return search(snap, value)
	}
	f.Publish(t, "2026-09", sitetest.Renamed...)
	if want := []int{1, 2, 2, 2, 2, 2, 2, 2, 2, 2}; !slices.Equal(queued, want) {
		t.Errorf("digests queued before each search: %v, want %v", queued, want)
	}
	if n := f.Count(t, `SELECT count(*) FROM mail_outbox`); n != 3 {
		t.Errorf("%d digests", n)
	}
}
