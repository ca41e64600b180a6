package lists

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/store/reconcile"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

// choiceField is the field of the buttons that choose a candidate: line and CNPJ, 17-11222333000181. 17- takes the choice back.
const choiceField = "escolha"

// chooseCandidate answers POST /lista/{lista}/escolhas: it keeps which candidate a line means, and leads back to the line.
func (hs *Handlers) chooseCandidate(c *gin.Context, snap *snapshot.Snapshot, a *answer) error {
	at, err := a.choose(c.Request.Context(), snap, c.PostForm(choiceField))
	if err == nil {
		err = hs.keepChoice(c, a, at)
	}
	if err != nil {
		return err
	}
	back := url.URL{Path: Path + "/" + a.token, RawQuery: c.Request.URL.RawQuery, Fragment: anchor(&a.Lines[at])}
	hs.pages.SendPage(c, snap, page.SeeOther(back.String()), web.Nobody)
	return nil
}

// anchor is the fragment of a line in the page.
func anchor(l *line) string { return "linha-" + strconv.Itoa(l.Line) }

// choosable reports whether somebody can say which candidate the line means.
func (l *line) choosable() bool { return len(l.Candidates) > 0 && (!l.Found || l.Chosen) }

// choose takes a candidate for what a line means, and reads what there is of it. It returns which line it is. The error is an
// *page.InvalidParameter, or one of the records.
func (a *answer) choose(ctx context.Context, snap *snapshot.Snapshot, choice string) (at int, err error) {
	unknown := page.UnknownValue(choiceField, choice, "Deve ser uma linha com candidatas e o CNPJ de uma delas.")
	number, of, _ := strings.Cut(choice, "-")
	is := func(c candidate) bool { return c.CNPJ.String() == of }
	at = slices.IndexFunc(a.Lines, func(l line) bool { // one line may have several numbers
		return strconv.Itoa(l.Line) == number && l.choosable() && (of == "" || slices.ContainsFunc(l.Candidates, is))
	})
	if at < 0 {
		return at, unknown
	}
	l := &a.Lines[at]
	l.Found, l.Chosen, l.CNPJ, l.Situation = false, false, 0, ""
	if of == "" {
		return at, nil
	}
	chosen := l.Candidates[slices.IndexFunc(l.Candidates, is)]
	found, err := reconcile.Numbers(ctx, snap, []registry.Document{documentOf(chosen.CNPJ)})
	if err == nil && found[0] == nil { // it is not there any more
		err = unknown
	}
	if err != nil {
		return at, err
	}
	l.Chosen = true
	l.set(snap, found[0])
	a.addUp(ctx, snap)
	return at, nil
}

// keepChoice keeps what was chosen for a line, beside what is chosen for others meanwhile.
func (hs *Handlers) keepChoice(c *gin.Context, a *answer, at int) error {
	who, err := hs.pages.Visitor(c)
	if err != nil {
		return err
	}
	return hs.kept.Change(c.Request.Context(), who.Account, a.token, func(content []byte) ([]byte, error) {
		now, err := decode(content)
		if err != nil {
			return nil, err
		}
		now.Lines[at].Outcome = a.Lines[at].Outcome
		if now.dossiers == nil {
			now.dossiers = a.dossiers
		}
		maps.Copy(now.dossiers, a.dossiers)
		return now.encode()
	})
}
