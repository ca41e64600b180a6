package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/fixture"
)

const (
	crowd        = 130 // records of each source about Chain, more than one row holds
	crowdOrders  = 3   // the establishments that share them
	crowdFirst   = "0001"
	crowdEscaped = "São João & \"Filhos\"\n<Ltda>"
)

// crowdValue is the value of field i of the nth record: sometimes null, otherwise distinct enough
// to recognise the record.
func crowdValue(f source.Field, i, n int) string {
	switch {
	case (i+n)%5 == 4:
		return ""
	case f.Kind == source.Number:
		return fmt.Sprintf("%d.%04d", n, i)
	case f.Kind == source.JSON:
		return crowdShape(f.Shape, n)
	case f.Kind == source.Code:
		return fmt.Sprint("código ", n%7)
	}
	return fmt.Sprint(crowdEscaped, " ", n)
}

// crowdShape is a value of the shape of a field of JSON.
func crowdShape(shape *source.Shape, n int) string {
	one := map[string]string{"string": fmt.Sprintf("%q", fmt.Sprint("texto ", n)), "number": fmt.Sprint(n), "boolean": "true"}[shape.Type]
	if shape.Values != nil {
		one = fmt.Sprintf("%q", shape.Values[n%len(shape.Values)])
	}
	if shape.Type == "object" {
		for i, member := range shape.Members {
			value := map[source.Kind]string{source.Text: fmt.Sprintf("%q", fmt.Sprint("texto ", n)), source.Number: fmt.Sprint(n)}[member.Kind]
			one += fmt.Sprintf("%s%q:%s", []string{"{", ","}[min(i, 1)], member.Name, value)
		}
		one += "}"
	}
	if shape.List {
		return "[" + one + "]"
	}
	return one
}

// crowdOwner is the document that the nth record is about.
func crowdOwner(src *source.Source, n int) pack.ItemOwner {
	if src.CompanyOnly {
		return pack.ItemOwner{}
	}
	return pack.ItemOwner{Order: cnpj.Order(1 + n%crowdOrders), HasOrder: true}
}

// storeCrowd writes a load of a source with the records of crowdValue about a root and returns its id.
func storeCrowd(t testing.TB, store *registry.Store, src source.Source, root cnpj.Root, size int) int64 {
	t.Helper()
	ctx := context.Background()
	load, err := store.BeginLoad(ctx, src.ID, "2026-09")
	if err != nil {
		t.Fatal(err)
	}
	w, err := store.NewWriter(ctx, load)
	if err != nil {
		t.Fatal(err)
	}
	tables := registry.SourceTables{Fields: src.Fields, Dictionary: &pack.Dictionary{}, Owners: &registry.PackedOwners{}}
	var items [][]byte
	for n := range size {
		values := make([]string, len(src.Fields))
		for i, f := range src.Fields {
			values[i] = crowdValue(f, i, n)
		}
		items = append(items, pack.AppendItem(nil, src.Fields, tables.Dictionary, crowdOwner(&src, n), values))
	}
	if err := w.WriteRows(pack.AppendItemRows(nil, root, items)); err != nil {
		t.Fatal(err)
	}
	tables.Owners.Add(registry.AppendOwners(nil, root, items))
	if _, err := w.CommitSource(ctx, &tables); err != nil {
		t.Fatal(err)
	}
	if err := store.EndLoad(ctx, &registry.Load{ID: load, Period: "2026-09", State: registry.LoadReady}); err != nil {
		t.Fatal(err)
	}
	return load
}

// crowded puts such a load of every source into service, or of some.
func crowded(t testing.TB, l *fixture.Loaded, size int, ids ...string) {
	t.Helper()
	loads := map[string]int64{}
	for _, src := range source.All() {
		if len(ids) > 0 && !slices.Contains(ids, src.ID) {
			continue
		}
		loads[src.ID] = storeCrowd(t, l.Store, src, rootOf(t, fixture.Chain), size)
	}
	publish(t, l, loads)
}

// everyCrowd is the release with such a load of every source.
var everyCrowd = fixture.Prepare(func(t testing.TB, l *fixture.Loaded) {
	l.Ingest(t)
	crowded(t, l, crowd)
})

func publish(t testing.TB, l *fixture.Loaded, loads map[string]int64) {
	t.Helper()
	ctx := context.Background()
	if _, err := l.Store.Publish(ctx, loads, ""); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
}

func rootOf(t testing.TB, s string) cnpj.Root {
	t.Helper()
	root, err := cnpj.ParseRoot(s)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// crowdItem is the nth record as it must be shown.
func crowdItem(t testing.TB, src source.Source, root cnpj.Root, n int) string {
	t.Helper()
	owner := crowdOwner(&src, n)
	var members []string
	for i, f := range src.Fields {
		value := crowdValue(f, i, n)
		shown := string(marshal(t, value))
		switch {
		case f.Kind == source.Document:
			shown = string(marshal(t, cnpj.Join(root, owner.Order).String()))
		case value == "":
			shown = "null"
		case f.Kind == source.Number || f.Kind == source.JSON:
			shown = value
		}
		members = append(members, string(marshal(t, f.Name))+":"+shown)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// collectionJSON is a page as a client reads it.
type collectionJSON struct {
	Status string
	Escopo string
	Itens  []json.RawMessage
	Total  *int
	Cursor *string `json:"proximo_cursor"`
	URL    *string `json:"proxima_url"`
}

func (s *service) collection(t testing.TB, path string) collectionJSON {
	t.Helper()
	got := s.do(t, "GET", path)
	var b struct{ Dados collectionJSON }
	if err := json.Unmarshal(got.body, &b); err != nil || got.status != 200 {
		t.Fatalf("%s: status %d, %v: %s", path, got.status, err, got.body)
	}
	return b.Dados
}

// walk reads a collection to its end, checking every page on the way.
func (s *service) walk(t testing.TB, path string, limit int) []string {
	t.Helper()
	var items []string
	for next := fmt.Sprintf("%s?limite=%d", path, limit); ; {
		page := s.collection(t, next)
		for _, item := range page.Itens {
			items = append(items, string(item))
		}
		if page.Total == nil || len(page.Itens) != min(limit, *page.Total-len(items)+len(page.Itens)) {
			t.Fatalf("%s: %d items of %v", next, len(page.Itens), page.Total)
		}
		if (page.Cursor == nil) != (page.URL == nil) {
			t.Fatalf("%s: cursor %v, address %v", next, page.Cursor, page.URL)
		}
		if page.URL == nil {
			if len(items) != *page.Total {
				t.Errorf("%s by %d: %d items of %d", path, limit, len(items), *page.Total)
			}
			return items
		}
		if want := fmt.Sprintf("%s?cursor=%s&limite=%d", path, *page.Cursor, limit); *page.URL != want {
			t.Fatalf("%s leads to %s, want %s", next, *page.URL, want)
		}
		next = *page.URL
	}
}

func TestEveryCollectionIsWalkedToItsEnd(t *testing.T) {
	t.Parallel()
	s := read(t, everyCrowd.Shared(t))
	root := rootOf(t, fixture.Chain)
	company, first := "/v2/empresas/"+fixture.Chain, "/v2/estabelecimentos/"+branch(t, fixture.Chain, crowdFirst)
	var v1 struct {
		Dados struct{ Estabelecimentos, Socios []json.RawMessage }
	}
	if err := json.Unmarshal(s.do(t, "GET", "/v1/cnpj/"+fixture.Chain).body, &v1); err != nil {
		t.Fatal(err)
	}
	if e, p := len(v1.Dados.Estabelecimentos), len(v1.Dados.Socios); e != fixture.ChainSize || p != fixture.ChainQSA {
		t.Errorf("%d establishments and %d partners", e, p)
	}
	want := map[string][]string{
		company + "/estabelecimentos": texts(v1.Dados.Estabelecimentos),
		company + "/socios":           texts(v1.Dados.Socios),
	}
	for _, src := range source.All() {
		for n := range crowd {
			item := crowdItem(t, src, root, n)
			path := "/fontes/" + src.ID
			want[company+path] = append(want[company+path], item)
			if src.CompanyOnly || n%crowdOrders == 0 {
				want[first+path] = append(want[first+path], item)
			}
		}
	}
	for path, items := range want {
		for _, limit := range []int{1, 7, 20, 100} {
			if diff := cmp.Diff(items, s.walk(t, path, limit)); diff != "" {
				t.Errorf("%s by %d (-want +got):\n%s", path, limit, diff)
			}
		}
	}
}

func texts(raw []json.RawMessage) []string {
	var out []string
	for _, r := range raw {
		out = append(out, string(r))
	}
	return out
}

// TestLinksOfBasicAndFull follows the links inside the modes: they lead to the collection, never to
// a page of the mode.
func TestLinksOfBasicAndFull(t *testing.T) {
	t.Parallel()
	s := read(t, everyCrowd.Shared(t))
	company, first := "/v2/empresas/"+fixture.Chain, "/v2/estabelecimentos/"+branch(t, fixture.Chain, crowdFirst)
	for _, resource := range []string{company, first} {
		for _, mode := range []string{"/basic", "/full"} {
			var b struct {
				Dados struct {
					Empresa           struct{ Socios collectionJSON }
					Estabelecimentos  *collectionJSON
					RegistrosPublicos map[string]map[string]collectionJSON `json:"registros_publicos"`
				}
			}
			got := s.do(t, "GET", resource+mode+"?limite=7")
			if err := json.Unmarshal(got.body, &b); err != nil {
				t.Fatalf("%v: %s", err, got.body)
			}
			links := map[string]collectionJSON{company + "/socios": b.Dados.Empresa.Socios}
			if b.Dados.Estabelecimentos != nil {
				links[company+"/estabelecimentos"] = *b.Dados.Estabelecimentos
			}
			for _, group := range b.Dados.RegistrosPublicos {
				for id, page := range group {
					links[resource+"/fontes/"+id] = page
				}
			}
			if (b.Dados.Estabelecimentos != nil) != (resource == company) || (len(links) > 2) != (mode == "/full") {
				t.Errorf("%s%s: %d collections", resource, mode, len(links))
			}
			for path, page := range links {
				if len(page.Itens) != 7 || page.URL == nil || !strings.HasPrefix(*page.URL, path+"?cursor=") {
					t.Errorf("%s%s, %s: %d items, next %v", resource, mode, path, len(page.Itens), page.URL)
					continue
				}
				if second := s.collection(t, *page.URL); bytes.Equal(second.Itens[0], page.Itens[0]) || *second.Total != *page.Total {
					t.Errorf("%s does not go on", *page.URL)
				}
			}
		}
	}
}

func TestGroupsAreInTheOrderOfTheSources(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	body := string(s.do(t, "GET", "/v2/empresas/"+fixture.Bakery+"/full").body)
	at := strings.Index(body, `"registros_publicos":`)
	var places []int
	theme := ""
	for _, src := range source.All() {
		if src.Theme != theme {
			theme = src.Theme
			places = append(places, strings.Index(body[at:], fmt.Sprintf("%q:{", theme)))
		}
		places = append(places, strings.Index(body[at:], fmt.Sprintf(`%q:{"status"`, src.ID)))
	}
	if !slices.IsSorted(places) || places[0] < 0 {
		t.Errorf("places %v in %s", places, body[at:])
	}
}
