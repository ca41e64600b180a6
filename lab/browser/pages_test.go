package browser

import (
	_ "embed"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// state is a page in one of the forms that a visitor may find.
type state struct {
	name   string // of its pictures, too
	path   string // "": where before leads
	status int64  // 0: 200
	shows  string // on the page; "" for pages that are what they are
	before func(*visitor)
	dark   bool // has pictures in dark, too
	heavy  bool // may weigh more than a page for reading
}

// states are all pages and what they can look like.
var states = []state{
	{name: "home", path: "/", dark: true},
	{name: "home-sugestoes", before: (*visitor).suggest},
	{name: "home-recentes", before: (*visitor).searchTwice, shows: "Buscas recentes"},
	{name: "busca", path: "/busca?q=comercio", shows: "Próxima", dark: true},
	{name: "busca-filtros", path: "/busca?q=comercio&situacao=02&uf=SP", shows: "Tirar o filtro", dark: true},
	{name: "busca-vazia", path: "/busca"},
	{name: "busca-avancada", path: "/busca/avancada?municipio=6291&capital_de=100000&fonte=pgfn", shows: "Registros públicos", dark: true},
	{name: "busca-avancada-422", path: "/busca/avancada?buscar=1&cnae=zz&abertura_de=ontem", status: 422, shows: "Confira estes campos"},
	{name: "busca-nada", path: "/busca?q=xqzxqz", shows: "Nada encontrado"},
	{name: "busca-cnpj-errado", path: "/busca?q=22361243000199", shows: "não é um CNPJ válido"},
	{name: "busca-422", path: "/busca?pagina=0", status: 422},
	{name: "empresa", path: "/" + chain, shows: "101 estabelecimentos", dark: true},
	{name: "empresa-dividas", path: "/" + debtor + "?pgfn_pagina=2", shows: "11 a 20"},
	{name: "empresa-ibama", path: "/" + polluter, shows: "Meio ambiente", dark: true},
	{name: "empresa-bndes", path: "/" + borrower, shows: "Financiamento"},
	{name: "empresa-baixada", path: "/" + closed, shows: "Baixada em"},
	{name: "empresa-individual", path: "/" + entrepreneur, shows: "pessoa física", dark: true},
	{name: "ibama-autos", path: "/" + polluter + "/ibama/autos/1", shows: "Próxima"},
	{name: "ibama-embargos", path: "/" + polluter + "/ibama/embargos/1"},
	{name: "socio", before: (*visitor).openPartner, shows: "Pessoas diferentes podem ter o mesmo nome", dark: true},
	{name: "empresas", path: "/empresas"},
	{name: "uf", path: "/uf/sp", dark: true},
	{name: "cidade", path: "/uf/sp/sao-paulo", dark: true},
	{name: "estados", path: "/estados", dark: true},
	{name: "estados-regiao", path: "/estados?regiao=norte", shows: "Região Norte"},
	{name: "municipios", path: "/municipios", dark: true},
	{name: "municipios-filtros", path: "/municipios?uf=SP&q=sao&ordem=capital", shows: "Tirar o filtro"},
	{name: "municipios-nada", path: "/municipios?uf=SP&q=xqzxqz", shows: "Procurar em todos os estados"},
	{name: "comparar-vazia", path: "/municipios/comparar?q=sao", shows: "Escolha um"},
	{name: "comparar", path: "/municipios/comparar?m=3550308&m=3304557&m=2927408&m=5101837&m=3509502", shows: "uma escala só", dark: true},
	{name: "mudancas", path: "/mudancas", shows: "As últimas cargas", dark: true},
	{name: "mudancas-filtros", path: "/mudancas?uf=SP&evento=empresa.capital", shows: "Tirar o filtro"},
	{name: "rede", path: "/" + chain[:8] + "/rede?profundidade=4&representantes=sim", shows: "À esquerda quem tem", dark: true},
	{name: "rede-vazia", path: "/" + entrepreneur[:8] + "/rede", shows: "Nenhum sócio publicado"},
	{name: "rede-pessoas", before: (*visitor).goThroughPersons, shows: "conta no limite da sua conta"},
	{name: "grupo", path: "/" + chain[:8] + "/grupo", shows: "parecer jurídico", dark: true},
	{name: "caminho", path: "/caminho", shows: "Procurar"},
	{name: "caminho-achado", before: (*visitor).openPath, shows: "1 caminho", dark: true},
	{name: "transparencia", path: "/transparencia", shows: "Um passo é de todos"},
	{name: "metodologia-bndes", path: "/metodologia/bndes"},
	{name: "api", path: "/api"},
	{name: "api-v1", path: "/api/v1"},
	{name: "api-docs", path: "/api/docs", shows: "Abrir a referência interativa"},
	{name: "api-docs-aberta", before: (*visitor).openReference, heavy: true},
	{name: "dicionario", path: "/dicionario"},
	{name: "glossario", path: "/glossario", shows: "situação cadastral", dark: true},
	{name: "fontes", path: "/fontes", shows: "Cadastro do CNPJ", dark: true},
	{name: "fonte", path: "/fontes/pgfn", shows: "Linhas deixadas de fora", dark: true},
	{name: "fonte-receita", path: "/fontes/receita", shows: "em uso"},
	{name: "qualidade", path: "/fontes/receita/qualidade", shows: "Como ler"},
	{name: "fonte-404", path: "/fontes/nada", status: 404},
	{name: "assistente", path: "/assistente", shows: "/mcp"},
	{name: "assistente-whatsapp", path: "/assistente/whatsapp"},
	{name: "assistente-telegram", path: "/assistente/telegram"},
	{name: "autorizar", before: (*visitor).beAsked, shows: "Qualquer programa instalado neste computador pode dizer"},
	{name: "autorizar-site", before: (*visitor).beAskedByALookAlike, shows: "O Razão não verificou de quem é este endereço."},
	{name: "autorizar-recusado", path: "/oauth/consent?erro=destino", shows: "Nada foi autorizado."},
	{name: "privacidade", path: "/privacidade", shows: operator},
	{name: "ocultar", path: "/privacidade/ocultar?cnpj=" + chain},
	{name: "ocultar-errado", before: (*visitor).hideNothing, shows: "Escreva o CNPJ completo"},
	{name: "ocultar-recebido", path: "/privacidade/ocultar?aviso=recebido", shows: "Pedido recebido."},
	{name: "termos", path: "/termos"},
	{name: "componentes", path: "/componentes", heavy: true},
	{name: "login", path: "/login"},
	{name: "login-cancelado", path: "/login?error=cancelado", shows: "cancelada no provedor"},
	{name: "login-email-errado", before: (*visitor).mistype, shows: "Escreva um endereço de e-mail completo"},
	{name: "callback", before: (*visitor).openLink, shows: "Confirmar entrada"},
	{name: "conta-vazia", before: (*visitor).enter, shows: "Ainda não há chaves"},
	{name: "conta-chave-nova", before: (*visitor).makeKey, shows: "Chave criada."},
	{name: "conta", before: (*visitor).useKey, shows: "chamada admitida"},
	{name: "carteira", before: (*visitor).keepPortfolio, shows: "Seguindo 3 empresas", dark: true},
	{name: "lista", path: "/lista", shows: "entre na conta"},
	{name: "seguindo", before: (*visitor).follows, shows: "O que sigo", dark: true},
	{name: "webhooks", before: (*visitor).addWebhook, shows: "Webhook criado.", dark: true},
	{name: "404", path: "/nada", status: 404},
	{name: "404-cnpj", path: "/22361243000199", status: 404, shows: "não é um CNPJ válido"},
	{name: "503", before: (*visitor).openEmpty, shows: "Nenhuma carga foi publicada ainda"},
}

func (v *visitor) suggest() {
	v.openHome()
	v.do(chromedp.KeyEvent("com"))
	v.until(isOpen + ` && document.querySelector("#sugestoes mark").textContent.length === "com".length`)
}

func (v *visitor) openPartner() {
	v.open("/" + chain)
	v.click(`a[href^="/socio/"]`)
}

// openPath follows a partner of a company to its page, and asks for the way there.
func (v *visitor) openPath() {
	v.openPartner()
	partner := strings.Split(eval[string](v, `location.pathname`), "/")
	v.open("/caminho?" + url.Values{"de": {chain}, "para": {partner[2] + "-" + partner[3]}}.Encode())
}

func (v *visitor) goThroughPersons() {
	v.signIn(v.email(), "/conta")
	v.open("/" + chain[:8] + "/rede?pessoas=sim")
}

// keepPortfolio pastes a list of companies, and follows what was found.
func (v *visitor) keepPortfolio() {
	v.signIn(v.email(), "/conta")
	v.open("/conta/carteira")
	v.click(`#lista + p a`)
	v.do(chromedp.SetValue("#cnpjs", chain+"\n"+debtor+"\n"+closed, chromedp.ByQuery))
	v.click("main form.stack button")
	v.do(chromedp.Click("main details:has(#grupo) summary", chromedp.ByQuery))
	v.fill("#grupo", "Fornecedores")
	v.click(`main form[action="/conta/carteira"] button`)
}

func (v *visitor) follows() {
	v.keepPortfolio()
	v.open("/conta/seguindo")
}

func (v *visitor) addWebhook() {
	v.signIn(v.email(), "/conta")
	v.open("/conta/webhooks")
	v.send(200, "main form.stack input[name=url]", "https://exemplo.com.br/webhook")
}

// openReference opens the reference with one of its operations unfolded.
func (v *visitor) openReference() {
	v.open("/api/docs")
	v.do(chromedp.Click("#abrir", chromedp.ByQuery))
	v.until(`document.querySelectorAll("#swagger-ui .opblock").length > 0`)
	v.do(chromedp.Click(`#swagger-ui .opblock-summary-control`, chromedp.ByQuery))
	v.until(`document.querySelectorAll("#swagger-ui .opblock-body .responses-wrapper").length > 0`)
}

func (v *visitor) mistype() {
	v.open("/login")
	v.do(chromedp.SetAttributeValue("#email", "type", "text", chromedp.ByQuery)) // or the browser would not send it
	v.send(422, "#email", "ana arroba exemplo")
}

func (v *visitor) email() string {
	return "estado-" + strings.ToLower(v.t.Name()[strings.LastIndexByte(v.t.Name(), '/')+1:]) + "@exemplo.com.br"
}

func (v *visitor) openLink() {
	v.open("/login")
	v.send(200, "#email", v.email())
	v.open(v.mails.Link(v.ctx, v.t, v.email()))
}

func (v *visitor) enter() { v.signIn(v.email(), "/conta") }

func (v *visitor) makeKey() {
	v.enter()
	v.createKey("planilha de fornecedores")
}

func (v *visitor) useKey() {
	v.enter()
	old := v.createKey("notebook antigo")
	v.click(`form[action$="/revogar"] button`)
	if status := v.call(old); status != 401 {
		v.t.Errorf("a call with a revoked key: %d", status)
	}
	if status := v.call(v.createKey("planilha de fornecedores")); status != 200 {
		v.t.Errorf("a call: %d", status)
	}
	v.calls("1")
}

func (v *visitor) hideNothing() {
	v.open("/privacidade/ocultar?cnpj=22361243000199")
	v.send(422, "#email", v.email())
}

func (v *visitor) openEmpty() { v.openWith(503, v.empty+"/") }

// pages opens every state in a browser of its own and looks at it in light and dark, wide and narrow.
func (w *website) pages(t *testing.T) {
	t.Parallel()
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			v := w.visit(t)
			v.size(wide)
			if s.before != nil {
				s.before(v)
			}
			if s.path != "" {
				v.openWith(max(s.status, 200), s.path)
			}
			if s.shows != "" {
				v.shows(s.shows)
			}
			v.weigh(&s)
			v.describe()
			v.look(&s)
		})
	}
}

// Widths of windows, in pixels. At 320 a page looks as it does in a window of 1280 at 400 %.
const (
	wide     = 1440
	phone    = 390
	smallest = 320
)

func (v *visitor) size(width int64) {
	v.t.Helper()
	v.do(emulation.SetDeviceMetricsOverride(width, 900, 1, width < wide))
}

func (v *visitor) scheme(name string) {
	v.t.Helper()
	v.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}))
}

// look examines the page as it is, then with everything unfolded.
func (v *visitor) look(s *state) {
	v.t.Helper()
	v.scheme("light")
	v.inOrder(wide)
	v.examine("light, wide")
	v.picture(s, wide, "")
	v.scheme("dark")
	v.examineColours("dark, wide")
	if s.dark {
		v.picture(s, wide, "-escuro")
	}
	v.size(phone)
	if s.dark {
		v.picture(s, phone, "-escuro")
	}
	v.scheme("light")
	v.picture(s, phone, "")
	v.header()
	v.narrow(phone)
	v.size(smallest)
	v.narrow(smallest)
	v.do(chromedp.Evaluate(`document.querySelectorAll("details").forEach((one) => { one.open = true })`, nil))
	v.narrow(smallest)
	v.examine("light, narrow, unfolded")
}

// narrow checks that neither the page nor its tables scroll sideways, that no cell runs into the next,
// and that a stacked table is still a table for assistive technology.
func (v *visitor) narrow(width int64) {
	v.t.Helper()
	const over = `document.scrollingElement.scrollWidth - document.documentElement.clientWidth`
	if n := eval[int](v, over); n > 0 {
		const widest = `[...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll"))
			.slice(0, 5).map((e) => e.outerHTML.slice(0, 120)).join("\n")`
		v.t.Errorf("at %d px the page is %d px too wide:\n%s", width, n, eval[string](v, widest))
	}
	const cells = `[...document.querySelectorAll(":is(th, td):not(thead *)")].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
		.slice(0, 5).map((e) => e.outerHTML.slice(0, 300)).join("\n")`
	if wide := eval[string](v, cells); wide != "" {
		v.t.Errorf("at %d px cells are too narrow for what is in them:\n%s", width, wide)
	}
	v.stacked(width)
}

// header checks that the header, with the banner of invented data, takes at most a seventh of a phone's screen, and that Tab visits it in
// visual order.
func (v *visitor) header() {
	v.t.Helper()
	if n := eval[float64](v, `document.querySelector("header.site").getBoundingClientRect().height`); n > screens[1].height/7 {
		v.t.Errorf("at %d px the header is %g px high", phone, n)
	}
	v.inOrder(phone)
}

// describe checks what the page says of itself.
func (v *visitor) describe() {
	v.t.Helper()
	type head struct {
		Title, Lang string
		Headings    int
	}
	h := eval[head](v, `({ Title: document.title, Lang: document.documentElement.lang, Headings: document.querySelectorAll("h1").length })`)
	if !strings.HasSuffix(h.Title, " · Razão") || h.Lang != "pt-BR" || h.Headings != 1 {
		v.t.Errorf("the page has title %q, language %q, %d h1", h.Title, h.Lang, h.Headings)
	}
}

// axe is the source of axe-core. It is evaluated over the DevTools protocol, which the content
// security policy does not restrict.
//
//go:embed testdata/axe.min.js
var axe string

// violation is a barrier that axe found.
type violation struct {
	ID, Impact, Help string
	Targets          []string
}

// examine runs axe-core: violations of WCAG 2.2 AA and of best practices, such as the order of headings, fail the test.
func (v *visitor) examine(how string) {
	v.t.Helper()
	v.axe(how, `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`)
}

// examineColours is examine for a page that differs from the one examined before in its colours alone.
func (v *visitor) examineColours(how string) {
	v.t.Helper()
	v.axe(how, `{ type: "rule", values: ["color-contrast", "link-in-text-block"] }`)
}

// axe runs rules of axe-core, an expression of JavaScript.
func (v *visitor) axe(how, rules string) {
	v.t.Helper()
	if !eval[bool](v, `typeof axe === "object"`) {
		v.do(chromedp.Evaluate(axe, nil))
	}
	run := `Promise.all(document.getAnimations().map((one) => one.finished)).then(() => axe.run(document, {
		resultTypes: ["violations"],
		runOnly: ` + rules + `,
	})).then((found) => found.violations.map((one) => ({
		ID: one.id, Impact: one.impact, Help: one.help,
		Targets: one.nodes.slice(0, 5).map((node) => node.target.join(" ") + ": " + node.html.slice(0, 200)),
	})))`
	var found []violation
	v.do(chromedp.Evaluate(run, &found, wait))
	for _, one := range found {
		if one.ID == "landmark-unique" && v.path() == "/componentes" {
			continue // which shows every component, one of them twice
		}
		v.t.Errorf("%s: %s (%s): %s\n\t%s", how, one.ID, one.Impact, one.Help, strings.Join(one.Targets, "\n\t"))
	}
}

// Bars of the weight of a page for reading, over the network.
const (
	maxBytes   = 60_000
	maxScripts = 12_000
)

// weigh checks and logs what the page transferred.
func (v *visitor) weigh(s *state) {
	v.t.Helper()
	l := v.loaded()
	document, sheets, scripts, fonts := l.bytes[network.ResourceTypeDocument], l.bytes[network.ResourceTypeStylesheet],
		l.bytes[network.ResourceTypeScript], l.bytes[network.ResourceTypeFont]
	v.t.Logf("| %s | %d | %d | %d | %d | %d | %s |", s.name, document, sheets, scripts, fonts, l.requests, eval[string](v, `document.title`))
	if !s.heavy && (l.total() > maxBytes || scripts > maxScripts) {
		v.t.Errorf("the page takes %d bytes, %d of them scripts: the bars are %d and %d", l.total(), scripts, maxBytes, maxScripts)
	}
	if document == 0 || sheets == 0 || scripts == 0 || fonts == 0 {
		v.t.Errorf("the page was not weighed: %v", l.bytes)
	}
}
