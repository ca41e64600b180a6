package column

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"razao/index/folder"
)

// shards are two of five documents each.
var shards = []folder.Shard{{Docs: 5}, {Docs: 5}}

func TestCompanies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := WriteCompanies(dir, []Member{{7, 1}, {2, 1}, {3, 8}}); err != nil {
		t.Fatal(err)
	}
	table, err := OpenCompanies(dir, shards)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for doc, want := range []uint32{0, 1, 1, 8, 4, 5, 6, 1, 8, 9} {
		if got := table.Principal(uint32(doc)); got != want {
			t.Errorf("the company of %d is that of %d, want %d", doc, got, want)
		}
	}
	if got := table.Others(0).String() + table.Others(1).String(); got != "{2,3}{2}" {
		t.Errorf("the others are %s", got)
	}
}

func TestNoCompanies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := WriteCompanies(dir, nil); err != nil {
		t.Fatal(err)
	}
	table, err := OpenCompanies(dir, shards)
	if err != nil || table.Principal(3) != 3 || !table.Others(1).IsEmpty() {
		t.Errorf("an index of companies with one establishment each: %v", err)
	}
}

// FuzzCompanies opens arbitrary bytes: a table that is accepted names existing documents only.
func FuzzCompanies(f *testing.F) {
	entry := func(out []byte, doc, principal uint32) []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out, doc), principal)
	}
	f.Add(entry(entry(nil, 2, 1), 7, 1))
	f.Add(entry(entry(nil, 7, 1), 2, 1))
	f.Add(entry(nil, 3, 3))
	f.Add(entry(nil, 3, 10))
	f.Add(entry(nil, 10, 3))
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, body []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, companiesFile), body, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := OpenCompanies(dir, shards)
		if err != nil {
			if !errors.Is(err, folder.ErrDamaged) {
				t.Error(err)
			}
			return
		}
		defer table.Close()
		for doc := range uint32(10) {
			if p := table.Principal(doc); p > 9 {
				t.Errorf("document %d is of company %d", doc, p)
			}
		}
		for shard := range shards {
			if docs := table.Others(shard); !docs.IsEmpty() && docs.Maximum() > 4 { // which panics without any
				t.Errorf("document %d of a shard of five", docs.Maximum())
			}
		}
	})
}
