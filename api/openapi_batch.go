package api

import (
	"net/http"

	"razao/internal/data/openapi"
)

// batchOperation describes the route of batches.
func batchOperation() operation {
	return operation{
		Operation: openapi.Operation{
			Method: "post", Path: batchPath, ID: "lote", Tags: []string{tagBatch},
			Body: openapi.Object{openapi.Field("required", true), openapi.Field("content", openapi.JSON(component("PedidoDeLote")))},
		},
		schema: "RespostaLote", example: "v2_lote",
		refusals: []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests, http.StatusServiceUnavailable},
	}
}

// batchSchemas are the schemas of a batch and of its answer.
func batchSchemas() openapi.Object {
	text := openapi.Object{openapi.Field("type", "string")}
	numbers := append(openapi.List(text), openapi.Field("minItems", 1), openapi.Field("maxItems", mostInBatch),
		openapi.Field("description", "CNPJs de 8 ou 14 posições, sem máscara"))
	fields := append(openapi.List(text), openapi.Field("description", "nomes de campos de Empresa, Estabelecimento ou Simples; sem campos, tudo o que o modo basic traz"))
	number := openapi.Field("cnpj", openapi.Text("o número, como veio"))
	refused := openapi.Record("Por que não há dados.",
		openapi.Field("codigo", openapi.Choice("o código do erro", "cnpj_invalido", "cnpj_nao_encontrado", "carga_parcial")), openapi.Field("mensagem", openapi.Text("o mesmo, em palavras")))
	return append(openapi.Object{
		openapi.Field("PedidoDeLote", openapi.Optional(openapi.Record("Os números, e o que se quer deles.", openapi.Field("cnpjs", numbers)), openapi.Field("campos", fields))),
		openapi.Field("ItemDoLote", openapi.Object{openapi.Field("oneOf", []openapi.Object{component("ItemEncontrado"), component("ItemRecusado")})}),
		openapi.Field("ItemEncontrado", openapi.Record("O que há.", number, openapi.Field("dados", openapi.Object{openapi.Field("oneOf", []openapi.Object{
			component("CadastroDaEmpresa"), component("CadastroDoEstabelecimento"), component("CamposEscolhidos"),
		})}))),
		openapi.Field("ItemRecusado", openapi.Record("O que não há.", number, openapi.Field("erro", refused))),
		openapi.Field("CamposEscolhidos", append(
			openapi.Record("Os campos escolhidos; de uma empresa, os de estabelecimento são os da matriz. null: não há.", openapi.Field(meaningsName, openapi.Object{
				openapi.Field("type", "object"), openapi.Field("description", "os textos dos códigos"),
			})),
			openapi.Field("additionalProperties", true))),
	}, answered("Lote", "lote", openapi.Record("As respostas, na ordem dos números.", openapi.Field("itens", openapi.List(component("ItemDoLote")))))...)
}
