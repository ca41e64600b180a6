package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// served is the service behind the server that the program runs.
func served(t *testing.T) *service {
	t.Helper()
	pool := pgtest.Pool(t)
	s := serve(t, everyCrowd.Shared(t), pool)
	listener, err := web.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	engine := newEngine(New(Config{Live: s.Live, Admit: patient(openMeter(t, pool), pool)}))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(ctx, listener, engine, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	s.url = "http://" + listener.Addr().String()
	return s
}

func (s *service) dial(t *testing.T) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn.(*net.TCPConn)
}

func (s *service) request(path string) string {
	return fmt.Sprintf("GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", path, s.key)
}

// TestASlowReaderHoldsUpNobody requests large bodies on one connection and reads nothing until
// requests on others have been answered.
func TestASlowReaderHoldsUpNobody(t *testing.T) {
	t.Parallel()
	s := served(t)
	conn := s.dial(t)
	const requests = 40 // more bytes than the system keeps for a connection
	path := "/v2/empresas/" + fixture.Chain + "/full?limite=100"
	go func() {
		for range requests {
			if _, err := io.WriteString(conn, s.request(path)); err != nil {
				t.Error(err)
			}
		}
	}()
	for range 20 {
		if got := s.do(t, "GET", path); got.status != 200 {
			t.Fatalf("another client meanwhile: %d", got.status)
		}
	}
	answers := bufio.NewReader(conn)
	for i := range requests {
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatalf("answer %d: %v", i, err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || n != resp.ContentLength {
			t.Fatalf("answer %d: status %d, %d of %d bytes, %v", i, resp.StatusCode, n, resp.ContentLength, err)
		}
	}
}
