package people

import (
	"context"
	"errors"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/errgroup"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/people/signin"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/totals"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/page"
)

const (
	holdingsPerPage = 50
	readAtOnce      = 4 // companies whose records are read at the same time
)

// portfolioPage is /conta/carteira: the companies that an account follows, at a glance.
type portfolioPage struct {
	page.Frame
	Flashes  []string
	Holdings []holding
	Total    int
	Pager    page.Pager
	Problem  string // why a list was not included
}

// holding is a company of a portfolio.
type holding struct {
	Root    cnpj.Root
	Name    string
	Exists  bool           // it is in the load
	Status  wording.Status // of its head office; Text "" without one
	Debts   figure         // total in the active debt
	InForce figure         // sanctions in force
	Last    string         // the newest load that changed it, and what
	since   record.Date
}

// figure is what a source says: a number, or why there is none.
type figure struct {
	Status registry.Status
	Cents  int64 // of Debts
	Count  int   // sanctions in force
	Many   int   // records beyond those that are added up: the other numbers are not known
}

// text puts a figure into words; money says that it is an amount.
func (f figure) text(money bool) string {
	switch {
	case f.Count > 0 && !money && f.Status != registry.Found: // one of two sources did not answer
		return "ao menos " + ptbr.Count(f.Count) + " em vigor"
	case f.Many > 0:
		return "mais de " + ptbr.Count(totals.MostAdded) + " registros, sem soma"
	case f.Status == registry.Failed:
		return "não foi possível consultar agora"
	case f.Status == registry.Unavailable:
		return "sem carga"
	case money && f.Status == registry.Found:
		return ptbr.Money(f.Cents)
	case f.Count > 0:
		return ptbr.Count(f.Count) + " em vigor"
	case f.Status == registry.Found:
		return "nenhuma em vigor"
	}
	return "nada nesta carga"
}

// value is the figure in a file: empty where it is not known.
func (f figure) value(money bool) string {
	switch {
	case f.Status == registry.Failed || f.Status == registry.Unavailable || f.Many > 0:
		return ""
	case money:
		return page.Decimal(big.NewInt(f.Cents))
	}
	return strconv.Itoa(f.Count)
}

func (hs *Handlers) portfolio(c *gin.Context) (page.Reply, error) {
	p, err := hs.portfolioPage(c)
	if err != nil {
		return signedOutAt(c, err)
	}
	p.Flashes, _ = hs.takeFlashes(c, "")
	return page.Reply{Page: p}, nil
}

func (hs *Handlers) portfolioPage(c *gin.Context) (*portfolioPage, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return nil, err
	}
	p := &portfolioPage{}
	p.Crumbs, p.Wide = page.Trail("Conta", "/conta", "O que sigo", followingPath, "Minha carteira"), true
	p.Title = "Minha carteira"
	p.Description = "As empresas que a sua conta segue: situação, dívidas, sanções e o que mudou."
	p.Canonical, p.NoIndex = portfolioPath, true
	roots, err := hs.rootsOf(c.Request.Context(), who.Account)
	if err != nil {
		return nil, err
	}
	number, err := page.PageNumber(c, "pagina")
	if err != nil {
		return nil, err
	}
	p.Total = len(roots)
	from := min((number-1)*holdingsPerPage, p.Total)
	roots = roots[from:min(from+holdingsPerPage, p.Total)]
	p.Pager = page.NewPager("Páginas da carteira", c.Request.URL, "pagina", "empresas", number, holdingsPerPage, int64(p.Total))
	if len(roots) == 0 {
		return p, nil
	}
	whole, err := hs.Pages.Live.Acquire()
	if err == nil {
		defer whole.Release()
		p.Holdings, err = hs.holdings(c.Request.Context(), whole.ForVisitors(), roots)
	}
	web.EventOf(c.Request.Context()).Fail(err)
	return p, nil
}

// rootsOf returns the companies that an account follows, by number.
func (hs *Handlers) rootsOf(ctx context.Context, id account.ID) ([]cnpj.Root, error) {
	all, err := hs.Follows.List(ctx, id)
	var roots []cnpj.Root
	for _, f := range all {
		if f.Kind == follow.Company {
			root, err := cnpj.ParseRoot(f.Value)
			if err != nil {
				return nil, err
			}
			roots = append(roots, root)
		}
	}
	slices.Sort(roots)
	return roots, err
}

// holdings reads companies.
func (hs *Handlers) holdings(ctx context.Context, snap *snapshot.Snapshot, roots []cnpj.Root) ([]holding, error) {
	heads, err := snap.Companies(ctx, roots)
	if err != nil {
		return nil, err
	}
	changed, err := follow.ChangedOf(ctx, snap, roots, 0)
	if err != nil {
		return nil, err
	}
	all := make([]holding, len(roots))
	var g errgroup.Group
	g.SetLimit(readAtOnce)
	for i, root := range roots {
		h := &all[i]
		h.Root, h.Name = root, wording.CompanyOf(root, heads[root]).Text
		if of := changed[root]; len(of) > 0 {
			last := hs.notices.brief(snap, &of[0][0])
			h.Last = ptbr.Plain(last.Source + ", " + last.Seen + ": " + last.Title)
			if n := len(of[0]) - 1; n > 0 {
				h.Last += ", e mais " + ptbr.Counted(n, "mudança", "mudanças")
			}
		}
		if head := heads[root]; head != nil && head.Exists() {
			h.Exists = true
			g.Go(func() error { return h.read(ctx, snap, head) })
		}
	}
	return all, g.Wait()
}

// read reads status and records of a company. A source that fails is a figure that says so.
func (h *holding) read(ctx context.Context, snap *snapshot.Snapshot, head *pack.Head) error {
	office, err := snap.HeadOffice(ctx, head)
	if err != nil {
		return err
	}
	if office != nil {
		h.Status, h.since = wording.StatusOf(snap, office), office.DataSituacaoCadastral
	}
	h.Debts = sourceFigure(ctx, snap, head, "pgfn")
	h.InForce = sourceFigure(ctx, snap, head, "ceis").and(sourceFigure(ctx, snap, head, "cnep"))
	return nil
}

// and returns the figures of two sources as one. What one of them does not say the other cannot.
func (f figure) and(other figure) figure {
	f.Count, f.Many = f.Count+other.Count, f.Many+other.Many
	for _, worst := range []registry.Status{registry.Failed, registry.Unavailable, registry.Found} {
		if f.Status == worst || other.Status == worst {
			f.Status = worst
			break
		}
	}
	return f
}

// sourceFigure returns what a source says of a company.
func sourceFigure(ctx context.Context, snap *snapshot.Snapshot, head *pack.Head, id string) figure {
	f := networks.FigureOf(ctx, snap, id, head)
	web.EventOf(ctx).Fail(f.Err)
	return figure{Status: f.Status, Cents: f.Cents, Count: f.InForce, Many: max(0, f.Records-totals.MostAdded)}
}

// addToPortfolio follows the companies that a list at /lista found.
func (hs *Handlers) addToPortfolio(c *gin.Context) (page.Reply, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return signedOut(err)
	}
	roots := slices.Compact(slices.Sorted(strings.FieldsSeq(c.PostForm("raizes"))))
	for _, root := range roots {
		if _, err := cnpj.ParseRoot(root); err != nil {
			return page.Reply{}, page.UnknownValue("raizes", root, "Deve ser as oito primeiras posições de um CNPJ.")
		}
	}
	err = hs.Follows.Add(c.Request.Context(), who.Account, follow.Company, roots...)
	switch {
	case err == nil:
		addFlash(c, "Seguindo "+ptbr.Counted(len(roots), "empresa", "empresas")+" da lista.")
		return page.SeeOther(portfolioPath), nil
	case errors.Is(err, account.ErrNoAccount):
		return signedOut(signin.ErrSignedOut)
	case !errors.Is(err, follow.ErrTooMany):
		return page.Reply{}, err
	}
	p, err := hs.portfolioPage(c)
	if err != nil {
		return signedOut(err)
	}
	p.Problem = tooMany(follow.Company) + " Nada desta lista foi incluído."
	return page.Reply{Page: p, Status: http.StatusUnprocessableEntity}, nil
}

// portfolioColumns are those of /conta/carteira.csv.
var portfolioColumns = page.Columns[*holding]{
	page.NewColumn("cnpj_raiz", record.Text, "raiz do CNPJ", func(h *holding) string { return h.Root.String() }),
	page.NewColumn("nome", record.Text, "nome empresarial", func(h *holding) string { return h.Name }),
	page.NewColumn("situacao", record.Text, "situação cadastral da matriz", func(h *holding) string { return h.Status.Text }),
	page.NewColumn("data_situacao", record.Day, "data da situação", func(h *holding) string { return h.since.String() }),
	page.NewColumn("divida_ativa", record.Amount, "soma das inscrições na dívida ativa; vazio: não se sabe", func(h *holding) string { return h.Debts.value(true) }),
	page.NewColumn("sancoes_em_vigor", record.Count, "sanções em vigor no CEIS e no CNEP; vazio: não se sabe", func(h *holding) string { return h.InForce.value(false) }),
	page.NewColumn("mudou", record.Text, "a última carga que mudou a empresa, e o quê", func(h *holding) string { return h.Last }),
}

// ExportedPortfolio describes the columns of /conta/carteira.csv for the data dictionary.
func ExportedPortfolio() record.Table {
	return record.Table{
		Name: "carteira.csv", Title: "Carteira", Fields: portfolioColumns.Fields(),
		About: "Em /conta/carteira.csv: as empresas que a sua conta segue, uma por linha.",
	}
}

// portfolioCSV answers /conta/carteira.csv.
func (hs *Handlers) portfolioCSV() gin.HandlerFunc {
	return hs.Pages.Table(web.Nobody, func(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
		who, err := hs.Pages.Visitor(c)
		if err != nil {
			return page.Table{}, err
		}
		roots, err := hs.rootsOf(c.Request.Context(), who.Account)
		if err != nil {
			return page.Table{}, err
		}
		all, err := hs.holdings(c.Request.Context(), snap, roots)
		if err != nil {
			return page.Table{}, err
		}
		rows := make([]*holding, len(all))
		for i := range all {
			rows[i] = &all[i]
		}
		return page.TableOf(ExportedPortfolio(), portfolioColumns, rows, "carteira-"+snap.Load.Period, portfolioPath), nil
	})
}
