package company

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

// markdownSuffix follows the CNPJ in the address of the Markdown twin of a company's page.
const markdownSuffix = ".md"

// companyMarkdown answers /{cnpj}.md: what the page of the company says, for programs that read text. It has the page's
// parameters and hides what the page hides.
func (rm *Room) companyMarkdown(c *gin.Context, snap *snapshot.Snapshot) error {
	p, moved, err := rm.companyAsked(c, snap, markdownSuffix)
	switch {
	case err != nil:
		return err
	case p == nil:
		c.Redirect(moved.Status, moved.Location)
		return nil
	}
	p.Synthetic = page.IsSynthetic(snap.Load.Provenance)
	body := []byte(rm.markdown(p, snap))
	c.Header("Cache-Control", "no-cache")
	c.Header("Link", "<"+rm.pages.BaseURL+p.Canonical+`>; rel="canonical"`)
	if p.NoIndex || p.Synthetic {
		c.Header("X-Robots-Tag", "noindex")
	}
	rm.pages.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: "text/markdown; charset=utf-8", ETag: web.ETag(body), Body: body})
	return nil
}

// companyText writes the parts of a company's page as Markdown.
type companyText struct {
	page.Markdown
	*companyPage
	base string // public address of the site
}

func (rm *Room) markdown(p *companyPage, snap *snapshot.Snapshot) string {
	t := &companyText{companyPage: p, base: rm.pages.BaseURL}
	t.Heading(1, p.Name)
	if p.Synthetic {
		t.Paragraph("> **Dados fictícios de demonstração.** Nenhuma empresa ou pessoa deste texto existe.")
	}
	t.Paragraph("Cópia de dados abertos, competência " + page.PlainText(snap.Load.Period) + ", sem valor de certidão. Página: <" + rm.pages.BaseURL + p.Canonical + ">")
	t.facts()
	t.activities()
	t.partners()
	t.holdings()
	t.establishments()
	t.records()
	t.events()
	t.changes()
	t.provenance(snap.Load.Period)
	return t.String()
}

func (t *companyText) facts() {
	t.Heading(2, "Cadastro")
	if t.TradeName != t.Name {
		t.Fact("Nome fantasia", t.TradeName)
	}
	t.Fact("CNPJ", t.CNPJ.Masked())
	t.Fact("Tipo", t.HeadOffice)
	t.Fact("Situação cadastral", t.Status.String())
	t.Fact("Motivo da situação", t.Status.Reason)
	t.Fact("Situação especial", ptbr.Join(" desde ", t.Special, ptbr.Date(t.SpecialSince.Time())))
	t.Fact("Atividade principal", ptbr.Join(" ", t.MainActivity.Code, t.MainActivity.Text))
	t.Fact("Natureza jurídica", t.Natureza)
	t.Fact("Porte", t.Porte)
	if t.HasCompany {
		t.Fact("Capital social", orElse(ptbr.Money(t.Company.CapitalSocial), "Não informado"))
	}
	t.Fact("Abertura", ptbr.Date(t.Opened.Time()))
	t.Fact("Endereço", t.Address.Street)
	t.Fact("Município", orElse(t.Address.City(), "Não informado"))
	t.Fact("CEP", ptbr.CEP(t.Address.CEP))
	t.Fact("Telefone", strings.Join(t.Phones, ", "))
	t.Fact("Fax", t.Fax)
	t.Fact("E-mail", t.Email)
	t.Fact("Simples Nacional", t.Simples.String())
	t.Fact("MEI", t.MEI.String())
	t.Fact("Ente federativo responsável", t.Company.EnteFederativoResponsavel)
	if t.Branches.Pager.Total > 1 {
		t.Fact("Estabelecimentos", ptbr.Join(", ", ptbr.Count(t.Branches.Pager.Total), t.Branches.ActiveText()))
	}
	t.End()
	if !t.HasCompany {
		t.Paragraph("A publicação desta competência traz o estabelecimento, mas não os dados da empresa a que ele pertence.")
	}
	if t.Private {
		t.Paragraph("Por ser de empresário individual ou MEI, este texto não traz rua, telefone nem e-mail.")
	} else if t.Hidden {
		t.Paragraph("Rua, telefone e e-mail deste estabelecimento foram ocultados a pedido.")
	}
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func (t *companyText) activities() {
	if len(t.Activities) == 0 {
		return
	}
	t.Heading(2, "Atividades secundárias")
	for _, a := range t.Activities {
		t.Item(page.PlainText(ptbr.Join(" ", a.Code, a.Text)))
	}
	t.End()
}

func (t *companyText) partners() {
	t.Heading(2, "Sócios")
	if t.Partners.Pager.Total == 0 {
		t.Paragraph("A publicação não traz sócios desta empresa.")
		return
	}
	var rows [][]string
	for _, p := range t.Partners.Rows {
		name, address := orElse(p.Name, p.Document), p.Person
		if p.Company != "" {
			address = p.Company + markdownSuffix
		}
		representative := p.Representative
		if representative != "" {
			representative = ptbr.Join(", ", representative, p.RepresentativeRole)
		}
		rows = append(rows, []string{
			t.link(name, address), page.PlainText(p.Document), page.PlainText(ptbr.Join(", ", p.Qualification, p.Country)), ptbr.Date(p.Entry.Time()),
			page.PlainText(p.Age), page.PlainText(representative),
		})
	}
	t.shown(&t.Partners.Pager)
	t.Table([]string{"Nome", "Documento", "Qualificação", "Entrada", "Faixa etária", "Representante"}, rows)
}

func (t *companyText) establishments() {
	if t.Branches.Pager.Total < 2 {
		return
	}
	t.Heading(2, "Estabelecimentos da empresa "+t.Root.Masked())
	var rows [][]string
	for _, e := range t.Branches.Rows {
		rows = append(rows, []string{
			t.link(e.CNPJ.Masked(), "/"+e.CNPJ.String()+markdownSuffix), page.PlainText(e.HeadOffice), page.PlainText(e.TradeName),
			page.PlainText(e.City), page.PlainText(e.Status.String()),
		})
	}
	t.shown(&t.Branches.Pager)
	t.Table([]string{"CNPJ", "Tipo", "Nome fantasia", "Município", "Situação"}, rows)
}

// shown says which part of a list follows, and where the rest is; nothing of a list that is whole.
func (t *companyText) shown(p *page.Pager) {
	switch {
	case p.Beyond:
		t.Paragraph("Esta lista não tem a página pedida. " + t.link("Primeira página", p.First))
		return
	case p.Pages < 2:
		return
	}
	text := ptbr.Count(p.From) + " a " + ptbr.Count(p.To) + " de " + ptbr.Count(p.Total) + "."
	if p.Previous != "" {
		text += " " + t.link("Anterior", p.Previous)
	}
	if p.Next != "" {
		text += " " + t.link("Próxima", p.Next)
	}
	t.Paragraph(text)
}

// link links to an address of the site or of another one; "" and places on the page itself are no addresses of a text.
func (t *companyText) link(text, address string) string {
	switch {
	case strings.HasPrefix(address, "#"):
		address = ""
	case strings.HasPrefix(address, "/"):
		address = t.base + address
	}
	return page.LinkText(text, address)
}

func (t *companyText) events() {
	if len(t.Timeline) == 0 {
		return
	}
	t.Heading(2, "Linha do tempo")
	for _, e := range t.Timeline {
		text := page.PlainText(ptbr.Join(": ", e.Text, e.Detail))
		if e.Expected {
			text += " (data futura)"
		}
		t.Item(e.Date() + ": " + text)
	}
	t.End()
}

func (t *companyText) provenance(month string) {
	t.Heading(2, "Procedência do cadastro")
	t.Fact("Órgão", t.Source.Orgao)
	t.Item(ptbr.Join(" ", "**Conjunto:**", t.link(t.Source.Conjunto, t.Source.URL)))
	t.Fact("Competência", month)
	if t.Source.LoadedAt != nil {
		t.Fact("Carregada em", ptbr.Day(*t.Source.LoadedAt))
	}
	if t.Source.Missing != "" {
		t.Fact("Carga parcial", "faltam "+t.Source.Missing+" arquivos")
	}
	t.Fact("Licença", t.Source.Licenca)
	t.End()
}

// records writes what the sources have, theme by theme.
func (t *companyText) records() {
	t.Heading(2, "Registros públicos")
	t.Paragraph("O que cada fonte publica sobre o CNPJ " + t.CNPJ.Masked() + ", com a data da sua própria carga. São fatos publicados, sem nota nem certidão.")
	for _, theme := range t.Themes {
		t.Heading(3, theme.Title)
		for i := range theme.Cards {
			t.card(&theme.Cards[i])
		}
	}
}

// stateTexts say what the four states of a source mean, in the words of the API.
var stateTexts = map[registry.Status]string{
	registry.None:        "`sem_ocorrencia`: nenhuma ocorrência nesta carga; não é certidão",
	registry.Unavailable: "`indisponivel`: sem carga disponível, nada se pode concluir",
	registry.Failed:      "`erro`: não foi possível consultar agora, o que não diz nada sobre a empresa",
}

func (t *companyText) card(c *card) {
	t.Heading(4, c.Title)
	state := stateTexts[c.Status]
	if c.Found() {
		state = "`encontrado`: " + c.Count()
	}
	t.Item("**Estado:** " + state)
	if c.CompanyWide {
		t.Item("A fonte só identifica a empresa: vale para todos os estabelecimentos.")
	}
	t.period(c)
	t.origin(c)
	t.End()
	if !c.Found() {
		return
	}
	switch {
	case c.Pager.Page > 0:
		t.shown(&c.Pager)
	case c.OwnURL != "":
		t.Paragraph(c.Shown() + ". " + t.link("Lista completa", c.OwnURL))
	case c.Short():
		t.Paragraph(c.Shown() + ". A API traz todos.")
	}
	t.recordTable(c)
}

func (t *companyText) period(c *card) {
	if c.Period == "" {
		return
	}
	text := "**Competência:** " + page.PlainText(c.Period)
	if c.LoadedAt != nil {
		text += ", carregada em " + ptbr.Day(*c.LoadedAt)
	}
	if c.Stale {
		text += ", **desatualizada**"
	}
	if c.Coverage != "" {
		text += ", cobertura desde " + page.PlainText(c.Coverage)
	}
	t.Item(text)
	for _, note := range c.Provenance.Observacoes {
		t.Fact("Observação", ptbr.Note(note))
	}
	t.Fact("Carga parcial, sem", strings.Join(c.Provenance.Faltantes, ", "))
}

func (t *companyText) origin(c *card) {
	text := "**Origem:** " + page.PlainText(c.Provenance.Orgao) + ", " + t.link(c.Provenance.Conjunto, c.Provenance.URL)
	if c.Provenance.Licenca != "" {
		text += ". Licença: " + page.PlainText(c.Provenance.Licenca)
	}
	if c.Provenance.Atribuicao != "" {
		text += ". " + page.PlainText(c.Provenance.Atribuicao)
	}
	if c.Methodology != "" {
		text += ". " + t.link("Como os vínculos são feitos", c.Methodology)
	}
	t.Item(text)
}

func (t *companyText) recordTable(c *card) {
	var header []string
	for _, column := range c.Columns {
		header = append(header, page.PlainText(column.Label))
	}
	var rows [][]string
	for _, r := range c.Rows {
		cells := make([]string, len(r.Cells))
		for i, pieces := range r.Cells {
			cells[i] = t.pieces(pieces)
		}
		rows = append(rows, cells)
	}
	t.Table(header, rows)
}

// pieces writes the lines of a cell in one.
func (t *companyText) pieces(all []piece) string {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = ptbr.Join(": ", page.PlainText(p.Label), t.link(ptbr.Join(" ", p.Text, p.Rest), p.URL))
	}
	return strings.Join(texts, "; ")
}
