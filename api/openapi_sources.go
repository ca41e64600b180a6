package api

import "razao/internal/source"

// The schemas of public records follow from the table of sources, so that a source that is added there is described too.

// itemSchema returns the schema of a source's records.
func itemSchema(src *source.Source) object {
	var fields []member
	for _, f := range src.Fields {
		fields = append(fields, member{f.Name, kindSchema(f.Kind)})
	}
	return recordSchema(src.Title+": um registro, com os campos e valores da fonte.", fields...)
}

func kindSchema(k source.Kind) object {
	switch k {
	case source.Number:
		return object{{"type", []string{"number", "null"}}, {"description", "com a precisão publicada"}}
	case source.JSON:
		// Without a type, which means any: generators of clients do not know a list of all types.
		return object{{"description", "valor JSON como publicado"}}
	case source.Document:
		return optionalSchema("CNPJ sem máscara")
	}
	return optionalSchema("como publicado")
}

// pageSchema returns the schema of a page of a source.
func pageSchema(src *source.Source) object {
	const status = "encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); " +
		"indisponivel: a fonte não tem carga; erro: a consulta falhou"
	total := object{
		{"type", []string{"integer", "null"}},
		{"minimum", 0},
		{"description", "registros em todas as páginas; null quando o status é indisponivel ou erro"},
	}
	fields := []member{
		{"status", choiceSchema(status, "encontrado", "sem_ocorrencia", "indisponivel", "erro")},
		{"escopo", choiceSchema("a que o documento foi comparado", "empresa", "estabelecimento")},
		{"documento", textSchema("documento consultado")},
		{"competencia", optionalSchema("período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica")},
		{"carregada_em", loadedAtSchema()},
		{"cobertura_inicio", dateSchema("início da cobertura")},
		{"desatualizada", flagSchema("a carga é antiga para o ritmo de publicação")},
		{"proveniencia", orNull(schemaRef("Proveniencia"))},
	}
	return recordSchema(src.Title+". "+src.Description, append(fields, collectionFields(schemaRef("item_"+src.ID), total)...)...)
}

func loadedAtSchema() object {
	return object{{"type", []string{"string", "null"}}, {"format", "date-time"}, {"description", "quando a carga terminou (UTC)"}}
}

func collectionFields(item, total object) []member {
	return []member{
		{"itens", listSchema(item)},
		{"total", total},
		{"proximo_cursor", optionalSchema("cursor da próxima página; null no fim")},
		{"proxima_url", optionalSchema("endereço da próxima página desta coleção; null no fim")},
	}
}

func provenanceSchema() object {
	file := recordSchema(
		"Um arquivo publicado que foi lido.",
		member{"nome", textSchema("nome do arquivo")},
		member{"bytes", integerSchema("tamanho")},
		member{"sha256", textSchema("SHA-256 do arquivo")},
	)
	required := []member{
		{"orgao", textSchema("quem publica")},
		{"conjunto", textSchema("conjunto de dados")},
		{"url", textSchema("onde é publicado")},
		{"licenca", textSchema("licença dos dados")},
		{"arquivos", listSchema(file)},
		{"linhas_lidas", integerSchema("linhas lidas")},
		{"linhas_carregadas", integerSchema("linhas carregadas")},
		{"linhas_rejeitadas", integerSchema("linhas que não puderam ser lidas")},
		{"linhas_descartadas", integerSchema("linhas deixadas de fora por regra")},
	}
	texts := listSchema(object{{"type", "string"}})
	return partialSchema("De onde vieram os registros da carga.", len(required), append(
		required,
		member{"atribuicao", textSchema("citação que a licença pede")},
		member{"metodologia_url", textSchema("página que explica os vínculos inferidos")},
		member{"faltantes", texts},
		member{"observacoes", texts},
	)...)
}

// groupsSchema returns the schema of registros_publicos.
func groupsSchema() object {
	var groups []member
	for _, theme := range source.Themes() {
		var pages []member
		for _, src := range source.All() {
			if src.Theme == theme {
				pages = append(pages, member{src.ID, schemaRef("pagina_" + src.ID)})
			}
		}
		groups = append(groups, member{theme, recordSchema("Fontes do grupo "+theme+".", pages...)})
	}
	return recordSchema("A primeira página de cada fonte, por tema.", groups...)
}

// entrySchema returns the schema of one source in the catalogue.
func entrySchema() object {
	return recordSchema(
		"Uma fonte e a carga em serviço.",
		member{"id", choiceSchema("identificador usado em fontes/{fonte}", source.IDs()...)},
		member{"tema", choiceSchema("grupo de registros_publicos", source.Themes()...)},
		member{"titulo", textSchema("título")},
		member{"descricao", textSchema("o que a fonte traz")},
		member{"orgao", textSchema("quem publica")},
		member{"licenca", textSchema("licença dos dados")},
		member{"tipo_periodo", choiceSchema("o que é a competência", "mes", "trimestre", "dia", "edicao", "versao")},
		member{"disponibilidade", choiceSchema("se há carga em serviço", "disponivel", "indisponivel", "erro")},
		member{"competencia", optionalSchema("período da carga")},
		member{"carregada_em", loadedAtSchema()},
		member{"cobertura_inicio", dateSchema("início da cobertura")},
		member{"desatualizada", flagSchema("a carga é antiga para o ritmo de publicação")},
		member{"proveniencia", orNull(schemaRef("Proveniencia"))},
		member{"total", object{{"type", []string{"integer", "null"}}, {"minimum", 0}, {"description", "registros da carga; null sem carga"}}},
	)
}
