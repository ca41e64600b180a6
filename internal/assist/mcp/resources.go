package mcp

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/assist/assistant"
)

const companyURI = "razao://cnpj/"

// addResources adds the resource template razao://cnpj/{cnpj}.
func (s *Server) addResources() {
	s.protocol.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "cnpj", Title: "Empresa ou estabelecimento por CNPJ", URITemplate: companyURI + "{cnpj}", MIMEType: "application/json",
		Description: "O mesmo que consultar_cnpj: 8 posições da empresa ou 14 do estabelecimento, sem pontuação.",
	}, s.companyResource)
}

// companyResource reads razao://cnpj/{cnpj}. Its text is the JSON of consultar_cnpj.
func (s *Server) companyResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	record, err := s.Assistant.Record(ctx, assistant.RecordQuery{CNPJ: strings.TrimPrefix(uri, companyURI)})
	if err != nil {
		return nil, s.resourceFailure(ctx, uri, err)
	}
	body, err := assistant.Encode(record)
	if err != nil {
		return nil, s.resourceFailure(ctx, uri, err)
	}
	setOutcome(ctx, http.StatusOK)
	s.reportTrouble(ctx, record)
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(body)}}}, nil
}

// resourceFailure maps an error to a JSON-RPC error and sets the outcome.
func (s *Server) resourceFailure(ctx context.Context, uri string, err error) error {
	s.report(ctx, err)
	setOutcome(ctx, statusOf(err))
	var refusal *assistant.Refusal
	switch {
	case !errors.As(err, &refusal):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: unavailableText}
	case refusal.Kind == assistant.Unknown:
		return sdk.ResourceNotFoundError(uri)
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: refusal.Text}
}

// addPrompts adds the prompts, which clients offer in a menu.
func (s *Server) addPrompts() {
	s.protocol.AddPrompt(&sdk.Prompt{
		Name: "verificar_fornecedor", Title: "Verificar um fornecedor",
		Description: "O que os registros públicos dizem de uma empresa antes de contratá-la.",
		Arguments:   []*sdk.PromptArgument{{Name: "cnpj", Title: "CNPJ", Description: "CNPJ da empresa, 8 ou 14 posições", Required: true}},
	}, prompt("cnpj", "Verifique a empresa de CNPJ %s com as ferramentas do Razão. Consulte o cadastro (consultar_cnpj) e, em consultar_fonte, "+
		"cada fonte com registros. Resuma a situação cadastral, há quanto tempo existe, atividade, capital, sócios, e o que há de dívida ativa, "+
		"sanções, trabalho, meio ambiente e contratos públicos, com números, datas, fonte, competência e o endereço da página. Diga quais fontes "+
		"não puderam ser consultadas ou estão desatualizadas. Não dê nota nem certidão: ausência de registro vale só para a carga consultada."))
	s.protocol.AddPrompt(&sdk.Prompt{
		Name: "comparar_municipios", Title: "Comparar municípios",
		Description: "Empresas ativas, aberturas, baixas e capital de alguns municípios, lado a lado.",
		Arguments:   []*sdk.PromptArgument{{Name: "municipios", Title: "Municípios", Description: "nomes com a sigla do estado, separados por vírgula: Campinas/SP, Recife/PE", Required: true}},
	}, prompt("municipios", "Compare os municípios %s com a ferramenta ranking_municipios do Razão (argumento municipios). Mostre numa tabela a posição "+
		"no país, empresas ativas, empresas por mil habitantes, aberturas no último ano completo, baixas e capital social, diga em que cada um se "+
		"destaca, e cite a competência e o endereço da página de cada um."))
}

// prompt returns a handler that inserts an argument, up to 500 characters of it, into the user
// message request at %s.
func prompt(argument, request string) sdk.PromptHandler {
	return func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		value := strings.Join(strings.Fields(req.Params.Arguments[argument]), " ")
		if value == "" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Informe o argumento " + argument + "."}
		}
		text := strings.Replace(request, "%s", shortenedTo(value, 500), 1)
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}, nil
	}
}
