package records

// columns declares the table of each source: the fields most readers look for. The API has every
// field.
var columns = map[string][]column{
	"pgfn": {
		{"Inscrição", "id", []part{textOf("numero_inscricao"), muted(meaningOf("sistema", debtSystems))}},
		{"Tipo de devedor", "", []part{textOf("tipo_devedor")}},
		{"Situação", "", []part{textOf("tipo_situacao_inscricao"), muted(textOf("situacao_inscricao"))}},
		{"Receita ou crédito", "", []part{textOf("receita_principal"), textOf("tipo_credito")}},
		{"Inscrita em", "id", []part{dateOf("data_inscricao")}},
		{"Ajuizada", "", []part{textOf("indicador_ajuizado")}},
		{"Valor consolidado", "num", []part{reaisOf("valor_consolidado")}},
	},
	"ceis": sanctionColumns(),
	"cnep": sanctionColumns(column{"Multa", "num", []part{reaisOf("valor_multa")}}),
	"cepim": {
		{"Convênio", "id", []part{textOf("numero_convenio")}},
		{"Órgão concedente", "", []part{textOf("orgao_concedente")}},
		{"Motivo do impedimento", "", []part{textOf("motivo_impedimento")}},
	},
	"acordos_leniencia": {
		{"Acordo", "id", []part{textOf("id_acordo")}},
		{"Situação", "", []part{textOf("situacao_acordo"), labelled("Informação de", dateOf("data_informacao"))}},
		{"Início", "id", []part{dateOf("data_inicio_acordo")}},
		{"Fim", "id", []part{dateOf("data_fim_acordo")}},
		{"Órgão e processo", "", []part{textOf("orgao_sancionador"), muted(textOf("numero_processo"))}},
		{"Efeitos e termos", "wide", []part{effects, muted(longTextOf("termos_acordo"))}},
	},
	"mte_empregadores": {
		{"Estabelecimento", "", []part{streetOf("estabelecimento"), labelled("CNAE", textOf("cnae"))}},
		{"Ação fiscal", "", []part{joined(", ", "ano_acao_fiscal", "uf")}},
		{"Trabalhadores envolvidos", "num", []part{numberOf("trabalhadores_envolvidos")}},
		{"Decisão administrativa", "id", []part{dateOf("decisao_administrativa_procedencia")}},
		{"Inclusão no cadastro", "", []part{textOf("inclusao_cadastro_empregadores"), muted(textOf("nota"))}},
	},
	"mte_ceac": {
		{"Estabelecimento", "", []part{streetOf("estabelecimento"), labelled("Versão", textOf("versao"))}},
		{"Ação fiscal", "", []part{joined(", ", "ano_acao_fiscal", "uf")}},
		{"Inclusão no Cadastro de Empregadores", "", []part{textOf("inclusao_cadastro_empregadores")}},
		{"Inclusão no CEAC", "", []part{textOf("inclusao_ceac")}},
		{"Termo de ajustamento de conduta", "wide", []part{longTextOf("termo_ajustamento_conduta_mte")}},
	},
	"habilitacao_aduaneira": {
		{"Modalidade publicada", "", []part{textOf("modalidade_habilitacao")}},
		{"Nome na publicação", "", []part{textOf("razao_social")}},
		{"Limite publicado", "num", []part{clearanceLimit}},
	},
	"ibama_autos": {
		{"Auto", "id", []part{joined(" série ", "num_auto_infracao", "ser_auto_infracao"), muted(textOf("tipo_auto"))}},
		{"Lavrado em", "id", []part{dateOf("dat_hora_auto_infracao")}},
		{"Situação", "", []part{cancelled, textOf("des_status_formulario"), muted(textOf("ds_sit_auto_aie"))}},
		{"Infração", "wide", []part{textOf("tipo_infracao"), longTextOf("des_auto_infracao")}},
		{"Multa", "num", []part{reaisOf("val_auto_infracao"), muted(textOf("tipo_multa"))}},
		{"Lavrado no município", "", []part{joined("/", "municipio", "uf")}},
		{"Processo e embargo", "", []part{lineOf("nu_processo_formatado"), labelled("Embargo", embargoesOfInfraction)}},
	},
	"ibama_embargos": {
		{"Termo", "id", []part{joined(" série ", "num_tad", "ser_tad")}},
		{"Embargo em", "id", []part{dateOf("dat_embargo")}},
		{"Situação", "", []part{cancelled, textOf("des_status_formulario"), muted(textOf("des_status_formulario_aie"))}},
		{"Área e imóvel", "wide", []part{numberOf("qtd_area_embargada"), muted(textOf("tipo_area")), textOf("nome_imovel"), muted(longTextOf("des_tad"))}},
		{"Lavrado no município", "", []part{joined("/", "municipio", "uf")}},
		{"Desembargo", "", []part{textOf("sit_desembargo"), muted(textOf("tipo_desembargo")), muted(dateOf("dat_desembargo")), muted(longTextOf("des_desembargo"))}},
		{"Processo e auto", "", []part{textOf("num_processo"), labelled("Auto", infractionOfEmbargo)}},
	},
	"rntrc": {
		{"Registro", "id", []part{textOf("numero_rntrc")}},
		{"Categoria", "", []part{meaningOf("categoria_transportador", carrierKinds)}},
		{"Situação", "", []part{textOf("situacao_rntrc"), labelled("Desde", dateOf("data_situacao_rntrc"))}},
		{"Primeiro cadastro", "id", []part{dateOf("data_primeiro_cadastro")}},
		{"Município", "", []part{joined("/", "municipio", "uf")}},
		{"Equiparado a TAC", "", []part{textOf("equiparado")}},
	},
	"pncp":       contractColumns(column{"Órgão", "", []part{contractor}}, column{"Participação", "", []part{participation}}),
	"pncp_orgao": contractColumns(column{"Fornecedor", "", []part{supplier}}, column{"Unidade", "", []part{memberOf("unidade_orgao", "nome_unidade")}}),
	"bndes": {
		{"Operação", "", []part{meaningOf("tipo_operacao", operationKinds), labelled("Contrato", textOf("numero_do_contrato")), muted(textOf("situacao"))}},
		{"Contratada em", "id", []part{dateOf("data_da_contratacao")}},
		{"Projeto e produto", "wide", []part{longTextOf("descricao_do_projeto"), muted(textOf("produto")), muted(textOf("instrumento_financeiro"))}},
		{"Condições", "", []part{conditions}},
		{"Contratado", "num", []part{reaisOf("valor_contratado_reais")}},
		{"Desembolsado", "num", []part{reaisOf("valor_desembolsado_reais")}},
		{"Vínculo", "", []part{meaningOf("metodo_vinculo", linkMethods), labelled("Na fonte", lineOf("documento_fonte"))}},
	},
}

// sanctionColumns returns the columns that CEIS and CNEP share, with more before the last two.
func sanctionColumns(more ...column) []column {
	all := []column{
		{"Sanção", "", []part{textOf("categoria_sancao"), labelled("Código", textOf("codigo_sancao"))}},
		{"Órgão sancionador", "", []part{textOf("orgao_sancionador"), muted(joined(", ", "esfera_orgao_sancionador", "uf_orgao_sancionador"))}},
		{"Início", "id", []part{dateOf("data_inicio_sancao")}},
		{"Fim", "id", []part{dateOf("data_final_sancao")}},
	}
	all = append(all, more...)
	return append(all,
		column{"Processo", "", []part{textOf("numero_processo"), labelled("Publicação", dateOf("data_publicacao")), labelled("Abrangência", textOf("abrangencia_sancao"))}},
		column{"Fundamento e observações", "wide", []part{longTextOf("fundamentacao_legal"), muted(longTextOf("observacoes"))}},
	)
}

// contractColumns returns the columns of a contract. party is the other side: the public body or
// the supplier.
func contractColumns(party, role column) []column {
	return []column{
		{"Contrato", "", []part{contract, muted(memberOf("tipo_contrato", "nome"))}},
		party,
		role,
		{"Objeto", "wide", []part{longTextOf("objeto_contrato")}},
		{"Assinatura", "", []part{dateOf("data_assinatura"), labelled("Vigente de", dateOf("data_vigencia_inicio")), labelled("até", dateOf("data_vigencia_fim"))}},
		{"Valor global", "num", []part{reaisOf("valor_global")}},
	}
}

// debtSystems, carrierKinds and operationKinds are what codes of pgfn, rntrc and bndes mean.
var debtSystems = map[string]string{
	"nao_previdenciario": "não previdenciário",
	"previdenciario":     "previdenciário",
	"fgts":               "FGTS",
}

var carrierKinds = map[string]string{
	"ETC": "ETC, empresa de transporte",
	"CTC": "CTC, cooperativa",
}

var operationKinds = map[string]string{
	"nao_automatica":      "Não automática (subcrédito)",
	"indireta_automatica": "Indireta automática",
}

// LinkMethod returns how an operation of the BNDES was linked to its CNPJ, in words, by the API's
// name for the method; "" for an unknown one.
func LinkMethod(id string) string { return linkMethods[id] }

// linkMethods are the ways of linking that the methodology explains, by their names in the API.
var linkMethods = map[string]string{
	"publicado":                       "CNPJ publicado",
	"inferido_raiz_no_nome":           "Inferido: raiz no nome",
	"inferido_mascara_nome_municipio": "Inferido: máscara, nome e município",
	"nao_vinculado":                   "Não vinculado",
}
