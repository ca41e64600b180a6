package browser

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"

	"razao/lab/internal/built"
)

// task is something that a visitor wants to find out or get done, with the steps it takes.
type task struct {
	*visitor
	clicks int // with forms that were sent
}

func (k *task) click(selector string) {
	k.t.Helper()
	k.clicks++
	k.visitor.click(selector)
}

func (k *task) send(selector, text string) {
	k.t.Helper()
	k.clicks++
	k.visitor.send(200, selector, text)
}

// reads notes what is read in the first element that matches, which has all the texts.
func (k *task) reads(selector string, texts ...string) string {
	k.t.Helper()
	read := eval[string](k.visitor, `(document.querySelector(`+strconv.Quote(selector)+`)?.innerText ?? "").replace(/\s+/g, " ")`)
	k.t.Logf("%d clicks, at %s: %.240s", k.clicks, k.path(), read)
	for _, text := range texts {
		if !strings.Contains(read, text) {
			k.t.Errorf("%s lacks %q: %.600s", k.path(), text, read)
		}
	}
	return read
}

// knowsACompany: what it owes, who its partners are and what else they own.
func (w *website) knowsACompany(t *testing.T) {
	t.Parallel()
	k := &task{visitor: w.visit(t)}
	k.open("/")
	k.send("#q", debtor)
	k.at("/" + debtor)
	k.reads("#pgfn", "40", "R$")
	k = &task{visitor: k.visitor}
	k.open("/")
	k.send("#q", chain)
	partner := eval[string](k.visitor, `document.querySelector('a[href^="/socio/"]').innerText`)
	k.reads(`section:has(a[href^="/socio/"])`, partner)
	company := eval[string](k.visitor, `document.querySelector("h1").innerText`)
	k.click(`a[href^="/socio/"]`)
	k.reads("main", partner, company, "Pessoas diferentes podem ter o mesmo nome")
}

// callsFirst makes a key and runs the first call as /api prints it.
func (w *website) callsFirst(t *testing.T) {
	t.Parallel()
	k := &task{visitor: w.visit(t)}
	k.signIn("ines@exemplo.com.br", "/conta")
	key := k.createKey("primeira chamada")
	k.open("/")
	k.click(`a[href="/api"]`)
	const printed = `[...document.querySelectorAll("pre code")].map((code) => code.innerText)`
	blocks := eval[[]string](k.visitor, printed)
	if len(blocks) < 2 {
		t.Fatalf("/api prints %q", blocks)
	}
	settings := strings.Replace(blocks[0], "rz_…", key, 1)
	out, err := exec.CommandContext(k.ctx, "sh", "-c", settings+"\n"+blocks[1]).Output()
	var answer struct {
		Dados struct {
			Total *int `json:"total"`
		} `json:"dados"`
	}
	if err != nil || json.Unmarshal(out, &answer) != nil || answer.Dados.Total == nil {
		t.Fatalf("%s\n%v, %s", blocks[1], err, out)
	}
	t.Logf("%d clicks after signing in and making a key: %d partners", k.clicks, *answer.Dados.Total)
}

// hidesAContact asks from the page of a company, as somebody who does not know the address of the form.
func (w *website) hidesAContact(t *testing.T) {
	t.Parallel()
	k := &task{visitor: w.visit(t)}
	k.open("/" + closed)
	k.click(`a[href^="/privacidade/ocultar"]`)
	if got := eval[string](k.visitor, `document.querySelector("[name=cnpj]").value`); strings.NewReplacer(".", "", "/", "", "-", "").Replace(got) != closed {
		t.Errorf("the form has %q", got)
	}
	k.send("[name=email]", "dono@exemplo.com.br")
	k.reads("main", "Pedido recebido.")
}

// opensASpreadsheet downloads the ranking as spreadsheets of Brazil open it.
func (w *website) opensASpreadsheet(t *testing.T) {
	t.Parallel()
	k := &task{visitor: w.visit(t)}
	k.open("/municipios")
	k.clicks++
	file := k.save(`a[href="/municipios.csv?formato=excel"]`)
	text, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	header, rows, _ := strings.Cut(string(text), "\r\n")
	first, _, _ := strings.Cut(rows, "\r\n")
	t.Logf("%d clicks: %s", k.clicks, first)
	if !strings.HasPrefix(header, "\uFEFFposicao;municipio;uf;") || !strings.Contains(first, "São Paulo;SP;") || strings.Count(rows, "\r\n") < 5000 {
		t.Errorf("%.200s\n%s", header, first)
	}
}

// comparesCities ticks two municipalities of a state in the ranking, and adds one that is known by its name: without scripts.
func (w *website) comparesCities(t *testing.T) {
	t.Parallel()
	k := &task{visitor: w.visit(t)}
	k.open("/")
	k.do(emulation.SetScriptExecutionDisabled(true))
	k.click(`a[href="/municipios"]`)
	k.clicks += 3
	k.do(chromedp.SetValue(`select[name=uf]`, "BA", chromedp.ByQuery))
	k.visitor.click(`.narrowing button`)
	k.at("/municipios?uf=BA&q=")
	k.do(chromedp.Click(`tbody tr:nth-child(1) [name=m]`, chromedp.ByQuery), chromedp.Click(`tbody tr:nth-child(2) [name=m]`, chromedp.ByQuery))
	const box = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector("#comparar button").getBoundingClientRect())`
	if !eval[bool](k.visitor, box) {
		t.Error("whoever has ticked municipalities does not see where they are compared")
	}
	k.click(`#comparar button`)
	k.reads("main", "Salvador/BA", "Empresas ativas", "Posição no país")
	k.send(".narrowing [name=q]", "campinas sp")
	k.click(`main ol.places a`)
	k.reads("table", "Salvador/BA", "Campinas/SP")
	if n := eval[int](k.visitor, `document.querySelectorAll(".compared thead a").length`); n != 3 {
		t.Errorf("%d municipalities are compared", n)
	}
}

// describesACompany looks for bakeries in Belo Horizonte, opened after 2010, with a capital of ten thousand reais and more, by the form alone.
func (w *website) describesACompany(t *testing.T) {
	t.Parallel()
	k := &task{visitor: w.visit(t)}
	k.open("/")
	k.do(emulation.SetScriptExecutionDisabled(true))
	k.click(`a[href="/busca/avancada"]`)
	for field, value := range map[string]string{"cnae": "4721-1/02", "municipio": "Belo Horizonte", "abertura_de": "2011-01-01", "capital_de": "R$ 10 mil"} {
		k.clicks++
		k.do(chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true)`, nil))
		k.do(chromedp.SetValue(`[name=`+field+`]`, value, chromedp.ByQuery))
	}
	k.click(`.advanced > button`)
	k.at("/busca?abertura_de=2011-01-01&capital_de=10000&cnae=4721102&municipio=4123")
	k.reads("main", "Município: Belo Horizonte/MG", "Capital social: a partir de", "4721-1/02", "Belo Horizonte/MG")
}

// findsACity reads how many companies there are in one, from the ranking.
func (w *website) findsACity(t *testing.T) {
	t.Parallel()
	k := &task{visitor: w.visit(t)}
	k.open("/")
	k.do(chromedp.WaitReady("main"))
	k.click(`a[href="/municipios"]`)
	k.click(`main tbody th a`)
	k.reads("main", "São Paulo", "mpresas ativas")
}

// seesWhatChanged comes from the first page to what a month changed of a company. The sample says which it has renamed.
func (w *website) seesWhatChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	former, latest := filepath.Join(dir, "former"), filepath.Join(dir, "latest")
	p, _ := built.OnItsOwn(t)
	p.Must("sample", "--roots", "1000", "--seed", "2", "--month", "2026-08", "--out", former)
	p.Must("sample", "--previous", former, "--out", latest)
	for _, release := range []string{former, latest} {
		p.Must("ingest", "receita", "--from", filepath.Join(release, "receita"))
	}
	planted, err := os.ReadFile(filepath.Join(latest, "receita", "2026-09", "MUDANCAS.csv"))
	if err != nil {
		t.Fatal(err)
	}
	renamed := regexp.MustCompile(`(?m)^(\w{8});;razao_social;(.+?) LTDA.*;(.+?) LTDA.*$`).FindStringSubmatch(string(planted))
	if renamed == nil {
		t.Fatalf("nothing was renamed: %s", planted)
	}
	p.Start("serve")
	k := &task{visitor: w.visit(t, p.Addr)}
	k.open("http://" + p.Addr + "/")
	k.send("#q", renamed[1])
	k.click(".results h2 a")
	k.clicks++
	k.do(chromedp.Click(`.contents a[href="#mudancas"]`, chromedp.ByQuery))
	read := k.reads("section:has(#mudancas)", "O que mudou desde a carga anterior", "Antes, em 08/2026", "Agora, em 09/2026")
	if want := renamed[2] + `\b.*\b` + renamed[3]; !regexp.MustCompile(`(?i)\b` + want).MatchString(read) {
		t.Errorf("the page lacks %q", want)
	}
}

// connectsAnAssistant gives a program the address that /assistente prints, with a key, and asks it what an assistant would.
func (w *website) connectsAnAssistant(t *testing.T) {
	t.Parallel()
	k := &task{visitor: w.visit(t)}
	k.signIn("rosa@exemplo.com.br", "/conta")
	key := k.createKey("assistente")
	k.open("/")
	k.click(`header a[href="/assistente"]`)
	k.reads(".chat .said", "CNPJ")
	address := eval[string](k.visitor, `document.querySelector("#conectar ~ .code code").innerText`)
	k.reads("#outros + p", "Authorization: Bearer")
	client := mcp.NewClient(&mcp.Implementation{Name: assistantName, Version: "1"}, nil)
	keyed := &http.Client{Transport: &oauth2.Transport{Source: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: key})}}
	session, err := client.Connect(k.ctx, &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: keyed}, nil)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	defer func() { _ = session.Close() }()
	answer, err := session.CallTool(k.ctx, &mcp.CallToolParams{Name: "consultar_cnpj", Arguments: map[string]any{"cnpj": chain}})
	if err != nil || answer.IsError || len(answer.Content) == 0 {
		t.Fatalf("%v %+v", err, answer)
	}
	said := answer.Content[0].(*mcp.TextContent).Text
	k.open("/" + chain)
	name := eval[string](k.visitor, `document.querySelector("h1").innerText`)
	t.Logf("%d click and %s: %.200s", k.clicks, address, said)
	if !strings.Contains(strings.ToLower(said), strings.ToLower(name)) || !strings.Contains(said, w.base+"/"+chain) {
		t.Errorf("the assistant was told nothing of %s: %s", name, said)
	}
}
