package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"

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
	for range 3 { // and no more: on a slow machine the reader would be cut meanwhile, as too slow
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

// ask sends a request to an engine from an address.
func ask(t *testing.T, engine http.Handler, method, path, client string, body io.Reader, header ...string) int {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, body)
	r.RemoteAddr = client + ":1234"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, r)
	return w.Code
}

// TestSlowBodiesHoldNoSlots has clients stop in the middle of a batch: calls of others get the only slot.
func TestSlowBodiesHoldNoSlots(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := serve(t, fixture.Shared(t), pool)
	meter := openMeter(t, pool)
	engine := newEngine(New(Config{Live: s.Live, Admit: patient(meter, pool), Charge: generous(meter, pool), Slots: web.NewRequestSlots(1, 1)}))
	key := []string{"Authorization", "Bearer " + s.key}
	for _, path := range []string{batchPath, reconcilePath} {
		var slow sync.WaitGroup
		var rest []*io.PipeWriter
		for range 8 {
			body, send := io.Pipe()
			slow.Go(func() {
				if got := ask(t, engine, "POST", path, "192.0.2.1", body, key...); got != http.StatusRequestTimeout {
					t.Errorf("%s, too slow: %d", path, got)
				}
			})
			if _, err := io.WriteString(send, `{"cnpjs":[`); err != nil { // which the server has read
				t.Fatal(err)
			}
			rest = append(rest, send)
		}
		if got := ask(t, engine, "GET", "/v1/cnpj/"+fixture.Bakery, "192.0.2.1", nil, key...); got != http.StatusOK {
			t.Errorf("a call meanwhile: %d", got)
		}
		for _, send := range rest {
			_ = send.CloseWithError(web.ErrSlow)
		}
		slow.Wait()
	}
}

// TestLongCallsOfOneAccount has one account, and then its network, make as many calls that compute for long as
// it may: those of others are answered.
func TestLongCallsOfOneAccount(t *testing.T) {
	t.Parallel()
	a := New(Config{})
	leave, begun := make(chan struct{}), make(chan struct{})
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler)})
	engine.Use(func(c *gin.Context) {
		web.EventOf(c.Request.Context()).Account, _ = strconv.ParseInt(c.GetHeader("X-Account"), 10, 64)
	})
	engine.GET("/short", a.open(a.takesLong(func(*gin.Context, *body) error { return nil })))
	engine.GET("/long", a.open(a.takesLong(func(*gin.Context, *body) error { begun <- struct{}{}; <-leave; return nil })))
	var long sync.WaitGroup
	hold := func(client, account string) {
		long.Go(func() { ask(t, engine, "GET", "/long", client, nil, "X-Account", account) })
		<-begun
	}
	answered := func(client, account string, want int) {
		t.Helper()
		if got := ask(t, engine, "GET", "/short", client, nil, "X-Account", account); got != want {
			t.Errorf("account %s at %s: %d, want %d", account, client, got, want)
		}
	}
	for range longOfAccount {
		hold("192.0.2.1", "1")
	}
	answered("192.0.2.1", "1", http.StatusTooManyRequests)
	answered("203.0.113.1", "1", http.StatusTooManyRequests)
	answered("192.0.2.1", "2", http.StatusOK)
	for range longOfNetwork - longOfAccount {
		hold("192.0.2.1", "2")
	}
	answered("192.0.2.1", "3", http.StatusTooManyRequests)
	answered("203.0.113.1", "3", http.StatusOK)
	close(leave)
	long.Wait()
	answered("192.0.2.1", "1", http.StatusOK)
}
