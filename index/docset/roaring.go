package docset

import "encoding/binary"

// The two beginnings of a Roaring bitmap. The first, in 16 bits, is followed by the number of blocks and a bit for each
// that is made of runs; the second, in 32 bits, by the number of blocks.
const (
	roaringRuns   = 12347
	roaringNoRuns = 12346

	maxRoaringList = 4096 // documents of a block that are a list
	withOffsets    = 4    // blocks from which on the places of all blocks are told although there are runs
)

// Roaring returns the set of a Roaring bitmap as its specification has it
// (https://github.com/RoaringBitmap/RoaringFormatSpec), false when it is cut short or none. The containers stay in data.
func (w *Workspace) Roaring(data []byte) (_ Set, ok bool) {
	if len(data) < 8 {
		return nil, false
	}
	var isRun []byte
	cookie := binary.LittleEndian.Uint32(data)
	n := int(cookie>>16) + 1
	switch {
	case cookie&0xffff == roaringRuns:
		if len(data) < 4+(n+7)/8 {
			return nil, false
		}
		isRun = data[4 : 4+(n+7)/8]
		data = data[4+len(isRun):]
	case cookie == roaringNoRuns:
		n = int(binary.LittleEndian.Uint32(data[4:]))
		data = data[8:]
	default:
		return nil, false
	}
	header := 4 * n
	if isRun == nil || n >= withOffsets {
		header *= 2
	}
	if n > blockDocs || len(data) < header {
		return nil, false
	}
	keys, data := data[:4*n], data[header:]
	out := w.blocks.take(n)
	for i := range out {
		b := &out[i]
		*b = block{key: number16(keys, 2*i), n: int(number16(keys, 2*i+1)) + 1}
		length := 2 * b.n
		switch {
		case isRun != nil && isRun[i/8]>>(i%8)&1 == 1:
			if len(data) < 2 {
				return nil, false
			}
			b.form, length = runs, 4*int(number16(data, 0))
			data = data[2:]
		case b.n > maxRoaringList:
			b.form, length = dense, denseBytes
		}
		if len(data) < length {
			return nil, false
		}
		b.data, data = data[:length], data[length:]
	}
	return out, true
}
