package api

import (
	"razao/internal/data/change"
	"razao/internal/data/openapi"
	"razao/internal/data/record"
	"razao/internal/people/follow"
	"razao/internal/people/webhook"
)

// webhookOperations describe what is posted to webhooks, which answer by their status. A test of site/people validates what is
// really sent.
func webhookOperations() []openapi.Operation {
	return []openapi.Operation{
		message(follow.CompanyChanged, "receberEmpresaMudou", openapi.Record(
			"O que uma carga mudou de uma empresa seguida.", openapi.Property(record.CompanyTable().Fields[0]), // cnpj_basico
			openapi.Field("itens", openapi.List(component(change.EventTable().Name))), openapi.Field("url", openapi.Text("a página da empresa")),
		)),
		message(follow.LoadWithdrawn, "receberCargaRetirada", component(record.WithdrawnTable().Name)),
		message(webhook.TestEvent, "receberTeste", openapi.Record("Um teste.", openapi.Field("mensagem", openapi.Text("um texto para pessoas")))),
	}
}

// message describes one type of message, signed and in the envelope of Standard Webhooks. It is no component: generators that make
// types only of what paths refer to would lack it.
func message(kind, id string, data openapi.Object) openapi.Operation {
	var taken, gone openapi.Response
	envelope := openapi.Record("A mensagem "+kind+".",
		openapi.Field("type", openapi.Choice("o que houve", kind)),
		openapi.Property(record.Field{Name: "timestamp", Kind: record.Moment, About: "quando houve (UTC)"}),
		openapi.Field("data", data))
	return openapi.Operation{
		Method: "post", Path: kind, ID: id, Tags: []string{tagChanges}, Security: []openapi.Object{},
		Parameters: []openapi.Object{
			openapi.HeaderParameter("webhook-id", openapi.Object{openapi.Field("type", "string"), openapi.Field("minLength", 1)}),
			openapi.HeaderParameter("webhook-timestamp", openapi.Object{openapi.Field("type", "integer"), openapi.Field("minimum", 0)}),
			openapi.HeaderParameter("webhook-signature", openapi.Object{openapi.Field("type", "string"), openapi.Field("pattern", "^v1,[A-Za-z0-9+/]+=*$")}),
		},
		Body:      openapi.Object{openapi.Field("required", true), openapi.Field("content", openapi.JSON(envelope))},
		Responses: openapi.Object{openapi.Field("2XX", taken.Object()), openapi.Field("410", gone.Object())},
	}
}
