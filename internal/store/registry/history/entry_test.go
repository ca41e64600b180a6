package history

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// entries are one of every kind of event, with one side, the other, and both.
func entries() []Entry {
	var all []Entry
	for i, info := range change.Kinds() {
		values := make([]string, len(info.Fields))
		for n := range values {
			values[n] = info.Fields[n] + " é"
		}
		values[0] = ""
		e := change.Event{Kind: info.Kind, Date: record.MakeDate(2026, 1, 1+i%28)}
		switch info.Part {
		case change.Establishments:
			e.Order = cnpj.Order(i)
		case change.Partners:
			e.Partner = change.Partner{Type: "2", Name: "ANA", Document: "***123456**"}
		}
		before, after, both := e, e, e
		before.Before, after.After = values, values
		both.Before, both.After = values, make([]string, len(values))
		all = append(all, Entry{Root: cnpj.Root(1000 + i), Individual: i%2 == 0, Events: []change.Event{before, after, both}})
	}
	return all
}

func TestEntriesReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	var raw []byte
	want := entries()
	for i := range want {
		raw = AppendEntry(raw, &want[i])
	}
	for _, doc := range [][]byte{compress(raw), append([]byte{stored}, raw...)} {
		var got []Entry
		if err := forEach(doc, func(e *Entry) bool { got = append(got, *e); return true }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if len(compress(raw)) >= len(raw) {
		t.Error("repeated texts do not compress")
	}
}

// TestEntriesOfFewerFields: an entry that was stored before its kind had another field reads with that field empty.
func TestEntriesOfFewerFields(t *testing.T) {
	t.Parallel()
	stored := change.Event{Kind: change.SourceChanged, Before: []string{"3", "1.50"}, After: []string{"1", ""}}
	d := decoder{rest: AppendEntry(nil, &Entry{Root: 1000, Events: []change.Event{stored}})}
	got, more := d.next()
	want := change.Event{Kind: change.SourceChanged, Before: []string{"3", "1.50", ""}, After: []string{"1", "", ""}}
	if diff := cmp.Diff([]change.Event{want}, got.Events); diff != "" || !more || d.err() != nil {
		t.Errorf("%t, %v: %s", more, d.err(), diff)
	}
}

// FuzzBlock: no block panics or allocates by a number in it, and what decodes is written again as it
// was read.
func FuzzBlock(f *testing.F) {
	var raw []byte
	for _, e := range entries() {
		raw = AppendEntry(raw, &e)
	}
	f.Add(compress(raw))
	f.Add(append([]byte{stored}, raw[:200]...))
	f.Add([]byte{stored})
	f.Fuzz(func(t *testing.T, doc []byte) {
		var again []byte
		err := forEach(doc, func(e *Entry) bool { again = AppendEntry(again, e); return true })
		if err != nil {
			return
		}
		var got, want []Entry
		if err := forEach(append([]byte{stored}, again...), func(e *Entry) bool { got = append(got, *e); return true }); err != nil {
			t.Fatal(err)
		}
		_ = forEach(doc, func(e *Entry) bool { want = append(want, *e); return true })
		if !cmp.Equal(want, got) {
			t.Error(cmp.Diff(want, got))
		}
	})
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]int{0: 0, 1: 0, 32: 0, 33: 1, 64: 1, 65: 2, 2_000_000: 16, 1 << 40: maxLevel} {
		if got := levelOf(n); got != want {
			t.Errorf("%d companies: level %d, want %d", n, got, want)
		}
	}
	if bucketOf(1<<63, 0) != 0 || bucketOf(1<<63, 1) != 1 || bucketOf(1<<63, 3) != 4 || bucketOf(^uint64(0), maxLevel) != 1<<maxLevel-1 {
		t.Error("a range is not that of the highest bits")
	}
	seen := map[uint64]bool{}
	for root := range cnpj.Root(10_000) {
		seen[Hash(root)] = true
	}
	if len(seen) != 10_000 {
		t.Error("two roots have one hash")
	}
}
