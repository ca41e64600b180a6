package registry_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/record"
	"razao/internal/people/contacts"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
)

// TestHeadsAskedTogether checks that concurrent look-ups share a statement, and that each has the
// answer that it has alone: its own company, without hidden contacts, or an *AbsentError.
func TestHeadsAskedTogether(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s, hiding := registry.NewStore(pool), contacts.NewStore(pool)
	roots := []string{"00000042", "11222333", "33000167", "99999999"} // of the last there is none
	v := openView(t, s, write(t, s, company{roots[0], 2, 0}, company{roots[1], 3, 1}, company{roots[2], 60, 2}))
	if _, err := hiding.Hide(t.Context(), number(t, roots[1], 1), "asked"); err != nil {
		t.Fatal(err)
	}
	follow(t, s)
	type answer struct {
		Orders, Partners int
		First            []record.Establishment
		Absent           bool
	}
	ask := func(root string) (a answer, err error) {
		h, err := v.Head(t.Context(), number(t, root, 0).Root())
		if a.Absent = errors.As(err, new(*registry.AbsentError)); a.Absent {
			return a, nil
		}
		a.Orders, a.Partners = h.Establishments, h.Partners
		if err == nil {
			err = v.Establishments(t.Context(), &h, registry.Range{Limit: 3}, func(e *record.Establishment) error {
				a.First = append(a.First, *e)
				return nil
			})
		}
		return a, err
	}
	alone := map[string]answer{}
	for _, root := range roots {
		var err error
		if alone[root], err = ask(root); err != nil {
			t.Fatal(err)
		}
	}
	// The first statements wait for the lock, all other look-ups for these.
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	if _, err := tx.Exec(t.Context(), fmt.Sprintf(`LOCK TABLE load_%06d.record IN ACCESS EXCLUSIVE MODE`, v.Load.ID)); err != nil {
		t.Fatal(err)
	}
	var asking sync.WaitGroup
	for i := range 200 {
		asking.Go(func() {
			got, err := ask(roots[i%len(roots)])
			if diff := cmp.Diff(alone[roots[i%len(roots)]], got); err != nil || diff != "" {
				t.Errorf("%s: %v, alone and together:\n%s", roots[i%len(roots)], err, diff)
			}
		})
	}
	shared := func() (n int) {
		const query = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%root = ANY($1)%'`
		if err := pool.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	fixture.Wait(t, "look-ups to share a statement", func() bool { return shared() > 0 })
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	asking.Wait()
	if alone[roots[1]].First[1].CorreioEletronico != "" || alone[roots[0]].First[1].CorreioEletronico == "" {
		t.Errorf("e-mail of a hidden contact %q, of another %q", alone[roots[1]].First[1].CorreioEletronico, alone[roots[0]].First[1].CorreioEletronico)
	}
}
