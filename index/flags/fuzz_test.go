package flags

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"
	"time"

	"razao/index/folder"
)

// FuzzDecode reads bitmaps of any content below a header and a checksum that fit. What is accepted has a bitmap for each shard, with no
// document that the shard has not.
func FuzzDecode(f *testing.F) {
	m := &folder.Manifest{BuiltAt: time.Unix(1, 0), Shards: []folder.Shard{{Docs: 100}, {Docs: 5}}}
	none := []byte{8, 0, 0, 0, 0x3a, 0x30, 0, 0, 0, 0, 0, 0}
	f.Add(append(none, none...))
	f.Add([]byte{255, 255, 255, 255, 0x3b, 0x30, 1, 0})
	f.Fuzz(func(t *testing.T, bitmaps []byte) {
		body := []byte(magic)
		for _, n := range []int64{m.BuiltAt.UnixNano(), 7, int64(len(m.Shards))} {
			body = binary.LittleEndian.AppendUint64(body, uint64(n))
		}
		body = append(body, bitmaps...)
		sum := sha256.Sum256(body)
		s, err := decode(append(body, sum[:]...), m, 7)
		if err != nil {
			return
		}
		for i, docs := range s.shards {
			if !docs.IsEmpty() && int64(docs.Maximum()) >= int64(m.Shards[i].Docs) {
				t.Errorf("shard %d has no document %d", i, docs.Maximum())
			}
		}
	})
}
