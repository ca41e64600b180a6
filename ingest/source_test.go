package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"razao/ingest"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

var rntrcHeader = sourcefiles.Header("rntrc/transportadores_rntrc_07_2026.csv") + "\r\n"

// carriers writes a month of the register of carriers with a row for each establishment of a root.
func carriers(t *testing.T, month string, establishments ...cnpj.Full) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(rntrcHeader)
	for i, e := range establishments {
		fmt.Fprintf(&b, "\"FROTA %d\";\"%09d\";\"01/02/2020\";\"ATIVO\";\"%s\";\"ETC\";\"13024-100\";\"CAMPINAS\";\"SP\";\"N\xe3o\";\"03/04/2024\"\r\n",
			i, i, e.Masked())
	}
	b.WriteString("\"AUTONOMO INVENTADO\";\"055515644\";\"07/12/2022\";\"ATIVO\";\"***.456.789-**\";\"TAC\";\"14080-080\";\"CAMPINAS\";\"SP\";\"N\xe3o\";\"23/07/2025\"\r\n")
	return sourcefiles.Write(t, "transportadores_rntrc_"+month[5:]+"_"+month[:4]+".csv", b.String())
}

func establishments(t *testing.T, root string, orders ...cnpj.Order) []cnpj.Full {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	var all []cnpj.Full
	for _, o := range orders {
		all = append(all, cnpj.Join(r, o))
	}
	return all
}

// decimalOrders returns the orders 0001 to n, written in digits.
func decimalOrders(t *testing.T, n int) []cnpj.Order {
	t.Helper()
	var orders []cnpj.Order
	for i := range n {
		o, err := cnpj.ParseOrder(fmt.Sprintf("%04d", i+1))
		if err != nil {
			t.Fatal(err)
		}
		orders = append(orders, o)
	}
	return orders
}

func loadSource(t *testing.T, l *fixture.Loaded, id, from string, o ingest.SourceOptions) []registry.Load {
	t.Helper()
	loads, err := l.Ingester.Source(t.Context(), id, from, o)
	if err != nil {
		t.Fatal(err)
	}
	return loads
}

// pageOf asks the snapshot in service.
func pageOf(t *testing.T, l *fixture.Loaded, id string, d registry.Document, in registry.Range) registry.SourcePage {
	t.Helper()
	if err := l.Live.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	page, found := l.View(t).Select(t.Context(), id, d, registry.Selection{Range: in})
	if !found || page.Err != nil {
		t.Fatalf("%s: found %v, error %v", id, found, page.Err)
	}
	return page
}

func TestSourceIsServed(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	orders := decimalOrders(t, fixture.ChainSize)
	chain := establishments(t, fixture.Chain, orders...)
	loads := loadSource(t, l, "rntrc", carriers(t, "2026-09", chain...), ingest.SourceOptions{Force: true})
	load := loads[0]
	if load.Period != "2026-09" || !load.Active || load.RowsRead != 121 || load.RowsLoaded != 120 || load.RowsDiscarded != 1 || load.RowsRejected != 0 {
		t.Errorf("load %+v", load)
	}
	if load.Counts.Records != 120 || load.Counts.Owners != 120 || load.StoreBytes == 0 {
		t.Errorf("counts %+v", load.Counts)
	}
	p := load.Provenance
	src, _ := source.Find("rntrc")
	if p.Orgao != src.Orgao || len(p.Arquivos) != 1 || len(p.Arquivos[0].SHA256) != 64 || p.LinhasLidas != 121 || p.LinhasDescartadas != 1 {
		t.Errorf("provenance %+v", p)
	}
	root := chain[0].Root()
	if page := pageOf(t, l, "rntrc", registry.Document{Root: root}, registry.Range{Limit: 20}); page.Total != 120 || len(page.Items) != 20 {
		t.Errorf("company: total %d, %d items", page.Total, len(page.Items))
	}
	page := pageOf(t, l, "rntrc", registry.Document{Root: root, Order: &orders[77]}, registry.Range{Limit: 20})
	if page.Total != 1 || page.Items[0].Value("cpfcnpjtransportador") != chain[77].String() || page.Items[0].Value("equiparado") != "Não" {
		t.Errorf("establishment: %+v", page)
	}
	if page := pageOf(t, l, "ceis", registry.Document{Root: root}, registry.Range{Limit: 20}); page.Status != registry.Unavailable {
		t.Errorf("ceis: %s", page.Status)
	}
	checkNoLitter(t, l)
}

func TestRefusedSourcesKeepTheSnapshot(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	full := carriers(t, "2026-08", establishments(t, fixture.Chain, decimalOrders(t, 100)...)...)
	before := loadSource(t, l, "rntrc", full, ingest.SourceOptions{Force: true})[0]
	short := carriers(t, "2026-09", establishments(t, fixture.Chain, decimalOrders(t, 50)...)...)
	nobody := carriers(t, "2026-09")
	damaged := sourcefiles.Write(t, "transportadores_rntrc_09_2026.csv", rntrcHeader+strings.Repeat("\"only\";\"two\"\r\n", 200))
	dated, err := os.ReadFile(filepath.Join(full, "transportadores_rntrc_08_2026.csv"))
	if err != nil {
		t.Fatal(err)
	}
	undated := sourcefiles.Write(t, "transportadores.csv", string(dated))
	for name, c := range map[string]struct {
		id, from string
		says     string
		is       error
	}{
		"fewer than any real file": {"rntrc", short, "fewer than the 500000", ingest.ErrRefused},
		"nothing in it":            {"rntrc", nobody, "no record", ingest.ErrRefused},
		"unreadable rows":          {"rntrc", damaged, "cannot be read", nil},
		"another layout":           {"rntrc", sourcefiles.Write(t, "transportadores_rntrc_09_2026.csv", "a;b\r\n1;2\r\n"), "numero_rntrc", nil},
		"no such folder":           {"rntrc", filepath.Join(full, "none"), "none", os.ErrNotExist},
		"no such source":           {"pncp_orgao", full, "there is no source", nil},
	} {
		_, err := l.Ingester.Source(t.Context(), c.id, c.from, ingest.SourceOptions{})
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(c.says)) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %q in it", name, err, c.says)
		}
		checkServed(t, l, before.ID)
		checkNoLitter(t, l)
	}
	// Where neither names nor contents say the period, the operator must, force or not.
	_, err = l.Ingester.Source(t.Context(), "rntrc", undated, ingest.SourceOptions{Force: true})
	if !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), "--period") {
		t.Errorf("without a period: %v", err)
	}
	checkServed(t, l, before.ID)
	if load := loadSource(t, l, "rntrc", undated, ingest.SourceOptions{Period: "2026-07", Force: true})[0]; load.Period != "2026-07" {
		t.Errorf("the period is %q", load.Period)
	}
	loadSource(t, l, "rntrc", short, ingest.SourceOptions{Force: true})
	if page := pageOf(t, l, "rntrc", registry.Document{Root: establishments(t, fixture.Chain, 1)[0].Root()}, registry.Range{Limit: 1}); page.Total != 50 {
		t.Errorf("forced: %d records are served", page.Total)
	}
}

func checkServed(t *testing.T, l *fixture.Loaded, load int64) {
	t.Helper()
	loads := allLoads(t, l)
	i := slices.IndexFunc(loads, func(x registry.Load) bool { return x.ID == load })
	if i < 0 || !loads[i].Active {
		t.Errorf("load %d is no longer served", load)
	}
}

func TestSourceRollback(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	root := establishments(t, fixture.Chain, 1)[0].Root()
	total := func() int {
		return pageOf(t, l, "rntrc", registry.Document{Root: root}, registry.Range{Limit: 1}).Total
	}
	for _, n := range []int{10, 20, 30} {
		month := fmt.Sprintf("2026-0%d", n/10)
		loadSource(t, l, "rntrc", carriers(t, month, establishments(t, fixture.Chain, decimalOrders(t, n)...)...), ingest.SourceOptions{Force: true})
	}
	l.Ingest(t)
	for _, want := range []int{30, 20, 30} {
		if got := total(); got != want {
			t.Errorf("%d records are served, want %d", got, want)
		}
		if _, err := l.Ingester.Rollback(t.Context(), "rntrc"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Errorf("go back to the former release after loads of sources: %v", err)
	}
	if _, err := l.Ingester.Rollback(t.Context(), "ceis"); err == nil {
		t.Error("went back to a load that never was")
	}
}

func TestSourceBeforeReceita(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	loadSource(t, l, "rntrc", carriers(t, "2026-09", establishments(t, fixture.Bakery, decimalOrders(t, 2)...)...), ingest.SourceOptions{Force: true})
	if err := l.Live.Refresh(t.Context()); !errors.Is(err, registry.ErrNoSnapshot) {
		t.Errorf("records without companies: %v", err)
	}
	l.Ingest(t)
	page := pageOf(t, l, "rntrc", registry.Document{Root: establishments(t, fixture.Bakery, 1)[0].Root()}, registry.Range{Limit: 10})
	if page.Total != 2 {
		t.Errorf("%d records", page.Total)
	}
}

func TestCancelledSourceLeavesNothing(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	from := carriers(t, "2026-09", establishments(t, fixture.Chain, decimalOrders(t, 100)...)...)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l.Ingester.Stages = watch(func(stage string, _, _ int64) {
		if stage == "rntrc: merge" {
			cancel()
		}
	})
	if _, err := l.Ingester.Source(ctx, "rntrc", from, ingest.SourceOptions{Force: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	l.Ingester.Stages = nil
	if loads := allLoads(t, l); loads[0].State != registry.LoadFailed {
		t.Errorf("load %+v", loads[0])
	}
	checkNoLitter(t, l)
	loadSource(t, l, "rntrc", from, ingest.SourceOptions{Force: true})
}
