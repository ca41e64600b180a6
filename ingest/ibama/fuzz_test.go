package ibama

import "testing"

func FuzzParseTime(f *testing.F) {
	f.Add("03/09/2026 10:00:00")
	f.Add("2026-09-03")
	f.Fuzz(func(t *testing.T, text string) {
		if at, err := parseTime(text); err == nil && at.IsZero() && text != "" {
			t.Errorf("%q is no time", text)
		}
	})
}
