package bndes

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
)

func unpackAll(blob []byte) (all []operation, err error) {
	err = unpack(blob, func(o *operation) error {
		all = append(all, *o)
		return nil
	})
	return all, err
}

func packAll(operations []operation) []byte {
	e := newEncoder()
	for i := range operations {
		e.add(&operations[i])
	}
	return e.blob
}

func diff(want, got []operation) string {
	return cmp.Diff(want, got, cmp.AllowUnexported(operation{}))
}

func TestPackedOperationsComeBack(t *testing.T) {
	t.Parallel()
	var all []operation
	for i := range 300 { // more texts than one byte numbers
		o := operation{where: rows.Where{File: i % 3, Line: int64(i) * 1000}}
		for field := range o.values {
			if packed(field) && i%7 != 0 {
				o.values[field] = string(rune('A'+field)) + string(rune(i))
			}
		}
		all = append(all, o)
	}
	got, err := unpackAll(packAll(all))
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(all, got); d != "" {
		t.Error(d)
	}
}

// TestPackedFormIsFixed fails when the packed form changes without a new version: archives outlive
// the program.
func TestPackedFormIsFixed(t *testing.T) {
	t.Parallel()
	blob := []byte("\x01" +
		"\x01\xac\x02" + "\x00\x01a" + "\x00\x02bc" + "\x00\x01d" + "\x01\x01\x01\x01\x01\x01\x01\x01" +
		"\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01" + "\x00\x01z" +
		"\x00\x05" + "\x02" + "\x00\x01b" + "\x02" + "\x01\x01\x01\x01\x01\x01\x01\x01" +
		"\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01" + "\x02")
	first, second := operation{where: rows.Where{File: 1, Line: 300}}, operation{where: rows.Where{Line: 5}}
	first.values[tipoOperacao], first.values[documentoFonte], first.values[cliente], first.values[situacao] = "a", "bc", "d", "z"
	second.values[tipoOperacao], second.values[documentoFonte], second.values[cliente], second.values[situacao] = "a", "b", "d", "z"
	got, err := unpackAll(blob)
	if err != nil {
		t.Fatal(err)
	}
	if d := diff([]operation{first, second}, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(blob, packAll(got)); d != "" {
		t.Error(d)
	}
}

func TestDamagedBlobs(t *testing.T) {
	t.Parallel()
	whole := packAll([]operation{{values: [fieldCount]string{tipoOperacao: "a", cliente: "b"}}})
	for n := range whole {
		if _, err := unpackAll(whole[:n]); n != 1 && !errors.Is(err, errCorrupt) {
			t.Errorf("cut at %d: got %v", n, err)
		}
	}
	for name, blob := range map[string]string{
		"version": "\x02", "text of nobody": "\x01\x00\x00\x09", "long text": "\x01\x00\x00\x00\xff\xff\xff\xff\x7f",
		"long number": "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
	} {
		if _, err := unpackAll([]byte(blob)); !errors.Is(err, errCorrupt) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// FuzzUnpack checks that every blob that decodes gives the same operations after another round of
// packing.
func FuzzUnpack(f *testing.F) {
	f.Add(packAll([]operation{{values: [fieldCount]string{tipoOperacao: "a", cliente: "b"}}, {values: [fieldCount]string{cliente: "b"}}}))
	f.Add([]byte{codecVersion})
	f.Fuzz(func(t *testing.T, blob []byte) {
		all, err := unpackAll(blob)
		if err != nil {
			return
		}
		again, err := unpackAll(packAll(all))
		if err != nil {
			t.Fatal(err)
		}
		if d := diff(all, again); d != "" {
			t.Error(d)
		}
	})
}
