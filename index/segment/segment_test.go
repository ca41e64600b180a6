package segment_test

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/single"
	"github.com/blevesearch/bleve/v2/document"
	bleveindex "github.com/blevesearch/bleve_index_api"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/folder"
	"razao/index/segment"
	"razao/index/term"
	"razao/internal/data/cnpj"
)

// invented is the content of a shard: the keys of its documents, and documents by field and term. Terms
// have one document, some or all.
func invented(rng *rand.Rand, docs int) (numbers []cnpj.Full, terms map[byte]map[string][]uint32) {
	terms = map[byte]map[string][]uint32{}
	for _, field := range []byte{term.FieldFilter, term.FieldName, term.FieldPartner} {
		terms[field] = map[string][]uint32{"all": nil}
		for doc := range uint32(docs) {
			seen := map[string]bool{"all": true}
			for range rng.IntN(6) {
				seen[strings.Repeat(string(rune('a'+rng.IntN(3))), 1+rng.IntN(4))+string(rune('a'+rng.IntN(26)))] = true
			}
			if rng.IntN(4) == 0 {
				seen["only"+string(rune('a'+doc%26))+string(rune('à'+doc/26%26))+string(rune('a'+doc/676))] = true
			}
			for word := range seen {
				terms[field][word] = append(terms[field][word], doc)
			}
		}
	}
	for _, i := range rng.Perm(docs) {
		numbers = append(numbers, cnpj.Join(cnpj.Root(7*i), cnpj.Order(1+i%3)))
	}
	return numbers, terms
}

// key returns the key of a document in the byte order of the dictionary.
func key(number cnpj.Full) []byte { return binary.BigEndian.AppendUint64(nil, uint64(number)) }

// create writes a shard in a folder and returns its path.
func create(t *testing.T, dir string, numbers []cnpj.Full, terms map[byte]map[string][]uint32) string {
	t.Helper()
	path := filepath.Join(dir, "shard-000")
	err := segment.Create(path, t.TempDir(), uint64(len(numbers)), func(w *segment.Writer) error {
		for _, number := range numbers {
			w.Key(key(number))
		}
		w.EndKeys()
		byKey := make([]uint32, len(numbers))
		for i := range byKey {
			byKey[i] = uint32(i)
		}
		slices.SortFunc(byKey, func(a, b uint32) int { return cmp.Compare(numbers[a], numbers[b]) })
		for _, doc := range byKey {
			if err := w.Term(append([]byte{term.FieldID}, key(numbers[doc])...), []uint32{doc}); err != nil {
				return err
			}
		}
		for _, field := range slices.Sorted(maps.Keys(terms)) {
			for _, word := range slices.Sorted(maps.Keys(terms[field])) {
				if err := w.Term(append([]byte{field}, word...), terms[field][word]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// reference lets the library write the same documents.
func reference(t *testing.T, numbers []cnpj.Full, terms map[byte]map[string][]uint32) segmentapi.Segment {
	t.Helper()
	keyword := &analysis.DefaultAnalyzer{Tokenizer: single.NewSingleTokenTokenizer()}
	list := make([]bleveindex.Document, len(numbers))
	for i, number := range numbers {
		d := document.NewDocument(string(key(number)))
		for field, words := range terms {
			for word, docs := range words {
				if _, has := slices.BinarySearch(docs, uint32(i)); has {
					name := term.NameOfField(field)
					d.AddField(document.NewTextFieldCustom(name, nil, []byte(word), bleveindex.IndexField|bleveindex.SkipFreqNorm, keyword))
				}
			}
		}
		d.AddIDField()
		for _, field := range d.Fields {
			field.Analyze()
		}
		list[i] = d
	}
	written, _, err := new(zap.ZapPlugin).New(list)
	if err != nil {
		t.Fatal(err)
	}
	return written
}

// contentOf reads a whole segment with the library: documents by field and term.
func contentOf(t *testing.T, seg segmentapi.Segment) map[string]map[string][]uint64 {
	t.Helper()
	out := map[string]map[string][]uint64{}
	for _, field := range seg.Fields() {
		out[field] = map[string][]uint64{}
		dict, err := seg.Dictionary(field)
		if err != nil {
			t.Fatal(err)
		}
		it := dict.AutomatonIterator(nil, nil, nil)
		for entry, err := it.Next(); entry != nil || err != nil; entry, err = it.Next() {
			if err != nil {
				t.Fatal(err)
			}
			list, err := dict.PostingsList([]byte(entry.Term), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			postings := list.Iterator(true, true, true, nil)
			for p, err := postings.Next(); p != nil || err != nil; p, err = postings.Next() {
				if err != nil {
					t.Fatal(err)
				}
				out[field][entry.Term] = append(out[field][entry.Term], p.Number())
			}
		}
	}
	return out
}

// TestSegmentIsWhatTheLibraryWrites compares a segment with the one that zapx makes of the same
// documents.
func TestSegmentIsWhatTheLibraryWrites(t *testing.T) {
	t.Parallel()
	numbers, terms := invented(rand.New(rand.NewPCG(1, 1)), 1500)
	files, err := filepath.Glob(filepath.Join(create(t, t.TempDir(), numbers, terms), "store", "*.zap"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	opened, err := new(zap.ZapPlugin).Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	library := reference(t, numbers, terms)
	want, got := contentOf(t, library), contentOf(t, opened)
	if diff := gocmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Fatalf("fields: %s", diff)
	}
	for field := range want {
		if !maps.EqualFunc(want[field], got[field], slices.Equal[[]uint64]) { // Diff is slow where nothing differs
			t.Errorf("field %s: %.2000s", field, gocmp.Diff(want[field], got[field]))
		}
	}
	for i := range uint64(len(numbers)) {
		wanted, err := library.DocID(i)
		if err != nil {
			t.Fatal(err)
		}
		if id, err := opened.DocID(i); err != nil || string(id) != string(wanted) {
			t.Fatalf("document %d has the key %x, %v; want %x", i, id, err, wanted)
		}
	}
}

// TestShardsEqualTheirContent reads two shards in every way that there is.
func TestShardsEqualTheirContent(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 2))
	dir := t.TempDir()
	numbers, terms := invented(rng, 700)
	create(t, dir, numbers, terms)
	entry := folder.Shard{Path: "shard-000", Docs: int64(len(numbers))}
	shards, err := segment.OpenAll(dir, []folder.Shard{entry, entry})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := segment.CloseAll(shards); err != nil {
			t.Error(err)
		}
	})
	s := shards[0]
	if err := s.Probe(entry.Docs); err != nil {
		t.Error(err)
	}
	if err := s.Probe(entry.Docs + 1); err == nil {
		t.Error("a key is missing, and the probe says nothing")
	}
	if _, err := s.CNPJ(uint32(entry.Docs)); !errors.Is(err, folder.ErrDamaged) {
		t.Errorf("behind the last document: %v", err)
	}
	v := s.View()
	defer v.Release()
	for field, words := range terms {
		for word, want := range words {
			if docs, err := v.Postings(field, []byte(word)); err != nil || !slices.Equal(docs.ToArray(), want) {
				t.Errorf("%c%s: %v, %v; want %v", field, word, docs, err, want)
			}
		}
		var got []string
		if err := v.Terms(field, []byte("ab"), nil, func(word string) bool { got = append(got, word); return true }); err != nil {
			t.Error(err)
		}
		want := slices.DeleteFunc(slices.Sorted(maps.Keys(words)), func(word string) bool { return !strings.HasPrefix(word, "ab") })
		if !slices.Equal(got, want) {
			t.Errorf("%c: %q, want %q", field, got, want)
		}
	}
	if docs, err := v.Postings(term.FieldSound, []byte("x")); err != nil || docs != nil && !docs.IsEmpty() {
		t.Errorf("a field that nothing has: %v, %v", docs, err)
	}
	checkKeys(t, rng, shards, numbers)
}

// checkKeys walks ranges of keys, in one shard with leaps and in both merged.
func checkKeys(t *testing.T, rng *rand.Rand, shards []*segment.Shard, numbers []cnpj.Full) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(numbers))
	v := shards[0].View()
	defer v.Release()
	for range 50 {
		first, last := rng.IntN(len(sorted)), rng.IntN(len(sorted))
		first, last = min(first, last), max(first, last)
		at := first
		c, ok, err := v.Keys(sorted[first], sorted[last])
		for ; ok; at++ {
			if c.Key != sorted[at] || numbers[c.Doc] != c.Key {
				t.Fatalf("key %d is %s of document %d, want %s", at, c.Key, c.Doc, sorted[at])
			}
			if leap := rng.IntN(20); at+leap < last && leap > 0 {
				at += leap - 1
				ok, err = c.Seek(sorted[at+1] - cnpj.Full(rng.IntN(2)))
			} else {
				ok, err = c.Next()
			}
		}
		if err != nil || at != last+1 {
			t.Fatalf("keys %d to %d end at %d, %v", first, last, at, err)
		}
		var merged segment.Merge
		for i, s := range shards {
			view := s.View()
			if err := merged.Add(view, i, sorted[first], sorted[last]); err != nil {
				t.Fatal(err)
			}
		}
		read := 0
		for c := merged.Least(); c != nil; c = merged.Least() {
			if c.Key != sorted[first+read/2] {
				t.Fatalf("merged key %d is %s", read, c.Key)
			}
			if err := merged.Next(); err != nil {
				t.Fatal(err)
			}
			read++
		}
		if read != 2*(last-first+1) {
			t.Errorf("%d merged keys of %d", read, 2*(last-first+1))
		}
	}
}
