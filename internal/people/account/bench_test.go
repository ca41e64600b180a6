package account

import (
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
)

// BenchmarkCall measures the overhead of a call: key check, admission and history. Processor time
// is that of this process and its PostgreSQL backends, on Linux. Cached refusals, which cost next
// to nothing, are bypassed.
func BenchmarkCall(b *testing.B) {
	config, err := pgxpool.ParseConfig(pgtest.DSN(b))
	must(b, err)
	config.MaxConns = 16
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	pool, err := pgxpool.NewWithConfig(b.Context(), config)
	must(b, err)
	defer pool.Close()
	const accounts = 100_000
	keys := benchKeys(b, pool, accounts)
	for _, workers := range []int{1, 16, 64} {
		for _, used := range []int{1, accounts} {
			b.Run(fmt.Sprintf("connections=%d/accounts=%d", workers, used), func(b *testing.B) {
				benchCalls(b, pool, keys[:used], workers)
			})
		}
	}
}

// benchKeys creates accounts with a key each and returns the hashes of the keys.
func benchKeys(b *testing.B, pool *pgxpool.Pool, n int) [][]byte {
	hashes := make([][]byte, n)
	for i := range hashes {
		hashes[i] = seal.HashOf(newKey(testSeal))
	}
	const query = `
		WITH a AS (
			INSERT INTO account (email) SELECT 'a' || i || '@exemplo.com' FROM generate_subscripts($1::bytea[], 1) AS i RETURNING id)
		INSERT INTO api_key (account_id, name, prefix, hash)
		SELECT id, 'ERP', 'rz_', ($1::bytea[])[row_number() OVER (ORDER BY id)] FROM a`
	if _, err := pool.Exec(b.Context(), query, hashes); err != nil {
		b.Fatal(err)
	}
	if _, err := pool.Exec(b.Context(), `ANALYZE account, api_key`); err != nil {
		b.Fatal(err)
	}
	return hashes
}

func benchCalls(b *testing.B, pool *pgxpool.Pool, keys [][]byte, workers int) {
	m := OpenMeter(pool, testSeal, slog.New(slog.DiscardHandler))
	took := make([][]time.Duration, workers)
	before := processorTime(b, pool)
	b.ResetTimer()
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < b.N; i += workers {
				start := time.Now()
				hash := keys[i*7919%len(keys)]
				a, _, err := m.count(b.Context(), subject{keyHash: [32]byte(hash)})
				if err != nil {
					b.Errorf("call: %v", err)
					return
				}
				m.Record(Call{Account: a.Account, Key: a.Key, At: a.At, Version: "v1", Endpoint: "/v1/cnpj/:cnpj", Status: 200})
				took[w] = append(took[w], time.Since(start))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	m.Close()
	spent := processorTime(b, pool) - before
	times := slices.Sorted(slices.Values(slices.Concat(took...)))
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "cpu-µs/call")
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
}

// processorTime returns what this process and the connections to its database have used.
func processorTime(b *testing.B, pool *pgxpool.Pool) time.Duration {
	var self syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &self))
	total := time.Duration(self.Utime.Nano() + self.Stime.Nano())
	rows, err := pool.Query(b.Context(), `SELECT pid FROM pg_stat_activity WHERE datname = current_database()`)
	must(b, err)
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	must(b, err)
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // not Linux, or the connection has just ended
		}
		const tick = 10 * time.Millisecond
		var user, system int64
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
			b.Fatal(err)
		}
		total += time.Duration(user+system) * tick
	}
	return total
}
