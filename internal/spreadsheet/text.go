package spreadsheet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Text is divided by RFC 4180 as far as its lines allow it: programs write quotes that never close ("BAR DO ZE;…) and close where no cell
// ends ("PADARIA 20" LTDA;…). encoding/csv takes all lines up to the next quote for one cell then.

const (
	sampled   = 100 // rows from which the separator is told
	mostLines = 100 // of one cell
	mostTries = 100 // for a quote that is never closed
)

// readText reads delimited text: commas, semicolons, tabs or bars, in UTF-8, UTF-16 with a byte order mark, or
// Windows-1252, in which spreadsheets of Brazil save CSV.
func (t *table) readText(ctx context.Context, file []byte) error {
	if bytes.HasPrefix(file, []byte("%PDF-")) {
		return errFormat
	}
	lines, err := linesOf(ctx, file)
	if err != nil {
		return refusal(ctx, err)
	}
	r := reader{lines: lines}
	if separator, ok := declaredSeparator(lines[0]); ok {
		r.separator, r.next = separator, 1
	} else {
		r.separator = separatorOf(lines)
	}
	for n := 0; ; n++ {
		if err := ctx.Err(); n%100 == 0 && err != nil {
			return err
		}
		line, cells, ok := r.read()
		if !ok {
			return nil
		}
		if err := t.addText(line, cells); err != nil {
			return err
		}
	}
}

// linesOf returns the lines of a text, at least one. They end with LF, CR LF or, as Excel for Mac writes them, CR, in files that were put
// together from several in more than one way; so each is decoded by itself.
func linesOf(ctx context.Context, file []byte) ([]string, error) {
	in := &source{ctx: ctx, from: transform.NewReader(bytes.NewReader(file), unicode.BOMOverride(transform.Nop)), work: &work{most: maxRead}} // no XML: no marks to count
	var all bytes.Buffer
	for {
		in.step()
		_, err := io.CopyN(&all, in, maxAtOnce/2)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	text := bytes.ReplaceAll(all.Bytes(), []byte("\r\n"), []byte("\n"))
	legacy := charmap.Windows1252
	if !bytes.Contains(text, []byte("\n")) && bytes.Contains(text, []byte("\r")) {
		legacy = charmap.Macintosh
	}
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	if bytes.Count(text, []byte("\n")) > lastLine {
		return nil, errTooLong
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if !utf8.ValidString(line) {
			lines[i], _ = legacy.NewDecoder().String(line) // it has a character for each byte
		}
		if len(lines[i]) > maxAtOnce {
			return nil, errLongCell
		}
	}
	return lines, nil
}

// addText adds a row of a text.
func (t *table) addText(line int, cells []string) error {
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
	if err := t.grow(last, size); err != nil {
		return err
	}
	return t.add(Row{Line: line, Cells: cells})
}

// noSeparator is the separator of a list of one column.
const noSeparator = 0

var separatorLine = regexp.MustCompile(`^"?sep=([,;|\t])"?$`)

// declaredSeparator returns the separator that a first line names for Excel: sep=;
func declaredSeparator(line string) (separator byte, ok bool) {
	said := separatorLine.FindStringSubmatch(line)
	if said == nil {
		return noSeparator, false
	}
	return said[1][0], true
}

// separatorOf returns the separator of a text: the one by which most rows have a CNPJ as a cell and then, since that may be the whole
// line, by which most have the same number of cells. Tabs come before others, since pasted cells have them and texts do not.
func separatorOf(lines []string) byte {
	best := byte(noSeparator)
	most := divide(lines, noSeparator)
	most.alike = 0.5 // fewer are alike by chance
	for _, candidate := range []byte("\t;,|") {
		if d := divide(lines, candidate); d.width > 1 && (d.numbers > most.numbers || d.numbers == most.numbers && d.alike > most.alike) {
			best, most = candidate, d
		}
	}
	return best
}

// division is what a separator makes of the first rows.
type division struct {
	numbers int     // rows with a CNPJ as a cell
	width   int     // usual number of cells
	alike   float64 // part of the rows that have it
}

func divide(lines []string, separator byte) (d division) {
	r := reader{lines: lines[:min(len(lines), 3*sampled)], separator: separator}
	widths, rows := map[int]int{}, 0
	for rows < sampled {
		_, cells, ok := r.read()
		if !ok {
			break
		}
		if len(cells) == 1 && strings.TrimSpace(cells[0]) == "" {
			continue
		}
		rows++
		widths[len(cells)]++
		for _, cell := range cells[:min(len(cells), maxColumns)] {
			if n := readNumber(cell, noRoots); n.Wrong == "" && !n.amid {
				d.numbers++
				break
			}
		}
	}
	most := 0
	for width, n := range widths {
		if n > most || n == most && width > d.width {
			most, d.width = n, width
		}
	}
	d.alike = float64(most) / float64(max(rows, 1))
	return d
}

// reader reads the rows of lines.
type reader struct {
	lines     []string
	separator byte
	next      int
	tries     int // for quotes that were not closed
}

// read returns the cells of the next row and its first line, from 1.
func (r *reader) read() (line int, cells []string, ok bool) {
	if r.next >= len(r.lines) {
		return 0, nil, false
	}
	at := r.next
	r.next++
	cells, open, _ := split(r.lines[at], r.separator)
	if open && r.tries < mostTries {
		if whole, last := r.joined(at); whole != nil {
			cells, r.next = whole, last+1
		} else {
			r.tries++
		}
	}
	return at + 1, cells, true
}

// joined returns the cells of a row that begins in a line with a cell of several, and its last line; nil if no quote closes that cell, or
// if it had swallowed another row.
func (r *reader) joined(at int) (cells []string, last int) {
	for last = at + 1; last < min(len(r.lines), at+mostLines); last++ {
		if strings.Count(r.lines[last], `"`)%2 == 0 {
			continue
		}
		whole := strings.Join(r.lines[at:last+1], "\n")
		if len(whole) > maxAtOnce {
			break
		}
		cells, open, loose := split(whole, r.separator)
		switch {
		case open: // another cell of several lines
			continue
		case loose || slices.ContainsFunc(cells, r.isRows):
			return nil, at
		}
		return cells, last
	}
	return nil, at
}

// isRows reports whether a cell of several lines has rows with CNPJs in it: a quote before them was none.
func (r *reader) isRows(cell string) bool {
	return strings.Contains(cell, "\n") && readBeside(cell).Wrong != NoNumber && (r.separator == noSeparator || strings.IndexByte(cell, r.separator) >= 0)
}

// split divides a line into its cells. open reports whether one of them begins with a quote that is not closed before the line ends, and loose
// whether a line ends in a cell without quotes.
func split(line string, separator byte) (cells []string, open, loose bool) {
	rest := line
	for {
		cell, after, unclosed := unquote(rest, separator)
		open = open || unclosed
		if after < 0 {
			cell, after = rest, len(rest)
			if at := strings.IndexByte(rest, separator); separator != noSeparator && at >= 0 {
				cell, after = rest[:at], at
			}
			loose = loose || strings.Contains(cell, "\n")
		}
		cells = append(cells, cell)
		if after == len(rest) {
			return cells, open, loose
		}
		rest = rest[after+1:]
	}
}

// unquote returns a cell in quotes at the beginning of text, and where its separator is, or the end. after is -1 if there is none: quotes
// are part of a cell that goes on behind them. unclosed says that no quote ends it.
func unquote(text string, separator byte) (cell string, after int, unclosed bool) {
	quoted, found := strings.CutPrefix(strings.TrimLeft(text, " "), `"`)
	if !found {
		return "", -1, false
	}
	begin, end := len(text)-len(quoted), 0
	for {
		next := strings.IndexByte(quoted[end:], '"')
		if next < 0 {
			return "", -1, true
		}
		if end += next; !strings.HasPrefix(quoted[end+1:], `"`) {
			break
		}
		end += 2
	}
	behind := strings.TrimLeft(quoted[end+1:], " ")
	if behind != "" && (separator == noSeparator || behind[0] != separator) {
		return "", -1, false
	}
	if begin+end+1 > len(text) {
		return "", -1, true
	}
	return strings.ReplaceAll(quoted[:end], `""`, `"`), len(text) - len(behind), false
}
