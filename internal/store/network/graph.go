package network

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"razao/internal/data/cnpj"
)

// FileName is the name of the file in an index folder.
const FileName = "network"

const (
	magic     = "razao network 2\n"
	edgeBytes = 16
	perBlock  = 256 // edges that one read brings
)

// The errors of a graph.
var (
	ErrNone    = errors.New("the index has no network: build it with `razao index build`")
	ErrDamaged = errors.New("network damaged")
)

// Edge says that a company names an actor.
type Edge struct {
	Root           cnpj.Root // of the company
	Representative bool      // as legal representative of a partner; not as partner
}

// represents is set in keys of edges of legal representatives; roots are below it.
const represents = 1 << 63

// Key returns the edge as a number that sorts as edges of one node do.
func (e Edge) Key() uint64 {
	key := uint64(e.Root)
	if e.Representative {
		key |= represents
	}
	return key
}

func edgeOf(key uint64) Edge { return Edge{cnpj.Root(key &^ represents), key&represents != 0} }

// Writer writes the file. It is not safe for concurrent use. Defer Abort.
type Writer struct {
	file  *os.File
	out   *bufio.Writer
	last  [edgeBytes]byte
	begun bool
}

// Create creates the file in a folder (mode 0600), which must have none.
func Create(dir string) (*Writer, error) {
	file, err := os.OpenFile(filepath.Join(dir, FileName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	w := &Writer{file: file, out: bufio.NewWriterSize(file, 1<<16)}
	_, err = w.out.WriteString(magic)
	return w, err
}

// Add adds an edge, by its node and its key. Edges come in this order; one that comes again is not
// written again.
func (w *Writer) Add(n Node, key uint64) error {
	var edge [edgeBytes]byte
	binary.BigEndian.PutUint64(edge[:], uint64(n))
	binary.BigEndian.PutUint64(edge[8:], key)
	switch {
	case w.begun && edge == w.last:
		return nil
	case w.begun && bytes.Compare(edge[:], w.last[:]) < 0:
		return fmt.Errorf("network: edge %x comes after %x", edge, w.last)
	}
	w.last, w.begun = edge, true
	if _, err := w.out.Write(edge[:]); err != nil {
		return fmt.Errorf("network: %w", err)
	}
	return nil
}

// Close completes the file. The caller syncs it, as it does the whole folder.
func (w *Writer) Close() error {
	err := errors.Join(w.out.Flush(), w.file.Close())
	w.file = nil
	if err != nil {
		return fmt.Errorf("network: %w", err)
	}
	return nil
}

// Abort deletes an unfinished file. After Close it does nothing.
func (w *Writer) Abort() {
	if w.file != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name())
		w.file = nil
	}
}

// Graph is an open file. It is safe for concurrent use. Close it.
type Graph struct {
	file   *os.File
	edges  int
	blocks []edgeKey // of the first edge of each block
}

// edgeKey orders the edges.
type edgeKey struct {
	node Node
	key  uint64
}

func (k edgeKey) before(other edgeKey) bool {
	return k.node < other.node || k.node == other.node && k.key < other.key
}

// Open opens the file in a folder, which has been verified. The errors are ErrNone and ErrDamaged.
func Open(dir string) (*Graph, error) {
	file, err := os.Open(filepath.Join(dir, FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	g := &Graph{file: file}
	if err := g.read(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return g, nil
}

// read reads the key of the first edge of each block.
func (g *Graph) read() error {
	info, err := g.file.Stat()
	if err != nil {
		return fmt.Errorf("network: %w", err)
	}
	head := make([]byte, len(magic))
	if _, err := g.file.ReadAt(head, 0); err != nil || string(head) != magic || (info.Size()-int64(len(magic)))%edgeBytes != 0 {
		return fmt.Errorf("%w: not such a file, or cut", ErrDamaged)
	}
	g.edges = int((info.Size() - int64(len(magic))) / edgeBytes)
	for i := 0; i < g.edges; i += perBlock {
		edges, err := g.block(i/perBlock, 1)
		if err != nil {
			return err
		}
		g.blocks = append(g.blocks, keyAt(edges, 0))
	}
	return nil
}

// Close closes the file. No query may be running.
func (g *Graph) Close() error { return g.file.Close() }

// Edges returns how many edges there are.
func (g *Graph) Edges() int { return g.edges }

// block reads up to n edges from the beginning of a block.
func (g *Graph) block(i, n int) ([]byte, error) {
	edges := make([]byte, min(n, g.edges-i*perBlock)*edgeBytes)
	if _, err := g.file.ReadAt(edges, int64(len(magic)+i*perBlock*edgeBytes)); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("network: %w", err)
	} else if err != nil {
		return nil, fmt.Errorf("%w: cut", ErrDamaged)
	}
	return edges, nil
}

func keyAt(edges []byte, i int) edgeKey {
	edge := edges[i*edgeBytes:]
	return edgeKey{Node(binary.BigEndian.Uint64(edge)), binary.BigEndian.Uint64(edge[8:])}
}

// Naming returns the companies that name an actor with this node: those that have him as partner by their
// roots, then, if representatives are asked for, those that name him as nothing else. They are at most limit
// edges, without the first skip ones; total is how many there are.
func (g *Graph) Naming(n Node, representatives bool, skip, limit int) (found []Edge, total int, err error) {
	from, err := g.search(edgeKey{n, 0})
	if err != nil {
		return nil, 0, err
	}
	end := edgeKey{n, represents}
	if representatives {
		end = edgeKey{n + 1, 0}
	}
	to, err := g.search(end)
	if err != nil {
		return nil, 0, err
	}
	last := min(to, from+skip+limit)
	for at := from + skip; at < last; {
		edges, err := g.block(at/perBlock, perBlock)
		if err != nil {
			return nil, 0, err
		}
		for i := at % perBlock; i*edgeBytes < len(edges) && at < last; i, at = i+1, at+1 {
			found = append(found, edgeOf(keyAt(edges, i).key))
		}
	}
	return found, to - from, nil
}

// search returns the position of the first edge with a key or behind it.
func (g *Graph) search(k edgeKey) (int, error) {
	b := sort.Search(len(g.blocks), func(i int) bool { return !g.blocks[i].before(k) })
	if b == 0 {
		return 0, nil
	}
	edges, err := g.block(b-1, perBlock)
	if err != nil {
		return 0, err
	}
	i := sort.Search(len(edges)/edgeBytes, func(i int) bool { return !keyAt(edges, i).before(k) })
	return (b-1)*perBlock + i, nil
}
