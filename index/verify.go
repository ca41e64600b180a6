package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// probesPerShard is how many documents are looked up both ways before a shard is published.
const probesPerShard = 20

// verify opens the shards as they will be served and looks documents up in them.
func (b *Builder) verify(ctx context.Context, m Manifest) error {
	shards, err := openShards(b.path("index"), m)
	if err != nil {
		return err
	}
	for i, s := range shards {
		if err = errors.Join(ctx.Err(), s.probe(m.Shards[i].Docs)); err != nil {
			err = fmt.Errorf("verifying %s: %w", m.Shards[i].Path, err)
			break
		}
	}
	return errors.Join(err, closeShards(shards))
}

// probe checks that every document has its own key and that documents spread over the shard are found by theirs.
func (s *shard) probe(docs int64) error {
	v := s.view(newWorkspace())
	n := int64(0)
	if keys := v.dict(fieldID); keys != nil {
		n = int64(keys.Len())
	}
	if n != docs {
		return fmt.Errorf("%d keys for %d documents: a CNPJ was added twice", n, docs)
	}
	for i := range int64(probesPerShard) {
		doc := uint32(i * docs / probesPerShard)
		number, err := s.cnpj(doc)
		if err != nil {
			return err
		}
		found, err := v.postings(fieldID, binary.BigEndian.AppendUint64(nil, uint64(number)))
		if err != nil {
			return err
		}
		if found.count() != 1 || !found.contains(doc) {
			return fmt.Errorf("document %d (%s) is not found by its key", doc, number)
		}
	}
	return nil
}
