// Package report formats the results of benchmarks: a Markdown page whose tables are also readable
// as plain text, durations, sizes and ratios in customary units, percentiles, and progress lines on
// the terminal.
package report

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// Say prints a progress line with the time of day to stderr.
func Say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

// Page is a Markdown page under construction. The zero value is empty and ready to use.
type Page struct{ text strings.Builder }

// String returns the Markdown written so far.
func (p *Page) String() string { return p.text.String() }

// Section starts a section with a third-level heading.
func (p *Page) Section(title string) { fmt.Fprintf(&p.text, "### %s\n\n", title) }

// Line writes a paragraph.
func (p *Page) Line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n\n", args...) }

// Table is a Markdown table. Its cells are padded so that it also reads well as plain text: the
// first column is aligned left, all others right.
type Table struct {
	Head []string // titles of the columns
	rows [][]string
}

// Row adds a row. It must have as many cells as Head.
func (t *Table) Row(cells ...string) { t.rows = append(t.rows, cells) }

// Table writes t with its columns padded to the width of their widest cell.
func (p *Page) Table(t *Table) {
	width := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.rows...) {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell), 3)
		}
	}
	p.cells(t.Head, width)
	rule := "|" + strings.Repeat("-", width[0]+2)
	for _, w := range width[1:] {
		rule += "|" + strings.Repeat("-", w+1) + ":"
	}
	p.text.WriteString(rule + "|\n")
	for _, row := range t.rows {
		p.cells(row, width)
	}
	p.text.WriteString("\n")
}

// cells writes one row with the given column widths, in characters.
func (p *Page) cells(cells []string, width []int) {
	for i, cell := range cells {
		pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
		if i == 0 {
			cell, pad = pad, cell
		}
		p.text.WriteString("| " + pad + cell + " ")
	}
	p.text.WriteString("|\n")
}

// Seconds formats a duration as "1.25 s".
func Seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// Millis formats a duration as "1.250 ms".
func Millis(d time.Duration) string { return fmt.Sprintf("%.3f ms", ms(d)) }

// Micros formats a duration as "1.2 µs".
func Micros(d time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(d)/float64(time.Microsecond))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Megabytes formats a number of bytes as "12 MB", of a million bytes each.
func Megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }

// Percent formats a fraction as a percentage: 0.125 is "12.5 %".
func Percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// Count formats an integer that is not negative with commas between thousands: "1,234,567".
func Count[N int | int64](n N) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Ratio returns a / b, or 0 if b is 0.
func Ratio[A, B int | int64 | time.Duration](a A, b B) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Times formats a / b as "1.25 ×", or "" if b is not positive.
func Times(a, b time.Duration) string {
	if b <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2f ×", Ratio(a, b))
}
