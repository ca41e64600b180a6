package source

// All returns the sources in the order in which they are shown.
func All() []Source {
	all := append(debts(), sanctions()...)
	all = append(all, labour()...)
	all = append(all, trade()...)
	all = append(all, environment()...)
	all = append(all, transport()...)
	all = append(all, contracts()...)
	return append(all, financing()...)
}

func debts() []Source {
	return []Source{{
		ID: "pgfn", Theme: "dividas", Title: "Dívida ativa da União e do FGTS",
		Description: "Inscrições em dívida ativa da União e do FGTS, com situação, tipo de devedor e valor consolidado. É o estoque do fim do trimestre: débitos pagos ou cancelados saem da lista.",
		Orgao:       "Procuradoria-Geral da Fazenda Nacional", Conjunto: "Dados abertos: devedores da União e do FGTS",
		URL: "https://dadosabertos.pgfn.gov.br/", Licenca: "Dados públicos (Lei 12.527/2011)",
		PeriodKind: "trimestre", Floor: 32_400_000, StaleAfter: 150,
		Fields: pgfnFields(),
	}}
}

func sanctions() []Source {
	const (
		cgu     = "Controladoria-Geral da União"
		portal  = "https://portaldatransparencia.gov.br/download-de-dados/"
		licence = "Dados públicos; citar CGU/Portal da Transparência"
	)
	return []Source{
		{
			ID: "ceis", Theme: "sancoes", Title: "Empresas inidôneas e suspensas (CEIS)",
			Description: "Sanções que restringem o direito de licitar ou contratar com a administração pública, vigentes e passadas.",
			Orgao:       cgu, Conjunto: "Cadastro Nacional de Empresas Inidôneas e Suspensas", URL: portal + "ceis", Licenca: licence,
			PeriodKind: "dia", Floor: 20_000, StaleAfter: 15,
			Fields: sanctionFields(false),
		},
		{
			ID: "cnep", Theme: "sancoes", Title: "Empresas punidas (CNEP)",
			Description: "Sanções aplicadas com base na Lei Anticorrupção (Lei 12.846/2013).",
			Orgao:       cgu, Conjunto: "Cadastro Nacional de Empresas Punidas", URL: portal + "cnep", Licenca: licence,
			PeriodKind: "dia", Floor: 1_500, StaleAfter: 15,
			Fields: sanctionFields(true),
		},
		{
			ID: "cepim", Theme: "sancoes", Title: "Entidades sem fins lucrativos impedidas (CEPIM)",
			Description: "Entidades privadas sem fins lucrativos impedidas de celebrar convênios com a administração federal.",
			Orgao:       cgu, Conjunto: "Cadastro de Entidades Privadas sem Fins Lucrativos Impedidas", URL: portal + "cepim", Licenca: licence,
			PeriodKind: "dia", Floor: 3_000, StaleAfter: 15,
			Fields: []Field{
				{"cnpj", Document},
				{"nome_entidade", Text},
				{"numero_convenio", Text},
				{"orgao_concedente", Code},
				{"motivo_impedimento", Code},
			},
		},
		{
			ID: "acordos_leniencia", Theme: "sancoes", Title: "Acordos de leniência",
			Description: "Acordos de leniência celebrados com base na Lei Anticorrupção e seus efeitos. Não devem ser somados aos registros do CNEP.",
			Orgao:       cgu, Conjunto: "Acordos de Leniência", URL: portal + "acordos-leniencia", Licenca: licence,
			PeriodKind: "dia", Floor: 100, StaleAfter: 15,
			Fields: []Field{
				{"id_acordo", Text},
				{"cnpj", Document},
				{"razao_social_receita", Text},
				{"nome_fantasia_receita", Text},
				{"data_inicio_acordo", Text},
				{"data_fim_acordo", Text},
				{"situacao_acordo", Code},
				{"data_informacao", Text},
				{"numero_processo", Text},
				{"termos_acordo", Text},
				{"orgao_sancionador", Code},
				{"efeitos", JSON},
			},
		},
	}
}

func labour() []Source {
	const (
		mte     = "Ministério do Trabalho e Emprego"
		area    = "https://www.gov.br/trabalho-e-emprego/pt-br/assuntos/inspecao-do-trabalho/areas-de-atuacao/"
		licence = "Dados públicos (Portaria Interministerial MTE/MDHC/MIR 18/2024)"
	)
	return []Source{
		{
			ID: "mte_empregadores", Theme: "trabalho", Title: "Cadastro de Empregadores",
			Description: "Empregadores que submeteram trabalhadores a condições análogas à de escravo, segundo decisão administrativa definitiva. O nome permanece por dois anos.",
			Orgao:       mte, Conjunto: "Cadastro de Empregadores", URL: area + "cadastro_de_empregadores.csv", Licenca: licence,
			PeriodKind: "edicao", Floor: 300, StaleAfter: 240,
			Fields: []Field{
				{"id_publicacao", Text},
				{"ano_acao_fiscal", Number},
				{"uf", Code},
				{"empregador", Text},
				{"cnpj", Document},
				{"estabelecimento", Text},
				{"trabalhadores_envolvidos", Number},
				{"cnae", Text},
				{"decisao_administrativa_procedencia", Text},
				{"inclusao_cadastro_empregadores", Text},
				{"periodos", JSON},
				{"nota", Text},
			},
		},
		{
			ID: "mte_ceac", Theme: "trabalho", Title: "Empregadores em ajustamento de conduta (CEAC)",
			Description: "Empregadores que firmaram termo de ajustamento de conduta ou acordo judicial com a União. É distinto do Cadastro de Empregadores.",
			Orgao:       mte, Conjunto: "Cadastro de Empregadores em Ajustamento de Conduta",
			URL: area + "cadastro-de-empregadores-em-ajustamento-de-conduta/", Licenca: licence,
			PeriodKind: "versao", Floor: 1,
			Fields: []Field{
				{"id_publicacao", Text},
				{"versao", Code},
				{"ano_acao_fiscal", Number},
				{"uf", Code},
				{"empregador", Text},
				{"cnpj", Document},
				{"estabelecimento", Text},
				{"inclusao_cadastro_empregadores", Text},
				{"inclusao_ceac", Text},
				{"periodos_ceac", JSON},
				{"termo_ajustamento_conduta_mte", Text},
			},
		},
	}
}

func trade() []Source {
	return []Source{{
		ID: "habilitacao_aduaneira", Theme: "comercio_exterior", Title: "Habilitação aduaneira",
		Description: "Empresas habilitadas a operar no comércio exterior e a modalidade publicada. Vale para a empresa inteira; a ausência na lista não prova que falta habilitação.",
		Orgao:       "Receita Federal do Brasil", Conjunto: "Intervenientes aduaneiros: empresas habilitadas",
		URL: "https://www.gov.br/receitafederal/dados/intervenientes-aduaneiros/view", Licenca: "Dados abertos (Decreto 8.777/2016)",
		PeriodKind: "mes", CompanyOnly: true, Floor: 1,
		Fields: []Field{
			{"cnpj_basico", Text},
			{"razao_social", Text},
			{"modalidade_habilitacao", Code},
			{"modalidade", Code},
			{"limite_publicado", Number},
			{"moeda_limite", Code},
		},
	}}
}

func environment() []Source {
	const (
		ibama   = "Instituto Brasileiro do Meio Ambiente e dos Recursos Naturais Renováveis"
		portal  = "https://dadosabertos.ibama.gov.br/dataset/"
		licence = "Dados abertos, outra licença aberta (CKAN other-open)"
	)
	return []Source{
		{
			ID: "ibama_autos", Theme: "ambiental", Title: "Autos de infração do IBAMA",
			Description: "Autos de infração ambiental lavrados, com os cancelados assinalados. O município é o da lavratura.",
			Orgao:       ibama, Conjunto: "Fiscalização: auto de infração", URL: portal + "fiscalizacao-auto-de-infracao", Licenca: licence,
			PeriodKind: "dia", Floor: 600_000, StaleAfter: 60,
			Fields: noticeFields(),
		},
		{
			ID: "ibama_embargos", Theme: "ambiental", Title: "Embargos do IBAMA",
			Description: "Termos de embargo de obras, atividades e áreas, em vigor ou levantados.",
			Orgao:       ibama, Conjunto: "Fiscalização: termo de embargo", URL: portal + "fiscalizacao-termo-de-embargo", Licenca: licence,
			PeriodKind: "dia", Floor: 100_000, StaleAfter: 60,
			Fields: embargoFields(),
		},
	}
}

func transport() []Source {
	return []Source{{
		ID: "rntrc", Theme: "transporte", Title: "Transportadores rodoviários de cargas (RNTRC)",
		Description: "Empresas e cooperativas de transporte com registro ativo ou pendente. Registros cancelados não são publicados: a ausência não prova nada.",
		Orgao:       "Agência Nacional de Transportes Terrestres", Conjunto: "Registro Nacional de Transportadores Rodoviários de Cargas",
		URL: "https://dados.antt.gov.br/dataset/rntrc", Licenca: "CC-BY",
		PeriodKind: "mes", Floor: 500_000, StaleAfter: 60,
		Fields: []Field{
			{"numero_rntrc", Text},
			{"nome_transportador", Text},
			{"cpfcnpjtransportador", Document},
			{"categoria_transportador", Code},
			{"situacao_rntrc", Code},
			{"data_primeiro_cadastro", Text},
			{"data_situacao_rntrc", Text},
			{"cep", Text},
			{"municipio", Code},
			{"uf", Code},
			{"equiparado", Code},
		},
	}}
}

func contracts() []Source {
	const (
		pncp    = "Portal Nacional de Contratações Públicas"
		api     = "https://pncp.gov.br/api/consulta/v1/contratos"
		licence = "Dados públicos (Lei 14.133/2021)"
	)
	return []Source{
		{
			ID: "pncp", Theme: "contratacoes_publicas", Title: "Contratos públicos como fornecedor",
			Description: "Contratos e empenhos em que o CNPJ é fornecedor ou subcontratado. O valor global é o do contrato, não a parte do subcontratado.",
			Orgao:       pncp, Conjunto: "Contratos e empenhos", URL: api, Licenca: licence,
			PeriodKind: "mes", Floor: 1, StaleAfter: 60,
			Fields: contractFields(),
		},
		{
			ID: "pncp_orgao", Theme: "contratacoes_publicas", Title: "Contratos públicos como contratante",
			Description: "Contratos e empenhos em que o CNPJ consultado é o órgão contratante.",
			Orgao:       pncp, Conjunto: "Contratos e empenhos", URL: api, Licenca: licence,
			PeriodKind: "mes", Floor: 1, StaleAfter: 60,
			Fields: contractFields(),
		},
	}
}

func financing() []Source {
	return []Source{{
		ID: "bndes", Theme: "financiamento", Title: "Financiamentos do BNDES",
		Description: "Operações de financiamento contratadas desde 2002. Um subcrédito não é necessariamente um contrato; parte dos vínculos é inferida pela metodologia descrita.",
		Orgao:       "Banco Nacional de Desenvolvimento Econômico e Social", Conjunto: "Operações de financiamento",
		URL: "https://dadosabertos.bndes.gov.br/dataset/operacoes-financiamento", Licenca: "ODbL-1.0",
		Atribuicao: "Fonte: BNDES – Portal de Dados Abertos, Operações de financiamento", Metodologia: "/metodologia/bndes",
		PeriodKind: "mes", Floor: 1_500_000, StaleAfter: 60,
		Fields: financingFields(),
	}}
}
