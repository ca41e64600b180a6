package reference_test

import (
	"encoding/base64"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"razao/internal/data/source"
	"razao/internal/people/seal"
	"razao/internal/store/proof"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestSourcePages(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	h.Compare(t, "", []sitetest.Page{
		sitetest.Case("all", "/fontes", 200),
		sitetest.Case("debts", "/fontes/pgfn", 200, "desatualizada</span>"),
		sitetest.Case("registry", "/fontes/receita", 200),
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
				_, linked, _ := strings.Cut(row, ">")
				period, _, _ := strings.Cut(linked, "<")
				state, _, _ := strings.Cut(cells[1], "<")
				states = append(states, period+" "+state)
			}
		}
		return states
	}
	const want = "09/2026 em uso, 08/2026 guardada, 07/2026 apagada, publicada apesar das verificações" // the first one is below the floors of real files
	if got := strings.Join(states(), ", "); got != want {
		t.Errorf("the loads are %s, want %s", got, want)
	}
	checkpoints(t, h)
}

// checkpoints looks at the pages of three loads, of which the first has no records any more.
func checkpoints(t *testing.T, h *sitetest.Site) {
	t.Helper()
	signer := proof.NewSigner(seal.New(sitetest.Secret).Key("checkpoint"), sitetest.URL)
	const establishmentsOnly = 1 // roots without a row in Empresas are leaves, too
	for id, state := range map[int64]string{1: "apagada, publicada apesar das verificações", 2: "guardada", 3: "em uso"} {
		l, err := h.Stores.Store.Load(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := signer.Checkpoint(&l)
		if err != nil {
			t.Fatal(err)
		}
		if origin, tree, err := signed.Verify(); err != nil || origin != "razao.exemplo"+proof.Path(id) || tree.N != l.Counts.Companies+establishmentsOnly {
			t.Errorf("%s: %d leaves for %d companies, %v", origin, tree.N, l.Counts.Companies, err)
		}
		note := h.Get(t, proof.Path(id)+"/checkpoint")
		if note.Body.String() != signed.Text || note.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("load %d: %s, want %s", id, note.Body, signed.Text)
		}
		secret := base64.StdEncoding.EncodeToString(l.Tree.LeafKey)
		html, markdown := h.Body(t, proof.Path(id)), h.Body(t, proof.Path(id)+".md")
		pagetest.Texts(t, html, []string{"<dd>" + state + "</dd>", l.Provenance.Arquivos[0].SHA256}, []string{secret})
		pagetest.Texts(t, markdown, []string{"- **Situação:** " + state + "\n", l.Provenance.Arquivos[0].SHA256, signed.Text, signed.Key}, []string{secret})
	}
	for _, path := range []string{"/fontes/receita/cargas/4", "/fontes/receita/cargas/03", "/fontes/receita/cargas/-1", "/fontes/receita/cargas/x.md", "/fontes/pgfn/cargas/3"} {
		if w := h.Get(t, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
	if _, err := h.Stores.Pool.Exec(t.Context(), `UPDATE load SET tree = NULL WHERE id = 1`); err != nil {
		t.Fatal(err)
	}
	pagetest.Texts(t, h.Body(t, "/fontes/receita/cargas/1"), []string{"não tem checkpoint"}, nil)
	if w := h.Get(t, "/fontes/receita/cargas/1/checkpoint"); w.Code != http.StatusNotFound {
		t.Errorf("the checkpoint of a load without a tree: status %d", w.Code)
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
