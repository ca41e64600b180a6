package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/data/source"
	"razao/internal/people/account"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
)

// restrainedServer is all that a server answers, for as many calls as a test makes.
type restrainedServer struct {
	*whole
	t     *testing.T
	calls int // with the key; a minute has sixty
}

// openServer serves the invented release and the records of every source.
func openServer(t *testing.T) *restrainedServer {
	t.Helper()
	return serverOn(t, fixture.LoadRecords(t))
}

// serverOn is openServer on a given load.
func serverOn(t *testing.T, l *fixture.Loaded) *restrainedServer {
	t.Helper()
	return &restrainedServer{whole: wholeOn(t, l.Pool, filepath.Dir(l.IndexDir), func(s *settings) { s.IPFailures = 0 }), t: t}
}

// authorize sends a request with a key whose account has calls left.
func (r *restrainedServer) authorize(req *http.Request) *httptest.ResponseRecorder {
	r.t.Helper()
	if r.calls++; r.calls%account.CallsPerMinute == 0 {
		r.beSomebodyElse(r.t)
	}
	req.Header.Set("Authorization", "Bearer "+r.key)
	return r.send(req)
}

func (r *restrainedServer) send(req *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	return w
}

// visit returns the answer to a visitor.
func (r *restrainedServer) visit(path string) *httptest.ResponseRecorder {
	return r.send(httptest.NewRequest(http.MethodGet, path, nil))
}

type object = map[string]any

// rest returns the answer of the API.
func (r *restrainedServer) rest(path string) object {
	r.t.Helper()
	got := r.authorize(httptest.NewRequest(http.MethodGet, path, nil))
	if got.Code != http.StatusOK {
		r.t.Fatalf("%s: %d %s", path, got.Code, got.Body)
	}
	return exact(r.t, got.Body.Bytes())
}

// tool returns the structured answer of a tool.
func (r *restrainedServer) tool(name string, arguments object) object {
	r.t.Helper()
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": object{"name": name, "arguments": arguments}})
	if err != nil {
		r.t.Fatal(err)
	}
	req := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	got := exact(r.t, r.authorize(req).Body.Bytes())
	result, _ := got["result"].(object)
	structure, ok := result["structuredContent"].(object)
	if !ok {
		r.t.Fatalf("%s %v: %v", name, arguments, got)
	}
	return structure
}

// exact reads JSON with the digits of its numbers.
func exact(t *testing.T, raw []byte) object {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var o object
	if err := decoder.Decode(&o); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return o
}

// without returns a copy that lacks some keys.
func without(o object, keys ...string) object {
	rest := object{}
	for key, value := range o {
		rest[key] = value
	}
	for _, key := range keys {
		delete(rest, key)
	}
	return rest
}

// only returns a copy that has just some keys.
func only(o object, keys ...string) object {
	some := object{}
	for _, key := range keys {
		if value, ok := o[key]; ok {
			some[key] = value
		}
	}
	return some
}

// total returns how many items there are of what a page shows.
func (r *restrainedServer) total(page object) int {
	r.t.Helper()
	n, err := strconv.Atoi(fmt.Sprint(page["total"]))
	if err != nil {
		r.t.Fatal(err)
	}
	return n
}

// walkTool returns the items of all pages of a tool.
func (r *restrainedServer) walkTool(name string, arguments object) []any {
	r.t.Helper()
	var items []any
	for {
		page := r.tool(name, arguments)
		items = append(items, page["itens"].([]any)...)
		next, total := page["proximo_cursor"], r.total(page)
		if next == nil && len(items) != total || len(items) > total {
			r.t.Fatalf("%s %v: %d items of %d", name, arguments, len(items), total)
		}
		if next == nil {
			return items
		}
		arguments = without(arguments)
		arguments["cursor"] = next
	}
}

// walkREST returns the items of all pages of a collection.
func (r *restrainedServer) walkREST(path string) []any {
	r.t.Helper()
	var items []any
	for {
		page := r.rest(path)["dados"].(object)
		items = append(items, page["itens"].([]any)...)
		if total := r.total(page); len(items) > total {
			r.t.Fatalf("%s: %d items of %d", path, len(items), total)
		}
		next, more := page["proxima_url"].(string)
		if !more {
			return items
		}
		path = next
	}
}

func (r *restrainedServer) same(what string, rest, tool any) {
	r.t.Helper()
	if diff := cmp.Diff(rest, tool); diff != "" {
		r.t.Errorf("%s (-API +tool):\n%s", what, diff)
	}
}

// documents are companies of the fixture, and establishments of them.
func (r *restrainedServer) documents() []string {
	documents := slices.Clone(fixtureRoots)
	for _, root := range fixtureRoots {
		page := r.rest("/v2/empresas/" + root + "/estabelecimentos?limite=2")["dados"].(object)
		for _, e := range page["itens"].([]any) {
			documents = append(documents, e.(object)["cnpj"].(string))
		}
	}
	return documents
}

func resourcePath(document string) string {
	if len(document) == 8 {
		return "/v2/empresas/" + document
	}
	return "/v2/estabelecimentos/" + document
}

// TestToolsAgreeWithTheAPI compares every record and figure that tools answer with what the API says of it.
func TestToolsAgreeWithTheAPI(t *testing.T) {
	t.Parallel()
	r := openServer(t)
	found := 0
	for _, document := range r.documents() {
		full := r.rest(resourcePath(document) + "/full?limite=100")
		dados, meta := full["dados"].(object), full["meta"].(object)
		record := r.tool("consultar_cnpj", object{"cnpj": document})
		r.same(document+" meta", only(meta, "recurso", "documento", "competencia", "fotografia", "disponibilidade"),
			only(record, "recurso", "documento", "competencia", "fotografia", "disponibilidade"))
		r.compareCompany(document, dados, record)
		found += r.compareSources(document, dados["registros_publicos"].(object), record["registros_publicos"].(object))
	}
	if found < len(source.IDs()) {
		t.Errorf("only %d pages of sources have records", found)
	}
	for _, tool := range []struct{ name, path string }{{"listar_socios", "socios"}, {"listar_estabelecimentos", "estabelecimentos"}} {
		for _, root := range []string{fixture.Chain, fixture.Bakery, fixture.Homeless} {
			r.same(tool.name+" "+root, r.walkREST("/v2/empresas/"+root+"/"+tool.path+"?limite=100"), r.walkTool(tool.name, object{"cnpj": root, "limite": 50}))
		}
	}
	var catalogue []any
	for _, entry := range r.rest("/v2/fontes")["dados"].(object)["fontes"].([]any) {
		catalogue = append(catalogue, without(entry.(object), "proveniencia", "conjunto", "url", "periodicidade", "desatualizada_apos_dias",
			"cnpjs", "deixadas_de_fora", "rejeitadas", "cargas"))
	}
	r.same("fontes_disponiveis", catalogue, r.tool("fontes_disponiveis", object{})["fontes"])
}

// compareCompany compares the company registry, of whose collections the tool has the beginning.
func (r *restrainedServer) compareCompany(document string, dados, record object) {
	r.t.Helper()
	company, answer := dados["empresa"].(object), record["empresa"].(object)
	r.same(document+" empresa", without(company, "socios"), without(answer, "socios"))
	r.same(document+" estabelecimento", dados["estabelecimento"], record["estabelecimento"])
	r.compareBeginning(document+" socios", company["socios"].(object), answer["socios"].(object))
	if all, ok := dados["estabelecimentos"].(object); ok {
		r.compareBeginning(document+" estabelecimentos", all, record["estabelecimentos"].(object))
		r.same(document+" total_estabelecimentos", all["total"], record["total_estabelecimentos"])
	}
}

func (r *restrainedServer) compareBeginning(what string, all, shown object) {
	r.t.Helper()
	items := shown["itens"].([]any)
	r.same(what, all["itens"].([]any)[:len(items)], items)
	r.same(what+" total", all["total"], shown["total"])
	if cut := fmt.Sprint(shown["total"]) != strconv.Itoa(len(items)); cut != (shown["proximo_cursor"] != nil) {
		r.t.Errorf("%s: %d of %v, cursor %v", what, len(items), shown["total"], shown["proximo_cursor"])
	}
}

// compareSources compares the summaries of all sources, and the records of those that have any. It returns how many have.
func (r *restrainedServer) compareSources(document string, themes, summaries object) (found int) {
	r.t.Helper()
	for theme, pages := range themes {
		for id, value := range pages.(object) {
			page := value.(object)
			what := document + " " + id
			summary := summaries[theme].(object)[id].(object)
			state := without(page, "itens", "proximo_cursor", "proxima_url", "proveniencia", "documento")
			r.same(what, state, summary)
			if page["status"] != "encontrado" {
				continue
			}
			found++
			answer := r.tool("consultar_fonte", object{"cnpj": document, "fonte": id, "limite": 20})
			r.same(what+" page", state, only(answer, "status", "escopo", "competencia", "carregada_em", "cobertura_inicio", "desatualizada", "total"))
			r.same(what+" provenance", only(page["proveniencia"].(object), "orgao", "conjunto", "url", "licenca", "atribuicao"),
				without(answer["proveniencia"].(object), "metodologia_url"))
			r.same(what+" items", page["itens"], any(r.walkTool("consultar_fonte", object{"cnpj": document, "fonte": id, "limite": 2})))
		}
	}
	return found
}

// TestToolsAgreeWithTheWebsite compares the ranking with its table, and follows the addresses that tools name.
func TestToolsAgreeWithTheWebsite(t *testing.T) {
	t.Parallel()
	r := openServer(t)
	rows, err := csv.NewReader(r.visit("/municipios.csv").Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	items := r.walkTool("ranking_municipios", object{"limite": 100})[:200]
	for i, item := range items {
		for column, name := range rows[0] {
			if value, has := item.(object)[name]; has && fmt.Sprint(value) != rows[i+1][column] && (value != nil || rows[i+1][column] != "") {
				t.Fatalf("row %d: %s is %v, in the table %s", i+1, name, value, rows[i+1][column])
			}
		}
	}
	for _, answer := range []object{
		r.tool("buscar_empresas", object{"consulta": "padaria & cia", "uf": "sp", "tipo": "matriz", "ordem": "capital", "ano_de": 2000, "mei": "nao"}),
		r.tool("consultar_cnpj", object{"cnpj": fixture.Bakery}), r.tool("empresas_do_socio", object{"nome": "Marta Figueira"}),
		r.tool("ranking_municipios", object{"uf": "sp"}), r.tool("ranking_municipios", object{}), r.tool("fontes_disponiveis", object{}),
		items[0].(object),
	} {
		path := strings.TrimPrefix(answer["url"].(string), "https://razao.example")
		if got := r.visit(path).Code; got != 200 && got != 302 {
			t.Errorf("%s: %d", path, got)
		}
	}
}

// TestStdio asks the program as an assistant on the same machine does.
func TestStdio(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Must("migrate")
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 500))
	var log bytes.Buffer
	cmd := p.Command("mcp")
	cmd.Stderr = &log
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range account.CallsPerMinute + 10 { // nothing is counted
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "buscar_empresas", Arguments: object{"situacao": "ativa", "limite": 1}})
		if err != nil || result.IsError {
			t.Fatalf("%+v, %v\n%s", result, err, &log)
		}
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "consultar_cnpj", Arguments: object{"cnpj": "1"}})
	if err != nil || !result.IsError {
		t.Errorf("%+v, %v", result, err)
	}
	if err := session.Close(); err != nil {
		t.Errorf("the program did not end well: %v\n%s", err, &log)
	}
	for line := range strings.Lines(log.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not a line of the log: %s", line)
		}
	}
}
