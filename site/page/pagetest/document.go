package pagetest

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Document is a served page, parsed, or an element of one.
type Document struct{ *html.Node }

// Parse parses a page.
func Parse(t testing.TB, body string) Document {
	t.Helper()
	node, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return Document{node}
}

// All returns the elements with a name, in document order.
func (d Document) All(name string) (found []Document) {
	for node := range d.Descendants() {
		if node.Type == html.ElementNode && node.Data == name {
			found = append(found, Document{node})
		}
	}
	return found
}

// Of returns the elements with a name and one value of an attribute.
func (d Document) Of(name, attribute, value string) (found []Document) {
	for _, element := range d.All(name) {
		if element.Attribute(attribute) == value {
			found = append(found, element)
		}
	}
	return found
}

// At returns the element with an id; it fails the test when there is none.
func (d Document) At(t testing.TB, id string) Document {
	t.Helper()
	for node := range d.Descendants() {
		if (Document{node}).Attribute("id") == id {
			return Document{node}
		}
	}
	t.Fatalf("the page has no element %s", id)
	return Document{}
}

// Attribute returns the value of an attribute, or "".
func (d Document) Attribute(name string) string {
	for _, a := range d.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// Text returns the text of an element with whitespace collapsed.
func (d Document) Text() string {
	var b strings.Builder
	for node := range d.Descendants() {
		if node.Type == html.TextNode {
			b.WriteString(node.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Links returns the addresses of the links in an element by their texts.
func (d Document) Links() map[string]string {
	links := map[string]string{}
	for _, a := range d.All("a") {
		links[a.Text()] = a.Attribute("href")
	}
	return links
}

// Next returns the address of the next page of a list, or "".
func (d Document) Next() string {
	for _, a := range d.Of("a", "rel", "next") {
		return a.Attribute("href")
	}
	return ""
}

// Rows returns the rows of the first table in an element, without its head and foot.
func (d Document) Rows() []Document {
	for _, body := range d.All("tbody") {
		return body.All("tr")
	}
	return nil
}

// Results returns the results of a search or listing.
func (d Document) Results() (results []Document) {
	for _, list := range d.Of("ol", "class", "results") {
		results = append(results, list.All("li")...)
	}
	return results
}

// Fields returns the fields of the only form of a page that is sent to an address, as pairs of name and value: those that nobody
// fills in.
func Fields(t testing.TB, body, action string) (fields []string) {
	t.Helper()
	forms := Parse(t, body).Of("form", "action", action)
	if len(forms) != 1 {
		t.Fatalf("%d forms are sent to %s", len(forms), action)
	}
	for _, field := range forms[0].Of("input", "type", "hidden") {
		fields = append(fields, field.Attribute("name"), field.Attribute("value"))
	}
	return fields
}

// Between returns the text between the first before and the next after.
func Between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}
