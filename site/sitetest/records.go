package sitetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/internal/data/source"
	"razao/internal/testing/fixture"
)

// Establishments of the fixture that have invented records, formatted as some sources publish them.
const (
	BakeryOffice = "12.345.678/0001-95"
	BakeryBranch = "12.345.678/00A4-79"
	CityNumber   = "46000111000107"
	MEINumber    = "41330504000157"
	longCause    = "LEI 14133 - ART. 156, III - O IMPEDIMENTO DE LICITAR E CONTRATAR SERÁ APLICADO AO RESPONSÁVEL PELAS INFRAÇÕES PREVISTAS NESTA LEI, QUANDO NÃO SE JUSTIFICAR PENALIDADE MAIS GRAVE"
)

// loadRecords loads invented records of nine files, pncp_orgao among the sources; the other sources are never loaded.
func loadRecords(t testing.TB, l *fixture.Loaded) {
	t.Helper()
	for _, src := range []struct {
		id, period string
		files      map[string]string
	}{
		{"pgfn", "", map[string]string{"arquivo_lai_SIDA_1_202606.csv": debts(45)}},
		{"ceis", "", map[string]string{"20260930_CEIS.csv": quoted(sanctionHeader, sanctionRows())}},
		{"mte_empregadores", "2026-09-04", map[string]string{"cadastro_de_empregadores.csv": employers(MEINumber, "RUA SEGREDO 77, CAMPINAS/SP")}},
		{"habilitacao_aduaneira", "2026-11", map[string]string{"habilitadas.csv": "RAZÃO SOCIAL;CNPJ EMPRESA;MODALIDADE HABILITAÇÃO\nPADARIA ESTRELA DO SUL LTDA;12345678;LIMITADA (ATÉ US$ 150.000,00)\n"}},
		{"ibama_autos", "", map[string]string{"auto_infracao_2024.csv": table("ibama_autos", noticeRows())}},
		{"ibama_embargos", "", map[string]string{"termo_embargo.csv": table("ibama_embargos", embargoRows())}},
		{"rntrc", "", map[string]string{"transportadores_rntrc_09_2026.csv": strings.ToLower(strings.SplitAfterN(table("rntrc", nil), "\n", 2)[0]) + "000123456;PADARIA ESTRELA DO SUL LTDA;" + BakeryOffice + ";ETC;ATIVO;23/05/2017;23/10/2024;13024-100;CAMPINAS;SP;Não\n"}},
		{"pncp", "", map[string]string{"pncp_contratos_2026-09.jsonl": contracts(21)}},
		{"bndes", "2026-09", financings()},
	} {
		load(t, l, src.id, src.period, src.files)
	}
}

// load loads the files of a source.
func load(t testing.TB, l *fixture.Loaded, id, period string, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if id == "ceis" || id == "mte_empregadores" || id == "bndes" {
			text = latin1(text)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l.Source(t, id, dir, period)
}

// LoadEmployers loads a register of the MTE with employers, pairs of a document and an address.
func LoadEmployers(t testing.TB, l *fixture.Loaded, pairs ...string) {
	t.Helper()
	load(t, l, "mte_empregadores", "2026-09-04", map[string]string{"cadastro_de_empregadores.csv": employers(pairs...)})
}

func employers(pairs ...string) string {
	text := "ID;Ano da ação fiscal;UF;Empregador;CNPJ/CPF;Estabelecimento;Trabalhadores envolvidos;CNAE;Decisão administrativa de procedência;Inclusão no Cadastro de Empregadores"
	for i := 0; i < len(pairs); i += 2 {
		text += fmt.Sprintf("\r\n%d;2023;SP;JOANA FICTICIA;%s;%s;3;1063-5/00;19/02/2025;05/04/2024 a 10/05/2024, 09/04/2025", i/2+1, pairs[i], pairs[i+1])
	}
	return text
}

func latin1(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteByte(byte(r))
	}
	return b.String()
}

func debts(n int) string {
	var b strings.Builder
	b.WriteString("CPF_CNPJ;TIPO_PESSOA;TIPO_DEVEDOR;NOME_DEVEDOR;UF_DEVEDOR;UNIDADE_RESPONSAVEL;NUMERO_INSCRICAO;TIPO_SITUACAO_INSCRICAO;SITUACAO_INSCRICAO;RECEITA_PRINCIPAL;DATA_INSCRICAO;INDICADOR_AJUIZADO;VALOR_CONSOLIDADO\n")
	for i := range n {
		fmt.Fprintf(&b, "%s;Pessoa jurídica;PRINCIPAL;PADARIA ESTRELA DO SUL LTDA;SP;CAMPINAS;80600%08d;Em cobrança;ATIVA AJUIZADA;COFINS;%02d/03/2019;SIM;%d.90\n",
			BakeryOffice, i, i%28+1, 1000*i)
	}
	fmt.Fprintf(&b, "%s;Pessoa jurídica;SOLIDARIO;PADARIA ESTRELA DO SUL LTDA;SP;CAMPINAS;8069900000001;Garantia;<B>GARANTIDA</B>;;01/01/1000;NAO;.22\n", BakeryBranch)
	return latin1(b.String())
}

var sanctionHeader = []string{
	"CADASTRO", "CÓDIGO DA SANÇÃO", "TIPO DE PESSOA", "CPF OU CNPJ DO SANCIONADO", "NOME DO SANCIONADO",
	"NOME INFORMADO PELO ÓRGÃO SANCIONADOR", "RAZÃO SOCIAL - CADASTRO RECEITA", "NOME FANTASIA - CADASTRO RECEITA",
	"NÚMERO DO PROCESSO", "CATEGORIA DA SANÇÃO", "DATA INÍCIO SANÇÃO", "DATA FINAL SANÇÃO", "DATA PUBLICAÇÃO", "PUBLICAÇÃO",
	"DETALHAMENTO DO MEIO DE PUBLICAÇÃO", "DATA DO TRÂNSITO EM JULGADO", "ABRAGÊNCIA DA SANÇÃO", "ÓRGÃO SANCIONADOR",
	"UF ÓRGÃO SANCIONADOR", "ESFERA ÓRGÃO SANCIONADOR", "FUNDAMENTAÇÃO LEGAL", "DATA ORIGEM INFORMAÇÃO", "ORIGEM INFORMAÇÕES",
	"OBSERVAÇÕES",
}

func sanctionRows() [][]string {
	row := func(code, from, to, cause, note string) []string {
		return []string{
			"CEIS", code, "J", "12345678000195", "PADARIA ESTRELA DO SUL LTDA", "", "", "", "PROC-" + code, "Suspensão", from, to, "",
			"", "", "", "Sem Informação", "Prefeitura de Exemplândia", "SP", "MUNICIPAL", cause, "", "", note,
		}
	}
	return [][]string{
		row("1", "10/02/2020", "10/02/2022", longCause, "<script>alert('oi')</script>"),
		row("2", "15/10/2026", "15/10/2028", "LEI 8666", ""),
	}
}

func quoted(header []string, rows [][]string) string {
	var b strings.Builder
	for _, row := range append([][]string{header}, rows...) {
		b.WriteString(`"` + strings.Join(row, `";"`) + "\"\r\n")
	}
	return b.String()
}

// table writes rows as CSV with a source's fields as columns, the format of IBAMA and ANTT.
func table(id string, rows []map[string]string) string {
	src, _ := source.Find(id)
	var b strings.Builder
	for i, f := range src.Fields {
		b.WriteString(";"[:min(i, 1)] + strings.ToUpper(f.Name))
	}
	b.WriteString("\n")
	for _, row := range rows {
		for i, f := range src.Fields {
			b.WriteString(";"[:min(i, 1)] + row[f.Name])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// noticeRows returns 25 infractions of the bakery's head office, the newest with a known embargo,
// and one of its branch.
func noticeRows() []map[string]string {
	var rows []map[string]string
	for i := range 26 {
		row := map[string]string{
			"seq_auto_infracao": fmt.Sprint(9000 + i), "num_auto_infracao": fmt.Sprintf("AUTO%02d", i), "ser_auto_infracao": "E",
			"tipo_auto": "Multa", "val_auto_infracao": "150500,00", "des_status_formulario": "Lavrado", "sit_cancelado": "N",
			"dat_hora_auto_infracao": fmt.Sprintf("2024-03-%02d 10:42:00", 30-i), "tipo_infracao": "Flora", "municipio": "ALTAMIRA", "uf": "PA",
			"des_auto_infracao": "Destruir vegetação nativa", "cpf_cnpj_infrator": BakeryOffice, "nome_infrator": "PADARIA ESTRELA DO SUL LTDA",
			"tp_pessoa_infrator": "PJ", "ultima_atualizacao_relatorio": "2026-08-05 18:56:39",
		}
		switch i {
		case 0:
			row["cd_termos_embargos"], row["sit_cancelado"], row["des_status_formulario"] = "TERMO7", "S", "Cancelado"
		case 1:
			row["cd_termos_embargos"] = "NADA"
		case 25:
			row["cpf_cnpj_infrator"] = BakeryBranch
		}
		rows = append(rows, row)
	}
	return rows
}

func embargoRows() []map[string]string {
	return []map[string]string{
		{
			"seq_tad": "310001.0", "num_tad": "TERMO7", "ser_tad": "E", "dat_embargo": "2024-03-31 11:00:00", "des_status_formulario": "Lavrado",
			"sit_cancelado": "N", "cpf_cnpj_embargado": "12345678000195", "nome_embargado": "PADARIA ESTRELA DO SUL LTDA", "municipio": "Altamira", "uf": "PA",
			"nome_imovel": "FAZENDA EXEMPLO", "qtd_area_embargada": "1234,35", "seq_auto_infracao": "9000.0", "num_auto_infracao": "AUTO00",
			"ultima_atualizacao_relatorio": "2026-11-01 18:56:39",
		},
		{
			"seq_tad": "310002.0", "num_tad": "TERMO8", "ser_tad": "C", "dat_embargo": "2011-09-01 00:00:00", "sit_cancelado": "N",
			"cpf_cnpj_embargado": "12345678000195", "nome_embargado": "PADARIA ESTRELA DO SUL LTDA", "sit_desembargo": "Desembargado",
			"tipo_desembargo": "Total", "dat_desembargo": "2013-02-20 00:00:00", "seq_auto_infracao": "9024.0",
			"ultima_atualizacao_relatorio": "2026-11-01 18:56:39",
		},
	}
}

// contracts returns n contracts of the bakery with the fixture's city, newest first.
func contracts(n int) string {
	var b strings.Builder
	for i := range n {
		line, err := json.Marshal(map[string]any{
			"numeroControlePNCP": fmt.Sprintf(CityNumber+"-2-%06d/2026", n-i), "anoContrato": 2026, "sequencialContrato": n - i,
			"numeroContratoEmpenho": fmt.Sprintf("CT-%03d", n-i), "processo": "2026/1", "tipoContrato": map[string]any{"id": 1, "nome": "Contrato (termo inicial)"},
			"categoriaProcesso": map[string]any{"id": 2, "nome": "Compras"}, "objetoContrato": "Pão francês & <b>bolo</b>", "receita": false,
			"orgaoEntidade": map[string]any{"cnpj": CityNumber, "razaoSocial": "MUNICIPIO FICTICIO DE EXEMPLANDIA", "poderId": "E", "esferaId": "M"},
			"unidadeOrgao":  map[string]any{"codigoUnidade": "1", "nomeUnidade": "Secretaria de Merenda", "codigoIbge": "3509502", "municipioNome": "Campinas", "ufSigla": "SP", "ufNome": "São Paulo"},
			"tipoPessoa":    "PJ", "niFornecedor": "12345678000195", "nomeRazaoSocialFornecedor": "PADARIA ESTRELA DO SUL LTDA", "codigoPaisFornecedor": "BRA",
			"valorInicial": json.Number("1234.5678"), "valorGlobal": json.Number("1234.5678"), "numeroParcelas": 1, "numeroRetificacao": 0,
			"dataAssinatura": fmt.Sprintf("2026-08-%02d", n-i), "dataVigenciaInicio": "2026-09-01", "dataVigenciaFim": "2027-08-31",
			"dataPublicacaoPncp": "2026-09-02T09:49:03", "dataAtualizacao": "2026-09-02T09:49:03", "dataAtualizacaoGlobal": "2026-09-02T09:49:03",
		})
		if err != nil {
			panic(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// financings returns three BNDES operations: with a published CNPJ, with an inferred one, and
// without.
func financings() map[string]string {
	const (
		common = ";SP;CAMPINAS;3509502;%s;%s;%s;-;TLP;5,81;36;84;REEMBOLSÁVEL;DIRETA;BNDES FINEM;CAPACIDADE PRODUTIVA;NÃO;AREA;INDUSTRIA;ALIMENTOS;C1091102;PANIFICACAO;INDUSTRIA;ALIMENTOS;PEQUENA;PRIVADA;BANCO EXEMPLO S.A.;60.746.948.0001-12"
		prefix = "operacoes-financiamento-operacoes-"
	)
	direct := "cliente;cnpj;descricao_do_projeto;numero_do_contrato;tipo_de_garantia;tipo_de_excepcionalidade;situacao_do_contrato;uf;municipio;municipio_codigo;data_da_contratacao;valor_contratado_reais;valor_desembolsado_reais;fonte_de_recurso_desembolsos;custo_financeiro;juros;prazo_carencia_meses;prazo_amortizacao_meses;modalidade_de_apoio;forma_de_apoio;produto;instrumento_financeiro;inovacao;area_operacional;setor_cnae;subsetor_cnae_agrupado;subsetor_cnae_codigo;subsetor_cnae_nome;setor_bndes;subsetor_bndes;porte_do_cliente;natureza_do_cliente;instituicao_financeira_credenciada;cnpj_da_instituicao_financeira_credenciada\n" +
		"PADARIA ESTRELA DO SUL LTDA;" + BakeryOffice + ";AMPLIACAO DE FORNOS;24900001;PESSOAL;----------;ATIVO" + fmt.Sprintf(common, "2024-09-03", "10003861,3", "2500000,55") + "\n"
	indirect := "cliente;cpf_cnpj;situacao_da_operacao;uf;municipio;municipio_codigo;data_da_contratacao;valor_da_operacao_em_reais;valor_desembolsado_reais;fonte_de_recurso_desembolsos;custo_financeiro;juros;prazo_carencia_meses;prazo_amortizacao_meses;modalidade_de_apoio;forma_de_apoio;produto;instrumento_financeiro;inovacao;area_operacional;setor_cnae;subsetor_cnae_agrupado;subsetor_cnae_codigo;subsetor_cnae_nome;setor_bndes;subsetor_bndes;porte_do_cliente;natureza_do_cliente;instituicao_financeira_credenciada;cnpj_do_agente_financeiro\n" +
		"PADARIA ESTRELA DO SUL LTDA;**.*45.678/0001-**;ATIVA" + fmt.Sprintf(common, "2023-05-14", "420000", "") + "\n" +
		"NOME QUE NINGUEM TEM LTDA;**.*45.678/0001-**;ATIVA" + fmt.Sprintf(common, "2022-05-14", "1", "") + "\n"
	return map[string]string{prefix + "nao-automaticas.csv": direct, prefix + "indiretas-automaticas.csv": indirect}
}
