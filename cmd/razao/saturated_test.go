package main

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/store/database"
	"razao/internal/testing/fixture"
)

// TestHealthBesideSaturatedRecords takes all connections for records. Health checks must not wait
// for one: a balancer that removes a busy server shifts its load to the others.
func TestHealthBesideSaturatedRecords(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	control, err := pgxpool.NewWithConfig(t.Context(), l.Pool.Config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(control.Close)
	handler, _ := assembled(t, &database.DB{Pool: l.Pool, Control: control}, l.Live, settings{Data: t.TempDir(), IPRequests: 1})
	for range l.Pool.Config().MaxConns {
		conn, err := l.Pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Release)
	}
	for _, path := range []string{"/health", "/health/ready", "/health/live", "/health", "/health/ready"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), "GET", path, nil))
		if w.Code != 200 || !strings.HasPrefix(w.Body.String(), `{"status":"ok"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
