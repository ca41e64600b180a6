package pack

import (
	"errors"
	"strings"
	"testing"

	"razao/internal/data/source"
)

func TestDictionaryIsBounded(t *testing.T) {
	t.Parallel()
	fields := []source.Field{{Name: "a", Kind: source.Code}}
	var d Dictionary
	long := strings.Repeat("x", maxDictionaryBytes/4)
	var items []byte
	values := []string{long + "1", long + "2", long + "3", long + "4", "short", long + "1"}
	for _, v := range values {
		items = AppendItem(items, fields, &d, ItemOwner{}, []string{v})
	}
	if d.bytes > maxDictionaryBytes {
		t.Errorf("the dictionary grew to %d bytes", d.bytes)
	}
	r := reader{rest: items}
	for i, want := range values {
		if got := r.item(&Items{root: 1}, fields, d.texts); got.Values[0] != want || r.bad {
			t.Errorf("value %d is another text, or does not decode (%v)", i, r.bad)
		}
	}
}

func FuzzItem(f *testing.F) {
	fields := []source.Field{{Name: "a"}, {Name: "b", Kind: source.Code}, {Name: "c", Kind: source.Document}, {Name: "d", Kind: source.Number}}
	var d Dictionary
	f.Add(AppendItem(nil, fields, &d, ItemOwner{Order: 1, HasOrder: true}, []string{"a", "b", "", "1.50"}))
	f.Add(AppendItem(nil, fields, &d, ItemOwner{Published: "x"}, []string{"", "", "", ""}))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := reader{rest: data}
		whole := r.item(&Items{root: 5}, fields, d.texts)
		if !r.bad && len(whole.Values) != len(fields) {
			t.Errorf("%d values", len(whole.Values))
		}
		bad := r.bad
		for _, f := range fields { // one field alone is what it is among all
			r, only := reader{rest: data}, &Items{root: 5}
			only.Only(fields, []string{f.Name})
			if it := r.item(only, fields, d.texts); len(it.Values) != 1 || it.Value(f.Name) != whole.Value(f.Name) {
				if !bad {
					t.Errorf("%s alone is %q, %q among all", f.Name, it.Values, whole.Value(f.Name))
				}
			}
		}
		c, err := OpenItems(5, data)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("error %v", err)
			}
			return
		}
		for _, directory := range [][]byte{nil, data} {
			positions, err := c.Positions(1, directory)
			if err != nil && !errors.Is(err, ErrCorrupt) {
				t.Errorf("error %v", err)
			}
			for i, p := range positions {
				if p < 0 || i > 0 && p < positions[i-1] {
					t.Errorf("positions %v", positions)
				}
			}
		}
	})
}
