package site

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"

	"razao/internal/testing/fixture"
	"razao/internal/web"
)

// TestLongPagesOfOneNetwork has one account, and then one network, ask for as many pages that compute for long
// as it may: those of others are made.
func TestLongPagesOfOneNetwork(t *testing.T) {
	t.Parallel()
	s, err := New(Config{Live: fixture.Empty(t).Live, Ping: func(ctx context.Context) error { return nil }, BaseURL: "https://razao.exemplo"})
	if err != nil {
		t.Fatal(err)
	}
	leave, begun := make(chan struct{}), make(chan struct{})
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler)})
	engine.Use(func(c *gin.Context) {
		web.EventOf(c.Request.Context()).Account, _ = strconv.ParseInt(c.GetHeader("X-Account"), 10, 64)
	})
	engine.GET("/short", s.takesLong, func(c *gin.Context) { c.Status(http.StatusOK) })
	engine.GET("/long", s.takesLong, func(*gin.Context) { begun <- struct{}{}; <-leave })
	ask := func(path, client, account string) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.RemoteAddr = client + ":1234"
		r.Header.Set("X-Account", account)
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		return w.Code
	}
	var long sync.WaitGroup
	hold := func(n int, client, account string) {
		for range n {
			long.Go(func() { ask("/long", client, account) })
			<-begun
		}
	}
	made := func(client, account string, want int) {
		t.Helper()
		if got := ask("/short", client, account); got != want {
			t.Errorf("account %q at %s: %d, want %d", account, client, got, want)
		}
	}
	hold(longOfAccount, "192.0.2.1", "1")
	made("192.0.2.1", "1", http.StatusTooManyRequests)
	made("203.0.113.1", "1", http.StatusTooManyRequests)
	made("192.0.2.1", "", http.StatusOK)
	hold(longOfNetwork-longOfAccount, "192.0.2.1", "")
	made("192.0.2.1", "", http.StatusTooManyRequests)
	made("203.0.113.1", "", http.StatusOK)
	close(leave)
	long.Wait()
	made("192.0.2.1", "1", http.StatusOK)
}
