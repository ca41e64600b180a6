package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// invented returns a network of n nodes with edges between random ones, cycles and loops among them.
func invented(rng *rand.Rand, n, edges int) *Network {
	out := &Network{Title: "Rede"}
	for i := range n {
		out.Nodes = append(out.Nodes, Node{Text: strings.Repeat("NOME ", rng.IntN(14)) + fmt.Sprint(i), Kind: "company"})
	}
	for range edges {
		out.Edges = append(out.Edges, Edge{From: rng.IntN(n), To: rng.IntN(n)})
	}
	return out
}

// checkDrawing demands that all nodes are within the drawing and apart, and that every edge is drawn.
func checkDrawing(t *testing.T, n *Network) {
	t.Helper()
	d := n.draw()
	if len(d.Boxes) != len(n.Nodes) || len(d.Lines) != len(n.Edges) {
		t.Fatalf("%d boxes of %d nodes, %d lines of %d edges", len(d.Boxes), len(n.Nodes), len(d.Lines), len(n.Edges))
	}
	for i, a := range d.Boxes {
		if a.X < 0 || a.Y < 0 || a.X+nodeWidth > d.Width || a.Y+nodeHeight > d.Height {
			t.Errorf("node %d at %d, %d is outside of %d x %d", i, a.X, a.Y, d.Width, d.Height)
		}
		for k, b := range d.Boxes[:i] {
			if a.X == b.X && a.Y < b.Y+nodeHeight && b.Y < a.Y+nodeHeight {
				t.Errorf("nodes %d and %d overlap", i, k)
			}
		}
	}
	for i, l := range d.Lines {
		e := n.Edges[i]
		from, to := d.Boxes[e.From], d.Boxes[e.To]
		if l.Backward {
			from, to = to, from
		}
		if e.From != e.To && from.X >= to.X || !strings.HasPrefix(l.Path, "M") {
			t.Errorf("edge %d from %d to %d goes back: %s", i, from.X, to.X, l.Path)
		}
	}
}

func TestNetworkIsReadable(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	checkDrawing(t, &Network{Title: "Ninguém"})
	for range 300 {
		n := 1 + rng.IntN(MostNodes)
		checkDrawing(t, invented(rng, n, rng.IntN(3*n)))
	}
	// Holders are on the left of what they hold, one layer before it.
	chain := &Network{Nodes: make([]Node, 5), Edges: []Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 3, To: 2}, {From: 0, To: 2}, {From: 2, To: 2}}}
	d := chain.draw()
	if x := [5]int{d.Boxes[0].X, d.Boxes[1].X, d.Boxes[2].X, d.Boxes[3].X, d.Boxes[4].X}; x[0] >= x[1] || x[1] >= x[2] || x[3] != x[1] || x[4] != x[0] {
		t.Errorf("the columns are at %d", x)
	}
	// Few crossings: two chains side by side do not cross.
	ladder := &Network{Nodes: make([]Node, 6), Edges: []Edge{{From: 0, To: 3}, {From: 1, To: 2}, {From: 3, To: 5}, {From: 2, To: 4}}}
	d = ladder.draw()
	if (d.Boxes[3].Y < d.Boxes[2].Y) != (d.Boxes[0].Y < d.Boxes[1].Y) || (d.Boxes[5].Y < d.Boxes[4].Y) != (d.Boxes[3].Y < d.Boxes[2].Y) {
		t.Errorf("the chains cross: %+v", d.Boxes)
	}
}

// TestNetworkIsDeterministic, well-formed, and has each name whole.
func TestNetworkIsDeterministic(t *testing.T) {
	t.Parallel()
	text := func() string {
		n := invented(rand.New(rand.NewPCG(3, 4)), 40, 60)
		n.Nodes[7].Text, n.Nodes[7].URL = `<script>"&'`, "/rede?a=1&b=2"
		var b bytes.Buffer
		if err := n.Drawing().Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first := text()
	if text() != first {
		t.Error("the same network is drawn otherwise")
	}
	if strings.Contains(first, "<script") || !strings.Contains(first, "<title>&lt;script&gt;&#34;&amp;&#39;</title>") {
		t.Error("a name is not escaped")
	}
	for d := xml.NewDecoder(strings.NewReader(first)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzNetwork(f *testing.F) {
	f.Add(uint8(3), []byte{0, 1, 1, 2, 2, 0})
	f.Add(uint8(60), []byte{5, 5})
	f.Fuzz(func(t *testing.T, nodes uint8, ends []byte) {
		n := &Network{Nodes: make([]Node, 1+int(nodes)%MostNodes)}
		for i := 0; i+1 < len(ends) && i < 400; i += 2 {
			n.Edges = append(n.Edges, Edge{From: int(ends[i]) % len(n.Nodes), To: int(ends[i+1]) % len(n.Nodes)})
		}
		checkDrawing(t, n)
	})
}
