package pncp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

var documents = []string{
	`{}`, ` { } `, `{"a":1}`, `{"a":"b","c":null}`, `{"a":[1,2,{"b":[]}],"c":{"d":true,"e":false}}`,
	`{"a":-0.5e+10,"b":0,"c":10E2,"d":1.0}`, `{"a":"\"\\\/\b\f\n\r\t\u00e7\uD83D\ude00\ud800"}`, `{"a\u0062":1,"":2,"a":3}`,
	"{\"a\":\"b\x01c\td\ne\",\r\n\t\"f\" :\r1}", "{\"a\":\"\\\n\"}", "{\x01}", "{\"a\":1\x0b}", "{\"a\":\"\xff\"}", `{"a":"ção"}`,
	``, ` `, `{`, `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":[`, `{"a":[1`, `{"a":{"b":"c"`, `{"a":"b\`, `{"a":"\u12`,
	`{"a":tru`, `{"a":nulll}`, `{"a":TRUE}`, `{"a":01}`, `{"a":1.}`, `{"a":.5}`, `{"a":-}`, `{"a":1e}`, `{"a":+1}`, `{"a":1e5e5}`, `{"a":NaN}`,
	`{"a":"\x"}`, `{"a":"\u12g4"}`, `{a:1}`, `{'a':1}`, `{"a" 1}`, `{"a":1,}`, `{,}`, `{"a":[1,]}`, `{"a":[1}`, `{"a":1]`, `{"a":1}}`,
	`{"a":1} {"b":2}`, `{"a":1}x`, `[{"a":1}]`, `"a"`, `1`, `null`, `{"a":1,"a"}`, `{"a"::1}`, `{"a":"b""c":1}`,
}

// compareWithJSON checks that the scanner accepts and reports what a map of encoding/json does.
func compareWithJSON(t *testing.T, document string) {
	t.Helper()
	got := map[string]string{}
	clean := withoutControls(document)
	if len(clean) != len(document) {
		t.Fatalf("%q has become %q", document, clean)
	}
	err := newScanner(clean).object(func(name, value string, at int) {
		if clean[at:at+len(value)] != value {
			t.Fatalf("%q: %q is not at %d", document, value, at)
		}
		got[name] = value
	})
	valid := json.Valid([]byte(clean)) && strings.HasPrefix(strings.TrimLeft(clean, " \t\r\n"), "{")
	if (err == nil) != valid {
		t.Fatalf("%q: %v, but encoding/json says valid: %v", document, err, valid)
	}
	if !valid || !utf8.ValidString(document) {
		return
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal([]byte(clean), &want); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%q: members %q, want %q", document, got, want)
	}
	for name, value := range want {
		if got[name] != string(value) {
			t.Fatalf("%q: member %q is %q, want %q", document, name, got[name], value)
		}
		if value[0] == '"' {
			compareText(t, got[name], value)
		}
	}
}

// compareText compares decode and clean of a JSON string with encoding/json.
func compareText(t *testing.T, raw string, value json.RawMessage) {
	t.Helper()
	var text, published string
	if err := json.Unmarshal(value, &text); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSpace(text)
	if got := decode(raw); got != want {
		t.Fatalf("%q decodes to %q, want %q", raw, got, want)
	}
	if err := json.Unmarshal([]byte(clean(raw)), &published); err != nil || published != want {
		t.Fatalf("%q is published as %q: %v", raw, clean(raw), err)
	}
}

func TestScannerAgreesWithJSON(t *testing.T) {
	t.Parallel()
	for _, document := range documents {
		compareWithJSON(t, document)
	}
}

func FuzzScanner(f *testing.F) {
	for _, document := range documents {
		f.Add(document)
	}
	f.Fuzz(compareWithJSON)
}

func TestScannerSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		document, member, reason string
		at                       int
	}{
		"text cut":   {`{"a":"b","c":"d`, "c", "the JSON ends early", 15},
		"word cut":   {`{"a":tr`, "a", "the JSON ends early", 7},
		"object cut": {`{"a":"b"`, "", "the JSON ends early", 8},
		"nested cut": {`{"a":{"b":{"c":1`, "a", "the JSON ends early", 16},
		"nothing":    {` `, "", "the JSON ends early", 1},
		"no object":  {`a;b;c`, "", "here should stand an object", 0},
		"behind":     {`{"a":1};`, "", "there is text behind the end of the JSON object", 7},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := newScanner(tc.document).object(func(string, string, int) {})
			var got *syntaxError
			if !errors.As(err, &got) {
				t.Fatalf("got %v", err)
			}
			if want := (syntaxError{tc.at, tc.member, tc.reason}); *got != want {
				t.Errorf("got %+v, want %+v", *got, want)
			}
		})
	}
}
