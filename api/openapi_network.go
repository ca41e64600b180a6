package api

import (
	"maps"
	"net/http"
	"slices"

	"razao/internal/data/openapi"
	"razao/internal/data/record"
)

// yesNoParameter describes a parameter that is sim or nao.
func yesNoParameter(name, usual string) openapi.Object {
	return openapi.QueryParameter(name, openapi.Object{
		openapi.Field("type", "string"), openapi.Field("enum", []string{"sim", "nao"}), openapi.Field("default", usual),
	})
}

// numberParameter describes a parameter from 1 to most.
func numberParameter(name string, usual, most int) openapi.Object {
	return openapi.QueryParameter(name, openapi.Object{
		openapi.Field("type", "integer"), openapi.Field("minimum", 1), openapi.Field("maximum", most), openapi.Field("default", usual),
	})
}

// operation describes the route.
func (q *networkRoute) operation() operation {
	text := openapi.Object{openapi.Field("type", "string"), openapi.Field("minLength", companyResource.positions)} // a CNPJ, or longer
	op := operation{Operation: openapi.Operation{Path: q.path, Tags: []string{tagNetwork}}, example: "v2_" + q.recurso, refusals: common()}
	switch q.recurso {
	case modeNetwork:
		op.ID, op.schema = "empresa_rede", "RespostaRede"
		op.Parameters = []openapi.Object{
			companyResource.parameter(),
			numberParameter("profundidade", 1, farthest),
			openapi.QueryParameter("sentido", openapi.Object{
				openapi.Field("type", "string"), openapi.Field("enum", []string{"acima", "abaixo", "ambos"}), openapi.Field("default", "ambos"),
			}),
			yesNoParameter("pessoas", "sim"),
			yesNoParameter("representantes", "nao"),
			yesNoParameter("contatos", "nao"),
			numberParameter("limite", usualMembers, mostMembers),
			formatParameter(),
		}
		op.exports = true
	case modeNaming:
		op.ID, op.schema = "socio_empresas", "RespostaSocioEmpresas"
		op.Parameters = []openapi.Object{
			openapi.PathParameter("id", text), numberParameter("limite", defaultLimit, maxLimit),
			cursorParameter(),
		}
		op.refusals = append(op.refusals, http.StatusConflict)
	case modeGroup:
		op.ID, op.schema = "grupo", "RespostaGrupo"
		op.Parameters, op.exports = []openapi.Object{companyResource.parameter(), formatParameter()}, true
	case modePaths:
		op.ID, op.schema = "caminho", "RespostaCaminho"
		op.Parameters = []openapi.Object{
			required(openapi.QueryParameter("de", text)), required(openapi.QueryParameter("para", text)),
			numberParameter("passos", longestPath, longestPath),
			yesNoParameter("representantes", "nao"),
		}
	}
	return op
}

// formatParameter describes formato.
func formatParameter() openapi.Object {
	return openapi.QueryParameter("formato", openapi.Object{
		openapi.Field("type", "string"), openapi.Field("enum", append([]string{usualFormat}, slices.Sorted(maps.Keys(exports))...)), openapi.Field("default", usualFormat),
	})
}

// required marks a query parameter that must be there.
func required(parameter openapi.Object) openapi.Object {
	for i := range parameter {
		if parameter[i].Key == "required" {
			parameter[i].Value = true
			return parameter
		}
	}
	return append(parameter, openapi.Field("required", true))
}

// networkSchemas are the schemas of the answers about the network.
func networkSchemas() openapi.Object {
	row := openapi.Record("Uma linha da tabela de sócios da empresa.",
		openapi.Field("numero", openapi.Integer("posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios")),
		openapi.Field("representante", yesNo("true: quem tem o vínculo é o representante legal deste sócio")),
		openapi.Field("socio", component("Socio")))
	tie := openapi.Record("Uma empresa nomeia um sócio ou representante.",
		openapi.Field("de", openapi.Text("id de quem é nomeado")),
		openapi.Field("para", openapi.Text("as 8 posições da empresa que nomeia")),
		openapi.Field("linhas", openapi.List(component("LinhaDoVinculo"))))
	evidence := openapi.Record("De onde são as linhas.",
		openapi.Field("tabela", openapi.Choice("a tabela publicada", "Socios")),
		openapi.Field("carga", openapi.Integer("número da carga, cuja página é /fontes/receita/cargas/{carga}")),
		month())
	fields := []openapi.Member{
		openapi.Field("membros", openapi.List(component("MembroDaRede"))),
		openapi.Field("vinculos", openapi.List(component("VinculoDaRede"))),
		openapi.Field("fora", openapi.List(component("ForaDaRede"))),
		openapi.Field("evidencia", component("EvidenciaDaRede")),
		openapi.Field("aviso", openapi.Text("o que uma rede não diz")),
		openapi.Field("chamadas", openapi.Integer("chamadas como que a resposta conta, pelo trabalho")),
	}
	answer := func(name, recurso string, further ...openapi.Member) openapi.Object {
		return answered(name, recurso, openapi.Record("A rede.", append(further, fields...)...))
	}
	page := pageFields("", openapi.Integer("vínculos em todas as páginas"))
	path := append(openapi.List(openapi.List(openapi.Object{openapi.Field("type", "string")})),
		openapi.Field("description", "cada caminho é uma lista de ids de membros, de um fim ao outro"))
	whole := openapi.Field("completa", yesNo("false: algo ficou de fora, dito em fora ou porque o trabalho acabou"))
	cycles := append(openapi.List(openapi.List(openapi.Object{openapi.Field("type", "string")})),
		openapi.Field("description", "empresas que, de sócia em sócia, têm a si mesmas: cada lista é um círculo, o mais curto de quem está nele"))
	contact := openapi.Record("Um contato da matriz que outras empresas também publicam. Sugere um vínculo, e não o prova.",
		openapi.Field("de", openapi.Text("id da empresa")),
		openapi.Field("tipo", openapi.Choice("o que é", "telefone", "email", "email_dominio", "endereco")),
		openapi.Field("valor", openapi.Text("o contato")),
		openapi.Field("comum", yesNo("true: mais de vinte outras o publicam, como os de contadores, provedores de e-mail e prédios; não diz nada")),
		openapi.Field("com", append(openapi.List(openapi.Object{openapi.Field("type", "string")}), openapi.Field("description", "CNPJ de um estabelecimento de cada outra empresa; vazia se comum"))))
	figures, ofCompany := groupFigures()
	return slices.Concat(openapi.Object{
		named(record.NetworkMemberTable()), named(record.NetworkOmissionTable()),
		openapi.Field("VinculoDaRede", tie), openapi.Field("LinhaDoVinculo", row), openapi.Field("EvidenciaDaRede", evidence), openapi.Field("ContatoEmComum", contact),
		openapi.Field("RegistrosDoGrupo", figures), openapi.Field("RegistrosDaEmpresa", ofCompany),
		openapi.Field("EntidadeFTM", ftmSchema()), openapi.Field("DeclaracaoBODS", bodsSchema()), openapi.Field("DeclaracoesBODS", append(
			openapi.List(component("DeclaracaoBODS")), openapi.Field("description", "Declarações: primeiro as dos membros, depois as dos vínculos."))),
	},
		answer("Rede", modeNetwork, whole, openapi.Field("contatos", openapi.OrNull(openapi.List(component("ContatoEmComum"))))),
		answer("Grupo", modeGroup, whole, openapi.Field("ciclos", cycles), openapi.Field("registros", openapi.List(component("RegistrosDoGrupo")))),
		answer("SocioEmpresas", modeNaming, page[1:]...),
		answer("Caminho", modePaths, openapi.Field("caminhos", path), openapi.Field("completo", yesNo("false: pode haver outros caminhos, ou mais curtos"))))
}

// ftmSchema is the schema of a line of an export as FollowTheMoney.
func ftmSchema() openapi.Object {
	values := openapi.List(openapi.Object{openapi.Field("type", "string")})
	return openapi.Record("Uma linha: uma entidade do FollowTheMoney 4.11.",
		openapi.Field("id", openapi.Text("identificador, o mesmo em todas as cargas")),
		openapi.Field("schema", openapi.Choice("o que é", "Company", "Person", "LegalEntity", "Ownership", "Directorship", "Representation", "UnknownLink")),
		openapi.Field("properties", openapi.Object{
			openapi.Field("type", "object"), openapi.Field("description", "propriedades do schema, cada uma com uma lista de textos"), openapi.Field("additionalProperties", values),
		}))
}

// bodsSchema is the schema of a statement of an export.
func bodsSchema() openapi.Object {
	part := func(about string) openapi.Object {
		return openapi.Object{openapi.Field("type", "object"), openapi.Field("description", about)}
	}
	return openapi.Record("Uma declaração do Beneficial Ownership Data Standard 0.4.",
		openapi.Field("statementId", openapi.Text("identificador da declaração, diferente quando ela muda")),
		openapi.Field("statementDate", openapi.Text("primeiro dia do mês de referência do cadastro")),
		openapi.Field("declarationSubject", openapi.Text("recordId da empresa pedida")),
		openapi.Field("recordId", openapi.Text("identificador do membro ou do vínculo, o mesmo em todas as cargas")),
		openapi.Field("recordType", openapi.Choice("do que trata", "entity", "person", "relationship")),
		openapi.Field("recordDetails", part("o membro ou o vínculo")),
		openapi.Field("annotations", append(openapi.List(part("um aviso")), openapi.Field("description", "o que se deve saber de quem tem homônimos, e o que ficou fora da rede"))),
		openapi.Field("publicationDetails", part("versão do padrão e quem publica")),
		openapi.Field("source", part("órgão, mês e carga")))
}

// groupFigures are the schemas of what a source comes to for a group, and for one of its companies.
func groupFigures() (group, company openapi.Object) {
	fields := []openapi.Member{
		openapi.Field("status", openapi.Choice("encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: não foi possível consultar",
			"encontrado", "sem_ocorrencia", "indisponivel", "erro")),
		openapi.Field("registros", openapi.Integer("registros das empresas")),
		openapi.Field("total", openapi.NumberOrNull("soma, em reais, dos valores que podem ser somados; null: a fonte não tem valores, ou nem todos puderam ser somados")),
		openapi.Field("em_vigor", openapi.IntegerOrNull("registros em vigor hoje; null: não se aplica à fonte, ou nem todos puderam ser lidos")),
	}
	company = openapi.Record("Uma empresa com registros.", append([]openapi.Member{openapi.Field("cnpj_basico", openapi.Text("as 8 posições da empresa"))}, fields...)...)
	group = openapi.Record("O que uma fonte tem das empresas do grupo.", append(append([]openapi.Member{openapi.Field("fonte", openapi.Text("identificador da fonte"))}, fields...),
		openapi.Field("empresas", openapi.List(component("RegistrosDaEmpresa"))),
		openapi.Field("sem_resposta", append(openapi.List(openapi.Object{openapi.Field("type", "string")}),
			openapi.Field("description", "empresas de que a fonte não pôde ser lida inteira: os registros delas não estão na soma"))))...)
	return group, company
}
