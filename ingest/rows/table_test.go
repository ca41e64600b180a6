package rows

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/store/registry"
)

// rowsOf reads a table of one file and returns its rows as "line:value|value" with the output.
func rowsOf(t testing.TB, table Table, content string) (map[int64]string, *Output, error) {
	t.Helper()
	in := find(t, write(t, map[string]string{"a.csv": content}), FindOptions{Workers: 2})
	var mu sync.Mutex
	rows := map[int64]string{}
	table.Visit = func(*Writer) func(*Row) error {
		return func(r *Row) error {
			var values []string
			for i := range table.Columns {
				values = append(values, strings.Clone(r.Value(i)))
			}
			mu.Lock()
			defer mu.Unlock()
			rows[r.Where.Line] = strings.Join(values, "|")
			if values[0] == "wrong" {
				return Reject("A", "it is wrong")
			}
			return nil
		}
	}
	out := NewOutput(nil, nil)
	err := table.Read(context.Background(), in, in.Files[0], out)
	return rows, out, err
}

func TestTableRead(t *testing.T) {
	t.Parallel()
	ab := []Column{{Name: "A"}, {Name: "B"}}
	cases := []struct {
		name, content string
		table         Table
		want          map[int64]string
	}{
		{"LF", "A;B\n1;2\n3;4\n", Table{Columns: ab}, map[int64]string{2: "1|2", 3: "3|4"}},
		{"CRLF, none at the end", "A;B\r\n1;2\r\n3;4", Table{Columns: ab}, map[int64]string{2: "1|2", 3: "3|4"}},
		{"by name", "X;b ; Á\n1;2;3\n", Table{Columns: ab}, map[int64]string{2: "3|2"}},
		{"other spelling", "A;C\n1;2\n", Table{Columns: []Column{{Name: "A"}, {Name: "B", Also: []string{"Ç"}}}}, map[int64]string{2: "1|2"}},
		{"optional", "A\n1\n", Table{Columns: []Column{{Name: "A"}, {Name: "B", Optional: true}}}, map[int64]string{2: "1|"}},
		{"blanks and empty lines", "\nA;B\n\n 1 ;\t2\n\n", Table{Columns: ab}, map[int64]string{4: "1|2"}},
		{"quote as a character", "A;B\n\"1;2\"\n", Table{Columns: ab}, map[int64]string{2: `"1|2"`}},
		{"comma", "A,B\n1,2;3\n", Table{Comma: ',', Columns: ab}, map[int64]string{2: "1|2;3"}},
		{"Windows-1252", "A;B\n\xc1\x96\x80;\xa0a\xa0\n", Table{Columns: ab}, map[int64]string{2: "Á–€|a"}},
		{"UTF-8 by its text", "A;B\nÁ–€;\u00a0a\n", Table{Columns: ab}, map[int64]string{2: "Á–€|a"}},
		{"byte order mark", "\ufeffA;B\nx;y\n", Table{Columns: ab}, map[int64]string{2: "x|y"}},
		{"NUL", "A;B\n\x001\x00;\x00\n", Table{Columns: ab}, map[int64]string{2: "1|"}},
		{
			"lines before the header", "Título\n;\nA;B\n1;2\n",
			Table{Columns: ab, Start: func(s string) bool { return strings.HasPrefix(s, "A;") }},
			map[int64]string{4: "1|2"},
		},
		{"header only", "A;B\n", Table{Columns: ab}, map[int64]string{}},
		{
			"quoted", "\"A\";\"B\"\r\n\"1\";\"x;\"\"y\"\"\r\nz\"\r\n\r\n3;4",
			Table{Quoted: true, Columns: ab},
			map[int64]string{2: "1|x;\"y\"\nz", 5: "3|4"},
		},
		{"lazy quotes", "A;B\n1;a \"b\" c\n2;\"a\"b\"\n", Table{Quoted: true, Columns: ab}, map[int64]string{2: `1|a "b" c`, 3: `2|a"b`}},
		{"quoted Windows-1252", "\"A\";\"B\"\n\"\xc1\";\"\x96\"\n", Table{Quoted: true, Columns: ab}, map[int64]string{2: "Á|–"}},
		{"quoted byte order mark", "\ufeff\"A\";\"B\"\n1;ç\n", Table{Quoted: true, Columns: ab}, map[int64]string{2: "1|ç"}},
		{
			"quoted, lines before the header", "x\n\nA;B\n1;\"2\n\"\n3;4\n",
			Table{Quoted: true, Columns: ab, Start: func(s string) bool { return s == "A;B" }},
			map[int64]string{4: "1|2", 6: "3|4"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, out, err := rowsOf(t, c.table, c.content)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			want := &Figures{Read: int64(len(c.want)), Dropped: map[string]int64{}, Marked: map[string]int64{}}
			if diff := cmp.Diff(want, out.Figures()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTableRejects(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, content string
		quoted        bool
		want          []registry.Reject
	}{
		{"lines", "A;B\n1\n2;3\nwrong;4\n5;6;7;8\n", false, []registry.Reject{
			{File: "a.csv", Line: 2, Reason: "the row has 1 columns, the header has 2", Raw: []byte("1")},
			{File: "a.csv", Line: 4, Column: "A", Reason: "it is wrong", Raw: []byte("wrong;4")},
			{File: "a.csv", Line: 5, Reason: "the row has 4 columns, the header has 2", Raw: []byte("5;6;7;8")},
		}},
		{"quoted", "A;B\n\n\"1\n1\"\n2;3\nwrong;\"\n4\"\n", true, []registry.Reject{
			{File: "a.csv", Line: 3, Reason: "the row has 1 columns, the header has 2", Raw: []byte("\"1\n")},
			{File: "a.csv", Line: 4, Reason: "the row has 1 columns, the header has 2", Raw: []byte("1\"\n")},
			{File: "a.csv", Line: 6, Column: "A", Reason: "it is wrong", Raw: []byte("wrong;\"\n4\"\n")},
		}},
		{"long", "A;B\n" + strings.Repeat("x", 2*keptRawBytes) + "\n", false, []registry.Reject{
			{File: "a.csv", Line: 2, Reason: "the row has 1 columns, the header has 2", Raw: []byte(strings.Repeat("x", keptRawBytes))},
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, out, err := rowsOf(t, Table{Quoted: c.quoted, Columns: []Column{{Name: "A"}, {Name: "B"}}}, c.content)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, out.Rejects()); diff != "" {
				t.Error(diff)
			}
			if got := out.Figures().Rejected; got != int64(len(c.want)) {
				t.Errorf("%d rejected, want %d", got, len(c.want))
			}
		})
	}
}

// TestBadBytes checks that a byte which is not UTF-8 rejects its row and does not change how other
// rows are decoded.
func TestBadBytes(t *testing.T) {
	t.Parallel()
	content := "A;B;C\nação;\xe7;x\né;ç;\xff\nx;ü;y\n"
	for _, quoted := range []bool{false, true} {
		got, out, err := rowsOf(t, Table{Quoted: quoted, Columns: []Column{{Name: "A"}, {Name: "B"}}}, content)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[int64]string{3: "é|ç", 4: "x|ü"}, got); diff != "" {
			t.Error(diff)
		}
		rejects := out.Rejects()
		if len(rejects) != 1 || rejects[0].Line != 2 || rejects[0].Column != "B" || !strings.Contains(rejects[0].Reason, "UTF-8") {
			t.Errorf("rejects %+v", rejects)
		}
	}
}

func TestTableRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, content, want string
		table               Table
	}{
		{"missing columns", "x\nB;Ó\n", "its header (line 2) lacks A, C D: the layout has changed, or this is another file; it has B, O", Table{
			Start:   func(s string) bool { return s != "x" },
			Columns: []Column{{Name: "A"}, {Name: "B"}, {Name: "ç  d"}, {Name: "E", Optional: true}},
		}},
		{"no header", "x\ny\n", "its first 2 lines are no header", Table{Start: func(string) bool { return false }}},
		{"empty", "", "a.csv is empty: fetch it again", Table{}},
		{"blank", "\r\n \n", "a.csv is empty: fetch it again", Table{Quoted: true}},
		{"too many rejects", "A\n" + strings.Repeat("1;2\n", 101), "101 rows cannot be read, more than the 100 tolerated", Table{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := rowsOf(t, c.table, c.content)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestTableVisitError(t *testing.T) {
	t.Parallel()
	in := find(t, write(t, map[string]string{"a.csv": "A\n1\n2\n"}), FindOptions{})
	broken := errors.New("disk full")
	for _, quoted := range []bool{false, true} {
		table := Table{Quoted: quoted, Columns: []Column{{Name: "A"}}, Visit: func(*Writer) func(*Row) error {
			return func(r *Row) error {
				if r.Value(0) == "2" {
					return broken
				}
				return nil
			}
		}}
		err := table.Read(context.Background(), in, in.Files[0], NewOutput(nil, nil))
		if !errors.Is(err, broken) || err.Error() != "a.csv line 3: disk full" {
			t.Errorf("quoted %v: got %v", quoted, err)
		}
	}
}

func TestTableStops(t *testing.T) {
	t.Parallel()
	in := find(t, write(t, map[string]string{"a.csv": "A\n1\n"}), FindOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, quoted := range []bool{false, true} {
		table := Table{Quoted: quoted, Visit: func(*Writer) func(*Row) error { return func(*Row) error { return nil } }}
		if err := table.Read(ctx, in, in.Files[0], NewOutput(nil, nil)); !errors.Is(err, context.Canceled) {
			t.Errorf("quoted %v: got %v", quoted, err)
		}
	}
}

func TestTableMarksUndefinedBytes(t *testing.T) {
	t.Parallel()
	got, out, err := rowsOf(t, Table{Columns: []Column{{Name: "A"}}}, "A;B\n\x81x\x9d;y\nx;\x81\n\xe1;y\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int64]string{2: "\ufffdx\ufffd", 3: "x", 4: "á"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"caractere_indefinido": 1}, out.Figures().Marked); diff != "" {
		t.Error(diff)
	}
}

func TestTableHeader(t *testing.T) {
	t.Parallel()
	in := find(t, write(t, map[string]string{"a.csv": "ID;\"RAZ\xc3O  SOCIAL \x96 CADASTRO RECEITA\"; in\xedcio \n"}), FindOptions{})
	got, err := (&Table{Quoted: true}).Header(in.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"ID", "RAZAO SOCIAL - CADASTRO RECEITA", "INICIO"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestTableManyBlocks reads files of several blocks, with a row longer than a block: no row is lost
// or doubled at a cut, and each knows its line.
func TestTableManyBlocks(t *testing.T) {
	t.Parallel()
	for _, quoted := range []bool{false, true} {
		t.Run(fmt.Sprint("quoted ", quoted), func(t *testing.T) {
			t.Parallel()
			content := []string{"A;B"}
			want := map[int64]string{}
			for line := int64(2); line < 60_000; line++ {
				value := strings.Repeat("x", int(line%90))
				if line == 30_000 {
					value = strings.Repeat("longa", 600_000)
				}
				want[line] = fmt.Sprintf("%d|%s", line, value)
				content = append(content, fmt.Sprintf("%d;%s", line, value))
			}
			got, _, err := rowsOf(t, Table{Quoted: quoted, Columns: []Column{{Name: "A"}, {Name: "B"}}}, strings.Join(content, "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff[:min(len(diff), 2000)])
			}
		})
	}
}

// TestUnclosedQuotes checks that a quote which is never closed costs only its own line.
func TestUnclosedQuotes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("5;6\n", maxRow>>2+1)
	cases := []struct {
		name, content string
		rejected      []int64 // lines
		rows          int
	}{
		{"in the last column", "A;B\n1;2\n3;\"4\n\"5\";\"6\"\n7;8\n", []int64{3}, 3},
		{"in the first column", "A;B\n\"1;2\n\"3\";\"4\"\n", []int64{2}, 1},
		{"closed by a quote in the next row, the columns fit", "A;B\n1;\"2\n3;\"4\"\n5;6\n", []int64{2}, 2},
		{"in the last row", "A;B\n1;2\n3;\"4\n", []int64{3}, 1},
		{"in two rows", "A;B\n\"1;2\n\"3;4\n5;6\n", []int64{2, 3}, 1},
		{"behind empty lines, with CR LF", "A;B\r\n\r\n\"1\";\"2\r\n\r\n\"3\";\"4\"\r\n", []int64{3}, 1},
		{"before more than a row can be", "A;B\n1;2\n3;\"4\n" + long, []int64{3}, 2 + maxRow>>2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, out, err := rowsOf(t, Table{Quoted: true, Columns: []Column{{Name: "A"}, {Name: "B"}}}, c.content)
			if err != nil {
				t.Fatal(err)
			}
			var rejected []int64
			for _, r := range out.Rejects() {
				if rejected = append(rejected, r.Line); r.Reason == "" || strings.Contains(strings.TrimRight(string(r.Raw), "\r\n"), "\n") {
					t.Errorf("reject %+v", r)
				}
			}
			if diff := cmp.Diff(c.rejected, rejected); diff != "" || len(got) != c.rows {
				t.Errorf("%d rows, want %d; rejected lines %s", len(got), c.rows, diff)
			}
		})
	}
}

// TestRowsWithoutEnd: neither a header nor a row is read into memory for ever, nor one with millions of columns. A header
// refuses the file; a row is a reject, and the rows behind it are read.
func TestRowsWithoutEnd(t *testing.T) {
	hex := strings.Repeat("0f1e2d3c", 26<<20/8)
	accents := strings.Repeat("\xe7\xe3o 1", 26<<20/5)
	for name, c := range map[string]struct {
		quoted  bool
		content string
		says    string
		rows    int // 0: the file is refused
	}{
		"a header":                            {false, strings.Repeat("A", 2*headBytes), "no header ends", 0},
		"a quoted header":                     {true, "\"" + strings.Repeat("A", 2*maxRow), "does not end within", 0},
		"a row":                               {false, "A;B\n1;2\n" + hex + "\n3;4\n", "more than 4 MiB", 2},
		"a row, Latin-1":                      {false, "A;B\n1;2\n" + accents + "\n3;4\n", "more than 4 MiB", 2},
		"a row, UTF-8":                        {false, ByteOrderMark + "A;B\n1;2\n" + strings.Repeat("ção 1", 26<<20/7) + "\n3;4\n", "more than 4 MiB", 2},
		"a row of two columns":                {false, "A;B\n1;2\n9;" + hex + "\n3;4\n", "more than 4 MiB", 2},
		"a row of columns":                    {false, "A;B\n1;2\n" + strings.Repeat(";", 26<<20) + "\n3;4\n", "more than 4 MiB", 2},
		"a row without line end":              {false, "A;B\n1;2\n3;4\n" + hex, "more than 4 MiB", 2},
		"a quoted row":                        {true, "A;B\n1;2\n9;\"" + hex + "\"\n3;4\n", "does not end within", 2},
		"a quoted row, Latin-1":               {true, "A;B\n1;2\n9;\"" + accents + "\"\n3;4\n", "does not end within", 2},
		"a quoted row never closed":           {true, "A;B\n1;2\n9;\"" + hex + "\n3;4\n", "does not end within", 2},
		"a quoted row never closed, the last": {true, "A;B\n1;2\n3;4\n\"" + hex, "does not end within", 2},
		"a quoted row of columns":             {true, "A;B\n1;2\n" + strings.Repeat(";", 26<<20) + "\n3;4\n", "10,000 columns", 2},
		"a row that is just read":             {false, "A;B\n1;2\n3;" + hex[:maxRow-100] + "\n\n5;\xff;\n", "3 columns", 2},
		"a quoted row of one column too many": {true, "A;B\n1;2\n3;4\n5;6;" + hex[:maxRow-100<<10] + "\n", "3 columns", 2},
	} {
		table := Table{Quoted: c.quoted, Columns: []Column{{Name: "A"}, {Name: "B"}}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, out, err := rowsOf(t, table, c.content)
		runtime.ReadMemStats(&after)
		// What a test beside it allocates counts too: nothing runs beside this one.
		if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(20*len(c.content)+8*headBytes) {
			t.Errorf("%s: %d bytes were allocated for %d", name, spent, len(c.content))
		}
		if c.rows == 0 {
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "a.csv line 1") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		rejects := out.Rejects()
		if err != nil || len(got) != c.rows || len(rejects) != 1 || !strings.Contains(rejects[0].Reason, c.says) || out.Figures().Read != int64(c.rows+1) {
			t.Errorf("%s: %d rows of %d, %v, rejects %.300v", name, len(got), out.Figures().Read, err, rejects)
		}
	}
}

// TestBlankLinesWithoutEnd: more blank lines than a row may have bytes cost no row.
func TestBlankLinesWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, quoted := range []bool{false, true} {
		content := "A;B\n1;2\n" + strings.Repeat("\n", 3*maxRow) + "3;4\n"
		got, out, err := rowsOf(t, Table{Quoted: quoted, Columns: []Column{{Name: "A"}, {Name: "B"}}}, content)
		if want := map[int64]string{2: "1|2", 3*maxRow + 3: "3|4"}; err != nil || !maps.Equal(got, want) || out.Figures().Read != 2 {
			t.Errorf("quoted %v: %v, %v", quoted, got, err)
		}
	}
}

// FuzzQuoted compares the reader of quoted rows with encoding/csv on well-formed files. On others
// it checks that no line is lost: each begins a row, lies in a well-formed one, or is blank.
func FuzzQuoted(f *testing.F) {
	for _, body := range []string{
		"1;2\n3;\"4\n\"5\";\"6\"\n", "\"a\nb\";2\n", "1;\"2\n3;\"4\"\n", "\"a\"\"b\";\"\"\r\n\r\n1;2", "1;a\"b\n", "\r", "1;\"\r\n",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		content := "A;B\n" + body
		got, out, err := rowsOf(t, Table{Quoted: true, Columns: []Column{{Name: "A"}, {Name: "B"}}}, content)
		if err != nil {
			t.Skip(err) // too many rejects
		}
		if int64(len(got))+out.Figures().Rejected != out.Figures().Read {
			t.Fatalf("%q: %d rows and %d rejects of %d", body, len(got), out.Figures().Rejected, out.Figures().Read)
		}
		strict := csv.NewReader(strings.NewReader(content))
		strict.Comma = ';'
		if want, err := strict.ReadAll(); err == nil && len(got) != len(want)-1 {
			t.Fatalf("%q: %d rows, encoding/csv has %d", body, len(got), len(want)-1)
		}
		first := map[int64]bool{}
		for line := range got {
			first[line] = true
		}
		for _, r := range out.Rejects() {
			first[r.Line] = true
		}
		checkEveryLineIsRead(t, content, first)
	})
}

func checkEveryLineIsRead(t *testing.T, content string, first map[int64]bool) {
	t.Helper()
	lines := strings.SplitAfter(content, "\n")
	for i := 1; i < len(lines); i++ {
		if first[int64(i+1)] || strings.Trim(lines[i], "\r\n") == "" {
			continue
		}
		begin := i
		for begin > 0 && !first[int64(begin+1)] {
			begin--
		}
		rest := strings.Join(lines[begin:], "")
		strict := csv.NewReader(strings.NewReader(rest))
		strict.Comma, strict.FieldsPerRecord = ';', -1
		_, err := strict.Read()
		row := strings.TrimSuffix(rest[:strict.InputOffset()], "\n")
		if err != nil || begin+strings.Count(row, "\n") < i {
			t.Fatalf("%q: line %d was swallowed by a row that is not well-formed", content, i+1)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("1;2;3", 3)
	f.Add("", 1)
	f.Add(";;;", 2)
	f.Fuzz(func(t *testing.T, row string, width int) {
		width = 1 + (width%40+40)%40
		fields := make([]string, width)
		n := split(row, ';', fields)
		want := strings.Split(row, ";")
		if n != len(want) {
			t.Fatalf("%q in %d: %d fields, want %d", row, width, n, len(want))
		}
		if diff := cmp.Diff(want[:min(n, width)], fields[:min(n, width)]); diff != "" {
			t.Error(diff)
		}
	})
}
