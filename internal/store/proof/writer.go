package proof

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/tlog"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
)

// Writer writes the file of a tree. It holds one company, and a hash for every 4096 companies. It is not
// safe for concurrent use. Defer Abort.
type Writer struct {
	file *os.File
	out  *bufio.Writer

	key    []byte
	nonces nonces
	leaf   leaf // of the company whose rows are coming; empty before the first
	root   cnpj.Root
	seq    int32

	size  int64
	first cnpj.Root     // of the group that is being filled
	tail  []tlog.Hash   // its leaves
	peaks []tlog.Hash   // roots of the full subtrees that make up the tree, largest first
	upper [][]tlog.Hash // subtrees of 64², 64³, … leaves
}

// Create creates the file in a folder (mode 0600), which must have none. leafKey is the key of the
// load's nonces, KeyBytes random bytes.
func Create(dir string, leafKey []byte) (*Writer, error) {
	file, err := os.OpenFile(filepath.Join(dir, FileName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	w := &Writer{file: file, out: bufio.NewWriterSize(file, 1<<16), key: leafKey, nonces: noncesOf(leafKey)}
	return w, w.write([]byte(magic))
}

// Add takes the next row of the load. Rows come by root and seq. It keeps nothing of doc.
func (w *Writer) Add(root cnpj.Root, seq int32, doc []byte) error {
	if len(w.leaf) == 0 || root != w.root {
		if len(w.leaf) > 0 && root < w.root {
			return fmt.Errorf("tree: the row %s, %d is out of order", root, seq)
		}
		if err := w.endLeaf(); err != nil {
			return err
		}
		w.leaf, w.root = w.leaf.begin(root, w.nonces), root
	} else if seq <= w.seq {
		return fmt.Errorf("tree: the row %s, %d is out of order", root, seq)
	}
	w.leaf, w.seq = w.leaf.add(seq, doc), seq
	return nil
}

// endLeaf adds the leaf of the company whose rows were coming, and the subtrees that it fills.
func (w *Writer) endLeaf() error {
	if len(w.leaf) == 0 {
		return nil
	}
	if len(w.tail) == 0 {
		w.first = w.root
	}
	h := tlog.RecordHash(w.leaf)
	w.tail, w.peaks = append(w.tail, h), append(w.peaks, h)
	level := 0
	for n := w.size; n&1 == 1; n >>= 1 {
		last := len(w.peaks) - 1
		w.peaks[last-1] = tlog.NodeHash(w.peaks[last-1], w.peaks[last])
		w.peaks = w.peaks[:last]
		if level++; level%height == 0 {
			if err := w.endTile(level/height, w.peaks[last-1]); err != nil {
				return err
			}
		}
	}
	w.size++
	return nil
}

// endTile keeps the hash of a full subtree of 64^level leaves.
func (w *Writer) endTile(level int, h tlog.Hash) error {
	if level > 1 {
		if len(w.upper) < level-1 {
			w.upper = append(w.upper, nil)
		}
		w.upper[level-2] = append(w.upper[level-2], h)
		return nil
	}
	w.tail = w.tail[:0]
	return w.write(binary.BigEndian.AppendUint64(nil, uint64(w.first)), h[:])
}

func (w *Writer) write(parts ...[]byte) error {
	for _, b := range parts {
		if _, err := w.out.Write(b); err != nil {
			return fmt.Errorf("tree: %w", err)
		}
	}
	return nil
}

// Close completes the file and returns what it is the tree of. The caller syncs it, as it does the whole
// folder.
func (w *Writer) Close() (registry.Tree, error) {
	if err := w.endLeaf(); err != nil {
		return registry.Tree{}, err
	}
	if len(w.tail) > 0 {
		if err := w.write(binary.BigEndian.AppendUint64(nil, uint64(w.first))); err != nil {
			return registry.Tree{}, err
		}
	}
	for _, level := range append([][]tlog.Hash{w.tail}, w.upper...) {
		for _, h := range level {
			if err := w.write(h[:]); err != nil {
				return registry.Tree{}, err
			}
		}
	}
	err := errors.Join(w.out.Flush(), w.file.Close())
	w.file = nil
	if err != nil {
		return registry.Tree{}, fmt.Errorf("tree: %w", err)
	}
	h := w.hash()
	return registry.Tree{Size: w.size, Hash: h[:], LeafKey: w.key}, nil
}

// hash returns the root of the tree: the peaks, folded from the smallest.
func (w *Writer) hash() tlog.Hash {
	if w.size == 0 {
		return sha256.Sum256(nil)
	}
	last := len(w.peaks) - 1
	h := w.peaks[last]
	for i := last - 1; i >= 0; i-- {
		h = tlog.NodeHash(w.peaks[i], h)
	}
	return h
}

// Abort deletes an unfinished file. After Close it does nothing.
func (w *Writer) Abort() {
	if w.file != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name())
		w.file = nil
	}
}
