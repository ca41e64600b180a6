package glossary

func records() []Entry {
	return []Entry{
		{
			"divida-ativa", "dívida ativa", "Débitos com a União ou com o FGTS que não foram pagos no prazo e que a Procuradoria-Geral da Fazenda Nacional inscreveu para " +
				"cobrar. Pode haver parcelamento, garantia ou suspensão: ver a situação de cada inscrição. Débitos pagos ou cancelados saem da lista.",
			debt,
			[]string{"pgfn"},
		},
		{
			"inscricao", "inscrição em dívida ativa", "O ato que torna o débito cobrável, com um número próprio. A mesma inscrição aparece inteira em cada corresponsável, e " +
				"por isso só se somam as de devedor principal.", debt, []string{"pgfn.numero_inscricao", "pgfn.tipo_devedor", "pgfn.data_inscricao"},
		},
		{
			"valor-consolidado", "valor consolidado", "O valor da inscrição no fim do trimestre, com multa, juros e encargos, segundo a Procuradoria. Hoje ele pode ser " +
				"outro.", debt, []string{"pgfn.valor_consolidado"},
		},
		{
			"ceis", "CEIS", "Cadastro Nacional de Empresas Inidôneas e Suspensas, da Controladoria-Geral da União: sanções que restringem o direito de licitar ou " +
				"contratar com o poder público. A restrição vale no prazo e na abrangência de cada sanção.", corrupt, []string{"ceis"},
		},
		{
			"cnep", "CNEP", "Cadastro Nacional de Empresas Punidas, da Controladoria-Geral da União: punições com base na Lei Anticorrupção, como multa e publicação da " +
				"condenação.", corrupt, []string{"cnep"},
		},
		{
			"cepim", "CEPIM", "Cadastro de Entidades Privadas sem Fins Lucrativos Impedidas de celebrar convênios e parcerias com a administração federal, por exemplo por " +
				"contas não prestadas. É mantido pela Controladoria-Geral da União.",
			Origin{"Decreto 7.592/2011", planalto + "_ato2011-2014/2011/decreto/d7592.htm"},
			[]string{"cepim"},
		},
		{
			"acordo-de-leniencia", "acordo de leniência", "Acordo em que uma empresa reconhece atos contra a administração pública e colabora com a apuração, em troca de " +
				"sanções menores. O mesmo caso pode estar também no CNEP: os dois não se somam.", corrupt, []string{"acordos_leniencia"},
		},
		{
			"cadastro-de-empregadores", "Cadastro de Empregadores", "Lista do Ministério do Trabalho e Emprego com quem submeteu trabalhadores a condições análogas à de " +
				"escravo, depois de decisão administrativa definitiva. É conhecida como “lista suja”; o nome fica por dois anos.", slavery, []string{"mte_empregadores"},
		},
		{
			"ceac", "CEAC", "Cadastro de Empregadores em Ajustamento de Conduta: quem foi autuado por trabalho análogo ao de escravo e firmou termo ou acordo com a União. " +
				"É distinto do Cadastro de Empregadores.", slavery, []string{"mte_ceac"},
		},
		{
			"radar", "habilitação aduaneira (Radar)", "Autorização da Receita Federal para importar e exportar, conhecida pelo antigo sistema Radar. As modalidades são " +
				"expressa, limitada e ilimitada; a limitada tem um teto de importações por semestre. É da empresa inteira.",
			Origin{"Instrução Normativa RFB 1.984/2020", ""},
			[]string{"habilitacao_aduaneira", "habilitacao_aduaneira.modalidade_habilitacao"},
		},
		{
			"auto-de-infracao", "auto de infração ambiental", "Documento em que a fiscalização do Ibama registra uma infração ambiental e indica a sanção, como multa ou " +
				"advertência. O autuado pode defender-se, e o auto pode ser cancelado: ver o estado de cada um.", nature, []string{"ibama_autos"},
		},
		{
			"embargo", "embargo", "Ordem do Ibama que proíbe continuar uma obra ou atividade em um local, para que o dano pare e a área se recupere. Vale até ser levantado.",
			nature,
			[]string{"ibama_embargos"},
		},
		{
			"rntrc", "RNTRC", "Registro Nacional de Transportadores Rodoviários de Cargas, da ANTT. Quem transporta carga de terceiros por pagamento precisa dele. Só são " +
				"publicados registros ativos e pendentes.", Origin{"Lei 11.442/2007", planalto + "_ato2007-2010/2007/lei/l11442.htm"}, []string{"rntrc"},
		},
		{
			"pncp", "PNCP", "Portal Nacional de Contratações Públicas, em que órgãos de todas as esferas publicam licitações e contratos feitos pela Lei 14.133/2021. " +
				"Contratos de leis anteriores podem não estar lá.", bids, []string{"pncp", "pncp_orgao"},
		},
		{
			"valor-global", "valor global", "O valor do contrato inteiro, com todas as parcelas. Não é o que já foi pago nem a parte de um subcontratado.", bids,
			[]string{"pncp.valor_global", "pncp_orgao.valor_global"},
		},
		{
			"subcredito", "subcrédito do BNDES", "Uma parte de um financiamento, com finalidade, juros e prazos próprios. Um contrato pode ter vários subcréditos: o número " +
				"de registros não é o de contratos.", bndes, []string{"bndes", "bndes.numero_do_contrato"},
		},
		{
			"vinculo-inferido", "vínculo inferido", "Parte das operações do BNDES traz o CNPJ com dígitos escondidos; o Razão os completa quando o nome e o município só " +
				"cabem em uma empresa. Cada registro diz se o vínculo foi publicado ou inferido.", bndes, []string{"bndes.metodo_vinculo", "bndes.cnpj_vinculado"},
		},
	}
}

func data() []Entry {
	return []Entry{
		{
			"fonte", "fonte", "Um conjunto de dados que um órgão publica e que o Razão copia: o cadastro do CNPJ e quatorze de registros públicos. Cada uma tem o seu período e " +
				"o seu ritmo.", sources, []string{"fonte"},
		},
		{
			"competencia", "competência", "O período a que os dados se referem, segundo quem publica: um mês, um trimestre, um dia ou uma edição. O que aconteceu depois " +
				"dele não está nos dados.", guide, []string{"fonte.competencia", "pagina.competencia"},
		},
		{
			"carga", "carga", "A leitura completa de uma publicação de uma fonte, do arquivo até a página. Uma carga nova substitui a anterior de uma vez; a data dela é a " +
				"de quando terminou.", sources, []string{"fonte.carregada_em", "pagina.carregada_em"},
		},
		{
			"cobertura", "cobertura", "Desde quando a fonte tem registros, quando ela o diz. Do que é anterior nada se pode concluir.", guide,
			[]string{"fonte.cobertura_inicio", "pagina.cobertura_inicio"},
		},
		{
			"sem-ocorrencia", "sem ocorrência", "A carga da fonte foi consultada e não tem registro do documento. Não é certidão: o registro pode ser de outro período, de " +
				"outro estabelecimento ou de outro órgão.", guide, []string{"pagina.status"},
		},
		{
			"indisponivel", "indisponível", "Não há carga da fonte, ou ela não pôde ser consultada agora. Nada se pode concluir sobre a empresa.", guide,
			[]string{"pagina.status", "fonte.disponibilidade"},
		},
		{
			"desatualizada", "desatualizada", "A carga em uso é mais velha do que o ritmo da fonte permite esperar. Os registros continuam certos para o período deles, e pode " +
				"haver publicação mais nova. A página de cada fonte diz o prazo.", sources, []string{"fonte.desatualizada", "pagina.desatualizada"},
		},
		{
			"escopo", "escopo", "A que o documento foi comparado: à empresa inteira, pela raiz, ou a um só estabelecimento, pelo CNPJ completo.", guide, []string{"pagina.escopo"},
		},
		{
			"procedencia", "procedência", "De onde vieram os dados de uma página: órgão, conjunto, licença e cada arquivo lido, com o seu SHA-256, com que se pode conferir que " +
				"nada mudou no caminho.", sources, []string{"proveniencia", "arquivo.sha256"},
		},
		{
			"fotografia", "fotografia", "O conjunto das cargas que estão em uso ao mesmo tempo, com um número. Duas respostas com o mesmo número vêm dos mesmos dados.", guide, nil,
		},
		{
			"dado-pessoal", "dado pessoal", "O que nomeia uma pessoa natural ou pode levar a ela. Nas páginas de pessoas físicas, como MEI, outros empresários individuais e produtores rurais, não há rua, CEP, " +
				"telefone nem e-mail, e qualquer pessoa pode pedir que os seus contatos sejam ocultados.", privacy, nil,
		},
	}
}

// unpublished are the things that people ask for and no source that is loaded publishes.
func unpublished() []Entry {
	return []Entry{
		{
			"faturamento", "faturamento", "O quanto uma empresa vende. Nenhuma destas fontes o publica: o porte diz só a faixa declarada, o capital social é outra coisa, e os " +
				"contratos públicos são uma parte. As companhias abertas publicam o seu na CVM.", listed, nil,
		},
		{
			"empregados", "número de empregados", "Quantas pessoas uma empresa emprega. O Ministério do Trabalho publica totais por lugar e atividade, e as companhias abertas informam o seu à CVM; estas fontes não o têm.",
			Origin{"Programa de Disseminação das Estatísticas do Trabalho", "https://www.gov.br/trabalho-e-emprego/pt-br/assuntos/estatisticas-trabalho"},
			nil,
		},
		{
			"participacao", "participação no capital", "Que parte da empresa cada sócio tem. Os dados abertos do CNPJ não a publicam, e por isso nada aqui diz quem controla uma empresa: ser " +
				"sócio de muitas não é ser dono de muito. As companhias abertas informam os maiores acionistas à CVM.", layout, nil,
		},
		{
			"beneficiario-final", "beneficiário final", "A pessoa que, em última instância, possui, controla ou influencia a empresa. É informada à Receita Federal, que não a " +
				"publica; sócios publicados não são o mesmo.", registry, nil,
		},
		{
			"inscricao-estadual", "inscrição estadual", "O número de um contribuinte do ICMS no cadastro de um estado; não faz parte do CNPJ. Cada estado mantém o seu " +
				"cadastro e nenhum o publica como dados abertos, por isso não está aqui. Ela é consultada na secretaria da fazenda do estado.", icms, nil,
		},
	}
}
