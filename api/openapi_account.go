package api

import (
	"net/http"

	"razao/internal/data/openapi"
	"razao/internal/people/follow"
	"razao/internal/people/webhook"
)

// accountOperations describe what belongs to the account of the key.
func accountOperations() []operation {
	required := func(parameter openapi.Object) openapi.Object {
		return append(parameter, openapi.Field("required", true))
	}
	body := func(schema string) openapi.Object {
		return openapi.Object{openapi.Field("required", true), openapi.Field("content", openapi.JSON(component(schema)))}
	}
	text := openapi.Object{openapi.Field("type", "string")}
	sent := []int{http.StatusConflict, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge}
	one := openapi.PathParameter("id", openapi.Object{openapi.Field("type", "integer"), openapi.Field("format", "int64")})
	kind := append(text[:1:1], openapi.Field("enum", kindsToFollow))
	operations := []operation{
		{Operation: openapi.Operation{Path: followingPath, ID: "seguindo"}, content: openapi.JSON(component("RespostaSeguindo")), refusals: ownStatuses()},
		{Operation: openapi.Operation{Method: "post", Path: followingPath, ID: "seguir", Body: body("PedidoDeSeguir")}, content: openapi.JSON(component("RespostaSeguindo")), refusals: ownStatuses(sent...)},
		{Operation: openapi.Operation{
			Method: "delete", Path: followingPath, ID: "deixarDeSeguir",
			Parameters: []openapi.Object{required(openapi.QueryParameter("tipo", kind)), required(openapi.QueryParameter("valor", text))},
		}, content: openapi.JSON(component("RespostaSeguindo")), refusals: ownStatuses()},
		{Operation: openapi.Operation{Path: webhooksPath, ID: "webhooks"}, content: openapi.JSON(component("RespostaWebhooks")), refusals: ownStatuses()},
		{Operation: openapi.Operation{Method: "post", Path: webhooksPath, ID: "criarWebhook", Body: body("PedidoDeWebhook")}, content: openapi.JSON(component("RespostaWebhooks")), refusals: ownStatuses(sent...)},
	}
	for _, change := range []openapi.Operation{
		{Method: "delete", Path: webhooksPath + "/{id}", ID: "excluirWebhook"},
		{Method: "post", Path: webhooksPath + "/{id}/teste", ID: "testarWebhook"},
		{Method: "post", Path: webhooksPath + "/{id}/ligar", ID: "ligarWebhook"},
	} {
		change.Parameters = []openapi.Object{one}
		operations = append(operations, operation{Operation: change, content: openapi.JSON(component("RespostaWebhooks")), refusals: ownStatuses(http.StatusNotFound, http.StatusConflict)})
	}
	for i := range operations {
		operations[i].Tags = []string{tagAccount}
	}
	return operations
}

var kindsToFollow = []string{string(follow.Company), string(follow.Partner), string(follow.Search)}

// accountSchemas are the schemas of what belongs to the account and of the bodies that change it.
func accountSchemas() openapi.Object {
	moment := func(name, about string) openapi.Member {
		return openapi.Field(name, openapi.Object{openapi.Field("type", "string"), openapi.Field("format", "date-time"), openapi.Field("description", about)})
	}
	momentOrNull := func(name, about string) openapi.Member {
		return openapi.Field(name, openapi.Object{openapi.Field("type", []string{"string", "null"}), openapi.Field("format", "date-time"), openapi.Field("description", about)})
	}
	kind := openapi.Field("tipo", openapi.Choice("o que se segue", kindsToFollow...))
	var limits []openapi.Member
	for _, name := range kindsToFollow {
		limits = append(limits, openapi.Field(name, openapi.Integer("quantos, no máximo")))
	}
	meta := func(recurso string) openapi.Object {
		return openapi.Record("Sobre a resposta.",
			openapi.Field("versao", openapi.Choice("versão da API", "v2")), openapi.Field("release", openapi.Text("versão do produto")),
			openapi.Field("recurso", openapi.Choice("o que foi consultado", recurso)), openapi.Field("requisicao_id", requestIDSchema()))
	}
	values := append(openapi.List(openapi.Object{openapi.Field("type", "string")}), openapi.Field("minItems", 1), openapi.Field("maxItems", mostToFollow),
		openapi.Field("description", "CNPJs de empresa; de sócio, os seis dígitos visíveis do CPF e o nome (456789/ana-lima); ou o que vem depois de ? no endereço de uma busca"))
	return openapi.Object{
		openapi.Field("RespostaSeguindo", answerSchema(component("Seguindo"), meta("seguindo"))),
		openapi.Field("Seguindo", openapi.Record("O que a conta segue.",
			openapi.Field("itens", openapi.List(component("Seguido"))), openapi.Field("limites", openapi.Record("Quanto uma conta pode seguir.", limits...)))),
		openapi.Field("Seguido", openapi.Record("Uma coisa que a conta segue.", kind, openapi.Field("valor", openapi.Text("o valor, na forma em que é guardado")), moment("desde", "quando a conta passou a segui-la"))),
		openapi.Field("PedidoDeSeguir", openapi.Record("O que seguir; se um valor não serve, nenhum é acrescentado.", kind, openapi.Field("valores", values))),
		openapi.Field("RespostaWebhooks", answerSchema(component("Webhooks"), meta("webhooks"))),
		openapi.Field("Webhooks", openapi.Record("Os webhooks da conta.",
			openapi.Field("itens", openapi.List(component("Webhook"))),
			openapi.Field("criado", openapi.OrNull(component("WebhookCriado"))),
			openapi.Field("entregas", openapi.List(component("Entrega"))),
			openapi.Field("limite", openapi.Integer("quantos webhooks uma conta pode ter")))),
		openapi.Field("Webhook", openapi.Record("Um endereço que recebe os eventos da conta.",
			openapi.Field("id", openapi.Integer("número do webhook")), openapi.Field("url", openapi.Text("o endereço")), moment("criado_em", "quando foi criado"),
			openapi.Field("desligado", openapi.Object{
				openapi.Field("type", []string{"string", "null"}), openapi.Field("enum", []any{webhook.Gone, webhook.OtherSecret, nil}),
				openapi.Field("description", "por que nada é enviado: o servidor respondeu 410, ou o segredo deste site mudou; null quando está em uso"),
			}),
			openapi.Field("falhas_seguidas", openapi.Integer("envios que falharam desde o último que deu certo")), momentOrNull("em_pausa_ate", "até quando nada é enviado, depois de falhas"))),
		openapi.Field("WebhookCriado", openapi.Record("O webhook que este pedido criou.",
			openapi.Field("id", openapi.Integer("número do webhook")), openapi.Field("segredo", openapi.Text("com que os eventos são assinados; só esta resposta o tem")))),
		openapi.Field("Entrega", openapi.Record("Um evento para um webhook, dos últimos.",
			openapi.Field("id", openapi.UUID("id do evento, o do cabeçalho webhook-id")), openapi.Field("webhook", openapi.Integer("número do webhook")), openapi.Field("evento", openapi.Text("tipo do evento")),
			moment("criado_em", "quando entrou na fila"), openapi.Field("tentativas", openapi.Integer("envios até agora")), momentOrNull("entregue_em", "quando o servidor o aceitou"),
			momentOrNull("proxima_tentativa", "quando é enviado de novo; null quando foi entregue ou abandonado"), openapi.Field("resposta", openapi.Text("status ou motivo da última tentativa; vazio antes dela")))),
		openapi.Field("PedidoDeWebhook", openapi.Record("O webhook a criar.", openapi.Field("url", openapi.Text("endereço que começa com https://, sem usuário e sem #")))),
	}
}
