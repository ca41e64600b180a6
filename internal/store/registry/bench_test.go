package registry_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/pgtest"
)

// benchmarked is how many companies the benchmarks read, with the roots 1, 2, 3 and so on.
const benchmarked = 2000

// measuredView is a view of some companies over one connection, whose CPU time is measured.
type measuredView struct {
	*registry.View
	server int // process id of the PostgreSQL backend
}

func openMeasured(b *testing.B) *measuredView {
	b.Helper()
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
	b.Cleanup(pool.Close)
	companies := make([]company, benchmarked)
	for i := range companies {
		companies[i] = company{fmt.Sprintf("%08d", i+1), 2, 3}
	}
	s := registry.NewStore(pool)
	v := &measuredView{View: openView(b, s, write(b, s, companies...))}
	if err := pool.QueryRow(b.Context(), `SELECT pg_backend_pid()`).Scan(&v.server); err != nil {
		b.Fatal(err)
	}
	return v
}

// run reports the CPU time of this process and, on Linux, of the PostgreSQL backend for each of the n
// things that an operation does.
func (v *measuredView) run(b *testing.B, n int, do func(i int) error) {
	own, server := ownTime(b), processTime(b, v.server)
	for i := 0; b.Loop(); i++ {
		if err := do(i); err != nil {
			b.Fatal(err)
		}
	}
	all := float64(b.N * n)
	b.ReportMetric(float64(ownTime(b)-own)/all, "own-ns/company")
	b.ReportMetric(float64(processTime(b, v.server)-server)/all, "server-ns/company")
}

// BenchmarkHead reads one company after the other over one connection, as most requests begin.
func BenchmarkHead(b *testing.B) {
	v := openMeasured(b)
	v.run(b, 1, func(i int) error {
		root, err := cnpj.ParseRoot(fmt.Sprintf("%08d", i%benchmarked+1))
		if err == nil {
			_, err = v.Head(b.Context(), root)
		}
		return err
	})
}

// BenchmarkScan reads all companies, as linking operations does.
func BenchmarkScan(b *testing.B) {
	v := openMeasured(b)
	scan := func(int) error {
		return v.Scan(b.Context(), func(*pack.Head, []record.Partner, *pack.EstablishmentCursor) error { return nil })
	}
	f, _ := writtenFile(b, v.View)
	b.Run("PostgreSQL", func(b *testing.B) { v.run(b, benchmarked, scan) })
	v.ReadThrough(f)
	b.Run("file", func(b *testing.B) { v.run(b, benchmarked, scan) })
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
