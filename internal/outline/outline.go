// Package outline turns a page into the text of what a reader gets: headings, facts, tables, links, forms and notes, one to a
// line, without markup, classes or styles. Tests keep outlines in golden files, so that a change of wording is one line of a
// reviewable diff, and a lost row is seen.
package outline

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var update = flag.Bool("update", false, "write the golden files of pages instead of comparing with them")

// An Option changes what is told of a page.
type Option func(*writer)

// Without leaves out the elements with a name and with an attribute: what many pages share is told once, not in every file.
func Without(element, key, value string) Option {
	return func(w *writer) {
		w.without = append(w.without, func(n *html.Node) bool { return n.Data == element && attribute(n, key) == value })
	}
}

// Masked puts a text in the place of all that a pattern matches: of values that no two runs have in common.
func Masked(pattern, text string) Option {
	mask := regexp.MustCompile(pattern)
	return func(w *writer) {
		w.masks = append(w.masks, func(outline string) string { return mask.ReplaceAllString(outline, text) })
	}
}

// Golden compares the outline of a page with testdata/name.outline, which -update writes.
func Golden(t testing.TB, name string, page io.Reader, options ...Option) {
	t.Helper()
	got, err := Of(page, options...)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name+".outline")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (make it with -update)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got; -update accepts it):\n%s", path, diff)
	}
}

// Of returns the outline of a page.
func Of(page io.Reader, options ...Option) (string, error) {
	var w writer
	for _, option := range options {
		option(&w)
	}
	text, err := w.outline(page)
	if err != nil || w.other == nil {
		return text, err
	}
	other, err := w.outline(w.other)
	return difference(other, text), err
}

func (w *writer) outline(page io.Reader) (string, error) {
	tree, err := html.ParseWithOptions(page, html.ParseOptionEnableScripting(false))
	if err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	w.out.Reset()
	w.visit(tree)
	w.flush()
	text := w.out.String()
	for _, mask := range w.masks {
		text = mask(text)
	}
	return text, nil
}

// writer writes lines. What runs within a line is gathered until an element ends the line.
type writer struct {
	out   strings.Builder
	line  strings.Builder
	start string // of the line that is gathered: "- ", "h2 "
	row   bool   // of a table
	depth int    // of sections

	without []func(*html.Node) bool
	masks   []func(string) string
	other   io.Reader
}

// text adds to the line.
func (w *writer) text(s string) { w.line.WriteString(s) }

func (w *writer) flush() {
	if w.row {
		return
	}
	if words := words(w.line.String()); len(words) > 0 {
		w.out.WriteString(strings.Repeat("  ", w.depth) + w.start + strings.Join(words, " ") + "\n")
	}
	w.line.Reset()
	w.start = ""
}

// words returns the words of a text. A no-break space is part of what is written.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' })
}

// begin ends the line before and begins another. An item that begins with a heading or a paragraph is one line, and so is a
// row, whatever its cells are made of.
func (w *writer) begin(start string) {
	switch {
	case w.row:
		w.text(" / ")
	case strings.TrimSpace(w.line.String()) == "":
		w.start += start
	default:
		w.flush()
		w.start = start
	}
}

func (w *writer) visit(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		w.text(n.Data)
	case n.Type != html.ElementNode:
		w.children(n)
	case attribute(n, "hidden") != none, slices.ContainsFunc(w.without, func(leaves func(*html.Node) bool) bool { return leaves(n) }):
	default:
		w.element(n)
	}
}

func (w *writer) children(n *html.Node) {
	apart := attribute(n, "aria-hidden") == "true" // what nobody reads aloud needs no blanks to stand apart
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.visit(c)
		if apart {
			w.text(" ")
		}
	}
}

func (w *writer) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template:
	case atom.Meta, atom.Link:
		w.head(n)
	case atom.Svg:
		w.drawing(n)
	case atom.Title, atom.H1, atom.H2, atom.H3, atom.H4, atom.Caption, atom.Legend, atom.Summary, atom.Dt, atom.Figcaption, atom.Noscript:
		w.block(n, n.Data+" ")
	case atom.Dd:
		w.block(n, "  = ")
	case atom.Li:
		w.block(n, "- ")
	case atom.Pre:
		w.code(n)
	case atom.Tr:
		w.tableRow(n)
	case atom.Th, atom.Td:
		w.cell(n)
	case atom.P, atom.Div, atom.Table, atom.Dl, atom.Ul, atom.Ol, atom.Blockquote, atom.Details, atom.Fieldset, atom.Body, atom.Figure:
		w.block(n, "")
	case atom.Header, atom.Main, atom.Footer, atom.Nav, atom.Section, atom.Article, atom.Aside, atom.Form:
		w.section(n)
	case atom.A:
		w.children(n)
		w.text("(" + attribute(n, "href"))
		for _, key := range []string{"rel", "aria-current"} {
			if value := attribute(n, key); value != none {
				w.text(" " + key + "=" + value)
			}
		}
		w.text(")")
	case atom.Input, atom.Button, atom.Select, atom.Option, atom.Textarea:
		w.control(n)
	case atom.Br:
		w.text(" / ")
	case atom.Img:
		w.text("[" + attribute(n, "alt") + "]")
	default:
		w.children(n)
	}
}

func (w *writer) block(n *html.Node, start string) {
	if role := attribute(n, "role"); role == "alert" || role == "status" {
		start += role + " "
	}
	w.begin(start)
	w.children(n)
	w.flush()
}

// tableRow writes the cells in one line, with a stroke between what several blocks in a cell say.
func (w *writer) tableRow(n *html.Node) {
	w.flush()
	w.row = true
	w.children(n)
	w.row = false
	line := strings.Join(words(w.line.String()), " ")
	w.line.Reset()
	w.start = "| "
	w.text(strokes.ReplaceAllString(line, "$1$2"))
	w.flush()
}

// code keeps the lines of a program, and how far they are indented.
func (w *writer) code(n *html.Node) {
	w.flush()
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	for line := range strings.SplitSeq(strings.TrimRight(b.String(), "\n"), "\n") {
		w.out.WriteString(strings.TrimRight(strings.Repeat("  ", w.depth)+"pre "+line, " ") + "\n")
	}
}

// strokes are those at the edge of a cell, and all but one of several.
var strokes = regexp.MustCompile(`(^|\| |/ )(?:/ )+|(?: /)+( \||$)`)

func (w *writer) cell(n *html.Node) {
	if order := attribute(n, "aria-sort"); order != none {
		w.text("[" + order + "] ")
	}
	w.children(n)
	for sibling := n.NextSibling; sibling != nil; sibling = sibling.NextSibling {
		if sibling.Type == html.ElementNode {
			w.text(" | ")
			return
		}
	}
}

// section shows a landmark with its name and what is in it below.
func (w *writer) section(n *html.Node) {
	name := "<" + n.Data
	for _, key := range []string{"id", "aria-label", "method", "action"} {
		if value := attribute(n, key); value != none {
			name += " " + key + "=" + value
		}
	}
	w.begin("")
	w.text(name + "> ")
	w.flush()
	w.depth++
	w.children(n)
	w.flush()
	w.depth--
}

// head shows what of the head is for readers and search engines.
func (w *writer) head(n *html.Node) {
	start, text := attribute(n, "name"), attribute(n, "content")
	if n.DataAtom == atom.Link {
		start, text = attribute(n, "rel"), attribute(n, "href")
	}
	switch start {
	case "description", "robots", "canonical", "alternate", "next", "prev":
		w.begin(start + " ")
		w.text(text)
		w.flush()
	}
}

// drawing shows the title of a drawing, and the links in it.
func (w *writer) drawing(n *html.Node) {
	for c := range n.Descendants() {
		if c.Type != html.ElementNode {
			continue
		}
		switch c.Data {
		case "title":
			if c.FirstChild != nil {
				w.block(c, "svg ")
			}
		case "a":
			w.begin("svg ")
			w.text("(" + attribute(c, "href") + ")")
			w.flush()
		}
	}
}

func (w *writer) control(n *html.Node) {
	w.text(" [" + n.Data)
	for _, key := range []string{"type", "name", "value", "required", "checked", "selected", "disabled", "autofocus", "aria-invalid"} {
		if value := attribute(n, key); value != none {
			w.text(" " + key + "=" + value)
		}
	}
	w.text("] ")
	w.children(n)
}

// none stands for an attribute that an element has not.
const none = "\x00"

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return none
}
