package site

// columns are those of the sources' tables: what most readers look for. The API has every field.
var columns = map[string][]column{
	"pgfn": {
		{"Inscrição", "id", []part{plain("numero_inscricao"), soft(words("sistema", debtSystems))}},
		{"Tipo de devedor", "", []part{plain("tipo_devedor")}},
		{"Situação", "", []part{plain("tipo_situacao_inscricao"), soft(plain("situacao_inscricao"))}},
		{"Receita ou crédito", "", []part{plain("receita_principal"), plain("tipo_credito")}},
		{"Inscrita em", "id", []part{day("data_inscricao")}},
		{"Ajuizada", "", []part{plain("indicador_ajuizado")}},
		{"Valor consolidado", "num", []part{reais("valor_consolidado")}},
	},
	"ceis": sanctionColumns(),
	"cnep": sanctionColumns(column{"Multa", "num", []part{reais("valor_multa")}}),
	"cepim": {
		{"Convênio", "id", []part{plain("numero_convenio")}},
		{"Órgão concedente", "", []part{plain("orgao_concedente")}},
		{"Motivo do impedimento", "", []part{plain("motivo_impedimento")}},
	},
	"acordos_leniencia": {
		{"Acordo", "id", []part{plain("id_acordo")}},
		{"Situação", "", []part{plain("situacao_acordo"), labelled("Informação de", day("data_informacao"))}},
		{"Início", "id", []part{day("data_inicio_acordo")}},
		{"Fim", "id", []part{day("data_fim_acordo")}},
		{"Órgão e processo", "", []part{plain("orgao_sancionador"), soft(plain("numero_processo"))}},
		{"Efeitos e termos", "wide", []part{effects, soft(prose("termos_acordo"))}},
	},
	"mte_empregadores": {
		{"Estabelecimento", "", []part{street("estabelecimento"), labelled("CNAE", plain("cnae"))}},
		{"Ação fiscal", "", []part{joined(", ", "ano_acao_fiscal", "uf")}},
		{"Trabalhadores envolvidos", "num", []part{number("trabalhadores_envolvidos")}},
		{"Decisão administrativa", "id", []part{day("decisao_administrativa_procedencia")}},
		{"Inclusão no cadastro", "", []part{plain("inclusao_cadastro_empregadores"), soft(plain("nota"))}},
	},
	"mte_ceac": {
		{"Estabelecimento", "", []part{street("estabelecimento"), labelled("Versão", plain("versao"))}},
		{"Ação fiscal", "", []part{joined(", ", "ano_acao_fiscal", "uf")}},
		{"Inclusão no Cadastro de Empregadores", "", []part{plain("inclusao_cadastro_empregadores")}},
		{"Inclusão no CEAC", "", []part{plain("inclusao_ceac")}},
		{"Termo de ajustamento de conduta", "wide", []part{prose("termo_ajustamento_conduta_mte")}},
	},
	"habilitacao_aduaneira": {
		{"Modalidade publicada", "", []part{plain("modalidade_habilitacao")}},
		{"Nome na publicação", "", []part{plain("razao_social")}},
		{"Limite publicado", "num", []part{limit}},
	},
	"ibama_autos": {
		{"Auto", "id", []part{joined(" série ", "num_auto_infracao", "ser_auto_infracao"), soft(plain("tipo_auto"))}},
		{"Lavrado em", "id", []part{day("dat_hora_auto_infracao")}},
		{"Situação", "", []part{cancelled, plain("des_status_formulario"), soft(plain("ds_sit_auto_aie"))}},
		{"Infração", "wide", []part{plain("tipo_infracao"), prose("des_auto_infracao")}},
		{"Multa", "num", []part{reais("val_auto_infracao"), soft(plain("tipo_multa"))}},
		{"Lavrado no município", "", []part{joined("/", "municipio", "uf")}},
		{"Processo e embargo", "", []part{whole("nu_processo_formatado"), labelled("Embargo", embargoesOfNotice)}},
	},
	"ibama_embargos": {
		{"Termo", "id", []part{joined(" série ", "num_tad", "ser_tad")}},
		{"Embargo em", "id", []part{day("dat_embargo")}},
		{"Situação", "", []part{cancelled, plain("des_status_formulario"), soft(plain("des_status_formulario_aie"))}},
		{"Área e imóvel", "wide", []part{number("qtd_area_embargada"), soft(plain("tipo_area")), plain("nome_imovel"), soft(prose("des_tad"))}},
		{"Lavrado no município", "", []part{joined("/", "municipio", "uf")}},
		{"Desembargo", "", []part{plain("sit_desembargo"), soft(plain("tipo_desembargo")), soft(day("dat_desembargo")), soft(prose("des_desembargo"))}},
		{"Processo e auto", "", []part{plain("num_processo"), labelled("Auto", noticeOfEmbargo)}},
	},
	"rntrc": {
		{"Registro", "id", []part{plain("numero_rntrc")}},
		{"Categoria", "", []part{words("categoria_transportador", carrierKinds)}},
		{"Situação", "", []part{plain("situacao_rntrc"), labelled("Desde", day("data_situacao_rntrc"))}},
		{"Primeiro cadastro", "id", []part{day("data_primeiro_cadastro")}},
		{"Município", "", []part{joined("/", "municipio", "uf")}},
		{"Equiparado a TAC", "", []part{plain("equiparado")}},
	},
	"pncp":       contractColumns(column{"Órgão", "", []part{contractor}}, column{"Participação", "", []part{role}}),
	"pncp_orgao": contractColumns(column{"Fornecedor", "", []part{supplier}}, column{"Unidade", "", []part{member("unidade_orgao", "nome_unidade")}}),
	"bndes": {
		{"Operação", "", []part{words("tipo_operacao", operationKinds), labelled("Contrato", plain("numero_do_contrato")), soft(plain("situacao"))}},
		{"Contratada em", "id", []part{day("data_da_contratacao")}},
		{"Projeto e produto", "wide", []part{prose("descricao_do_projeto"), soft(plain("produto")), soft(plain("instrumento_financeiro"))}},
		{"Condições", "", []part{conditions}},
		{"Contratado", "num", []part{reais("valor_contratado_reais")}},
		{"Desembolsado", "num", []part{reais("valor_desembolsado_reais")}},
		{"Vínculo", "", []part{words("metodo_vinculo", linkMethods), labelled("Na fonte", whole("documento_fonte"))}},
	},
}

func sanctionColumns(more ...column) []column {
	all := []column{
		{"Sanção", "", []part{plain("categoria_sancao"), labelled("Código", plain("codigo_sancao"))}},
		{"Órgão sancionador", "", []part{plain("orgao_sancionador"), soft(joined(", ", "esfera_orgao_sancionador", "uf_orgao_sancionador"))}},
		{"Início", "id", []part{day("data_inicio_sancao")}},
		{"Fim", "id", []part{day("data_final_sancao")}},
	}
	all = append(all, more...)
	return append(all,
		column{"Processo", "", []part{plain("numero_processo"), labelled("Publicação", day("data_publicacao")), labelled("Abrangência", plain("abrangencia_sancao"))}},
		column{"Fundamento e observações", "wide", []part{prose("fundamentacao_legal"), soft(prose("observacoes"))}},
	)
}

func contractColumns(party, role column) []column {
	return []column{
		{"Contrato", "", []part{contract, soft(member("tipo_contrato", "nome"))}},
		party,
		role,
		{"Objeto", "wide", []part{prose("objeto_contrato")}},
		{"Assinatura", "", []part{day("data_assinatura"), labelled("Vigente de", day("data_vigencia_inicio")), labelled("até", day("data_vigencia_fim"))}},
		{"Valor global", "num", []part{reais("valor_global")}},
	}
}

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

// linkMethods are the ways in which an operation of the BNDES got its CNPJ, as the methodology explains them.
var linkMethods = map[string]string{
	"publicado":                       "CNPJ publicado",
	"inferido_raiz_no_nome":           "Inferido: raiz no nome",
	"inferido_mascara_nome_municipio": "Inferido: máscara, nome e município",
	"nao_vinculado":                   "Não vinculado",
}
