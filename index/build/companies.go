package build

import (
	"context"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/column"
	"razao/index/folder"
	"razao/index/segment"
	"razao/internal/data/cnpj"
)

// keysAtOnce is after how many keys the pages of the dictionaries are released. The merge reads them
// through, and would otherwise end with all of them in memory.
const keysAtOnce = 1 << 15

// companies writes the table of companies. A CNPJ begins with the root, so a merge of the key
// dictionaries of all shards visits the establishments of a company one after the other.
func (b *Builder) companies(ctx context.Context, m folder.Manifest, shards []*segment.Shard) error {
	var keys segment.Merge
	bases := make([]uint32, len(shards))
	base := uint32(0)
	for i, s := range shards {
		view := s.View()
		defer view.Release()
		if err := keys.Add(view, i, 0, cnpj.Orders*cnpj.Orders*cnpj.Orders-1); err != nil {
			return err
		}
		bases[i] = base
		base += uint32(m.Shards[i].Docs)
	}
	c := siblings{heads: b.heads}
	for n := 0; ; n++ {
		at := keys.Least()
		if at == nil {
			break
		}
		if n%keysAtOnce == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			for _, s := range shards {
				s.ReleasePages()
			}
		}
		c.add(at.Key.Root(), bases[at.Shard]+at.Doc)
		if err := keys.Next(); err != nil {
			return err
		}
	}
	c.end()
	if err := column.WriteCompanies(b.path("index"), c.entries); err != nil {
		return fmt.Errorf("companies: %w", err)
	}
	return nil
}

// siblings groups consecutive documents by root and collects the entries of the table.
type siblings struct {
	heads   *roaring.Bitmap // documents that are head offices
	root    cnpj.Root
	docs    []uint32 // documents of root so far
	entries []column.Member
}

// add takes the next document in order of its CNPJ.
func (c *siblings) add(root cnpj.Root, doc uint32) {
	if root != c.root {
		c.end()
		c.root = root
	}
	c.docs = append(c.docs, doc)
}

// end adds the entries of the company whose documents are complete.
func (c *siblings) end() {
	if len(c.docs) > 1 {
		principal := c.principal()
		for _, doc := range c.docs {
			if doc != principal {
				c.entries = append(c.entries, column.Member{Doc: doc, Principal: principal})
			}
		}
	}
	c.docs = c.docs[:0]
}

// principal returns the most important head office or, without one, the most important document:
// the one with the lowest number.
func (c *siblings) principal() uint32 {
	best, found := c.docs[0], false
	for _, doc := range c.docs {
		head := c.heads.Contains(doc)
		if head && !found || head == found && doc < best {
			best, found = doc, head
		}
	}
	return best
}
