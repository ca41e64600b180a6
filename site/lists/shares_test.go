package lists

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"

	"razao/internal/testing/fixture"
	"razao/internal/web"
	"razao/site/page"
)

// TestListsOfOneAccount has one account, and then its network, look up as many lists as it may: those of
// others are looked up.
func TestListsOfOneAccount(t *testing.T) {
	t.Parallel()
	pages, err := page.New(page.Config{Live: fixture.Empty(t).Live})
	if err != nil {
		t.Fatal(err)
	}
	hs, err := New(pages, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	leave, begun := make(chan struct{}), make(chan struct{})
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler)})
	engine.GET("/:what", func(c *gin.Context) {
		web.EventOf(c.Request.Context()).Account, _ = strconv.ParseInt(c.GetHeader("X-Account"), 10, 64)
		done, err := web.Move(c, hs.lists, listTime)
		if err != nil {
			c.Status(http.StatusTooManyRequests)
			return
		}
		defer done()
		if c.Param("what") == "long" {
			begun <- struct{}{}
			<-leave
		}
	})
	ask := func(path, client, account string) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.RemoteAddr = client + ":1234"
		r.Header.Set("X-Account", account)
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		return w.Code
	}
	var long sync.WaitGroup
	hold := func(client, account string) {
		long.Go(func() { ask("/long", client, account) })
		<-begun
	}
	answered := func(client, account string, want int) {
		t.Helper()
		if got := ask("/short", client, account); got != want {
			t.Errorf("account %s at %s: %d, want %d", account, client, got, want)
		}
	}
	hold("192.0.2.1", "1")
	answered("192.0.2.1", "1", http.StatusTooManyRequests)
	answered("203.0.113.1", "1", http.StatusTooManyRequests)
	answered("192.0.2.1", "2", http.StatusOK)
	hold("192.0.2.1", "2")
	answered("192.0.2.1", "3", http.StatusTooManyRequests)
	answered("203.0.113.1", "3", http.StatusOK)
	close(leave)
	long.Wait()
	answered("192.0.2.1", "1", http.StatusOK)
}
