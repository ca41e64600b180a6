package column

import (
	"encoding/binary"
	"math/bits"
)

// Bit slices: of 64 numbers, a group, word b has bit b of each. Comparing them with a constant takes
// a few instructions for each bit, for all 64 at once (O'Neil and Quass, Improved query performance
// with variant indexes, SIGMOD 1997). The words of a group are adjacent (BitWeaving/V, Li and Patel,
// SIGMOD 2013), so that a single number costs one or two cache lines.
const (
	groupDocs  = 64
	wordBytes  = 8
	stageBits  = 12
	stageGroup = stageBits * wordBytes // bytes of a group of stages
	numberBits = 16
)

// sliced returns the bytes that docs numbers of some bits take.
func sliced(docs int64, bits int) int64 {
	return (docs + groupDocs - 1) / groupDocs * int64(bits*wordBytes)
}

// appendSliced appends numbers of some bits in groups. Zeros fill the last group.
func appendSliced(dst []byte, numbers []uint16, bits int) []byte {
	for len(numbers) > 0 {
		group := numbers[:min(groupDocs, len(numbers))]
		for b := range bits {
			word := uint64(0)
			for i, n := range group {
				word |= uint64(n>>b&1) << i
			}
			dst = binary.LittleEndian.AppendUint64(dst, word)
		}
		numbers = numbers[len(group):]
	}
	return dst
}

// plane returns bit b of all numbers of a group.
func plane(group []byte, b int) uint64 { return binary.LittleEndian.Uint64(group[wordBytes*b:]) }

// slicedAt returns number i of a group.
func slicedAt(group []byte, i int) (n uint16) {
	for b := range len(group) / wordBytes {
		n |= uint16(plane(group, b)>>i&1) << b
	}
	return n
}

// compare returns which numbers of a group are less than a bound, and which are equal to it. It
// decides from the highest bit on, until no number is equal so far. A branch by the bit of the bound
// would be mispredicted.
func compare(group []byte, bound uint32) (less, equal uint64) {
	equal = 1<<groupDocs - 1
	bound <<= 32 - len(group)/wordBytes
	for ; len(group) >= wordBytes && equal != 0; bound <<= 1 {
		word := binary.LittleEndian.Uint64(group[len(group)-wordBytes:])
		group = group[:len(group)-wordBytes]
		bit := uint64(int64(int32(bound)) >> 63) // of the bound, in all 64 bits
		less |= equal & bit &^ word
		equal &^= bit ^ word
	}
	return less, equal
}

// markGroups sets marks for docs documents from first on. in returns the bits of a group, counted
// from the first document of the index.
func markGroups(marks []uint64, first, docs uint32, in func(group uint32) uint64) {
	shift := first % groupDocs // shards may begin within a group
	for group, i := first/groupDocs, 0; group*groupDocs < first+docs; group, i = group+1, i+1 {
		word := in(group)
		if i < len(marks) {
			marks[i] |= word >> shift
		}
		if i > 0 {
			marks[i-1] |= word << (groupDocs - shift) // nothing for a shift of 0
		}
	}
	if n := docs % groupDocs; n > 0 {
		marks[len(marks)-1] &= 1<<n - 1
	}
}

// histogramBits is how many bits of the stage a histogram of kept documents tells apart.
const histogramBits = 4

// stageOf returns a stage at or before that of the kept document of a rank, counted from 0, and how
// many kept documents are in the stages before it. The order is that of the file. kept has a bit for
// each document of the index.
//
// The stage is found from its highest bits on, a histogram for every four. The last four are left to
// the caller: walking sixteen stages is cheaper.
func (s *Sequence) stageOf(kept []uint64, rank int) (stage uint32, before int) {
	for low := stageBits - histogramBits; low > 0; low -= histogramBits {
		counts := s.histogram(kept, stage, low)
		next := 0
		for ; next < len(counts)-1 && before+counts[next] <= rank; next++ {
			before += counts[next]
		}
		stage |= uint32(next) << low
	}
	return stage, before
}

// histogram counts kept documents by histogramBits of their stage, from bit low on, among those
// whose higher bits are those of stage.
func (s *Sequence) histogram(kept []uint64, stage uint32, low int) (counts [1 << histogramBits]int) {
	var sets [len(counts)]uint64
	for i, word := range kept {
		if word == 0 {
			continue
		}
		group := s.stages(uint32(i))
		if higher := low + histogramBits; higher < stageBits {
			_, equal := compare(group[wordBytes*higher:], stage>>higher)
			if word &= equal; word == 0 {
				continue
			}
		}
		sets[0] = word
		for n, b := 1, low+histogramBits-1; n < len(sets); n, b = 2*n, b-1 { // each set into those without and with the bit
			bit := plane(group, b)
			for j := n - 1; j >= 0; j-- {
				sets[2*j], sets[2*j+1] = sets[j]&^bit, sets[j]&bit
			}
		}
		for j, set := range sets {
			counts[j] += bits.OnesCount64(set)
		}
	}
	return counts
}

// keptBelow returns how many kept documents are in the stages before one.
func (s *Sequence) keptBelow(kept []uint64, stage uint32) (n int) {
	for i, word := range kept {
		if word != 0 {
			less, _ := compare(s.stages(uint32(i)), stage)
			n += bits.OnesCount64(word & less)
		}
	}
	return n
}
