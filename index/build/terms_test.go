package build_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/folder"
	"razao/index/indextest"
	"razao/index/segment"
	"razao/index/term"
)

// termsOf returns the terms of a document by field, worked out from its payload the slow way.
func termsOf(d *build.Doc) map[byte]map[string]bool {
	out := map[byte]map[string]bool{}
	add := func(field byte, word string) {
		if out[field] == nil {
			out[field] = map[string]bool{}
		}
		out[field][word] = true
	}
	for rest := build.EncodedTerms(d); len(rest) > 0; {
		key := rest[1 : 1+int(rest[0])]
		rest = rest[1+int(rest[0]):]
		add(key[0], string(key[1:]))
		for _, also := range impliedBy(key) {
			add(also[0], also[1:])
		}
	}
	for word := range out[term.FieldName] {
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
		for _, sound := range term.Sounds(word) {
			if term.Written(sound) != word {
				keys = append(keys, string(term.FieldSound)+sound)
			}
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

// TestTermsOfAShard compares all postings of a shard with the terms of its documents. Package segment
// tests that the library reads and writes the same.
func TestTermsOfAShard(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(3000)
	dir := indextest.Build(t, docs, build.Options{BucketBytes: 64 << 10})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	want := map[byte]map[string][]uint32{}
	for i := range docs {
		for field, words := range termsOf(&docs[i]) {
			if want[field] == nil {
				want[field] = map[string][]uint32{}
			}
			for word := range words {
				want[field][word] = append(want[field][word], uint32(i))
			}
		}
	}
	shards, err := segment.OpenAll(dir, []folder.Shard{{Path: "shard-000", Docs: int64(len(docs))}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = segment.CloseAll(shards) })
	v := shards[0].View()
	for _, field := range []byte{term.FieldFilter, term.FieldName, term.FieldPrefix, term.FieldSound, term.FieldPartner} {
		got := map[string][]uint32{}
		err := v.Terms(field, nil, nil, func(word string) bool {
			docs, err := v.Postings(field, []byte(word))
			if err != nil || docs == nil {
				t.Fatal(word, err)
			}
			got[word] = docs.ToArray()
			return true
		})
		if err != nil || len(got) == 0 || !maps.EqualFunc(want[field], got, slices.Equal[[]uint32]) { // Diff takes ten seconds where nothing differs
			t.Errorf("field %c: %v %.2000s", field, err, gocmp.Diff(want[field], got))
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
