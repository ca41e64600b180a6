package receita

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

type outcome struct {
	record string // fields joined by a byte that cannot be confused
	kind   string // of the error
	end    int64
}

func withScanner(data []byte, n int) (all []outcome) {
	s := newScanner(n)
	s.reset(data)
	for {
		fields, _, end, err := s.next()
		if errors.Is(err, io.EOF) {
			return all
		}
		o := outcome{end: int64(end), kind: kindOf(err)}
		if err == nil {
			o.record = string(bytes.Join(fields, []byte{0xff, 0xfe}))
		}
		all = append(all, o)
	}
}

// withCSV reads with encoding/csv alone and restarts it after the first line of each record that it
// cannot read.
func withCSV(data []byte, n int) (all []outcome) {
	begin := 0
	for {
		r := csv.NewReader(bytes.NewReader(data[begin:]))
		r.Comma, r.FieldsPerRecord = ';', n
		for {
			from := begin + int(r.InputOffset())
			record, err := r.Read()
			if errors.Is(err, io.EOF) {
				return all
			}
			if err != nil {
				begin = endOfLine(data, from)
				all = append(all, outcome{end: int64(begin), kind: kindOf(err)})
				break
			}
			all = append(all, outcome{end: int64(begin) + r.InputOffset(), record: strings.Join(record, "\xff\xfe")})
		}
	}
}

// endOfLine returns the offset behind the first line, at or after from, that is not empty.
func endOfLine(data []byte, from int) int {
	for _, line := range bytes.SplitAfter(data[from:], []byte("\n")) {
		from += len(line)
		if text := string(line); text != "\n" && text != "\r\n" {
			break
		}
	}
	return from
}

func kindOf(err error) string {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return parse.Err.Error()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func compareWithCSV(t *testing.T, data []byte, n int) {
	t.Helper()
	got, want := withScanner(data, n), withCSV(data, n)
	if len(got) != len(want) {
		t.Fatalf("%q: %d records, encoding/csv has %d\n%v\n%v", data, len(got), len(want), got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%q: record %d is %+v, encoding/csv has %+v", data, i, got[i], want[i])
		}
	}
}

var dialectCases = []string{
	"", "\n", "\n\n\"a\";\"b\"\n", `"a";"b"`, "\"a\";\"b\"\n", "\"a\";\"b\"\n\"c\";\"d\"\n",
	"\"a \"\"x\"\" b\";\"\"\n", "\"S\\N\";\"ends in \\\"\n\"c\";\"d\"\n", "\"line\nbreak\";\"b;c\"\n",
	"\"a\";\"b\";\"c\"\n\"d\";\"e\"\n", "\"a\"\n\"d\";\"e\"\n", "\"a\"x;\"b\"\n\"d\";\"e\"\n",
	"\"unclosed;\"b\"\n\"d\";\"e\"\n", "\"a\";\"unclosed\n\"d\";\"e\"\n", "a;b\n", "a\"b;c\n\"d\";\"e\"\n",
	"\"a\";\"b\"\r\n\"c\";\"d\"\r\n", "\"a\r\nb\";\"c\rd\"\n", "\"a\x00b\";\"\x8f\xc7\"\n", ";\n", "\"\";\"\"\n", "\r", "\"a\";\"b\"\r",
}

func TestScannerAgreesWithCSV(t *testing.T) {
	t.Parallel()
	for _, data := range dialectCases {
		for n := 1; n <= 3; n++ {
			compareWithCSV(t, []byte(data), n)
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, data := range dialectCases {
		f.Add([]byte(data), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, n uint8) {
		compareWithCSV(t, data, int(n%4)+1)
	})
}

// TestUnclosedQuote checks that a quote which is never closed costs only its own line.
func TestUnclosedQuote(t *testing.T) {
	t.Parallel()
	for _, broken := range []string{"\"a\";\"b\n", "\"a;\"b\"\n", "\"a;b\n", "\"a\";\"b\"\"\n", "\"a\nb\n", "\n\r\n\"a\";\"b\r\n"} {
		data := []byte("\"1\";\"2\"\n" + broken + "\"3\";\"4\"\n")
		var got []string
		for _, o := range withScanner(data, 2) {
			if o.kind == "" {
				got = append(got, o.record)
			}
		}
		if want := []string{"1\xff\xfe2", "3\xff\xfe4"}; !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", data, got, want)
		}
	}
}

// TestLongRecords: a row of nothing but separators, of each of which encoding/csv keeps some forty bytes, costs only itself,
// and blank lines cost nothing.
func TestLongRecords(t *testing.T) {
	t.Parallel()
	for _, long := range []string{
		strings.Repeat(";", 2*maxRecord), "\"a\";" + strings.Repeat("b", maxRecord), "\"" + strings.Repeat("b", maxRecord) + "\";c",
		strings.Repeat(`"";`, maxRecord),
	} {
		got := withScanner([]byte("\"1\";\"2\"\n"+long+"\n\"3\";\"4\"\n"), 2)
		if len(got) != 3 || got[0].kind != "" || got[1].kind == "" || got[2].record != "3\xff\xfe4" {
			t.Errorf("%.20s: %d outcomes, %.200v", long, len(got), got)
		}
	}
	got := withScanner([]byte("\"1\";\"2\"\n"+strings.Repeat("\r\n", 3*maxRecord)+"\"3\";\"4\"\n"), 2)
	if len(got) != 2 || got[1].record != "3\xff\xfe4" {
		t.Errorf("after blank lines: %v", got)
	}
}

func TestRecordStart(t *testing.T) {
	t.Parallel()
	a, b := "\"12345678\";\"x\"\n", "\"12ABC345\";\"y\"\n"
	cases := map[string]struct {
		data string
		want int
	}{
		"two records":                {a + b, len(a)},
		"one record":                 {a, -1},
		"break inside a field":       {"\"12345678\";\"x\ny\"\n", -1},
		"quoted root inside a field": {"\"12345678\";\"x\"\"\n\"\"12345678\"\";\"\"z\"\n", -1},
		"second record cut":          {a + "\"12AB", -1},
		"third record cut":           {a + b + "\"12AB", len(a)},
		"carriage returns":           {"\"12345678\";\"x\"\r\n" + b, len(a) + 1},
		"line that is not a root":    {a + "\"1234-678\";\"x\"\n", -1},
		"nothing":                    {"", -1},
	}
	for name, c := range cases {
		if got := recordStart([]byte(c.data)); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func BenchmarkScanner(b *testing.B) {
	row := `"33683111";"0002";"80";"2";"REGIONAL BRASILIA-DF";"02";"20040522";"00";"";"";"19670630";"6204000";"6201501,6202300,6203100,6209100,6311900";"AVENIDA";"L2 SGAN";"601";"MODULO G";"ASA NORTE";"70836900";"DF";"9701";"";"";"";"";"";"";"";"";""` + "\n"
	data := []byte(strings.Repeat(row, 4000))
	b.SetBytes(int64(len(data)))
	s := newScanner(30)
	for b.Loop() {
		s.reset(data)
		for {
			if _, _, _, err := s.next(); err != nil {
				break
			}
		}
	}
}
