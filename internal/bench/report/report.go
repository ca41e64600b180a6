// Package report writes figures for people: Markdown whose tables can be read as text, durations and sizes in the units of
// the trade, percentiles, and on the terminal a word on what is going on.
package report

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// Say tells the person at the terminal what is going on.
func Say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

// Page is Markdown being written.
type Page struct{ text strings.Builder }

// String returns what was written.
func (p *Page) String() string { return p.text.String() }

// Section begins a part.
func (p *Page) Section(title string) { fmt.Fprintf(&p.text, "### %s\n\n", title) }

// Line writes a paragraph.
func (p *Page) Line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n\n", args...) }

// Table is aligned for those who read it as text: the first column left, the figures right.
type Table struct {
	Head []string
	rows [][]string
}

// Row adds a row, with a cell for each of Head.
func (t *Table) Row(cells ...string) { t.rows = append(t.rows, cells) }

// Table writes a table.
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

// Seconds writes 1.25 s.
func Seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// Millis writes 1.250 ms.
func Millis(d time.Duration) string { return fmt.Sprintf("%.3f ms", ms(d)) }

// Micros writes 1.2 µs.
func Micros(d time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(d)/float64(time.Microsecond))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Megabytes writes 12 MB.
func Megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }

// Percent writes a share of 1 as 12.5 %.
func Percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// Count writes a number with commas between thousands.
func Count[N int | int64](n N) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Ratio returns a / b, 0 when there is no b.
func Ratio[A, B int | int64 | time.Duration](a A, b B) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Times writes how many times b fits into a: 1.25 ×.
func Times(a, b time.Duration) string {
	if b <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2f ×", Ratio(a, b))
}
