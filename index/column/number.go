package column

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"

	"razao/index/folder"
)

// Number is a column of 16-bit numbers, for values that many documents lack. 0 stands for none.
type Number int

// The number columns.
const (
	SituacaoDay    Number = iota // since when the situação holds: see Day
	SimplesDay                   // since when the company is in the Simples; 0 if it is not
	MEIDay                       // the same of MEI
	Establishments               // of the company; a single one is stored as 0, which most have
	Partners                     // of the company
)

// numberFiles are the names of the number files.
var numberFiles = [...]string{
	SituacaoDay: "number-situacao", SimplesDay: "number-simples", MEIDay: "number-mei", Establishments: "number-establishments",
	Partners: "number-partners",
}

// CountOfNumbers is the number of number columns.
const CountOfNumbers = Number(len(numberFiles))

// Years that days are told apart in: 176 years of 372 days fit 16 bits.
const (
	firstDayYear = 1900
	lastDayYear  = firstDayYear + 175
)

// Day returns a day AAAAMMDD as a number that orders like it, counting every month as 31 days; 0
// for none. Days before 1900 become the first day, days after 2075 the last number.
func Day(number int) uint16 {
	switch year := number / 10_000; {
	case number <= 0:
		return 0
	case year < firstDayYear:
		return 1
	case year > lastDayYear:
		return 1<<16 - 1
	default:
		return uint16((year-firstDayYear)*12*31 + (number/100%100-1)*31 + number%100)
	}
}

// Layout of a number file. It has blocks of 65,536 documents, each in one of three forms:
//
//   - empty: no bytes, when no document has the number;
//   - dense: the numbers of all documents in bit slices (sliced.go), when many have it, and always in
//     the last block if it is not full;
//   - sparse: a bitmap of the documents that have it, the number of bits set before each 512 (a
//     rank directory), and the numbers of these documents.
//
// Behind the blocks stands where each of them begins, and where the last one ends, 8 bytes each.
const (
	blockDocs  = 1 << 16
	blockWords = blockDocs / 64
	rankWords  = 8 // words of the bitmap for each entry of the rank directory
	marksSize  = 8 * blockWords
	ranksSize  = 2 * blockWords / rankWords
	pastBlock  = marksSize + ranksSize
	entrySize  = 8
	maxSparse  = blockDocs/2 - pastBlock/2 // numbers up to which the sparse form takes at most half the room of the dense one
	denseGroup = numberBits * wordBytes    // bytes of a group of the dense form
)

// NumberWriter writes a number column in document order. Not safe for concurrent use.
type NumberWriter struct {
	file   *os.File
	out    *bufio.Writer
	block  []uint16
	known  int    // documents of the block that have the number
	at     uint64 // bytes written
	starts []byte // where each block begins, encoded
}

// CreateNumber begins the file of a number column in the index folder dir.
func CreateNumber(dir string, n Number) (*NumberWriter, error) {
	file, err := os.Create(filepath.Join(dir, numberFiles[n]))
	if err != nil {
		return nil, err
	}
	return &NumberWriter{file: file, out: bufio.NewWriterSize(file, 256<<10), block: make([]uint16, 0, blockDocs)}, nil
}

// Add takes the number of the next document, 0 for none. A write error is returned by Close.
func (w *NumberWriter) Add(number uint16) {
	w.block = append(w.block, number)
	if number > 0 {
		w.known++
	}
	if len(w.block) == blockDocs {
		w.flush()
	}
}

// flush writes the block in one of the three forms and begins the next.
func (w *NumberWriter) flush() {
	w.starts = binary.LittleEndian.AppendUint64(w.starts, w.at)
	var out []byte
	switch {
	case w.known == 0:
	case w.known > maxSparse || len(w.block) < blockDocs:
		out = appendSliced(nil, w.block, numberBits)
	default:
		out = w.sparse()
	}
	w.out.Write(out)
	w.at += uint64(len(out))
	w.block, w.known = w.block[:0], 0
}

// sparse encodes the block in the sparse form.
func (w *NumberWriter) sparse() []byte {
	out := make([]byte, pastBlock, pastBlock+2*w.known)
	for i, n := range w.block {
		if i%(64*rankWords) == 0 {
			binary.LittleEndian.PutUint16(out[marksSize+2*(i/64/rankWords):], uint16((len(out)-pastBlock)/2))
		}
		if n > 0 {
			out[i/8] |= 1 << (i % 8)
			out = binary.LittleEndian.AppendUint16(out, n)
		}
	}
	return out
}

// Close writes the last block and the directory, and closes the file.
func (w *NumberWriter) Close() error {
	if len(w.block) > 0 {
		w.flush()
	}
	w.starts = binary.LittleEndian.AppendUint64(w.starts, w.at)
	w.out.Write(w.starts)
	return errors.Join(w.out.Flush(), w.file.Close())
}

// numbers is an open number column.
type numbers struct {
	file   folder.Mapped
	blocks []block
}

// block is one block of the file; data is empty when no document has the number.
type block struct {
	data  []byte
	dense bool
}

// openNumbers maps a number column of an index with docs documents.
func openNumbers(dir string, n Number, docs int64) (*numbers, error) {
	file, err := folder.Map(dir, numberFiles[n], folder.AnySize)
	if err != nil {
		return nil, err
	}
	out := &numbers{file: file}
	if err := out.parse(docs); err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s: %w)", folder.ErrDamaged, numberFiles[n], err), file.Close())
	}
	return out, nil
}

// parse cuts the file into blocks and checks their sizes and rank directories, so that at and group
// never read outside of it.
func (f *numbers) parse(docs int64) error {
	data := f.file.Bytes()
	count := int((docs + blockDocs - 1) / blockDocs)
	end := len(data) - entrySize*(count+1)
	if end < 0 {
		return errors.New("cut")
	}
	start := func(i int) uint64 { return binary.LittleEndian.Uint64(data[end+entrySize*i:]) }
	for i := range count {
		from, to := start(i), start(i+1)
		if from > to || to > uint64(end) {
			return fmt.Errorf("block %d is not in it", i)
		}
		has := min(docs-int64(i)*blockDocs, blockDocs)
		b := block{data: data[from:to]}
		b.dense = int64(len(b.data)) == sliced(has, numberBits)
		if !b.dense && len(b.data) > 0 && !b.isSparse() {
			return fmt.Errorf("block %d cannot be", i)
		}
		f.blocks = append(f.blocks, b)
	}
	return nil
}

// isSparse reports whether the bitmap, the rank directory and the length of the block agree.
func (b block) isSparse() bool {
	if len(b.data) < pastBlock {
		return false
	}
	known := 0
	for i := range blockWords {
		if i%rankWords == 0 && int(binary.LittleEndian.Uint16(b.data[marksSize+2*(i/rankWords):])) != known {
			return false
		}
		known += bits.OnesCount64(b.word(i))
	}
	return len(b.data) == pastBlock+2*known
}

// word returns a word of the bitmap of a sparse block.
func (b block) word(i int) uint64 { return binary.LittleEndian.Uint64(b.data[8*i:]) }

// at returns the number of a document, 0 for none.
func (b block) at(low int) uint16 {
	switch {
	case len(b.data) == 0:
		return 0
	case b.dense:
		return slicedAt(b.data[low/groupDocs*denseGroup:][:denseGroup], low%groupDocs)
	}
	word, bit := low/64, low%64
	if b.word(word)>>bit&1 == 0 {
		return 0
	}
	return b.numberOf(b.before(word) + bits.OnesCount64(b.word(word)&(1<<bit-1)))
}

// before returns how many documents of a sparse block have the number before those of a word of its
// bitmap: a rank query.
func (b block) before(word int) int {
	first := word / rankWords * rankWords
	rank := int(binary.LittleEndian.Uint16(b.data[marksSize+2*(word/rankWords):]))
	for i := first; i < word; i++ {
		rank += bits.OnesCount64(b.word(i))
	}
	return rank
}

// numberOf returns the number of the document of a rank among those of a sparse block that have it.
func (b block) numberOf(rank int) uint16 {
	return binary.LittleEndian.Uint16(b.data[pastBlock+2*rank:])
}

// group returns which of 64 documents are in an interval; those without the number count as 0.
func (b block) group(i int, of Numbers) (in uint64) {
	if b.dense {
		return of.within(b.data[denseGroup*i:][:denseGroup])
	}
	known := uint64(0)
	if len(b.data) > 0 {
		known = b.word(i)
	}
	if of.includes(0) {
		in = ^known
	}
	if known == 0 {
		return in
	}
	rank := b.before(i)
	for ; known != 0; known &= known - 1 {
		if of.includes(b.numberOf(rank)) {
			in |= known & -known
		}
		rank++
	}
	return in
}

// within returns which numbers of a group of bit slices are in the interval.
func (r Numbers) within(group []byte) uint64 {
	in := ^uint64(0)
	if r.From > 0 {
		less, _ := compare(group, uint32(r.From))
		in &^= less
	}
	if r.To < mostNumber {
		less, equal := compare(group, uint32(r.To))
		in &= less | equal
	}
	return in
}
