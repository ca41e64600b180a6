package record

// NetworkMember is a company, or somebody in one, in a network.
type NetworkMember struct {
	ID                string
	Tipo              string // empresa, pessoa, estrangeiro or nao_identificado
	Nome              string
	CNPJ              string // of the head office of a company
	Documento         string // of a person, as published
	FaixasEtarias     string // of a person, as the rows of the answer have them, with commas between
	Pais              string // of a foreigner
	UF                string // of the head office
	Municipio         string
	SituacaoCadastral string
	Distancia         int64 // ties to the nearest member asked for
}

// NetworkOmission is what a network leaves out at one of its members.
type NetworkOmission struct {
	ID       string
	Socios   int64
	Empresas int64
}

// NetworkMemberTable returns the table of a member of a network.
func NetworkMemberTable() Table {
	e, p := EstablishmentTable(), PartnerTable()
	uf, city, status, country, ages := e.Field("uf"), e.Field("municipio"), e.Field("situacao_cadastral"), p.Field("pais"), p.Field("faixa_etaria")
	uf.About, city.About = "estado da matriz, sigla", "município da matriz, código da Receita Federal"
	return Table{Name: "MembroDaRede", Title: "Membro de uma rede", Type: "NetworkMember", About: "Uma empresa, ou quem está em uma. Nome e seis dígitos do CPF não identificam uma pessoa: há homônimos.", Fields: []Field{
		{Name: "id", Go: "ID", Kind: Text, Personal: true, About: "identificador, o mesmo em todas as cargas: as 8 posições de uma empresa; de uma pessoa, seis dígitos do CPF e o nome; ex- de quem está no exterior"},
		{Name: "tipo", Go: "Tipo", Kind: Choice, Values: []string{"empresa", "pessoa", "estrangeiro", "nao_identificado"}, About: "o que é"},
		{Name: "nome", Go: "Nome", Kind: TextOrNull, Personal: true, About: "nome como foi publicado; null: a empresa não consta da carga, e o nome que outra lhe dá está nas linhas do vínculo, em nome_socio"},
		{Name: "cnpj", Go: "CNPJ", Kind: TextOrNull, About: "CNPJ da matriz de uma empresa"},
		{Name: "documento", Go: "Documento", Kind: TextOrNull, Personal: true, About: "CPF mascarado de uma pessoa, como foi publicado"},
		{Name: "faixas_etarias", Go: "FaixasEtarias", Kind: Codes, Domain: ages.Domain, Personal: true, About: "faixas etárias nas linhas desta resposta; mais de uma: são homônimos, porque as linhas são do mesmo mês"},
		{Name: "pais", Go: "Pais", Kind: Code, Domain: country.Domain, About: "país de um estrangeiro"},
		{Name: "uf", Go: "UF", Kind: uf.Kind, Domain: uf.Domain, About: uf.About},
		{Name: "municipio", Go: "Municipio", Kind: city.Kind, Domain: city.Domain, About: city.About},
		{Name: "situacao_cadastral", Go: "SituacaoCadastral", Kind: status.Kind, Domain: status.Domain, About: status.About},
		{Name: "distancia", Go: "Distancia", Kind: Count, About: "vínculos desta resposta até o membro pedido mais próximo; 1 de quem só tem um contato em comum"},
	}}
}

// NetworkOmissionTable returns the table of what a network leaves out.
func NetworkOmissionTable() Table {
	return Table{Name: "ForaDaRede", Title: "O que ficou fora de uma rede", Type: "NetworkOmission", About: "Quantos vínculos de um membro não estão na rede, pelos limites dela.", Fields: []Field{
		{Name: "id", Go: "ID", Kind: Text, Personal: true, About: "identificador do membro"},
		{Name: "socios", Go: "Socios", Kind: Count, About: "sócios da empresa que não estão na rede"},
		{Name: "empresas", Go: "Empresas", Kind: Count, About: "empresas que nomeiam o membro e não estão na rede"},
	}}
}
