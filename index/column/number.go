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
//   - dense: two bytes for each document, when many have it, and always in the last block if it is
//     not full;
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
		for _, n := range w.block {
			out = binary.LittleEndian.AppendUint16(out, n)
		}
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

// parse cuts the file into blocks and checks their sizes and rank directories, so that at and each
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
		b.dense = int64(len(b.data)) == 2*has
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

// at returns the number of a document, 0 for none. In a sparse block that is a rank query: the
// directory plus a popcount of up to eight words.
func (b block) at(low int) uint16 {
	switch {
	case len(b.data) == 0:
		return 0
	case b.dense:
		return binary.LittleEndian.Uint16(b.data[2*low:])
	}
	word, bit := low/64, low%64
	if b.word(word)>>bit&1 == 0 {
		return 0
	}
	first := word / rankWords * rankWords
	rank := int(binary.LittleEndian.Uint16(b.data[marksSize+2*(word/rankWords):]))
	for i := first; i < word; i++ {
		rank += bits.OnesCount64(b.word(i))
	}
	rank += bits.OnesCount64(b.word(word) & (1<<bit - 1))
	return binary.LittleEndian.Uint16(b.data[pastBlock+2*rank:])
}

// each calls visit for the documents from (included) to to (excluded) that have the number, in a
// sparse or empty block.
func (b block) each(from, to int, visit func(low int, number uint16)) {
	if len(b.data) == 0 {
		return
	}
	word := from / 64
	first := word / rankWords * rankWords
	rank := int(binary.LittleEndian.Uint16(b.data[marksSize+2*(word/rankWords):]))
	for i := first; 64*i < to; i++ {
		for rest := b.word(i); rest != 0; rest &= rest - 1 {
			if low := 64*i + bits.TrailingZeros64(rest); low >= from && low < to {
				visit(low, binary.LittleEndian.Uint16(b.data[pastBlock+2*rank:]))
			}
			rank++
		}
	}
}
