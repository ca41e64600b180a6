package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MostNodes is how many nodes of a network people can read.
const MostNodes = 60

// Network is a drawing of who holds whom: holders on the left, what they hold on the right of them
// (layered graph drawing, after Sugiyama). The same network gives the same drawing.
type Network struct {
	Title string
	Nodes []Node
	Edges []Edge // from holders to what they hold
}

// Node is an actor in the drawing.
type Node struct {
	Text    string // cut to two lines; the whole is the title of the element
	Kind    string // its class: company, person or abroad
	URL     string // "": no link
	Current bool   // whom the page is about
}

// Edge joins two nodes, by their numbers.
type Edge struct {
	From, To  int
	Weak      bool   // dashed: no partner, but a legal representative, or somebody with the same contact
	Symmetric bool   // without an arrow
	Text      string // title of the element
}

// Sizes of the drawing, in pixels.
const (
	nodeWidth, nodeHeight = 184, 44
	betweenNodes          = 12
	betweenLayers         = 64
	laneHeight            = 6 // of an edge that passes a layer
	lineLength            = 26
	margin                = 8
)

// drawn is a network with its places.
type drawn struct {
	Width, Height int
	Boxes         []box
	Lines         []line
}

type box struct {
	Node
	X, Y  int
	Lines [2]string // the second one may be ""
}

type line struct {
	Edge
	Path     string
	Backward bool // the arrow is at the beginning of the path
}

// vertex is a node in a layer, or the passage of a long edge through it.
type vertex struct {
	node     int // -1: a passage
	layer    int
	place    int // in its layer
	y        int // of its middle
	before   []int
	after    []int
	ordering float64
}

// draw lays the network out.
func (n *Network) draw() drawn {
	edges, backward := n.acyclic()
	layers := n.layers(edges)
	vertices := make([]vertex, len(n.Nodes))
	for i := range vertices {
		vertices[i] = vertex{node: i, layer: layers[i]}
	}
	ways := make([][]int, len(edges)) // of each edge, the vertices that it passes
	for i, e := range edges {
		way := []int{e.From}
		for layer := layers[e.From] + 1; layer < layers[e.To]; layer++ {
			way = append(way, len(vertices))
			vertices = append(vertices, vertex{node: -1, layer: layer})
		}
		ways[i] = append(way, e.To)
		for k := 1; k < len(ways[i]); k++ {
			a, b := ways[i][k-1], ways[i][k]
			vertices[a].after, vertices[b].before = append(vertices[a].after, b), append(vertices[b].before, a)
		}
	}
	columns := ordered(vertices)
	d := drawn{Width: max(1, len(columns))*(nodeWidth+betweenLayers) - betweenLayers + 2*margin, Height: height(vertices, columns) + 2*margin}
	for i := range n.Nodes {
		v := &vertices[i]
		d.Boxes = append(d.Boxes, box{n.Nodes[i], margin + v.layer*(nodeWidth+betweenLayers), margin + v.y - nodeHeight/2, lines(n.Nodes[i].Text)})
	}
	for i, e := range edges {
		d.Lines = append(d.Lines, line{n.Edges[i], path(vertices, ways[i], e.From == e.To), backward[i]})
	}
	return d
}

// acyclic returns the edges without cycles: an edge that closes one, in the order of a depth-first
// search, is turned around.
func (n *Network) acyclic() (edges []Edge, backward []bool) {
	out := make([][]int, len(n.Nodes))
	for i, e := range n.Edges {
		out[e.From] = append(out[e.From], i)
	}
	backward = make([]bool, len(n.Edges))
	const open, done = 1, 2
	state := make([]int, len(n.Nodes))
	var visit func(node int)
	visit = func(node int) {
		state[node] = open
		for _, i := range out[node] {
			switch to := n.Edges[i].To; state[to] {
			case open:
				backward[i] = to != node
			case 0:
				visit(to)
			}
		}
		state[node] = done
	}
	for node := range n.Nodes {
		if state[node] == 0 {
			visit(node)
		}
	}
	edges = slices.Clone(n.Edges)
	for i := range edges {
		if backward[i] {
			edges[i].From, edges[i].To = edges[i].To, edges[i].From
		}
	}
	return edges, backward
}

// layers returns the layer of each node, from 0: behind all that hold it, and those that nobody holds
// just before what they hold.
func (n *Network) layers(edges []Edge) []int {
	layers := make([]int, len(n.Nodes))
	held := make([]bool, len(n.Nodes))
	for range n.Nodes { // the longest path has fewer edges than there are nodes
		changed := false
		for _, e := range edges {
			if e.From != e.To && layers[e.To] <= layers[e.From] {
				layers[e.To], changed = layers[e.From]+1, true
			}
		}
		if !changed {
			break
		}
	}
	first := make([]int, len(n.Nodes)) // layer of what it holds, the nearest
	for _, e := range edges {
		if e.From != e.To {
			held[e.To] = true
			if at := layers[e.To]; first[e.From] == 0 || at < first[e.From] {
				first[e.From] = at
			}
		}
	}
	for i := range layers {
		if !held[i] && first[i] > 0 {
			layers[i] = first[i] - 1
		}
	}
	return layers
}

// sweeps is how often the order within layers is improved.
const sweeps = 8

// ordered puts the vertices of each layer into an order with few crossings, by barycentres of the
// neighbours in the layer before and, in turn, the one behind.
func ordered(vertices []vertex) (columns [][]int) {
	for i := range vertices {
		for len(columns) <= vertices[i].layer {
			columns = append(columns, nil)
		}
		vertices[i].place = len(columns[vertices[i].layer])
		columns[vertices[i].layer] = append(columns[vertices[i].layer], i)
	}
	for sweep := range sweeps {
		for k := range columns {
			column := columns[k]
			if sweep%2 == 1 {
				column = columns[len(columns)-1-k]
			}
			for _, i := range column {
				neighbours := vertices[i].before
				if sweep%2 == 1 {
					neighbours = vertices[i].after
				}
				v := &vertices[i]
				v.ordering = float64(v.place)
				if len(neighbours) > 0 {
					sum := 0
					for _, other := range neighbours {
						sum += vertices[other].place
					}
					v.ordering = float64(sum) / float64(len(neighbours))
				}
			}
			slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(vertices[a].ordering, vertices[b].ordering) })
			for place, i := range column {
				vertices[i].place = place
			}
		}
	}
	return columns
}

// height sets the middles of the vertices, each layer centred, and returns the height of the tallest.
func height(vertices []vertex, columns [][]int) (tallest int) {
	heights := make([]int, len(columns))
	for k, column := range columns {
		y := 0
		for _, i := range column {
			size := nodeHeight
			if vertices[i].node < 0 {
				size = laneHeight
			}
			vertices[i].y = y + size/2
			y += size + betweenNodes
		}
		heights[k] = y - betweenNodes
		tallest = max(tallest, heights[k])
	}
	for k, column := range columns {
		for _, i := range column {
			vertices[i].y += (tallest - heights[k]) / 2
		}
	}
	return tallest
}

// path is the way of an edge: curves between layers, straight through the layers that it passes. A node
// that holds itself has a loop.
func path(vertices []vertex, way []int, loop bool) string {
	x := func(i int) int { return margin + vertices[i].layer*(nodeWidth+betweenLayers) }
	y := func(i int) int { return margin + vertices[i].y }
	first := way[0]
	if loop {
		right, middle := x(first)+nodeWidth, y(first)
		return fmt.Sprintf("M%d %dC%d %d %d %d %d %d", right, middle-10, right+28, middle-18, right+28, middle+18, right, middle+10)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", x(first)+nodeWidth, y(first))
	for k := 1; k < len(way); k++ {
		from, to := way[k-1], way[k]
		left, right := x(from)+nodeWidth, x(to)
		half := (right - left) / 2
		fmt.Fprintf(&b, "C%d %d %d %d %d %d", left+half, y(from), right-half, y(to), right, y(to))
		if k+1 < len(way) {
			fmt.Fprintf(&b, "H%d", right+nodeWidth)
		}
	}
	return b.String()
}

// lines breaks a text into two lines, the second one cut or empty.
func lines(text string) (two [2]string) {
	at := 0
	for _, word := range strings.Fields(text) {
		if at == 0 && two[0] != "" && utf8.RuneCountInString(two[0])+1+utf8.RuneCountInString(word) > lineLength {
			at = 1
		}
		two[at] = strings.TrimPrefix(two[at]+" "+word, " ")
	}
	for i := range two {
		if runes := []rune(two[i]); len(runes) > lineLength {
			two[i] = strings.TrimSpace(string(runes[:lineLength-1])) + "…"
		}
	}
	return two
}

// baseline returns where a line of a node is written.
func (b *box) baseline(i int) int {
	if b.Lines[1] == "" {
		return nodeHeight/2 + 4
	}
	return nodeHeight/2 - 3 + 15*i
}
