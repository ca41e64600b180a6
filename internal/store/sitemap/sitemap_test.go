package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"razao/internal/data/cnpj"
)

// list writes n pages, numbered from 1, in parts of limit; page i was last changed on day i.
func list(t *testing.T, n, limit int, day func(i int) Day) *List {
	t.Helper()
	dir := t.TempDir()
	w, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	w.partURLs = limit
	for i := range n {
		if err := w.Add(cnpj.Full(i+1), day(i)); err != nil {
			t.Fatal(err)
		}
	}
	if urls, err := w.Close(); err != nil || urls != int64(n) {
		t.Fatalf("%d pages, %v", urls, err)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// urlset is a sitemap file as a search engine parses it.
type urlset struct {
	XMLName xml.Name
	URLs    []struct {
		Loc     string `xml:"loc"`
		Lastmod string `xml:"lastmod"`
	} `xml:"url"`
	Files []struct {
		Loc     string `xml:"loc"`
		Lastmod string `xml:"lastmod"`
	} `xml:"sitemap"`
}

func parse(t *testing.T, body []byte) urlset {
	t.Helper()
	var u urlset
	if err := xml.Unmarshal(body, &u); err != nil {
		t.Fatal(err)
	}
	if u.XMLName.Space != namespace {
		t.Errorf("namespace %q", u.XMLName.Space)
	}
	return u
}

func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestPartsAreFull(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, limit int
		want     []int
	}{
		{0, 3, nil},
		{1, 3, []int{1}},
		{2, 3, []int{2}},
		{3, 3, []int{3}},
		{4, 3, []int{3, 1}},
		{6, 3, []int{3, 3}},
		{7, 3, []int{3, 3, 1}},
		{partURLs, partURLs, []int{45_000}},
		{partURLs + 1, partURLs, []int{45_000, 1}},
	} {
		l := list(t, c.n, c.limit, func(int) Day { return 1 })
		var sizes []int
		next := cnpj.Full(1)
		for i, p := range l.Parts() {
			sizes = append(sizes, p.URLs)
			n := 0
			err := l.Each(i, func(number cnpj.Full, _ Day) error {
				if number != next {
					t.Fatalf("%d pages: %d instead of %d in part %d", c.n, number, next, i)
				}
				next++
				n++
				return nil
			})
			if err != nil || n != p.URLs {
				t.Errorf("%d pages: part %d has %d, %v", c.n, i, n, err)
			}
		}
		if !slices.Equal(c.want, sizes) || next != cnpj.Full(c.n+1) {
			t.Errorf("%d pages are in parts of %v up to %d, want %v", c.n, sizes, next-1, c.want)
		}
	}
}

func TestPagesOfAPart(t *testing.T) {
	t.Parallel()
	day := DayOf(time.Date(2026, 9, 12, 23, 59, 0, 0, time.UTC))
	l := list(t, 3, 2, func(i int) Day { return []Day{0, day, day - 1}[i] })
	body, err := l.Pages(0, "https://razao.exemplo/a&b")
	if err != nil {
		t.Fatal(err)
	}
	u := parse(t, unpack(t, body))
	var got []string
	for _, page := range u.URLs {
		got = append(got, page.Loc+" "+page.Lastmod)
	}
	want := []string{
		"https://razao.exemplo/a&b/" + cnpj.Full(1).String() + " ",
		"https://razao.exemplo/a&b/" + cnpj.Full(2).String() + " 2026-09-12",
	}
	if u.XMLName.Local != "urlset" || !cmp.Equal(want, got) {
		t.Errorf("%s %s", u.XMLName.Local, cmp.Diff(want, got))
	}
	parts := l.Parts()
	if parts[0].Newest != day || parts[1].Newest != day-1 {
		t.Errorf("newest days: %+v", parts)
	}
	again, err := l.Pages(0, "https://razao.exemplo/a&b")
	if err != nil || !bytes.Equal(body, again) {
		t.Errorf("the same part has other bytes, %v", err)
	}
}

func TestSumsFollowTheContent(t *testing.T) {
	t.Parallel()
	sums := func(changed int) []string {
		l := list(t, 6, 2, func(i int) Day {
			if i == changed {
				return 9
			}
			return 1
		})
		var all []string
		for _, p := range l.Parts() {
			all = append(all, p.SHA256)
		}
		return all
	}
	before, after := sums(-1), sums(3)
	if before[0] != after[0] || before[1] == after[1] || before[2] != after[2] {
		t.Errorf("page 3 is in part 1: %v, %v", before, after)
	}
}

func TestIndexNamesFiles(t *testing.T) {
	t.Parallel()
	u := parse(t, Index([]Entry{{"https://razao.exemplo/1?a&b", time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)}, {URL: "https://razao.exemplo/2"}}, "nota"))
	if u.XMLName.Local != "sitemapindex" || len(u.Files) != 2 || u.Files[0].Loc != "https://razao.exemplo/1?a&b" ||
		u.Files[0].Lastmod != "2026-09-01" || u.Files[1].Lastmod != "" {
		t.Errorf("%+v", u)
	}
	if pages := parse(t, unpack(t, Pages([]Entry{{URL: "https://razao.exemplo/api"}}))); len(pages.URLs) != 1 {
		t.Errorf("%+v", pages)
	}
}

func TestNumbersMustRise(t *testing.T) {
	t.Parallel()
	w, err := Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i, number := range []cnpj.Full{5, 5, 4} {
		if err := w.Add(number, 1); (err == nil) != (i == 0) {
			t.Errorf("number %d: %v", i, err)
		}
	}
}

func TestDays(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"1970-01-02T00:00:00Z": "1970-01-02", "2026-09-12T23:30:00-03:00": "2026-09-13", "2149-06-06T23:59:59Z": "2149-06-06",
		"1969-12-31T00:00:00Z": "0001-01-01", "2149-06-07T00:00:00Z": "0001-01-01",
	} {
		at, err := time.Parse(time.RFC3339, in)
		if err != nil {
			t.Fatal(err)
		}
		if got := DayOf(at).Time().Format(time.DateOnly); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestDamageIsFound(t *testing.T) {
	t.Parallel()
	if _, err := Open(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder without list: %v", err)
	}
	for name, damage := range map[string]func(dir string) error{
		"other format": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, describeName), []byte(`{"format":2}`), 0o600)
		},
		"no description": func(dir string) error { return os.WriteFile(filepath.Join(dir, describeName), nil, 0o600) },
		"short":          func(dir string) error { return os.Truncate(filepath.Join(dir, listName), 5*cellSize-1) },
		"zeros": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, listName), make([]byte, 5*cellSize), 0o600)
		},
		"empty part": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, describeName), []byte(`{"format":1,"parts":[{"urls":-1}]}`), 0o600)
		},
	} {
		l := list(t, 5, 5, func(int) Day { return 1 })
		if err := damage(l.dir); err != nil {
			t.Fatal(err)
		}
		l, err := Open(l.dir)
		if err == nil {
			_, err = l.Pages(0, "https://razao.exemplo")
		}
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(`{"format":1,"parts":[{"urls":2,"newest":3,"sha256":"ab"}]}`), []byte(fmt.Sprintf("%010d%010d", 1, 2)))
	f.Add([]byte(`{"format":1,"parts":[{"urls":1},{"urls":1}]}`), make([]byte, 2*cellSize))
	f.Fuzz(func(t *testing.T, described, cells []byte) {
		dir := t.TempDir()
		for name, body := range map[string][]byte{describeName: described, listName: cells} {
			if err := os.WriteFile(filepath.Join(dir, name), body, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		l, err := Open(dir)
		if err != nil {
			return
		}
		for i, p := range l.Parts() {
			packed, err := l.Pages(i, "https://razao.exemplo")
			if err != nil {
				continue
			}
			if got := len(parse(t, unpack(t, packed)).URLs); got != p.URLs {
				t.Errorf("part %d has %d pages instead of %d", i, got, p.URLs)
			}
		}
	})
}
