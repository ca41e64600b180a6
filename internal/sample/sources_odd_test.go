package sample

import (
	"regexp"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/sample/world"
)

// checkOddities checks that every oddity of the published files occurs at least once.
func checkOddities(t *testing.T, r *published, contracts []contractLine) {
	has := func(column, pattern string) func(map[string]string) bool {
		re := regexp.MustCompile(pattern)
		return func(row map[string]string) bool { return re.MatchString(row[column]) }
	}
	for _, c := range []struct {
		name, source string
		is           func(map[string]string) bool
	}{
		{"debt below one real", "pgfn", has("VALOR_CONSOLIDADO", `^\.(0[1-9]|[1-9]\d)$`)},
		{"debt of nothing", "pgfn", has("VALOR_CONSOLIDADO", `^\.00$`)},
		{"debt without a date", "pgfn", has("DATA_INSCRICAO", `^01/01/1000$`)},
		{"debt of the seventies", "pgfn", has("DATA_INSCRICAO", `/19(69|7\d)$`)},
		{"question mark", "pgfn", has("SITUACAO_INSCRICAO", `^PARCWEB \? Outros`)},
		{"debtor of no UF", "pgfn", has("UF_DEVEDOR", `^Si$`)},
		{"double blank in a name", "pgfn", has("NOME_DEVEDOR", `\S  EM RECUPERACAO`)},
		{"joint debtor", "pgfn", has("TIPO_DEVEDOR", `^SOLIDARIO$`)},
		{"co-debtor", "pgfn", has("TIPO_DEVEDOR", `^CORRESPONSAVEL$`)},
		{"masked person", "pgfn", has("CPF_CNPJ", `^XXX\d{3}\.\d{3}XX$`)},
		{"CPF in a name", "pgfn", has("NOME_DEVEDOR", ` \d{11}$`)},
		{"LC 110", "pgfn", has("NUMERO_INSCRICAO", `^CS[A-Z]{2}\d{9}$`)},
		{"rare number", "pgfn", has("NUMERO_INSCRICAO", `^FGTS[A-Z]{2}\d{7}$`)},
		{"CAIXA", "pgfn", has("ENTIDADE_RESPONSAVEL", `^CAIXA$`)},
		{"lost zeros of RS", "pgfn", has("NUMERO_INSCRICAO", `^[245678]\d{10}$`)},
		{"root with letters", "pgfn", has("CPF_CNPJ", `[A-Z].*/.*-`)},

		{"foreign number", "ceis", has("CPF OU CNPJ DO SANCIONADO", `^\d{9}$`)},
		{"company without type", "ceis", func(row map[string]string) bool {
			return row["TIPO DE PESSOA"] == "" && len(row["CPF OU CNPJ DO SANCIONADO"]) == 14
		}},
		{"line break, quotes and separator", "ceis", has("OBSERVAÇÕES", `(?s)\n.*".*;`)},
		{"CPF in free text", "ceis", has("OBSERVAÇÕES", `CPF \d{3}\.\d{3}\.\d{3}-\d\d`)},
		{"CPF in a name", "ceis", has("NOME DO SANCIONADO", ` \d{11}$`)},
		{"two legal grounds", "ceis", has("FUNDAMENTAÇÃO LEGAL", `;;`)},
		{"nothing informed", "ceis", has("PUBLICAÇÃO", `^Sem Informação$`)},
		{"no end", "ceis", has("DATA FINAL SANÇÃO", `^$`)},
		{"fine", "cnep", has("VALOR DA MULTA", `^\d{4,},\d\d$`)},
		{"no fine", "cnep", has("VALOR DA MULTA", `^0,00$`)},
		{"zero in front of a number", "cepim", has("NÚMERO CONVÊNIO", `^0`)},
		{"foreign signatory", "acordos_leniencia", has("CNPJ DO SANCIONADO", `^EX[A-Z]+$`)},
		{"line break in terms", "acordos_leniencia", has("TERMOS DO ACORDO", `\n`)},

		{"footnote", "mte_empregadores", has("Empregador", ` \(\*1\)$`)},
		{"no year", "mte_empregadores", has("Ano da ação fiscal", `^$`)},
		{"came back", "mte_empregadores", has("Inclusão no Cadastro de Empregadores", `^\d\d/\d\d/\d{4} a \d\d/\d\d/\d{4}, \d\d/\d\d/\d{4}$`)},
		{"CPF in a name", "mte_empregadores", has("Empregador", ` \d{11}$`)},
		{"root in a name", "mte_empregadores", has("Empregador", `^\w\w\.\w{3}\.\w{3} [A-Z]`)},
		{"typographic apostrophe", "mte_empregadores", has("Estabelecimento", `D’`)},
		{"dash", "mte_empregadores", has("Estabelecimento", ` – ZONA`)},
		{"dates without a comma", "mte_ceac", has("Inclusão no CEAC", `^\S{10} \S{10}$`)},
		{"dates in the other column", "mte_ceac", func(row map[string]string) bool {
			return row["Inclusão no CEAC"] == "" && row["Inclusão no Cadastro de Empregadores"] != ""
		}},

		{"lost zero of a root", "habilitacao_aduaneira", has("CNPJ EMPRESA", `^\d{7}$`)},
		{"lost zero of a CNPJ", "habilitacao_aduaneira", has("CNPJ EMPRESA", `^\d{13}$`)},
		{"whole CNPJ", "habilitacao_aduaneira", has("CNPJ EMPRESA", `^\d{14}$`)},
		{"masked CNPJ", "habilitacao_aduaneira", has("CNPJ EMPRESA", `/0001-`)},

		{"no SEQ", "ibama_autos", has("SEQ_AUTO_INFRACAO", `^$`)},
		{"date alone", "ibama_autos", has("DAT_HORA_AUTO_INFRACAO", `^\d{4}-\d\d-\d\d$`)},
		{"cancelled", "ibama_autos", has("SIT_CANCELADO", `^S$`)},
		{"no fine", "ibama_autos", has("VAL_AUTO_INFRACAO", `^$`)},
		{"no type of person", "ibama_autos", has("TP_PESSOA_INFRATOR", `^$`)},
		{"separator in a text", "ibama_autos", has("DES_AUTO_INFRACAO", `;`)},
		{"line break and quotes in a text", "ibama_autos", has("DES_AUTO_INFRACAO", `(?s)\n.*"`)},
		{"masked person", "ibama_autos", has("CPF_CNPJ_INFRATOR", `^[X*]{3}\.\d{3}\.\d{3}-`)},
		{"field beyond 128 KiB", "ibama_autos", func(row map[string]string) bool { return len(row["WKT_GE_AREA_AUTUADA"]) > 128<<10 }},
		{"decimal comma of coordinates", "ibama_autos", has("NUM_LATITUDE_AUTO", `^-\d+,\d`)},
		{"id with a decimal", "ibama_embargos", has("SEQ_TAD", `^\d+\.0$`)},
		{"lost zero", "ibama_embargos", has("CPF_CNPJ_EMBARGADO", `^\d{12,13}$`)},
		{"lifted", "ibama_embargos", has("SIT_DESEMBARGO", `^Desembargado$`)},
		{"cancelled", "ibama_embargos", has("SIT_CANCELADO", `^S$`)},
		{"field of megabytes", "ibama_embargos", func(row map[string]string) bool { return len(row["GEOM_AREA_EMBARGADA"]) > 200<<10 }},

		{"quotes in a name", "rntrc", has("nome_transportador", `"MATRIZ" \+`)},
		{"cooperative", "rntrc", has("categoria_transportador", `^CTC$`)},
		{"pending", "rntrc", has("situacao_rntrc", `^PENDENTE$`)},
		{"no first date", "rntrc", has("data_primeiro_cadastro", `^$`)},

		{"code with a decimal", "bndes", has("municipio_codigo", `^\d{7}\.0$`)},
		{"unknown municipality", "bndes", has("municipio_codigo", `^9999999$`)},
		{"municipality 0", "bndes", has("municipio_codigo", `^0$`)},
		{"blank before the UF", "bndes", has("uf", `^ [A-Z]{2}$`)},
		{"en dash", "bndes", has("instrumento_financeiro", `–`)},
		{"not applicable", "bndes", has("instituicao_financeira_credenciada", `^-{10}$`)},
		{"lender with a dot", "bndes", has("cnpj_do_agente_financeiro", `\d{3}\.\d{4}-\d\d$`)},
		{"one decimal", "bndes", has("valor_desembolsado_reais", `^\d+,\d$`)},
		{"not disbursed", "bndes", has("valor_desembolsado_reais", `^0?$`)},
		{"blanks at the end", "bndes", has("inovacao", ` $`)},
		{"separator in a text", "bndes", has("descricao_do_projeto", `;`)},
	} {
		n := 0
		for _, row := range r.of(c.source, "") {
			if c.is(row) {
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s: no row has the oddity %q", c.source, c.name)
		}
	}
	checkOddContracts(t, contracts)
	checkRepeatedRows(t, r)
}

func checkOddContracts(t *testing.T, contracts []contractLine) {
	for name, is := range map[string]func(*contractLine) bool{
		"raw control character": func(c *contractLine) bool { return strings.ContainsAny(c.text, "\t\x1f") },
		"blank at the end":      func(c *contractLine) bool { return strings.HasSuffix(c.ObjetoContrato, " ") },
		"foreign supplier":      func(c *contractLine) bool { return c.TipoPessoa == "PE" },
		"subcontractor":         func(c *contractLine) bool { return valid(c.NiFornecedorSubContratado) },
		"four decimals":         func(c *contractLine) bool { return regexp.MustCompile(`\.\d{4}$`).MatchString(c.ValorInicial.String()) },
		"no decimals":           func(c *contractLine) bool { return regexp.MustCompile(`^\d+$`).MatchString(c.ValorInicial.String()) },
		"other spelling":        func(c *contractLine) bool { return strings.Contains(c.text, `"numeroControlePNCPCompra"`) },
		"another body's place":  func(c *contractLine) bool { return c.OrgaoSubRogado != nil },
		"no date":               func(c *contractLine) bool { return strings.Contains(c.text, `"dataVigenciaFim":null`) },
		"newer fields":          func(c *contractLine) bool { return strings.Contains(c.text, `"emendaParlamentar":null`) },
	} {
		n := 0
		for i := range contracts {
			if is(&contracts[i]) {
				n++
			}
		}
		if n == 0 {
			t.Errorf("no contract has the oddity %q", name)
		}
	}
}

// checkRepeatedRows checks that rows repeat where publishers repeat them, and that notices have
// later versions.
func checkRepeatedRows(t *testing.T, r *published) {
	for source, name := range map[string]string{"bndes": "operacoes-financiamento-operacoes-nao-automaticas.csv", "habilitacao_aduaneira": "empresas-habilitadas.csv"} {
		seen := map[string]bool{}
		repeated := 0
		for text := range strings.Lines(string(r.raw[source+"/"+name])) {
			if seen[text] {
				repeated++
			}
			seen[text] = true
		}
		if repeated == 0 {
			t.Errorf("no row of %s occurs twice", name)
		}
	}
	changed := map[string]string{}
	versions := 0
	for _, row := range r.of("ibama_autos", "") {
		key := row["NUM_AUTO_INFRACAO"] + "/" + row["SER_AUTO_INFRACAO"]
		if before, ok := changed[key]; ok {
			versions++
			if row["DT_ULT_ALTERACAO"] == before {
				t.Errorf("notice %s occurs twice, changed at the same time", key)
			}
		}
		changed[key] = row["DT_ULT_ALTERACAO"]
	}
	if versions == 0 {
		t.Error("no notice has two versions")
	}
}

// checkLinks links masked operations by the published rule and checks that a known share of them is
// linked.
func checkLinks(t *testing.T, r *published, _ []contractLine) {
	type key struct{ mask, name, city string }
	const longestClient = 55
	w, err := world.New(1, 10, "2026-09", "2026-09")
	if err != nil {
		t.Fatal(err)
	}
	ibge := map[string]string{}
	for _, city := range w.Cities {
		ibge[city.Code] = city.IBGE
	}
	candidates := map[key][]string{}
	sameName := map[key]bool{}
	for number, p := range r.known {
		name := folded(p.name)
		name = strings.TrimRight(name[:min(len(name), longestClient)], " ")
		candidates[key{number[3:12], name, ibge[p.city]}] = append(candidates[key{number[3:12], name, ibge[p.city]}], number)
		sameName[key{"", name, ibge[p.city]}] = true
	}
	roots := regexp.MustCompile(`^.{45}\((.{8})\)$`)
	var byMask, byRoot, homonyms, none, cut int
	rows := r.of("bndes", "indiretas")
	for _, row := range rows {
		name, mask := row["cliente"], cnpj.Unmask(strings.Trim(row["cpf_cnpj"], "*."))
		mask = strings.TrimRight(mask, "*")
		city := strings.TrimSuffix(row["municipio_codigo"], ".0")
		if len(name) > longestClient {
			t.Errorf("client %q is too long", name)
		}
		if m := roots.FindStringSubmatch(name); m != nil {
			if byRoot++; m[1][3:] != mask[:5] || !r.roots[m[1]] {
				t.Errorf("root of %q does not fit %s", name, row["cpf_cnpj"])
			}
			continue
		}
		folded := folded(name)
		switch found := candidates[key{mask, folded, city}]; {
		case len(found) == 1:
			byMask++
			if len(name) == longestClient {
				cut++
			}
		case len(found) > 1:
			t.Errorf("%q is of %v", name, found)
		case sameName[key{"", folded, city}]:
			homonyms++
		default:
			none++
		}
	}
	for name, c := range map[string]struct{ n, least, most int }{
		"linked by mask, name and municipality": {byMask, 500, 660},
		"linked by the root":                    {byRoot, 85, 135},
		"homonyms":                              {homonyms, 25, 90},
		"not linked":                            {none, 200, 320},
	} {
		if share := c.n * 1000 / len(rows); share < c.least || share > c.most {
			t.Errorf("%s: %d of 1000, want %d to %d", name, share, c.least, c.most)
		}
	}
	if cut == 0 {
		t.Error("no linked client's name is cut")
	}
}

// folded returns a name in the form in which that rule compares names.
func folded(name string) string {
	for _, c := range `.,/-'"` {
		name = strings.ReplaceAll(name, string(c), " ")
	}
	return strings.Join(strings.Fields(world.Fold(name)), " ")
}
