package mcp

import (
	"context"
	"errors"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/assist/assistant"
)

const unavailableText = "servico_indisponivel: o serviço está temporariamente indisponível. Tente de novo em alguns segundos. Isto não quer dizer que nada consta."

const withoutIndexText = "indice_indisponivel: busca e rankings estão fora do ar, porque falta o índice de busca. O que se pergunta por CNPJ responde: " +
	"consultar_cnpj, consultar_fonte, listar_estabelecimentos e listar_socios. Isto não quer dizer que nada consta."

const withoutFlagsText = "fonte_indisponivel: o filtro por esta fonte está fora do ar. A busca sem ele responde, e consultar_fonte diz o que a fonte tem de um " +
	"CNPJ. Isto não quer dizer que nada consta."

// addTools adds a tool for every query of the assistant. The SDK lists tools sorted by name.
func (s *Server) addTools() {
	a := s.Assistant
	addTool(s, a.Search, "buscar_empresas", "Buscar empresas",
		"Procura estabelecimentos por nome, sócio, CNPJ, telefone, e-mail ou endereço, com todos os filtros da busca avançada; nos que recebem uma lista, - antes de um valor o exclui. Devolve um resumo de cada um com o CNPJ para consultar_cnpj.")
	addTool(s, a.Reconcile, "reconhecer_empresa", "Reconhecer empresa",
		"Que empresa é a de um nome de uma lista, mesmo com erros, cortado ou abreviado, pelo nome, o lugar e a atividade: candidatas com pontos e motivo. Use um CNPJ só se certa é true ou a pessoa confirmar.")
	addTool(s, a.Record, "consultar_cnpj", "Consultar CNPJ",
		"Cadastro de uma empresa (8 posições) ou de um estabelecimento (14): situação, atividades, endereço, contatos publicados, capital, Simples e MEI, os primeiros sócios e, para cada fonte de registros públicos, se há registros e quantos. Comece por aqui quando tiver o CNPJ.")
	addTool(s, a.Source, "consultar_fonte", "Consultar registros de uma fonte",
		"Registros que uma fonte pública tem de um CNPJ, com os campos como publicados: dívida ativa (pgfn), sanções (ceis, cnep, cepim, acordos_leniencia), trabalho (mte_empregadores, mte_ceac), habilitacao_aduaneira, ibama_autos, ibama_embargos, rntrc, contratos públicos como fornecedor (pncp) ou contratante (pncp_orgao) e financiamentos do BNDES (bndes). Em páginas, com cursor.")
	addTool(s, a.Establishments, "listar_estabelecimentos", "Listar estabelecimentos",
		"Matriz e filiais de uma empresa, com situação, endereço e atividades, na ordem do CNPJ. Em páginas, com cursor.")
	addTool(s, a.Partners, "listar_socios", "Listar sócios",
		"Quadro societário de uma empresa, com qualificação e data de entrada; CPFs mascarados como publicados. Em páginas, com cursor.")
	addTool(s, a.Changes, "mudancas", "O que mudou",
		"O que cada carga mudou em uma empresa (cnpj), da mais nova à mais antiga, ou no país, por lugar, atividade, evento e dia, com o valor antes e depois. cobertura diz o que não pôde ser comparado: ali, nada se sabe. Em páginas, com cursor.")
	addTool(s, a.Partnerships, "empresas_do_socio", "Empresas de um sócio",
		"Empresas em cujo quadro societário aparece um nome, ou um nome e documento. Nomes iguais podem ser de pessoas diferentes: não afirme que dois registros são da mesma pessoa.")
	addTool(s, a.Network, "rede", "Rede de sócios",
		"Quem está em volta de uma empresa ou de um sócio: sócios, empresas em que é sócio, e adiante até a profundidade pedida, cada vínculo com as linhas publicadas. Homônimos existem: não afirme que dois registros são da mesma pessoa.")
	addTool(s, a.Group, "grupo", "Grupo de empresas",
		"As empresas acima de uma empresa, por sócios que são empresas, e todas abaixo dessas. É o que os sócios publicados dizem, não um parecer.")
	addTool(s, a.Paths, "caminho", "Caminho entre dois",
		"As cadeias mais curtas de vínculos entre duas empresas ou sócios, até 6 passos.")
	addTool(s, a.Ranking, "ranking_municipios", "Ranking de municípios",
		"Municípios do país ou de um estado por empresas ativas, por mil habitantes, aberturas, baixas ou capital social; ou os números de alguns, para comparar.")
	addTool(s, a.Sources, "fontes_disponiveis", "Fontes disponíveis",
		"As fontes, o que cada uma contém, de que período é a carga em uso e se está desatualizada ou indisponível; e o que nenhuma publica, como faturamento e empregados.")
	addTool(s, a.Find, "search", "Pesquisar",
		"Procura empresas por nome, sócio ou CNPJ e devolve id, título e endereço de cada resultado, para fetch.")
	addTool(s, a.Fetch, "fetch", "Abrir resultado",
		"Texto completo de um resultado de search: o cadastro da empresa e o resumo dos registros públicos.")
}

// addTool adds a tool that decodes its arguments into In, calls ask and encodes the result. All
// tools are annotated read-only and idempotent.
func addTool[In, Out any](s *Server, ask func(context.Context, In) (*Out, error), name, title, description string) {
	no := false
	input := inputSchema[In]()
	tool := &sdk.Tool{
		Name: name, Title: title, Description: description, InputSchema: encoded(input), OutputSchema: encoded(schemaFor[Out]()),
		Annotations: &sdk.ToolAnnotations{
			Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no,
		},
	}
	s.tools[name] = true
	s.protocol.AddTool(tool, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in In
		if err := decode(req.Params.Arguments, input, &in); err != nil {
			return s.toolFailure(ctx, err), nil
		}
		out, err := ask(ctx, in)
		if err != nil {
			return s.toolFailure(ctx, err), nil
		}
		return s.toolAnswer(ctx, out)
	})
}

// toolFailure returns the tool error for err, whose text tells the model how to correct the call or
// that it should retry, and sets the outcome.
func (s *Server) toolFailure(ctx context.Context, err error) *sdk.CallToolResult {
	s.report(ctx, err)
	setOutcome(ctx, statusOf(err))
	var refusal *assistant.Refusal
	if errors.As(err, &refusal) {
		return toolError(refusal.Text)
	}
	if assistant.NeedsIndex(err) {
		return toolError(withoutIndexText)
	}
	if assistant.NeedsFlags(err) {
		return toolError(withoutFlagsText)
	}
	if lacks := assistant.Lacks(err); lacks != "" {
		return toolError("carga_parcial: " + lacks)
	}
	return toolError(unavailableText)
}

// statusOf returns the HTTP status of a failed call for the usage history.
func statusOf(err error) int {
	var refusal *assistant.Refusal
	if !errors.As(err, &refusal) {
		return http.StatusServiceUnavailable
	}
	switch refusal.Kind {
	case assistant.Unknown:
		return http.StatusNotFound
	case assistant.Changed:
		return http.StatusConflict
	}
	return http.StatusBadRequest
}

func toolError(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// toolAnswer returns a result with structured content for programs and a text for models. The text
// is that of out's Text method, or the JSON if it has none.
func (s *Server) toolAnswer(ctx context.Context, out any) (*sdk.CallToolResult, error) {
	structure, err := assistant.Encode(out)
	if err != nil {
		return s.toolFailure(ctx, err), nil
	}
	setOutcome(ctx, http.StatusOK)
	s.reportTrouble(ctx, out)
	text := string(structure)
	if answer, ok := out.(interface{ Text() string }); ok {
		text = answer.Text()
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: structure}, nil
}

// reportTrouble logs why a successful answer is incomplete, as when a source could not be read.
func (s *Server) reportTrouble(ctx context.Context, out any) {
	if answer, ok := out.(interface{ Trouble() error }); ok {
		if err := answer.Trouble(); err != nil {
			s.report(ctx, err)
		}
	}
}
