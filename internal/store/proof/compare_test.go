package proof

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// read reads JSON of a test.
func read(t testing.TB, text string) any {
	t.Helper()
	value, err := ReadJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func TestReadJSONRefuses(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{
		"a name twice":              `{"a":1,"a":1}`,
		"a name twice, escaped":     `{"a":1,"\u0061":1}`,
		"a name twice, deep within": `[[{"b":{"a":1,"a":2}}]]`,
		"two values":                `{} {}`,
		"bytes that are not UTF-8":  "\"\xff\"",
		"half a pair":               `"\ud83d"`,
		"half a pair before text":   `"\ud83dx\ude00"`,
		"the second half alone":     `"\ude00"`,
		"halves in reverse":         `"\ude00\ud83d"`,
		"nothing":                   ``,
		"half a value":              `{"a":`,
		"not a number":              `NaN`,
		"a comma too many":          `[1,]`,
		"deep nesting":              strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
	} {
		if value, err := ReadJSON(strings.NewReader(text)); err == nil {
			t.Errorf("%s was read: %v", what, value)
		}
	}
	for _, text := range []string{`"\ud83d\ude00 \\ud800"`, `"\ufffd"`, `"�\\"`, ` [ {"a":{}} , {"a":[]} ] `} {
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if got := read(t, text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestNumbersAreCompared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"1000.00", "1000.0", true},
		{"1000.00", "1e3", true},
		{"1000.00", "1E+3", true},
		{"1000", "10000000e-4", true},
		{"0", "-0.0", true},
		{"0.1", "1e-1", true},
		{"92233720368547758.07", "9223372036854775807e-2", true},
		{"1000.00", "1000.01", false},
		{"92233720368547758.07", "92233720368547758.06", false},
		{"1", "-1", false},
		{"1", "true", false},
		{"1", `"1"`, false},
		{"1", "null", false},
		{"1", "1e999999999", false},
		{"0", "0e999999999", false},
		{"0", "1e-999999999", false},
		{"0", "1e99999999999999999999", false},
		{"1", "1." + strings.Repeat("0", 1000), false}, // what no answer has
	} {
		if got := len(Compare("", read(t, c.a), read(t, c.b)).Different) == 0; got != c.same {
			t.Errorf("%s and %s: the same is %t", c.a, c.b, got)
		}
	}
}

func TestCompareNamesPlaces(t *testing.T) {
	t.Parallel()
	proved := read(t, `{"a":{"itens":[{"nome":"X","n":1.50},{"nome":"Y"}]},"b":null}`).(map[string]any)
	proved["open"] = Exemption{"for a test", func(v any) bool { _, is := v.(string); return is }}
	for answered, want := range map[string]string{
		`{"a":{"itens":[{"nome":"X","n":1.5},{"nome":"Y"}]},"b":null,"open":"z"}`:                       ``,
		`{"a":{"itens":[{"nome":"Z","n":1.5},{"nome":"Y"}]},"b":null,"open":"z"}`:                       `a.itens[0].nome`,
		`{"a":{"itens":[{"nome":"Y"},{"nome":"X","n":1.5}]},"b":null,"open":"z"}`:                       `a.itens[0].n a.itens[0].nome a.itens[1].nome a.itens[1].n`,
		`{"a":{"itens":[]},"b":null,"open":"z"}`:                                                        `a.itens[0] a.itens[1]`,
		`{"a":{"itens":[{"nome":"X","n":1.5},{"nome":"Y"},{}]},"open":"z"}`:                             `a.itens[2] b`,
		`{"a":{"itens":[{"nome":"X","n":1.5},{"nome":"Y","c":null}]},"b":null,"open":"z"}`:              `a.itens[1].c`,
		`{"A":{},"a":{"itens":[{"nome":"X","n":1.5},{"nome":"Y"}]},"b":null,"open":"z"}`:                `["A"]`,
		`{"a":{"itens":{"0":1}},"b":false,"open":1}`:                                                    `a.itens b open`,
		`{"a":{"itens":[{"nome":"X","n":1.5},{"nome":"Y"}]},"b":null,"open":"z","\u001b[2J\u202e":[1]}`: `["\x1b[2J\u202e"]`,
	} {
		c := Compare("", proved, read(t, answered))
		var places []string
		for _, d := range c.Different {
			places = append(places, d.Path)
		}
		if got := strings.Join(places, " "); got != want {
			t.Errorf("%s: %q, want %q", answered, got, want)
		}
	}
	if c := Compare("a.itens[3]", proved["open"], "x"); c.Unproved["a.itens[]"] != "for a test" {
		t.Errorf("%+v", c)
	}
}

// FuzzReadJSON holds that what is read is what encoding/json reads, that it is the same as itself, and that
// it is read again as it is written.
func FuzzReadJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,2.50e-3,{"b":null}],"c":"\ud83d\ude00"}`, `{"a":1,"a":2}`, `"\ud800"`, `1e999999999`, `[[[]]]x`, "\"\xff\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		value, err := ReadJSON(bytes.NewReader(text))
		if err != nil {
			return
		}
		var want any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&want); err != nil || !reflect.DeepEqual(value, want) {
			t.Fatalf("%q: %v, want %v, %v", text, value, want, err)
		}
		written, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if again := read(t, string(written)); !reflect.DeepEqual(again, value) {
			t.Fatalf("%q is %v again", text, again)
		}
		for _, d := range Compare("", value, value).Different {
			if !strings.ContainsAny(d.Proved, "eE0123456789") { // numbers beyond every amount equal nothing
				t.Fatalf("%q differs from itself at %s", text, d.Path)
			}
		}
	})
}

// endless gives a text again and again, and counts its bytes.
type endless struct {
	text string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[(e.read+i)%len(e.text)]
	}
	e.read += len(p)
	return len(p), nil
}

// TestAnswersAreBounded: what a stranger passed on, or a device, is not read into memory for ever.
func TestAnswersAreBounded(t *testing.T) {
	for text, says := range map[string]string{"\x00": "64 MiB", "[": "64 MiB", "0,": "64 MiB"} {
		r := &endless{text: text}
		if _, err := ReadJSON(r); err == nil || !strings.Contains(err.Error(), says) || r.read > 65<<20 {
			t.Errorf("%q: %d bytes read, %v", text, r.read, err)
		}
	}
	if _, err := ReadJSON(strings.NewReader("[0" + strings.Repeat(",0", maxCommas+1) + "]")); err == nil || !strings.Contains(err.Error(), "more members") {
		t.Errorf("members: %v", err)
	}
}
