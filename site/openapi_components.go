package site

import (
	"encoding/json"
	"slices"

	"razao/index/filter"
	"razao/internal/data/openapi"
	"razao/site/page"
)

// orderParameter describes the parameter "ordem", an enum of names or "".
func orderParameter(about string, names ...string) openapi.Object {
	return openapi.QueryParameter("ordem", about, append(oneOf(names...), openapi.Field("default", "")))
}

// tableFormat describes the parameter "formato" of tables to download.
func tableFormat() openapi.Object {
	about := "vazio: CSV; excel: CSV como as planilhas do Brasil o abrem, com ponto e vírgula, BOM, vírgula decimal, dd/mm/aaaa e códigos como texto; " +
		"xlsx: planilha, com uma folha que diz de onde vem; ndjson: um objeto JSON por linha; descricao: as colunas e a origem, como Data Package 2.0"
	return openapi.QueryParameter("formato", about, append(oneOf(page.Formats()...), openapi.Field("default", "")))
}

// filterParameters describes every filter of [filter.All], in that order.
func filterParameters() openapi.Object {
	var all openapi.Object
	for _, c := range filter.All() {
		about, schema := c.About, ofType("string")
		switch filter.KindOf(c.Name) {
		case filter.Codes: // no enum: a value may have the prefix "-"
			about += "; repetido, qualquer um dos valores; com - na frente, exclui o valor"
			schema = ofType("array", openapi.Field("items", schema))
		case filter.Every:
			about += "; repetido, todos os valores"
			schema = ofType("array", openapi.Field("items", schema))
		case filter.Choice:
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
		all = append(all, openapi.Field(c.Name, openapi.QueryParameter(c.Name, c.Label+": "+about, schema)))
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
	return append(filterParameters(), openapi.Field("pagina", openapi.QueryParameter("pagina", "página da lista, a partir de 1", pageNumber())))
}

func sharedHeaders() openapi.Object {
	header := func(name, about string, schema openapi.Object) openapi.Member {
		return openapi.Field(name, openapi.Header(about, true, schema))
	}
	return openapi.Object{
		header("X-Request-ID", "UUID da requisição: o que veio na chamada, se for válido, ou um novo.", ofType("string", openapi.Field("format", "uuid"))),
		header("Cache-Control", "por quanto tempo a resposta vale; no-store nos erros", ofType("string")),
		header("Location", "para onde ir", ofType("string")),
		header("Retry-After", "Segundos a esperar antes de tentar de novo.", ofType("integer")),
	}
}

// sharedAnswers returns the reusable responses, most of them keyed by status.
func sharedAnswers() openapi.Object {
	html := func(name, about string, further ...string) openapi.Member {
		r := openapi.Response{About: about, Headers: append([]string{"X-Request-ID", "Cache-Control"}, further...), Content: in("text/html")}
		return openapi.Field(name, r.Object())
	}
	moved := func(name, about string, further ...string) openapi.Member {
		r := openapi.Response{About: about, Headers: append([]string{"Location", "X-Request-ID"}, further...)}
		return openapi.Field(name, r.Object())
	}
	invalid := openapi.JSON(openapi.Ref("schemas", "Invalido"), openapi.Field("example", json.RawMessage(
		`{"detail":[{"loc":["query","pagina"],"msg":"Deve ser maior ou igual a 1.","type":"greater_than_equal","input":"0","ctx":{"ge":1}}]}`,
	)))
	unavailable := openapi.Response{
		About:   "Não foi possível consultar agora. Em JSON só quando o que falta é o índice de busca.",
		Headers: []string{"X-Request-ID", "Cache-Control", "Retry-After"},
		Content: append(in("text/html"), openapi.JSON(openapi.Ref("schemas", "SemIndice"))...),
	}
	return openapi.Object{
		moved("303", "Siga para Location.", "Cache-Control"),
		html("400", "O corpo não é um formulário."),
		html("403", "O formulário veio de uma página de outro site."),
		html("413", "O formulário é grande demais."),
		html(mistake, "A página com o que há de errado no formulário."),
		html(shown, "A página."),
		html(followed, "Para quem segue o redirecionamento: a página a que ele leva."),
		moved("301", "O endereço certo desta página está em Location."),
		moved("302", "A página procurada está em Location."),
		html("404", "Não há página neste endereço, ou o CNPJ não está na carga em uso."),
		openapi.Field("422", answer("Um parâmetro é inválido.", append(invalid, in("text/html")...))),
		html("429", "Visitas demais deste endereço IP.", "Retry-After"),
		openapi.Field("503", unavailable.Object()),
	}
}

func sharedSchemas() openapi.Object {
	state := openapi.Ref("schemas", "Estado")
	place := openapi.Object{openapi.Field("anyOf", []openapi.Object{ofType("string"), ofType("integer")})}
	described := openapi.Field("description", "Erros de validação.")
	return openapi.Object{
		openapi.Field("Invalido", append(
			members([]string{"detail"}, openapi.Field("detail", openapi.List(openapi.Ref("schemas", "ErroDeValidacao")))), described,
		)),
		openapi.Field("ErroDeValidacao", members(
			[]string{"loc", "msg", "type"},
			openapi.Field("loc", append(openapi.List(place), openapi.Field("description", "onde está o valor: query ou path, e o nome"))),
			openapi.Field("msg", openapi.Text("explicação para pessoas")),
			openapi.Field("type", openapi.Text("tipo estável do erro")),
			openapi.Field("input", openapi.Object{openapi.Field("description", "o que foi recebido")}),
			openapi.Field("ctx", ofType("object", openapi.Field("description", "limites que o valor não respeita"))),
		)),
		openapi.Field("SemIndice", members(
			[]string{"erro", "requisicao_id"},
			openapi.Field("erro", members(
				[]string{"codigo", "mensagem"},
				openapi.Field("codigo", ofType("string", openapi.Field("enum", []string{"indice_indisponivel", "fonte_indisponivel"}))),
				openapi.Field("mensagem", openapi.Text("explicação para pessoas")),
			)),
			openapi.Field("requisicao_id", ofType("string", openapi.Field("format", "uuid"))),
		)),
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
