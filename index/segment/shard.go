package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"

	"razao/index/folder"
	"razao/index/term"
	"razao/internal/data/cnpj"
)

// storeName is the folder of a Bleve index that holds its segments.
const storeName = "store"

// Create makes a Bleve index with one segment of docs documents in dir, which must not exist; tmp
// is a folder for temporary files. fill supplies the content in the order that Writer requires.
// Bleve itself builds the index around the segment, with a single empty document; Create then
// replaces that document's segment file by Write. After an error dir may exist and is of no use.
func Create(dir, tmp string, docs uint64, fill func(*Writer) error) error {
	mapping := bleve.NewIndexMapping()
	mapping.DefaultAnalyzer = keyword.Name
	shell, err := bleve.NewBuilder(dir, mapping, map[string]any{
		"buildPathPrefix":     tmp,
		"forceSegmentType":    zap.Type,
		"forceSegmentVersion": int(zap.Version),
	})
	if err != nil {
		return fmt.Errorf("bleve: %w", err)
	}
	if err := errors.Join(shell.Index("0", struct{}{}), shell.Close()); err != nil {
		return fmt.Errorf("bleve: %w", err)
	}
	segments, err := filepath.Glob(filepath.Join(dir, storeName, "*.zap"))
	if err != nil || len(segments) != 1 {
		return fmt.Errorf("bleve made %d segments instead of one (%w)", len(segments), err)
	}
	return Write(segments[0], docs, fill)
}

// Shard is an open Bleve index with a single segment, whose document numbers are the rank. Safe for
// concurrent use.
type Shard struct {
	bleve  bleve.Index
	reader bleveindex.IndexReader
	zap    *zap.Segment
	docs   uint32
	keys   *vellum.FST // term dictionary of FieldID
	views  sync.Pool   // of *View
}

// openShard opens the Bleve index in dir, which must have exactly docs documents.
func openShard(dir string, docs int64) (*Shard, error) {
	idx, err := bleve.OpenUsing(dir, map[string]any{"read_only": true})
	if err != nil {
		return nil, fmt.Errorf("%w (%s: %w)", folder.ErrDamaged, filepath.Base(dir), err)
	}
	s := &Shard{bleve: idx}
	if err := s.attach(docs); err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s: %w)", folder.ErrDamaged, filepath.Base(dir), err), s.close())
	}
	return s, nil
}

// attach finds the one segment of the index and its dictionary of keys.
func (s *Shard) attach(docs int64) error {
	advanced, err := s.bleve.Advanced()
	if err != nil {
		return err
	}
	if s.reader, err = advanced.Reader(); err != nil {
		return err
	}
	snapshot, ok := s.reader.(*scorch.IndexSnapshot)
	if !ok || len(snapshot.Segments()) != 1 {
		return errors.New("it is not one segment")
	}
	segment, ok := snapshot.Segments()[0].Segment().(*zap.Segment)
	if !ok {
		return errors.New("its segment is of another kind")
	}
	if got := int64(segment.Count()); got != docs {
		return fmt.Errorf("%d documents instead of %d", got, docs)
	}
	s.zap, s.docs = segment, uint32(docs)
	return s.openKeys()
}

// openKeys locates the FST of the keys in the mapped file, where its length precedes it. The
// package comment says why Bleve's iterator does not do.
func (s *Shard) openKeys() error {
	at, err := s.zap.DictAddr(term.NameOfField(term.FieldID))
	if err != nil {
		return err
	}
	data := s.zap.Data()
	if at >= uint64(len(data)) {
		return errors.New("its keys lie outside")
	}
	n, width := binary.Uvarint(data[at:])
	data = data[at+uint64(max(width, 0)):]
	if width <= 0 || n > uint64(len(data)) {
		return errors.New("its keys are cut")
	}
	s.keys, err = vellum.Load(data[:n])
	return err
}

// ReleasePages gives the memory of the mapped segment back, as far as it has been read. The shard can
// be used on: what is read again comes from the page cache.
func (s *Shard) ReleasePages() { folder.ReleasePages(s.zap.Data()) }

func (s *Shard) close() error {
	var err error
	if s.reader != nil {
		err = s.reader.Close()
	}
	return errors.Join(err, s.bleve.Close())
}

// Reader returns Bleve's reader of the shard, for stock searchers. It must not be closed.
func (s *Shard) Reader() bleveindex.IndexReader { return s.reader }

// CNPJ returns the key of a document. A document beyond the shard is folder.ErrDamaged.
func (s *Shard) CNPJ(doc uint32) (cnpj.Full, error) {
	if doc >= s.docs {
		return 0, fmt.Errorf("%w (document %d of %d)", folder.ErrDamaged, doc, s.docs)
	}
	key, err := s.zap.DocID(uint64(doc))
	if err != nil {
		return 0, fmt.Errorf("%w (key of document %d: %w)", folder.ErrDamaged, doc, err)
	}
	return keyOf(key)
}

// keyOf decodes a key, 8 bytes big endian, and rejects numbers that no CNPJ has.
func keyOf(key []byte) (cnpj.Full, error) {
	if len(key) != 8 {
		return 0, fmt.Errorf("%w (a key of %d bytes)", folder.ErrDamaged, len(key))
	}
	number := binary.BigEndian.Uint64(key)
	if number >= cnpj.Orders*cnpj.Orders*cnpj.Orders {
		return 0, fmt.Errorf("%w (a key that is no CNPJ)", folder.ErrDamaged)
	}
	return cnpj.Full(number), nil
}

// OpenAll opens the shards of an index folder, in their order. If one does not match its entry,
// none stays open and the error is folder.ErrDamaged.
func OpenAll(dir string, entries []folder.Shard) ([]*Shard, error) {
	var shards []*Shard
	for _, entry := range entries {
		s, err := openShard(filepath.Join(dir, entry.Path), entry.Docs)
		if err != nil {
			return nil, errors.Join(err, CloseAll(shards))
		}
		shards = append(shards, s)
	}
	return shards, nil
}

// CloseAll closes the shards and unmaps their files. No view may be in use: it would fault.
func CloseAll(shards []*Shard) error {
	var errs []error
	for _, s := range shards {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}
