package proof

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"golang.org/x/mod/sumdb/tlog"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
)

// Tree is an open tree. It is safe for concurrent use. Close it.
type Tree struct {
	registry.Tree
	file *os.File
}

// Open opens the file in a folder. The errors are ErrNone if there is none, and ErrDamaged if it is not
// that of the tree.
func Open(dir string, of *registry.Tree) (*Tree, error) {
	if of == nil {
		return nil, ErrNone
	}
	file, err := os.Open(filepath.Join(dir, FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	t := &Tree{*of, file}
	if err := t.check(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return t, nil
}

// check compares magic and length with what the tree must have.
func (t *Tree) check() error {
	if t.Size < 0 || len(t.Hash) != tlog.HashSize {
		return ErrDamaged
	}
	info, err := t.file.Stat()
	if err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	head, err := t.read(0, len(magic))
	if err != nil {
		return err
	}
	if want := t.levelAt(levels); string(head) != magic || info.Size() != want {
		return fmt.Errorf("%w (%d bytes instead of %d)", ErrDamaged, info.Size(), want)
	}
	return nil
}

// Close closes the file.
func (t *Tree) Close() error { return t.file.Close() }

// groups returns the number of groups, with the last one, which may have less than 64 leaves.
func (t *Tree) groups() int64 { return (t.Size + tileHashes - 1) / tileHashes }

// groupAt returns the offset of a group.
func groupAt(group int64) int64 { return int64(len(magic)) + group*groupBytes }

// levels is above the levels of tiles of any tree.
const levels = 64/height + 1

// levelAt returns the offset of the hashes of a level of tiles, from 2; for one above the tree the length
// of the file.
func (t *Tree) levelAt(level int) int64 {
	at := groupAt(t.Size / tileHashes)
	if rest := t.Size % tileHashes; rest > 0 {
		at += rootBytes + rest*tlog.HashSize
	}
	for l := 2; l < level; l++ {
		at += t.Size >> (height * l) * tlog.HashSize
	}
	return at
}

// read returns n bytes of the file.
func (t *Tree) read(at int64, n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := t.file.ReadAt(b, at); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%w (it is cut)", ErrDamaged)
		}
		return nil, fmt.Errorf("tree: %w", err)
	}
	return b, nil
}

// behindAll is above every root.
const behindAll = cnpj.Root(cnpj.Orders) * cnpj.Orders

// first returns the first root of a group; behindAll behind the last.
func (t *Tree) first(group int64) (cnpj.Root, error) {
	if group >= t.groups() {
		return behindAll, nil
	}
	b, err := t.read(groupAt(group), rootBytes)
	if err != nil {
		return 0, err
	}
	root := cnpj.Root(binary.BigEndian.Uint64(b))
	if root < 0 || root >= behindAll {
		return 0, fmt.Errorf("%w (a root is none)", ErrDamaged)
	}
	return root, nil
}

// groupOf returns the group that a root belongs to, and the roots of the group.
func (t *Tree) groupOf(root cnpj.Root) (group int64, in registry.Roots, err error) {
	behind := sort.Search(int(t.groups()), func(i int) bool {
		first, failed := t.first(int64(i))
		err = errors.Join(err, failed)
		return first > root
	})
	if err != nil {
		return 0, in, err
	}
	if behind == 0 {
		return 0, in, fmt.Errorf("%w (it begins behind the company)", ErrDamaged)
	}
	group = int64(behind - 1)
	if in.From, err = t.first(group); err != nil {
		return 0, in, err
	}
	in.Below, err = t.first(group + 1)
	return group, in, err
}

// Rows calls visit for the rows of companies, by root and seq: View.EachRowIn.
type Rows func(ctx context.Context, in registry.Roots, visit func(root cnpj.Root, seq int32, doc []byte) error) error

// Leaf is the leaf of a company with its place in the tree.
type Leaf struct {
	Index int64
	Hash  tlog.Hash
	Nonce []byte
	Rows  []Row
	Path  tlog.RecordProof
}

// Prove returns the leaf of a company that is in the load, and its proof. rows reads the load. What it
// returns has been checked; if tree and rows do not fit, the error is ErrDamaged.
func (t *Tree) Prove(ctx context.Context, root cnpj.Root, rows Rows) (Leaf, error) {
	group, in, err := t.groupOf(root)
	if err != nil {
		return Leaf{}, err
	}
	g := gathering{of: root, nonces: noncesOf(t.LeafKey), at: -1}
	if err := rows(ctx, in, g.add); err != nil {
		return Leaf{}, err
	}
	g.end()
	if g.at < 0 || int64(len(g.hashes)) != min(tileHashes, t.Size-group*tileHashes) {
		return Leaf{}, errRows
	}
	l := Leaf{
		Index: group*tileHashes + int64(g.at), Hash: g.hashes[g.at], Nonce: g.nonces.append(nil, root.Append(nil)), Rows: g.rows,
	}
	at := tlog.Tree{N: t.Size, Hash: tlog.Hash(t.Hash)}
	// The reader checks every tile, those computed from rows included, against the root of the tree.
	l.Path, err = tlog.ProveRecord(t.Size, l.Index, tlog.TileHashReader(at, &tiles{t, group, g.hashes}))
	if err == nil {
		err = tlog.CheckRecord(l.Path, at.N, at.Hash, l.Index, l.Hash)
	}
	if err != nil {
		return Leaf{}, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return l, nil
}

var errRows = fmt.Errorf("%w (the rows are others)", ErrDamaged)

// gathering computes the leaves of a group, and keeps the rows of one company.
type gathering struct {
	of     cnpj.Root
	at     int // of the company among the leaves; -1: not seen
	rows   []Row
	hashes []tlog.Hash

	nonces nonces
	leaf   leaf
	root   cnpj.Root
}

func (g *gathering) add(root cnpj.Root, seq int32, doc []byte) error {
	if len(g.leaf) == 0 || root != g.root {
		if g.end(); len(g.hashes) == tileHashes {
			return errRows
		}
		g.leaf, g.root = g.leaf.begin(root, g.nonces), root
	}
	g.leaf = g.leaf.add(seq, doc)
	if root == g.of {
		g.at, g.rows = len(g.hashes), append(g.rows, Row{seq, doc})
	}
	return nil
}

// end ends the leaf of the company whose rows were coming.
func (g *gathering) end() {
	if len(g.leaf) > 0 {
		g.hashes = append(g.hashes, tlog.RecordHash(g.leaf))
	}
}

// tiles reads the tiles of a tree. It has the leaves of one group only, and of those behind the last
// full one.
type tiles struct {
	*Tree
	group  int64
	leaves []tlog.Hash
}

func (*tiles) Height() int                     { return height }
func (*tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t *tiles) ReadTiles(asked []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range asked {
		b, err := t.tile(tile)
		if err != nil {
			return nil, err
		}
		data = append(data, b)
	}
	return data, nil
}

func (t *tiles) tile(tile tlog.Tile) (b []byte, err error) {
	switch {
	case tile.L == 0 && tile.N == t.group:
		for _, h := range t.leaves[:tile.W] {
			b = append(b, h[:]...)
		}
		return b, nil
	case tile.L == 0:
		return t.read(groupAt(tile.N)+rootBytes, tile.W*tlog.HashSize) // the rest: no others are asked for
	case tile.L == 1:
		groups, err := t.read(groupAt(tile.N*tileHashes), tile.W*groupBytes)
		for ; len(groups) > 0; groups = groups[groupBytes:] {
			b = append(b, groups[rootBytes:groupBytes]...)
		}
		return b, err
	}
	return t.read(t.levelAt(tile.L)+tile.N*tileHashes*tlog.HashSize, tile.W*tlog.HashSize)
}
