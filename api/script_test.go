package api

import (
	"fmt"
	"testing"

	"razao/internal/store/registry"
	"razao/internal/testing/contract"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// TestContract runs the contract scripts against this package alone and validates the responses
// against the OpenAPI documents; package main runs them against the program.
func TestContract(t *testing.T) {
	t.Parallel()
	contract.Run(t, func(t *testing.T, script contract.Script) contract.Target {
		var s *service
		target := contract.Target{
			Check: func(t testing.TB, method, path string, a contract.Answer) {
				checkDocumented(t, method, path, answer{a.Status, a.Header, a.Body})
			},
		}
		if script.Changes {
			l := fixture.LoadRecords(t)
			target.Load = func(source, period string) { loadAgain(t, l, source, period) }
			target.Drop = func(source string) { loseRecords(t, l, source) }
			s = start(t, l)
		} else {
			s = read(t, fixture.SharedRecords(t))
		}
		target.URL, target.Key, target.Revoked = s.url, s.key, s.revokedKey(t)
		return target
	})
}

func (s *service) revokedKey(t *testing.T) string {
	t.Helper()
	plain, key, err := s.keys.CreateKey(t.Context(), "ana@exemplo.com.br", "revogada")
	if err == nil {
		err = s.keys.RevokeKey(t.Context(), key.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func loadAgain(t *testing.T, l *fixture.Loaded, source, period string) {
	t.Helper()
	if source != registry.Receita {
		l.Source(t, source, sourcefiles.Folder(t, source), period)
		return
	}
	l.Ingest(t)
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func loseRecords(t *testing.T, l *fixture.Loaded, source string) {
	t.Helper()
	snapshot, err := l.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	load := snapshot.LoadOf(source)
	snapshot.Release()
	if _, err := l.Pool.Exec(t.Context(), fmt.Sprintf("DROP TABLE load_%06d.record", load)); err != nil {
		t.Fatal(err)
	}
}
