package people_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"razao/site"
	"razao/site/sitetest"
)

func TestHidingForm(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	rui := h.Visitor()
	golden(t, "hiding-with-a-number", rui.Open(t, "/privacidade/ocultar?cnpj=12345678000195"), 200, "Pedido recebido")
	refused := []struct{ name, cnpj, email, reason string }{
		{"no-number", "", "rui@exemplo.com", ""},
		{"a-root", "12345678", "rui@exemplo.com", ""},
		{"wrong-digits", "12.345.678/0001-96", "rui@exemplo.com", ""},
		{"no-address", "12345678000195", "rui", ""},
		{"long-reason", "12345678000195", "rui@exemplo.com", strings.Repeat("é ", 501)},
		{"markup", `"><script>`, `"><script>`, "</textarea><script>"},
	}
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			w := rui.Post(t, "/privacidade/ocultar", "cnpj", c.cnpj, "email", c.email, "motivo", c.reason)
			golden(t, "hiding-"+c.name, w, http.StatusUnprocessableEntity, "Pedido recebido", "<script>")
		})
	}
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, sitetest.Form(t, "/privacidade/ocultar", "cross-site", "cnpj", "12345678000195", "email", "rui@exemplo.com")); w.Code != http.StatusForbidden {
		t.Errorf("a form of another site: %d", w.Code)
	}
	if kept, err := h.Contacts.Requests(t.Context()); err != nil || len(kept) > 0 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	const reason = "moro aqui\r\n\x00com a\xff minha\x1b[31m família"
	for _, number := range []string{"CNPJ: 12.345.678/0001-95", "12345678000195", "11444777000161", "41330504000157"} { // the third is in no load
		sitetest.Leads(t, rui.Post(t, "/privacidade/ocultar", "cnpj", number, "email", "rui@exemplo.com", "motivo", reason), "/privacidade/ocultar?aviso=recebido")
	}
	golden(t, "hiding-received", rui.Open(t, "/privacidade/ocultar?aviso=recebido"), 200)
	kept, err := h.Contacts.Requests(t.Context())
	if err != nil || len(kept) != 3 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	if got := kept[0]; got.CNPJ.String() != "12345678000195" || got.Email != "rui@exemplo.com" || got.Reason != "moro aqui com a minha[31m família" {
		t.Errorf("kept %+v", got)
	}
	sitetest.Leads(t, rui.Post(t, "/privacidade/ocultar", "cnpj", "12345678000195", "email", "eva@exemplo.com"), "/privacidade/ocultar?aviso=recebido")
	busy := rui.Post(t, "/privacidade/ocultar", "cnpj", "12345678000195", "email", "leo@exemplo.com")
	golden(t, "hiding-too-many", busy, http.StatusTooManyRequests)
	if busy.Header().Get("Retry-After") == "" {
		t.Error("nothing says when to try again")
	}
	sitetest.Leads(t, rui.Post(t, "/privacidade/ocultar", "cnpj", "12345678000195", "email", "eva@exemplo.com"), "/privacidade/ocultar?aviso=recebido") // again
	if kept, err := h.Contacts.Requests(t.Context()); err != nil || len(kept) != 4 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

// TestNobodyToAsk: without a contacts store the form does not exist and no page links to it.
func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	l := sitetest.WithAccounts(t).Stores
	h := sitetest.Serve(t, site.Config{Live: l.Live, Ping: l.Pool.Ping, BaseURL: sitetest.URL})
	h.Status(t, http.StatusNotFound, "/privacidade/ocultar")
	for _, path := range []string{"/privacidade", "/termos", "/12345678000195"} {
		h.Texts(t, path, nil, []string{"/privacidade/ocultar", "mailto:", "/conta"})
	}
}
