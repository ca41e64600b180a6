package compare

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"regexp"
)

// call is a request of the Model Context Protocol.
type call struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  object `json:"params,omitempty"`
}

type object = map[string]any

var (
	orders    = []string{"empresas_ativas", "por_mil_habitantes", "aberturas", "baixadas", "capital_social"}
	nextValue = regexp.MustCompile(`"proximo_cursor":"([^"]+)"`)
)

// askTools asks every tool about one company; the first company also asks what there is.
func (r *run) askTools(ctx context.Context, dice *rand.Rand, unit int) error {
	if unit == 0 {
		if err := r.askProtocol(ctx); err != nil {
			return err
		}
	}
	by := byKey
	if unit%2 == 0 {
		by = byToken
	}
	c := r.drawn.one(dice)
	p, err := r.profileOf(ctx, &c)
	if err != nil {
		return err
	}
	for _, t := range toolCalls(dice, &c, &p) {
		if err := r.askTool(ctx, by, t.name, t.arguments, 2); err != nil {
			return err
		}
	}
	return r.protocol(ctx, by, "MCP, resources/read", "resources/read", object{"uri": "razao://cnpj/" + c.number(dice).String()})
}

type toolCall struct {
	name      string
	arguments object
}

// toolCalls are the questions about one company.
func toolCalls(dice *rand.Rand, c *company, p *profile) []toolCall {
	number, root := c.number(dice).String(), c.root.String()
	either := pick(dice, []string{number, root, c.number(dice).Masked()})
	partner, document := "MARIA SILVA", ""
	if len(p.Dados.Socios) > 0 {
		s := pick(dice, p.Dados.Socios)
		partner, document = s.NomeSocio, s.CNPJCPFSocio
	}
	name := typed(dice, pick(dice, append(p.names(), number)))
	search := object{"consulta": name, "limite": 1 + dice.IntN(50)}
	for key, values := range some(dice, p.filters(dice), 2) {
		switch key {
		case "uf", "natureza", "cnae", "capital", "simples", "mei", "fonte", "municipio":
			search[key] = values[0]
		case "situacao":
			search[key] = pick(dice, []string{"ativa", "suspensa", "inapta", "baixada", "nula", "02"})
		case "porte":
			search[key] = pick(dice, []string{"micro", "pequeno", "demais", "nao_informado"})
		}
	}
	if dice.IntN(3) == 0 {
		search["ordem"] = pick(dice, []string{"relevancia", "capital", "nome", "recentes", "antigas"})
	}
	ranking := object{"ordem": pick(dice, orders), "limite": 1 + dice.IntN(100)}
	if len(p.Dados.Estabelecimentos) > 0 {
		e := pick(dice, p.Dados.Estabelecimentos)
		ranking[pick(dice, []string{"uf", "x"})] = e.UF
		if dice.IntN(3) == 0 {
			ranking = object{"municipios": []string{e.Descricoes.Municipio + "/" + e.UF, "Campinas/SP", e.Municipio}}
		}
	}
	return []toolCall{
		{"buscar_empresas", search},
		{"consultar_cnpj", object{"cnpj": either}},
		{"consultar_fonte", object{"cnpj": either, "fonte": c.source(dice), "limite": 1 + dice.IntN(20)}},
		{"listar_estabelecimentos", object{"cnpj": either, "limite": 1 + dice.IntN(50)}},
		{"listar_socios", object{"cnpj": either, "limite": 1 + dice.IntN(50)}},
		{"empresas_do_socio", object{"nome": partner, "documento": document, "limite": 1 + dice.IntN(50)}},
		{"empresas_do_socio", object{"nome": partner}},
		{"ranking_municipios", ranking},
		{"fontes_disponiveis", object{}},
		{"search", object{"query": name}},
		{"fetch", object{"id": number}},
		pick(dice, refusedCalls),
	}
}

// refusedCalls are answered by saying how to ask right.
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

// askTool asks a tool, and for the page after.
func (r *run) askTool(ctx context.Context, by caller, name string, arguments object, pages int) error {
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

// askProtocol asks for what does not depend on a company.
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
		for _, by := range []caller{byKey, byToken, nobody} {
			if err := r.protocol(ctx, by, "MCP, protocol", asked.Method, asked.Params); err != nil {
				return err
			}
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodOptions} {
		if _, err := r.ask(ctx, question{kind: "MCP, protocol", method: method, path: "/mcp", by: byKey}); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) protocol(ctx context.Context, by caller, kind, method string, params object) error {
	_, err := r.mcp(ctx, by, kind, call{"2.0", 1, method, params})
	return err
}

// mcp sends a request to /mcp.
func (r *run) mcp(ctx context.Context, by caller, kind string, asked call) (answer, error) {
	body, err := json.Marshal(asked)
	if err != nil {
		return answer{}, err
	}
	return r.ask(ctx, question{
		kind: kind, method: http.MethodPost, path: "/mcp", body: string(body), by: by,
		header: map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"},
	})
}
