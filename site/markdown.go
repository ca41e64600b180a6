package site

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/web"
)

// markdownSuffix follows the CNPJ in the address of the Markdown twin of a company's page.
const markdownSuffix = ".md"

// companyInEitherForm answers /{cnpj} and /{cnpj}.md, which the router cannot tell apart.
func (s *Site) companyInEitherForm() gin.HandlerFunc {
	html := s.page(s.company)
	return func(c *gin.Context) {
		if strings.HasSuffix(c.Param("cnpj"), markdownSuffix) {
			s.companyMarkdown(c)
			return
		}
		html(c)
	}
}

// companyMarkdown answers /{cnpj}.md: what the page of the company says, for programs that read text. It has the page's
// parameters and hides what the page hides.
func (s *Site) companyMarkdown(c *gin.Context) {
	snap, err := s.Live.Acquire()
	if err != nil {
		s.fail(c, nil, err)
		return
	}
	defer snap.Release()
	p, moved, err := s.companyAsked(c, snap, markdownSuffix)
	switch {
	case err != nil:
		s.fail(c, snap, err)
		return
	case p == nil:
		c.Redirect(moved.status, moved.location)
		return
	}
	p.Synthetic = isSynthetic(snap.Load.Provenance)
	body := []byte(s.markdown(p, snap))
	c.Header("Cache-Control", "no-cache")
	c.Header("Link", "<"+s.BaseURL+p.Canonical+`>; rel="canonical"`)
	if p.NoIndex || p.Synthetic {
		c.Header("X-Robots-Tag", "noindex")
	}
	s.sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: "text/markdown; charset=utf-8", ETag: web.ETag(body), Body: body})
}

// companyText writes the parts of a company's page as Markdown.
type companyText struct {
	markdown
	*companyPage
	base string // public address of the site
}

func (s *Site) markdown(p *companyPage, snap *snapshot.Snapshot) string {
	t := &companyText{companyPage: p, base: s.BaseURL}
	t.heading(1, p.Name)
	if p.Synthetic {
		t.paragraph("> **Dados fictícios de demonstração.** Nenhuma empresa ou pessoa deste texto existe.")
	}
	t.paragraph("Cópia de dados abertos, competência " + plainText(snap.Load.Period) + ", sem valor de certidão. Página: <" + s.BaseURL + p.Canonical + ">")
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
	t.heading(2, "Cadastro")
	if t.TradeName != t.Name {
		t.fact("Nome fantasia", t.TradeName)
	}
	t.fact("CNPJ", t.CNPJ.Masked())
	t.fact("Tipo", t.HeadOffice)
	t.fact("Situação cadastral", t.Status.String())
	t.fact("Motivo da situação", t.Status.Reason)
	t.fact("Situação especial", ptbr.Join(" desde ", t.Special, ptbr.Date(t.SpecialSince.Time())))
	t.fact("Atividade principal", ptbr.Join(" ", t.MainActivity.Code, t.MainActivity.Text))
	t.fact("Natureza jurídica", t.Natureza)
	t.fact("Porte", t.Porte)
	if t.HasCompany {
		t.fact("Capital social", orElse(ptbr.Money(t.Company.CapitalSocial), "Não informado"))
	}
	t.fact("Abertura", ptbr.Date(t.Opened.Time()))
	t.fact("Endereço", t.Address.Street)
	t.fact("Município", orElse(t.Address.City(), "Não informado"))
	t.fact("CEP", ptbr.CEP(t.Address.CEP))
	t.fact("Telefone", strings.Join(t.Phones, ", "))
	t.fact("Fax", t.Fax)
	t.fact("E-mail", t.Email)
	t.fact("Simples Nacional", t.Simples.String())
	t.fact("MEI", t.MEI.String())
	t.fact("Ente federativo responsável", t.Company.EnteFederativoResponsavel)
	if t.Branches.Pager.Total > 1 {
		t.fact("Estabelecimentos", ptbr.Join(", ", ptbr.Count(t.Branches.Pager.Total), t.Branches.ActiveText()))
	}
	t.end()
	if !t.HasCompany {
		t.paragraph("A publicação desta competência traz o estabelecimento, mas não os dados da empresa a que ele pertence.")
	}
	if t.Private {
		t.paragraph("Por ser de empresário individual ou MEI, este texto não traz rua, telefone nem e-mail.")
	} else if t.Hidden {
		t.paragraph("Rua, telefone e e-mail deste estabelecimento foram ocultados a pedido.")
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
	t.heading(2, "Atividades secundárias")
	for _, a := range t.Activities {
		t.item(plainText(ptbr.Join(" ", a.Code, a.Text)))
	}
	t.end()
}

func (t *companyText) partners() {
	t.heading(2, "Sócios")
	if t.Partners.Pager.Total == 0 {
		t.paragraph("A publicação não traz sócios desta empresa.")
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
			t.link(name, address), plainText(p.Document), plainText(ptbr.Join(", ", p.Qualification, p.Country)), ptbr.Date(p.Entry.Time()),
			plainText(p.Age), plainText(representative),
		})
	}
	t.shown(&t.Partners.Pager)
	t.table([]string{"Nome", "Documento", "Qualificação", "Entrada", "Faixa etária", "Representante"}, rows)
}

func (t *companyText) establishments() {
	if t.Branches.Pager.Total < 2 {
		return
	}
	t.heading(2, "Estabelecimentos da empresa "+t.Root.Masked())
	var rows [][]string
	for _, e := range t.Branches.Rows {
		rows = append(rows, []string{
			t.link(e.CNPJ.Masked(), "/"+e.CNPJ.String()+markdownSuffix), plainText(e.HeadOffice), plainText(e.TradeName),
			plainText(e.City), plainText(e.Status.String()),
		})
	}
	t.shown(&t.Branches.Pager)
	t.table([]string{"CNPJ", "Tipo", "Nome fantasia", "Município", "Situação"}, rows)
}

// shown says which part of a list follows, and where the rest is; nothing of a list that is whole.
func (t *companyText) shown(p *pager) {
	switch {
	case p.Beyond:
		t.paragraph("Esta lista não tem a página pedida. " + t.link("Primeira página", p.First))
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
	t.paragraph(text)
}

// link links to an address of the site or of another one; "" and places on the page itself are no addresses of a text.
func (t *companyText) link(text, address string) string {
	switch {
	case strings.HasPrefix(address, "#"):
		address = ""
	case strings.HasPrefix(address, "/"):
		address = t.base + address
	}
	return linkText(text, address)
}

func (t *companyText) events() {
	if len(t.Timeline) == 0 {
		return
	}
	t.heading(2, "Linha do tempo")
	for _, e := range t.Timeline {
		text := plainText(ptbr.Join(": ", e.Text, e.Detail))
		if e.Expected {
			text += " (data futura)"
		}
		t.item(e.Date() + ": " + text)
	}
	t.end()
}

func (t *companyText) provenance(month string) {
	t.heading(2, "Procedência do cadastro")
	t.fact("Órgão", t.Source.Orgao)
	t.item(ptbr.Join(" ", "**Conjunto:**", t.link(t.Source.Conjunto, t.Source.URL)))
	t.fact("Competência", month)
	if t.Source.LoadedAt != nil {
		t.fact("Carregada em", ptbr.Day(*t.Source.LoadedAt))
	}
	if t.Source.Missing != "" {
		t.fact("Carga parcial", "faltam "+t.Source.Missing+" arquivos")
	}
	t.fact("Licença", t.Source.Licenca)
	t.end()
}

// records writes what the sources have, theme by theme.
func (t *companyText) records() {
	t.heading(2, "Registros públicos")
	t.paragraph("O que cada fonte publica sobre o CNPJ " + t.CNPJ.Masked() + ", com a data da sua própria carga. São fatos publicados, sem nota nem certidão.")
	for _, theme := range t.Themes {
		t.heading(3, theme.Title)
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
	t.heading(4, c.Title)
	state := stateTexts[c.Status]
	if c.Found() {
		state = "`encontrado`: " + c.Count()
	}
	t.item("**Estado:** " + state)
	if c.CompanyWide {
		t.item("A fonte só identifica a empresa: vale para todos os estabelecimentos.")
	}
	t.period(c)
	t.origin(c)
	t.end()
	if !c.Found() {
		return
	}
	switch {
	case c.Pager.Page > 0:
		t.shown(&c.Pager)
	case c.OwnURL != "":
		t.paragraph(c.Shown() + ". " + t.link("Lista completa", c.OwnURL))
	case c.Short():
		t.paragraph(c.Shown() + ". A API traz todos.")
	}
	t.recordTable(c)
}

func (t *companyText) period(c *card) {
	if c.Period == "" {
		return
	}
	text := "**Competência:** " + plainText(c.Period)
	if c.LoadedAt != nil {
		text += ", carregada em " + ptbr.Day(*c.LoadedAt)
	}
	if c.Stale {
		text += ", **desatualizada**"
	}
	if c.Coverage != "" {
		text += ", cobertura desde " + plainText(c.Coverage)
	}
	t.item(text)
	for _, note := range c.Provenance.Observacoes {
		t.fact("Observação", ptbr.Note(note))
	}
	t.fact("Carga parcial, sem", strings.Join(c.Provenance.Faltantes, ", "))
}

func (t *companyText) origin(c *card) {
	text := "**Origem:** " + plainText(c.Provenance.Orgao) + ", " + t.link(c.Provenance.Conjunto, c.Provenance.URL)
	if c.Provenance.Licenca != "" {
		text += ". Licença: " + plainText(c.Provenance.Licenca)
	}
	if c.Provenance.Atribuicao != "" {
		text += ". " + plainText(c.Provenance.Atribuicao)
	}
	if c.Methodology != "" {
		text += ". " + t.link("Como os vínculos são feitos", c.Methodology)
	}
	t.item(text)
}

func (t *companyText) recordTable(c *card) {
	var header []string
	for _, column := range c.Columns {
		header = append(header, plainText(column.Label))
	}
	var rows [][]string
	for _, r := range c.Rows {
		cells := make([]string, len(r.Cells))
		for i, pieces := range r.Cells {
			cells[i] = t.pieces(pieces)
		}
		rows = append(rows, cells)
	}
	t.table(header, rows)
}

// pieces writes the lines of a cell in one.
func (t *companyText) pieces(all []piece) string {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = ptbr.Join(": ", plainText(p.Label), t.link(ptbr.Join(" ", p.Text, p.Rest), p.URL))
	}
	return strings.Join(texts, "; ")
}
