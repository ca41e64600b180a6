package site_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/source"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// recordTable returns the quoted name of the record table of a source's load in service.
func recordTable(t *testing.T, l *fixture.Loaded, id string) string {
	t.Helper()
	snap := fixture.Acquire(t, l.Live)
	load := snap.LoadOf(id)
	if load == 0 {
		t.Fatalf("%s has no load", id)
	}
	return pgx.Identifier{fmt.Sprintf("load_%06d", load), "record"}.Sanitize()
}

// troubled fails unless the page shows one source as unavailable and the others unchanged.
func troubled(t *testing.T, h *sitetest.Site, id, name string) {
	t.Helper()
	w := h.Get(t, "/12345678000195")
	if w.Code != http.StatusOK {
		t.Fatalf("status %d", w.Code)
	}
	well := sitetest.Records(t)
	sitetest.Golden(t, "trouble/"+name, w, outline.Against(well.Get(t, "/12345678000195").Body))
	page := pagetest.Parse(t, w.Body.String())
	pagetest.Texts(t, page.At(t, id).Text(), nil, []string{"ocorrência", "nada consta", "registro"})
	if got := len(page.At(t, id).Rows()); got != 0 {
		t.Errorf("%d rows of what could not be read", got)
	}
	// The totals and facts of the others stay; the time line says whose are missing.
	pagetest.Texts(t, page.At(t, "pncp").Text(), []string{"21 registros", "25.925,92"}, nil)
	src, _ := source.Find(id)
	pagetest.Texts(t, page.Text(), []string{"Contrato público assinado", "Faltam os fatos de " + src.Title}, nil)
	// What stands above the sections says so too: without it, "Com registros" would seem to be all there is.
	above, _, _ := strings.Cut(page.Text(), "Nesta página")
	pagetest.Texts(t, above, []string{"Não foi possível consultar agora: ", src.Title}, nil)
}

func TestSourceTableDropped(t *testing.T) {
	t.Parallel()
	h := sitetest.LoadRecords(t)
	l := h.Stores
	for _, id := range []string{"pgfn", "ibama_autos", "ibama_embargos"} {
		if _, err := l.Pool.Exec(t.Context(), `DROP TABLE `+recordTable(t, l, id)); err != nil {
			t.Fatal(err)
		}
	}
	troubled(t, h, "pgfn", "sources-dropped")
	// Whether a list has a page cannot be known now: that is no 404.
	h.Compare(t, "trouble", []sitetest.Page{
		sitetest.Case("sources-dropped-past-the-debts", "/12345678000195?pgfn_pagina=99", 200),
		sitetest.Case("notices-dropped", "/12345678000195/ibama/autos/1", 200),
		sitetest.Case("embargoes-dropped", "/12345678000195/ibama/embargos/99", 200),
	})
}

// A source that hangs costs its own deadline, not the page.
func TestSourceSlow(t *testing.T) {
	t.Parallel()
	h := sitetest.LoadRecords(t)
	l := h.Stores
	other, err := pgx.ConnectConfig(t.Context(), l.Pool.Config().ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close(t.Context()) }()
	tx, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `LOCK TABLE `+recordTable(t, l, "pgfn")); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	troubled(t, h, "pgfn", "source-slow")
	if took := time.Since(begun); took >= 5*time.Second {
		t.Errorf("the page took %s", took)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	pagetest.Texts(t, h.Page(t, "/12345678000195").At(t, "pgfn").Text(), []string{"46 registros"}, nil)
}

// Without the description of its load, a source is shown as unavailable.
func TestSourceUnreadable(t *testing.T) {
	t.Parallel()
	l := sitetest.Recorded.Load(t)
	fields := strings.Replace(recordTable(t, l, "bndes"), "record", "field", 1)
	if _, err := l.Pool.Exec(t.Context(), `DROP TABLE `+fields); err != nil {
		t.Fatal(err)
	}
	fresh := *l // opened after the harm was done
	fresh.Live = snapshot.Open(t.Context(), l.Store, l.Ingester.IndexDir, fixture.Atlas(t), slog.New(slog.DiscardHandler))
	t.Cleanup(fresh.Live.Close)
	h := sitetest.New(t, &fresh)
	w := h.Get(t, "/12345678000195")
	well := sitetest.Records(t)
	sitetest.Golden(t, "trouble/source-unreadable", w, outline.Against(well.Get(t, "/12345678000195").Body))
	pagetest.Texts(t, pagetest.Parse(t, w.Body.String()).At(t, "bndes").Text(), nil, []string{"Competência"})
	w = h.Get(t, "/metodologia/bndes")
	if w.Code != http.StatusOK {
		t.Fatalf("status %d", w.Code)
	}
	sitetest.Golden(t, "trouble/methodology", w)
	pagetest.Texts(t, w.Body.String(), nil, []string{"<table", "Sem carga"})
}
