package criteria

import (
	"razao/index/filter"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
)

// Headings.
const (
	activity = "Atividade"
	place    = "Lugar"
	status   = "Situação e abertura"
	company  = "Empresa"
	partners = "Sócios"
	contact  = "Contato"
	records  = "Registros públicos"
)

var (
	yesOrNo = []Option{{"sim", "Sim"}, {"nao", "Não"}}
	opting  = []Option{{"sim", "Optante"}, {"nao", "Não optante"}}
	offices = []Option{{"matriz", "Matriz"}, {"filial", "Filial"}}
	regions = []Option{{"norte", "Norte"}, {"nordeste", "Nordeste"}, {"centro-oeste", "Centro-Oeste"}, {"sudeste", "Sudeste"}, {"sul", "Sul"}}
	kinds   = []Option{{"pessoa", "Pessoa física"}, {"empresa", "Empresa"}, {"estrangeiro", "Estrangeiro"}}
	// bands names the values of filter.CapitalBands, in their order.
	bands = []Option{
		{"0", "Menos de R$" + ptbr.NBSP + "1"},
		{"1-10k", "Até R$" + ptbr.NBSP + "10 mil"},
		{"10k-100k", "R$" + ptbr.NBSP + "10 mil a 100 mil"},
		{"100k-1m", "R$" + ptbr.NBSP + "100 mil a 1 milhão"},
		{"1m-10m", "R$" + ptbr.NBSP + "1 a 10 milhões"},
		{"10m-100m", "R$" + ptbr.NBSP + "10 a 100 milhões"},
		{"100m", "Mais de R$" + ptbr.NBSP + "100 milhões"},
	}
	sources = func() []Option {
		var options []Option
		for _, src := range source.All() {
			options = append(options, Option{src.ID, src.Title})
		}
		return options
	}()
)

const (
	dateForm   = "uma data, AAAA-MM-DD"
	amountForm = "um valor em reais, como 100000 ou 1500.50"
	cnaeForm   = "a letra de uma seção da CNAE ou os 2, 3, 5 ou 7 dígitos de uma divisão, grupo, classe ou subclasse"
	yearForm   = "um ano, com quatro dígitos"
)

// declared are the criteria in the order of forms and documentation. The lower end of a range comes
// directly before its upper end: see Phrases.
var declared = [...]Criterion{
	{
		Name: filter.CNAE, Group: activity, Label: "Atividade principal", Form: Coded, Domain: record.DomainCNAE, find: findCNAE,
		About: cnaeForm,
	},
	{
		Name: filter.CNAESecondary, Group: activity, Label: "Atividade secundária", Form: Coded, Domain: record.DomainCNAE, find: findCNAE,
		About: cnaeForm,
	},
	{
		Name: filter.CNAEAny, Group: activity, Label: "Atividade principal ou secundária", Form: Coded, Domain: record.DomainCNAE, find: findCNAE,
		About: cnaeForm,
	},
	{
		Name: filter.UF, Group: place, Label: "Estado", Form: Coded, find: findUF,
		About: "a sigla de um estado, ou EX para o exterior",
	},
	{Name: filter.Regiao, Group: place, Label: "Região", Form: OneOf, Options: regions, find: option, About: listOf(regions)},
	{
		Name: filter.Municipio, Group: place, Label: "Município", Form: Coded, Domain: record.DomainMunicipio, find: findMunicipality,
		About: "o código de um município na Receita Federal (4 dígitos) ou no IBGE (7), ou seu nome, como Campinas/SP",
	},
	{Name: filter.Bairro, Group: place, Label: "Bairro", find: asGiven, About: "o nome inteiro de um bairro, como publicado"},
	{Name: filter.CEP, Group: place, Label: "CEP", find: digitsOnly, About: "um CEP ou o começo de um, de 3 a 8 dígitos"},
	{
		Name: filter.Pais, Group: place, Label: "País", Form: Coded, Domain: record.DomainPais, find: inDomain,
		About: "o código de um país na Receita Federal, de estabelecimentos no exterior",
	},
	{
		Name: filter.Situacao, Group: status, Label: "Situação", Form: OneOf, Domain: record.DomainSituacao, find: inDomain,
		About: "o código de uma situação cadastral: 01 nula, 02 ativa, 03 suspensa, 04 inapta ou 08 baixada",
	},
	{Name: filter.SinceFrom, Group: status, Label: "Nesta situação", Form: Date, find: findDate, About: dateForm + ": a primeira da situação cadastral"},
	{Name: filter.SinceTo, Group: status, Label: "Nesta situação", Form: Date, find: findDate, About: dateForm + ": a última da situação cadastral"},
	{
		Name: filter.Motivo, Group: status, Label: "Motivo da situação", Form: Coded, Domain: record.DomainMotivo, find: inDomain,
		About: "o código de um motivo da situação cadastral, com dois dígitos",
	},
	{Name: filter.OpenedFrom, Group: status, Label: "Abertura", Form: Date, find: findDate, About: dateForm + ": a primeira de abertura"},
	{Name: filter.OpenedTo, Group: status, Label: "Abertura", Form: Date, find: findDate, About: dateForm + ": a última de abertura"},
	{Name: filter.YearFrom, Group: status, Label: "Ano de abertura", Form: Year, find: asGiven, About: yearForm + ": o primeiro de abertura"},
	{Name: filter.YearTo, Group: status, Label: "Ano de abertura", Form: Year, find: asGiven, About: yearForm + ": o último de abertura"},
	{
		Name: filter.Natureza, Group: company, Label: "Natureza jurídica", Form: Coded, Domain: record.DomainNatureza, find: inDomain,
		About: "o código de uma natureza jurídica, com quatro dígitos",
	},
	{
		Name: filter.Porte, Group: company, Label: "Porte", Form: OneOf, Domain: record.DomainPorte, find: inDomain,
		About: "o código de um porte: 00 não informado, 01 micro, 03 pequeno ou 05 demais",
	},
	{Name: filter.Capital, Group: company, Label: "Faixa de capital social", Form: OneOf, Options: bands, find: option, About: "uma faixa de capital social em reais: " + listOf(bands)},
	{Name: filter.CapitalFrom, Group: company, Label: "Capital social", Form: Amount, find: findAmount, About: amountForm + ": o menor capital social"},
	{Name: filter.CapitalTo, Group: company, Label: "Capital social", Form: Amount, find: findAmount, About: amountForm + ": o maior capital social"},
	{Name: filter.HeadOffice, Group: company, Label: "Matriz ou filial", Form: OneOf, Options: offices, find: option, About: "matriz ou filial"},
	{
		Name: filter.EstablishmentsFrom, Group: company, Label: "Estabelecimentos", Form: Number, find: digitsOnly,
		About: "um número: o menor de estabelecimentos da empresa",
	},
	{
		Name: filter.EstablishmentsTo, Group: company, Label: "Estabelecimentos", Form: Number, find: digitsOnly,
		About: "um número: o maior de estabelecimentos da empresa",
	},
	{Name: filter.Simples, Group: company, Label: "Simples Nacional", Form: OneOf, Options: opting, find: option, About: "sim ou nao"},
	{Name: filter.SimplesFrom, Group: company, Label: "Optante pelo Simples", Form: Date, find: findDate, About: dateForm + ": a primeira da opção, que ainda vale"},
	{Name: filter.SimplesTo, Group: company, Label: "Optante pelo Simples", Form: Date, find: findDate, About: dateForm + ": a última da opção, que ainda vale"},
	{Name: filter.MEI, Group: company, Label: "MEI", Form: OneOf, Options: opting, find: option, About: "sim ou nao"},
	{Name: filter.MEIFrom, Group: company, Label: "Optante pelo MEI", Form: Date, find: findDate, About: dateForm + ": a primeira da opção, que ainda vale"},
	{Name: filter.MEITo, Group: company, Label: "Optante pelo MEI", Form: Date, find: findDate, About: dateForm + ": a última da opção, que ainda vale"},
	{Name: filter.PartnersFrom, Group: partners, Label: "Número de sócios", Form: Number, find: digitsOnly, About: "um número: o menor de sócios da empresa"},
	{Name: filter.PartnersTo, Group: partners, Label: "Número de sócios", Form: Number, find: digitsOnly, About: "um número: o maior de sócios da empresa"},
	{
		Name: filter.PartnerKind, Group: partners, Label: "Entre os sócios", Form: OneOf, Options: kinds, find: option,
		About: "pessoa, empresa ou estrangeiro: quem está entre os sócios; vale para a matriz",
	},
	{
		Name: filter.PartnerRole, Group: partners, Label: "Qualificação de um sócio", Form: Coded, Domain: record.DomainQualificacao, find: inDomain,
		About: "o código de uma qualificação de sócio, com dois dígitos; vale para a matriz",
	},
	{
		Name: filter.PartnerAge, Group: partners, Label: "Faixa etária de um sócio", Form: OneOf, Domain: record.DomainFaixaEtaria, find: inDomain,
		About: "o código de uma faixa etária, de 1 a 9; vale para a matriz",
	},
	{
		Name: filter.Telephone, Group: contact, Label: "Telefone publicado", Form: OneOf, Options: yesOrNo, find: option,
		About: "sim ou nao; o telefone de uma pessoa física, como um empresário individual, conta como nenhum",
	},
	{
		Name: filter.Email, Group: contact, Label: "E-mail publicado", Form: OneOf, Options: yesOrNo, find: option,
		About: "sim ou nao; o e-mail de uma pessoa física, como um empresário individual, conta como nenhum",
	},
	{Name: filter.DDD, Group: contact, Label: "DDD", find: digitsOnly, About: "um DDD, com dois dígitos"},
	{Name: filter.Domain, Group: contact, Label: "Domínio do e-mail", find: findDomain, About: "o domínio do e-mail, como exemplo.com.br"},
	{
		Name: filter.Source, Group: records, Label: "Registros públicos", Form: OneOf, Options: sources, find: option,
		About: "o identificador de uma fonte: quem tem registros em alguma delas (" + listOf(sources) + ")",
	},
	{
		Name: filter.SourceAll, Group: records, Label: "Em todas estas fontes", Form: OneOf, Options: sources, find: option,
		About: "o identificador de uma fonte: quem tem registros em todas elas",
	},
	{Name: filter.DebtFrom, Group: records, Label: "Dívida ativa", Form: Amount, find: findAmount, About: amountForm + ": a menor dívida ativa da União, somada"},
	{Name: filter.DebtTo, Group: records, Label: "Dívida ativa", Form: Amount, find: findAmount, About: amountForm + ": a maior dívida ativa da União, somada"},
	{
		Name: filter.Sanction, Group: records, Label: "Sanção em vigor", Form: OneOf, Options: yesOrNo, find: option,
		About: "sim ou nao: uma sanção do CEIS ou do CNEP está em vigor",
	},
	{
		Name: filter.ContractsFrom, Group: records, Label: "Contratos públicos", Form: Amount, find: findAmount,
		About: amountForm + ": o menor dos contratos como fornecedor, somados",
	},
	{
		Name: filter.ContractsTo, Group: records, Label: "Contratos públicos", Form: Amount, find: findAmount,
		About: amountForm + ": o maior dos contratos como fornecedor, somados",
	},
	{Name: filter.ContractsYear, Group: records, Label: "Ano de um contrato público", Form: Year, find: asGiven, About: yearForm + ": o de um contrato como fornecedor"},
	{Name: filter.LoansFrom, Group: records, Label: "Financiamentos do BNDES", Form: Amount, find: findAmount, About: amountForm + ": o menor dos contratados, somados"},
	{Name: filter.LoansTo, Group: records, Label: "Financiamentos do BNDES", Form: Amount, find: findAmount, About: amountForm + ": o maior dos contratados, somados"},
	{Name: filter.LoansYear, Group: records, Label: "Ano de um financiamento do BNDES", Form: Year, find: asGiven, About: yearForm + ": o de um financiamento"},
}
