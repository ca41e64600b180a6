package pncp

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"razao/ingest/rows"
)

// Ids of the sources that a load fills.
const (
	suppliers = "pncp"
	bodies    = "pncp_orgao"
)

// The roles of a company in a contract, as participacao and the marks of the account name them.
// Every version emits a record for every role, so that a version that took a company out of a role
// hides the earlier one.
const (
	supplier      = "fornecedor"
	subcontractor = "subcontratado"
	contractor    = "orgao"
)

// contract turns one contract after another into the values of an item.
type contract struct {
	*shaper
	at      positions
	control *regexp.Regexp
}

// positions are those of the columns that the loader interprets.
type positions struct {
	control, participation, url                              int
	body                                                     int
	supplierKind, supplier, subcontractorKind, subcontractor int
	signed, published, updated, updatedGlobally, correction  int
}

// newContract returns a contract that resolves the positions of its columns once.
func newContract() *contract {
	c := &contract{
		shaper: newShaper(columns()),
		// CNPJ of the body, 2 (contract), sequence, year.
		control: regexp.MustCompile(`^([0-9A-Z]{14})-2-([0-9]+)/([0-9]{4})$`),
	}
	position := func(item string) int {
		return slices.IndexFunc(c.columns, func(col column) bool { return col.item == item })
	}
	c.at = positions{
		control: position("numero_controle_pncp"), participation: position("participacao"), url: position("url"),
		body:         position("orgao_entidade"),
		supplierKind: position("tipo_pessoa"), supplier: position("ni_fornecedor"),
		subcontractorKind: position("tipo_pessoa_sub_contratada"), subcontractor: position("ni_fornecedor_sub_contratado"),
		signed: position("data_assinatura"), published: position("data_publicacao_pncp"), updated: position("data_atualizacao"),
		updatedGlobally: position("data_atualizacao_global"), correction: position("numero_retificacao"),
	}
	return c
}

// version is what one row says about a contract besides the values.
type version struct {
	control string // numeroControlePNCP
	number  string // sorts versions; see versionNumber
	order   string // first part of the records' order

	published string // AAAA-MM-DD, "" when absent
	updated   string // global update, else own update, as published

	body, supplier, subcontractor side
}

// read shapes the contract whose members have been taken and returns what else the row says. raw is
// its whole JSON. A *fault means that the row must be rejected.
func (c *contract) read(raw string) (v version, err error) {
	if !utf8.ValidString(raw) {
		return v, &fault{"", "the text is not UTF-8"}
	}
	if err := c.shape(); err != nil {
		return v, err
	}
	v.control = c.text(c.at.control)
	m := c.control.FindStringSubmatch(v.control)
	if m == nil {
		return v, &fault{c.columns[c.at.control].member, "is no control number of a contract, which is CNPJ-2-SEQUENCE/YEAR"}
	}
	c.values[c.at.url] = encode("https://pncp.gov.br/app/contratos/" + m[1] + "/" + m[3] + "/" + m[2])

	v.published, v.updated = day(c.text(c.at.published)), c.text(c.at.updated)
	if global := c.text(c.at.updatedGlobally); global != "" {
		v.updated = global
	}
	v.number = c.versionNumber()
	v.order = rows.Descending(strings.ReplaceAll(day(c.text(c.at.signed)), "-", ""))

	v.body = c.bodyOf()
	v.supplier = c.partyOf(c.at.supplier, c.at.supplierKind)
	v.subcontractor = c.partyOf(c.at.subcontractor, c.at.subcontractorKind)
	return v, nil
}

// versionNumber returns a key that grows with every version: global update, update, and number of
// corrections padded to ten digits. Times have one published form that sorts as it is. The blank
// between them sorts below every character of a time, so a missing time is the oldest.
func (c *contract) versionNumber() string {
	const width = 10
	correction := c.raw[c.at.correction]
	return c.text(c.at.updatedGlobally) + " " + c.text(c.at.updated) + " " +
		strings.Repeat("0", max(width-len(correction), 0)) + correction
}

// day returns the date part of a published date or time, AAAA-MM-DD, "" when there is none.
func day(published string) string {
	const form = "0000-00-00"
	if len(published) < len(form) {
		return ""
	}
	date := published[:len(form)]
	for i := range len(form) {
		if (form[i] == '0') != digit(date[i]) || form[i] == '-' && date[i] != '-' {
			return ""
		}
	}
	return date
}
