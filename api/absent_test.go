package api

import (
	"fmt"
	"log/slog"
	"testing"

	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// TestLostRowsAreNotAbsent deletes a row that the head of a company announces. Its establishments
// are missing, not absent: a 404 would be wrong.
func TestLostRowsAreNotAbsent(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	s := start(t, l)
	lost := branch(t, fixture.Chain, fmt.Sprintf("%04d", fixture.ChainSize-1)) // in the last row
	for _, path := range []string{"/v1/cnpj/" + lost, "/v2/estabelecimentos/" + lost + "/basic"} {
		if got := s.do(t, "GET", path); got.status != 200 {
			t.Fatalf("%s: %d before anything is lost", path, got.status)
		}
	}
	if _, err := l.Pool.Exec(t.Context(), `DELETE FROM load_000001.record WHERE seq > 0`); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"/v1/cnpj/" + lost, "/v2/estabelecimentos/" + lost + "/basic", "/v2/estabelecimentos/" + lost + "/full",
		"/v1/cnpj/" + fixture.Chain, "/v2/empresas/" + fixture.Chain + "/estabelecimentos?limite=100",
	} {
		checkError(t, s.do(t, "GET", path), 503, "servico_indisponivel")
	}
}

// TestLostSnapshotIsNotAbsent serves a snapshot whose records were dropped: no look-up succeeds, so
// no response is a 404.
func TestLostSnapshotIsNotAbsent(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	if _, err := l.Pool.Exec(t.Context(), `UPDATE load SET state = 'dropped'`); err != nil {
		t.Fatal(err)
	}
	live := snapshot.Open(t.Context(), l.Store, t.TempDir(), fixture.Atlas(t), slog.New(slog.DiscardHandler))
	t.Cleanup(live.Close)
	l.Live = live
	s := start(t, l)
	for _, path := range []string{"/v1/cnpj/" + fixture.Bakery, "/v2/empresas/" + fixture.Bakery + "/full", "/v2/fontes"} {
		checkError(t, s.do(t, "GET", path), 503, "servico_indisponivel")
	}
}
