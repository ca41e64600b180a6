package glossary

import "slices"

// Caveat is what an answer does not say although readers may take it to. Its evidence is the origin of
// the term.
type Caveat struct {
	Entry
	Text string // a sentence in Portuguese

	// of are the parts of questions that the caveat is about: names of search parameters, with a value where
	// only that one counts (ordem=capital), "-" for any that is excluded (fonte=-), and of figures (capital_social).
	of []string
}

// caveats is the table of all caveats, the most important first: answers have them in this order.
var caveats = func() []Caveat {
	list := []struct {
		id, text string
		of       []string
	}{
		{
			"ativa", "ATIVA é a situação no cadastro, não prova de atividade: quem parou sem pedir a baixa continua ativa.",
			[]string{"situacao=02", "empresas_ativas"},
		},
		{
			"matriz", "As empresas são contadas onde têm a matriz, que pode não ser onde trabalham; os estabelecimentos, onde estão.",
			[]string{"empresas_ativas"},
		},
		{
			"sem-ocorrencia", "Não constar de uma fonte não é certidão: vale para a carga em uso, no período dela.",
			[]string{"sancao=nao", "divida_ate", "contratos_ate", "emprestimos_ate", "fonte=-"},
		},
		{
			"divida-ativa", "A dívida é a inscrita na União e no FGTS no fim do trimestre, com a parcelada, garantida ou suspensa, e só a do devedor principal é somada; a estadual e a municipal não constam.",
			[]string{"divida_de", "divida_ate", "fonte=pgfn", "fonte_todas=pgfn"},
		},
		{
			"pncp", "Os contratos são os publicados no PNCP, pelo valor global: não são o que foi pago, os que geram receita para o órgão não são somados, e os de leis anteriores podem faltar.",
			[]string{"contratos_de", "contratos_ate", "contratos_ano", "fonte=pncp", "fonte_todas=pncp", "fonte=pncp_orgao", "fonte_todas=pncp_orgao"},
		},
		{
			"vinculo-inferido", "Parte dos financiamentos do BNDES é publicada com o CNPJ incompleto; a que não pôde ser ligada a uma empresa não é contada.",
			[]string{"emprestimos_de", "emprestimos_ate", "emprestimos_ano", "fonte=bndes", "fonte_todas=bndes"},
		},
		{
			"cpf-mascarado", "Nomes iguais podem ser de pessoas diferentes: os CPFs são publicados só com seis dígitos.",
			[]string{"em=socios"},
		},
		{
			"participacao", "O percentual de cada sócio não está nos dados abertos do CNPJ: ser sócio não quer dizer controlar.",
			[]string{"em=socios", "socio_tipo", "socio_qualificacao"},
		},
		{
			"qsa", "O quadro não existe para o empresário individual, e em sociedades por ações traz os administradores, não os acionistas.",
			[]string{"socios_de", "socios_ate", "socio_tipo", "socio_qualificacao", "socio_faixa"},
		},
		{
			"dado-pessoal", "O telefone e o e-mail de pessoas físicas, como MEI e outros empresários individuais, não são procurados: elas contam como quem não tem.",
			[]string{"telefone", "email"},
		},
		{
			"simples", "A opção pelo Simples Nacional é a do arquivo do mês: entradas e exclusões posteriores não constam.",
			[]string{"simples", "simples_de", "simples_ate"},
		},
		{
			"mei", "A opção pelo MEI é a do arquivo do mês: entradas e desenquadramentos posteriores não constam.",
			[]string{"mei", "mei_de", "mei_ate"},
		},
		{
			"porte", "O porte é o declarado: “demais” reúne médias, grandes e quem não pode ser enquadrado, e nenhum diz o faturamento.",
			[]string{"porte"},
		},
		{
			"capital-social", "O capital social é o declarado e ninguém o confere: não é patrimônio nem faturamento.",
			[]string{"capital", "capital_de", "capital_ate", "ordem=capital", "capital_social"},
		},
		{
			"cnae", "A atividade é a declarada; não prova que é exercida.",
			[]string{"cnae", "cnae_secundario", "cnae_todos"},
		},
	}
	all := make([]Caveat, 0, len(list))
	for _, c := range list {
		entry, ok := Find(c.id)
		if !ok {
			panic("glossary: no term " + c.id + " for a caveat") // programming error
		}
		all = append(all, Caveat{entry, c.text, c.of})
	}
	return all
}()

// Caveats returns what must be said of an answer that rests on these parts of its question, each as a
// name (capital_de) or a name with a value (situacao=02).
func Caveats(parts []string) []Caveat {
	var found []Caveat
	for _, c := range caveats {
		if slices.ContainsFunc(c.of, func(part string) bool { return slices.Contains(parts, part) }) {
			found = append(found, c)
		}
	}
	return found
}
