package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/testing/fixture"
)

// Bounds of the work of a request, in bytes that it answers with.
const (
	largestOfCall = 5 << 18    // for each call that it counts as
	largestOfPage = largestAny // where it counts for nobody: behind a throttle
)

// heavy is a request that makes a route work as much as can be made up, among hubs.
type heavy struct {
	probe
	calls int // that it counts as; more: at most -calls
}

// hopeless is a name of twenty words that no company has.
func hopeless(i int) string {
	var b strings.Builder
	for word := range 20 {
		fmt.Fprintf(&b, "xq%c%czv%cw ", 'a'+i%26, 'a'+i/26%26, 'a'+word)
	}
	return b.String()
}

// heaviest returns the heaviest requests that are known, among hubs: of every route of the API and every tool, and of pages that search or
// walk the network.
func heaviest(t *testing.T, h *fixture.Hubs) []heavy {
	t.Helper()
	hub, other, words := h.Crowds[0][0], h.Crowds[1][0], url.QueryEscape(hopeless(0))
	full := func(root string) string { return fixture.Full(t, root).String() }
	digits, slug, _ := strings.Cut(h.Person, "-")
	var questions, lines []string
	for i := range 50 {
		questions = append(questions, fmt.Sprintf(`"q%d":{"query":%q}`, i, hopeless(i)))
	}
	for i := range 1000 {
		lines = append(lines, hopeless(i))
	}
	numbers := strings.Join(slices.Repeat([]string{hub}, 1000), `","`)
	form := func(field, value string) string { return url.Values{field: {value}}.Encode() }
	both := "de=" + hub + "&para=" + other
	around := "profundidade=6&representantes=sim&contatos=sim"
	var all []heavy
	api := func(route string, calls int, query string) {
		path := strings.NewReplacer(":documento", hub, ":id", h.Person, ":cnpj", hub, ":fonte", "pgfn").Replace(route) + query
		if strings.HasPrefix(route, "/v2/estabelecimentos") {
			path = strings.Replace(path, hub, full(hub), 1)
		}
		all = append(all, heavy{probe{name: "GET " + route, method: "GET", path: path, counted: true}, calls})
	}
	api("/v1/cnpj/:cnpj", 1, "")
	for _, of := range []string{"/v2/empresas/:documento", "/v2/estabelecimentos/:documento"} {
		for _, mode := range []string{"basic", "full", "fontes/:fonte", "mudancas"} {
			api(of+"/"+mode, 1, "?limite=100")
		}
	}
	api("/v2/empresas/:documento/prova", 1, "")
	api("/v2/empresas/:documento/estabelecimentos", 1, "?limite=100")
	api("/v2/empresas/:documento/socios", 1, "?limite=100")
	api("/v2/empresas/:documento/rede", 4, "?limite=500&"+around)
	api("/v2/empresas/:documento/rede", 4, "?limite=500&profundidade=6&formato=ftm")
	api("/v2/empresas/:documento/rede", 4, "?limite=500&profundidade=6&formato=bods")
	all = append(all, heavy{probe{name: "GET /v2/grupos/:documento", method: "GET", path: "/v2/grupos/" + h.Group[0], counted: true}, 4})
	api("/v2/caminho", 4, "?"+both)
	api("/v2/socios/:id/empresas", 1, "?limite=100")
	api("/v2/busca", 1, "?facetas=sim&limite=100&q="+words)
	api("/v2/busca", 1, "?facetas=sim&limite=100&em=socios&q=pessoa+inventada+da+rosha")
	api("/v2/mudancas", 1, "?uf=AC&uf=SP&limite=1000")
	api("/v2/reconciliar/previa", 1, "?id="+hub)
	api("/v2/reconciliar/campos", 1, "")
	api("/v2/reconciliar", -50, "?queries="+url.QueryEscape("{"+strings.Join(questions[:20], ",")+"}"))
	post := func(path string, calls int, body string) {
		all = append(all, heavy{probe{name: "POST " + path, method: "POST", path: path, body: body, counted: true}, calls})
	}
	post("/v2/reconciliar", -50, form("queries", "{"+strings.Join(questions, ",")+"}"))
	post("/v2/lote", 50, `{"cnpjs":["`+numbers+`"]}`)
	api("/v2/conta/seguindo", 1, "")
	api("/v2/conta/webhooks", 1, "")
	var searches []string
	for i := range follow.Most[follow.Search] {
		searches = append(searches, fmt.Sprintf(`"q=%s&capital_de=%d"`, words, i+1))
	}
	post("/v2/conta/seguindo", 1, `{"tipo":"empresa","valores":["`+numbers+`"]}`)
	post("/v2/conta/seguindo", follow.Most[follow.Search], `{"tipo":"busca","valores":[`+strings.Join(searches, ",")+`]}`)
	post("/v2/conta/webhooks", 1, `{"url":"https://exemplo.com/razao"}`)
	for name, arguments := range map[string]string{
		"rede": `{"de":"` + hub + `","profundidade":3,"representantes":true}`, "grupo": `{"cnpj":"` + h.Group[0] + `"}`, "caminho": `{"de":"` + hub + `","para":"` + other + `"}`,
		"reconhecer_empresa": `{"nome":"` + hopeless(0) + `","limite":25}`, "empresas_do_socio": `{"nome":"PESSOA INVENTADA DA ROCHA"}`,
		"buscar_empresas": `{"texto":"` + hopeless(0) + `"}`, "search": `{"query":"` + hopeless(0) + `"}`, "fetch": `{"id":"` + full(hub) + `"}`,
		"consultar_cnpj": `{"cnpj":"` + hub + `"}`, "consultar_fonte": `{"cnpj":"` + hub + `","fonte":"pgfn"}`, "listar_socios": `{"cnpj":"` + hub + `"}`,
		"listar_estabelecimentos": `{"cnpj":"` + hub + `"}`, "mudancas": `{}`, "ranking_municipios": `{}`, "fontes_disponiveis": `{}`,
	} {
		p := probe{name: "/mcp " + name, counted: true, method: "POST", path: "/mcp", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`}
		p.header = []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}
		all = append(all, heavy{p, 1})
	}
	for route, path := range map[string]string{
		"/:cnpj/rede": "/" + hub + "/rede?" + around, "/:cnpj/rede.csv": "/" + hub + "/rede.csv?" + around, "/:cnpj/rede.svg": "/" + hub + "/rede.svg?" + around,
		"/:cnpj/grupo": "/" + h.Group[0] + "/grupo", "/:cnpj/grupo.csv": "/" + h.Group[0] + "/grupo.csv", "/caminho": "/caminho?" + both, "/socio/:d6/:sl": "/socio/" + digits + "/" + slug,
		"/busca": "/busca?q=" + words, "/busca by partner": "/busca?em=socios&q=pessoa+inventada+da+rosha", "/sugestoes": "/sugestoes?q=" + words, "/:cnpj": "/" + full(hub),
		"/mudancas": "/mudancas?q=empresa&uf=AC",
	} {
		all = append(all, heavy{probe{name: route, method: "GET", path: path, header: []string{"Cookie", ""}}, 0})
	}
	for route, path := range map[string]string{"/:cnpj/rede through persons": "/" + hub + "/rede?pessoas=sim&profundidade=4", "/caminho through persons": "/caminho?pessoas=sim&" + both} {
		all = append(all, heavy{probe{name: route, method: "GET", path: path, counted: true}, 1})
	}
	list := heavy{probe{name: "POST /lista", method: "POST", path: "/lista"}, 0}
	list.body = "--parte\r\nContent-Disposition: form-data; name=\"cnpjs\"\r\n\r\nEmpresa\n" + strings.Join(lines, "\n") + "\r\n--parte--\r\n"
	list.header = []string{"Content-Type", "multipart/form-data; boundary=parte", "Sec-Fetch-Site", "same-origin"}
	return append(all, list)
}

// counted returns how many calls of its minute an account has used.
func (w *whole) counted(t *testing.T) int {
	t.Helper()
	resp := w.ask(t, "GET", "/v2/nada", "", "Cookie", "", "Authorization", "Bearer "+w.key)
	left, err := strconv.Atoi(resp.Header.Get("X-RateLimit-Remaining"))
	if err != nil {
		t.Fatal(err)
	}
	return account.CallsPerMinute - left
}

// TestWorkIsCounted sends the heaviest requests that are known, among hubs: each counts as the calls that its work takes, and answers with no
// more than these pay for. Every route of the API that counts, and every tool, is among them. -v prints a table of them; run it
// alone for its CPU times.
func TestWorkIsCounted(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	hubs := fixture.NewHubs(t, 110)
	l.Publish(t, hubs.Release)
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	all := heaviest(t, hubs)
	asked := map[string]bool{}
	var table strings.Builder
	tw := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "request\tstatus\tin\tout\tCPU\tcalls")
	for _, p := range all {
		w.beSomebodyElse(t) // of whose minute nothing is used up
		if p.counted && !strings.Contains(p.path, "pessoas=sim") {
			p.header = append(p.header, "Cookie", "", "Authorization", "Bearer "+w.key)
		}
		used := cpuTime(t)
		in, answer := w.send(t, &p.probe)
		used = cpuTime(t) - used
		out, calls := answer.Body.Len(), w.counted(t)
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%.1f ms\t%d\n", p.name, answer.Code, in, out, used.Seconds()*1000, calls)
		asked[p.name] = true
		if p.calls >= 0 && calls != p.calls || p.calls < 0 && (calls < 2 || calls > -p.calls) {
			t.Errorf("%s counts as %d calls, not %d", p.name, calls, p.calls)
		}
		if answer.Code != http.StatusOK && answer.Code != http.StatusSeeOther && !strings.HasSuffix(p.name, ".svg") { // a list leads to what was found
			t.Errorf("%s: %d", p.name, answer.Code)
		}
		if most := max(calls*largestOfCall, largestOfPage*(1-min(calls, 1))); out > most {
			t.Errorf("%s: %d bytes for %d calls", p.name, out, calls)
		}
	}
	_ = tw.Flush()
	t.Log("\n" + table.String())
	for _, route := range w.Routes() {
		name := route.Method + " " + route.Path
		free := strings.HasSuffix(route.Path, ".json") || strings.HasPrefix(route.Path, "/v2/fontes") || strings.HasSuffix(route.Path, "/:documento") ||
			strings.HasPrefix(route.Path, "/v2/conta/webhooks/") || route.Path == "/v2/reconciliar/" // which answer as the list does, and without the slash
		if strings.HasPrefix(route.Path, "/v") && !free && (route.Method == http.MethodGet || route.Method == http.MethodPost) && !asked[name] {
			t.Errorf("%s: nobody knows the heaviest request", name)
		}
	}
	_, tools := w.send(t, &probe{
		method: "POST", path: "/mcp", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`,
		header: []string{"Cookie", "", "Authorization", "Bearer " + w.key, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"},
	})
	var listed struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal(tools.Body.Bytes(), &listed); err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Result.Tools {
		if !asked["/mcp "+tool.Name] {
			t.Errorf("%s: nobody knows the heaviest call", tool.Name)
		}
	}
	if len(listed.Result.Tools) == 0 {
		t.Error("no tools")
	}
}
