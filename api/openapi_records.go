package api

import "strings"

// Schemas of single values. Fields are always present; null and "" say that there is no value.

func textSchema(description string) object {
	return object{{"type", "string"}, {"description", description}}
}

func optionalSchema(description string) object {
	return object{{"type", []string{"string", "null"}}, {"description", description}}
}

func dateSchema(description string) object {
	return object{{"type", []string{"string", "null"}}, {"format", "date"}, {"description", description + " (AAAA-MM-DD)"}}
}

func flagSchema(description string) object {
	return object{{"type", []string{"boolean", "null"}}, {"description", description + "; null: não informado"}}
}

func integerSchema(description string) object {
	return object{{"type", "integer"}, {"minimum", 0}, {"description", description}}
}

func choiceSchema(description string, values ...string) object {
	return object{{"type", "string"}, {"enum", values}, {"description", description}}
}

func listSchema(of object) object { return object{{"type", "array"}, {"items", of}} }

// orNull returns a schema that also takes null.
func orNull(schema object) object {
	return object{{"anyOf", []object{schema, {{"type", "null"}}}}}
}

// record returns the schema of an object that always has all fields.
func recordSchema(description string, fields ...member) object {
	return partialSchema(description, len(fields), fields...)
}

// partial returns the schema of an object that always has the first fields, so many of them as required says.
func partialSchema(description string, required int, fields ...member) object {
	names := []string{}
	for _, f := range fields[:required] {
		names = append(names, f.key)
	}
	return object{{"type", "object"}, {"description", description}, {"required", names}, {"properties", object(fields)}}
}

// described returns descricoes: a text, or null when unknown, for every code.
func described(codes ...string) member {
	var fields []member
	for _, code := range codes {
		fields = append(fields, member{code, optionalSchema("texto do código " + code + "; null: desconhecido")})
	}
	return member{"descricoes", recordSchema("Textos dos códigos.", fields...)}
}

func documentSchema(positions int) object {
	pattern := map[int]string{8: "^[0-9A-Z]{8}$", 14: "^[0-9A-Z]{12}[0-9]{2}$"}[positions]
	return object{{"type", "string"}, {"pattern", pattern}, {"description", "CNPJ sem máscara, em maiúsculas"}}
}

func companyFields() []member {
	return []member{
		{"cnpj_basico", documentSchema(8)},
		{"razao_social", textSchema("razão social ou nome empresarial")},
		{"natureza_juridica", textSchema("código da natureza jurídica")},
		{"qualificacao_responsavel", textSchema("código da qualificação do responsável")},
		{"capital_social", object{{"type", []string{"number", "null"}}, {"description", "capital social em reais, com duas casas"}}},
		{"porte_empresa", textSchema("código do porte")},
		{"ente_federativo_responsavel", textSchema("ente federativo responsável, de órgãos públicos")},
		described("natureza_juridica", "qualificacao_responsavel", "porte_empresa"),
	}
}

func establishmentSchema() object {
	secondary := member{"cnae_fiscal_secundaria", object{
		{"type", "object"},
		{"description", "código → texto, null quando desconhecido"},
		{"additionalProperties", object{{"type", []string{"string", "null"}}}},
	}}
	descriptions := described(
		"identificador_matriz_filial", "situacao_cadastral", "motivo_situacao_cadastral", "pais", "cnae_fiscal_principal", "municipio",
	)
	fields := []member{
		{"cnpj", documentSchema(14)},
		{"cnpj_basico", documentSchema(8)},
		{"cnpj_ordem", textSchema("posições 9 a 12 do CNPJ")},
		{"cnpj_dv", textSchema("dígitos verificadores")},
		{"identificador_matriz_filial", textSchema("1 matriz, 2 filial")},
		{"nome_fantasia", textSchema("nome fantasia")},
		{"situacao_cadastral", textSchema("código da situação cadastral")},
		{"data_situacao_cadastral", dateSchema("data da situação cadastral")},
		{"motivo_situacao_cadastral", textSchema("código do motivo da situação cadastral")},
		{"nome_cidade_exterior", textSchema("cidade, de quem está no exterior")},
		{"pais", textSchema("código do país, de quem está no exterior")},
		{"data_inicio_atividade", dateSchema("início da atividade")},
		{"cnae_fiscal_principal", textSchema("CNAE principal, sete dígitos")},
		{"cnae_fiscal_secundaria", listSchema(object{{"type", "string"}})},
	}
	for _, name := range strings.Fields("tipo_logradouro logradouro numero complemento bairro cep uf") {
		fields = append(fields, member{name, textSchema("endereço: " + strings.ReplaceAll(name, "_", " "))})
	}
	fields = append(
		fields,
		member{"municipio", textSchema("código do município na Receita Federal")},
		member{"codigo_municipio_ibge", textSchema("código do município no IBGE; vazio no exterior")},
	)
	for _, name := range strings.Fields("ddd_1 telefone_1 ddd_2 telefone_2 ddd_fax fax correio_eletronico") {
		fields = append(fields, member{name, textSchema("contato: " + strings.ReplaceAll(name, "_", " "))})
	}
	fields = append(
		fields,
		member{"situacao_especial", textSchema("situação especial, como recuperação judicial")},
		member{"data_situacao_especial", dateSchema("data da situação especial")},
		with(descriptions, secondary),
	)
	return recordSchema("Um estabelecimento, matriz ou filial.", fields...)
}

// with adds a field to the record in m.
func with(m, field member) member {
	var fields []member
	for _, part := range m.value.(object) {
		if part.key == "properties" {
			fields = part.value.(object)
		}
	}
	return member{m.key, recordSchema("Textos dos códigos.", append(fields, field)...)}
}

func partnerSchema() object {
	return recordSchema(
		"Um sócio ou administrador.",
		member{"identificador_socio", textSchema("1 pessoa jurídica, 2 pessoa física, 3 estrangeiro")},
		member{"nome_socio", textSchema("nome ou razão social")},
		member{"cnpj_cpf_socio", textSchema("CNPJ, ou CPF mascarado como foi publicado")},
		member{"qualificacao_socio", textSchema("código da qualificação")},
		member{"data_entrada_sociedade", dateSchema("entrada na sociedade")},
		member{"pais", textSchema("código do país")},
		member{"representante_legal", textSchema("CPF mascarado do representante; ***000000** quando não há")},
		member{"nome_representante", textSchema("nome do representante")},
		member{"qualificacao_representante_legal", textSchema("código da qualificação do representante")},
		member{"faixa_etaria", textSchema("código da faixa etária; não é a idade")},
		described("identificador_socio", "qualificacao_socio", "pais", "qualificacao_representante_legal", "faixa_etaria"),
	)
}

func simplesSchema() object {
	return recordSchema(
		"Opções pelo Simples Nacional e pelo MEI.",
		member{"opcao_pelo_simples", flagSchema("optante pelo Simples")},
		member{"data_opcao_pelo_simples", dateSchema("opção pelo Simples")},
		member{"data_exclusao_simples", dateSchema("exclusão do Simples")},
		member{"opcao_pelo_mei", flagSchema("optante pelo MEI")},
		member{"data_opcao_pelo_mei", dateSchema("opção pelo MEI")},
		member{"data_exclusao_mei", dateSchema("exclusão do MEI")},
	)
}

func errorSchema() object {
	return recordSchema(
		"Corpo de todo erro.",
		member{"erro", recordSchema(
			"O que houve.",
			member{"codigo", choiceSchema("código estável do erro", errorCodes()...)},
			member{"mensagem", textSchema("explicação para pessoas")},
		)},
		member{"requisicao_id", requestIDSchema()},
	)
}

// errorCodes are the codes of every version.
func errorCodes() []string {
	return []string{
		"cnpj_invalido", "parametro_invalido", "cursor_invalido", "chave_ausente", "chave_invalida", "cnpj_nao_encontrado",
		"fonte_nao_encontrada", "rota_nao_encontrada", "metodo_nao_permitido", "fotografia_alterada", "limite_excedido", "protecao_ip",
		"servico_indisponivel",
	}
}

func requestIDSchema() object {
	return object{{"type", "string"}, {"format", "uuid"}, {"description", "o mesmo de X-Request-ID"}}
}

func monthSchema() object {
	return optionalSchema("mês da carga da Receita Federal (AAAA-MM)")
}
