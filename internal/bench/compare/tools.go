package compare

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"

	"razao/internal/bench/questions"
)

// call is a JSON-RPC request of the Model Context Protocol.
type call struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  object `json:"params,omitempty"`
}

type object = map[string]any

// orders are the orders of a ranking; spoken replaces codes of the website's filters by the words
// that tools take; nextValue finds the cursor of a next page.
var (
	orders    = []string{"empresas_ativas", "por_mil_habitantes", "aberturas", "baixadas", "capital_social"}
	spoken    = object{"situacao": "ativa", "porte": "micro", "ano_de": 1990, "ano_ate": 2020}
	nextValue = regexp.MustCompile(`"proximo_cursor":"([^"]+)"`)
)

// askTools calls every tool about one company, alternating between API keys and access tokens. The
// first unit also asks everything that does not depend on a company.
func (r *run) askTools(ctx context.Context, dice *rand.Rand, unit int) error {
	if unit == 0 {
		if err := r.askProtocol(ctx); err != nil {
			return err
		}
	}
	by := r.keys
	if unit%2 == 0 {
		by = r.tokens
	}
	c := r.subject(dice)
	for _, t := range r.toolCalls(dice, &c) {
		if err := r.askTool(ctx, by, t.name, t.arguments, 2); err != nil {
			return err
		}
	}
	return r.protocol(ctx, by, "MCP, resources/read", "resources/read", object{"uri": "razao://cnpj/" + c.number.String()})
}

// toolCall is a tool by name, with its arguments.
type toolCall struct {
	name      string
	arguments object
}

// toolCalls draws calls of every tool about one company, and one that must be refused.
func (r *run) toolCalls(dice *rand.Rand, c *subject) []toolCall {
	number, root := c.number.String(), c.root.String()
	either := questions.Pick(dice, []string{number, root, c.number.Masked()})
	name := questions.Pick(dice, []string{r.log.Name(dice), r.log.Partner(dice), number})
	order := questions.Pick(dice, []string{"relevancia", "capital", "nome", "recentes", "antigas"})
	search := object{"consulta": name, "limite": 1 + dice.IntN(50), "ordem": order}
	for key, values := range r.log.Filters(dice, 2) {
		search[key] = values[0]
		if word, ok := spoken[key]; ok {
			search[key] = word
		}
	}
	person := strings.Split(r.log.Person(dice), "/") // /socio/{d6}/{sl}
	ranking := object{"ordem": questions.Pick(dice, orders), "limite": 1 + dice.IntN(100)}
	if place := r.log.Filters(dice, 9); place.Has("uf") {
		ranking["uf"] = place.Get("uf")
	} else if place.Has("municipio") {
		ranking = object{"municipios": []string{"Recife/PE", "Campinas/SP", place.Get("municipio")}}
	}
	return []toolCall{
		{"buscar_empresas", search},
		{"consultar_cnpj", object{"cnpj": either}},
		{"consultar_fonte", object{"cnpj": either, "fonte": c.source, "limite": 1 + dice.IntN(20)}},
		{"listar_estabelecimentos", object{"cnpj": either, "limite": 1 + dice.IntN(50)}},
		{"listar_socios", object{"cnpj": either, "limite": 1 + dice.IntN(50)}},
		{"empresas_do_socio", object{"nome": r.log.Partner(dice), "limite": 1 + dice.IntN(50)}},
		{"empresas_do_socio", object{"nome": strings.ReplaceAll(person[3], "-", " "), "documento": "***" + person[2] + "**"}},
		{"ranking_municipios", ranking},
		{"fontes_disponiveis", object{}},
		{"search", object{"query": name}},
		{"fetch", object{"id": number}},
		questions.Pick(dice, refusedCalls),
	}
}

// refusedCalls are calls whose result explains the mistake.
var refusedCalls = []toolCall{
	{"consultar_cnpj", object{"cnpj": "123"}},
	{"consultar_cnpj", object{}},
	{"consultar_cnpj", object{"cnpj": 123, "outro": true}},
	{"consultar_cnpj", object{"cnpj": "00000000000191"}},
	{"consultar_fonte", object{"cnpj": "00000000", "fonte": "serasa"}},
	{"listar_socios", object{"cnpj": "00000000", "limite": 0}},
	{"listar_socios", object{"cnpj": "00000000", "cursor": "x"}},
	{"listar_estabelecimentos", object{"cnpj": "00000000", "limite": 51}},
	{"empresas_do_socio", object{"nome": ""}},
	{"buscar_empresas", object{"uf": "XX"}},
	{"buscar_empresas", object{"consulta": "padaria", "ano_de": 2020, "ano_ate": 2010}},
	{"ranking_municipios", object{"uf": "XX"}},
	{"ranking_municipios", object{"municipios": []string{"Nada/SP"}}},
	{"fetch", object{"id": "x"}},
	{"search", object{"query": ""}},
	{"nada", object{}},
}

// askTool calls a tool and follows its cursor, up to the given number of pages.
func (r *run) askTool(ctx context.Context, by *purse, name string, arguments object, pages int) error {
	for range pages {
		got, err := r.mcp(ctx, by, "MCP, "+name, call{"2.0", 1, "tools/call", object{"name": name, "arguments": arguments}})
		if err != nil {
			return err
		}
		next := nextValue.FindSubmatch(got.body)
		if next == nil {
			return nil
		}
		arguments["cursor"] = string(next[1])
	}
	return nil
}

// askProtocol asks for what does not depend on a company, with a key, a token and anonymously.
func (r *run) askProtocol(ctx context.Context) error {
	for _, asked := range []call{
		{Method: "initialize", Params: object{
			"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "bench", "version": "1"},
		}},
		{Method: "ping"},
		{Method: "tools/list"},
		{Method: "resources/list"},
		{Method: "resources/templates/list"},
		{Method: "resources/read", Params: object{"uri": "razao://cnpj/00000000000191"}},
		{Method: "resources/read", Params: object{"uri": "razao://nada"}},
		{Method: "prompts/list"},
		{Method: "prompts/get", Params: object{"name": "verificar_fornecedor", "arguments": object{"cnpj": "00000000000191"}}},
		{Method: "prompts/get", Params: object{"name": "comparar_municipios", "arguments": object{"municipios": "Campinas/SP, Recife/PE"}}},
		{Method: "prompts/get", Params: object{"name": "comparar_municipios"}},
		{Method: "nada"},
	} {
		for _, by := range []*purse{r.keys, r.tokens, nil} {
			if err := r.protocol(ctx, by, "MCP, protocol", asked.Method, asked.Params); err != nil {
				return err
			}
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodOptions} {
		if _, err := r.ask(ctx, question{kind: "MCP, protocol", method: method, path: "/mcp", by: r.keys}); err != nil {
			return err
		}
	}
	return nil
}

// protocol sends one request and drops the answer.
func (r *run) protocol(ctx context.Context, by *purse, kind, method string, params object) error {
	_, err := r.mcp(ctx, by, kind, call{"2.0", 1, method, params})
	return err
}

// mcp sends a request to /mcp and returns the answer of the reference.
func (r *run) mcp(ctx context.Context, by *purse, kind string, asked call) (answer, error) {
	body, err := json.Marshal(asked)
	if err != nil {
		return answer{}, err
	}
	return r.ask(ctx, question{
		kind: kind, method: http.MethodPost, path: "/mcp", body: string(body), by: by,
		header: map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"},
	})
}
