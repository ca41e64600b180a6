package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"razao/internal/fixture"
)

// TestPersonsOfEveryNature turns two individual entrepreneurs into a rural producer and a candidate:
// the website shows no street, telephone or e-mail of natural persons, whatever their legal nature,
// asks not to be indexed, and finds nobody by a contact. The API keeps what is published.
func TestPersonsOfEveryNature(t *testing.T) {
	t.Parallel()
	for natures, edits := range map[string][]string{
		"4014 and 4022": {`DA SILVA";"2135"`, `DA SILVA";"4014"`, fixture.HiddenCPF + `";"2135"`, fixture.HiddenCPF + `";"4022"`},
		"4120 and 4090": {`DA SILVA";"2135"`, `DA SILVA";"4120"`, fixture.HiddenCPF + `";"2135"`, fixture.HiddenCPF + `";"4090"`},
	} {
		t.Run(natures, func(t *testing.T) {
			t.Parallel()
			edits := append(edits, `"S";"20210401";"00000000";"S";"20210401"`, `"N";"20210401";"00000000";"N";"20210401"`, // no MEI
				`"SEGREDO"`, `"ESCONDIDA"`)
			l := fixture.Empty(t)
			l.Publish(t, fixture.Published(t, fixture.Month, edits...))
			w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
			contacts := []string{"escondida", "reservada", "99887766", "9988-7766", "joana@", "ze@consertos"}
			told := map[string]bool{}
			readAll(t, w, func(kind, what, text string) {
				text = strings.ToLower(text)
				for _, contact := range contacts {
					if !strings.Contains(text, contact) {
						continue
					}
					if told[kind+contact] = true; kind != "/v1" && kind != "/v2" && kind != "/mcp" {
						t.Errorf("%s shows %s", what, contact)
					}
				}
			})
			for _, contact := range []string{"escondida", "reservada", "99887766", "joana@", "ze@consertos"} {
				if !told["/v1"+contact] || !told["/v2"+contact] {
					t.Errorf("the API does not tell %s", contact)
				}
			}
			pages, err := gzip.NewReader(w.ask(t, http.MethodGet, "/sitemaps/0002.xml.gz", "").Body)
			if err != nil {
				t.Fatal(err)
			}
			listed, err := io.ReadAll(pages)
			if err != nil || !strings.Contains(string(listed), fixture.Bakery) {
				t.Fatalf("the sitemap: %v, %s", err, listed)
			}
			for _, root := range []string{fixture.MEI, fixture.OldMEI} {
				address := w.ask(t, http.MethodGet, "/"+root, "").Header.Get("Location")
				page, err := io.ReadAll(w.ask(t, http.MethodGet, address, "").Body)
				if err != nil || !strings.Contains(string(page), `<meta name="robots" content="noindex">`) {
					t.Errorf("%s may be indexed: %v", address, err)
				}
				if strings.Contains(string(listed), root) {
					t.Errorf("%s is in the sitemap", root)
				}
			}
		})
	}
}
