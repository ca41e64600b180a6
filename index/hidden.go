package index

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/segment"
	"razao/index/term"
	"razao/internal/data/cnpj"
)

// hiddenContacts are the establishments whose contact is hidden on request, as documents of one index.
// A filter by CEP, telephone or e-mail address would otherwise disclose what the pages leave out.
//
// The list is a set in memory that each server refreshes from PostgreSQL every two seconds. It is
// resolved to document numbers once, when it changes, and subtracted from the postings of every term
// that tells something about a contact (term.IsContact). Counts and results then agree, and other
// filters are unaffected. Immutable; nil is the empty set.
type hiddenContacts struct {
	numbers []cnpj.Full
	docs    []*roaring.Bitmap // by shard, numbered within it
}

// follow returns the set for numbers: c itself when numbers are those of c in the same order, else
// a new one, which costs one dictionary look-up for each number and shard. Numbers that the index
// does not have are ignored. The error is that of reading a shard.
func (c *hiddenContacts) follow(shards []*segment.Shard, numbers []cnpj.Full) (*hiddenContacts, error) {
	if c == nil && len(numbers) == 0 || c != nil && slices.Equal(c.numbers, numbers) {
		return c, nil
	}
	c = &hiddenContacts{numbers: slices.Clone(numbers)}
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

// leave returns docs, the postings of a term in a shard, without hidden establishments when the
// term is about a contact, and docs itself otherwise.
func (c *hiddenContacts) leave(shard int, field byte, text string, docs *roaring.Bitmap) *roaring.Bitmap {
	if c == nil || field != term.FieldFilter || !term.IsContact(text) {
		return docs
	}
	return without(docs, c.docs[shard])
}

// in returns the hidden establishments of a shard, nil for none.
func (c *hiddenContacts) in(shard int) *roaring.Bitmap {
	if c == nil {
		return nil
	}
	return c.docs[shard]
}
