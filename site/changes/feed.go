package changes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/store/journal"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

// Bounds of a feed.
const (
	maxEntries   = 100
	maxLoads     = 24  // that are read
	maxFurther   = 3   // parts of loads that are read beside the first part of each
	eventsWalked = 500 // of a part
	titlesShown  = 3   // events named in the title of an entry
)

// countryFeed answers /mudancas.atom, with the filters of /mudancas.
func (hs *Handlers) countryFeed(c *gin.Context, snap *snapshot.Snapshot) error {
	q, err := hs.read(c, snap)
	if err != nil {
		return err
	}
	own := q.parameters()
	f := &page.Feed{Title: "O que mudou nas empresas do Brasil", Path: page.WithParameters(path+feedSuffix, own), Page: page.WithParameters(path, own)}
	if phrases := filter.Phrases(q.given); len(phrases) > 0 {
		var texts []string
		for _, p := range phrases {
			texts = append(texts, p.Label+": "+p.Text)
		}
		f.Title = ptbr.Join(" · ", "O que mudou nas empresas", ptbr.Join(", ", texts...))
	}
	return hs.send(c, snap, f, q.query(history.Position{}, 0))
}

// placeFeed answers /uf/{uf}/mudancas.atom and /uf/{uf}/{cidade}/mudancas.atom.
func (hs *Handlers) placeFeed(c *gin.Context, snap *snapshot.Snapshot) error {
	uf, ok := hs.atlas.UF(c.Param("uf"))
	if !ok {
		return page.ErrUnknownPath
	}
	of, base, set := wording.OfState(uf), page.StatePath(uf.Code), filter.Of(filter.UF, uf.Code)
	if slug := c.Param("cidade"); slug != "" {
		m, ok := hs.atlas.BySlug(uf.Code, ptbr.Slug(slug))
		if !ok || m.UF == territory.Abroad {
			return page.ErrUnknownPath
		}
		of, base, set = wording.OfCity(m), page.MunicipalityPath(m), filter.Of(filter.UF, m.UF, filter.Municipio, m.RFB)
	}
	f := &page.Feed{Title: "O que mudou nas empresas " + of, Path: base + path + feedSuffix, Page: base}
	if moved, ok := page.Moved(c, f.Path); ok {
		c.Redirect(moved.Status, moved.Location)
		return nil
	}
	return hs.send(c, snap, f, journal.Query{Filters: set})
}

// send completes and sends a feed about many companies.
func (hs *Handlers) send(c *gin.Context, snap *snapshot.Snapshot, f *page.Feed, q journal.Query) error {
	found, complete, err := newest(c.Request.Context(), snap, q)
	if err != nil {
		return err
	}
	if !complete {
		f.Note = fmt.Sprintf("Só parte do que mudou: um feed tem no máximo %d entradas, as das cargas mais novas. A API, em /v2/mudancas, dá tudo.", maxEntries)
	}
	if err := Fill(c.Request.Context(), hs.atlas, snap, f, found); err != nil {
		return err
	}
	return hs.pages.SendFeed(c, snap, f)
}

// newest returns the changes of the newest loads, the load announced last first, until there are enough for
// a feed. complete is false if older ones, or some of these loads, are missing.
func newest(ctx context.Context, snap *snapshot.Snapshot, q journal.Query) (found []journal.Change, complete bool, err error) {
	loads := journal.Loads(snap)
	entries, read, further := 0, 0, 0
	q.Limit, q.OneLoad = eventsWalked, true
	for i := len(loads) - 1; i >= 0; i-- {
		if !hasAny(&loads[i], q.Events) {
			continue
		}
		if read++; read > maxLoads {
			return found, false, nil
		}
		q.From = history.Position{Seq: loads[i].Seq}
		for {
			part, err := journal.Walk(ctx, snap, q)
			if err != nil {
				return nil, false, err
			}
			for _, c := range part.Changes {
				if n := len(found); n == 0 || found[n-1].Root != c.Root || found[n-1].Load != c.Load {
					entries++
				}
				found = append(found, c)
			}
			if !part.More {
				break
			}
			if further++; entries > maxEntries || further > maxFurther {
				return found, false, nil
			}
			q.From = part.Next
		}
		if entries > maxEntries {
			return found, false, nil
		}
	}
	return found, true, nil
}

// CompanyFeed returns the feed of a company, or of one of its branches, from its changes.
func CompanyFeed(ctx context.Context, atlas *territory.Atlas, snap *snapshot.Snapshot, name string, number cnpj.Full, found []journal.Change) (*page.Feed, error) {
	f := &page.Feed{Title: "O que mudou: " + name + ", CNPJ " + number.Masked(), Path: "/" + number.String() + path + feedSuffix, Page: "/" + number.String()}
	return f, Fill(ctx, atlas, snap, f, found)
}

// Fill adds an entry for each company and load, and for what is not known. The newest come first.
func Fill(ctx context.Context, atlas *territory.Atlas, snap *snapshot.Snapshot, f *page.Feed, found []journal.Change) error {
	gaps, err := gapsOf(ctx, snap, 0)
	if err != nil {
		return err
	}
	for i := range gaps {
		e, err := gaps[i].entry()
		if err != nil {
			return err
		}
		f.Entries = append(f.Entries, e)
	}
	for _, of := range journal.Entries(found) {
		e, err := entryOf(atlas, snap, of)
		if err != nil {
			return err
		}
		f.Entries = append(f.Entries, e)
	}
	slices.SortStableFunc(f.Entries, func(a, b page.FeedEntry) int { return b.Updated.Compare(a.Updated) })
	f.Entries = f.Entries[:min(maxEntries, len(f.Entries))]
	f.Updated = snap.PublishedAt()
	if len(f.Entries) > 0 {
		f.Updated = f.Entries[0].Updated
	} else if loads := journal.Loads(snap); len(loads) > 0 {
		f.Updated = loads[len(loads)-1].AnnouncedAt
	}
	return nil
}

// entryOf says what a load changed of a company.
func entryOf(atlas *territory.Atlas, snap *snapshot.Snapshot, of journal.Entry) (page.FeedEntry, error) {
	var rows []wording.Change
	var titles []string
	for i := range of {
		row := wording.ChangeOf(atlas, snap, &of[i])
		rows = append(rows, row)
		if !slices.Contains(titles, row.Title) {
			titles = append(titles, row.Title)
		}
	}
	if n := len(titles); n > titlesShown {
		titles = append(titles[:titlesShown-1], "e mais "+ptbr.Count(n-titlesShown+1))
	}
	company := rows[0].Company
	content, err := page.Once(List(rows))
	return page.FeedEntry{
		ID: fmt.Sprintf("mudancas/%d/%s", of.Load().ID, of.Root()), Title: company.Text + ": " + strings.Join(titles, "; "),
		URL: cmp.Or(company.URL, path), Updated: of.Load().AnnouncedAt, Content: content,
	}, err
}

// entry says what is not known: a reader of the feed must not take its silence for no change.
func (g *gap) entry() (page.FeedEntry, error) {
	content, err := page.Once(sentenceList(g.sentences))
	return page.FeedEntry{ID: g.id, Title: g.sentences[0], URL: path, Updated: g.at, Content: content}, err
}
