package source

// pgfnFields returns the fields of a debt. tipo_credito exists only in the social security system
// (previdenciario), entidade_responsavel and unidade_inscricao only in FGTS, receita_principal in
// the other two.
func pgfnFields() []Field {
	return []Field{
		{Name: "sistema", Kind: Code, About: "sistema da dívida: nao_previdenciario, previdenciario ou fgts"},
		{Name: "cnpj", Kind: Document, About: "CNPJ do devedor, sem máscara"},
		{Name: "tipo_pessoa", Kind: Code, About: "tipo de pessoa, por extenso; aqui só há pessoas jurídicas"},
		{Name: "tipo_devedor", Kind: Code, About: "papel do devedor na inscrição: principal, corresponsável ou solidário, na grafia da fonte"},
		{Name: "nome_devedor", Kind: Text, About: "nome do devedor na fonte"},
		{Name: "uf_devedor", Kind: Code, About: "UF do devedor; null nas publicações até o 3º trimestre de 2022, que só dão a da unidade da PGFN"},
		{Name: "unidade_responsavel", Kind: Code, About: "unidade da PGFN que responde pela inscrição; não é o lugar do devedor"},
		{Name: "entidade_responsavel", Kind: Code, About: "quem cobra, PGFN ou CAIXA; só no FGTS"},
		{Name: "unidade_inscricao", Kind: Code, About: "unidade que inscreveu o débito; só no FGTS"},
		{Name: "numero_inscricao", Kind: Text, Serial: true, About: "número da inscrição, como texto; a fonte às vezes omite zeros à esquerda"},
		{Name: "tipo_situacao_inscricao", Kind: Code, About: "grupo da situação, como “Em cobrança”, “Benefício Fiscal” ou “Garantia”"},
		{Name: "situacao_inscricao", Kind: Code, About: "situação da inscrição, em texto livre da fonte"},
		{Name: "receita_principal", Kind: Code, About: "receita a que o débito pertence; não existe no previdenciário"},
		{Name: "tipo_credito", Kind: Code, About: "tipo do crédito; só no previdenciário"},
		{Name: "data_inscricao", Kind: Text, Unit: "AAAAMMDD", About: "data da inscrição em dívida ativa; null quando a fonte não a conhece"},
		{Name: "indicador_ajuizado", Kind: Code, About: "SIM quando a dívida é cobrada na justiça, NAO quando não"},
		{Name: "valor_consolidado", Kind: Number, Unit: "reais", About: "valor da inscrição no fim do trimestre; repete-se inteiro em cada corresponsável, por isso não se somam as linhas"},
	}
}

// sanctionFields returns the fields of CEIS or, with fine, of CNEP.
func sanctionFields(fine bool) []Field {
	fields := []Field{
		{Name: "cadastro", Kind: Code, About: "cadastro da sanção: CEIS ou CNEP"},
		{Name: "codigo_sancao", Kind: Text, Serial: true, About: "código da sanção, único no cadastro"},
		{Name: "tipo_pessoa", Kind: Code, About: "J: pessoa jurídica; null quando a fonte não diz"},
		{Name: "cnpj", Kind: Document, About: "CNPJ do sancionado, sem máscara"},
		{Name: "nome_sancionado", Kind: Text, About: "nome mostrado no Portal da Transparência"},
		{Name: "nome_informado_orgao_sancionador", Kind: Text, About: "nome escrito pelo órgão que aplicou a sanção"},
		{Name: "razao_social_receita", Kind: Text, About: "razão social na Receita Federal, segundo a CGU"},
		{Name: "nome_fantasia_receita", Kind: Text, About: "nome fantasia na Receita Federal, segundo a CGU"},
		{Name: "numero_processo", Kind: Text, Serial: true, About: "número do processo, em texto livre"},
		{Name: "categoria_sancao", Kind: Code, About: "espécie da sanção, como multa, suspensão ou declaração de inidoneidade"},
	}
	if fine {
		fields = append(fields, Field{Name: "valor_multa", Kind: Number, Unit: "reais", About: "valor da multa; 0.00 quando a sanção não é multa"})
	}
	return append(fields, []Field{
		{Name: "data_inicio_sancao", Kind: Text, Unit: "DD/MM/AAAA", About: "início da sanção"},
		{Name: "data_final_sancao", Kind: Text, Unit: "DD/MM/AAAA", About: "fim da sanção; null quando não foi publicado"},
		{Name: "data_publicacao", Kind: Text, Unit: "DD/MM/AAAA", About: "data da publicação da sanção"},
		{Name: "publicacao", Kind: Code, About: "onde a sanção foi publicada, com seção e página"},
		{Name: "detalhamento_meio_publicacao", Kind: Text, About: "pormenores do meio de publicação"},
		{Name: "data_transito_julgado", Kind: Text, Unit: "DD/MM/AAAA", About: "data do trânsito em julgado"},
		{Name: "abrangencia_sancao", Kind: Code, About: "diante de que poderes e esferas a sanção vale"},
		{Name: "orgao_sancionador", Kind: Code, About: "órgão que aplicou a sanção"},
		{Name: "uf_orgao_sancionador", Kind: Code, About: "UF do órgão sancionador; null em órgãos federais"},
		{Name: "esfera_orgao_sancionador", Kind: Code, About: "esfera do órgão sancionador: FEDERAL, ESTADUAL ou MUNICIPAL"},
		{Name: "fundamentacao_legal", Kind: Code, About: "lei e artigos que fundamentam a sanção; vários são separados por ;;"},
		{Name: "data_origem_informacao", Kind: Text, Unit: "DD/MM/AAAA", About: "data em que a informação foi registrada"},
		{Name: "origem_informacoes", Kind: Code, About: "órgão que registrou a informação"},
		{Name: "observacoes", Kind: Text, Personal: true, About: "observações livres; CPFs são mascarados"},
	}...)
}
