package network

import (
	"math/big"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/dossier"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/page"
)

// groupPage is the view model of /{raiz}/grupo.
type groupPage struct {
	page.Frame
	view
	Company  member
	Period   string
	Figures  []figure
	States   string // in which the head offices are, with their number
	Network  string
	CSV      string
	Circular []string // chains of companies that hold themselves, in words
}

// figure is what a source says of the group.
type figure struct {
	Title string
	Text  string // R$ 1.234,00 em 3 empresas
	Of    []companyFigure
	Gap   string // of how many companies it is not known; "" for none
}

// companyFigure is the figure of one company.
type companyFigure struct {
	Name string
	URL  string
	Text string
}

// group answers /{raiz}/grupo.
func (hs *Handlers) group(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	root, moved, err := hs.company(c, snap, groupPath)
	if err != nil || moved.Status != 0 {
		return moved, err
	}
	n, err := networks.Group(c.Request.Context(), snap, root, mostMembers, nil)
	if err != nil {
		return page.Reply{}, page.Missing(root.String(), err)
	}
	p := &groupPage{
		Company: hs.memberOf(snap, &n.Members[0]), Period: ptbr.Period(snap.Load.Period), Network: "/" + root.String() + networkPath, CSV: "/" + root.String() + groupPath + ".csv",
	}
	p.view = hs.viewOf(snap, n, "As empresas do grupo de "+p.Company.Name, network.CompanyOf(root))
	p.Title = p.Company.Name + ": grupo de empresas"
	p.Description = "As empresas ligadas a " + p.Company.Name + " por sócios que são empresas, e o que elas devem, contratam e recebem."
	p.Canonical, p.NoIndex = "/"+root.String()+groupPath, p.Company.Head.Individual() || len(n.Members) == 1
	p.Crumbs, p.Script = page.Trail(p.Company.Name, "/"+root.String(), "Grupo"), scripts()
	p.States = p.states()
	for _, cycle := range n.Cycles() {
		p.Circular = append(p.Circular, p.chain(cycle))
	}
	figures := networks.Figures(c.Request.Context(), snap, n)
	for i := range figures {
		for _, f := range figures[i].Of {
			web.EventOf(c.Request.Context()).Fail(f.Err)
		}
		p.Figures = append(p.Figures, p.figureOf(&figures[i]))
	}
	return page.Reply{Page: p}, nil
}

// states says where the head offices are, most first.
func (p *groupPage) states() string {
	count := map[string]int{}
	var codes []string
	for i := range p.Members {
		if e := p.Members[i].Office; e != nil {
			if count[e.UF]++; count[e.UF] == 1 {
				codes = append(codes, e.UF)
			}
		}
	}
	var parts []string
	for most := len(p.Members); most > 0; most-- {
		for _, code := range codes {
			if count[code] == most {
				parts = append(parts, code+" "+ptbr.Count(most))
			}
		}
	}
	return ptbr.Join(", ", parts...)
}

// chain writes companies that hold each other in a circle.
func (p *groupPage) chain(roots []cnpj.Root) string {
	var names []string
	for _, root := range append(roots, roots[0]) {
		names = append(names, p.nameOf(root))
	}
	return ptbr.Join(" → ", names...)
}

func (p *groupPage) nameOf(root cnpj.Root) string {
	for i := range p.Members {
		if p.Members[i].Actor == network.CompanyOf(root) {
			return p.Members[i].Name
		}
	}
	return root.Masked()
}

// figureOf puts what a source says of the group into words.
func (p *groupPage) figureOf(g *networks.GroupFigures) figure {
	f := figure{Title: wording.SourceTitle(g.Source.ID), Text: sumText(g)}
	for i := range g.Of {
		of := &g.Of[i]
		f.Of = append(f.Of, companyFigure{p.nameOf(of.Root), "/" + of.Root.String() + "#" + g.Source.ID, figureText(&g.Source.Facts.Measures, &of.Figure)})
	}
	if len(g.Unknown) > 0 {
		f.Gap = "De " + ptbr.Counted(len(g.Unknown), "empresa", "empresas") + " não foi possível somar os registros agora."
	}
	return f
}

// sumText says what a source comes to for the group.
func sumText(g *networks.GroupFigures) string {
	switch {
	case g.Sum.Status == registry.Unavailable:
		return "sem carga"
	case len(g.Of) == 0 && len(g.Unknown) > 0:
		return "não foi possível consultar agora"
	case len(g.Of) == 0:
		return "nada nesta carga"
	}
	return page.When(!g.Sum.Whole, "ao menos ") + figureText(&g.Source.Facts.Measures, &dossier.Figure{
		Records: g.Sum.Records, Cents: g.Sum.Cents, InForce: g.Sum.InForce, Whole: true,
	}) + " em " + ptbr.Counted(len(g.Of), "empresa", "empresas")
}

// figureText says what a figure comes to.
func figureText(m *source.Measures, f *dossier.Figure) string {
	switch {
	case !f.Whole:
		return ptbr.Counted(f.Records, "registro", "registros") + ", sem soma"
	case m.Total:
		return ptbr.Money(f.Cents)
	case m.InForce && f.InForce == 0:
		return ptbr.Counted(f.Records, "registro", "registros") + ", nenhum em vigor"
	case m.InForce:
		return ptbr.Count(f.InForce) + " em vigor"
	}
	return ptbr.Counted(f.Records, "registro", "registros")
}

// groupColumns declares the CSV of a group: a company and a source a row, and a row of each company
// without a source.
func groupColumns() page.Columns[groupRow] {
	text := func(name, about string, of func(groupRow) string) page.Column[groupRow] {
		return page.NewColumn(name, record.Text, about, of)
	}
	return page.Columns[groupRow]{
		text("cnpj_basico", "as 8 posições da empresa", func(r groupRow) string { return r.Root.String() }),
		text("nome", "razão social", func(r groupRow) string { return r.Member.Name }),
		text("uf", "estado da matriz", func(r groupRow) string {
			if r.Office == nil {
				return ""
			}
			return r.Office.UF
		}),
		text("municipio", "município da matriz", func(r groupRow) string { return r.City }),
		text("situacao", "situação cadastral da matriz", func(r groupRow) string { return r.member.Status.Text }),
		text("fonte", "fonte de registros; vazia na linha da empresa", func(r groupRow) string { return r.Source }),
		page.NewColumn("registros", record.Count, "registros que a fonte tem da empresa", func(r groupRow) string { return r.when(strconv.Itoa(r.Records)) }),
		page.NewColumn("total", record.Amount, "soma dos valores que podem ser somados", func(r groupRow) string {
			if !r.Money {
				return ""
			}
			return r.when(page.Decimal(big.NewInt(r.Cents)))
		}),
		page.NewColumn("em_vigor", record.Count, "registros em vigor hoje", func(r groupRow) string {
			if !r.Lasting {
				return ""
			}
			return r.when(strconv.Itoa(r.InForce))
		}),
	}
}

// groupRow is a row of the file.
type groupRow struct {
	member
	dossier.Figure
	Source         string
	Money, Lasting bool
}

// when returns text if the row is about a source whose records were read whole.
func (r *groupRow) when(text string) string { return page.When(r.Source != "" && r.Whole, text) }

// ExportedGroup describes the columns of /{raiz}/grupo.csv for the data dictionary.
func ExportedGroup() record.Table {
	all := groupColumns()
	return record.Table{Name: "grupo.csv", Title: "Grupo de empresas", About: "Em /{raiz}/grupo.csv: uma empresa por linha, e uma linha para cada fonte que tem registros dela.", Fields: all.Fields()}
}

// groupCSV answers /{raiz}/grupo.csv.
func (hs *Handlers) groupCSV(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	root, _, err := page.NumberOf(c.Request.Context(), snap, c.Param("cnpj"))
	if err != nil {
		return page.Table{}, err
	}
	n, err := networks.Group(c.Request.Context(), snap, root, mostMembers, nil)
	if err != nil {
		return page.Table{}, page.Missing(root.String(), err)
	}
	figures := networks.Figures(c.Request.Context(), snap, n)
	var rows []groupRow
	for i := range n.Members {
		m := hs.memberOf(snap, &n.Members[i])
		rows = append(rows, groupRow{member: m})
		for k := range figures {
			for _, of := range figures[k].Of {
				if of.Root == m.Root {
					facts := figures[k].Source.Facts.Measures
					rows = append(rows, groupRow{m, of.Figure, figures[k].Source.ID, facts.Total, facts.InForce})
				}
			}
		}
	}
	t := page.TableOf(ExportedGroup(), groupColumns(), rows, fileName("grupo", root, snap), "/"+root.String()+groupPath)
	t.More = !n.Whole()
	return t, nil
}
