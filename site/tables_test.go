package site_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// Each table also comes as formato=excel, with the same rows and a link to it.
func TestTablesForSpreadsheets(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	cookie := h.Session(t, "ana@exemplo.com")
	for path, from := range map[string]string{"/empresas/todas.csv": "/empresas", "/municipios.csv": "/municipios", "/dicionario.csv": "/dicionario"} {
		rows := sitetest.Table(t, h.Get(t, path, "Cookie", cookie))
		w := h.Get(t, path+"?formato=excel", "Cookie", cookie)
		text, marked := strings.CutPrefix(w.Body.String(), "\uFEFF")
		r := csv.NewReader(strings.NewReader(text))
		r.Comma = ';'
		records, err := r.ReadAll()
		if err != nil || !marked || len(records) != len(rows)+1 || strings.Count(text, "\n") < len(records) || !strings.HasSuffix(text, "\r\n") {
			t.Errorf("%s: %d rows, want %d, marked %t, %v", path, len(records)-1, len(rows), marked, err)
		}
		h.Status(t, http.StatusUnprocessableEntity, path+"?formato=xls", "Cookie", cookie)
		if body := h.Body(t, from); !strings.Contains(body, `href="`+path+`?formato=excel"`) {
			t.Errorf("%s does not link the table for spreadsheets", from)
		}
	}
	text := h.Body(t, "/empresas.csv?formato=excel", "Cookie", cookie)
	pagetest.Texts(t, text, []string{"12.345.678/0001-95;PADARIA ESTRELA DO SUL LTDA", ";480000,00;", ";14/03/2009;", ";1091-1/02;", ";13024-100;"}, nil)
}
