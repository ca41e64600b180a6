package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/store/dossier"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/find"
	"razao/site/page"
)

const (
	holdingsPerPage = 50

	// Portfolios that are added up at once: a thousand companies with records take a second.
	portfoliosAtOnce    = 4
	portfoliosOfAccount = 2
	portfoliosOfNetwork = 3
	portfoliosWait      = 5 * time.Second
	portfolioTime       = 30 * time.Second
	portfoliosPerMinute = 60 // of an account
	portfoliosBurst     = 20
)

// Parameters of the portfolio.
const (
	listField   = "lista"
	shownField  = "mostrar"
	orderField  = "ordem"
	byName      = "nome"
	actionsPath = portfolioPath + "/acoes"
)

// portfolioPage is /conta/carteira: the companies that an account follows, at a glance.
type portfolioPage struct {
	page.Frame
	Flashes  []string
	List     string // name of the one that is shown; "": all companies
	Lists    []page.Tile
	Names    []string // of the lists
	Tiles    []page.Tile
	Holdings []*holding // of the page
	Shown    string     // roots of all that are shown, for actions
	Total    int        // companies that the account follows
	ByName   string     // address of the page by name; "" if it is
	ByChange string     // address of the page by the last change; "" if it is
	File     string     // address of the table
	Actions  string     // address of the form
	Ticked   []string   // roots
	Pager    page.Pager
	Unloaded string // what is not known of any company, since its source has no load
	Trouble  bool   // the companies could not be read
	Problem  string // why companies were not included
}

// holding is a company of a portfolio.
type holding struct {
	Root      cnpj.Root
	Name      string
	Exists    bool           // it is in the load
	Status    wording.Status // of its head office; Text "" without one
	Dossier   dossier.Dossier
	Last      string // what changed last, of the registration first, and how much else in the same period; "": nothing
	Lists     []string
	situation string // code
	since     record.Date
	changed   time.Time // the day on which its load was published
}

func (hs *Handlers) portfolio(c *gin.Context) (page.Reply, error) {
	p, err := hs.portfolioPage(c)
	if errors.Is(err, errNoList) {
		return page.SeeOther(portfolioPath), nil
	}
	if err != nil {
		return signedOutAt(c, err)
	}
	p.Flashes, _ = hs.takeFlashes(c, "")
	return page.Reply{Page: p}, nil
}

// parts are those of a portfolio that can be shown alone.
func (p *portfolioPage) parts() []find.Part[*holding] {
	return slices.Concat(
		[]find.Part[*holding]{
			{Value: "", One: "empresa", Several: "empresas", Has: func(*holding) bool { return true }},
			{Value: "mudaram", One: "com mudança", Several: "com mudanças", Has: func(h *holding) bool { return h.Last != "" }},
		},
		find.CompanyParts(func(h *holding) string { return h.situation }, func(h *holding) dossier.Dossier { return h.Dossier }),
		[]find.Part[*holding]{{
			Value: "fora-da-carga", One: page.Either(p.Gap != "", "que não se sabe", "fora da carga"), Several: page.Either(p.Gap != "", "que não se sabe", "fora da carga"),
			Has: func(h *holding) bool { return !h.Exists },
		}},
	)
}

// newPortfolioPage returns the page with the lists of an account, and the companies of the list that a request names. The error is an
// *page.InvalidParameter, or that of the database.
func (hs *Handlers) newPortfolioPage(c *gin.Context) (p *portfolioPage, roots []cnpj.Root, in map[cnpj.Root][]string, err error) {
	ctx := c.Request.Context()
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return nil, nil, nil, err
	}
	p = &portfolioPage{List: c.Query(listField)}
	p.Crumbs, p.Wide = page.Trail("Conta", "/conta", "O que sigo", followingPath, "Minha carteira"), true
	p.Title = "Minha carteira"
	p.Description = "As empresas que a sua conta segue: situação, dívidas, sanções e o que mudou."
	p.Canonical, p.NoIndex = portfolioPath, true
	if roots, err = hs.rootsOf(ctx, who.Account); err != nil {
		return nil, nil, nil, err
	}
	lists, err := hs.Follows.Lists(ctx, who.Account)
	if err != nil {
		return nil, nil, nil, err
	}
	p.Total, in = len(roots), map[cnpj.Root][]string{}
	p.Lists = []page.Tile{{Text: "em todas as listas", Count: len(roots), URL: portfolioAddress(portfolioPath, "", "", ""), Chosen: p.List == ""}}
	chosen := p.List == ""
	for _, l := range lists {
		p.Names = append(p.Names, l.Name)
		p.Lists = append(p.Lists, page.Tile{Text: "em " + l.Name, Count: len(l.Roots), URL: portfolioAddress(portfolioPath, l.Name, "", ""), Chosen: strings.EqualFold(l.Name, p.List)})
		for _, root := range l.Roots {
			in[root] = append(in[root], l.Name)
		}
		if strings.EqualFold(l.Name, p.List) {
			chosen, roots, p.List = true, l.Roots, l.Name
		}
	}
	if !chosen {
		return nil, nil, nil, errNoList
	}
	return p, roots, in, nil
}

// errNoList means that an account has no list of this name, or none any more: its last company has left it.
var errNoList = fmt.Errorf("no list of this name: %w", page.ErrUnknownPath)

// portfolioAddress is the address of a part of the portfolio at a path.
func portfolioAddress(path, list, shown, order string) string {
	parameters := url.Values{}
	for name, value := range map[string]string{listField: list, shownField: shown, orderField: order} {
		if value != "" {
			parameters.Set(name, value)
		}
	}
	return page.WithParameters(path, parameters)
}

func (hs *Handlers) portfolioPage(c *gin.Context) (*portfolioPage, error) {
	p, roots, in, err := hs.newPortfolioPage(c)
	if err != nil {
		return nil, err
	}
	order := c.Query(orderField)
	if order != "" && order != byName {
		return nil, page.UnknownValue(orderField, order, "Deve ser "+byName+", ou nada.")
	}
	number, err := page.PageNumber(c, "pagina")
	if err != nil {
		return nil, err
	}
	shown := c.Query(shownField)
	p.File = portfolioAddress(portfolioPath+".csv", p.List, shown, order)
	p.Actions = portfolioAddress(actionsPath, p.List, shown, order)
	if order == byName {
		p.ByChange = portfolioAddress(portfolioPath, p.List, shown, "")
	} else {
		p.ByName = portfolioAddress(portfolioPath, p.List, shown, byName)
	}
	all, err := hs.held(c, roots, in)
	if many := (*web.TooManyError)(nil); errors.As(err, &many) {
		return nil, err
	}
	if err != nil {
		p.Trouble = true
		web.EventOf(c.Request.Context()).Fail(err)
		return p, nil
	}
	chosen, err := p.choose(all, shown, order)
	if err != nil {
		return nil, err
	}
	p.Unloaded = unloaded(all)
	var shownRoots []string
	for _, h := range chosen {
		shownRoots = append(shownRoots, h.Root.String())
	}
	p.Shown = strings.Join(shownRoots, " ")
	p.Pager = page.NewPager("Páginas da carteira", c.Request.URL, "pagina", "empresas", number, holdingsPerPage, int64(len(chosen)))
	from := min((number-1)*holdingsPerPage, len(chosen))
	p.Holdings = chosen[from:min(from+holdingsPerPage, len(chosen))]
	return p, nil
}

// choose returns the companies of a part in an order, and notes the parts. The error is an *page.InvalidParameter.
func (p *portfolioPage) choose(all []*holding, shown, order string) (chosen []*holding, err error) {
	chosen, p.Tiles, err = find.Choose(p.parts(), all, shownField, shown, func(value string) string { return portfolioAddress(portfolioPath, p.List, value, order) })
	slices.SortStableFunc(chosen, func(a, b *holding) int {
		if order == byName {
			return cmp.Compare(a.Name, b.Name)
		}
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.Name, b.Name))
	})
	return chosen, err
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

// held reads companies, and in which lists they are. The errors are those of web.Move, of the snapshot and of the records.
func (hs *Handlers) held(c *gin.Context, roots []cnpj.Root, in map[cnpj.Root][]string) ([]*holding, error) {
	if len(roots) == 0 {
		return nil, nil
	}
	if err := hs.views.TakeAccount(web.EventOf(c.Request.Context()).Account); err != nil {
		return nil, err
	}
	done, err := web.Move(c, hs.portfolios, portfolioTime)
	if err != nil {
		return nil, err
	}
	defer done()
	whole, err := hs.Pages.Live.Acquire()
	if err != nil {
		return nil, err
	}
	defer whole.Release()
	all, err := hs.holdings(c.Request.Context(), whole.ForVisitors(), roots)
	for _, h := range all {
		h.Lists = in[h.Root]
	}
	return all, err
}

// holdings reads companies.
func (hs *Handlers) holdings(ctx context.Context, snap *snapshot.Snapshot, roots []cnpj.Root) ([]*holding, error) {
	heads, err := snap.Companies(ctx, roots)
	if err != nil {
		return nil, err
	}
	changed, err := follow.ChangedOf(ctx, snap, roots, 0)
	if err != nil {
		return nil, err
	}
	all := make([]*holding, len(roots))
	var companies []*pack.Head
	var of []*holding
	for i, root := range roots {
		h := &holding{Root: root, Name: wording.CompanyOf(root, heads[root]).Text}
		all[i] = h
		if last, further := newest(changed[root]); last != nil {
			words := hs.notices.headline(snap, last)
			h.Last = ptbr.Plain(words.Source + ", " + words.Seen + ": " + strings.TrimPrefix(words.Title, words.Source+": "))
			h.changed = changed[root][0].Load().AnnouncedAt.UTC().Truncate(24 * time.Hour)
			if further > 0 {
				h.Last += ", e mais " + ptbr.Counted(further, "mudança", "mudanças")
			}
		}
		if head := heads[root]; head != nil && head.Exists() {
			h.Exists = true
			companies, of = append(companies, head), append(of, h)
		}
	}
	for i, d := range dossier.Read(ctx, snap, companies, dossier.Subjects()...) {
		office, err := snap.HeadOffice(ctx, companies[i])
		if err != nil {
			return nil, err
		}
		if office != nil {
			of[i].Status, of[i].since, of[i].situation = wording.StatusOf(snap, office), office.DataSituacaoCadastral, office.SituacaoCadastral
		}
		for _, f := range d {
			web.EventOf(ctx).Fail(f.Err)
		}
		of[i].Dossier = d
	}
	return all, nil
}

// unloaded says about which subjects nothing is known, since a source has no load.
func unloaded(all []*holding) string {
	var titles []string
	for _, subject := range dossier.Subjects() {
		if slices.ContainsFunc(all, func(h *holding) bool { return h.Dossier[subject].Status == registry.Unavailable }) {
			titles = append(titles, wording.SubjectTitle(subject))
		}
	}
	if len(titles) == 0 {
		return ""
	}
	return "Sem carga, e por isso não se sabe: " + ptbr.List(titles) + "."
}

// otherLists returns the lists of the company but one.
func (h *holding) otherLists(but string) []string {
	return slices.DeleteFunc(slices.Clone(h.Lists), func(name string) bool { return name == but })
}

// atOnce is how long the loads of a month take to come one after the other.
const atOnce = 7 * 24 * time.Hour

// newest returns what changed last, of the registration or else of the first source of which something changed in the same days, and how many
// other changes there were in them; nil if nothing changed. entries come the newest first.
func newest(entries []journal.Entry) (last *journal.Change, further int) {
	at := 0
	for _, e := range entries {
		if entries[0].Load().AnnouncedAt.Sub(e.Load().AnnouncedAt) > atOnce {
			break
		}
		further += len(e)
		if of := slices.Index(source.IDs(), e.Load().Source); last == nil || of < at { // -1 is the registration
			last, at = &e[0], of
		}
	}
	return last, further - 1
}

// Figures says what there is of the company, a sentence a subject.
func (h *holding) Figures() (figures []string) {
	for _, subject := range dossier.Subjects() {
		f := h.Dossier[subject]
		if text := wording.Figure(subject, f); text != "" && (f.Status != registry.Unavailable || f.InForce > 0) {
			figures = append(figures, wording.SubjectTitle(subject)+": "+text)
		}
	}
	return figures
}

// portfolioColumns are those of /conta/carteira.csv.
var portfolioColumns = slices.Concat(
	page.Columns[*holding]{
		page.NewColumn("cnpj_raiz", record.Text, "raiz do CNPJ", func(h *holding) string { return h.Root.String() }),
		page.NewColumn("nome", record.Text, "nome empresarial", func(h *holding) string { return h.Name }),
		page.NewColumn("listas", record.Text, "as listas da carteira em que está", func(h *holding) string { return strings.Join(h.Lists, "; ") }),
		{Field: record.Field{Name: "situacao", Title: "Situação da matriz", Kind: record.Text, About: "situação cadastral da matriz"}, Of: func(h *holding) string { return h.Status.Text }},
		page.NewColumn("data_situacao", record.Day, "data da situação", func(h *holding) string { return h.since.String() }),
	},
	find.SubjectColumns(func(h *holding) dossier.Dossier { return h.Dossier }, dossier.Subjects()...),
	page.Columns[*holding]{
		page.NewColumn("mudou", record.Text, "a última carga que mudou a empresa, e o quê", func(h *holding) string { return h.Last }),
	},
)

// ExportedPortfolio describes the columns of /conta/carteira.csv for the data dictionary.
func ExportedPortfolio() record.Table {
	return record.Table{
		Name: "carteira.csv", Title: "Carteira", Fields: portfolioColumns.Fields(),
		About: "Em /conta/carteira.csv: as empresas que a sua conta segue, ou as de uma das suas listas, uma por linha.",
	}
}

// portfolioCSV answers /conta/carteira.csv.
func (hs *Handlers) portfolioCSV() gin.HandlerFunc {
	return hs.Pages.Table(web.Nobody, func(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
		p, roots, in, err := hs.newPortfolioPage(c)
		if err != nil {
			return page.Table{}, err
		}
		rows, err := hs.held(c, roots, in)
		if err == nil {
			rows, err = p.choose(rows, c.Query(shownField), c.Query(orderField))
		}
		if err != nil {
			return page.Table{}, err
		}
		return page.TableOf(ExportedPortfolio(), portfolioColumns, rows, "carteira-"+snap.Load.Period, portfolioPath), nil
	})
}
