package ptbr

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzPublished formats arbitrary published values.
func FuzzPublished(f *testing.F) {
	f.Add("2026-09-03T10:00:00")
	f.Add("20260931")
	f.Add("carregada em 2026-13")
	f.Fuzz(func(t *testing.T, published string) {
		for name, write := range map[string]func(string) string{"day": PublishedDay, "note": Note, "period": Period, "months": Months} {
			if got := write(published); utf8.ValidString(published) && !utf8.ValidString(got) {
				t.Errorf("%s of %q: %q", name, published, got)
			}
		}
		if day, ok := ParseDay(published); ok && PublishedDay(published) != day.Format("02/01/2006") {
			t.Errorf("%q: %v", published, day)
		}
	})
}

// FuzzSlug checks that a slug needs no escaping in a URL and that Slug is idempotent.
func FuzzSlug(f *testing.F) {
	f.Add("São José d'Oeste")
	f.Add("Ｆ\u0301 -- \xff")
	f.Fuzz(func(t *testing.T, name string) {
		got := Slug(name)
		if strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.Trim(got, "-") != got {
			t.Errorf("%q: %q", name, got)
		}
		if again := Slug(got); again != got {
			t.Errorf("%q: %q, and then %q", name, got, again)
		}
	})
}
