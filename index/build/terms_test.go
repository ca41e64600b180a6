package build_test

import (
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/single"
	"github.com/blevesearch/bleve/v2/document"
	bleveindex "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/indextest"
	"razao/index/term"
)

// termsOf returns the terms of a document by field, worked out from its payload the slow way.
func termsOf(d *build.Doc) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	add := func(field byte, word string) {
		name := term.NameOfField(field)
		if out[name] == nil {
			out[name] = map[string]bool{}
		}
		out[name][word] = true
	}
	for rest := build.EncodedTerms(d); len(rest) > 0; {
		key := rest[1 : 1+int(rest[0])]
		rest = rest[1+int(rest[0]):]
		add(key[0], string(key[1:]))
		for _, also := range impliedBy(key) {
			add(also[0], also[1:])
		}
	}
	for word := range out[term.NameOfField(term.FieldName)] {
		if d.SituacaoCadastral != term.SituacaoAtiva || term.IsWeightless([]byte(word)) {
			continue
		}
		for n := 1; n <= min(term.MaxPrefixRunes, utf8.RuneCountInString(word)); n++ {
			add(term.FieldPrefix, string([]rune(word)[:n]))
		}
	}
	return out
}

// impliedBy returns the keys of the terms that a term of a payload implies.
func impliedBy(key []byte) (keys []string) {
	word := string(key[1:])
	switch {
	case key[0] == term.FieldName:
		if sound := term.Sound(word); !strings.EqualFold(sound, word) {
			keys = append(keys, string(term.FieldSound)+sound)
		}
		short, full := term.AlsoIndexed(key[1:])
		for _, form := range append([]string{short}, full...) {
			if form != "" {
				keys = append(keys, string(term.FieldName)+form)
			}
		}
	case key[0] == term.FieldFilter && len(word) == 8 && (word[:1] == term.MainCNAE || word[:1] == term.SecondaryCNAE):
		for _, level := range []string{word[1:3], word[1:4], word[1:6], term.Section(word[1:])} {
			keys = append(keys, string(term.FieldFilter)+word[:1]+level)
		}
	}
	return keys
}

// referenceSegment lets the library write the documents, in their order.
func referenceSegment(t *testing.T, docs []build.Doc) segment.Segment {
	t.Helper()
	keyword := &analysis.DefaultAnalyzer{Tokenizer: single.NewSingleTokenTokenizer()}
	var list []bleveindex.Document
	for i := range docs {
		d := document.NewDocument(string(binary.BigEndian.AppendUint64(nil, uint64(docs[i].CNPJ))))
		for field, terms := range termsOf(&docs[i]) {
			for term := range terms {
				d.AddField(document.NewTextFieldCustom(field, nil, []byte(term), bleveindex.IndexField|bleveindex.SkipFreqNorm, keyword))
			}
		}
		d.AddIDField()
		for _, field := range d.Fields {
			field.Analyze()
		}
		list = append(list, d)
	}
	seg, _, err := new(zap.ZapPlugin).New(list)
	if err != nil {
		t.Fatal(err)
	}
	return seg
}

// contentOf reads a whole segment: documents by field and term.
func contentOf(t *testing.T, seg segment.Segment) map[string]map[string][]uint64 {
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

// TestSegmentIsWhatTheLibraryWrites compares our segments with those that zapx makes of the same documents.
func TestSegmentIsWhatTheLibraryWrites(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(3000)
	dir := indextest.Build(t, docs, build.Options{BucketBytes: 64 << 10})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })

	path := filepath.Join(dir, "shard-000", "store", "000000000002.zap")
	opened, err := new(zap.ZapPlugin).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	reference := referenceSegment(t, docs)
	want, got := contentOf(t, reference), contentOf(t, opened)
	if diff := gocmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Fatalf("fields: %s", diff)
	}
	for field := range want {
		if !maps.EqualFunc(want[field], got[field], slices.Equal[[]uint64]) { // Diff takes ten seconds where nothing differs
			t.Errorf("field %s: %.2000s", field, gocmp.Diff(want[field], got[field]))
		}
	}
	for i := range uint64(len(docs)) {
		wantID, err := reference.DocID(i)
		if err != nil {
			t.Fatal(err)
		}
		gotID, err := opened.DocID(i)
		if err != nil || string(gotID) != string(wantID) {
			t.Fatalf("document %d has the key %x, %v; want %x", i, gotID, err, wantID)
		}
	}
}

// TestMergedRunsEqualOneRun inverts the same documents at once and in many runs.
func TestMergedRunsEqualOneRun(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(2000)
	one := indextest.Build(t, docs, build.Options{BucketBytes: 1 << 30})
	many := indextest.Build(t, docs, build.Options{BucketBytes: 8 << 10, Workers: 2})
	read := func(dir string) string {
		body, err := os.ReadFile(filepath.Join(dir, "shard-000", "store", "000000000002.zap"))
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	if read(one) != read(many) {
		t.Error("the segments differ")
	}
}

func TestMergeReportsTruncatedRuns(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run")
	merge := build.InvertTo(t, indextest.Synthetic(50), path)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := merge(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 100, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := merge(t.TempDir()); err == nil {
			t.Errorf("a run of %d instead of %d bytes was merged", size, len(whole))
		}
	}
}
