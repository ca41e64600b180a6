package glossary

func registration() []Entry {
	return []Entry{
		{
			"cnpj", "CNPJ", "Cadastro Nacional da Pessoa Jurídica, mantido pela Receita Federal, e o número de 14 posições de cada inscrição nele. As 8 primeiras " +
				"posições são da empresa, as 4 seguintes do estabelecimento e as 2 últimas são dígitos verificadores. Números novos podem ter letras nas 12 " +
				"primeiras posições.", registry, []string{"estabelecimento.cnpj", "estabelecimento.cnpj_dv"},
		},
		{
			"raiz", "raiz do CNPJ", "As 8 primeiras posições do CNPJ, também chamadas de CNPJ básico. São iguais na matriz e em todas as filiais, e por isso " +
				"identificam a empresa.", layout, []string{"empresa.cnpj_basico", "estabelecimento.cnpj_basico", "habilitacao_aduaneira.cnpj_basico"},
		},
		{
			"razao-social", "razão social", "O nome com que a empresa está registrada, também chamado de nome empresarial. O do empresário individual é o nome da " +
				"pessoa.", civilCode, []string{"empresa.razao_social"},
		},
		{
			"nome-fantasia", "nome fantasia", "O nome com que o estabelecimento se apresenta ao público, informado no cadastro. É opcional e pode repetir-se: não " +
				"identifica uma empresa.", layout, []string{"estabelecimento.nome_fantasia"},
		},
		{
			"estabelecimento", "estabelecimento", "Um local em que a empresa exerce a sua atividade, com CNPJ de 14 posições próprio. Toda empresa tem ao menos um, a " +
				"matriz.", registry, []string{"estabelecimento", "estabelecimento.cnpj_ordem"},
		},
		{
			"matriz", "matriz", "O estabelecimento que a empresa declara como sede no CNPJ. Costuma ter a ordem 0001, mas não sempre: a matriz pode mudar para um " +
				"estabelecimento que era filial.", registry, []string{"estabelecimento.identificador_matriz_filial"},
		},
		{
			"filial", "filial", "Qualquer estabelecimento da empresa que não é a matriz. Tem CNPJ próprio com a mesma raiz; as dívidas e os contratos são da mesma " +
				"pessoa jurídica.", registry, []string{"estabelecimento.identificador_matriz_filial"},
		},
		{
			"natureza-juridica", "natureza jurídica", "A forma em que a organização existe no direito, como sociedade limitada, empresário individual, associação ou órgão " +
				"público. É um código de quatro dígitos da tabela da Comissão Nacional de Classificação.", concla, []string{"empresa.natureza_juridica"},
		},
		{
			"empresario-individual", "empresário individual", "Pessoa que exerce uma empresa em nome próprio, sem sócios e sem separar o seu patrimônio do da empresa " +
				"(natureza jurídica 213-5). Por ser uma pessoa, as páginas não mostram a sua rua, o seu telefone nem o seu e-mail.", civilCode, nil,
		},
		{
			"porte", "porte", "O tamanho declarado, pela receita bruta anual: microempresa até R$ 360 mil; empresa de pequeno porte acima disso e até R$ 4,8 milhões. " +
				"“Demais” reúne todo o resto: empresas médias e grandes, mas também quem não pode ser enquadrado, como órgãos públicos.", smallFirm,
			[]string{"empresa.porte_empresa"},
		},
		{
			"capital-social", "capital social", "O valor que os sócios se comprometem a pôr na empresa, escrito no contrato ou estatuto. Não é o patrimônio nem o " +
				"faturamento, e ninguém confere o valor informado: há erros de digitação de bilhões.", civilCode, []string{"empresa.capital_social"},
		},
		{
			"capital-improvavel", "capital improvável", "O valor declarado que nenhuma empresa tem: o campo preenchido até o limite, quase sempre R$ 999.999.999.999,00. É " +
				"tido por improvável o capital de R$ 500 bilhões ou mais, e o que só tem noves, em dez ou onze algarismos. Continua na página da empresa, marcado; fica " +
				"fora das somas de lugares, que dizem quanto seria com ele, e por último na ordem por capital.",
			Origin{"Regra deste site; o maior capital conhecido é o da Petrobras, R$ 205 bilhões", ""},
			[]string{"municipios.csv.empresas_capital_improvavel", "municipios.csv.capital_social_publicado"},
		},
		{
			"cnae", "CNAE", "Classificação Nacional de Atividades Econômicas, do IBGE. Cada estabelecimento informa uma atividade principal e pode informar " +
				"secundárias, com códigos de sete dígitos. É o que foi declarado; não prova que a atividade é exercida.", concla,
			[]string{"estabelecimento.cnae_fiscal_principal", "estabelecimento.cnae_fiscal_secundaria"},
		},
		{
			"inicio-de-atividade", "início de atividade", "A data de abertura do estabelecimento no CNPJ. É a data mostrada como “aberta em”, e a que os filtros por ano de " +
				"abertura usam.", layout, []string{"estabelecimento.data_inicio_atividade"},
		},
		{
			"simples", "Simples Nacional", "Regime que reúne vários tributos em uma guia só, para microempresas e empresas de pequeno porte que optam por ele. A data da " +
				"exclusão pode estar no futuro.", smallFirm, []string{"simples", "simples.opcao_pelo_simples", "simples.data_opcao_pelo_simples", "simples.data_exclusao_simples"},
		},
		{
			"mei", "MEI", "Microempreendedor individual: empresário individual com receita bruta anual de até R$ 81 mil que opta por recolher valores fixos por mês " +
				"(SIMEI). Tem no máximo um empregado.", smallFirm, []string{"simples.opcao_pelo_mei", "simples.data_opcao_pelo_mei", "simples.data_exclusao_mei"},
		},
		{
			"ente-federativo", "ente federativo responsável", "A União, o estado ou o município a que um órgão público pertence. Só existe no cadastro de órgãos e entidades " +
				"públicas.", layout, []string{"empresa.ente_federativo_responsavel"},
		},
	}
}

func statuses() []Entry {
	status := []string{"estabelecimento.situacao_cadastral"}
	return []Entry{
		{
			"situacao-cadastral", "situação cadastral", "O estado da inscrição no CNPJ: ativa, suspensa, inapta, baixada ou nula. É de cada estabelecimento, e vem com a data " +
				"em que começou e o motivo.", registry, append(status, "estabelecimento.data_situacao_cadastral"),
		},
		{
			"ativa", "ativa", "A inscrição está em vigor, sem nenhum dos impedimentos das outras situações. Não quer dizer que a empresa funcione de fato nem que esteja em " +
				"dia com os tributos.", registry, status,
		},
		{
			"ativa-nao-regular", "ativa não regular", "Código que as tabelas do CNPJ preveem para inscrição ativa com irregularidade. Nos dados abertos quase não aparece; quando " +
				"aparece, é mostrado como publicado.", layout, status,
		},
		{
			"suspensa", "suspensa", "A inscrição está parada por um tempo, por pedido da própria empresa (interrupção das atividades) ou enquanto a Receita Federal apura " +
				"algo, como um indício de fraude.", registry, status,
		},
		{
			"inapta", "inapta", "A Receita Federal declarou a inscrição inapta, na maioria das vezes porque declarações deixaram de ser entregues. A empresa continua a " +
				"existir e pode regularizar-se.", registry, status,
		},
		{
			"baixada", "baixada", "A inscrição foi encerrada, a pedido ou de ofício, por exemplo por extinção, incorporação ou falta prolongada de declarações. O motivo diz " +
				"qual. A baixa não apaga dívidas.", registry, status,
		},
		{
			"nula", "nula", "A inscrição foi anulada pela Receita Federal, por exemplo por haver outra do mesmo estabelecimento ou por vício no pedido.", registry, status,
		},
		{
			"motivo", "motivo da situação cadastral", "A causa da situação, como “extinção por encerramento” ou “omissão de declarações”, em código de dois dígitos da Receita " +
				"Federal. O código 00 quer dizer que não há motivo.", layout, []string{"estabelecimento.motivo_situacao_cadastral"},
		},
		{
			"situacao-especial", "situação especial", "Um fato que acompanha a empresa inteira, como recuperação judicial, falência ou liquidação, com a sua data. É " +
				"independente da situação cadastral.", layout, []string{"estabelecimento.situacao_especial", "estabelecimento.data_situacao_especial"},
		},
	}
}

func partners() []Entry {
	return []Entry{
		{
			"qsa", "quadro societário (QSA)", "O Quadro de Sócios e Administradores que a empresa informa ao CNPJ. Não existe para o empresário individual; em sociedades " +
				"por ações traz os administradores, não os acionistas.", registry, []string{"socio"},
		},
		{
			"socio", "sócio", "Pessoa ou empresa que consta do quadro: quem tem parte do capital ou quem administra, conforme a qualificação. Os dados abertos não " +
				"publicam a participação de cada um no capital.", layout, []string{"socio.identificador_socio", "socio.nome_socio"},
		},
		{
			"cpf-mascarado", "CPF mascarado", "O CPF dos sócios é publicado sem os três primeiros dígitos e sem os dois últimos, como ***456789**. Pessoas diferentes podem " +
				"ter os mesmos seis dígitos e o mesmo nome.", layout, []string{"socio.cnpj_cpf_socio"},
		},
		{
			"qualificacao", "qualificação", "O papel da pessoa na empresa, como sócio-administrador, sócio, diretor ou titular, em código de dois dígitos da Receita " +
				"Federal.", layout, []string{"socio.qualificacao_socio", "empresa.qualificacao_responsavel", "socio.qualificacao_representante_legal"},
		},
		{
			"representante", "representante legal", "Quem age por um sócio que não pode agir sozinho ou que está no exterior, como o pai de um menor ou um procurador.", layout,
			[]string{"socio.nome_representante", "socio.representante_legal"},
		},
		{
			"faixa-etaria", "faixa etária", "A idade da pessoa em faixas de dez anos, de 0 a 12 até mais de 80. É só o que a Receita Federal publica; a data de nascimento " +
				"não é conhecida.", layout, []string{"socio.faixa_etaria"},
		},
	}
}
