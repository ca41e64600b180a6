package network_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/network"
)

// TestGraphFindsWhatWasWritten: nodes with no, one and many edges, at both ends of blocks, with any limit.
func TestGraphFindsWhatWasWritten(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	want := map[network.Node][]network.Edge{}
	for i := range 3000 {
		n := network.Node(rng.Uint64N(1 << 40))
		if i%2 == 0 {
			n = network.Actor{Kind: network.Person, Digits: "123456", Slug: string(rune('a' + i%26))}.Node() + network.Node(i)
		}
		edges := 1
		if i%100 == 0 {
			edges = 700
		}
		for k := range edges {
			want[n] = append(want[n], network.Edge{Root: cnpj.Root(edges - k), Representative: k%3 == 0})
		}
	}
	dir := t.TempDir()
	w, err := network.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	var nodes []network.Node
	for n := range want {
		nodes = append(nodes, n)
	}
	slices.Sort(nodes)
	total := 0
	for _, n := range nodes {
		slices.SortFunc(want[n], byKey)
		for _, e := range want[n] {
			for range 2 { // the second time it is there
				if err := w.Add(n, e.Key()); err != nil {
					t.Fatal(err)
				}
			}
			total++
		}
	}
	if err := w.Add(nodes[0], 0); err == nil {
		t.Error("edges out of order are written")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	g, err := network.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = g.Close() }()
	if g.Edges() != total {
		t.Errorf("%d edges, not %d", g.Edges(), total)
	}
	for _, n := range nodes {
		partners := slices.IndexFunc(append(want[n], network.Edge{Representative: true}), func(e network.Edge) bool { return e.Representative })
		if found, all, err := g.Naming(n, false, 0, 1000); err != nil || all != partners || !slices.Equal(found, want[n][:partners]) {
			t.Fatalf("node %d without representatives: %d of %d, %v", n, len(found), all, err)
		}
		for _, limit := range []int{0, 1, 500, 1000} {
			found, all, err := g.Naming(n, true, 0, limit)
			if err != nil || all != len(want[n]) {
				t.Fatal(all, len(want[n]), err)
			}
			if diff := cmp.Diff(want[n][:min(limit, all)], found, cmp.Transformer("empty", func(e []network.Edge) []network.Edge { return slices.Concat(e) })); diff != "" {
				t.Fatalf("node %d, at most %d: %s", n, limit, diff)
			}
		}
		if found, all, err := g.Naming(n, true, 300, 500); err != nil || all != len(want[n]) || !slices.Equal(found, want[n][min(300, all):]) {
			t.Fatalf("from the 300th edge of %d: %d of %d, %v", n, len(found), all, err)
		}
		if found, all, err := g.Naming(n+1, true, 0, 10); err != nil || all != len(want[n+1]) || len(found) != min(10, all) {
			t.Fatalf("the node behind %d: %v, %d, %v", n, found, all, err)
		}
	}
}

func byKey(a, b network.Edge) int {
	if a.Key() < b.Key() {
		return -1
	}
	return 1
}

// TestDamagedGraph: a file that is cut or of another kind is no empty graph.
func TestDamagedGraph(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := network.Open(dir); !errors.Is(err, network.ErrNone) {
		t.Errorf("without a file: %v", err)
	}
	edge := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, 1), 2)
	for _, content := range []string{"", "razao network", "razao network 1\n" + string(edge), "razao network 2\n" + string(edge[1:])} {
		if err := os.WriteFile(filepath.Join(dir, network.FileName), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := network.Open(dir); !errors.Is(err, network.ErrDamaged) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// TestActors: who is told from whom.
func TestActors(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		id string
		p  record.Partner
	}{
		{"456789-marta-figueira-inventada", record.Partner{IdentificadorSocio: "2", NomeSocio: "MARTA FIGUEIRA INVENTADA", CNPJCPFSocio: "***456789**"}},
		{"98765432", record.Partner{IdentificadorSocio: "1", NomeSocio: "ESTRELA PARTICIPAÇÕES S.A.", CNPJCPFSocio: "98765432000198"}},
		{"ex-249-foreign-example-llc", record.Partner{IdentificadorSocio: "3", NomeSocio: "FOREIGN EXAMPLE LLC", Pais: "249"}},
		{"ex-000-foreign-example-llc", record.Partner{IdentificadorSocio: "3", NomeSocio: "FOREIGN EXAMPLE LLC"}},
		{"sem-00000007-sem-cpf", record.Partner{IdentificadorSocio: "2", NomeSocio: "SEM CPF", CNPJCPFSocio: "***000000**"}},
		{"sem-00000007-", record.Partner{IdentificadorSocio: "2", NomeSocio: "???", CNPJCPFSocio: "***456789**"}},
	} {
		a := network.PartnerOf(7, &of.p)
		if a.ID() != of.id || a.Known() == strings.HasPrefix(of.id, "sem-") {
			t.Errorf("%v has the id %q, want %q", of.p, a.ID(), of.id)
		}
		if parsed, ok := network.ParseID(of.id); ok != a.Known() || ok && parsed != a {
			t.Errorf("%q is read as %v, %t", of.id, parsed, ok)
		}
	}
}

func FuzzParseID(f *testing.F) {
	for _, id := range []string{"456789-marta", "98765432", "98765432000198", "12ABC345", "ex-249-foreign", "ex-000-a", "000000-a", "456789-Marta", "ex-24-a", "456789-", "sem-12345678-a", ""} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		a, ok := network.ParseID(id)
		if !ok {
			return
		}
		again, ok := network.ParseID(a.ID())
		if !ok || again != a || !a.Known() || a.Kind != network.Company && a.ID() != id || again.Node() != a.Node() {
			t.Errorf("%q is %v, whose id %q is %v", id, a, a.ID(), again)
		}
	})
}
