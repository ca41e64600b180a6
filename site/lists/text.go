package lists

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// readText reads delimited text: commas, semicolons, tabs or bars, in UTF-8, UTF-16 with a byte order mark, or
// Windows-1252, in which spreadsheets of Brazil save CSV.
func (l *list) readText(ctx context.Context, file []byte) error {
	in := &source{ctx: ctx, from: decode(file), work: &work{most: maxMarks}}
	text := bufio.NewReader(in)
	head, _ := text.Peek(1 << 10) // its error comes again
	r := csv.NewReader(text)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = delimiter(head), -1, true
	for {
		in.step()
		cells, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errTooLarge):
			return errLongCell
		case err != nil:
			return refusal(ctx, err)
		}
		line, _ := r.FieldPos(0)
		if err := l.addText(line, cells); err != nil {
			return err
		}
	}
}

// addText adds a row of a text.
func (l *list) addText(line int, cells []string) error {
	last, size := 0, 0
	for i := range cells {
		cells[i] = oneLine(cells[i])
		if isLong(cells[i]) {
			return errLongCell
		}
		if cells[i] != "" {
			last = i + 1
		}
		size += len(cells[i])
	}
	if err := l.grow(last, size); err != nil {
		return err
	}
	return l.add(line, cells)
}

// decode reads the text of a file.
func decode(file []byte) io.Reader {
	var otherwise transform.Transformer = transform.Nop
	if !utf8.Valid(file) {
		otherwise = charmap.Windows1252.NewDecoder()
	}
	return transform.NewReader(bytes.NewReader(file), unicode.BOMOverride(otherwise))
}

// delimiter returns the separator that stands most often in the first kilobyte; tabs before others, since
// pasted cells have them and texts do not.
func delimiter(head []byte) rune {
	best, most := ',', 0
	for _, candidate := range "\t;,|" {
		if n := bytes.Count(head, []byte(string(candidate))); n > most {
			best, most = candidate, n
		}
	}
	return best
}
