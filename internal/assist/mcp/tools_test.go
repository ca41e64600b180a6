package mcp

import (
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/index/filter"
	"razao/internal/assist/assistant"
	"razao/internal/testing/fixture"
)

// bakery is the head office of fixture.Bakery.
const bakery = "12345678000195"

// everyTool is a valid call of each tool, with part of the expected text.
func everyTool() []struct{ tool, arguments, says string } {
	return []struct{ tool, arguments, says string }{
		{"buscar_empresas", `{"consulta":"padaria estrela"}`, "Padaria Estrela do Sul Ltda."},
		{"caminho", `{"de":"12345678000195","para":"ex-249-foreign-example-llc"}`, "Caminho de 2 vínculos"},
		{"consultar_cnpj", `{"cnpj":"12.345.678/0001-95"}`, "R$ 480.000,00"},
		{"consultar_fonte", `{"cnpj":"12345678","fonte":"pgfn"}`, "Dívida ativa"},
		{"empresas_do_socio", `{"nome":"Marta Figueira Inventada"}`, "Participações encontradas: 2"},
		{"fetch", `{"id":"12345678000195"}`, "Padaria Estrela do Sul Ltda."},
		{"fontes_disponiveis", `{}`, "14 fontes"},
		{"grupo", `{"cnpj":"12345678"}`, "parecer jurídico"},
		{"listar_estabelecimentos", `{"cnpj":"12345678"}`, "12.345.678/0001-95"},
		{"listar_socios", `{"cnpj":"12345678"}`, "***456789**"},
		{"mudancas", `{"cnpj":"12345678"}`, "receita: a história começa na carga 2026-09"},
		{"ranking_municipios", `{"municipios":["Campinas/SP"]}`, "Campinas/SP"},
		{"reconhecer_empresa", `{"nome":"PADARIA ESTRELLA DO SUL","municipio":"Campinas/SP"}`, "Padaria Estrela do Sul Ltda. / Estrela do Sul Pães e Doces, CNPJ 12.345.678/0001-95: Ativa, Campinas/SP; nome quase igual, no município, 96,6 pontos. É ela."},
		{"rede", `{"de":"12345678","profundidade":2}`, "MARTA FIGUEIRA INVENTADA (456789-marta-figueira-inventada) em PADARIA ESTRELA DO SUL LTDA (CNPJ 12.345.678/0001-95): Sócio-Administrador desde 14/03/2009."},
		{"search", `{"query":"padaria estrela"}`, `"id":"12345678000195"`},
	}
}

func TestEveryTool(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Records(t, "pgfn")
	s := serve(t, l)
	for _, version := range append(sdk.SupportedProtocolVersions(), "") {
		t.Run("revision "+version, func(t *testing.T) {
			session := s.connect(goodToken, version)
			if got := session.InitializeResult().ProtocolVersion; version != "" && got != version {
				t.Errorf("negotiated %s", got)
			}
			if version != "" {
				return // the calls below differ in nothing but their envelopes, and an account has sixty of them
			}
			listed, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(listed.Tools) != len(everyTool()) {
				t.Fatalf("%d tools", len(listed.Tools))
			}
			for i, c := range everyTool() {
				tool := listed.Tools[i]
				if tool.Name != c.tool {
					t.Fatalf("tool %d is %s, want %s", i, tool.Name, c.tool)
				}
				checkTool(t, tool)
				result := call(t, session, c.tool, json.RawMessage(c.arguments))
				if text := textOf(t, result); result.IsError || !strings.Contains(text, c.says) {
					t.Errorf("%s %s: error %t\n%s", c.tool, c.arguments, result.IsError, text)
				}
				checkStructure(t, tool, result)
			}
		})
	}
}

// checkTool checks the description of a tool.
func checkTool(t *testing.T, tool *sdk.Tool) {
	t.Helper()
	a := tool.Annotations
	if a == nil || !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
		t.Errorf("%s: annotations %+v", tool.Name, a)
	}
	if tool.Title == "" || tool.Title != a.Title || !strings.Contains(tool.Description, " ") {
		t.Errorf("%s: title %q, description %q", tool.Name, tool.Title, tool.Description)
	}
	input := resolved(t, tool.InputSchema)
	for name, property := range input.Schema().Properties {
		if property.Description == "" {
			t.Errorf("%s: argument %s has no description", tool.Name, name)
		}
	}
}

// checkStructure validates structured content against the tool's output schema.
func checkStructure(t *testing.T, tool *sdk.Tool, result *sdk.CallToolResult) {
	t.Helper()
	if err := resolved(t, tool.OutputSchema).Validate(result.StructuredContent); err != nil {
		t.Errorf("%s: %v", tool.Name, err)
	}
}

func resolved(t *testing.T, schema any) *jsonschema.Resolved {
	t.Helper()
	raw, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestResearchPair checks that search and fetch have the shapes that research assistants expect.
func TestResearchPair(t *testing.T) {
	t.Parallel()
	session := serveRecords(t).connect(goodToken, "")
	found := call(t, session, "search", map[string]any{"query": "padaria estrela"})
	var results struct{ Results []map[string]string }
	if err := json.Unmarshal([]byte(textOf(t, found)), &results); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"id": bakery, "title": "Padaria Estrela do Sul Ltda., Ativa, Campinas/SP", "url": "https://razao.example/" + bakery}
	if len(results.Results) == 0 {
		t.Fatal("nothing found")
	}
	if diff := cmp.Diff(want, results.Results[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var document struct {
		ID, Title, Text, URL string
		Metadata             map[string]string
	}
	opened := call(t, session, "fetch", map[string]any{"id": results.Results[0]["id"]})
	if err := json.Unmarshal([]byte(textOf(t, opened)), &document); err != nil {
		t.Fatal(err)
	}
	if document.ID != bakery || document.URL != want["url"] || document.Title == "" || document.Metadata["competencia"] != fixture.Month ||
		!strings.Contains(document.Text, "Campinas/SP") {
		t.Errorf("%+v", document)
	}
}

// TestArgumentsAreExplained checks that errors about arguments say how to correct them.
func TestArgumentsAreExplained(t *testing.T) {
	t.Parallel()
	session := serveRecords(t).connect(goodToken, "")
	for _, c := range []struct{ tool, arguments, says string }{
		{"consultar_cnpj", `{}`, "Informe o argumento cnpj"},
		{"consultar_cnpj", `{"cnpj":null}`, "Informe o argumento cnpj"},
		{"consultar_cnpj", `{"cnpj":{"numero":"12345678"}}`, "O argumento cnpj deve ser um texto"},
		{"consultar_cnpj", `{"cnpj":191}`, "CNPJ inválido"},
		{"consultar_cnpj", `{"cnpj":"12345678000100"}`, "dígitos verificadores"},
		{"consultar_cnpj", `{"cnpj":"12345678","cpf":"1","a":2}`, "Argumento desconhecido: a. Os argumentos são: cnpj."},
		{"consultar_cnpj", `{"CNPJ":"12345678"}`, "Argumento desconhecido: CNPJ"},
		{"consultar_cnpj", `{"cnpj":"00000191"}`, "não consta"},
		{"listar_socios", `{"cnpj":"12345678","limite":"cinco"}`, "O argumento limite deve ser um número inteiro"},
		{"listar_socios", `{"cnpj":"12345678","limite":"1.000"}`, "O argumento limite deve ser um número inteiro"},
		{"listar_socios", `{"cnpj":"12345678","limite":2.5}`, "O argumento limite deve ser um número inteiro"},
		{"listar_socios", `{"cnpj":"12345678","limite":51}`, "de 1 a 50"},
		{"listar_socios", `{"cnpj":"12345678","limite":0}`, "de 1 a 50"},
		{"listar_socios", `{"cnpj":"12345678","limite":"-1"}`, "de 1 a 50"},
		{"listar_socios", `{"cnpj":"12345678","cursor":"x"}`, "cursor_invalido"},
		{"consultar_fonte", `{"cnpj":"12345678","fonte":"cadin"}`, "As fontes são: pgfn, ceis"},
		{"buscar_empresas", `{"faturamento":1}`, "Argumento desconhecido: faturamento. Os argumentos são: consulta, em, agrupar, ordem, limite, cursor, cnae, "},
		{"buscar_empresas", `{"consulta":true,"uf":"SP"}`, "O argumento consulta deve ser um texto"},
		{"buscar_empresas", `{"uf":["SP","XX"]}`, "O argumento uf não pode ser \"XX\". Deve ser a sigla de um estado"},
		{"buscar_empresas", `{"mei":2}`, "O argumento mei não pode ser \"2\". Deve ser sim ou nao"},
		{"buscar_empresas", `{"socios_de":{"valor":2}}`, "O argumento socios_de deve ser um número"},
		{"buscar_empresas", `{"capital_de":1000,"capital_ate":999.99}`, "maior ou igual a capital_de"},
		{"buscar_empresas", `{"municipio":"Bom Jesus"}`, "Bom Jesus/PI"},
		{"fontes_disponiveis", `{"fonte":"pgfn"}`, "Os argumentos são: nenhum."},
		{"mudancas", `{"cnpj":"00000001"}`, "não consta"},
		{"mudancas", `{"cnpj":"12345678","uf":["SP"]}`, "são só para o país"},
		{"mudancas", `{"eventos":["empresa.fundada"]}`, "estabelecimento.aberto"},
		{"mudancas", `{"desde":"ontem"}`, "AAAA-MM-DD"},
		{"mudancas", `{"uf":["XX"]}`, "Deve ser a sigla de um estado"},
		{"mudancas", `{"cursor":"x"}`, "cursor_invalido"},
		{"rede", `{"de":"alguém"}`, "id de um membro"},
		{"rede", `{"de":"12345678","profundidade":9}`, "1 a 3"},
		{"rede", `{"de":"123456-ninguem"}`, "empresas_do_socio"},
		{"grupo", `{"cnpj":"00000001"}`, "não consta"},
		{"caminho", `{"de":"12345678","para":"x"}`, "para"},
		{"ranking_municipios", `{"municipios":true}`, "O argumento municipios deve ser uma lista de textos"},
	} {
		result := call(t, session, c.tool, json.RawMessage(c.arguments))
		if text := textOf(t, result); !result.IsError || !strings.Contains(text, c.says) || result.StructuredContent != nil {
			t.Errorf("%s %s: error %t, %s", c.tool, c.arguments, result.IsError, text)
		}
	}
}

// TestArgumentsOfAnotherTypeAreCoerced sends what models send in place of the declared type.
func TestArgumentsOfAnotherTypeAreCoerced(t *testing.T) {
	t.Parallel()
	session := serveRecords(t).connect(goodToken, "")
	for _, c := range []struct{ tool, declared, sent string }{
		{"consultar_cnpj", `{"cnpj":"12345678"}`, `{"cnpj":12345678}`},
		{"listar_socios", `{"cnpj":"12345678","limite":5}`, `{"cnpj":12345678,"limite":"5"}`},
		{"listar_socios", `{"cnpj":"12345678","limite":5}`, `{"cnpj":"12345678","limite":5.0}`},
		{"buscar_empresas", `{"mei":"sim","agrupar":"nao"}`, `{"mei":true,"agrupar":"false"}`},
		{"buscar_empresas", `{"uf":["SP"],"capital_de":1000,"limite":3}`, `{"uf":"SP","capital_de":"1000","limite":"3"}`},
		{"buscar_empresas", `{"cnae":["4721102","1091102"]}`, `{"cnae":"[4721102,\"1091102\"]"}`},
		{"ranking_municipios", `{"municipios":["Campinas"]}`, `{"municipios":"Campinas"}`},
		{"ranking_municipios", `{"municipios":["3509502"]}`, `{"municipios":[3509502]}`},
	} {
		want, got := call(t, session, c.tool, json.RawMessage(c.declared)), call(t, session, c.tool, json.RawMessage(c.sent))
		if want.IsError || textOf(t, got) != textOf(t, want) {
			t.Errorf("%s %s: %s\nwant %s", c.tool, c.sent, textOf(t, got), textOf(t, want))
		}
	}
}

// TestEveryArgumentNamesItsType sends an object for every argument of every tool, which no type can be
// coerced from.
func TestEveryArgumentNamesItsType(t *testing.T) {
	t.Parallel()
	_, session := withoutLimits(t)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		for name, property := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			says := map[any]string{
				"string": "deve ser um texto", "integer": "deve ser um número inteiro", "boolean": "deve ser true ou false", "number": "deve ser um número", "array": "deve ser uma lista de textos",
			}[property.(map[string]any)["type"]]
			result := call(t, session, tool.Name, map[string]any{name: map[string]any{"valor": true}})
			if text := textOf(t, result); !result.IsError || says == "" || !strings.Contains(text, "O argumento "+name+" ") || !strings.Contains(text, says) {
				t.Errorf("%s %s: %s", tool.Name, name, text)
			}
		}
	}
}

// TestSearchTakesEveryFilter expects every filter among the declared arguments, with a single type
// and a short description, since models read it with every question.
func TestSearchTakesEveryFilter(t *testing.T) {
	t.Parallel()
	schema := inputSchema[assistant.SearchQuery]()
	for _, c := range filter.All() {
		if property := schema.Properties[c.Name]; property == nil || property.Type == "" || !slices.Contains(schema.PropertyOrder, c.Name) {
			t.Errorf("%s: %+v", c.Name, property)
		}
	}
	raw, err := json.Marshal(schema)
	if err != nil || len(raw) > 9<<10 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
}

// TestSourceInTrouble checks that an unreadable source is never reported as having no records.
func TestSourceInTrouble(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Records(t, "pgfn")
	s := serve(t, l)
	var schema string
	const find = `SELECT 'load_' || lpad(max(id)::text, 6, '0') FROM load WHERE source = 'pgfn'`
	if err := l.Pool.QueryRow(t.Context(), find).Scan(&schema); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Pool.Exec(t.Context(), `ALTER TABLE `+schema+`.record RENAME TO moved`); err != nil {
		t.Fatal(err)
	}
	session := s.connect(goodToken, "")
	page := call(t, session, "consultar_fonte", map[string]any{"cnpj": bakery, "fonte": "pgfn"})
	if text := textOf(t, page); page.IsError || !strings.Contains(text, "erro, não foi possível consultar") || !strings.Contains(text, "nunca que nada consta") {
		t.Errorf("%s", text)
	}
	record := call(t, session, "consultar_cnpj", map[string]any{"cnpj": bakery})
	got, ok := record.StructuredContent.(map[string]any)
	if !ok || got["disponibilidade"] != "parcial" {
		t.Fatalf("%v", record.StructuredContent)
	}
	want := map[string]any{"status": "erro", "total": nil}
	debt := got["registros_publicos"].(map[string]any)["dividas"].(map[string]any)["pgfn"].(map[string]any)
	if diff := cmp.Diff(want, map[string]any{"status": debt["status"], "total": debt["total"]}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if sanction := got["registros_publicos"].(map[string]any)["sancoes"].(map[string]any)["ceis"].(map[string]any); sanction["status"] != "indisponivel" {
		t.Errorf("a source without a load: %v", sanction)
	}
	_ = session.Close()
	s.stop()
	if !strings.Contains(s.log.String(), "source pgfn") {
		t.Errorf("the log does not say why:\n%s", s.log)
	}
}

// TestNothingLoaded checks that a server without a load answers "unavailable".
func TestNothingLoaded(t *testing.T) {
	t.Parallel()
	session := serve(t, fixture.Empty(t)).connect(goodToken, "")
	for _, c := range everyTool() {
		result := call(t, session, c.tool, json.RawMessage(c.arguments))
		if text := textOf(t, result); !result.IsError || !strings.HasPrefix(text, "servico_indisponivel") {
			t.Errorf("%s: %s", c.tool, text)
		}
	}
}

// TestPanic checks that a panic in a tool ends neither the process nor other calls.
func TestPanic(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := serveOn(t, &l.Served, l.Pool, func(c *Config) { c.Assistant = nil })
	session := s.connect(goodToken, "")
	for range 2 {
		result := call(t, session, "consultar_cnpj", map[string]any{"cnpj": bakery})
		if text := textOf(t, result); !result.IsError || !strings.HasPrefix(text, "servico_indisponivel") {
			t.Errorf("%s", text)
		}
	}
	_ = session.Close()
	s.stop()
	if !strings.Contains(s.log.String(), "panic: ") {
		t.Errorf("the log does not say so:\n%s", s.log)
	}
	calls, err := s.store.Calls(t.Context(), s.account, 0, 0, 10)
	if err != nil || len(calls) != 2 || calls[0].Status != 503 {
		t.Errorf("history %+v, %v", calls, err)
	}
}

func TestResourceAndPrompts(t *testing.T) {
	t.Parallel()
	session := serveRecords(t).connect(goodToken, "")
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "razao://cnpj/{cnpj}" {
		t.Fatalf("%+v, %v", templates, err)
	}
	read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "razao://cnpj/" + bakery})
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal([]byte(read.Contents[0].Text), &got); err != nil {
		t.Fatal(err)
	}
	want = call(t, session, "consultar_cnpj", map[string]any{"cnpj": bakery}).StructuredContent
	if diff := cmp.Diff(want, got); diff != "" || read.CacheScope != "private" || read.TTLMs != 0 {
		t.Errorf("cache %+v (-tool +resource):\n%s", read.Cacheable, diff)
	}
	for _, uri := range []string{"razao://cnpj/1", "razao://cnpj/00000191", "razao://cnpj/" + bakery + "/x", "razao://cpf/1", "file:///etc/passwd"} {
		if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s was read", uri)
		}
	}
	prompts, err := session.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range prompts.Prompts {
		names = append(names, p.Name)
		argument := p.Arguments[0].Name
		filled, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name, Arguments: map[string]string{argument: " o que\nse pede %s "}})
		if err != nil {
			t.Fatal(err)
		}
		if text := filled.Messages[0].Content.(*sdk.TextContent).Text; !strings.Contains(text, "o que se pede %s") || strings.Contains(text, "%!") {
			t.Errorf("%s: %s", p.Name, text)
		}
		if _, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name}); err == nil {
			t.Errorf("%s without its argument", p.Name)
		}
	}
	if want := []string{"comparar_municipios", "verificar_fornecedor"}; !slices.Equal(names, want) {
		t.Errorf("prompts %v, want %v", names, want)
	}
}

// withoutLimits returns a server and a session of it that no account is charged for, as over standard input.
func withoutLimits(tb testing.TB) (*Server, *sdk.ClientSession) {
	tb.Helper()
	s, err := New(Config{
		Assistant: newAssistant(tb, fixture.Shared(tb), "https://razao.example"), BaseURL: "https://razao.example", Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		tb.Fatal(err)
	}
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := s.protocol.Connect(tb.Context(), ours, nil); err != nil {
		tb.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(tb.Context(), theirs, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return s, session
}

// FuzzArguments checks that arbitrary arguments are answered or refused with a reason, never a
// failure of ours.
func FuzzArguments(f *testing.F) {
	s, session := withoutLimits(f)
	names := slices.Sorted(maps.Keys(s.tools))
	for i, c := range everyTool() {
		f.Add(uint8(i), c.arguments)
	}
	f.Add(uint8(0), `{"uf":"sp","municipio":"Campinas","situacao":"ativa","cursor":"AgAAAAAAAAAAAAAAAA"}`)
	f.Add(uint8(3), `{"documento":"***456789**","nome":"\"x"}`)
	f.Fuzz(func(t *testing.T, tool uint8, arguments string) {
		if !json.Valid([]byte(arguments)) {
			return // the envelope would not be JSON
		}
		name := names[int(tool)%len(names)]
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
		if err != nil {
			t.Fatal(err)
		}
		if text := textOf(t, result); text == "" || result.IsError && text == unavailableText {
			t.Errorf("%s %s: %q", name, arguments, text)
		}
	})
}
