package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"

	"razao/lab/internal/load"
)

type object = map[string]any

// tool is a call of a tool.
type tool struct {
	name      string
	arguments object
}

// refusedTools are calls whose result explains the mistake.
var refusedTools = []tool{
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

var nextCursor = regexp.MustCompile(`"proximo_cursor":"([^"]+)"`)

// askTool calls one of the tools about a company and follows its cursor once.
func (r *run) askTool(ctx context.Context, dice *rand.Rand) error {
	t := r.tool(dice, r.subject(dice))
	q := r.rpc("MCP, "+t.name, "tools/call", object{"name": t.name, "arguments": t.arguments})
	got, err := r.ask(ctx, q)
	if err != nil {
		return err
	}
	for i := range got {
		next := nextCursor.FindSubmatch(got[i].body)
		if next == nil {
			return nil
		}
		t.arguments["cursor"] = string(next[1])
		q.body[i] = rpcBody("tools/call", object{"name": t.name, "arguments": t.arguments})
	}
	return r.askAll(ctx, q)
}

// tool draws a call.
func (r *run) tool(dice *rand.Rand, s subject) tool {
	either := load.Pick(dice, []string{s.cnpj, s.cnpj[:8], s.cnpj[:2] + "." + s.cnpj[2:5] + "." + s.cnpj[5:8] + "/" + s.cnpj[8:12] + "-" + s.cnpj[12:]})
	limit := func(most int) int { return 1 + dice.IntN(most) }
	switch dice.IntN(12) {
	case 0, 1:
		search := object{"limite": limit(50)}
		for name, values := range r.criteria(dice, "v2") {
			switch name {
			case "q":
				search["consulta"] = values[0]
			case "limite", "facetas":
			case "ano_de", "ano_ate":
				search[name] = json.Number(values[0])
			default:
				search[name] = values[0]
			}
		}
		return tool{"buscar_empresas", search}
	case 2, 3:
		return tool{"consultar_cnpj", object{"cnpj": either}}
	case 4:
		return tool{"consultar_fonte", object{"cnpj": either, "fonte": s.source, "limite": limit(20)}}
	case 5:
		return tool{"listar_estabelecimentos", object{"cnpj": either, "limite": limit(50)}}
	case 6:
		return tool{"listar_socios", object{"cnpj": either, "limite": limit(50)}}
	case 7:
		return tool{"empresas_do_socio", object{"nome": load.Pick(dice, r.drawn.Partners), "limite": limit(50)}}
	case 8:
		orders := []string{"empresas_ativas", "por_mil_habitantes", "aberturas", "baixadas", "capital_social"}
		return tool{"ranking_municipios", object{"ordem": load.Pick(dice, orders), "limite": limit(100), "uf": load.Pick(dice, r.drawn.Establishments).UF}}
	case 9:
		return tool{"search", object{"query": r.text(dice)}}
	case 10:
		return tool{"fetch", object{"id": s.cnpj}}
	}
	refused := load.Pick(dice, refusedTools)
	arguments := object{}
	for name, value := range refused.arguments {
		arguments[name] = value
	}
	return tool{refused.name, arguments}
}

// askProtocol asks for what does not depend on a company, with a key and without.
func (r *run) askProtocol(ctx context.Context) error {
	for _, asked := range []struct {
		method string
		params object
	}{
		{"initialize", object{"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "lab", "version": "1"}}},
		{"ping", nil},
		{"tools/list", nil},
		{"resources/list", nil},
		{"resources/templates/list", nil},
		{"resources/read", object{"uri": "razao://cnpj/" + r.drawn.Establishments[0].CNPJ}},
		{"resources/read", object{"uri": "razao://nada"}},
		{"prompts/list", nil},
		{"prompts/get", object{"name": "verificar_fornecedor", "arguments": object{"cnpj": "00000000000191"}}},
		{"prompts/get", object{"name": "comparar_municipios", "arguments": object{"municipios": "Campinas/SP, Recife/PE"}}},
		{"prompts/get", object{"name": "comparar_municipios"}},
		{"nada", nil},
	} {
		q := r.rpc("MCP, protocol", asked.method, asked.params)
		anonymous := q
		anonymous.keyed = false
		if err := r.askAll(ctx, q, anonymous); err != nil {
			return err
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodOptions} {
		q := get("MCP, protocol", "/mcp")
		q.method, q.keyed = method, true
		if err := r.askAll(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// rpc is a JSON-RPC request to /mcp with a key.
func (r *run) rpc(kind, method string, params object) question {
	q := get(kind, "/mcp")
	body := rpcBody(method, params)
	q.method, q.body, q.keyed = http.MethodPost, [2]string{body, body}, true
	q.header = map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	return q
}

func rpcBody(method string, params object) string {
	call := object{"jsonrpc": "2.0", "id": 1, "method": method}
	if params != nil {
		call["params"] = params
	}
	var text strings.Builder
	_ = json.NewEncoder(&text).Encode(call) // maps, texts and numbers
	return strings.TrimSpace(text.String())
}
