package source

// pgfnFields are the fields of a debt. tipo_credito is of the social security system, entidade_responsavel and
// unidade_inscricao are of FGTS, receita_principal is of the others.
func pgfnFields() []Field {
	return []Field{
		{"sistema", Code}, // nao_previdenciario, previdenciario or fgts
		{"cnpj", Document},
		{"tipo_pessoa", Code},
		{"tipo_devedor", Code},
		{"nome_devedor", Text},
		{"uf_devedor", Code},
		{"unidade_responsavel", Code},
		{"entidade_responsavel", Code},
		{"unidade_inscricao", Code},
		{"numero_inscricao", Text},
		{"tipo_situacao_inscricao", Code},
		{"situacao_inscricao", Code},
		{"receita_principal", Code},
		{"tipo_credito", Code},
		{"data_inscricao", Text}, // AAAAMMDD
		{"indicador_ajuizado", Code},
		{"valor_consolidado", Number},
	}
}

// sanctionFields are the fields of CEIS, and with the fine those of CNEP.
func sanctionFields(fine bool) []Field {
	fields := []Field{
		{"cadastro", Code},
		{"codigo_sancao", Text},
		{"tipo_pessoa", Code},
		{"cnpj", Document},
		{"nome_sancionado", Text},
		{"nome_informado_orgao_sancionador", Text},
		{"razao_social_receita", Text},
		{"nome_fantasia_receita", Text},
		{"numero_processo", Text},
		{"categoria_sancao", Code},
	}
	if fine {
		fields = append(fields, Field{"valor_multa", Number})
	}
	return append(fields,
		Field{"data_inicio_sancao", Text},
		Field{"data_final_sancao", Text},
		Field{"data_publicacao", Text},
		Field{"publicacao", Code},
		Field{"detalhamento_meio_publicacao", Text},
		Field{"data_transito_julgado", Text},
		Field{"abrangencia_sancao", Code},
		Field{"orgao_sancionador", Code},
		Field{"uf_orgao_sancionador", Code},
		Field{"esfera_orgao_sancionador", Code},
		Field{"fundamentacao_legal", Code},
		Field{"data_origem_informacao", Text},
		Field{"origem_informacoes", Code},
		Field{"observacoes", Text},
	)
}

// noticeFields are the fields of an IBAMA infraction notice.
func noticeFields() []Field {
	return []Field{
		{"seq_auto_infracao", Text},
		{"num_auto_infracao", Text},
		{"ser_auto_infracao", Code},
		{"tipo_auto", Code},
		{"tipo_multa", Code},
		{"val_auto_infracao", Number},
		{"gravidade_infracao", Code},
		{"des_status_formulario", Code},
		{"ds_sit_auto_aie", Code},
		{"sit_cancelado", Code},
		{"dat_hora_auto_infracao", Text},
		{"dat_ciencia_autuacao", Text},
		{"dt_fato_infracional", Text},
		{"dt_lancamento", Text},
		{"dt_ult_alteracao", Text},
		{"forma_entrega", Code},
		{"num_processo", Text},
		{"nu_processo_formatado", Text},
		{"cod_infracao", Code},
		{"tipo_infracao", Code},
		{"des_infracao", Code},
		{"des_auto_infracao", Text},
		{"ds_enquadramento_administrativo", Text},
		{"ds_enquadramento_nao_administrativo", Text},
		{"ds_enquadramento_complementar", Text},
		{"cpf_cnpj_infrator", Document},
		{"nome_infrator", Text},
		{"tp_pessoa_infrator", Code},
		{"cod_municipio", Code},
		{"municipio", Code},
		{"uf", Code},
		{"des_local_infracao", Text},
		{"qt_area", Number},
		{"infracao_area", Code},
		{"unidade_conservacao", Code},
		{"ds_biomas_atingidos", Code},
		{"unid_controle", Code},
		{"tipo_acao", Code},
		{"operacao", Code},
		{"solicitacao_recurso", Text},
		{"cd_termos_embargos", Text},
		{"cd_termos_apreensao", Text},
		{"ultima_atualizacao_relatorio", Code},
	}
}

// embargoFields are the fields of an IBAMA embargo.
func embargoFields() []Field {
	return []Field{
		{"seq_tad", Text},
		{"num_tad", Text},
		{"ser_tad", Code},
		{"dat_embargo", Text},
		{"des_status_formulario", Code},
		{"des_status_formulario_aie", Code},
		{"sit_cancelado", Code},
		{"sit_desembargo", Code},
		{"tipo_desembargo", Code},
		{"dat_desembargo", Text},
		{"des_desembargo", Text},
		{"cpf_cnpj_embargado", Document},
		{"nome_embargado", Text},
		{"num_processo", Text},
		{"des_tad", Text},
		{"cod_municipio", Code},
		{"municipio", Code},
		{"uf", Code},
		{"des_localizacao", Text},
		{"nome_imovel", Text},
		{"tipo_area", Code},
		{"qtd_area_embargada", Number},
		{"forma_entrega", Code},
		{"unid_controle", Code},
		{"operacao", Code},
		{"seq_auto_infracao", Text},
		{"num_auto_infracao", Text},
		{"dat_ult_alteracao", Text},
		{"ultima_atualizacao_relatorio", Code},
	}
}

// contractFields are the fields of a PNCP contract. Texts keep the publisher's empty strings, so they are JSON values.
func contractFields() []Field {
	names := []string{
		"numero_controle_pncp", "numero_controle_pncp_compra", "participacao", "ano_contrato", "sequencial_contrato",
		"numero_contrato_empenho", "processo", "tipo_contrato", "categoria_processo", "receita", "objeto_contrato",
		"informacao_complementar", "orgao_entidade", "unidade_orgao", "orgao_sub_rogado", "unidade_sub_rogada",
		"tipo_pessoa", "ni_fornecedor", "nome_razao_social_fornecedor", "codigo_pais_fornecedor",
		"tipo_pessoa_sub_contratada", "ni_fornecedor_sub_contratado", "nome_fornecedor_sub_contratado",
		"valor_inicial", "numero_parcelas", "valor_parcela", "valor_global", "valor_acumulado",
		"data_assinatura", "data_vigencia_inicio", "data_vigencia_fim", "numero_retificacao",
		"data_publicacao_pncp", "data_atualizacao", "data_atualizacao_global",
		"identificador_cipi", "url_cipi", "usuario_nome", "url",
	}
	fields := make([]Field, len(names))
	for i, name := range names {
		fields[i] = Field{name, JSON}
	}
	return fields
}

// financingFields are the fields of a BNDES operation, of both files.
func financingFields() []Field {
	return []Field{
		{"tipo_operacao", Code}, // nao_automatica or indireta_automatica
		{"documento_fonte", Text},
		{"cnpj_vinculado", Document},
		{"metodo_vinculo", Code},
		{"cliente", Text},
		{"numero_do_contrato", Text},
		{"descricao_do_projeto", Text},
		{"uf", Code},
		{"municipio", Code},
		{"municipio_codigo", Code},
		{"data_da_contratacao", Text},
		{"valor_contratado_reais", Number},
		{"valor_desembolsado_reais", Number},
		{"fonte_de_recurso_desembolsos", Code},
		{"custo_financeiro", Code},
		{"juros", Number},
		{"prazo_carencia_meses", Number},
		{"prazo_amortizacao_meses", Number},
		{"modalidade_de_apoio", Code},
		{"forma_de_apoio", Code},
		{"produto", Code},
		{"instrumento_financeiro", Code},
		{"inovacao", Code},
		{"area_operacional", Code},
		{"setor_cnae", Code},
		{"subsetor_cnae_agrupado", Code},
		{"subsetor_cnae_codigo", Code},
		{"subsetor_cnae_nome", Code},
		{"setor_bndes", Code},
		{"subsetor_bndes", Code},
		{"porte_do_cliente", Code},
		{"natureza_do_cliente", Code},
		{"instituicao_financeira_credenciada", Code},
		{"cnpj_instituicao_financeira", Code},
		{"tipo_de_garantia", Code},
		{"tipo_de_excepcionalidade", Code},
		{"situacao", Code},
	}
}
