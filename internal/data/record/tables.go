package record

//go:generate go test -run TestRenderFollowsFromTheTables -update

// Tables returns every table: the four of the release first, then those about sources and loads,
// then those of the history. Like the functions below, it builds a new value that the caller may change.
func Tables() []Table {
	return []Table{
		CompanyTable(), EstablishmentTable(), PartnerTable(), SimplesTable(),
		SourcePageTable(), SourceEntryTable(), ProvenanceTable(), fileTable(),
		pastLoadTable(), leftOutTable(), rejectedTable(),
		ChangeTable(), ChangedPartnerTable(), CoverageTable(), AnnouncedLoadTable(), gapTable(), FailedLoadTable(), WithdrawnTable(),
		NetworkMemberTable(), NetworkOmissionTable(),
	}
}

// CompanyTable returns the table of Empresas.
func CompanyTable() Table {
	return Table{Name: "Empresa", Title: "Empresa", Type: "Company", About: "O que vale para a empresa inteira, com todos os seus estabelecimentos.", Fields: []Field{
		{Name: "cnpj_basico", Kind: Root, About: "as 8 primeiras posições do CNPJ, que identificam a empresa"},
		{Name: "razao_social", Go: "RazaoSocial", Kind: Text, About: "razão social ou nome empresarial; um CPF no fim é mascarado"},
		{Name: "natureza_juridica", Go: "NaturezaJuridica", Kind: Code, Domain: DomainNatureza, About: "natureza jurídica, código de quatro dígitos"},
		{
			Name: "qualificacao_responsavel", Go: "QualificacaoResponsavel", Kind: Code, Domain: DomainQualificacao,
			About: "qualificação da pessoa responsável pela empresa, código de dois dígitos",
		},
		{Name: "capital_social", Go: "CapitalSocial", Kind: Amount, About: "capital social"},
		{Name: "porte_empresa", Go: "PorteEmpresa", Kind: Code, Domain: DomainPorte, Swings: true, About: "porte declarado, código de dois dígitos"},
		{
			Name: "ente_federativo_responsavel", Go: "EnteFederativoResponsavel", Kind: Text,
			About: "ente federativo responsável; só em órgãos públicos",
		},
	}}
}

// EstablishmentTable returns the table of Estabelecimentos.
func EstablishmentTable() Table {
	fields := append(numberFields(), statusFields()...)
	fields = append(fields, addressFields()...)
	fields = append(fields, contactFields()...)
	return Table{Name: "Estabelecimento", Title: "Estabelecimento", Type: "Establishment", About: "Um estabelecimento da empresa, matriz ou filial.", Fields: append(
		fields,
		Field{Name: "situacao_especial", Go: "SituacaoEspecial", Kind: Text, About: "situação especial, como recuperação judicial"},
		Field{Name: "data_situacao_especial", Go: "DataSituacaoEspecial", Kind: Day, About: "data da situação especial"},
	)}
}

func numberFields() []Field {
	return []Field{
		{Name: "cnpj", Go: "CNPJ", Kind: CNPJ, About: "CNPJ do estabelecimento"},
		{Name: "cnpj_basico", Kind: Root, About: "as 8 primeiras posições do CNPJ, que identificam a empresa"},
		{Name: "cnpj_ordem", Kind: Order, About: "número do estabelecimento na empresa"},
		{Name: "cnpj_dv", Kind: CheckDigits, About: "dígitos verificadores do CNPJ"},
	}
}

func statusFields() []Field {
	return []Field{
		{
			Name: "identificador_matriz_filial", Go: "IdentificadorMatrizFilial", Kind: Code, Domain: DomainMatrizFilial,
			About: "se é matriz ou filial; não se deduz do número 0001",
		},
		{Name: "nome_fantasia", Go: "NomeFantasia", Kind: Text, About: "nome fantasia; um CPF no fim é mascarado"},
		{
			Name: "situacao_cadastral", Go: "SituacaoCadastral", Kind: Code, Domain: DomainSituacao, Swings: true,
			About: "situação cadastral, código de dois dígitos",
		},
		{Name: "data_situacao_cadastral", Go: "DataSituacaoCadastral", Kind: Day, Swings: true, About: "data em que passou a essa situação cadastral"},
		{
			Name: "motivo_situacao_cadastral", Go: "MotivoSituacaoCadastral", Kind: Code, Domain: DomainMotivo, Swings: true,
			About: "motivo da situação cadastral, código de dois dígitos; 00: nenhum",
		},
		{Name: "nome_cidade_exterior", Go: "NomeCidadeExterior", Kind: Text, About: "cidade de quem está no exterior"},
		{Name: "pais", Go: "Pais", Kind: Code, Domain: DomainPais, About: "país de quem está no exterior, código de três dígitos"},
		{Name: "data_inicio_atividade", Go: "DataInicioAtividade", Kind: Day, About: "data de início da atividade"},
		{
			Name: "cnae_fiscal_principal", Go: "CNAEFiscalPrincipal", Kind: Code, Domain: DomainCNAE,
			About: "atividade principal, código CNAE de sete dígitos",
		},
		{
			Name: "cnae_fiscal_secundaria", Go: "CNAEFiscalSecundaria", Kind: Codes, Domain: DomainCNAE,
			About: "atividades secundárias, códigos CNAE de sete dígitos",
		},
	}
}

// addressFields are personal, except state and municipality, which do not locate a person.
func addressFields() []Field {
	return []Field{
		{Name: "tipo_logradouro", Go: "TipoLogradouro", Kind: Text, Personal: true, About: "tipo do logradouro, como RUA ou AVENIDA"},
		{Name: "logradouro", Go: "Logradouro", Kind: Text, Personal: true, About: "nome do logradouro"},
		{Name: "numero", Go: "Numero", Kind: Text, Personal: true, About: "número no logradouro, como texto; S/N: sem número"},
		{Name: "complemento", Go: "Complemento", Kind: Text, Personal: true, About: "complemento do endereço"},
		{Name: "bairro", Go: "Bairro", Kind: Text, Personal: true, About: "bairro"},
		{Name: "cep", Go: "CEP", Kind: Text, Personal: true, About: "CEP, oito dígitos sem hífen"},
		{Name: "uf", Go: "UF", Kind: Text, About: "sigla do estado; EX: exterior"},
		{Name: "municipio", Go: "Municipio", Kind: Code, Domain: DomainMunicipio, About: "município, código de quatro dígitos da Receita Federal; não é o do IBGE"},
		{Name: "codigo_municipio_ibge", Go: "Municipio", Kind: IBGECode, About: "município, código de sete dígitos do IBGE; vazio no exterior"},
	}
}

func contactFields() []Field {
	return []Field{
		{Name: "ddd_1", Go: "DDD1", Kind: Text, Personal: true, About: "DDD do primeiro telefone"},
		{Name: "telefone_1", Go: "Telefone1", Kind: Text, Personal: true, About: "primeiro telefone, sem DDD"},
		{Name: "ddd_2", Go: "DDD2", Kind: Text, Personal: true, About: "DDD do segundo telefone"},
		{Name: "telefone_2", Go: "Telefone2", Kind: Text, Personal: true, About: "segundo telefone, sem DDD"},
		{Name: "ddd_fax", Go: "DDDFax", Kind: Text, Personal: true, About: "DDD do fax"},
		{Name: "fax", Go: "Fax", Kind: Text, Personal: true, About: "fax, sem DDD"},
		{Name: "correio_eletronico", Go: "CorreioEletronico", Kind: Text, Personal: true, About: "endereço de e-mail"},
	}
}

// PartnerTable returns the table of Socios.
func PartnerTable() Table {
	return Table{Name: "Socio", Title: "Sócio", Type: "Partner", About: "Um sócio ou administrador.", Fields: []Field{
		{
			Name: "identificador_socio", Go: "IdentificadorSocio", Kind: Code, Domain: DomainSocio,
			About: "se é pessoa jurídica, pessoa física ou estrangeiro",
		},
		{Name: "nome_socio", Go: "NomeSocio", Kind: Text, Personal: true, About: "nome do sócio, ou razão social da empresa sócia"},
		{Name: "cnpj_cpf_socio", Go: "CNPJCPFSocio", Kind: Text, Personal: true, About: "CNPJ da empresa sócia, ou CPF mascarado como foi publicado (***456789**); vazio em estrangeiros"},
		{Name: "qualificacao_socio", Go: "QualificacaoSocio", Kind: Code, Domain: DomainQualificacao, About: "qualificação do sócio, código de dois dígitos"},
		{Name: "data_entrada_sociedade", Go: "DataEntradaSociedade", Kind: Day, About: "data de entrada na sociedade"},
		{Name: "pais", Go: "Pais", Kind: Code, Domain: DomainPais, About: "país do sócio no exterior, código de três dígitos"},
		{
			Name: "representante_legal", Go: "RepresentanteLegal", Kind: Text, Personal: true,
			About: "CPF mascarado do representante legal; ***000000** quando não há",
		},
		{Name: "nome_representante", Go: "NomeRepresentante", Kind: Text, Personal: true, About: "nome do representante legal"},
		{
			Name: "qualificacao_representante_legal", Go: "QualificacaoRepresentanteLegal", Kind: Code, Domain: DomainQualificacao,
			About: "qualificação do representante legal, código de dois dígitos; 00: não há",
		},
		{
			Name: "faixa_etaria", Go: "FaixaEtaria", Kind: Code, Domain: DomainFaixaEtaria, Personal: true, Swings: true,
			About: "faixa etária da pessoa, código de um dígito; não é a idade",
		},
	}}
}

// SimplesTable returns the table of Simples.
func SimplesTable() Table {
	return Table{Name: "Simples", Title: "Simples Nacional e MEI", Type: "Simples", About: "Opções pelo Simples Nacional e pelo MEI.", Fields: []Field{
		{Name: "opcao_pelo_simples", Go: "OpcaoPeloSimples", Kind: YesOrNo, Swings: true, About: "se a empresa é optante pelo Simples Nacional"},
		{Name: "data_opcao_pelo_simples", Go: "DataOpcaoPeloSimples", Kind: Day, Swings: true, About: "data da opção pelo Simples Nacional"},
		{Name: "data_exclusao_simples", Go: "DataExclusaoSimples", Kind: Day, Swings: true, About: "data da exclusão do Simples Nacional; pode ser futura"},
		{Name: "opcao_pelo_mei", Go: "OpcaoPeloMEI", Kind: YesOrNo, Swings: true, About: "se o titular é optante pelo MEI (SIMEI)"},
		{Name: "data_opcao_pelo_mei", Go: "DataOpcaoPeloMEI", Kind: Day, Swings: true, About: "data da opção pelo MEI"},
		{Name: "data_exclusao_mei", Go: "DataExclusaoMEI", Kind: Day, Swings: true, About: "data da exclusão do MEI; pode ser futura"},
	}}
}
