package record

//go:generate go test -run TestRenderFollowsFromTheTables -update

// Tables returns every table: the release, then what is said of sources and their loads.
func Tables() []Table {
	return []Table{
		CompanyTable(), EstablishmentTable(), PartnerTable(), SimplesTable(),
		SourcePageTable(), SourceEntryTable(), ProvenanceTable(), fileTable(),
	}
}

// CompanyTable is the table of Empresas.
func CompanyTable() Table {
	return Table{Name: "Empresa", Type: "Company", About: "A empresa.", Fields: []Field{
		{Name: "cnpj_basico", Kind: Root, About: "CNPJ sem máscara, em maiúsculas"},
		{Name: "razao_social", Go: "RazaoSocial", Kind: Text, About: "razão social ou nome empresarial"},
		{Name: "natureza_juridica", Go: "NaturezaJuridica", Kind: Code, Domain: DomainNatureza, About: "código da natureza jurídica"},
		{
			Name: "qualificacao_responsavel", Go: "QualificacaoResponsavel", Kind: Code, Domain: DomainQualificacao,
			About: "código da qualificação do responsável",
		},
		{Name: "capital_social", Go: "CapitalSocial", Kind: Amount, About: "capital social em reais, com duas casas"},
		{Name: "porte_empresa", Go: "PorteEmpresa", Kind: Code, Domain: DomainPorte, About: "código do porte"},
		{
			Name: "ente_federativo_responsavel", Go: "EnteFederativoResponsavel", Kind: Text,
			About: "ente federativo responsável, de órgãos públicos",
		},
	}}
}

// EstablishmentTable is the table of Estabelecimentos.
func EstablishmentTable() Table {
	fields := append(numberFields(), statusFields()...)
	fields = append(fields, addressFields()...)
	fields = append(fields, contactFields()...)
	return Table{Name: "Estabelecimento", Type: "Establishment", About: "Um estabelecimento, matriz ou filial.", Fields: append(
		fields,
		Field{Name: "situacao_especial", Go: "SituacaoEspecial", Kind: Text, About: "situação especial, como recuperação judicial"},
		Field{Name: "data_situacao_especial", Go: "DataSituacaoEspecial", Kind: Day, About: "data da situação especial"},
	)}
}

func numberFields() []Field {
	return []Field{
		{Name: "cnpj", Go: "CNPJ", Kind: CNPJ, About: "CNPJ sem máscara, em maiúsculas"},
		{Name: "cnpj_basico", Kind: Root, About: "CNPJ sem máscara, em maiúsculas"},
		{Name: "cnpj_ordem", Kind: Order, About: "posições 9 a 12 do CNPJ"},
		{Name: "cnpj_dv", Kind: CheckDigits, About: "dígitos verificadores"},
	}
}

func statusFields() []Field {
	return []Field{
		{
			Name: "identificador_matriz_filial", Go: "IdentificadorMatrizFilial", Kind: Code, Domain: DomainMatrizFilial,
			About: "1 matriz, 2 filial",
		},
		{Name: "nome_fantasia", Go: "NomeFantasia", Kind: Text, About: "nome fantasia"},
		{
			Name: "situacao_cadastral", Go: "SituacaoCadastral", Kind: Code, Domain: DomainSituacao,
			About: "código da situação cadastral",
		},
		{Name: "data_situacao_cadastral", Go: "DataSituacaoCadastral", Kind: Day, About: "data da situação cadastral"},
		{
			Name: "motivo_situacao_cadastral", Go: "MotivoSituacaoCadastral", Kind: Code, Domain: DomainMotivo,
			About: "código do motivo da situação cadastral",
		},
		{Name: "nome_cidade_exterior", Go: "NomeCidadeExterior", Kind: Text, About: "cidade, de quem está no exterior"},
		{Name: "pais", Go: "Pais", Kind: Code, Domain: DomainPais, About: "código do país, de quem está no exterior"},
		{Name: "data_inicio_atividade", Go: "DataInicioAtividade", Kind: Day, About: "início da atividade"},
		{
			Name: "cnae_fiscal_principal", Go: "CNAEFiscalPrincipal", Kind: Code, Domain: DomainCNAE,
			About: "CNAE principal, sete dígitos",
		},
		{
			Name: "cnae_fiscal_secundaria", Go: "CNAEFiscalSecundaria", Kind: Codes, Domain: DomainCNAE,
			About: "CNAEs secundárias, sete dígitos cada",
		},
	}
}

// addressFields are personal as far as they lead to a door.
func addressFields() []Field {
	return []Field{
		{Name: "tipo_logradouro", Go: "TipoLogradouro", Kind: Text, Personal: true, About: "endereço: tipo logradouro"},
		{Name: "logradouro", Go: "Logradouro", Kind: Text, Personal: true, About: "endereço: logradouro"},
		{Name: "numero", Go: "Numero", Kind: Text, Personal: true, About: "endereço: numero"},
		{Name: "complemento", Go: "Complemento", Kind: Text, Personal: true, About: "endereço: complemento"},
		{Name: "bairro", Go: "Bairro", Kind: Text, Personal: true, About: "endereço: bairro"},
		{Name: "cep", Go: "CEP", Kind: Text, Personal: true, About: "endereço: cep"},
		{Name: "uf", Go: "UF", Kind: Text, About: "endereço: uf"},
		{Name: "municipio", Go: "Municipio", Kind: Code, Domain: DomainMunicipio, About: "código do município na Receita Federal"},
		{Name: "codigo_municipio_ibge", Go: "Municipio", Kind: IBGECode, About: "código do município no IBGE; vazio no exterior"},
	}
}

func contactFields() []Field {
	return []Field{
		{Name: "ddd_1", Go: "DDD1", Kind: Text, Personal: true, About: "contato: ddd 1"},
		{Name: "telefone_1", Go: "Telefone1", Kind: Text, Personal: true, About: "contato: telefone 1"},
		{Name: "ddd_2", Go: "DDD2", Kind: Text, Personal: true, About: "contato: ddd 2"},
		{Name: "telefone_2", Go: "Telefone2", Kind: Text, Personal: true, About: "contato: telefone 2"},
		{Name: "ddd_fax", Go: "DDDFax", Kind: Text, Personal: true, About: "contato: ddd fax"},
		{Name: "fax", Go: "Fax", Kind: Text, Personal: true, About: "contato: fax"},
		{Name: "correio_eletronico", Go: "CorreioEletronico", Kind: Text, Personal: true, About: "contato: correio eletronico"},
	}
}

// PartnerTable is the table of Socios.
func PartnerTable() Table {
	return Table{Name: "Socio", Type: "Partner", About: "Um sócio ou administrador.", Fields: []Field{
		{
			Name: "identificador_socio", Go: "IdentificadorSocio", Kind: Code, Domain: DomainSocio,
			About: "1 pessoa jurídica, 2 pessoa física, 3 estrangeiro",
		},
		{Name: "nome_socio", Go: "NomeSocio", Kind: Text, Personal: true, About: "nome ou razão social"},
		{Name: "cnpj_cpf_socio", Go: "CNPJCPFSocio", Kind: Text, Personal: true, About: "CNPJ, ou CPF mascarado como foi publicado"},
		{Name: "qualificacao_socio", Go: "QualificacaoSocio", Kind: Code, Domain: DomainQualificacao, About: "código da qualificação"},
		{Name: "data_entrada_sociedade", Go: "DataEntradaSociedade", Kind: Day, About: "entrada na sociedade"},
		{Name: "pais", Go: "Pais", Kind: Code, Domain: DomainPais, About: "código do país"},
		{
			Name: "representante_legal", Go: "RepresentanteLegal", Kind: Text, Personal: true,
			About: "CPF mascarado do representante; ***000000** quando não há",
		},
		{Name: "nome_representante", Go: "NomeRepresentante", Kind: Text, Personal: true, About: "nome do representante"},
		{
			Name: "qualificacao_representante_legal", Go: "QualificacaoRepresentanteLegal", Kind: Code, Domain: DomainQualificacao,
			About: "código da qualificação do representante",
		},
		{
			Name: "faixa_etaria", Go: "FaixaEtaria", Kind: Code, Domain: DomainFaixaEtaria, Personal: true,
			About: "código da faixa etária; não é a idade",
		},
	}}
}

// SimplesTable is the table of Simples.
func SimplesTable() Table {
	return Table{Name: "Simples", Type: "Simples", About: "Opções pelo Simples Nacional e pelo MEI.", Fields: []Field{
		{Name: "opcao_pelo_simples", Go: "OpcaoPeloSimples", Kind: YesOrNo, About: "optante pelo Simples"},
		{Name: "data_opcao_pelo_simples", Go: "DataOpcaoPeloSimples", Kind: Day, About: "opção pelo Simples"},
		{Name: "data_exclusao_simples", Go: "DataExclusaoSimples", Kind: Day, About: "exclusão do Simples"},
		{Name: "opcao_pelo_mei", Go: "OpcaoPeloMEI", Kind: YesOrNo, About: "optante pelo MEI"},
		{Name: "data_opcao_pelo_mei", Go: "DataOpcaoPeloMEI", Kind: Day, About: "opção pelo MEI"},
		{Name: "data_exclusao_mei", Go: "DataExclusaoMEI", Kind: Day, About: "exclusão do MEI"},
	}}
}
