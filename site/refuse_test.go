package site_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"razao/internal/testing/fixture"
	"razao/internal/web"
	"razao/site/sitetest"
)

// TestRefusedPages requests pages while the only slot is taken. They wait for 100 ms in vain.
func TestRefusedPages(t *testing.T) {
	t.Parallel()
	slots := web.NewRequestSlots(1, 1)
	h := sitetest.New(t, fixture.Load(t), func(s *sitetest.Setup) { s.Slots = slots })
	taken, leave := make(chan struct{}), make(chan struct{})
	holder := gin.New()
	web.Get(holder, "/", web.Shed(slots, func(*gin.Context, error) {}), func(*gin.Context) { close(taken); <-leave })
	done := make(chan struct{})
	go func() {
		defer close(done)
		holder.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}()
	<-taken
	w := h.Get(t, "/12345678000195", "Accept", sitetest.HTML)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" ||
		!strings.Contains(w.Body.String(), "Visitas demais") {
		t.Errorf("a page: %d %v %.200s", w.Code, w.Header(), w.Body)
	}
	w = h.Get(t, "/sugestoes?q=padaria")
	if want := `{"q":"padaria","itens":[]}`; w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != want || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("suggestions: %d %s", w.Code, w.Body)
	}
	w = h.Get(t, "/sugestoes/valores?filtro=cnae&q=padaria")
	if w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != `{"itens":[]}` || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("values: %d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/health", "/robots.txt", "/login"} { // not behind Shed
		h.Status(t, http.StatusOK, path)
	}
	close(leave)
	<-done
	h.Status(t, http.StatusOK, "/12345678000195", "Accept", sitetest.HTML)
}
