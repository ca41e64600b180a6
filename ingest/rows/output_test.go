package rows

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/source"
)

// publishingSink is a sink that publishes the records of its writer to all when it is closed.
type publishingSink struct {
	source string
	mine   []string
	mu     *sync.Mutex
	all    map[string][]string
	err    error
}

func (k *publishingSink) Add(r *Record) error {
	k.mine = append(k.mine, strings.Clone(r.Values[0]))
	return nil
}

func (k *publishingSink) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all[k.source] = append(k.all[k.source], k.mine...)
	return k.err
}

func TestOutputOfManyWorkers(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	all := map[string][]string{}
	out := NewOutput(func(source string) Sink { return &publishingSink{source: source, mu: &mu, all: all} }, nil)
	var wg sync.WaitGroup
	const writers, rows = 8, 100
	for range writers {
		w := out.Writer()
		wg.Go(func() {
			for i := range rows {
				w.Row()
				if i%10 == 0 {
					w.Drop("pessoa_fisica")
					continue
				}
				w.Mark("nota")
				if err := w.Add([]string{"ceis", "cnep"}[i%2], &Record{Values: []string{"x"}}); err != nil {
					t.Error(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	want := &Figures{
		Read: writers * rows, Dropped: map[string]int64{"pessoa_fisica": writers * 10}, Marked: map[string]int64{"nota": writers * 90},
	}
	if diff := cmp.Diff(want, out.Figures()); diff != "" {
		t.Error(diff)
	}
	if a, b := len(all["ceis"]), len(all["cnep"]); a != writers*40 || b != writers*50 {
		t.Errorf("%d and %d records", a, b)
	}
}

func TestWriterCloseFails(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	table := Table{Columns: []Column{{Name: "A"}}, Visit: func(w *Writer) func(*Row) error {
		return func(r *Row) error { return w.Add("ceis", &Record{Values: []string{r.Value(0)}}) }
	}}
	in := find(t, write(t, map[string]string{"a.csv": "A\n1\n"}), FindOptions{})
	for _, table.Quoted = range []bool{false, true} {
		out := NewOutput(func(string) Sink { return &publishingSink{mu: new(sync.Mutex), all: map[string][]string{}, err: full} }, nil)
		if err := table.Read(context.Background(), in, in.Files[0], out); !errors.Is(err, full) {
			t.Errorf("quoted %v: got %v", table.Quoted, err)
		}
	}
}

func TestRejectsAreBounded(t *testing.T) {
	t.Parallel()
	const size = 40 << 20 // enough for 2,097 tolerated rejects
	f := &File{Name: "a.csv", in: &Input{size: size}}
	out := NewOutput(nil, nil)
	w := out.Writer()
	n := 0
	var err error
	for err == nil {
		n++
		err = w.Reject(f, int64(10_000-n), "", "ruim", nil)
	}
	if n != size/20/1000+1 || !strings.Contains(err.Error(), "rows cannot be read") {
		t.Errorf("stopped after %d: %v", n, err)
	}
	rejects := out.Rejects()
	if len(rejects) != keptRejects || rejects[0].Line != 10_000-keptRejects || rejects[keptRejects-1].Line != 9999 {
		t.Errorf("%d kept, from line %d", len(rejects), rejects[0].Line)
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	content := "A\n" + strings.Repeat("uma linha\n", 500_000)
	in := find(t, write(t, map[string]string{"a.csv": content, "b.csv": content}), FindOptions{Workers: 2})
	var mu sync.Mutex
	var last int64
	reports := 0
	out := NewOutput(nil, func(done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		if done < last || done > total || total != int64(2*len(content)) {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
		reports++
	})
	table := Table{Visit: func(*Writer) func(*Row) error { return func(*Row) error { return nil } }}
	for range 2 { // the second time is no further progress
		for _, f := range in.Files {
			if err := table.Read(context.Background(), in, f, out); err != nil {
				t.Fatal(err)
			}
		}
	}
	if last < int64(2*len(content)-1<<20) || reports < 9 {
		t.Errorf("%d reports, the last at %d of %d", reports, last, 2*len(content))
	}
}

// TestRecordsHideCPFs adds a record with a number of eleven digits in every field: of a source's
// texts only numbers of proceedings keep it, unless it stands among words.
func TestRecordsHideCPFs(t *testing.T) {
	t.Parallel()
	src, ok := source.Find("cnep")
	if !ok {
		t.Fatal("no such source")
	}
	for _, text := range []string{"529.982.247-25", "CPF 529.982.247-25"} {
		record := &Record{Values: make([]string, len(src.Fields))}
		for i := range record.Values {
			record.Values[i] = text
		}
		all := map[string][]string{}
		out := NewOutput(func(string) Sink { return &publishingSink{mu: new(sync.Mutex), all: all} }, nil)
		if err := out.Writer().Add(src.ID, record); err != nil {
			t.Fatal(err)
		}
		for i, f := range src.Fields {
			keeps := f.Kind == source.Number || f.Kind == source.Document || f.Unit != "" || f.Serial && text[0] != 'C'
			if got := record.Values[i]; (got == text) != keeps {
				t.Errorf("%s: %q became %q", f.Name, text, got)
			}
		}
	}
}

func TestRejectsHideCPFs(t *testing.T) {
	t.Parallel()
	out := NewOutput(nil, nil)
	w := out.Writer()
	f := &File{Name: "a.csv", in: &Input{size: 1 << 20}}
	const cpf = "529.982.247-25"
	atTheCut := strings.Repeat("x", keptRawBytes-len(cpf)/2) + cpf + "\n"
	for _, raw := range []string{"1;" + cpf + ";2", "S\xe3o 52998224725", atTheCut} {
		if err := w.Reject(f, 1, "", fmt.Sprintf("%q is not a date", raw), []byte(raw)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Rejects() {
		if strings.Contains(r.Reason, cpf) || strings.Contains(r.Reason, "52998224725") {
			t.Errorf("the reason is %s", r.Reason)
		}
		if strings.Contains(string(r.Raw), "529") || len(r.Raw) > keptRawBytes {
			t.Errorf("%d bytes are kept: %.40q … %.20q", len(r.Raw), r.Raw, r.Raw[max(0, len(r.Raw)-20):])
		}
	}
	if raw := string(out.Rejects()[1].Raw); !strings.HasPrefix(raw, "S\xe3o ***982247**") {
		t.Errorf("the other bytes have changed: %q", raw)
	}
}
