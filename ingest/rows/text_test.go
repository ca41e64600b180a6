package rows

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestIsUTF8(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, head string
		want       bool
	}{
		{"ASCII", "abc", false},
		{"empty", "", false},
		{"mark", "\ufeffabc", true},
		{"mark, then another encoding", "\ufeff\xe1", true},
		{"text", "ação", true},
		{"Windows-1252", "a\xe7\xe3o", false},
		{"cut inside a character", "ação\xe2\x80", true},
		{"cut inside the only one", "abc\xc3", false},
		{"ends in another encoding", "a\xe3", false},
		{"a bad byte among good characters", "ação \xe2 x", true},
		{"a good character among bad bytes", "N\xba, S\xe3o, \xc3\xa7", false},
		{"the first character comes late", strings.Repeat("ASCII\n", 400_000) + "ação", true},
		{"cut between two reads", strings.Repeat("x", judgedAtOnce-1) + "é", true},
	}
	for _, c := range cases {
		if got, err := isUTF8(strings.NewReader(c.head)); got != c.want || err != nil {
			t.Errorf("%s: got %v, %v", c.name, got, err)
		}
	}
}

func TestDecoderKeepsEarlierTexts(t *testing.T) {
	t.Parallel()
	var d decoder
	first := d.text("\xe1")
	long := d.text(strings.Repeat("\xe9", 10_000)) // makes scratch grow
	if first != "á" || long != strings.Repeat("é", 10_000) {
		t.Errorf("got %q and %d bytes", first, len(long))
	}
}

func TestDecoderRepairsUTF8(t *testing.T) {
	t.Parallel()
	d := decoder{utf8: true}
	if got := d.text("a\xe7\x00ção"); got != "a\ufffd ção" || !d.damaged {
		t.Errorf("got %q, damaged %v", got, d.damaged)
	}
	d.reset()
	if got := d.text("\ufffd"); got != "\ufffd" || d.damaged {
		t.Errorf("a published replacement: got %q, damaged %v", got, d.damaged)
	}
}

// TestNULsPartWords: where one stood are two words, but one number.
func TestNULsPartWords(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"BAR\x00DO ZE": "BAR DO ZE", "BAR\x00\x00DO ZE\x00": "BAR DO ZE", "\x00": "", "\x00\x00A": "A", "CAF\xc9\x00BAR": "CAFÉ BAR",
		"529982\x0024725": "52998224725", "52\x00\x00998\x00224725": "52998224725", "N 10\x00A": "N 10 A",
	} {
		var d decoder
		if got := d.text(raw); got != want {
			t.Errorf("text(%q) = %q, want %q", raw, got, want)
		}
		d.utf8 = true
		if got := d.text(strings.ReplaceAll(raw, "\xc9", "É")); got != want {
			t.Errorf("of UTF-8, text(%q) = %q, want %q", raw, got, want)
		}
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add("a\x81\xe1\x00", false)
	f.Add("ação\xff", true)
	f.Fuzz(func(t *testing.T, raw string, isUTF8 bool) {
		d := decoder{utf8: isUTF8}
		got := d.text(raw)
		if !utf8.ValidString(got) || strings.Contains(got, "\x00") || strings.TrimSpace(got) != got {
			t.Fatalf("%q gives %q", raw, got)
		}
	})
}

func TestFold(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, want string }{
		{" Razão  Social\t–\u0096 cadastro\n", "RAZAO SOCIAL -- CADASTRO"},
		{"\ufeffSITUAÇÃO DO ACORDO DE LENIÊNICA", "SITUACAO DO ACORDO DE LENIENICA"},
		{"Nº", "Nº"},
	}
	for _, c := range cases {
		if got := fold(c.in); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}
