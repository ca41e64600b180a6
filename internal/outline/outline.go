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
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var update = flag.Bool("update", false, "write the golden files of pages instead of comparing with them")

// Golden compares the outline of a page with testdata/name.outline, which -update writes.
func Golden(t testing.TB, name string, page io.Reader) {
	t.Helper()
	got, err := Of(page)
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
func Of(page io.Reader) (string, error) {
	tree, err := html.Parse(page)
	if err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	var w writer
	w.visit(tree)
	w.flush()
	return w.out.String(), nil
}

// writer writes lines. What runs within a line is gathered until an element ends the line.
type writer struct {
	out   strings.Builder
	line  strings.Builder
	start string // of the line that is gathered: "- ", "h2 "
	depth int    // of sections
}

// text adds to the line.
func (w *writer) text(s string) { w.line.WriteString(s) }

func (w *writer) flush() {
	// Not strings.Fields: a no-break space is part of what is written.
	words := strings.FieldsFunc(w.line.String(), func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' })
	if len(words) > 0 {
		w.out.WriteString(strings.Repeat("  ", w.depth) + w.start + strings.Join(words, " ") + "\n")
	}
	w.line.Reset()
	w.start = ""
}

// begin ends the line before and begins another.
func (w *writer) begin(start string) {
	w.flush()
	w.start = start
}

func (w *writer) visit(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		w.text(n.Data)
	case n.Type != html.ElementNode:
		w.children(n)
	case attribute(n, "hidden") != none:
	default:
		w.element(n)
	}
}

func (w *writer) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.visit(c)
	}
}

func (w *writer) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript:
	case atom.Meta, atom.Link:
		w.head(n)
	case atom.Svg:
		w.drawing(n)
	case atom.Title, atom.H1, atom.H2, atom.H3, atom.H4, atom.Caption, atom.Legend, atom.Summary, atom.Dt, atom.Figcaption, atom.Pre:
		w.block(n, n.Data+" ")
	case atom.Dd:
		w.block(n, "  = ")
	case atom.Li:
		w.block(n, "- ")
	case atom.Tr:
		w.block(n, "| ")
	case atom.Th, atom.Td:
		w.cell(n)
	case atom.P, atom.Div, atom.Table, atom.Dl, atom.Ul, atom.Ol, atom.Blockquote, atom.Details, atom.Fieldset, atom.Body, atom.Figure:
		w.block(n, "")
	case atom.Header, atom.Main, atom.Footer, atom.Nav, atom.Section, atom.Article, atom.Aside, atom.Form:
		w.section(n)
	case atom.A:
		w.children(n)
		w.text("(" + attribute(n, "href") + ")")
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
	w.begin(start)
	w.children(n)
	w.flush()
}

func (w *writer) cell(n *html.Node) {
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
	w.text(name + ">")
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
	for _, key := range []string{"type", "name", "value", "required", "checked", "selected", "disabled"} {
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
