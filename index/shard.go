package index

import (
	"context"
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

	"razao/internal/cnpj"
)

// storeName is the folder in a Bleve index that holds its segments.
const storeName = "store"

// writeShard makes the Bleve index of consecutive parts of runs in dir and deletes runs that are used up. The files around the segment come
// from Bleve, by building an index of one empty document; then that document's segment is replaced by the real one.
func writeShard(ctx context.Context, dir, tmp string, parts []runPart) error {
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
	if err := mergeRuns(ctx, parts, segments[0]); err != nil {
		return err
	}
	return release(parts)
}

// shard is one open Bleve index: a single segment whose document numbers are the rank. Safe for concurrent use.
type shard struct {
	bleve        bleve.Index
	reader       bleveindex.IndexReader
	data         []byte // of the segment, mapped into memory
	docs         uint32
	dictionaries [lastField]*vellum.FST // by field, nil when no document has it
	views        sync.Pool              // of *view
}

func openShard(dir string, docs int64) (*shard, error) {
	idx, err := bleve.OpenUsing(dir, map[string]any{"read_only": true})
	if err != nil {
		return nil, fmt.Errorf("%w (%s: %w)", ErrDamaged, filepath.Base(dir), err)
	}
	s := &shard{bleve: idx}
	if err := s.attach(docs); err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s: %w)", ErrDamaged, filepath.Base(dir), err), s.close())
	}
	return s, nil
}

// attach takes hold of the one segment.
func (s *shard) attach(docs int64) error {
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
	s.data, s.docs = segment.Data(), uint32(docs)
	for _, name := range segment.Fields() {
		if err := s.openDictionary(segment, name); err != nil {
			return fmt.Errorf("dictionary of field %s: %w", name, err)
		}
	}
	return nil
}

// openDictionary finds the dictionary of a field, which has its length before it.
func (s *shard) openDictionary(segment *zap.Segment, field string) error {
	at, err := segment.DictAddr(field)
	if err != nil {
		return err
	}
	if at >= uint64(len(s.data)) || field == "" || field[0] >= fieldID+lastField || field[0] < fieldID {
		return ErrDamaged
	}
	n, width := binary.Uvarint(s.data[at:])
	data := s.data[at+uint64(max(width, 0)):]
	if width <= 0 || n > uint64(len(data)) {
		return ErrDamaged
	}
	s.dictionaries[field[0]-fieldID], err = vellum.Load(data[:n])
	return err
}

func (s *shard) close() error {
	var err error
	if s.reader != nil {
		err = s.reader.Close()
	}
	return errors.Join(err, s.bleve.Close())
}

// cnpj returns the number of a document: see segmentWriter.key for where it lies.
func (s *shard) cnpj(doc uint32) (cnpj.Full, error) {
	at := int64(doc)*storedRecord + storedKey
	if doc >= s.docs || at+8 > int64(len(s.data)) {
		return 0, fmt.Errorf("%w (document %d has no key)", ErrDamaged, doc)
	}
	return cnpj.Full(binary.BigEndian.Uint64(s.data[at:])), nil
}

// view reads a shard for one query at a time: readers of dictionaries keep state.
type view struct {
	shard   *shard
	work    *workspace // of the query
	readers [lastField]*vellum.Reader
}

// view returns a view that nobody else uses until it is given back; one that is not is forgotten.
func (s *shard) view(w *workspace) *view {
	v, ok := s.views.Get().(*view)
	if !ok {
		v = &view{shard: s}
	}
	v.work = w
	return v
}

func (v *view) giveBack() {
	v.work = nil
	v.shard.views.Put(v)
}

// dict returns the dictionary of a field, nil when no document has the field.
func (v *view) dict(field byte) *vellum.FST { return v.shard.dictionaries[field-fieldID] }

// postings returns the documents that have a term.
func (v *view) postings(field byte, term []byte) (docSet, error) {
	d := v.dict(field)
	if d == nil {
		return nil, nil
	}
	r := &v.readers[field-fieldID]
	if *r == nil {
		var err error
		if *r, err = d.Reader(); err != nil {
			return nil, err
		}
	}
	value, ok, err := (*r).Get(term)
	if err != nil || !ok {
		return nil, err
	}
	return v.postingsAt(value)
}

// maxPrefixTerms bounds how many words of a shard one long prefix may stand for; six letters rarely begin a thousand.
const maxPrefixTerms = 4096

// withPrefix returns the documents that have a word of field that begins so.
func (v *view) withPrefix(field byte, prefix []byte) (docSet, error) {
	var lists []docSet
	err := v.terms(field, prefix, nil, func(_ []byte, value uint64) (bool, error) {
		docs, err := v.postingsAt(value)
		lists = append(lists, docs)
		return len(lists) < maxPrefixTerms, err
	})
	return v.work.union(lists), err
}

// terms hands on, in order, the terms of a field that begin with prefix and that an automaton, unless it is nil,
// accepts, each with its value in the dictionary, until visit returns false.
func (v *view) terms(field byte, prefix []byte, accepts vellum.Automaton, visit func(term []byte, value uint64) (more bool, err error)) error {
	d := v.dict(field)
	if d == nil {
		return nil
	}
	it, err := d.Search(accepts, prefix, after(prefix))
	for err == nil {
		var more bool
		term, value := it.Current()
		if more, err = visit(term, value); err == nil && !more {
			return nil
		}
		if err == nil {
			err = it.Next()
		}
	}
	if errors.Is(err, vellum.ErrIteratorDone) {
		return nil
	}
	return err
}

// after returns the first term behind all that begin with prefix, nil when there is none.
func after(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i] < 0xff {
			end[i]++
			return end[:i+1]
		}
	}
	return nil
}
