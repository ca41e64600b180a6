package docset

// Workspace is the arena of one query at a time, in which its sets are made. The next query uses it again, so that queries
// leave next to no garbage behind. Not safe for concurrent use.
type Workspace struct {
	bytes  slab[byte]
	blocks slab[block]
	counts slab[uint32]
	marks  [blockDocs]byte   // of documents of a block, all 0 between uses
	low    [blockDocs]uint16 // of a block that is being made or visited
}

// NewWorkspace returns an empty workspace of about 200 kB, which grows with what is asked.
func NewWorkspace() *Workspace {
	return &Workspace{bytes: slab[byte]{size: 256 << 10}, blocks: slab[block]{size: 1 << 10}, counts: slab[uint32]{size: 1 << 16}}
}

// Reset ends the life of all sets that were made in the workspace.
func (w *Workspace) Reset() {
	w.bytes.reset()
	w.blocks.reset()
	w.counts.reset()
}

// Zeros returns n bytes that are 0; they live as long as the sets of the workspace.
func (w *Workspace) Zeros(n int) []byte {
	out := w.bytes.take(n)
	clear(out)
	return out
}

// Counts returns n counts that are 0; they live as long as the sets of the workspace.
func (w *Workspace) Counts(n int) []uint32 {
	out := w.counts.take(n)
	clear(out)
	return out
}

// keptChunks is how much a slab keeps between queries, in ordinary chunks: 8 MB of bytes.
const keptChunks = 32

// slab hands out memory that is taken back all at once.
type slab[T any] struct {
	size   int // elements of a chunk
	chunks [][]T
	used   int // of the last chunk that was begun
	begun  int // chunks
}

// take returns n elements of any content.
func (s *slab[T]) take(n int) []T {
	if s.begun == 0 || s.used+n > len(s.chunks[s.begun-1]) {
		s.begin(n)
	}
	taken := s.chunks[s.begun-1][s.used : s.used+n : s.used+n]
	s.used += n
	return taken
}

// begin turns to the next chunk that holds n elements.
func (s *slab[T]) begin(n int) {
	if s.begun == len(s.chunks) || len(s.chunks[s.begun]) < n {
		s.chunks = append(s.chunks[:s.begun], make([]T, max(n, s.size)))
	}
	s.begun++
	s.used = 0
}

// giveBack returns the last n elements of what was taken last.
func (s *slab[T]) giveBack(n int) { s.used -= n }

func (s *slab[T]) reset() {
	s.begun, s.used = 0, 0
	left := keptChunks * s.size
	for i, chunk := range s.chunks {
		if left -= len(chunk); left < 0 {
			s.chunks = s.chunks[:i:i]
			return
		}
	}
}
