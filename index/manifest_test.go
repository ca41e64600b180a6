package index

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/index/build"
	"razao/index/folder"
	"razao/index/indextest"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good := indextest.Build(t, indextest.Synthetic(300), build.Options{})
	segmentFile := filepath.Join("shard-000", "store", "000000000002.zap")
	edit := func(name string, change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			writeFile(t, path, change(readFile(t, path)))
		}
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	exchange := func(one, other string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			one, other := filepath.Join(dir, one), filepath.Join(dir, other)
			if err := errors.Join(os.Rename(one, one+".away"), os.Rename(other, one), os.Rename(one+".away", other)); err != nil {
				t.Fatal(err)
			}
		}
	}
	overwrite := func(b []byte) []byte { return []byte(strings.Repeat("x", len(b))) }
	cases := map[string]struct {
		harm func(*testing.T, string)
		want error
		text string
	}{
		"no folder":    {remove(""), fs.ErrNotExist, "razao index build"},
		"no manifest":  {remove("manifest.json"), folder.ErrDamaged, "manifest.json"},
		"manifest cut": {edit("manifest.json", func(b []byte) []byte { return b[:len(b)/2] }), folder.ErrDamaged, "razao index build"},
		"other format": {edit("manifest.json", func(b []byte) []byte {
			return bytes.Replace(b, fmt.Appendf(nil, `"format": %d`, folder.Format), []byte(`"format": 99`), 1)
		}), folder.ErrFormat, "razao index build"},
		"segment cut":        {edit(segmentFile, func(b []byte) []byte { return b[:len(b)-1] }), folder.ErrDamaged, "bytes instead of"},
		"segment away":       {remove(segmentFile), folder.ErrDamaged, "000000000002.zap"},
		"bolt away":          {remove(filepath.Join("shard-000", "store", "root.bolt")), folder.ErrDamaged, "root.bolt"},
		"order away":         {remove("order-name"), folder.ErrDamaged, "order-name"},
		"order cut":          {edit("order-capital", func(b []byte) []byte { return b[:len(b)-4] }), folder.ErrDamaged, "order-capital"},
		"facets away":        {remove("facets"), folder.ErrDamaged, "facets"},
		"rankings away":      {remove("rankings"), folder.ErrDamaged, "rankings"},
		"rankings changed":   {edit("rankings", func(b []byte) []byte { return bytes.Repeat([]byte{0xff}, len(b)) }), folder.ErrDamaged, "rankings"},
		"places away":        {remove("places"), folder.ErrDamaged, "places"},
		"places changed":     {edit("places", func(b []byte) []byte { return bytes.Repeat([]byte{0xff}, len(b)) }), folder.ErrDamaged, "places"},
		"shard away":         {remove("shard-000"), folder.ErrDamaged, "shard-000"},
		"orders exchanged":   {exchange("order-name", "order-capital"), folder.ErrDamaged, "order-capital has changed"},
		"meta changed":       {edit(filepath.Join("shard-000", "index_meta.json"), overwrite), folder.ErrDamaged, "shard-000"},
		"bolt changed":       {edit(filepath.Join("shard-000", "store", "root.bolt"), overwrite), folder.ErrDamaged, "shard-000"},
		"segment changed":    {edit(segmentFile, overwrite), folder.ErrDamaged, "shard-000"},
		"document count off": {edit("manifest.json", func(b []byte) []byte { return []byte(strings.Replace(string(b), `"docs": 300`, `"docs": 299`, -1)) }), folder.ErrDamaged, "manifest.json"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "index")
			if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
				t.Fatal(err)
			}
			c.harm(t, dir)
			ix, err := Open(dir)
			if err == nil {
				t.Fatal(errors.Join(errors.New("opened"), ix.Close()))
			}
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("Open: %v; want %v with %q", err, c.want, c.text)
			}
		})
	}
}

// TestWrongOrdersAreReported makes an order name documents that do not exist, under an open index.
func TestWrongOrdersAreReported(t *testing.T) {
	t.Parallel()
	dir := indextest.Build(t, indextest.Synthetic(300), build.Options{})
	path := filepath.Join(dir, "order-name")
	ix := open(t, dir)
	writeFile(t, path, bytes.Repeat([]byte{0xff}, len(readFile(t, path))))
	if _, err := ix.Search(t.Context(), Query{Order: ByName, Limit: 10}); !errors.Is(err, folder.ErrDamaged) {
		t.Errorf("Search: %v, want ErrDamaged", err)
	}
}
