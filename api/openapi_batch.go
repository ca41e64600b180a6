package api

import (
	"fmt"
	"net/http"

	"razao/internal/data/openapi"
)

// batchOperation describes the route of batches.
func batchOperation() operation {
	text := openapi.Object{openapi.Field("type", "string")}
	numbers := append(openapi.List(text), openapi.Field("minItems", 1), openapi.Field("maxItems", mostInBatch),
		openapi.Field("description", "CNPJs de 8 ou 14 posições, sem máscara"))
	fields := append(openapi.List(text), openapi.Field("description", "nomes de campos de Empresa, Estabelecimento ou Simples; sem campos, tudo o que o modo basic traz"))
	body := openapi.Object{
		openapi.Field("type", "object"), openapi.Field("required", []string{"cnpjs"}),
		openapi.Field("properties", openapi.Object{openapi.Field("cnpjs", numbers), openapi.Field("campos", fields)}),
	}
	about := fmt.Sprintf("Até %d números, respondidos um a um na ordem em que vieram: dados é o que o modo basic traz, ou os campos escolhidos, e erro o que ele diria. "+
		"Conta como uma chamada a cada %d números; se o minuto não tem tantas, a resposta é 429 e só uma é contada.", mostInBatch, numbersPerCall)
	return operation{
		Operation: openapi.Operation{
			ID: "lote", Tags: []string{tagBatch}, Summary: "Muitos números de uma vez", About: about,
			Body: openapi.Object{openapi.Field("required", true), openapi.Field("content", openapi.JSON(body))},
		},
		post: true, schema: "RespostaLote", example: "v2_lote",
		refusals: []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests, http.StatusServiceUnavailable},
	}
}

// batchSchemas are the schemas of the answer to a batch.
func batchSchemas() openapi.Object {
	number := openapi.Field("cnpj", openapi.Text("o número, como veio"))
	company := openapi.Field("empresa", component("Empresa"))
	object := openapi.Object{openapi.Field("type", "object")}
	dados := openapi.Object{openapi.Field("anyOf", []openapi.Object{
		openapi.Record("Uma empresa.", company, openapi.Field("estabelecimentos", component("Estabelecimentos"))),
		openapi.Record("Um estabelecimento.", company, openapi.Field("estabelecimento", component("Estabelecimento"))),
		append(object, openapi.Field("description", "Os campos escolhidos; de uma empresa, os de estabelecimento são os da matriz. null: não há. descricoes traz os textos dos códigos.")),
	})}
	refused := openapi.Record("Por que não há dados.",
		openapi.Field("codigo", openapi.Choice("o código do erro", "cnpj_invalido", "cnpj_nao_encontrado", "carga_parcial")), openapi.Field("mensagem", openapi.Text("o mesmo, em palavras")))
	item := openapi.Object{openapi.Field("oneOf", []openapi.Object{
		openapi.Record("O que há.", number, openapi.Field("dados", dados)), openapi.Record("O que não há.", number, openapi.Field("erro", refused)),
	})}
	return openapi.Object{
		openapi.Field("RespostaLote", answerSchema(openapi.Record("As respostas, na ordem dos números.", openapi.Field("itens", openapi.List(item))), metaSchema([]string{"lote"}))),
	}
}
