package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"razao/ingest/publisher"
	"razao/internal/people/oauthserver"
	"razao/internal/store/registry"
)

// TestRejectedRowsAreShownAsPublished: quotes, backslashes and letters as they are, in UTF-8 whatever the
// encoding of the file, and nothing that a terminal obeys.
func TestRejectedRowsAreShownAsPublished(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"":                                  "",
		"\"99000144\";\"A \"\"B\"\" C\";\n": `"99000144";"A ""B"" C";`,
		"S\\N;C:\\new\\x1b;\\\r\n":          `S\N;C:\new\x1b;\`,
		"\"S\xe3o Jos\xe9\";\xc7\n":         `"São José";Ç`,
		"S\xe3":                             "Sã",
		"São José; R$ 1 ½; 日本\n":            "São José; R$ 1 ½; 日本",
		"São José \xe3":                     "São José \\xe3",
		"cut in the middl\xc3":              "cut in the middlÃ",
		"line\nbreak\ttab\rCR\n":            `line\nbreak\ttab\rCR`,
		"\x1b[31mred\x07\x00\x7f\x08\v\f\n": `\x1b[31mred\x07\x00\x7f\x08\x0b\x0c`,
		"\x9b31mred \xe3 \x85\x90\n":        `\x9b31mred ã \x85\x90`,
		"\u009b31mré \u202eabc\u200b\u2028": `\u009b31mré \u202eabc\u200b\u2028`,
		"\xff\xfe":                          "ÿþ",
	} {
		if got := visibleRow([]byte(raw)); got != want {
			t.Errorf("%q is shown as %s, want %s", raw, got, want)
		}
	}
}

func TestVisibleKeepsLines(t *testing.T) {
	t.Parallel()
	if got := Visible("member \"\x1b]0;x\x07\"\n  is not ours\n"); got != "member \"\\x1b]0;x\\x07\"\n  is not ours\n" {
		t.Errorf("got %q", got)
	}
}

// TestNothingInATableCommandsATerminal: what came of an update quotes names of members, clients name themselves.
func TestNothingInATableCommandsATerminal(t *testing.T) {
	t.Parallel()
	const hostile = "member \x1b]0;x\x07 \u202e\nceis 2026-09-30 current"
	var b bytes.Buffer
	err := errors.Join(
		WriteOutcomes(&b, []publisher.Outcome{{Source: "cepim", Found: "-", State: hostile}}),
		WriteClients(&b, []oauthserver.Client{{ID: "x", Name: hostile}}),
	)
	if err != nil || strings.ContainsFunc(strings.ReplaceAll(b.String(), "\n", ""), isUnseen) || strings.Count(b.String(), "\n") != 4 {
		t.Errorf("%v: %q", err, b.String())
	}
}

// TestNothingOfALoadCommandsATerminal puts every byte and what else is not shown into what comes from
// files.
func TestNothingOfALoadCommandsATerminal(t *testing.T) {
	t.Parallel()
	var hostile []byte
	for b := range 0x100 {
		hostile = append(hostile, byte(b))
	}
	hostile = append(hostile, "ação \u009b \u202e \u2066 \U000e0041"...)
	l := &registry.Load{ID: 7, Source: "cepim", StartedAt: time.Unix(0, 0), RowsRejected: 2, Reason: "of " + string(hostile)}
	l.Provenance.Faltantes = []string{string(hostile)}
	for _, raw := range [][]byte{hostile, []byte("ação ção ões \u009b \u202e \U000e0041 \x9b")} {
		rejects := []registry.Reject{{File: string(hostile), Line: 3, Column: "x\x1b", Reason: string(hostile), Raw: raw}}
		var text, object bytes.Buffer
		if err := WriteLoad(&text, l, nil, rejects); err != nil {
			t.Fatal(err)
		}
		if err := WriteJSON(&object, LoadJSON(l, nil, rejects)); err != nil {
			t.Fatal(err)
		}
		for name, out := range map[string]string{"text": text.String(), "JSON": object.String()} {
			for line := range strings.Lines(out) {
				for _, r := range strings.TrimSuffix(line, "\n") {
					if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
						t.Errorf("%s has %U: %q", name, r, line)
					}
				}
			}
		}
		var read struct {
			Rejeitadas []struct{ Conteudo string }
		}
		if err := json.Unmarshal(object.Bytes(), &read); err != nil || read.Rejeitadas[0].Conteudo != strings.ToValidUTF8(inUTF8(raw), "\ufffd") {
			t.Errorf("the JSON holds %q, %v", read.Rejeitadas, err)
		}
	}
}
