// Package history keeps what each load changed, company by company, for as long as an operator
// wants it: longer than the records that it was found in.
//
// # Loads
//
// A load is compared once, with the one that was in service when it was written, and the events
// found are stored under its id (tables history and history_block). Each load names the one that it
// was compared with, so the loads in service are the ends of chains, one for each source, and the
// history that a snapshot shows is that of its chains. A rollback puts a former load at the end: what
// the other one changed is in no chain any more. It is withdrawn, and not announced as changes back.
//
// No change is never "we could not look": a load, or a part of one, that was not compared has a
// [Gap].
//
// # Order
//
// Publications are numbered (table history_journal): a load that enters a chain is announced, one that
// leaves it is withdrawn. Number by number that is a log, which a reader can resume after any
// absence ([Position]). Within a load, companies come in the order of a hash of their roots.
//
// # Blocks
//
// The hashes of a load are cut into 2^level ranges of about [blockRoots] changed companies. A range
// is one row (level, bucket, load), compressed. All loads share the key, so the history of a
// company is one range scan for each level in use, whatever the number of loads; and a load of two
// million changed companies is some sixty thousand rows, which need no partitions.
package history

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
)

// blockRoots is the number of changed companies that a block should have.
const blockRoots = 32

// maxLevel bounds the number of ranges of a load to a million.
const maxLevel = 20

// Encoder and decoder are stateless in EncodeAll and DecodeAll, and safe for concurrent use.
var (
	zstdEncoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	zstdDecoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxBlock), zstd.WithDecoderConcurrency(0))
)

// Hash is the place of a company in the order of a load. It is a bijection (Fibonacci hashing), so
// no two companies share one.
func Hash(root cnpj.Root) uint64 { return uint64(root) * 0x9E3779B97F4A7C15 }

// levelOf returns the level for a load that changed n companies.
func levelOf(n int64) int {
	return min(maxLevel, bits.Len64(uint64(max(0, n-1)/blockRoots)))
}

// bucketOf returns the range of a hash at a level.
func bucketOf(hash uint64, level int) int32 {
	if level == 0 {
		return 0
	}
	return int32(hash >> (64 - level))
}

// Load is a load with its place in the history.
type Load struct {
	ID           int64
	Source       string
	Period       string
	Invented     bool
	Former       int64  // it was compared with this load; 0: with none
	FormerPeriod string // of that load
	Gaps         []Gap
	Companies    int64            // that it changed
	Events       map[string]int64 // by code
	Seq          int64            // its number in the journal
	AnnouncedAt  time.Time        // when it was published

	level int
}

// Gap is a part of a load of which no changes are known. Why is a reason of the constants.
type Gap struct {
	Part change.Part `json:"parte"`
	Why  Why         `json:"motivo"`
}

// Why says why a part of a load was not compared.
type Why string

// The reasons for a gap.
const (
	First     Why = "primeira_carga"          // there was no load before
	Missing   Why = "arquivo_ausente"         // one of the two loads lacks the file
	Partial   Why = "carga_parcial"           // one of the two has much fewer rows than the other
	OtherKind Why = "dados_de_outra_natureza" // only one of the two is invented
	Format    Why = "formato_diferente"       // the records are packed by different versions
	Gone      Why = "carga_anterior_apagada"  // the records before are not kept any more
)

// Position is a place in the journal: that of the next event to be read. The zero Position is the
// beginning.
type Position struct {
	Seq   int64
	Hash  uint64 // of the company in the load; 0: the first
	Event int    // of the company, from 0
	AsOf  int64  // end of the journal when the page before it was read, whose reader knows what was withdrawn until then; 0: Seq
}

// Before reports whether p comes before a place of another company, or in another load. What was known is no part of the place.
func (p Position) Before(o Position) bool {
	return cmp.Or(cmp.Compare(p.Seq, o.Seq), cmp.Compare(p.Hash, o.Hash), cmp.Compare(p.Event, o.Event)) < 0
}

// Compared reports whether the changes of a part are known.
func (l *Load) Compared(part change.Part) bool {
	return !slices.ContainsFunc(l.Gaps, func(g Gap) bool { return g.Part == part })
}

// First reports whether there was no load of the source before.
func (l *Load) First() bool {
	return slices.ContainsFunc(l.Gaps, func(g Gap) bool { return g.Why == First })
}
