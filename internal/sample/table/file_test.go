package table

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDialects writes the same two rows in every publisher's dialect.
func TestDialects(t *testing.T) {
	t.Parallel()
	rows := []Row{
		{"NOME", "AÇÚCAR – \"DOCE\"", "UF", "SP"},
		{"NOME", "A;B", "UF", ""},
	}
	for name, c := range map[string]struct {
		file File
		want string
	}{
		"bare":        {File{Dialect: Dialect{End: "\n"}}, "NOME;UF\nAÇÚCAR – \"DOCE\";SP\nA;B;\n"},
		"always":      {File{Dialect: Dialect{Quoting: Always, End: "\r\n"}}, "\"NOME\";\"UF\"\r\n\"AÇÚCAR – \"\"DOCE\"\"\";\"SP\"\r\n\"A;B\";\"\"\r\n"},
		"as needed":   {File{Dialect: Dialect{Quoting: AsNeeded, End: "\n"}}, "NOME;UF\n\"AÇÚCAR – \"\"DOCE\"\"\";SP\n\"A;B\";\n"},
		"plain title": {File{Dialect: Dialect{Quoting: Always, PlainHeader: true, End: "\n"}}, "NOME;UF\n\"AÇÚCAR – \"\"DOCE\"\"\";\"SP\"\n\"A;B\";\"\"\n"},
		"Windows":     {File{Dialect: Dialect{End: "\n", Windows: true}}, "NOME;UF\nA\xc7\xdaCAR \x96 \"DOCE\";SP\nA;B;\n"},
		"lead":        {File{Dialect: Dialect{Lead: "\n"}}, "NOME;UF\nAÇÚCAR – \"DOCE\";SP\nA;B;"},
		"footer":      {File{Dialect: Dialect{End: "\n", Windows: true}, Footer: "É"}, "NOME;UF\nA\xc7\xdaCAR \x96 \"DOCE\";SP\nA;B;\n\xc9"},
		"placed":      {File{Dialect: Dialect{End: "\n"}, Titles: []string{"UF", "CEP", "NOME"}}, "UF;CEP;NOME\nSP;;AÇÚCAR – \"DOCE\"\n;;A;B\n"},
		"loose": {
			File{Dialect: Dialect{Quoting: Always, End: "\n"}, Loose: func(x int) bool { return x == 1 }},
			"\"NOME\";\"UF\"\n\"AÇÚCAR – \"\"DOCE\"\"\";\"SP\"\n\"A;B\";\n",
		},
		"joined": {
			File{Dialect: Dialect{End: "\n"}, Header: "HEAD\n", Join: func(r Row) string { return strings.Join(r, "=") }},
			"HEAD\nNOME=AÇÚCAR – \"DOCE\"=UF=SP\nNOME=A;B=UF=\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := c.file
			f.To, f.Row = len(rows), func(x int) Row { return rows[x] }
			got, count := f.AppendPiece(nil, 0)
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if count != len(rows) {
				t.Errorf("%d rows are counted, want %d", count, len(rows))
			}
		})
	}
}

// TestPieces checks that the pieces of a table, concatenated, are the table in one piece.
func TestPieces(t *testing.T) {
	t.Parallel()
	f := File{
		Dialect: Dialect{End: "\n"}, From: 3, To: 20, Piece: 4, Header: "HEAD\n", Footer: "FOOT\n",
		Each: func(r *Rows, x int) {
			for range x % 3 {
				r.Add(Digits(x, 3))
			}
		},
	}
	var pieces []byte
	rows := 0
	for at := f.From; f.HasPiece(at); at += f.PieceSize() {
		var n int
		pieces, n = f.AppendPiece(pieces, at)
		rows += n
	}
	f.Piece = 100
	whole, n := f.AppendPiece(nil, f.From)
	if diff := cmp.Diff(string(whole), string(pieces)); diff != "" {
		t.Error(diff)
	}
	if rows != n || rows != strings.Count(string(whole), "\n")-2 {
		t.Errorf("%d rows in pieces, %d in one piece of\n%s", rows, n, whole)
	}
}

func TestEmptyTablesHaveTheirHeader(t *testing.T) {
	t.Parallel()
	row := func(int) Row { return Row{"A", "1", "B", "2"} }
	for name, c := range map[string]struct {
		file File
		want string
		rows int
	}{
		"titles": {File{Dialect: Dialect{End: "\n"}, Row: row}, "A;B\n", 0},
		"header": {File{Header: "X\nY\n"}, "X\nY\n", 2}, // all there is
	} {
		if !c.file.HasPiece(0) || c.file.HasPiece(c.file.PieceSize()) {
			t.Errorf("%s: not one piece", name)
		}
		if got, n := c.file.AppendPiece(nil, 0); string(got) != c.want || n != c.rows {
			t.Errorf("%s: %q with %d rows, want %q with %d", name, got, n, c.want, c.rows)
		}
	}
	if f := (File{Each: func(*Rows, int) {}}); f.HasPiece(0) {
		t.Error("a table without positions and titles has a piece")
	}
}
