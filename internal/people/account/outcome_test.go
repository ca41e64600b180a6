package account

import (
	"context"
	"strings"
	"testing"

	"razao/internal/testing/pgtest"
)

func TestOutcomes(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	m := idleMeter(pool)
	key, made := mustCreate(t, NewStore(pool, testSeal), "ana@exemplo.com.br", "chave")
	for _, token := range []string{"", "nada", goodKey(strings.Repeat("a", 34))} {
		_, _ = m.Admit(t.Context(), token)
	}
	for range CallsPerMinute { // in two minutes at the most
		_, _ = m.Admit(t.Context(), key)
		_, _ = m.AdmitAccount(t.Context(), made.Account)
	}
	for i := 0; m.Outcomes().Limited == 0 && i < CallsPerMinute; i++ {
		_, _ = m.Admit(t.Context(), key)
	}
	_, _ = m.AdmitAccount(t.Context(), made.Account+1)
	left, cancel := context.WithCancel(t.Context())
	cancel()
	other, _ := mustCreate(t, NewStore(pool, testSeal), "bia@exemplo.com.br", "chave")
	_, _ = m.Admit(left, other)
	pool.Close()
	_, _ = m.Admit(t.Context(), other)
	got := m.Outcomes()
	if got.Admitted < CallsPerMinute || got.Limited == 0 {
		t.Errorf("admitted, limited: %+v", got)
	}
	got.Admitted, got.Limited = 0, 0
	if want := (Outcomes{Missing: 1, Invalid: 3, Left: 1, Failed: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
