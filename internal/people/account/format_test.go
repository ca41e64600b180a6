package account

import (
	"hash/crc32"
	"strings"
	"testing"
)

// goodKey has a checksum computed by hand from the definition.
func goodKey(secret string) string {
	n := crc32.ChecksumIEEE([]byte(secret))
	sum := ""
	for range 6 {
		sum = string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[n%62]) + sum
		n /= 62
	}
	return "rz_" + secret + sum
}

func TestNewKey(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		key := newKey(testSeal)
		if len(key) != 43 || !wellFormed(key) || key != goodKey(key[3:37]) {
			t.Fatalf("bad key %q", key)
		}
		if seen[key] {
			t.Fatalf("key %q came twice", key)
		}
		seen[key] = true
	}
}

func TestEveryTypoIsRefused(t *testing.T) {
	t.Parallel()
	key := newKey(testSeal)
	for i := range len(key) {
		for _, c := range []byte(base62 + "_- \x00") {
			typo := key[:i] + string(c) + key[i+1:]
			if typo != key && wellFormed(typo) {
				t.Errorf("%q passes for %q", typo, key)
			}
		}
	}
	for i := 3; i < len(key)-1; i++ { // two neighbours swapped
		typo := key[:i] + string(key[i+1]) + string(key[i]) + key[i+2:]
		if typo != key && wellFormed(typo) {
			t.Errorf("%q passes for %q", typo, key)
		}
	}
}

func TestWellFormed(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("a", 34)
	tests := []struct {
		name, key string
		want      bool
	}{
		{"good", goodKey(secret), true},
		{"checksum with leading zeros", goodKey("0000000000000000000000000000001503"), true},
		{"empty", "", false},
		{"prefix alone", "rz_", false},
		{"no prefix", goodKey(secret)[3:], false},
		{"other prefix", "RZ_" + goodKey(secret)[3:], false},
		{"short", goodKey(secret)[:42], false},
		{"long", goodKey(secret) + "0", false},
		{"blank before", " " + goodKey(secret), false},
		{"right checksum over a wrong character", goodKey(secret[:33] + "-"), false},
		{"right checksum over UTF-8", goodKey(secret[:32] + "é"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := wellFormed(tt.key); got != tt.want {
				t.Errorf("wellFormed(%q) = %v, want %v", tt.key, got, tt.want)
			}
		})
	}
}

func FuzzWellFormed(f *testing.F) {
	f.Add("")
	f.Add("rz_")
	f.Add(newKey(testSeal))
	f.Add(goodKey(strings.Repeat("z", 34)))
	f.Add(goodKey(strings.Repeat("é", 17)))
	f.Fuzz(func(t *testing.T, s string) {
		want := len(s) == 43 && s == goodKey(s[3:37]) && strings.Trim(s[3:37], base62) == ""
		if got := wellFormed(s); got != want {
			t.Errorf("wellFormed(%q) = %v, want %v", s, got, want)
		}
	})
}

func TestParseEmail(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"ana@exemplo.com.br", "ana@exemplo.com.br"},
		{"  Ana.Silva@Exemplo.COM.BR\n", "Ana.Silva@exemplo.com.br"},
		{"", ""},
		{"ana", ""},
		{"ana@", ""},
		{"Ana <ana@exemplo.com>", ""},
		{"<ana@exemplo.com>", ""},
		{"ana@exemplo.com, bia@exemplo.com", ""},
		{"ana@exemplo.com\r\nBcc: bia@exemplo.com", ""},
		{"ana\x00@exemplo.com", ""},
		{strings.Repeat("a", 250) + "@exemplo.com", ""},
		{`"ana"@exemplo.com`, ""},
		{"ana(a de sempre)@exemplo.com", ""},
		{"ana@[127.0.0.1]", ""},
		{"ana@exemplo..com", ""},
		{"ana@-exemplo.com", ""},
	}
	for _, tt := range tests {
		got, err := ParseEmail(tt.in)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("ParseEmail(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestNormalizeName(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{" ERP da Padaria São João ", "ERP da Padaria São João"},
		{strings.Repeat("ã", 80), strings.Repeat("ã", 80)},
		{strings.Repeat("ã", 81), ""},
		{"", ""},
		{" \t ", ""},
		{"a\nb", ""},
		{"a\x00b", ""},
		{"a\xffb", ""},
	}
	for _, tt := range tests {
		got, err := normalizeName(tt.in)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("normalizeName(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}
