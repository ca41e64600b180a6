package pagetest

import (
	"bytes"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/net/html"
)

// Texts that try to leave the place where they are shown (XSS): out of an element's text, an
// attribute in either kind of quotes, a script element, a comment, or into an address, a template
// or a line of its own.
var HostileTexts = []string{
	`"><script>alert(1)</script>`, `' onmouseover='alert(1)`, "javascript:alert(1)", " jAvAsCrIpT:alert(1)", "java\tscript:alert(1)",
	"data:text/html,<script>alert(1)</script>", `</script><svg onload=alert(1)>`, `</title></textarea><img src=x onerror=alert(1)>`,
	`\"-alert(1)-\"`, "a\u2028b\u2029c", "{{.}} { p.Name } ${1}", "<!--", "]]>", "&lt;b&gt; &amp; &#x22;", "\x01\x08\x1f\x7f", "\u202egnp.exe",
}

// Hostile fills every text of a page with hostile ones, renders it and fails unless it has the same
// elements and attributes as with a harmless text: published and typed text stays text, whatever it
// is. Addresses must lead to a page, not to a script. Fields that are not texts are filled with true
// and one, then with false and zero, so that both branches of most conditions are rendered.
func Hostile[P any](t *testing.T, render func(*bytes.Buffer, P) error, pages ...P) {
	t.Helper()
	for _, p := range pages {
		t.Run(strings.TrimLeft(fmt.Sprintf("%T", p), "*"), func(t *testing.T) {
			for _, on := range []bool{true, false} {
				want := outlined(t, render, p, "harmless", on)
				for _, text := range HostileTexts {
					got := outlined(t, render, p, text, on)
					if !slices.Equal(got.elements, want.elements) {
						t.Errorf("with %q the page has other elements:\n%s", text, firstDifference(want.elements, got.elements))
					}
					got.harmless(t, text)
				}
			}
		})
	}
}

// schemeOf reads an address as browsers do: without control characters and blanks (WHATWG URL).
func schemeOf(address string) string {
	address = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, address)
	u, err := url.Parse(address)
	if err != nil {
		scheme, _, found := strings.Cut(address, ":")
		if !found || strings.ContainsAny(scheme, "/?#") {
			return ""
		}
		return strings.ToLower(scheme)
	}
	return u.Scheme
}

// outline is what text must not change.
type outline struct {
	elements  []string // start and end tags, with the names of their attributes
	addresses []string
}

func outlined[P any](t *testing.T, render func(*bytes.Buffer, P) error, p P, text string, on bool) outline {
	t.Helper()
	fill(reflect.ValueOf(&p).Elem(), text, on, 0)
	var b bytes.Buffer
	if err := render(&b, p); err != nil {
		t.Fatalf("with %q: %v", text, err)
	}
	return outlineOf(b.String())
}

// Harmless fails if a page that was served for a hostile text has a script, an event handler or a
// link to a script.
func Harmless(t *testing.T, text, body string) {
	t.Helper()
	outlineOf(body).harmless(t, text)
}

func (o outline) harmless(t *testing.T, text string) {
	t.Helper()
	for _, element := range o.elements {
		if strings.Contains(element, " on") || element == "StartTag script" || element == "StartTag style" {
			t.Errorf("with %q the page has %s", text, element)
		}
	}
	for _, address := range o.addresses {
		if scheme := schemeOf(address); !slices.Contains([]string{"", "http", "https", "mailto", "about", "cursor", "vscode"}, scheme) {
			t.Errorf("with %q a link leads to %q", text, address)
		}
	}
}

// outlineOf returns the elements of a page, with the names of their attributes, and the addresses in
// them.
func outlineOf(body string) (o outline) {
	z := html.NewTokenizer(strings.NewReader(body))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return o
		case html.CommentToken:
			o.elements = append(o.elements, "comment")
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			token := z.Token()
			if token.Data == "mark" { // depends on the words of the search
				continue
			}
			element := kind.String() + " " + token.Data
			for _, a := range token.Attr {
				element += " " + a.Key
				if slices.Contains([]string{"href", "src", "action", "formaction"}, a.Key) {
					o.addresses = append(o.addresses, a.Val)
				}
			}
			o.elements = append(o.elements, element)
		}
	}
}

func firstDifference(want, got []string) string {
	for i := range want {
		if i >= len(got) || want[i] != got[i] {
			return fmt.Sprintf("element %d, want %v, got %v", i, want[i:min(len(want), i+3)], got[min(len(got), i):min(len(got), i+3)])
		}
	}
	return fmt.Sprintf("%v too many", got[len(want):])
}

// maxDepth bounds fill in structures that hold themselves.
const maxDepth = 12

// fill sets every field below v: texts to text, lists to two items, numbers to one or zero.
// Interfaces, functions and maps stay as they are.
func fill(v reflect.Value, text string, on bool, depth int) {
	if !v.CanSet() && v.CanAddr() { // unexported fields, too
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	if depth > maxDepth {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(on)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if on {
			v.SetInt(1)
		} else {
			v.SetInt(0)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Struct:
		if slices.Contains([]string{"time.Time", "big.Int"}, v.Type().String()) {
			return
		}
		if v.Type().String() == "page.Fragment" { // templates have made it
			v.SetZero()
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), text, on, depth+1)
		}
	case reflect.Pointer:
		if v.Type().Elem().Kind() != reflect.Struct {
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fill(v.Elem(), text, on, depth+1)
	case reflect.Interface:
		if p := v.Elem(); p.Kind() == reflect.Pointer {
			fill(p, text, on, depth)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), text, on, depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), text, on, depth+1)
		}
	}
}
