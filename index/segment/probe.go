package segment

import (
	"encoding/binary"
	"fmt"

	"razao/index/term"
)

// probesPerShard is how many documents probe looks up both ways.
const probesPerShard = 20

// Probe checks, before a shard is published, that every document has its own key and that documents spread over the shard are found by theirs.
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
