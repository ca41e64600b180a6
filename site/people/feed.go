package people

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/people/follow"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// A feed's address is feedPath, its token, feedSuffix.
const (
	feedPath   = "/conta/mudancas/"
	feedSuffix = ".atom"
)

// atomFeed is an Atom feed (RFC 4287).
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Link    atomLink    `xml:"link"`
	Content atomContent `xml:"content"`
}

type atomContent struct {
	Type string `xml:"type,attr"`
	HTML string `xml:",chardata"`
}

// feed answers the private feed of an account. The token in the address is the credential; a forged one
// costs no query.
func (hs *Handlers) feed(c *gin.Context) {
	body, err := hs.writeFeed(c.Request.Context(), c.Param("token"))
	if err != nil {
		hs.Pages.Fail(c, hs.missing(err))
		return
	}
	hs.Pages.Sender.Send(c, web.Reply{
		Status: 200, ContentType: "application/atom+xml; charset=utf-8", ETag: web.ETag(body), Body: body,
	})
}

func (hs *Handlers) writeFeed(ctx context.Context, name string) ([]byte, error) {
	token, ok := strings.CutSuffix(name, feedSuffix)
	if !ok {
		return nil, follow.ErrForged
	}
	id, err := hs.Follows.OfFeed(ctx, token)
	if err != nil {
		return nil, err
	}
	whole, err := hs.Pages.Live.Acquire()
	if err != nil {
		return nil, err
	}
	defer whole.Release()
	snap := whole.ForVisitors()
	changed, err := hs.Follows.Recent(ctx, snap, id, mostRecent)
	if err != nil {
		return nil, err
	}
	words, err := hs.telling.words(ctx, snap, changed)
	if err != nil {
		return nil, err
	}
	self := hs.Pages.BaseURL + feedPath + token + feedSuffix
	f := atomFeed{
		Lang: "pt-BR", ID: self, Title: "O que mudou no que você segue no Razão", Author: "Razão",
		Links: []atomLink{{"self", self}, {"alternate", hs.Pages.BaseURL + followingPath}},
	}
	if f.Entries, err = entriesOf(ctx, hs.Pages.BaseURL, changed, words); err != nil {
		return nil, err
	}
	if f.Updated = stamp(lastTold(snap)); len(f.Entries) > 0 {
		f.Updated = f.Entries[0].Updated
	}
	body, err := xml.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("feed: %w", err)
	}
	return append([]byte(xml.Header), body...), nil
}

func entriesOf(ctx context.Context, base string, changed []follow.Changed, words []told) ([]atomEntry, error) {
	entries := make([]atomEntry, 0, len(words))
	for i := range words {
		w, load := &words[i], changed[i].Changes[0].Load
		var content bytes.Buffer
		if err := toldEvents(w.Events).Render(ctx, &content); err != nil {
			return nil, fmt.Errorf("feed: %w", err)
		}
		entries = append(entries, atomEntry{
			ID: fmt.Sprintf("%s/%s#carga-%d", base, w.Root, load.ID), Title: w.Name + " (" + w.Source + ")", Updated: stamp(load.ToldAt),
			Link: atomLink{"alternate", w.URL}, Content: atomContent{"html", content.String()},
		})
	}
	return entries, nil
}

// lastTold returns when the newest load of the history was published.
func lastTold(snap *snapshot.Snapshot) time.Time {
	loads := snap.History()
	if len(loads) == 0 {
		return snap.PublishedAt()
	}
	return loads[len(loads)-1].ToldAt
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }
