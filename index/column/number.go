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

// Number is a small number that many documents have.
type Number int

// The numbers.
const (
	SituacaoDay    Number = iota // see Day
	SimplesDay                   // the same, 0 for a company that is not in
	MEIDay                       // the same
	Establishments               // of the company, 0 for one
	Partners                     // of the company
)

// numberFiles are the files of the numbers.
var numberFiles = [...]string{
	SituacaoDay: "number-situacao", SimplesDay: "number-simples", MEIDay: "number-mei", Establishments: "number-establishments",
	Partners: "number-partners",
}

// CountOfNumbers is how many numbers there are, from 0 on.
const CountOfNumbers = Number(len(numberFiles))

const (
	firstDayYear = 1900
	lastDayYear  = firstDayYear + 175
)

// Day returns a day AAAAMMDD as a number that rises with it, 0 for none. Days before 1900 and after 2075 count as the first and the last
// between.
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

// A file of numbers has blocks of 65,536 documents, which are one of three: nothing, when no document has the number; two bytes for each
// document, when many have it; else a bit for each document that has it, how many bits are set before each 512, and the numbers of those.
// At the end stands, for each block, where it begins.
const (
	blockDocs  = 1 << 16
	blockWords = blockDocs / 64
	rankWords  = 8 // 64 bits each, between two ranks
	marksSize  = 8 * blockWords
	ranksSize  = 2 * blockWords / rankWords
	pastBlock  = marksSize + ranksSize
	entrySize  = 8
	maxSparse  = blockDocs/2 - pastBlock/2 // numbers of a block that takes half the room
)

// NumberWriter writes a number of all documents, in rank order. Not safe for concurrent use.
type NumberWriter struct {
	file   *os.File
	out    *bufio.Writer
	block  []uint16
	known  int // of the block
	at     uint64
	starts []byte
}

// CreateNumber begins a number of the index folder dir.
func CreateNumber(dir string, n Number) (*NumberWriter, error) {
	file, err := os.Create(filepath.Join(dir, numberFiles[n]))
	if err != nil {
		return nil, err
	}
	return &NumberWriter{file: file, out: bufio.NewWriterSize(file, 256<<10), block: make([]uint16, 0, blockDocs)}, nil
}

// Add takes that of the next document, 0 for none. An error is kept for Close.
func (w *NumberWriter) Add(number uint16) {
	w.block = append(w.block, number)
	if number > 0 {
		w.known++
	}
	if len(w.block) == blockDocs {
		w.flush()
	}
}

// flush writes the block.
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

// Close ends the file.
func (w *NumberWriter) Close() error {
	if len(w.block) > 0 {
		w.flush()
	}
	w.starts = binary.LittleEndian.AppendUint64(w.starts, w.at)
	w.out.Write(w.starts)
	return errors.Join(w.out.Flush(), w.file.Close())
}

// numbers is an open file of them.
type numbers struct {
	file   folder.Mapped
	blocks []block
}

// block is the part of the file about documents that follow each other; nothing for none that has the number.
type block struct {
	data  []byte
	dense bool
}

// openNumbers maps a number of an index folder of so many documents.
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

// parse cuts the file into its blocks. What they say of themselves is checked, so that reading stays in the file.
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

// isSparse compares the bits of a block with its numbers.
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

func (b block) word(i int) uint64 { return binary.LittleEndian.Uint64(b.data[8*i:]) }

// at returns the number of a document of the block, 0 for none.
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

// each visits the documents of the block that have the number, from one to before another.
func (b block) each(from, to int, visit func(low int, number uint16)) {
	switch {
	case len(b.data) == 0:
	case b.dense:
		for low := from; low < to; low++ {
			if n := binary.LittleEndian.Uint16(b.data[2*low:]); n > 0 {
				visit(low, n)
			}
		}
	default:
		b.eachMarked(from, to, visit)
	}
}

func (b block) eachMarked(from, to int, visit func(low int, number uint16)) {
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
