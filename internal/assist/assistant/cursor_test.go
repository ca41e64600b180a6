package assistant

import "testing"

func TestCursor(t *testing.T) {
	t.Parallel()
	w := walk{"socios 12345678", "load 1"}
	for _, from := range []int{0, 1, 127, 128, 10_000, 1 << 31} {
		if got, err := w.from(*w.cursor(from)); err != nil || got != from {
			t.Errorf("%d became %d, %v", from, got, err)
		}
	}
	_, err := walk{"socios 12345678", "load 2"}.from(*w.cursor(5))
	if r := refusalOf(t, err); r.Kind != Changed {
		t.Errorf("another load: %+v", r)
	}
	_, err = walk{"socios 12345679", "load 1"}.from(*w.cursor(5))
	if r := refusalOf(t, err); r.Kind != Malformed {
		t.Errorf("another question: %+v", r)
	}
	if from, err := w.from(""); from != 0 || err != nil {
		t.Errorf("no cursor: %d, %v", from, err)
	}
}

// FuzzCursor checks that no input decodes to a negative or overflowing position.
func FuzzCursor(f *testing.F) {
	w := walk{"q", "s"}
	f.Add(*w.cursor(7))
	f.Add(*w.cursor(-1))
	f.Add("AgAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, cursor string) {
		from, err := w.from(cursor)
		if err != nil {
			refusalOf(t, err)
			return
		}
		if from < 0 || from > 1<<31 {
			t.Errorf("%q leads to %d", cursor, from)
		}
		if again, err := w.from(*w.cursor(from)); err != nil || again != from {
			t.Errorf("%q: %d, %v", cursor, again, err)
		}
	})
}
