package bndes

import (
	"errors"
	"strings"
	"time"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
)

// Positions of the fields of an operation. They are those of the source's fields in package source.
const (
	tipoOperacao = iota
	documentoFonte
	cnpjVinculado
	metodoVinculo
	cliente
	numeroDoContrato
	descricaoDoProjeto
	uf
	municipio
	municipioCodigo
	dataDaContratacao
	valorContratadoReais
	valorDesembolsadoReais
	fonteDeRecursoDesembolsos
	custoFinanceiro
	juros
	prazoCarenciaMeses
	prazoAmortizacaoMeses
	modalidadeDeApoio
	formaDeApoio
	produto
	instrumentoFinanceiro
	inovacao
	areaOperacional
	setorCNAE
	subsetorCNAEAgrupado
	subsetorCNAECodigo
	subsetorCNAENome
	setorBNDES
	subsetorBNDES
	porteDoCliente
	naturezaDoCliente
	instituicaoFinanceiraCredenciada
	cnpjInstituicaoFinanceira
	tipoDeGarantia
	tipoDeExcepcionalidade
	situacao

	fieldCount
)

// operation is a row of either file, its values by field. cnpjVinculado and metodoVinculo are empty
// until it is linked.
type operation struct {
	where  rows.Where
	values [fieldCount]string
}

// layout describes one of the two files.
type layout struct {
	kind    string // value of tipo_operacao
	part    string // what a file's name contains, as a slug
	file    string // published name, for errors
	columns []column
}

// column is a published column, the field that it fills, and the function that cleans its value; an
// error of that function rejects the row.
type column struct {
	name  string
	field int
	read  func(string) (string, error)
}

// layouts returns both layouts. The field valor_contratado_reais also takes
// valor_da_operacao_em_reais, and the lender's CNPJ and the situation have another column name in
// each file.
func layouts() [2]layout {
	const prefix = "operacoes-financiamento-operacoes-"
	return [2]layout{
		{
			kind: "nao_automatica", part: "nao-automaticas", file: prefix + "nao-automaticas.csv",
			columns: append(commonColumns(),
				column{"cnpj", documentoFonte, verbatim},
				column{"descricao_do_projeto", descricaoDoProjeto, freeText},
				column{"numero_do_contrato", numeroDoContrato, text},
				column{"valor_contratado_reais", valorContratadoReais, rows.Decimal},
				column{"cnpj_da_instituicao_financeira_credenciada", cnpjInstituicaoFinanceira, lender},
				column{"tipo_de_garantia", tipoDeGarantia, text},
				column{"tipo_de_excepcionalidade", tipoDeExcepcionalidade, text},
				column{"situacao_do_contrato", situacao, text},
			),
		},
		{
			kind: "indireta_automatica", part: "indiretas-automaticas", file: prefix + "indiretas-automaticas.csv",
			columns: append(commonColumns(),
				column{"cpf_cnpj", documentoFonte, verbatim},
				column{"valor_da_operacao_em_reais", valorContratadoReais, rows.Decimal},
				column{"cnpj_do_agente_financeiro", cnpjInstituicaoFinanceira, lender},
				column{"situacao_da_operacao", situacao, text},
			),
		},
	}
}

// commonColumns returns the columns that both files have.
func commonColumns() []column {
	return []column{
		{"cliente", cliente, freeText},
		{"uf", uf, text},
		{"municipio", municipio, text},
		{"municipio_codigo", municipioCodigo, municipalityCode},
		{"data_da_contratacao", dataDaContratacao, date},
		{"valor_desembolsado_reais", valorDesembolsadoReais, rows.Decimal},
		{"fonte_de_recurso_desembolsos", fonteDeRecursoDesembolsos, text},
		{"custo_financeiro", custoFinanceiro, text},
		{"juros", juros, rows.Decimal},
		{"prazo_carencia_meses", prazoCarenciaMeses, rows.Decimal},
		{"prazo_amortizacao_meses", prazoAmortizacaoMeses, rows.Decimal},
		{"modalidade_de_apoio", modalidadeDeApoio, text},
		{"forma_de_apoio", formaDeApoio, text},
		{"produto", produto, text},
		{"instrumento_financeiro", instrumentoFinanceiro, text},
		{"inovacao", inovacao, text},
		{"area_operacional", areaOperacional, text},
		{"setor_cnae", setorCNAE, text},
		{"subsetor_cnae_agrupado", subsetorCNAEAgrupado, text},
		{"subsetor_cnae_codigo", subsetorCNAECodigo, text},
		{"subsetor_cnae_nome", subsetorCNAENome, text},
		{"setor_bndes", setorBNDES, text},
		{"subsetor_bndes", subsetorBNDES, text},
		{"porte_do_cliente", porteDoCliente, text},
		{"natureza_do_cliente", naturezaDoCliente, text},
		{"instituicao_financeira_credenciada", instituicaoFinanceiraCredenciada, text},
	}
}

// frameColumns returns the columns for rows.Table; values come back by the same positions.
func (l *layout) frameColumns() []rows.Column {
	columns := make([]rows.Column, len(l.columns))
	for i, c := range l.columns {
		columns[i].Name = c.name
	}
	return columns
}

// visit returns the rows.Table.Visit that packs the rows of a CSV file.
func (l *layout) visit(s *spool) func(*rows.Writer) func(*rows.Row) error {
	return func(w *rows.Writer) func(*rows.Row) error {
		p := l.parser(w, s)
		return func(row *rows.Row) error {
			column, err := p.add(row.Where, row.Value)
			if column != "" {
				return rows.Reject(column, err.Error())
			}
			return err
		}
	}
}

// parser cleans and packs the rows of one goroutine.
type parser struct {
	layout *layout
	w      *rows.Writer
	packer *packer
	o      operation
}

func (l *layout) parser(w *rows.Writer, s *spool) *parser {
	return &parser{layout: l, w: w, packer: s.packer()}
}

// add packs a row, or drops it when its client is a natural person. value returns the value of a
// column by its position in the layout. If column is not "", err concerns that column, and only the
// row is rejected; otherwise err ends the load.
func (r *parser) add(where rows.Where, value func(column int) string) (column string, err error) {
	r.o.where = where
	r.o.values[tipoOperacao] = r.layout.kind
	for i, c := range r.layout.columns {
		if r.o.values[c.field], err = c.read(value(i)); err != nil {
			return c.name, err
		}
	}
	if isPerson(r.o.values[documentoFonte]) {
		r.w.Drop("pessoa_fisica")
		return "", nil
	}
	return "", r.packer.add(&r.o)
}

// isPerson reports whether a document has at most the 11 positions of a CPF, masked or not: shorter
// numbers are CPFs that lost leading zeros.
func isPerson(document string) bool {
	compact := cnpj.Unmask(document)
	return compact != "" && len(compact) <= 11 && strings.Trim(compact, "0123456789*") == ""
}

// verbatim keeps the value as published: documento_fonte shows what an inferred link was made from.
func verbatim(s string) (string, error) { return s, nil }

// text keeps a text, but maps the publisher's "-" and "----------" (not applicable) to "".
func text(s string) (string, error) {
	if strings.Trim(s, "-") == "" {
		return "", nil
	}
	return s, nil
}

// freeText is text with CPFs masked already here: clients are linked by their names, and those of
// the registry are masked too.
func freeText(s string) (string, error) {
	s, err := text(s)
	return cnpj.MaskCPFs(s), err
}

// municipalityCode returns the IBGE code of a municipality without the ".0" that some rows append.
// "0" and "9999999" (SEM MUNICÍPIO, DIVERSOS) are unknown: "".
func municipalityCode(s string) (string, error) {
	s, err := text(strings.TrimSuffix(s, ".0"))
	if s == "0" || s == "9999999" {
		return "", err
	}
	return s, err
}

// date accepts AAAA-MM-DD, with the T00:00:00 that the datastore adds, and returns AAAA-MM-DD.
func date(s string) (string, error) {
	s = strings.TrimSuffix(s, "T00:00:00")
	if s == "" {
		return "", nil
	}
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return "", errors.New("not a date AAAA-MM-DD")
	}
	return s, nil
}

// lender returns the 14 positions of a bank's CNPJ, whose mask differs between the files
// (60.701.190.0001-04). Any other value, such as EXTERIOR, stays as published.
func lender(s string) (string, error) {
	s, err := text(s)
	if compact := cnpj.Unmask(s); len(compact) == 14 {
		return compact, err
	}
	return s, err
}
