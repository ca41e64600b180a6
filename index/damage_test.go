package index

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/folder"
	"razao/index/indextest"
	"razao/internal/recovery"
)

// flips is at how many places the tests of damage change a bit:
//
//	go test ./index -run Flip -flips 10000 -v
var flips = flag.Int("flips", 300, "places at which the tests of damage change a bit")

// spoilt is an index to be damaged, with the queries that it answers.
type spoilt struct {
	dir     string
	files   []string // with paths
	queries map[string]func(context.Context, *Index) (any, error)
	rng     *rand.Rand
}

// newSpoilt makes an index of several shards; which says whether a file, by its path in the folder, is to be damaged.
func newSpoilt(t *testing.T, which func(path string) bool) *spoilt {
	t.Helper()
	const docs = 3000
	all := indextest.Varied(docs)
	s := &spoilt{
		dir:     indextest.Build(t, all, build.Options{Month: "2026-08", ShardDocs: 800}),
		queries: map[string]func(context.Context, *Index) (any, error){},
		rng:     rand.New(rand.NewPCG(13, 4)),
	}
	err := filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && which(strings.TrimPrefix(path, s.dir)) {
			s.files = append(s.files, path)
		}
		return err
	})
	if err != nil || len(s.files) == 0 {
		t.Fatal(len(s.files), err)
	}
	s.ask(all)
	return s
}

// ask adds queries that go everywhere: all tiers, filters, orders, pages far behind, counts and keys.
func (s *spoilt) ask(docs []build.Doc) {
	company := func(i int) string { return docs[i].RazaoSocial }
	word := strings.Fields(company(7))[1]
	for i, q := range []Query{
		{},
		{Text: company(5)},
		{Text: word},
		{Text: word[:3]},
		{Text: word[:1] + "x" + word[1:] + " ltda"},
		{Text: docs[11].CNPJ.String()[:6]},
		{Text: "ltda", Order: ByName, Offset: 300},
		{Text: "ltda", Order: ByCapital},
		{Text: "comercio", Filters: narrowed("uf=SP&situacao=02")},
		{Filters: narrowed("ano_de=1991&ano_ate=2004&tipo=matriz")},
		{Filters: filter.Of(filter.HeadOffice, "filial", filter.CNAE, docs[3].CNAE[:2]), Order: ByOldest},
		{Order: ByNewest, Offset: 1500},
		{Order: ByOldest, Offset: 2900},
		{Order: ByName, Offset: 700},
		{Filters: filter.Of(filter.Municipio, docs[2].Municipio), Order: ByCapital, Offset: 3},
	} {
		q.Limit = 20
		s.queries[fmt.Sprintf("search %d", i)] = func(ctx context.Context, ix *Index) (any, error) { return ix.Search(ctx, q) }
		if q.Order == ByRank {
			s.queries[fmt.Sprintf("facets %d", i)] = func(ctx context.Context, ix *Index) (any, error) { return ix.Facets(ctx, q) }
		}
	}
	for _, partner := range docs[slices.IndexFunc(docs, func(d build.Doc) bool { return len(d.Partners) > 1 })].Partners {
		s.queries["partner "+partner.Name] = func(ctx context.Context, ix *Index) (any, error) {
			return ix.Search(ctx, Query{Text: partner.Name, Limit: 20})
		}
	}
	s.queries["suggest"] = func(ctx context.Context, ix *Index) (any, error) { return ix.Suggest(ctx, word[:4], 10) }
	s.queries["suggest a number"] = func(ctx context.Context, ix *Index) (any, error) {
		return ix.Suggest(ctx, docs[20].CNPJ.String()[:7], 10)
	}
	s.queries["numbers"] = func(ctx context.Context, ix *Index) (any, error) {
		return ix.Numbers(ctx, Query{Filters: narrowed("uf=SP")}, 1000)
	}
}

// outcome is what an index answers to all queries.
type outcome struct {
	answers map[string]string
	errs    map[string]error
}

// asked asks all queries. It reports errors other than ErrDamaged and queries that take too
// long.
func (s *spoilt) asked(t *testing.T, ix *Index) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	o := outcome{map[string]string{}, map[string]error{}}
	for name, ask := range s.queries {
		answer, err := ask(ctx, ix)
		if err != nil {
			o.errs[name] = err
			if !errors.Is(err, folder.ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		o.answers[name] = fmt.Sprint(answer)
	}
	return o
}

// sound asks all queries of an index that has no damage.
func (s *spoilt) sound(t *testing.T, ix *Index) outcome {
	t.Helper()
	o := s.asked(t, ix)
	if len(o.errs) > 0 {
		t.Fatalf("a sound index: %v", o.errs)
	}
	return o
}

// flip changes one bit of a file in its place; flipping it again restores it.
func flip(t *testing.T, path string, at int64, bit int) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var b [1]byte
	if _, err := file.ReadAt(b[:], at); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 1 << bit
	if _, err := file.WriteAt(b[:], at); err != nil {
		t.Fatal(err)
	}
}

// somewhere returns a random bit of a random file. Every file is equally likely, whatever its size.
func (s *spoilt) somewhere(t *testing.T) (path string, at int64, bit int) {
	t.Helper()
	for {
		path = s.files[s.rng.IntN(len(s.files))]
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > 0 {
			return path, s.rng.Int64N(info.Size()), s.rng.IntN(8)
		}
	}
}

// notShort skips, under -short, a test that takes many seconds: it tries many queries or damages.
func notShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it tries many cases")
	}
}

// TestFlippedBitsAreRefused flips bits in every file of an index that was verified before: opening
// it again must notice.
func TestFlippedBitsAreRefused(t *testing.T) {
	notShort(t)
	t.Parallel()
	s := newSpoilt(t, func(string) bool { return true })
	old := time.Now().Add(-time.Hour)
	for _, path := range s.files {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := open(t, s.dir).Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range *flips {
		path, at, bit := s.somewhere(t)
		flip(t, path, at, bit)
		ix, err := Open(s.dir)
		if err == nil {
			t.Errorf("bit %d of byte %d of %s: opened", bit, at, path)
			_ = ix.Close()
		} else if !errors.Is(err, folder.ErrDamaged) && !errors.Is(err, folder.ErrFormat) {
			t.Errorf("bit %d of byte %d of %s: %v", bit, at, path, err)
		}
		flip(t, path, at, bit)
	}
	s.sound(t, open(t, s.dir))
}

// isMapped says whether a file of an index is mapped while it is open; the others are read when it is opened.
func isMapped(path string) bool {
	name := filepath.Base(path)
	return filepath.Ext(name) == ".zap" || name == "facets" || strings.HasPrefix(name, "order-")
}

// TestFlippedUnderAnOpenIndex flips bits of an open index, behind the verification. The process
// must survive, within bounded memory and time, and a query that notices returns ErrDamaged. One
// that does not notice may be answered wrongly until the files are verified again.
func TestFlippedUnderAnOpenIndex(t *testing.T) {
	notShort(t)
	t.Parallel()
	s := newSpoilt(t, isMapped)
	ix := open(t, s.dir)
	want := s.sound(t, ix)
	harmless, noticed, panics, wrong := 0, 0, 0, 0
	for range *flips {
		path, at, bit := s.somewhere(t)
		flip(t, path, at, bit)
		got := s.asked(t, ix)
		flip(t, path, at, bit)
		panicked, differ := false, false
		for name, answer := range got.answers {
			differ = differ || answer != want.answers[name]
		}
		for _, err := range got.errs {
			panicked = panicked || errors.As(err, new(*recovery.Error))
		}
		switch {
		case len(got.errs) > 0:
			noticed++
		case differ:
			wrong++
		default:
			harmless++
		}
		if panicked {
			panics++
		}
	}
	t.Logf("%d bits: %d without effect on %d queries, %d noticed (%d by a panic), %d wrong answers alone",
		*flips, harmless, len(s.queries), noticed, panics, wrong)
	if noticed == 0 || ix.Damage() == nil {
		t.Errorf("%d bits were noticed, damage %v", noticed, ix.Damage())
	}
	again := open(t, s.dir)
	for name, answer := range s.sound(t, again).answers {
		if answer != want.answers[name] {
			t.Errorf("%s: another answer than before", name)
		}
	}
	if again.Damage() != nil {
		t.Errorf("a sound index: %v", again.Damage())
	}
}

// TestTruncatedUnderAnOpenIndex truncates each mapped file, so that reading it faults (SIGBUS).
func TestTruncatedUnderAnOpenIndex(t *testing.T) {
	notShort(t)
	t.Parallel()
	s := newSpoilt(t, isMapped)
	want := s.sound(t, open(t, s.dir))
	for _, path := range s.files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ix := open(t, s.dir)
			body := readFile(t, path)
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
			got := s.asked(t, ix)
			writeFile(t, path, body)
			if len(got.errs) == 0 || ix.Damage() == nil {
				t.Errorf("%d errors, damage %v", len(got.errs), ix.Damage())
			}
			for name, answer := range got.answers {
				if answer != want.answers[name] {
					t.Errorf("%s: another answer than before", name)
				}
			}
		})
	}
}
