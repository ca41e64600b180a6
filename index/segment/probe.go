package segment

import (
	"fmt"

	"razao/index/docset"
	"razao/index/term"
)

// probesPerShard is how many documents probe looks up both ways.
const probesPerShard = 20

// Probe checks, before a shard is published, that every document has its own key and that documents spread over the shard are found by theirs.
func (s *Shard) Probe(docs int64) error {
	v := s.View(docset.NewWorkspace())
	n := int64(0)
	if keys := v.dict(term.FieldID); keys != nil {
		n = int64(keys.Len())
	}
	if n != docs {
		return fmt.Errorf("%d keys for %d documents: a CNPJ was added twice", n, docs)
	}
	for i := range int64(probesPerShard) {
		doc := uint32(i * docs / probesPerShard)
		number, err := s.CNPJ(doc)
		if err != nil {
			return err
		}
		found, err := v.ByKey(number)
		if err != nil {
			return err
		}
		if found.Count() != 1 || !found.Contains(doc) {
			return fmt.Errorf("document %d (%s) is not found by its key", doc, number)
		}
	}
	return nil
}
