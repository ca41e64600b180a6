package company

import (
	"context"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/changes"
	"razao/site/page"
)

const (
	changesPerPage = 50
	changesShown   = 6                // of the first page; the others are folded away
	feedSuffix     = "/mudancas.atom" // follows the CNPJ in the path of the feed
	fileSuffix     = "/mudancas.csv"
)

// changesSection is the history of the company: on the page of its head office that of all
// establishments, on that of a branch the company's and its own.
type changesSection struct {
	Failed  bool             // the history could not be read; try again later
	First   []wording.Change // newest first
	Rest    []wording.Change // folded away
	Pager   page.Pager
	Since   string   // month of the first load of the history, MM/AAAA; "" without one
	Lately  string   // month of the load in service, if it changed something
	Unknown []string // what is not known of changes
	Feed    string   // path
	File    string   // path
}

// Brief reports that the section is a single sentence.
func (c *changesSection) Brief() bool {
	return c.Failed || len(c.First)+len(c.Unknown) == 0 && !c.Pager.Beyond
}

// All returns the rows of the page, for the Markdown version.
func (c *changesSection) All() []wording.Change {
	return append(c.First[:len(c.First):len(c.First)], c.Rest...)
}

// changes reads the history of the company. An error is logged and shown as Failed; it does not fail
// the page.
func (hs *Handlers) changes(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, e *record.Establishment, r *request) changesSection {
	s := changesSection{Feed: "/" + e.CNPJ.String() + feedSuffix, File: "/" + e.CNPJ.String() + fileSuffix}
	found, err := changesAbout(ctx, snap, h, e)
	if err == nil {
		s.Unknown, err = changes.Unknown(ctx, snap, 0)
	}
	if err != nil {
		web.EventOf(ctx).Fail(err)
		s.Failed = true
		return s
	}
	for _, l := range journal.Loads(snap) {
		if l.Source == registry.Receita {
			s.Since = ptbr.Month(l.Period)
			break
		}
	}
	if len(found) > 0 && found[0].Load.ID == snap.Load.ID {
		s.Lately = ptbr.Month(snap.Load.Period)
	}
	s.Pager = r.pager("Páginas de mudanças", "mudancas", changesPerPage, len(found))
	if s.Pager.Beyond {
		return s
	}
	for i := range found[max(s.Pager.From-1, 0):s.Pager.To] {
		w := wording.ChangeOf(hs.atlas, snap, &found[s.Pager.From-1+int64(i)])
		w.Company = wording.Link{} // the page is about it, and about this establishment
		if w.Establishment.Text == e.CNPJ.Masked() {
			w.Establishment = wording.Link{}
		}
		s.First = append(s.First, w)
	}
	if s.Pager.Page == 1 && len(s.First) > changesShown+1 { // folding a single one would save nothing
		s.First, s.Rest = s.First[:changesShown], s.First[changesShown:]
	}
	return s
}

// changesAbout returns the changes of the company that the page of an establishment is about.
func changesAbout(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, e *record.Establishment) ([]journal.Change, error) {
	found, err := journal.Of(ctx, snap, h)
	if !e.HeadOffice() {
		found = slices.DeleteFunc(found, func(c journal.Change) bool { return !c.Concerns(e.CNPJ.Order()) })
	}
	return found, err
}

// changesOf reads an establishment and its changes. The error is a *page.UnknownCNPJ if there is none.
func changesOf(ctx context.Context, snap *snapshot.Snapshot, full cnpj.Full) (head pack.Head, e record.Establishment, found []journal.Change, err error) {
	if head, err = snap.Company(ctx, full.Root()); err == nil {
		e, err = snap.Establishment(ctx, &head, full.Order())
	}
	if err != nil {
		return head, e, nil, page.Missing(full.String(), err)
	}
	found, err = changesAbout(ctx, snap, &head, &e)
	return head, e, found, err
}

// feed answers /{cnpj}/mudancas.atom.
func (hs *Handlers) feed(c *gin.Context, snap *snapshot.Snapshot) error {
	full, moved, err := hs.addressed(c, snap, feedSuffix)
	switch {
	case err != nil:
		return err
	case moved.Location != "":
		c.Redirect(moved.Status, moved.Location)
		return nil
	}
	ctx := c.Request.Context()
	head, establishment, found, err := changesOf(ctx, snap, full)
	if err != nil {
		return err
	}
	f, err := changes.CompanyFeed(ctx, hs.atlas, snap, wording.NameOf(&head, &establishment), full, found)
	if err != nil {
		return err
	}
	return hs.pages.SendFeed(c, snap, f)
}

// changesFile answers /{cnpj}/mudancas.csv.
func (hs *Handlers) changesFile(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	root, full, err := page.NumberOf(c.Request.Context(), snap, c.Param("cnpj"))
	if err != nil {
		return page.Table{}, err
	}
	ctx := c.Request.Context()
	if full == 0 {
		if full, err = headOffice(ctx, snap, root); err != nil {
			return page.Table{}, err
		}
	}
	_, _, found, err := changesOf(ctx, snap, full)
	return changes.CompanyTable(hs.atlas, snap, full, found), err
}

// Nothing says that nothing has changed, and since when that is known.
func (c *changesSection) Nothing() string {
	if c.Since == "" {
		return "Ainda não há história: ela começa com a próxima carga."
	}
	return "Nada desde a carga de " + c.Since + ", em que a história começa."
}
