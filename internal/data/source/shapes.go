package source

// Shapes of objects, and of lists.
var (
	entry = &Shape{Type: "object", Name: "ItemDeTabela", About: "Um item de uma tabela do PNCP.", Members: []Field{
		{Name: "id", Kind: Number, About: "código"},
		{Name: "nome", Kind: Text, About: "o que o código quer dizer"},
	}}
	body = &Shape{Type: "object", Name: "OrgaoDoContrato", About: "Um órgão ou entidade de um contrato.", Members: []Field{
		{Name: "cnpj", Kind: Text, About: "CNPJ do órgão, sem máscara"},
		{Name: "razao_social", Kind: Text, About: "nome do órgão"},
		{Name: "poder_id", Kind: Text, About: "poder: E Executivo, L Legislativo, J Judiciário, N não se aplica"},
		{Name: "esfera_id", Kind: Text, About: "esfera: F federal, E estadual, M municipal, D distrital, N não se aplica"},
	}}
	unit = &Shape{Type: "object", Name: "UnidadeDoContrato", About: "Uma unidade de um órgão.", Members: []Field{
		{Name: "codigo_unidade", Kind: Text, About: "código da unidade"},
		{Name: "nome_unidade", Kind: Text, About: "nome da unidade"},
		{Name: "codigo_ibge", Kind: Text, About: "código do município no IBGE"},
		{Name: "municipio_nome", Kind: Text, About: "nome do município"},
		{Name: "uf_sigla", Kind: Text, About: "sigla do estado"},
		{Name: "uf_nome", Kind: Text, About: "nome do estado"},
	}}
	roles   = &Shape{Type: "string", List: true, Values: []string{"fornecedor", "subcontratado"}}
	effects = &Shape{Type: "object", List: true, Name: "EfeitoDoAcordo", About: "Um efeito de um acordo.", Members: []Field{
		{Name: "efeito", Kind: Text, About: "o efeito"},
		{Name: "complemento", Kind: Text, About: "o que se diz dele"},
	}}
	periods = &Shape{Type: "object", List: true, Name: "PeriodoNoCadastro", About: "Um período em um cadastro.", Members: []Field{
		{Name: "inicio", Kind: Text, Unit: "DD/MM/AAAA", About: "primeiro dia"},
		{Name: "fim", Kind: Text, Unit: "DD/MM/AAAA", About: "último dia; null enquanto consta"},
	}}
)
