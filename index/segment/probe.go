package segment

import (
	"encoding/binary"
	"fmt"

	"razao/index/term"
)

// probesPerShard is the number of documents that Probe looks up both ways.
const probesPerShard = 20

// Probe is a self-test before an index is published: there are as many distinct keys as documents,
// and a sample spread over the shard is found by its keys.
func (s *Shard) Probe(docs int64) error {
	v := s.View()
	if n := int64(s.keys.Len()); n != docs {
		return fmt.Errorf("%d keys for %d documents: a CNPJ was added twice", n, docs)
	}
	for i := range int64(probesPerShard) {
		doc := uint32(i * docs / probesPerShard)
		number, err := s.CNPJ(doc)
		if err != nil {
			return err
		}
		found, err := v.Postings(term.FieldID, binary.BigEndian.AppendUint64(nil, uint64(number)))
		if err != nil {
			return err
		}
		if found == nil || found.GetCardinality() != 1 || !found.Contains(doc) {
			return fmt.Errorf("document %d (%s) is not found by its key", doc, number)
		}
	}
	return nil
}
