// Package hidden knows the documents of an index whose contacts are hidden on request: no filter by a contact finds them.
package hidden

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/bitmap"
	"razao/index/segment"
	"razao/index/term"
	"razao/internal/cnpj"
)

// Contacts are the documents of some establishments. nil has none. Safe for concurrent use.
type Contacts struct {
	numbers []cnpj.Full
	docs    []*roaring.Bitmap // by shard
}

// Follow returns the contacts of some establishments, which may be the same as before. The error is that of reading the shards.
func (c *Contacts) Follow(shards []*segment.Shard, numbers []cnpj.Full) (*Contacts, error) {
	if c == nil && len(numbers) == 0 || c != nil && slices.Equal(c.numbers, numbers) {
		return c, nil
	}
	c = &Contacts{numbers: slices.Clone(numbers)}
	for _, shard := range shards {
		docs, err := documents(shard, numbers)
		if err != nil {
			return nil, fmt.Errorf("hidden contacts: %w", err)
		}
		c.docs = append(c.docs, docs)
	}
	return c, nil
}

func documents(shard *segment.Shard, numbers []cnpj.Full) (*roaring.Bitmap, error) {
	v, docs := shard.View(), roaring.New()
	defer v.Release()
	for _, number := range numbers {
		doc, err := v.Postings(term.FieldID, binary.BigEndian.AppendUint64(nil, uint64(number)))
		if err != nil {
			return nil, err
		}
		if doc != nil {
			docs.Or(doc)
		}
	}
	return docs, nil
}

// Leave returns which documents of a shard are left when those with a term are asked for.
func (c *Contacts) Leave(shard int, field byte, text string, docs *roaring.Bitmap) *roaring.Bitmap {
	if c == nil || field != term.FieldFilter || !term.IsContact(text) {
		return docs
	}
	return bitmap.Without(docs, c.docs[shard])
}
