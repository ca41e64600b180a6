package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/testing/fixture"
	"razao/internal/web"
)

// TestRefusedCallsDoNotCount calls while the only slot is taken: the key is not looked up and
// nothing is counted.
func TestRefusedCallsDoNotCount(t *testing.T) {
	t.Parallel()
	var admitted atomic.Int32
	slots := web.NewRequestSlots(1, 1)
	h := newEngine(New(Config{
		Live: fixture.SharedRecords(t).Live, IBGE: testIBGE, Slots: slots,
		Admit: func(context.Context, string) (account.Admission, error) {
			admitted.Add(1)
			return account.Admission{}, account.ErrInvalidKey
		},
	}))
	taken, leave := make(chan struct{}), make(chan struct{})
	holder := gin.New()
	web.Get(holder, "/", web.Shed(slots, func(*gin.Context, error) {}), func(*gin.Context) { close(taken); <-leave })
	done := make(chan struct{})
	go func() {
		defer close(done)
		holder.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}()
	<-taken
	get := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/v1/cnpj/12345678", nil))
		return w
	}
	for range 2 {
		w := get()
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" ||
			!strings.Contains(w.Body.String(), `"codigo":"servico_indisponivel"`) {
			t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
		}
	}
	close(leave)
	<-done
	if w := get(); w.Code != http.StatusUnauthorized || admitted.Load() != 1 {
		t.Errorf("afterwards: %d, %d asked for admission, want one", w.Code, admitted.Load())
	}
}
