package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// page is Markdown being written.
type page struct{ text strings.Builder }

func (p *page) section(title string) { fmt.Fprintf(&p.text, "### %s\n\n", title) }

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n\n", args...) }

// table is a Markdown table, aligned for those who read it as text: the first column left, the figures right.
type table struct {
	head []string
	rows [][]string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

func (p *page) table(t *table) {
	width := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell), 3)
		}
	}
	p.cells(t.head, width)
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

func (p *page) cells(cells []string, width []int) {
	for i, cell := range cells {
		pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
		if i == 0 {
			cell, pad = pad, cell
		}
		p.text.WriteString("| " + pad + cell + " ")
	}
	p.text.WriteString("|\n")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
func millis(d time.Duration) string {
	return fmt.Sprintf("%.3f ms", float64(d)/float64(time.Millisecond))
}

func micros(d time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(d)/float64(time.Microsecond))
}
func megabytes(n int64) string     { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// count writes a number with commas between thousands.
func count(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
