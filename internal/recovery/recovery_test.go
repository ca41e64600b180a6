package recovery

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestDo(t *testing.T) {
	t.Parallel()
	if err := Do(func() error { return io.EOF }); !errors.Is(err, io.EOF) {
		t.Errorf("error: %v", err)
	}
	before := Count()
	err := Do(func() error { panic(io.ErrClosedPipe) })
	if Count() == before {
		t.Error("it is not counted")
	}
	var p *Error
	if !errors.As(err, &p) || !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(string(p.Stack), "TestDo") {
		t.Errorf("panic: %v", err)
	}
	if err.Error() != "panic: io: read/write on closed pipe" {
		t.Errorf("text: %v", err)
	}
}

// TestKeepRunsAgain panics twice and then works until the context ends.
func TestKeepRunsAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		ctx, stop := context.WithCancel(t.Context())
		runs := 0
		Keep(ctx, slog.New(slog.NewTextHandler(&out, nil)), "sums", func(ctx context.Context) {
			if runs++; runs < 3 {
				panic("broken sum")
			}
			stop()
			<-ctx.Done()
		})
		if log := out.String(); runs != 3 || strings.Count(log, "broken sum") != 2 || !strings.Contains(log, "work=sums") || !strings.Contains(log, "stack=") {
			t.Errorf("%d runs\n%s", runs, log)
		}
	})
}

// TestKeepEndsWithItsContext ends the context of work that always panics.
func TestKeepEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 10*longestPause)
		defer stop()
		runs := 0
		Keep(ctx, slog.New(slog.DiscardHandler), "sums", func(context.Context) {
			runs++
			panic("broken sum")
		})
		if runs < 10 || runs > 20 {
			t.Errorf("%d runs in ten minutes", runs)
		}
	})
}

// TestOutage: an outage of a minute, in work that is repeated each second, is a line when it begins and one when it ends.
func TestOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		o := NewOutage(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: withoutTime})), "outbox")
		for _, outcomes := range [][]error{{nil}, {io.ErrUnexpectedEOF, io.EOF, io.EOF}, {nil, nil}, {io.EOF}} {
			for _, err := range outcomes {
				for range 20 {
					o.Note(err)
					time.Sleep(time.Second)
				}
			}
		}
		want := "level=ERROR msg=outbox error=\"unexpected EOF\"\nlevel=ERROR msg=outbox error=EOF\n" +
			"level=INFO msg=\"over: outbox\" after=1m0s\nlevel=ERROR msg=outbox error=EOF\n"
		if log.String() != want {
			t.Errorf("got\n%swant\n%s", &log, want)
		}
	})
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
