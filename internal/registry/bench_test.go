package registry_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/cnpj"
	"razao/internal/pgtest"
	"razao/internal/registry"
)

// BenchmarkHead reads one company after the other over one connection, as most requests begin. It
// also reports the CPU time of this process and, on Linux, of the PostgreSQL backend of the
// connection.
func BenchmarkHead(b *testing.B) {
	config, err := pgxpool.ParseConfig(pgtest.DSN(b))
	if err != nil {
		b.Fatal(err)
	}
	config.MaxConns = 1
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	pool, err := pgxpool.NewWithConfig(b.Context(), config)
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	companies := make([]company, 2000)
	for i := range companies {
		companies[i] = company{fmt.Sprintf("%08d", i+1), 2, 3}
	}
	s := registry.NewStore(pool)
	v := openView(b, s, write(b, s, companies...))
	var server int
	if err := pool.QueryRow(b.Context(), `SELECT pg_backend_pid()`).Scan(&server); err != nil {
		b.Fatal(err)
	}
	before, beforeServer := ownTime(b), processTime(b, server)
	for i := 0; b.Loop(); i++ {
		root, err := cnpj.ParseRoot(companies[i%len(companies)].root)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := v.Head(b.Context(), root); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(ownTime(b)-before)/float64(b.N), "own-ns/op")
	b.ReportMetric(float64(processTime(b, server)-beforeServer)/float64(b.N), "server-ns/op")
}

// ownTime returns the CPU time of this process, in nanoseconds.
func ownTime(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// processTime returns the CPU time of another process, in nanoseconds; 0 where the system does not
// tell.
func processTime(b *testing.B, pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		return 0
	}
	var worked int64
	if _, err := fmt.Sscan(string(text), &worked); err != nil {
		b.Fatal(err)
	}
	return worked
}
