// Package changes shows what each load changed: the page of the country, /mudancas, the Atom feeds of
// the country, of places and of companies, and the table of changes that the page of a company has.
//
// The history is in the order in which loads were announced, and a page of it begins at a position, which its
// address has. So an address shows the same for as long as the history goes back that far, and
// following pages leave nothing out. Gaps are shown wherever changes are: no change is never "we could
// not look".
//
// Filters ask what companies were before a load, or after it. A rare filter may find nothing in what one request looks at
// (maxWalks); the page then leads on. A feed looks up what passes its filters if that is few, and
// otherwise says that it is not complete.
package changes

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"text/template"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index/filter"
	"razao/internal/data/territory"
	"razao/internal/store/journal"
	"razao/internal/store/loads"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/page"
)

// maxWalks bounds the parts of the history that one request looks at.
const maxWalks = 3

// Handlers serves the pages and feeds. It is safe for concurrent use.
type Handlers struct {
	pages    *page.Server
	atlas    *territory.Atlas
	filters  *filter.Reader
	markdown *template.Template
}

//go:embed country.md
var markdownFiles embed.FS

// New returns the handlers. An error means that the built-in CNAE table or a template is malformed, and
// should stop the program.
func New(pages *page.Server) (*Handlers, error) {
	hs := &Handlers{pages: pages, atlas: pages.Live.Atlas()}
	var err, malformed error
	hs.filters, err = pages.Live.Filters()
	hs.markdown, malformed = pages.ParseMarkdown("country", markdownFiles)
	return hs, errors.Join(err, malformed)
}

// Register adds the routes of the handlers to pages.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/mudancas", hs.pages.Page(hs.country))
	web.Get(pages, path+markdownSuffix, hs.pages.OnSnapshot(hs.countryMarkdown))
	web.Get(pages, listPath, hs.pages.Export(hs.countryList))
	web.Get(pages, seriesPath, hs.pages.Table(web.Everyone, hs.seriesCSV))
	web.Get(pages, cohortsPath, hs.pages.Table(web.Everyone, hs.cohortsCSV))
	web.Get(pages, "/mudancas.atom", hs.pages.OnSnapshot(hs.countryFeed))
	web.Get(pages, "/uf/:uf/mudancas.atom", hs.pages.OnSnapshot(hs.placeFeed))
	web.Get(pages, "/uf/:uf/:cidade/mudancas.atom", hs.pages.OnSnapshot(hs.placeFeed))
}

// gap is what is not known of the changes of a load.
type gap struct {
	id        string // stable
	at        time.Time
	sentences []string
}

// gapsOf returns what is not known of changes since a number of the journal: loads that failed after those in
// service, and gaps of the history, the newest first.
func gapsOf(ctx context.Context, snap *snapshot.Snapshot, since int64) ([]gap, error) {
	var gaps []gap
	failed, err := loads.Failed(ctx, snap)
	for i := range failed {
		l := &failed[i]
		gaps = append(gaps, gap{fmt.Sprintf("falha/%d", l.ID), l.StartedAt, []string{wording.FailedLoad(l)}})
	}
	loads := journal.Loads(snap)
	for i := len(loads) - 1; i >= 0 && loads[i].Seq >= since; i-- {
		l := &loads[i]
		if sentences := wording.GapsOf(l); len(sentences) > 0 {
			gaps = append(gaps, gap{fmt.Sprintf("lacuna/%d", l.ID), l.AnnouncedAt, sentences})
		}
	}
	return gaps, err
}

// Unknown says, a sentence each, what is not known of changes since a number of the journal.
func Unknown(ctx context.Context, snap *snapshot.Snapshot, since int64) (sentences []string, err error) {
	gaps, err := gapsOf(ctx, snap, since)
	for i := range gaps {
		sentences = append(sentences, gaps[i].sentences...)
	}
	return sentences, err
}

// walk returns changes from a position on, and the position behind them. It looks further while it
// has found none, maxWalks times; more reports whether something may follow. given is the position as the address has it.
func walk(ctx context.Context, snap *snapshot.Snapshot, q journal.Query, given string) (found []journal.Change, next history.Position, more bool, err error) {
	for range maxWalks {
		part, err := partOf(ctx, snap, q, given)
		if err != nil {
			return nil, next, false, err
		}
		if found, next, more = part.Changes, part.Next, part.More; len(found) > 0 || !more {
			break
		}
		q.From = next
	}
	return found, next, more, nil
}

// partOf returns a part of the history. A position that the history does not reach any more is an *page.InvalidParameter if an address
// gave it, and otherwise the oldest: the history was forgotten after the page had chosen where to begin.
func partOf(ctx context.Context, snap *snapshot.Snapshot, q journal.Query, given string) (journal.Page, error) {
	part, err := journal.Walk(ctx, snap, q)
	old, ok := errors.AsType[*journal.TooOldError](err)
	switch {
	case !ok:
		return part, err
	case given != "":
		return part, page.UnknownValue(cursorName, given, "A história não vai mais até lá. A posição mais antiga é "+writeCursor(old.Oldest)+".")
	}
	q.From = old.Oldest
	return journal.Walk(ctx, snap, q)
}
