// Package outline reduces an HTML page to the text that a reader gets: headings, facts, tables,
// links, forms and notes, one to a line and indented by landmark, without markup, classes and
// styles. Tests keep outlines in golden files, so that a change of wording is one line of a
// reviewable diff and a lost row does not go unnoticed.
//
// Elements with the attribute hidden are left out, as are scripts, styles and templates. Links show
// their address, form controls their state, images their alternative text. Of the rows of a table or
// the items of a list only ten are written, and how many follow.
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

// An Option changes what an outline contains.
type Option func(*writer)

// Without omits the elements with a name and an attribute value: what many pages share belongs in
// one golden file, not in all of them.
func Without(element, key, value string) Option {
	return func(w *writer) {
		w.without = append(w.without, func(n *html.Node) bool { return n.Data == element && attribute(n, key) == value })
	}
}

// Masked replaces everything that a regular expression matches by text, for values that differ in
// every run.
func Masked(pattern, text string) Option {
	mask := regexp.MustCompile(pattern)
	return func(w *writer) {
		w.masks = append(w.masks, func(outline string) string { return mask.ReplaceAllString(outline, text) })
	}
}

// Golden compares the outline of a page with testdata/name.outline and fails the test if they
// differ. With -update it writes that file instead.
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

// Of returns the outline of a page, or with [Against] how it differs from that of another one.
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

// outline parses a page as browsers without JavaScript do, so noscript elements are included.
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

// writer walks the tree and writes lines. Inline content is gathered in line until a block element
// ends it.
type writer struct {
	out   strings.Builder
	line  strings.Builder
	start string // prefix of the gathered line, such as "- " or "h2 "
	row   bool   // within a table row, which is one line
	depth int    // of nested sections

	without []func(*html.Node) bool
	masks   []func(string) string
	other   io.Reader // of Against; nil: none
}

// text appends inline content to the line.
func (w *writer) text(s string) { w.line.WriteString(s) }

// flush ends the gathered line; within a table row it does nothing.
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

// words splits at HTML whitespace. A no-break space is content.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' })
}

// begin starts a new line with a prefix. An empty line keeps its prefix, so that an item that
// starts with a heading or paragraph remains one line. Within a row, blocks are separated by a
// slash instead.
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

// visit writes a node unless it is hidden or left out.
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

// maxListed is how many rows of a table, or items of a list, an outline has.
const maxListed = 10

func (w *writer) children(n *html.Node) {
	apart := attribute(n, "aria-hidden") == "true" // hidden from speech: its parts may lack blanks between them
	listed, items := 0, countItems(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isItem(c) {
			if listed++; listed > maxListed {
				w.begin(fmt.Sprintf("… %d more", items-maxListed))
				w.text(" ")
				w.flush()
				return
			}
		}
		w.visit(c)
		if apart {
			w.text(" ")
		}
	}
}

// isItem reports whether a node begins an item of a list, a row of a table, or a choice of a control.
func isItem(n *html.Node) bool {
	return slices.Contains([]atom.Atom{atom.Li, atom.Tr, atom.Dt, atom.Option, atom.Article}, n.DataAtom)
}

// countItems returns how many items a list has.
func countItems(n *html.Node) (items int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isItem(c) {
			items++
		}
	}
	return items
}

// element dispatches on the kind of element.
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

// block writes an element on a line of its own. Live regions are marked with their role.
func (w *writer) block(n *html.Node, start string) {
	if role := attribute(n, "role"); role == "alert" || role == "status" {
		start += role + " "
	}
	w.begin(start)
	w.children(n)
	w.flush()
}

// tableRow writes a row in one line: cells between bars, blocks within a cell between slashes.
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

// code keeps the lines of preformatted text with their indentation.
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

// strokes matches slashes at the edge of a cell, and all but one of several in a row.
var strokes = regexp.MustCompile(`(^|\| |/ )(?:/ )+|(?: /)+( \||$)`)

// cell writes a cell with its sort order, followed by a bar unless it is the last one.
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

// section writes a landmark with its name, and its content indented below.
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

// head writes the parts of the head that readers and search engines see.
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

// drawing writes the titles and links in an SVG.
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

// control writes a form control with its state.
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

// none is the value of an attribute that an element does not have. An attribute may be empty.
const none = "\x00"

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return none
}
