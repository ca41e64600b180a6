// Package feeds reads the Atom feeds of the website with a parser that the product does not depend on,
// and holds them to RFC 4287.
package feeds

import (
	"encoding/xml"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

// TestFeeds reads each kind of feed after a month in which a company with markup in its name changed.
func TestFeeds(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09",
		"ESTRELA DO SUL LTDA", "ESTRELA <NORTE> & CIA LTDA", `"12345678";"S";"20120101"`, `"12345678";"N";"20120101"`))
	h := sitetest.New(t, l)
	for path, page := range map[string]string{
		"/mudancas.atom": "/mudancas",
		"/mudancas.atom?evento=empresa.nome&uf=SP":                         "/mudancas?evento=empresa.nome&uf=SP",
		"/mudancas.atom?cnae=10":                                           "/mudancas?cnae=10",
		"/uf/sp/mudancas.atom":                                             "/uf/sp",
		"/uf/sp/campinas/mudancas.atom":                                    "/uf/sp/campinas",
		"/12345678000195/mudancas.atom":                                    "/12345678000195",
		"/" + fixture.Full(t, fixture.Holding).String() + "/mudancas.atom": "/" + fixture.Full(t, fixture.Holding).String(),
	} {
		w := h.Get(t, path)
		if kind := w.Header().Get("Content-Type"); w.Code != 200 || kind != "application/atom+xml; charset=utf-8" {
			t.Fatalf("%s: %d, %s", path, w.Code, kind)
		}
		body := w.Body.String()
		conforms(t, path, body)
		f, err := gofeed.NewParser().ParseString(body)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if f.FeedType != "atom" || f.UpdatedParsed == nil || f.Language != "pt-BR" || !strings.HasSuffix(f.FeedLink, path) || !strings.HasSuffix(f.Link, page) {
			t.Errorf("%s: %s, %v, %s, %s, %s", path, f.FeedType, f.UpdatedParsed, f.Language, f.FeedLink, f.Link)
		}
		quiet := strings.HasPrefix(path, "/"+fixture.Full(t, fixture.Holding).String())
		if quiet != (len(f.Items) == 0) {
			t.Errorf("%s: %d entries", path, len(f.Items))
		}
		for _, item := range f.Items {
			if item.GUID == "" || item.Title == "" || item.UpdatedParsed == nil || item.Link == "" || !strings.Contains(item.Content, "<li>") {
				t.Errorf("%s: %+v", path, item)
			}
		}
		if !quiet && !strings.Contains(f.Items[0].Content, "Estrela &lt;norte&gt; &amp; Cia") && !strings.Contains(strings.ToLower(body), "estrela &amp;lt;norte&amp;gt; &amp;amp; cia") {
			t.Errorf("%s: the new name is missing or its markup is not escaped: %s", path, body)
		}
		if !strings.Contains(h.Body(t, page), `type="application/atom+xml" href="`+strings.ReplaceAll(path, "&", "&amp;")+`"`) {
			t.Errorf("%s does not lead to its feed", page)
		}
		for name, value := range map[string]string{"If-None-Match": w.Header().Get("ETag"), "If-Modified-Since": w.Header().Get("Last-Modified")} {
			if again := h.Get(t, path, name, value); again.Code != 304 || value == "" {
				t.Errorf("%s, %s %s: %d", path, name, value, again.Code)
			}
		}
	}
}

// TestFeedsStayWhatTheyAre publishes another month in which nothing changes: an entry keeps its name,
// and who has the feed of a company needs no other.
func TestFeedsStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	edits := []string{"ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA"}
	l.Publish(t, fixture.Published(t, "2026-09", edits...))
	h := sitetest.New(t, l)
	const path = "/12345678000195/mudancas.atom"
	before := h.Get(t, path)
	l.Publish(t, fixture.Published(t, "2026-10", edits...))
	if after := h.Get(t, path, "If-None-Match", before.Header().Get("ETag")); after.Code != 304 {
		t.Errorf("status %d: %s, before %s", after.Code, after.Body, before.Body)
	}
}

// element is any element of a feed.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e *element) all(name string) (found []element) {
	for _, c := range e.Children {
		if c.XMLName.Local == name {
			found = append(found, c)
		}
	}
	return found
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// conforms checks the rules of the RELAX NG schema in RFC 4287, appendix B, and of its sections 4.1.1
// and 4.1.2 that apply to these feeds.
func conforms(t *testing.T, path, body string) {
	t.Helper()
	var feed element
	if err := xml.Unmarshal([]byte(body), &feed); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	known := map[string]bool{"author": true, "content": true, "entry": true, "generator": true, "id": true, "link": true, "subtitle": true, "title": true, "updated": true}
	ids := map[string]bool{}
	check := func(e *element, what string) {
		for _, name := range []string{"id", "title", "updated"} {
			if n := len(e.all(name)); n != 1 {
				t.Errorf("%s: %s has %d %s", path, what, n, name)
				return
			}
		}
		id := e.all("id")[0].Text
		if u, err := url.Parse(id); err != nil || u.Scheme == "" || ids[id] {
			t.Errorf("%s: %s has the id %q", path, what, id)
		}
		ids[id] = true
		if _, err := time.Parse(time.RFC3339, e.all("updated")[0].Text); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		links := map[string]bool{}
		for _, link := range e.all("link") {
			u, err := url.Parse(link.attr("href"))
			key := link.attr("rel") + link.attr("type")
			if err != nil || !u.IsAbs() || links[key] {
				t.Errorf("%s: %s has the link %+v", path, what, link.Attrs)
			}
			links[key] = true
		}
		for _, c := range e.Children {
			if c.XMLName.Space != "http://www.w3.org/2005/Atom" || !known[c.XMLName.Local] {
				t.Errorf("%s: %s has %v", path, what, c.XMLName)
			}
		}
	}
	if feed.XMLName.Local != "feed" || len(feed.all("author")) != 1 || len(feed.all("entry")) > 100 {
		t.Errorf("%s: %v with %d entries", path, feed.XMLName, len(feed.all("entry")))
	}
	check(&feed, "feed")
	for _, e := range feed.all("entry") {
		check(&e, "entry")
		if c := e.all("content"); len(c) != 1 || c[0].attr("type") != "html" || len(c[0].Children) > 0 {
			t.Errorf("%s: content %+v", path, c)
		}
	}
}
