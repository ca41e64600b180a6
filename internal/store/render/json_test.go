package render

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"razao/internal/data/record"
)

// marshal returns v as encoding/json writes it without escaping HTML.
func marshal(t testing.TB, v any) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

func TestAppendStringAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	texts := []string{
		"", "PADARIA SÃO JOÃO & FILHOS <LTDA>", `aspas " e \ barra`, "a\u2028b\u2029c\u202ad", "\xff", "ok\xe2\x80", "\xed\xa0\x80",
		"\u0080\u00ff\uffff\ufffd\U0001f600\U0010ffff", "fim\x7f", "é\x00\xc3",
	}
	for c := range 0x100 {
		texts = append(texts, string([]byte{byte(c)}), "a"+string([]byte{byte(c)})+"ã")
	}
	for r := rune(0); r <= utf8.MaxRune; r += 257 {
		texts = append(texts, string(r)+"x")
	}
	for _, s := range texts {
		if got, want := AppendString([]byte(":"), s), marshal(t, s); string(got) != ":"+string(want) {
			t.Errorf("%q becomes %s, want %s", s, got[1:], want)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "SÃO \"JOSÉ\" \\ <&>", "\x00\x1f\x7f\xff", "\u2028\u2029", "a\xe2\x80\xa8\xe2\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := AppendString(nil, s), marshal(t, s); !bytes.Equal(got, want) {
			t.Errorf("%q becomes %s, want %s", s, got, want)
		}
	})
}

func TestFields(t *testing.T) {
	t.Parallel()
	tests := []struct{ got, want string }{
		{string(AppendCents(nil, `"c":`, record.NoCents)), `"c":null`},
		{string(AppendCents(nil, `"c":`, 0)), `"c":0.00`},
		{string(AppendCents(nil, `"c":`, 7)), `"c":0.07`},
		{string(AppendCents(nil, `"c":`, 100)), `"c":1.00`},
		{string(AppendCents(nil, `"c":`, 123456)), `"c":1234.56`},
		{string(AppendCents(nil, `"c":`, 99999999999900)), `"c":999999999999.00`},
		{string(AppendCents(nil, `"c":`, 1<<63-1)), `"c":92233720368547758.07`},
		{string(AppendDate(nil, `"d":`, 0)), `"d":null`},
		{string(AppendDate(nil, `"d":`, record.MakeDate(2024, 2, 29))), `"d":"2024-02-29"`},
		{string(AppendFlag(nil, `"f":`, record.Yes)), `"f":true`},
		{string(AppendFlag(nil, `"f":`, record.No)), `"f":false`},
		{string(AppendFlag(nil, `"f":`, record.Unknown)), `"f":null`},
		{string(AppendFlag(nil, `"f":`, 3)), `"f":null`},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}
