package api

import (
	"fmt"
	"path/filepath"
	"testing"

	"razao/internal/contract"
	"razao/internal/registry"
)

// TestContract runs the contract scripts on the API alone and holds the answers to its documents; package main runs them on
// the program.
func TestContract(t *testing.T) {
	t.Parallel()
	contract.Run(t, func(t *testing.T, _ contract.Script) contract.Target {
		s := start(t, loaded(t))
		return contract.Target{
			URL: s.url, Key: s.key, Revoked: s.revokedKey(t),
			Load: func(source, period string) { s.loadAgain(t, source, period) },
			Drop: func(source string) { s.loseRecords(t, source) },
			Check: func(t testing.TB, method, path string, a contract.Answer) {
				checkDocumented(t, method, path, answer{a.Status, a.Header, a.Body})
			},
		}
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

func (s *service) loadAgain(t *testing.T, source, period string) {
	t.Helper()
	if source != registry.Receita {
		s.Source(t, source, filepath.Join("testdata", "fontes", source), period)
		return
	}
	s.Ingest(t)
	if err := s.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (s *service) loseRecords(t *testing.T, source string) {
	t.Helper()
	snapshot, err := s.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	load := snapshot.Snapshot.Loads[source]
	snapshot.Release()
	if _, err := s.Pool.Exec(t.Context(), fmt.Sprintf("DROP TABLE load_%06d.record", load)); err != nil {
		t.Fatal(err)
	}
}
