package page

// titles are the headings of columns in formats for people, by the names of their fields. A name means the same in every table.
var titles = map[string]string{
	// Companies.
	"cnpj": "CNPJ", "cnpj_basico": "Raiz do CNPJ", "razao_social": "Razão social", "nome_fantasia": "Nome fantasia",
	"identificador_matriz_filial": "Matriz ou filial", "situacao_cadastral": "Situação cadastral", "data_situacao_cadastral": "Data da situação cadastral",
	"data_inicio_atividade": "Início da atividade", "natureza_juridica": "Natureza jurídica", "porte_empresa": "Porte", "capital_social": "Capital social",
	"cnae_fiscal_principal": "CNAE principal", "descricao_cnae": "Atividade principal", "uf": "UF", "municipio": "Município",
	"codigo_municipio": "Código do município", "codigo_municipio_ibge": "Código do município no IBGE", "cep": "CEP",
	"logradouro": "Endereço", "correio_eletronico": "E-mail", "telefone_1": "Telefone", "telefone_2": "Segundo telefone",
	"nome": "Nome", "situacao": "Situação", "data_situacao": "Data da situação",
	// What is added to a list.
	"resultado": "Resultado", "cnpj_consultado": "CNPJ consultado", "pontos": "Pontos", "candidatas": "Candidatas",
	"divida_inscricoes": "Inscrições na dívida ativa", "registros_trabalho": "Listas do trabalho", "registros_ibama": "Autos e embargos do Ibama",
	"contratos_publicos": "Contratos públicos", "contratos_valor": "Valor dos contratos públicos", "simples": "Simples Nacional", "mei": "MEI", "socios": "Sócios",
	"listas": "Listas",
	// Changes.
	"fonte": "Fonte", "competencia": "Competência", "evento": "Evento", "o_que": "O que aconteceu", "data": "Data", "cnpj_raiz": "Raiz do CNPJ",
	"empresa": "Empresa", "campos": "Campos que mudaram",
	// Networks, groups and portfolios.
	"vinculo": "Vínculo", "de": "De", "de_nome": "De: nome", "de_documento": "De: documento", "para": "Para", "para_nome": "Para: nome", "como": "Como",
	"linhas": "Linhas", "registros": "Registros", "total": "Total", "em_vigor": "Em vigor", "divida_ativa": "Dívida ativa",
	"sancoes_em_vigor": "Sanções em vigor", "mudou": "Última mudança",
	// Places.
	"posicao": "Posição", "empresas_ativas": "Empresas ativas", "estabelecimentos_ativos": "Estabelecimentos ativos", "ano_aberturas": "Ano das aberturas",
	"aberturas": "Aberturas", "baixadas": "Baixados", "ano_populacao": "Ano da população", "populacao": "População",
	"empresas_ativas_por_mil_habitantes": "Empresas ativas por mil habitantes", "empresas_capital_improvavel": "Empresas de capital improvável",
	"capital_social_publicado": "Capital social publicado", "mes": "Mês", "abertos": "Abertos", "baixados": "Baixados",
	"novos_na_carga": "Novos na carga", "reativados_na_carga": "Reativados na carga", "vindos_na_carga": "Vindos na carga",
	"baixados_na_carga": "Baixados na carga", "idos_na_carga": "Idos na carga", "ano": "Ano", "ativos": "Ativos", "baixados_no_ano": "Baixados no ano",
	// The dictionary.
	"tabela": "Tabela", "campo": "Campo", "tipo": "Tipo", "dominio": "Domínio", "unidade": "Unidade", "pessoal": "Pessoal", "descricao": "Descrição",
}
