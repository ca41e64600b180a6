package source

import (
	"slices"
	"sync"
)

// All returns the sources in the order in which they are shown, grouped by theme. The slice and what
// it holds are shared: callers must not change them.
func All() []Source { return declared() }

var declared = sync.OnceValue(func() []Source {
	return slices.Clip(slices.Concat(debts(), sanctions(), labour(), trade(), environment(), transport(), contracts(), financing()))
})

// CompanyRegistry describes the tax authority's monthly release of companies in the same form. It is not
// one of All, and it has no Fields here: those are declared in package record.
func CompanyRegistry() Source {
	return Source{
		ID: "receita", Title: "Cadastro do CNPJ",
		Description: "Empresas, estabelecimentos, sócios e opções pelo Simples Nacional e pelo MEI, como a Receita Federal os publica a cada mês.",
		Orgao:       "Receita Federal do Brasil", Conjunto: "Dados Abertos CNPJ",
		URL: "https://arquivos.receitafederal.gov.br/", Licenca: "Dados abertos (Decreto 8.777/2016)",
		PeriodKind: "mes", StaleAfter: 60,
	}
}

// debts returns the sources on dívida ativa (PGFN).
func debts() []Source {
	return []Source{{
		ID: "pgfn", Theme: "dividas", Title: "Dívida ativa da União e do FGTS",
		Description: "Inscrições em dívida ativa da União e do FGTS, com situação, tipo de devedor e valor consolidado. É o estoque do fim do trimestre: débitos pagos ou cancelados saem da lista.",
		Orgao:       "Procuradoria-Geral da Fazenda Nacional", Conjunto: "Dados abertos: devedores da União e do FGTS",
		URL: "https://dadosabertos.pgfn.gov.br/", Licenca: "Dados públicos (Lei 12.527/2011)",
		PeriodKind: "trimestre", Floor: 32_400_000, Records: 10_000_000, StaleAfter: 150,
		Fields: pgfnFields(),
		Facts:  debtFacts(),
	}}
}

// sanctions returns the sources on sanctions (CGU). Floors lie well below the sizes of real files.
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
			PeriodKind: "dia", Floor: 20_000, Records: 5_000, StaleAfter: 15,
			Fields: sanctionFields(false),
			Facts:  sanctionFacts("CEIS"),
		},
		{
			ID: "cnep", Theme: "sancoes", Title: "Empresas punidas (CNEP)",
			Description: "Sanções aplicadas com base na Lei Anticorrupção (Lei 12.846/2013).",
			Orgao:       cgu, Conjunto: "Cadastro Nacional de Empresas Punidas", URL: portal + "cnep", Licenca: licence,
			PeriodKind: "dia", Floor: 1_500, Records: 1_000, StaleAfter: 15,
			Fields: sanctionFields(true),
			Facts:  fineFacts(),
		},
		{
			ID: "cepim", Theme: "sancoes", Title: "Entidades sem fins lucrativos impedidas (CEPIM)",
			Description: "Entidades privadas sem fins lucrativos impedidas de celebrar convênios com a administração federal.",
			Orgao:       cgu, Conjunto: "Cadastro de Entidades Privadas sem Fins Lucrativos Impedidas", URL: portal + "cepim", Licenca: licence,
			PeriodKind: "dia", Floor: 3_000, Records: 3_000, StaleAfter: 15,
			Facts: Facts{State: "motivo_impedimento", StateName: "Motivo"},
			Fields: []Field{
				{Name: "cnpj", Kind: Document, About: "CNPJ da entidade, sem máscara"},
				{Name: "nome_entidade", Kind: Text, About: "nome da entidade"},
				{Name: "numero_convenio", Kind: Text, Serial: true, About: "número do convênio, com zeros à esquerda"},
				{Name: "orgao_concedente", Kind: Code, About: "órgão que concedeu o convênio"},
				{Name: "motivo_impedimento", Kind: Code, About: "motivo do impedimento, abreviado pela fonte"},
			},
		},
		{
			ID: "acordos_leniencia", Theme: "sancoes", Title: "Acordos de leniência",
			Description: "Acordos de leniência celebrados com base na Lei Anticorrupção e seus efeitos. Não devem ser somados aos registros do CNEP.",
			Orgao:       cgu, Conjunto: "Acordos de Leniência", URL: portal + "acordos-leniencia", Licenca: licence,
			PeriodKind: "dia", Floor: 100, Records: 100, StaleAfter: 15,
			Facts: agreementFacts(),
			Fields: []Field{
				{Name: "id_acordo", Kind: Text, Serial: true, About: "número do acordo; repete-se em cada empresa que o assinou"},
				{Name: "cnpj", Kind: Document, About: "CNPJ da empresa, sem máscara"},
				{Name: "razao_social_receita", Kind: Text, About: "razão social na Receita Federal, segundo a CGU"},
				{Name: "nome_fantasia_receita", Kind: Text, About: "nome fantasia na Receita Federal, segundo a CGU"},
				{Name: "data_inicio_acordo", Kind: Text, Unit: "DD/MM/AAAA", About: "início do acordo"},
				{Name: "data_fim_acordo", Kind: Text, Unit: "DD/MM/AAAA", About: "fim do acordo"},
				{Name: "situacao_acordo", Kind: Code, About: "situação do acordo, em texto da fonte"},
				{Name: "data_informacao", Kind: Text, Unit: "DD/MM/AAAA", Edition: true, About: "data da informação"},
				{Name: "numero_processo", Kind: Text, Serial: true, About: "número do processo"},
				{Name: "termos_acordo", Kind: Text, About: "termos do acordo, em texto livre"},
				{Name: "orgao_sancionador", Kind: Code, About: "órgão que celebrou o acordo"},
				{Name: "efeitos", Kind: JSON, Shape: effects, About: "efeitos do acordo: lista de objetos com efeito e complemento"},
			},
		},
	}
}

// labour returns the sources on labour inspection (MTE). CEAC has neither a known rhythm nor a
// known size.
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
			PeriodKind: "edicao", Floor: 300, Records: 120, StaleAfter: 240,
			Facts: Facts{Periods: "periodos"},
			Fields: []Field{
				{Name: "id_publicacao", Kind: Text, Edition: true, About: "número da linha na edição; muda de uma edição para outra"},
				{Name: "ano_acao_fiscal", Kind: Number, Unit: "ano", About: "ano da fiscalização; null em inclusões por ordem judicial"},
				{Name: "uf", Kind: Code, About: "UF da fiscalização; pode não ser a do endereço"},
				{Name: "empregador", Kind: Text, About: "nome do empregador; CPFs são mascarados"},
				{Name: "cnpj", Kind: Document, About: "CNPJ do empregador, sem máscara"},
				{Name: "estabelecimento", Kind: Text, Personal: true, About: "local fiscalizado, em texto livre; pode ser a residência de alguém"},
				{Name: "trabalhadores_envolvidos", Kind: Number, Unit: "pessoas", About: "trabalhadores encontrados em condições análogas à de escravo"},
				{Name: "cnae", Kind: Text, About: "atividade econômica (CNAE), com pontuação"},
				{Name: "decisao_administrativa_procedencia", Kind: Text, Unit: "DD/MM/AAAA", About: "data da decisão administrativa definitiva"},
				{Name: "inclusao_cadastro_empregadores", Kind: Text, About: "data de inclusão no cadastro, ou os períodos em que o nome constou, como publicado"},
				{Name: "periodos", Kind: JSON, Shape: periods, About: "os mesmos períodos: lista de objetos com inicio e fim (DD/MM/AAAA); fim é null enquanto consta"},
				{Name: "nota", Kind: Text, About: "nota de rodapé da publicação sobre a linha"},
			},
		},
		{
			ID: "mte_ceac", Theme: "trabalho", Title: "Empregadores em ajustamento de conduta (CEAC)",
			Description: "Empregadores que firmaram termo de ajustamento de conduta ou acordo judicial com a União. É distinto do Cadastro de Empregadores.",
			Orgao:       mte, Conjunto: "Cadastro de Empregadores em Ajustamento de Conduta",
			URL: area + "cadastro-de-empregadores-em-ajustamento-de-conduta/", Licenca: licence,
			PeriodKind: "versao", Floor: 1, Records: 1,
			Facts: Facts{Periods: "periodos_ceac"},
			Fields: []Field{
				{Name: "id_publicacao", Kind: Text, Edition: true, About: "número da linha na versão"},
				{Name: "versao", Kind: Code, Edition: true, About: "versão da publicação, AAAA_NNNN"},
				{Name: "ano_acao_fiscal", Kind: Number, Unit: "ano", About: "ano da fiscalização"},
				{Name: "uf", Kind: Code, About: "UF da fiscalização"},
				{Name: "empregador", Kind: Text, About: "nome do empregador; CPFs são mascarados"},
				{Name: "cnpj", Kind: Document, About: "CNPJ do empregador, sem máscara"},
				{Name: "estabelecimento", Kind: Text, Personal: true, About: "local fiscalizado, em texto livre; pode ser a residência de alguém"},
				{Name: "inclusao_cadastro_empregadores", Kind: Text, About: "datas de inclusão no Cadastro de Empregadores, como publicadas"},
				{Name: "inclusao_ceac", Kind: Text, About: "datas de inclusão no CEAC, como publicadas; algumas versões as trazem no campo anterior"},
				{Name: "periodos_ceac", Kind: JSON, Shape: periods, About: "os períodos no CEAC: lista de objetos com inicio e fim (DD/MM/AAAA); fim é null enquanto consta"},
				{Name: "termo_ajustamento_conduta_mte", Kind: Text, About: "termo de ajustamento de conduta ou acordo, em texto livre"},
			},
		},
	}
}

// trade returns the sources on foreign trade (Receita Federal).
func trade() []Source {
	return []Source{{
		ID: "habilitacao_aduaneira", Theme: "comercio_exterior", Title: "Habilitação aduaneira",
		Description: "Empresas habilitadas a operar no comércio exterior e a modalidade publicada. Vale para a empresa inteira; a ausência na lista não prova que falta habilitação.",
		Orgao:       "Receita Federal do Brasil", Conjunto: "Intervenientes aduaneiros: empresas habilitadas",
		URL: "https://www.gov.br/receitafederal/dados/intervenientes-aduaneiros/view", Licenca: "Dados abertos (Decreto 8.777/2016)",
		PeriodKind: "mes", CompanyOnly: true, Floor: 1, Records: 1,
		Facts: Facts{State: "modalidade_habilitacao", StateName: "Modalidade"},
		Fields: []Field{
			{Name: "cnpj_basico", Kind: Text, About: "raiz do CNPJ da empresa habilitada, 8 posições"},
			{Name: "razao_social", Kind: Text, About: "razão social na fonte"},
			{Name: "modalidade_habilitacao", Kind: Code, About: "modalidade como publicada, às vezes com o limite"},
			{Name: "modalidade", Kind: Code, About: "modalidade reconhecida no texto: expressa, limitada, ilimitada ou outra"},
			{Name: "limite_publicado", Kind: Number, About: "limite escrito na modalidade, na moeda de moeda_limite; null quando ela não traz nenhum"},
			{Name: "moeda_limite", Kind: Code, About: "moeda do limite em três letras, como USD"},
		},
	}}
}

// environment returns the sources on environmental inspection (IBAMA).
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
			PeriodKind: "dia", Floor: 600_000, Records: 50_000, StaleAfter: 60,
			Fields: noticeFields(),
			Facts:  noticeFacts(),
		},
		{
			ID: "ibama_embargos", Theme: "ambiental", Title: "Embargos do IBAMA",
			Description: "Termos de embargo de obras, atividades e áreas, em vigor ou levantados.",
			Orgao:       ibama, Conjunto: "Fiscalização: termo de embargo", URL: portal + "fiscalizacao-termo-de-embargo", Licenca: licence,
			PeriodKind: "dia", Floor: 100_000, Records: 2_000, StaleAfter: 60,
			Fields: embargoFields(),
			Facts:  embargoFacts(),
		},
	}
}

// transport returns the sources on road haulage (ANTT).
func transport() []Source {
	return []Source{{
		ID: "rntrc", Theme: "transporte", Title: "Transportadores rodoviários de cargas (RNTRC)",
		Description: "Empresas e cooperativas de transporte com registro ativo ou pendente. Registros cancelados não são publicados: a ausência não prova nada.",
		Orgao:       "Agência Nacional de Transportes Terrestres", Conjunto: "Registro Nacional de Transportadores Rodoviários de Cargas",
		URL: "https://dados.antt.gov.br/dataset/rntrc", Licenca: "CC-BY",
		PeriodKind: "mes", Floor: 500_000, Records: 50_000, StaleAfter: 60,
		Facts: Facts{State: "situacao_rntrc", StateName: "Situação"},
		Fields: []Field{
			{Name: "numero_rntrc", Kind: Text, Serial: true, About: "número do registro, nove dígitos com zeros à esquerda"},
			{Name: "nome_transportador", Kind: Text, About: "nome do transportador"},
			{Name: "cpfcnpjtransportador", Kind: Document, About: "CNPJ do transportador, sem máscara; autônomos não são carregados"},
			{Name: "categoria_transportador", Kind: Code, About: "ETC: empresa de transporte; CTC: cooperativa"},
			{Name: "situacao_rntrc", Kind: Code, About: "ATIVO ou PENDENTE; cancelados não são publicados"},
			{Name: "data_primeiro_cadastro", Kind: Text, Unit: "DD/MM/AAAA", About: "data do primeiro cadastro"},
			{Name: "data_situacao_rntrc", Kind: Text, Unit: "DD/MM/AAAA", About: "data da situação"},
			{Name: "cep", Kind: Text, Personal: true, About: "CEP do transportador, com hífen"},
			{Name: "municipio", Kind: Code, About: "município do transportador, sem código"},
			{Name: "uf", Kind: Code, About: "UF do transportador"},
			{Name: "equiparado", Kind: Code, About: "Sim quando é equiparado a transportador autônomo (TAC), Não quando não"},
		},
	}}
}

// contracts returns the sources on public procurement (PNCP): two sources that one load fills.
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
			PeriodKind: "mes", Floor: 1, Records: 1, StaleAfter: 60,
			Fields: contractFields(),
			Facts:  supplierFacts(),
		},
		{
			ID: "pncp_orgao", Theme: "contratacoes_publicas", Title: "Contratos públicos como contratante",
			Description: "Contratos e empenhos em que o CNPJ consultado é o órgão contratante.",
			Orgao:       pncp, Conjunto: "Contratos e empenhos", URL: api, Licenca: licence,
			PeriodKind: "mes", Floor: 1, Records: 1, StaleAfter: 60,
			Fields: contractFields(),
			Facts:  contractFacts("Contrato público assinado como contratante", "nome_razao_social_fornecedor"),
		},
	}
}

// financing returns the sources on financing (BNDES).
func financing() []Source {
	return []Source{{
		ID: "bndes", Theme: "financiamento", Title: "Financiamentos do BNDES",
		Description: "Operações de financiamento contratadas desde 2002. Um subcrédito não é necessariamente um contrato; parte dos vínculos é inferida pela metodologia descrita.",
		Orgao:       "Banco Nacional de Desenvolvimento Econômico e Social", Conjunto: "Operações de financiamento",
		URL: "https://dadosabertos.bndes.gov.br/dataset/operacoes-financiamento", Licenca: "ODbL-1.0",
		Atribuicao: "Fonte: BNDES – Portal de Dados Abertos, Operações de financiamento", Metodologia: "/metodologia/bndes",
		PeriodKind: "mes", Floor: 1_500_000, Records: 1_000, StaleAfter: 60,
		Fields: financingFields(),
		Facts:  financingFacts(),
	}}
}
