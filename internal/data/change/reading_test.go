package change

import (
	"bytes"
	"encoding/json"
	"testing"

	"razao/internal/data/source"
)

func TestReadings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind   source.Kind
		values []string // that read the same
		other  string   // that reads differently
	}{
		{source.Text, []string{"ATIVA EM COBRANCA", " Ativa  em cobranca"}, "ATIVA EM COBRANÇA"},
		{source.Code, []string{"Execução", "EXECUÇÃO "}, "Execucao"},
		{source.Text, []string{"", "  "}, "0"},
		{source.Number, []string{"1000", "1000.00", "1000.", "01000.0"}, "100"},
		{source.Number, []string{"0", "0.00", "-0"}, ""},
		{source.Number, []string{"-0.5", "-.50"}, "0.5"},
		{source.JSON, []string{"1000.5", "1000.5000"}, "1000.05"},
		{source.JSON, []string{"null", `""`, "[]", "{}", "", `" "`}, "0"},
		{source.JSON, []string{`{"id":7,"nome":"Empenho"}`, `{"id": 7.0, "nome": "EMPENHO "}`}, `{"id":7,"nome":"Contrato"}`},
		{source.JSON, []string{`[{"a":1,"b":[2,3]},{"a":2}]`, `[ {"a":2.0}, {"a":1,"b":[2,3]} ]`}, `[{"a":1},{"a":2,"b":[2,3]}]`},
		{source.JSON, []string{`{"b":[1,2],"a":"x,y"}`, `{"b":[1,2], "a":"X,Y"}`}, `{"b":[2,1],"a":"x,y"}`},
		{source.JSON, []string{`"1000"`, `" 1000"`}, "1000"},
		{source.JSON, []string{`"a\"b"`, `"A\"B"`}, `"a\"c"`},
	} {
		want := AppendReading(nil, c.kind, c.values[0])
		for _, value := range c.values[1:] {
			if got := AppendReading(nil, c.kind, value); !bytes.Equal(got, want) {
				t.Errorf("%q reads as %q, %q as %q", value, got, c.values[0], want)
			}
		}
		if bytes.Equal(AppendReading(nil, c.kind, c.other), want) {
			t.Errorf("%q reads as %q does: %q", c.other, c.values[0], want)
		}
	}
}

// FuzzAppendReading: a reading reads as itself, and that of a JSON value other than an empty one is one.
func FuzzAppendReading(f *testing.F) {
	for _, seed := range []string{"", " a  B ", "-00.10", `{"a":[1.0,"b\""]}`, "ß", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, kind := range []source.Kind{source.Text, source.Number} {
			once := AppendReading(nil, kind, value)
			if twice := AppendReading(nil, kind, string(once)); !bytes.Equal(once, twice) {
				t.Errorf("%q reads as %q, which reads as %q", value, once, twice)
			}
		}
		if read := AppendReading(nil, source.JSON, value); json.Valid([]byte(value)) && len(read) > 0 && !bytes.ContainsRune([]byte(value), '\\') && !json.Valid(read) {
			t.Errorf("%q reads as %q", value, read)
		}
	})
}
