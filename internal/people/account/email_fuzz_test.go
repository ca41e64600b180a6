package account

import (
	"strings"
	"testing"
)

// FuzzParseEmail checks that an accepted address is a single bare one and parses to itself: it
// identifies an account and stands in mail headers.
func FuzzParseEmail(f *testing.F) {
	f.Add("ana@exemplo.com.br")
	f.Add("\"a\r\nb\"@exemplo.com")
	f.Add("ana@bücher.example")
	f.Add("a@[127.0.0.1]")
	f.Fuzz(func(t *testing.T, given string) {
		got, err := ParseEmail(given)
		if err != nil {
			return
		}
		if strings.ContainsAny(got, "\r\n\x00") || len(got) > maxEmailLength {
			t.Errorf("%q: %q", given, got)
		}
		if again, err := ParseEmail(got); err != nil || again != got {
			t.Errorf("%q: %q, and then %q, %v", given, got, again, err)
		}
	})
}
