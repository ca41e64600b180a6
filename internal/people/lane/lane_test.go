package lane

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestAnOutageIsLoggedOnce: while nothing can be taken, the log has a line, not one each second, and one when work goes on.
func TestAnOutageIsLoggedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		began := time.Now()
		taken := 0
		take := func(context.Context, []int) (int, error) {
			taken++
			if time.Since(began) < time.Minute {
				return 0, errors.New("connection refused")
			}
			return 0, pgx.ErrNoRows
		}
		l := New(2, take, func(context.Context, int) error { return nil }, slog.New(slog.NewTextHandler(&log, nil)), "outbox of mails")
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		l.Run(ctx)
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		if taken < 100 || len(lines) != 2 || !strings.Contains(lines[0], "level=ERROR msg=\"outbox of mails\" error=\"connection refused\"") || !strings.Contains(lines[1], "over: outbox of mails") {
			t.Errorf("%d attempts, logged:\n%s", taken, &log)
		}
	})
}
