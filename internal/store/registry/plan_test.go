package registry

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/source"
	"razao/internal/testing/pgtest"
)

// TestRowsAreReadByKey explains the statements for the records of a source on a table of which one
// company has most rows, as large companies do. Planned for the usual company, which has one or two,
// they must not read the others of that company and drop them.
func TestRowsAreReadByKey(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	v := newSourceView(pool, source.All()[0], 7)
	setUp := []string{
		`CREATE SCHEMA load_000007`,
		`CREATE TABLE load_000007.record (root bigint NOT NULL, seq integer NOT NULL, doc bytea NOT NULL, PRIMARY KEY (root, seq))`,
		`INSERT INTO load_000007.record SELECT root, 0, 'a' FROM generate_series(1, 20000) AS root`,
		`INSERT INTO load_000007.record SELECT 42, seq, 'b' FROM generate_series(-5000, 100) AS seq WHERE seq <> 0`,
		`ANALYZE load_000007.record`,
	}
	for _, statement := range setUp {
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		query, types, arguments string
		rows                    int
	}{
		"head and directory": {v.firstRowsSQL(0), "bigint, integer", "42, -17", 2},
		"head alone":         {v.firstRowsSQL(0), "bigint, integer", "42, 0", 1},
		"chunks":             {v.chunkSQL, "bigint, integer[]", "42, '{3,5,8}'", 3},
	} {
		err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), `SET LOCAL plan_cache_mode = force_generic_plan`); err != nil {
				return err
			}
			if _, err := tx.Exec(t.Context(), `PREPARE asked (`+test.types+`) AS `+test.query); err != nil {
				return err
			}
			explained, err := tx.Query(t.Context(), `EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) EXECUTE asked (`+test.arguments+`)`)
			if err != nil {
				return err
			}
			lines, err := pgx.CollectRows(explained, pgx.RowTo[string])
			plan := strings.Join(lines, "\n")
			if strings.Contains(plan, "Rows Removed") || !strings.Contains(lines[0], fmt.Sprintf("rows=%d", test.rows)) {
				t.Errorf("%s: want %d rows, and none removed:\n%s", name, test.rows, plan)
			}
			if err == nil {
				_, err = tx.Exec(t.Context(), `DEALLOCATE asked`)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
