package site

import (
	"encoding/json"
	"slices"

	"razao/index/filter"
	"razao/internal/data/openapi"
	"razao/internal/data/ptbr"
	"razao/site/page"
)

// orderParameter describes the parameter "ordem", an enum of names or "".
func orderParameter(names ...string) openapi.Object {
	return openapi.QueryParameter("ordem", append(oneOf(names...), openapi.Field("default", "")))
}

// tableFormat describes the parameter "formato" of tables to download.
func tableFormat() openapi.Object {
	return openapi.QueryParameter("formato", append(oneOf(page.Formats()...), openapi.Field("default", string(page.Plain))))
}

// filterParameters describes every filter of [filter.All], in that order.
func filterParameters() openapi.Object {
	var all openapi.Object
	for _, c := range filter.All() {
		about, schema := c.About, c.Schema(c.Kind == filter.Codes)
		switch c.Kind {
		case filter.Codes:
			about += "; repetido, qualquer um dos valores; com - na frente, exclui o valor"
			schema = openapi.List(schema)
		case filter.Every:
			about += "; repetido, todos os valores"
			schema = openapi.List(schema)
		case filter.Choice: // a form sends "" for both
			var values []string
			for _, o := range c.Options {
				values = append(values, o.Value)
			}
			if c.Name == filter.HeadOffice {
				about += "; as listas mostram matrizes, e com todos as duas"
				values = append(values, "todos")
			}
			schema = oneOf(values...)
		}
		all = append(all, openapi.Field(c.Name, openapi.Described(openapi.QueryParameter(c.Name, schema), ptbr.Join(". ", c.Label+": "+about, c.Note()))))
	}
	return all
}

// filtersBut returns $refs to the filter parameters except the named ones, which the path implies.
func filtersBut(implied ...string) []openapi.Object {
	var all []openapi.Object
	for _, filter := range filterParameters() {
		if !slices.Contains(implied, filter.Key) {
			all = append(all, openapi.Ref("parameters", filter.Key))
		}
	}
	return all
}

func sharedParameters() openapi.Object {
	return append(filterParameters(), openapi.Field("pagina", openapi.QueryParameter("pagina", pageNumber())))
}

func sharedHeaders() openapi.Object {
	header := func(name string, schema openapi.Object) openapi.Member {
		return openapi.Field(name, openapi.Header(true, schema))
	}
	return openapi.Object{
		header("X-Request-ID", ofType("string", openapi.Field("format", "uuid"))),
		header("Cache-Control", ofType("string")),
		header("Location", ofType("string")),
		header("Retry-After", ofType("integer")),
	}
}

// sharedAnswers returns the reusable responses, most of them keyed by status.
func sharedAnswers() openapi.Object {
	html := func(name string, further ...string) openapi.Member {
		r := openapi.Response{Headers: append([]string{"X-Request-ID", "Cache-Control"}, further...), Content: in("text/html")}
		return openapi.Field(name, r.Object())
	}
	moved := func(name string, further ...string) openapi.Member {
		r := openapi.Response{Headers: append([]string{"Location", "X-Request-ID"}, further...)}
		return openapi.Field(name, r.Object())
	}
	invalid := openapi.JSON(openapi.Ref("schemas", "Invalido"), openapi.Field("example", json.RawMessage(
		`{"detail":[{"loc":["query","pagina"],"msg":"Deve ser maior ou igual a 1.","type":"greater_than_equal","input":"0","ctx":{"ge":1}}],"erro":{"codigo":"parametro_invalido","mensagem":"Deve ser maior ou igual a 1.","parametro":"pagina"},"requisicao_id":"5f2b8c1e-8f0a-4b6d-9a57-0d9f6c1c2b3a"}`,
	)))
	unavailable := openapi.Response{
		Headers: []string{"X-Request-ID", "Cache-Control", "Retry-After"},
		Content: append(in("text/html"), openapi.JSON(openapi.Ref("schemas", "SemIndice"))...),
	}
	return openapi.Object{
		moved("303", "Cache-Control"),
		html("400"),
		html("403"),
		html("413"),
		html(mistake),
		html(shown),
		html(followed),
		moved("301"),
		moved("302"),
		html("404"),
		openapi.Field("422", answer(append(invalid, in("text/html")...))),
		html("429", "Retry-After"),
		openapi.Field("503", unavailable.Object()),
	}
}

// trouble is the error in the format of the API.
func trouble(codes ...string) openapi.Member {
	return openapi.Field("erro", openapi.Optional(
		openapi.Record("O que houve.", openapi.Field("codigo", openapi.Choice("código estável do erro", codes...)), openapi.Field("mensagem", openapi.Text("explicação para pessoas"))),
		openapi.Field("parametro", openapi.Text("o parâmetro de que o erro trata")),
	))
}

func requestID() openapi.Member {
	return openapi.Field("requisicao_id", openapi.UUID("o mesmo de X-Request-ID"))
}

func sharedSchemas() openapi.Object {
	state := openapi.Ref("schemas", "Estado")
	place := openapi.Object{openapi.Field("anyOf", []openapi.Object{ofType("string"), ofType("integer")})}
	described := openapi.Field("description", "Erros de validação.")
	return openapi.Object{
		openapi.Field("Invalido", append(
			members([]string{"detail", "erro", "requisicao_id"}, openapi.Field("detail", openapi.List(openapi.Ref("schemas", "ErroDeValidacao"))),
				trouble("parametro_invalido"), requestID()), described,
		)),
		openapi.Field("ErroDeValidacao", members(
			[]string{"loc", "msg", "type"},
			openapi.Field("loc", append(openapi.List(place), openapi.Field("description", "onde está o valor: query ou path, e o nome"))),
			openapi.Field("msg", openapi.Text("explicação para pessoas")),
			openapi.Field("type", openapi.Text("tipo estável do erro")),
			openapi.Field("input", openapi.Object{openapi.Field("description", "o que foi recebido")}),
			openapi.Field("ctx", ofType("object", openapi.Field("description", "limites que o valor não respeita"))),
		)),
		openapi.Field("SemIndice", members([]string{"erro", "requisicao_id"}, trouble("indice_indisponivel", "carga_parcial", "fonte_indisponivel"), requestID())),
		openapi.Field("Saude", members(
			[]string{"status", "versao", "competencia", "fotografia", "partes"},
			openapi.Field("status", state),
			openapi.Field("versao", openapi.Text("versão do programa")),
			openapi.Field("competencia", openapi.TextOrNull("mês da carga da Receita Federal (AAAA-MM)")),
			openapi.Field("fotografia", openapi.TextOrNull("conjunto de cargas em uso")),
			openapi.Field("partes", members([]string{"banco", "indice"}, openapi.Field("banco", state), openapi.Field("indice", state))),
		)),
		openapi.Field("Estado", ofType("string", openapi.Field("enum", []string{healthOK, healthDegraded, healthDown}))),
		openapi.Field("Sugestoes", members(
			[]string{"q", "itens"},
			openapi.Field("q", openapi.Text("o que foi digitado")),
			openapi.Field("itens", append(openapi.List(openapi.Ref("schemas", "Sugestao")), openapi.Field("maxItems", 10))),
		)),
		openapi.Field("Sugestao", members(
			[]string{"tipo", "cnpj", "titulo", "detalhe", "url"},
			openapi.Field("tipo", ofType("string", openapi.Field("enum", []string{"empresa", "municipio"}))),
			openapi.Field("cnpj", openapi.TextOrNull("14 posições; null para um município")),
			openapi.Field("titulo", ofType("string")),
			openapi.Field("detalhe", ofType("string")),
			openapi.Field("url", openapi.Text("endereço da página")),
		)),
		openapi.Field("Valores", members(
			[]string{"itens"},
			openapi.Field("itens", append(openapi.List(openapi.Ref("schemas", "Valor")), openapi.Field("maxItems", 10))),
		)),
		openapi.Field("Valor", members(
			[]string{"valor", "texto"},
			openapi.Field("valor", openapi.Text("como o filtro o aceita")),
			openapi.Field("texto", openapi.Text("o que é")),
		)),
	}
}
