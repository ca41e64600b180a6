package registry

import (
	"cmp"
	"context"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry/pack"
)

// ReadThrough makes look-ups and scans of companies read the cache c of the load's rows first; nil: no
// longer. A row that cannot be read there, because c is damaged or closed, is asked of PostgreSQL. The
// caller closes c, at any time.
func (v *View) ReadThrough(c *RowCache) { v.cache.Store(c) }

// cachedRow returns a row from the cache. read is false if PostgreSQL must be asked.
func (v *View) cachedRow(root cnpj.Root, seq int32) (doc []byte, found, read bool) {
	c := v.cache.Load()
	if c == nil {
		return nil, false, false
	}
	doc, found, err := c.Row(root, seq)
	return doc, found, err == nil
}

// cachedHead is Head for the cache. read is false if PostgreSQL must be asked.
func (v *View) cachedHead(root cnpj.Root) (h pack.Head, read bool, err error) {
	doc, found, read := v.cachedRow(root, 0)
	switch {
	case !read:
	case !found:
		err = &AbsentError{Document{Root: root}}
	default:
		h, err = v.decodeHead(root, doc)
	}
	return h, read, err
}

// walkCache calls step with the further chunks from first to last, see walk.
func (v *View) walkCache(ctx context.Context, root cnpj.Root, first, last int, down bool, step func(doc []byte) error) error {
	for seq := int32(first); seq <= int32(last); seq++ {
		at := seq
		if down {
			at = -seq
		}
		doc, err := v.chunk(ctx, root, at)
		if err = cmp.Or(err, ctx.Err()); err == nil {
			err = step(doc)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachCached is EachRowIn for the cache. If that cannot be read to its end, done is false and PostgreSQL
// must go on after the row last; begun is false if no row was read. The error is that of visit or ctx.
func (v *View) eachCached(ctx context.Context, in Roots, visit func(root cnpj.Root, seq int32, doc []byte) error) (done, begun bool, last rowKey, err error) {
	c := v.cache.Load()
	if c == nil {
		return false, false, 0, nil
	}
	unreadable := c.Each(ctx, in, func(root cnpj.Root, seq int32, doc []byte) error {
		begun, last = true, rowKeyOf(root, seq)
		err = visit(root, seq, doc)
		return err
	})
	if err == nil {
		err = ctx.Err()
	}
	return unreadable == nil, begun, last, err
}
