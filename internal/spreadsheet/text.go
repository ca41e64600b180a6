package spreadsheet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Text is divided by RFC 4180 as far as its lines allow it: programs write quotes that never close ("BAR DO ZE;…) and close where no cell
// ends ("PADARIA 20" LTDA;…). encoding/csv takes all lines up to the next quote for one cell then.

const (
	sampled   = 100 // lines from which the separator is told
	mostLines = 100 // of one cell
	mostTries = 100 // for a quote that is never closed
)

// readText reads delimited text: commas, semicolons, tabs or bars, in UTF-8, UTF-16 with a byte order mark, or
// Windows-1252, in which spreadsheets of Brazil save CSV.
func (t *table) readText(ctx context.Context, file []byte) error {
	lines, err := linesOf(ctx, file)
	if err != nil {
		return refusal(ctx, err)
	}
	first := 0
	separator, declared := declaredSeparator(lines[0])
	if declared {
		first++
	} else {
		separator = separatorOf(lines)
	}
	expected := usualWidth(lines[first:], separator)
	tries := 0
	for i := first; i < len(lines); i++ {
		if err := ctx.Err(); i%100 == 0 && err != nil {
			return err
		}
		number, cells := i+1, []string(nil)
		cells, open := split(lines[i], separator)
		if open && len(cells) != expected && tries < mostTries {
			tries++
			if whole, last := joined(lines, i, separator); whole != nil {
				cells, i = whole, last
			}
		}
		if err := t.addText(number, cells); err != nil {
			return err
		}
	}
	return nil
}

// linesOf returns the lines of a text, at least one. They end with LF, CR LF or, as Excel for Mac writes them, CR.
func linesOf(ctx context.Context, file []byte) ([]string, error) {
	in := &source{ctx: ctx, from: decode(file), work: &work{most: maxRead}} // no marks to count: this is not XML
	var all strings.Builder
	chunk := make([]byte, 64<<10)
	for {
		in.step()
		n, err := in.Read(chunk)
		all.Write(chunk[:n])
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	text := all.String()
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	if strings.Count(text, "\n") > lastLine {
		return nil, errTooLong
	}
	lines := strings.Split(text, "\n")
	for _, line := range lines {
		if len(line) > maxAtOnce {
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
	return t.add(line, cells)
}

// decode reads the text of a file.
func decode(file []byte) io.Reader {
	var otherwise transform.Transformer = transform.Nop
	if !utf8.Valid(file) {
		otherwise = charmap.Windows1252.NewDecoder()
	}
	return transform.NewReader(bytes.NewReader(file), unicode.BOMOverride(otherwise))
}

// noSeparator is the separator of a list of one column.
const noSeparator = 0

var separatorLine = regexp.MustCompile(`^"?sep=([,;|\t])"?\r?$`)

// declaredSeparator returns the separator that a first line names for Excel: sep=;
func declaredSeparator(line string) (separator byte, ok bool) {
	said := separatorLine.FindStringSubmatch(line)
	if said == nil {
		return noSeparator, false
	}
	return said[1][0], true
}

// separatorOf returns the separator of a text: the one by which most lines have a CNPJ as a cell and then, since that may be the whole
// line, by which most have the same number of cells. Tabs come before others, since pasted cells have them and texts do not.
func separatorOf(lines []string) byte {
	sample := sampleOf(lines)
	best := byte(noSeparator)
	bestNumbers, _, _ := divided(sample, noSeparator)
	bestAlike := len(sample) / 2 // fewer are alike by chance
	for _, candidate := range []byte("\t;,|") {
		numbers, alike, width := divided(sample, candidate)
		if width > 1 && (numbers > bestNumbers || numbers == bestNumbers && alike > bestAlike) {
			best, bestNumbers, bestAlike = candidate, numbers, alike
		}
	}
	return best
}

// sampleOf returns the first lines that are not blank.
func sampleOf(lines []string) (sample []string) {
	for _, line := range lines {
		if len(sample) == sampled {
			break
		}
		if strings.TrimSpace(line) != "" {
			sample = append(sample, line)
		}
	}
	return sample
}

// divided says what a separator makes of lines: how many have a CNPJ as a cell, and how many the usual number of cells.
func divided(lines []string, separator byte) (numbers, alike, width int) {
	widths := map[int]int{}
	for _, line := range lines {
		cells, _ := split(line, separator)
		widths[len(cells)]++
		for _, cell := range cells[:min(len(cells), maxColumns)] {
			if n := readNumber(cell, false); n.Wrong == "" && n.Full != 0 && !n.amid {
				numbers++
				break
			}
		}
	}
	for n, lines := range widths {
		if lines > alike || lines == alike && n > width {
			alike, width = lines, n
		}
	}
	return numbers, alike, width
}

// usualWidth is how many cells most lines have.
func usualWidth(lines []string, separator byte) int {
	_, _, width := divided(sampleOf(lines), separator)
	return width
}

// split divides a line into its cells. open reports whether one of them begins with a quote that is not closed before the line ends.
func split(line string, separator byte) (cells []string, open bool) {
	rest := strings.TrimSuffix(line, "\r")
	for {
		cell, after, unclosed := unquote(rest, separator)
		open = open || unclosed
		if after < 0 {
			cell, after = rest, len(rest)
			if at := strings.IndexByte(rest, separator); separator != noSeparator && at >= 0 {
				cell, after = rest[:at], at
			}
		}
		cells = append(cells, cell)
		if after == len(rest) {
			return cells, open
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

// joined returns the cells of a row that begins in line i with a cell of several lines, and its last line; nil if no quote closes it.
func joined(lines []string, i int, separator byte) (cells []string, last int) {
	for last = i + 1; last < min(len(lines), i+mostLines); last++ {
		if strings.Count(lines[last], `"`)%2 == 0 {
			continue
		}
		whole := strings.Join(lines[i:last+1], "\n")
		if len(whole) > maxAtOnce {
			break
		}
		if cells, open := split(whole, separator); !open {
			return cells, last
		}
		break
	}
	return nil, i
}
