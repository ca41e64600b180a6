package registry

import (
	"context"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry/pack"
	"razao/internal/store/registry/rowfile"
)

// ReadFrom makes look-ups and scans of companies read f, which has the same rows as the load, instead of
// asking PostgreSQL; nil: no longer. A row that cannot be read from f, because f is damaged or closed, is
// asked of PostgreSQL. The caller closes f, at any time.
func (v *View) ReadFrom(f *rowfile.File) { v.file.Store(f) }

// rowFromFile returns a row from the file of records. read is false if PostgreSQL must be asked.
func (v *View) rowFromFile(root cnpj.Root, seq int32) (doc []byte, found, read bool) {
	f := v.file.Load()
	if f == nil {
		return nil, false, false
	}
	doc, found, err := f.Row(root, seq)
	return doc, found, err == nil
}

// headFromFile is Head for the file of records. read is false if PostgreSQL must be asked.
func (v *View) headFromFile(root cnpj.Root) (h pack.Head, read bool, err error) {
	doc, found, read := v.rowFromFile(root, 0)
	switch {
	case !read:
	case !found:
		err = &AbsentError{Document{Root: root}}
	default:
		h, err = v.decodeHead(root, doc)
	}
	return h, read, err
}

// walkFile calls step with the further chunks from first to last: those of partners, if down, have
// the seq -1, -2, …
func (v *View) walkFile(ctx context.Context, root cnpj.Root, first, last int, down bool, step func(doc []byte) error) error {
	for seq := int32(first); seq <= int32(last); seq++ {
		at := seq
		if down {
			at = -seq
		}
		doc, err := v.chunk(ctx, root, at)
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := step(doc); err != nil {
			return err
		}
	}
	return nil
}

// rowKey is the position of a row in a scan.
type rowKey struct {
	root cnpj.Root
	seq  int32
}

func (k rowKey) before(other rowKey) bool {
	return k.root < other.root || k.root == other.root && k.seq < other.seq
}

// eachInFile is EachRow for the file of records. If the file cannot be read to its end, done is false
// and last the row after which PostgreSQL must go on, nil for all. The error is that of visit or ctx.
func (v *View) eachInFile(ctx context.Context, visit func(root cnpj.Root, seq int32, doc []byte) error) (done bool, last *rowKey, err error) {
	f := v.file.Load()
	if f == nil {
		return false, nil, nil
	}
	var at rowKey
	unreadable := f.Each(ctx, func(root cnpj.Root, seq int32, doc []byte) error {
		at, last = rowKey{root, seq}, &at
		err = visit(root, seq, doc)
		return err
	})
	if err == nil {
		err = ctx.Err()
	}
	return unreadable == nil, last, err
}
