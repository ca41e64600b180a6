package changes

import "testing"

func FuzzCursor(f *testing.F) {
	for _, text := range []string{"1.0000000000000000.0", "12.ffffffffffffffff.7", "0.0000000000000000.0", "1.0.0", "", "1.0000000000000000.00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, ok := readCursor(text); ok && writeCursor(p) != text || ok && p.Seq < 1 {
			t.Errorf("%q is read as %+v", text, p)
		}
	})
}
