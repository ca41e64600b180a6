package api

import (
	"net/http"

	"razao/internal/data/openapi"
)

// reconcileOperations describes the reconciliation service.
func reconcileOperations() []operation {
	text := openapi.Object{openapi.Field("type", "string")}
	refusals := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests, http.StatusServiceUnavailable}
	json := openapi.Object{openapi.Field("contentType", "application/json")}
	inJSON := openapi.Object{openapi.Field("type", "string"), openapi.Field("minLength", 2)}
	form := openapi.Object{openapi.Field("application/x-www-form-urlencoded", openapi.Object{
		openapi.Field("schema", component("Formulario")),
		openapi.Field("encoding", openapi.Object{openapi.Field("queries", json), openapi.Field("extend", json)}),
	})}
	of := func(path, id, schema, example string, parameters ...openapi.Object) operation {
		return operation{
			Operation: openapi.Operation{Path: path, ID: id, Tags: []string{tagReconcile}, Parameters: parameters},
			schema:    schema, example: example, refusals: refusals,
		}
	}
	one := of(reconcilePath, "reconciliarPeloEndereco", "RespostaReconciliacao", "v2_reconciliar",
		openapi.QueryParameter("queries", inJSON), openapi.QueryParameter("extend", inJSON))
	one.Security = []openapi.Object{{}, needsKey()}
	many := of(reconcilePath, "reconciliar", "RespostaFormulario", "v2_reconciliar")
	many.Method, many.Body = "post", openapi.Object{openapi.Field("required", true), openapi.Field("content", form)}
	propose := of(reconcileProposePath, "camposReconciliacao", "CamposPropostos", "v2_reconciliar_campos",
		openapi.QueryParameter("type", text),
		openapi.QueryParameter("limit", openapi.Object{openapi.Field("type", "integer"), openapi.Field("minimum", 1)}))
	preview := of(reconcilePreviewPath, "preverEmpresa", "", "", openapi.QueryParameter("id", openapi.Object{
		openapi.Field("type", "string"), openapi.Field("pattern", documentPattern),
	}))
	preview.content = openapi.Object{openapi.Field("text/html", openapi.Object{openapi.Field("schema", text)})}
	preview.refusals = common()
	return []operation{one, many, propose, preview}
}

// reconcileSchemas are the schemas of the questions and the answers.
func reconcileSchemas() openapi.Object {
	mapping := func(about string, of openapi.Object) openapi.Object {
		return openapi.Object{openapi.Field("type", "object"), openapi.Field("description", about), openapi.Field("additionalProperties", of)}
	}
	optional := func(about string, fields ...openapi.Member) openapi.Object {
		return openapi.Optional(openapi.Record(about), fields...)
	}
	address := openapi.Field("url", openapi.Text("modelo do endereço"))
	service := openapi.Record("A lista deles.", openapi.Field("service_url", openapi.Text("origem")), openapi.Field("service_path", openapi.Text("caminho")))
	return openapi.Object{
		openapi.Field("Formulario", append(
			optional("Nomes, em queries, ou linhas que já têm CNPJ, em extend: um dos dois, em JSON.",
				openapi.Field("queries", component("Perguntas")), openapi.Field("extend", component("PedidoDeCampos"))),
			openapi.Field("minProperties", 1), openapi.Field("maxProperties", 1))),
		openapi.Field("Perguntas", mapping("As perguntas, cada uma sob um nome que volta na resposta.", component("Pergunta"))),
		openapi.Field("Pergunta", openapi.Optional(openapi.Record("Uma pergunta.", openapi.Field("query", openapi.Text("o nome, como está na lista, ou um CNPJ"))),
			openapi.Field("limit", openapi.Integer("candidatas, no máximo")), openapi.Field("properties", openapi.List(component("PropriedadeDaPergunta"))))),
		openapi.Field("PropriedadeDaPergunta", openapi.Record("O que mais a lista diz.", openapi.Field("pid", openapi.Choice("o que é", properties...)),
			openapi.Field("v", openapi.Object{openapi.Field("description", "um texto, um número ou uma lista deles, de que vale o primeiro")}))),
		openapi.Field("RespostaReconciliacao", openapi.Object{openapi.Field("anyOf", []openapi.Object{component("Manifesto"), component("Reconciliacao"), component("Campos")})}),
		openapi.Field("RespostaFormulario", openapi.Object{openapi.Field("anyOf", []openapi.Object{component("Reconciliacao"), component("Campos")})}),
		openapi.Field("Reconciliacao", mapping("As respostas, cada uma sob o nome da sua pergunta.", component("Candidatas"))),
		openapi.Field("Candidatas", openapi.Optional(openapi.Record("Uma resposta.", openapi.Field("result", openapi.List(component("Candidata")))),
			openapi.Field("error", component("PerguntaRecusada")))),
		openapi.Field("PerguntaRecusada", openapi.Record(
			"O que há de errado com a pergunta: result está vazio, e as outras do lote são respondidas.",
			openapi.Field("codigo", openapi.Choice("o código do erro", "lote_invalido")), openapi.Field("mensagem", openapi.Text("o mesmo, em palavras")))),
		openapi.Field("Candidata", openapi.Record(
			"Uma empresa que pode ser a que se quis dizer, pelo estabelecimento do lugar ou pela matriz.",
			openapi.Field("id", openapi.Text("CNPJ do estabelecimento")), openapi.Field("name", openapi.Text("razão social")),
			openapi.Field("description", openapi.Text("nome fantasia, lugar, situação e atividade")),
			openapi.Field("type", openapi.List(component("TipoDeCandidata"))), openapi.Field("score", openapi.Number("de 0 a 100")),
			openapi.Field("match", yesNo("só ela pode ser: o nome é quase o mesmo e nenhuma outra chega perto")),
			openapi.Field("features", openapi.List(component("RazaoDaCandidata"))))),
		openapi.Field("TipoDeCandidata", openapi.Record("O tipo, sempre o mesmo.", openapi.Field("id", openapi.Text("empresa")), openapi.Field("name", openapi.Text("em palavras")))),
		openapi.Field("RazaoDaCandidata", openapi.Record(
			"Por que é candidata.", openapi.Field("id", openapi.Choice("o que se comparou", "cnpj", "nome", "municipio", "uf", "atividade", "ativa")),
			openapi.Field("value", openapi.Object{openapi.Field("description", "nome: de 0 a 1; os outros: se é o mesmo"), openapi.Field("oneOf", []openapi.Object{
				{openapi.Field("type", "number"), openapi.Field("format", "double")}, {openapi.Field("type", "boolean")},
			})}))),
		openapi.Field("PedidoDeCampos", openapi.Record(
			"Campos de linhas que já têm CNPJ.", openapi.Field("ids", openapi.List(openapi.Text("CNPJ de 14 posições, ou 8 da empresa, com ou sem pontos, barra e hífen"))),
			openapi.Field("properties", openapi.List(component("CampoPedido"))))),
		openapi.Field("CampoPedido", openapi.Optional(openapi.Record("Um campo.", openapi.Field("id", openapi.Text("nome do campo"))),
			openapi.Field("settings", optional("Como vem.", openapi.Field(settingName, openapi.Choice("de um campo com código", inWords, asCode)))))),
		openapi.Field("Campos", openapi.Record("Campos de cada linha.",
			openapi.Field("meta", openapi.List(component("Campo"))),
			openapi.Field("rows", mapping("Por CNPJ, como veio. O que não existe não tem valores.",
				mapping("Por campo, os valores: nenhum quando não há, mais de um quando é uma lista.", openapi.List(component("ValorDoCampo"))))))),
		openapi.Field("Campo", openapi.Record("Um campo.", openapi.Field("id", openapi.Text("nome do campo")), openapi.Field("name", openapi.Text("título da coluna")))),
		openapi.Field("ValorDoCampo", optional("Um valor.",
			openapi.Field("str", openapi.Text("texto")), openapi.Field("float", openapi.Number("número")), openapi.Field("date", openapi.Text("data, à meia-noite (UTC)")))),
		openapi.Field("CamposPropostos", openapi.Record("Os campos.", openapi.Field("properties", openapi.List(component("CampoProposto"))))),
		openapi.Field("CampoProposto", openapi.Record("Um campo.",
			openapi.Field("id", openapi.Text("nome do campo")), openapi.Field("name", openapi.Text("o mesmo")), openapi.Field("description", openapi.Text("o que é")))),
		openapi.Field("Manifesto", openapi.Optional(openapi.Record("O manifesto do serviço.",
			openapi.Field("versions", openapi.List(openapi.Text("versão do protocolo"))),
			openapi.Field("name", openapi.Text("nome do serviço")),
			openapi.Field("identifierSpace", openapi.Text("o que são os identificadores: CNPJs")),
			openapi.Field("schemaSpace", openapi.Text("o que é um candidato")),
			openapi.Field("defaultTypes", openapi.List(component("TipoDeCandidata"))),
			openapi.Field("batchSize", openapi.Integer("perguntas de um lote, no máximo")),
			openapi.Field("serviceVersion", openapi.Text("versão do produto")),
			openapi.Field("authentication", openapi.Object{openapi.Field("type", "object")})),
			openapi.Field("documentation", openapi.Text("página com a documentação")),
			openapi.Field("view", openapi.Record("A página de um candidato.", address)),
			openapi.Field("preview", openapi.Record("A prévia de um candidato.", address, openapi.Field("width", openapi.Integer("pixels")), openapi.Field("height", openapi.Integer("pixels")))),
			openapi.Field("extend", openapi.Record("Os campos que se pode pedir.", openapi.Field("propose_properties", service),
				openapi.Field("property_settings", openapi.List(openapi.Object{openapi.Field("type", "object")})))))),
	}
}
