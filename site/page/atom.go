package page

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// Feed is an Atom feed (RFC 4287) without what is the same in all of them.
type Feed struct {
	Title   string
	Note    string // a sentence on what the feed does not have; "" for none
	Path    string // of the feed, with its parameters
	Page    string // path of the page that it is about
	Updated time.Time
	Entries []FeedEntry
}

// FeedEntry is an entry of a feed.
type FeedEntry struct {
	ID      string // unique and forever, in the name space of changes
	Title   string
	URL     string // path of the page
	Updated time.Time
	Content Fragment
}

// The elements of a feed, in the order in which the schema of RFC 4287 is read most easily.
type (
	atomFeed struct {
		XMLName   xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Language  string      `xml:"xml:lang,attr"`
		ID        string      `xml:"id"`
		Title     string      `xml:"title"`
		Subtitle  string      `xml:"subtitle,omitempty"`
		Updated   string      `xml:"updated"`
		Author    string      `xml:"author>name"`
		Generator string      `xml:"generator"`
		Links     []atomLink  `xml:"link"`
		Entries   []atomEntry `xml:"entry"`
	}
	atomEntry struct {
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Link    atomLink    `xml:"link"`
		Content atomContent `xml:"content"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr"`
		Href string `xml:"href,attr"`
	}
	atomContent struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
)

// TypeAtom is the media type of feeds.
const TypeAtom = "application/atom+xml"

// SendFeed sends a feed. Its tag is that of its content, which does not change with a snapshot that
// changed nothing of it: pollers get a 304.
func (s *Server) SendFeed(c *gin.Context, snap *snapshot.Snapshot, f *Feed) error {
	body, err := s.EncodeFeed(f)
	if err != nil {
		return err
	}
	c.Header("Last-Modified", snap.PublishedAt().UTC().Format(http.TimeFormat))
	c.Header("X-Robots-Tag", "noindex")
	s.Sender.Send(c, web.Reply{
		Status: http.StatusOK, ContentType: TypeAtom + "; charset=utf-8", ETag: web.ETag(body), Caching: ForEveryone(snap, 0), Body: body,
	})
	return nil
}

// EncodeFeed returns a feed as it is sent. Titles are text, of which programs make links.
func (s *Server) EncodeFeed(f *Feed) ([]byte, error) {
	out := atomFeed{
		Language: "pt-BR", ID: s.tag(f.Path), Title: ptbr.Unlinked(f.Title), Subtitle: f.Note, Updated: stamp(f.Updated), Author: "Razão", Generator: "Razão",
		Links: []atomLink{{"self", TypeAtom, s.BaseURL + f.Path}, {"alternate", "text/html", s.BaseURL + f.Page}},
	}
	for i := range f.Entries {
		e := &f.Entries[i]
		out.Entries = append(out.Entries, atomEntry{
			ID: s.tag(e.ID), Title: ptbr.Unlinked(e.Title), Updated: stamp(e.Updated), Link: atomLink{"alternate", "text/html", s.BaseURL + e.URL},
			Content: atomContent{"html", e.Content.html},
		})
	}
	body, err := xml.Marshal(&out)
	if err != nil {
		return nil, fmt.Errorf("encode feed: %w", err)
	}
	return append([]byte(xml.Header), body...), nil
}

// tag returns a tag URI (RFC 4151), which names a thing of this site forever, whatever its scheme and
// port.
func (s *Server) tag(specific string) string {
	host := "localhost"
	if u, err := url.Parse(s.BaseURL); err == nil && u.Hostname() != "" {
		host = u.Hostname()
	}
	return "tag:" + host + ",2026:" + (&url.URL{Path: specific}).EscapedPath()
}

// stamp writes a moment (RFC 3339).
func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }
