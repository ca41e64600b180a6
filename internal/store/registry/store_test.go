package registry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/pgtest"
)

// company is a root with its number of establishments and of partners.
type company struct {
	root           string
	establishments int
	partners       int
}

// write stores companies as a new load and returns its id.
func write(t testing.TB, s *registry.Store, companies ...company) int64 {
	t.Helper()
	ctx := t.Context()
	load, err := s.BeginLoad(ctx, registry.Receita, "2026-09")
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.NewWriter(ctx, load)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range companies {
		if err := w.WriteRows(rows(t, c)); err != nil {
			t.Fatal(err)
		}
	}
	size, err := w.Commit(ctx, record.Domains{record.DomainPorte: {"05": "Demais"}})
	if err != nil {
		t.Fatal(err)
	}
	l := registry.Load{ID: load, State: registry.LoadReady, StoreBytes: size, Counts: registry.Counts{Companies: int64(len(companies))}}
	if err := s.EndLoad(ctx, &l); err != nil {
		t.Fatal(err)
	}
	return load
}

func rows(t testing.TB, c company) []byte {
	t.Helper()
	root, err := cnpj.ParseRoot(c.root)
	if err != nil {
		t.Fatal(err)
	}
	parts := pack.Parts{Company: pack.AppendCompany(nil, &record.Company{RazaoSocial: "COMPANY " + c.root, CapitalSocial: 1})}
	for i := range c.establishments {
		e := published(root, i)
		parts.Establishments = append(parts.Establishments, pack.AppendEstablishment(nil, &e))
		parts.Orders = append(parts.Orders, e.CNPJ.Order())
	}
	for i := range c.partners {
		p := record.Partner{NomeSocio: fmt.Sprint("PARTNER ", i)}
		parts.Partners = append(parts.Partners, pack.AppendPartner(nil, &p))
	}
	return pack.AppendRows(nil, root, &parts)
}

// published is an establishment with an address and a contact.
func published(root cnpj.Root, i int) record.Establishment {
	return record.Establishment{
		CNPJ: cnpj.Join(root, order(i)), NomeFantasia: fmt.Sprint("STORE ", i), UF: "SP", Municipio: "6291", CNAEFiscalPrincipal: "1091102",
		TipoLogradouro: "RUA", Logradouro: "DAS PALMEIRAS", Numero: "214", Complemento: "FUNDOS", Bairro: "CAMBUI", CEP: "13024100",
		DDD1: "19", Telefone1: "32334455", DDD2: "11", Telefone2: "99887766", DDDFax: "21", Fax: "22334455",
		CorreioEletronico: "contato@padaria.exemplo",
	}
}

// order returns the order of an establishment by its position, with gaps between them.
func order(i int) cnpj.Order { return cnpj.Order(10 * (i + 1)) }

func openView(t testing.TB, s *registry.Store, load int64) *registry.View {
	t.Helper()
	id, err := s.Publish(t.Context(), map[string]int64{registry.Receita: load}, fmt.Sprint("index-", load))
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.View(t.Context(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestViewReadsWhatWasWritten(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	companies := []company{{"00000000", 1, 0}, {"11222333", 120, 130}, {"12ABC345", 50, 50}, {"ZZZZZZZZ", 0, 51}}
	v := openView(t, s, write(t, s, companies...))
	for _, c := range companies {
		t.Run(c.root, func(t *testing.T) {
			root, _ := cnpj.ParseRoot(c.root)
			h, err := v.Head(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			if h.Company.RazaoSocial != "COMPANY "+c.root || h.Establishments != c.establishments || h.Partners != c.partners {
				t.Errorf("head %+v", h)
			}
			for i := range c.establishments {
				e, err := v.Establishment(t.Context(), &h, order(i))
				if err != nil || e.NomeFantasia != fmt.Sprint("STORE ", i) {
					t.Errorf("establishment %d: %q, %v", i, e.NomeFantasia, err)
				}
				if _, err := v.Establishment(t.Context(), &h, order(i)+1); !registry.IsAbsent(err) {
					t.Errorf("an establishment that does not exist: %v", err)
				}
			}
			checkRanges(t, v, &h)
		})
	}
	if _, err := v.Head(t.Context(), 42); !registry.IsAbsent(err) {
		t.Errorf("a root that does not exist: %v", err)
	}
	if text, ok := v.Domains.Describe(record.DomainPorte, "05"); text != "Demais" || !ok {
		t.Errorf("description %q, %v", text, ok)
	}
	heads, err := v.Heads(t.Context(), []cnpj.Root{1, 0, 7})
	if err != nil || len(heads) != 1 || heads[0].Root != 0 {
		t.Errorf("heads %v, %v", heads, err)
	}
}

// checkRanges walks both collections with several page sizes: nothing may be missing, repeated or
// out of order.
func checkRanges(t *testing.T, v *registry.View, h *pack.Head) {
	t.Helper()
	for _, limit := range []int{1, 7, 20, 50, 100, 1000} {
		n := 0
		for from := 0; from < h.Establishments; from += limit {
			err := v.Establishments(t.Context(), h, registry.Range{From: from, Limit: limit}, func(e *record.Establishment) error {
				if e.NomeFantasia != fmt.Sprint("STORE ", n) {
					t.Fatalf("page size %d: %q is number %d", limit, e.NomeFantasia, n)
				}
				n++
				return nil
			})
			if err != nil || n != min(from+limit, h.Establishments) {
				t.Fatalf("page size %d: %d establishments up to %d, %v", limit, n, from+limit, err)
			}
		}
		n = 0
		for from := 0; from < h.Partners; from += limit {
			err := v.Partners(t.Context(), h, registry.Range{From: from, Limit: limit}, func(p *record.Partner) error {
				if p.NomeSocio != fmt.Sprint("PARTNER ", n) {
					t.Fatalf("page size %d: %q is number %d", limit, p.NomeSocio, n)
				}
				n++
				return nil
			})
			if err != nil || n != min(from+limit, h.Partners) {
				t.Fatalf("page size %d: %d partners up to %d, %v", limit, n, from+limit, err)
			}
		}
	}
	boom := errors.New("boom")
	if h.Partners > 0 {
		err := v.Partners(t.Context(), h, registry.Range{Limit: 10}, func(*record.Partner) error { return boom })
		if !errors.Is(err, boom) {
			t.Errorf("an error of the visitor became %v", err)
		}
	}
}

func TestScanVisitsEverything(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	want := []company{{"00000000", 1, 0}, {"11222333", 120, 130}, {"ZZZZZZZZ", 0, 51}}
	v := openView(t, s, write(t, s, want...))
	var got []company
	err := v.Scan(t.Context(), func(h *pack.Head, partners []record.Partner, c *pack.EstablishmentCursor) error {
		seen := company{root: h.Root.String(), partners: len(partners)}
		for i, p := range partners {
			if p.NomeSocio != fmt.Sprint("PARTNER ", i) {
				t.Errorf("%q is number %d", p.NomeSocio, i)
			}
		}
		for ; c.Next(); seen.establishments++ {
			if c.Establishment.NomeFantasia != fmt.Sprint("STORE ", seen.establishments) {
				t.Errorf("%q is number %d", c.Establishment.NomeFantasia, seen.establishments)
			}
		}
		got = append(got, seen)
		return c.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(company{})); diff != "" {
		t.Error(diff)
	}
}

func TestRollbackLeavesNothing(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	ctx, cancel := context.WithCancel(t.Context())
	w, err := s.NewWriter(ctx, 7)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteRows(rows(t, company{"00000001", 1, 1})); err != nil {
		t.Fatal(err)
	}
	cancel()
	w.Rollback(ctx)
	var schemas int
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'load%'`).Scan(&schemas); err != nil || schemas != 0 {
		t.Errorf("%d schemas left, %v", schemas, err)
	}
}

func TestWriteErrorIsTheServers(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	w, err := s.NewWriter(t.Context(), 8)
	if err != nil {
		t.Fatal(err)
	}
	_ = w.WriteRows([]byte("this is not the COPY format, and the server will say so"))
	if _, err := w.Commit(t.Context(), nil); err == nil {
		t.Error("damaged rows were accepted")
	}
}

func TestPublishSwitchesAndKeepsOthers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := registry.NewStore(pgtest.Pool(t))
	if _, err := s.CurrentID(ctx); !errors.Is(err, registry.ErrNoSnapshot) {
		t.Errorf("before anything was published: %v", err)
	}
	first, second := write(t, s, company{"00000001", 1, 0}), write(t, s, company{"00000002", 1, 0})
	openView(t, s, first)
	id, err := s.Publish(ctx, map[string]int64{"pgfn": second}, "index-1")
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int64{registry.Receita: first, "pgfn": second}; !cmp.Equal(want, snapshot.Loads) {
		t.Errorf("loads %v, want %v", snapshot.Loads, want)
	}
	if current, err := s.CurrentID(ctx); err != nil || current != id {
		t.Errorf("current %d, %v; want %d", current, err, id)
	}
	if err := s.Retire(ctx, first); err == nil {
		t.Error("a load in service was retired")
	}
	openView(t, s, second)
	if err := s.Retire(ctx, first); err != nil {
		t.Error(err)
	}
	if err := s.DropRecords(ctx, first); err != nil {
		t.Error(err)
	}
	if _, err := s.Snapshot(ctx, id); !errors.Is(err, registry.ErrGone) {
		t.Errorf("a snapshot without its records: %v", err)
	}
	l, err := s.Load(ctx, first)
	if err != nil || l.State != registry.LoadDropped || l.Active {
		t.Errorf("load %+v, %v", l, err)
	}
}

// TestRejectsGoWithTheirLoad checks that rejects are kept as they are, and that Retire deletes them:
// every load may add a thousand.
func TestRejectsGoWithTheirLoad(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	rejects := []registry.Reject{
		{File: "Empresas0.zip", Line: 3, Column: "cnpj_basico", Reason: "short", Raw: []byte("\x00\xff;")},
		{File: "Empresas1.zip", Line: 1, Reason: "quote", Raw: []byte{}},
	}
	refused := func(source string) int64 {
		t.Helper()
		id, err := s.BeginLoad(t.Context(), source, "2026-08")
		if err == nil {
			err = s.EndLoad(t.Context(), &registry.Load{ID: id, Source: source, Period: "2026-08", State: registry.LoadRefused})
		}
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	before, other := refused(registry.Receita), refused("ceis")
	kept, gone := write(t, s, company{"00000001", 1, 0}), write(t, s, company{"00000001", 1, 0})
	after := refused(registry.Receita)
	for _, load := range []int64{before, other, kept, gone, after} {
		if err := s.KeepRejects(t.Context(), load, rejects); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Retire(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	for load, want := range map[int64][]registry.Reject{before: {}, other: rejects, kept: rejects, gone: {}, after: rejects} {
		got, err := s.Rejects(t.Context(), load)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("load %d: %v (-want +got):\n%s", load, err, diff)
		}
	}
}

func TestViewFailsWhenRecordsAreGone(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	load := write(t, s, company{"00000001", 1, 0})
	v := openView(t, s, load)
	if err := s.DropRecords(t.Context(), load); err != nil {
		t.Fatal(err)
	}
	// A failed look-up must not pass for "not found".
	if _, err := v.Head(t.Context(), 1); err == nil || registry.IsAbsent(err) {
		t.Errorf("got %v", err)
	}
}
