package reference_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestSourcePages(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	h.Compare(t, "sources", []sitetest.Page{
		sitetest.Case("all", "/fontes", 200),
		sitetest.Case("debts", "/fontes/pgfn", 200, "desatualizada</span>"),
		sitetest.Case("cadastre", "/fontes/receita", 200),
		sitetest.Case("inferred", "/fontes/bndes", 200),
		sitetest.Case("without-a-load", "/fontes/mte_ceac", 200, "Linhas lidas", "O que ficou de fora"),
		sitetest.Case("unknown", "/fontes/nada", 404),
	})
	body := h.Body(t, "/fontes")
	for _, id := range append([]string{registry.Receita}, source.IDs()...) {
		pagetest.Texts(t, body, []string{`href="/fontes/` + id + `"`}, nil)
	}
	for _, src := range source.All() {
		h.Texts(t, "/fontes/"+src.ID, []string{`href="/dicionario#` + src.ID + "." + src.Fields[0].Name + `"`}, nil)
	}
}

// The history lists every load that was ever in service, also after its records were deleted.
func TestLoadsOfASource(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	for _, month := range []string{"2026-07", "2026-08", "2026-09"} {
		l.Publish(t, fixture.Published(t, month))
	}
	if _, err := l.Store.BeginLoad(t.Context(), registry.Receita, "2026-10"); err != nil { // never finished
		t.Fatal(err)
	}
	h := sitetest.New(t, l)
	states := func() (states []string) {
		for _, row := range strings.Split(h.Body(t, "/fontes/receita"), `<tr><th scope="row">`)[1:] {
			if cells := strings.Split(row, `data-label="Situação">`); len(cells) == 2 {
				period, _, _ := strings.Cut(row, "<")
				state, _, _ := strings.Cut(cells[1], "<")
				states = append(states, period+" "+state)
			}
		}
		return states
	}
	const want = "09/2026 em uso, 08/2026 guardada, 07/2026 apagada"
	if got := strings.Join(states(), ", "); got != want {
		t.Errorf("the loads are %s, want %s", got, want)
	}
}

// Of rejected rows, visitors get counts but no content.
func TestRejectedRowsAreCounted(t *testing.T) {
	t.Parallel()
	l := sitetest.Recorded.Load(t)
	snap, err := l.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	load := snap.LoadOf("ceis")
	snap.Release()
	const secret = "SEGREDO DE ALGUEM"
	err = l.Store.KeepRejects(t.Context(), load, []registry.Reject{
		{File: "ceis.csv", Line: 2, Column: "DATA FINAL SANÇÃO", Reason: `"` + secret + `" is no date`, Raw: []byte(secret)},
		{File: "ceis.csv", Line: 3, Column: "DATA FINAL SANÇÃO", Reason: secret, Raw: []byte(secret)},
		{File: "ceis.csv", Line: 4, Reason: secret, Raw: []byte(secret)},
	})
	if err == nil {
		_, err = l.Pool.Exec(t.Context(), `UPDATE load SET rows_rejected = 5 WHERE id = $1`, load)
	}
	if err != nil {
		t.Fatal(err)
	}
	fresh := *l // opened after the figures were changed
	fresh.Live = snapshot.Open(t.Context(), l.Store, l.Ingester.IndexDir, fixture.Atlas(t), slog.New(slog.DiscardHandler))
	t.Cleanup(fresh.Live.Close)
	h := sitetest.New(t, &fresh)
	pagetest.Texts(t, h.Body(t, "/fontes/ceis"), []string{
		`<tr><th scope="row"><code>DATA FINAL SANÇÃO</code></th><td class="num">2</td></tr>`, `<tr><th scope="row">a linha inteira</th><td class="num">1</td></tr>`,
		"3 das 5 foram guardadas para exame",
	}, []string{"SEGREDO", "is no date", "ceis.csv</"})

	if _, err := l.Pool.Exec(t.Context(), `ALTER TABLE reject RENAME TO gone`); err != nil {
		t.Fatal(err)
	}
	w := h.Get(t, "/fontes/ceis")
	if w.Code != http.StatusOK {
		t.Errorf("status %d", w.Code)
	}
	pagetest.Texts(t, w.Body.String(), []string{"Não foi possível contar agora por que 5 linhas não puderam ser lidas."}, []string{"a linha inteira"})
}
