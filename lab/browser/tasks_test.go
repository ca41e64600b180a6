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

// reads returns what is read in the first element that matches, which has all the texts.
func (v *visitor) reads(selector string, texts ...string) string {
	v.t.Helper()
	read := eval[string](v, `(document.querySelector(`+strconv.Quote(selector)+`)?.innerText ?? "").replace(/\s+/g, " ")`)
	for _, text := range texts {
		if !strings.Contains(read, text) {
			v.t.Errorf("%s lacks %q: %.600s", v.path(), text, read)
		}
	}
	return read
}

// owes checks a supplier whose CNPJ is at hand: what it owes, and whether it is sanctioned.
func (w *website) owes(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.begin("/")
	v.send(200, "#q", "14.334.698/0001-96")
	v.at("/" + debtor)
	v.reads("#pgfn", "40", "R$")
	v.took(1)
}

// findsByName looks for a company whose name the visitor has only heard, and opens it.
func (w *website) findsByName(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.begin("/")
	v.send(200, "#q", "drograrias itapadezul")
	v.click(`main a[href="/` + chain + `"]`)
	v.reads("h1", "Drogarias Itapadesul")
	v.took(2)
}

// listsBakeries has the bakeries of a city listed, in words.
func (w *website) listsBakeries(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.begin("/")
	v.send(200, "#q", "padarias em são paulo")
	v.reads("main", "Encontramos 1 empresa", "(São Paulo/SP)", "4721-1/02", "São Paulo/SP")
	v.took(1)
}

// followsASource goes from the debts of a company to where they come from: the publisher, the period and the files.
func (w *website) followsASource(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.begin("/" + debtor)
	v.click(`a[href="/fontes"]`)
	v.click(`main a[href="/fontes/pgfn"]`)
	v.reads("main", "Dados abertos: devedores da União e do FGTS", "09/2026", "SHA-256", "Dados_abertos_FGTS.zip")
	v.took(2)
}

// callsFirst makes a key and runs the first call as /api prints it.
func (w *website) callsFirst(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.signIn("ines@exemplo.com.br", "/conta")
	key := v.createKey("primeira chamada")
	v.begin("/")
	v.click(`a[href="/api"]`)
	const printed = `[...document.querySelectorAll("pre code")].map((code) => code.innerText)`
	blocks := eval[[]string](v, printed)
	if len(blocks) < 2 {
		t.Fatalf("/api prints %q", blocks)
	}
	settings := strings.Replace(blocks[0], "rz_…", key, 1)
	out, err := exec.CommandContext(v.ctx, "sh", "-c", settings+"\n"+blocks[1]).Output()
	var answer struct {
		Dados struct {
			Total *int `json:"total"`
		} `json:"dados"`
	}
	if err != nil || json.Unmarshal(out, &answer) != nil || answer.Dados.Total == nil {
		t.Fatalf("%s\n%v, %s", blocks[1], err, out)
	}
	v.took(1)
}

// hidesAContact asks from the page of a company, as somebody who does not know the address of the form.
func (w *website) hidesAContact(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.begin("/" + closed)
	v.click(`a[href^="/privacidade/ocultar"]`)
	if got := eval[string](v, `document.querySelector("[name=cnpj]").value`); strings.NewReplacer(".", "", "/", "", "-", "").Replace(got) != closed {
		t.Errorf("the form has %q", got)
	}
	v.send(200, "[name=email]", "dono@exemplo.com.br")
	v.reads("main", "Pedido recebido.")
	v.took(2)
}

// ranksCities downloads the ranking as spreadsheets of Brazil open it, and reads how many companies there are in the first city.
func (w *website) ranksCities(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.begin("/")
	v.click(`a[href="/municipios"]`)
	file := v.save(`a[href="/municipios.csv?formato=excel"]`)
	text, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	header, rows, _ := strings.Cut(string(text), "\r\n")
	first, _, _ := strings.Cut(rows, "\r\n")
	if !strings.HasPrefix(header, "\uFEFFPosição;Município;UF;") || !strings.Contains(first, "São Paulo;SP;") || strings.Count(rows, "\r\n") < 5000 {
		t.Errorf("%.200s\n%s", header, first)
	}
	v.click(`main tbody th a`)
	v.reads("main", "São Paulo", "mpresas ativas")
	v.took(3)
}

// comparesCities ticks two municipalities of a state in the ranking, and adds one that is known by its name: without scripts.
func (w *website) comparesCities(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.begin("/")
	v.do(emulation.SetScriptExecutionDisabled(true))
	v.click(`a[href="/municipios"]`)
	v.fill(`select[name=uf]`, "BA")
	v.click(`.narrowing button`)
	v.at("/municipios?uf=BA&q=")
	v.press(`tbody tr:nth-child(1) [name=m]`)
	v.press(`tbody tr:nth-child(2) [name=m]`)
	const box = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector("#comparar button").getBoundingClientRect())`
	if !eval[bool](v, box) {
		t.Error("whoever has ticked municipalities does not see where they are compared")
	}
	v.click(`#comparar button`)
	v.reads("main", "Salvador/BA", "Empresas ativas", "Posição no país")
	v.send(200, ".narrowing [name=q]", "campinas sp")
	v.click(`main ol.places a`)
	v.reads("table", "Salvador/BA", "Campinas/SP")
	if n := eval[int](v, `document.querySelectorAll(".compared thead a").length`); n != 3 {
		t.Errorf("%d municipalities are compared", n)
	}
	v.took(7)
}

// describesACompany looks for bakeries in Belo Horizonte, opened after 2010, with a capital of ten thousand reais and more, by the form alone.
func (w *website) describesACompany(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.begin("/")
	v.do(emulation.SetScriptExecutionDisabled(true))
	v.click(`a[href="/busca/avancada"]`)
	for field, value := range map[string]string{"cnae": "4721-1/02", "municipio": "Belo Horizonte", "abertura_de": "2011-01-01", "capital_de": "R$ 10 mil"} {
		v.do(chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true)`, nil))
		v.fill(`[name=`+field+`]`, value)
	}
	v.click(`.advanced > button`)
	v.at("/busca?abertura_de=2011-01-01&capital_de=10000&cnae=4721102&municipio=4123")
	v.reads("main", "Município: Belo Horizonte/MG", "Capital social: a partir de", "4721-1/02", "Belo Horizonte/MG")
	v.took(2)
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
	renamed := regexp.MustCompile(`(?m)^(\w{8});;empresa.nome;;(.+?) LTDA.*;(.+?) LTDA.*$`).FindStringSubmatch(string(planted))
	if renamed == nil {
		t.Fatalf("nothing was renamed: %s", planted)
	}
	p.Start("serve")
	v := w.visit(t, p.Addr)
	v.begin("http://" + p.Addr + "/")
	v.send(200, "#q", renamed[1])
	v.click(".results h2 a")
	v.press(`.contents a[href="#mudancas"]`)
	read := v.reads("section:has(#mudancas)", "O que mudou", "desde a de 08/2026", "09/2026")
	if want := renamed[2] + `\b.*\b` + renamed[3]; !regexp.MustCompile(`(?i)\b` + want).MatchString(read) {
		t.Errorf("the page lacks %q", want)
	}
	v.took(3)
}

// connectsAnAssistant gives a program the address that /assistente prints, with a key, and asks it what an assistant would.
func (w *website) connectsAnAssistant(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.signIn("rosa@exemplo.com.br", "/conta")
	key := v.createKey("assistente")
	v.begin("/")
	v.click(`header a[href="/assistente"]`)
	v.reads(".chat .said", "CNPJ")
	address := eval[string](v, `document.querySelector("#conectar ~ .code code").innerText`)
	v.reads("#outros + p", "Authorization: Bearer")
	v.took(1)
	client := mcp.NewClient(&mcp.Implementation{Name: assistantName, Version: "1"}, nil)
	keyed := &http.Client{Transport: &oauth2.Transport{Source: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: key})}}
	session, err := client.Connect(v.ctx, &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: keyed}, nil)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	defer func() { _ = session.Close() }()
	answer, err := session.CallTool(v.ctx, &mcp.CallToolParams{Name: "consultar_cnpj", Arguments: map[string]any{"cnpj": chain}})
	if err != nil || answer.IsError || len(answer.Content) == 0 {
		t.Fatalf("%v %+v", err, answer)
	}
	said := answer.Content[0].(*mcp.TextContent).Text
	v.open("/" + chain)
	name := eval[string](v, `document.querySelector("h1").innerText`)
	if !strings.Contains(strings.ToLower(said), strings.ToLower(name)) || !strings.Contains(said, w.base+"/"+chain) {
		t.Errorf("the assistant was told nothing of %s: %s", name, said)
	}
}
