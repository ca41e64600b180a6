package bndes

import (
	"errors"
	"strings"
	"time"

	"razao/ingest/rows"
	"razao/internal/cnpj"
)

// The fields of an operation, in the order of package source.
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

// operation is a row of either file. The two fields of its link are empty until it is linked.
type operation struct {
	where  rows.Where
	values [fieldCount]string
}

// layout is one of the two files.
type layout struct {
	kind    string // tipo_operacao
	part    string // of its name, as a slug
	file    string // its name as published
	columns []column
}

// column is a published column and the field that it fills.
type column struct {
	name  string
	field int
	read  func(string) (string, error)
}

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

// commonColumns are those that both files have.
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

func (l *layout) frameColumns() []rows.Column {
	columns := make([]rows.Column, len(l.columns))
	for i, c := range l.columns {
		columns[i].Name = c.name
	}
	return columns
}

// visit packs the rows of a table.
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

// parser packs the rows that one goroutine reads.
type parser struct {
	layout *layout
	w      *rows.Writer
	packer *packer
	o      operation
}

func (l *layout) parser(w *rows.Writer, s *spool) *parser {
	return &parser{layout: l, w: w, packer: s.packer()}
}

// add packs a row, unless it is that of a natural person. value gives the columns of the layout by position. An error
// with a column concerns the row alone.
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

// isPerson says whether a document has the length of a CPF, hidden or not, or less: zeros get lost at its left.
func isPerson(document string) bool {
	compact := cnpj.Unmask(document)
	return compact != "" && len(compact) <= 11 && strings.Trim(compact, "0123456789*") == ""
}

func verbatim(s string) (string, error) { return s, nil }

// text reads a text; hyphens alone mean that there is none.
func text(s string) (string, error) {
	if strings.Trim(s, "-") == "" {
		return "", nil
	}
	return s, nil
}

// freeText reads a text in which a natural person's number may stand.
func freeText(s string) (string, error) {
	s, err := text(s)
	return rows.MaskCPFs(s), err
}

// municipalityCode reads IBGE's code, which may be written as a decimal number; 0 and 9999999 are unknown places.
func municipalityCode(s string) (string, error) {
	s, err := text(strings.TrimSuffix(s, ".0"))
	if s == "0" || s == "9999999" {
		return "", err
	}
	return s, err
}

// date reads AAAA-MM-DD, also with the midnight that the JSON form of the files adds.
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

// lender reads the CNPJ of a bank, published with several masks, as 14 positions. Anything else stays as it is.
func lender(s string) (string, error) {
	s, err := text(s)
	if compact := cnpj.Unmask(s); len(compact) == 14 {
		return compact, err
	}
	return s, err
}
