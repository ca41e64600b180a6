package pncp

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"razao/ingest/rows"
)

// The sources of a load.
const (
	suppliers = "pncp"
	bodies    = "pncp_orgao"
)

// The roles that a company can have in a contract. Of every version of a contract each role is told, so that a version
// that took a company out of it hides the earlier one.
const (
	supplier      = "fornecedor"
	subcontractor = "subcontratado"
	contractor    = "orgao"
)

// contract reads one contract after the other into items.
type contract struct {
	*shaper
	at      places
	control *regexp.Regexp
}

// places are the columns that say more than their own value.
type places struct {
	control, participation, url                              int
	body                                                     int
	supplierKind, supplier, subcontractorKind, subcontractor int
	signed, published, updated, updatedGlobally, correction  int
}

func newContract() *contract {
	c := &contract{
		shaper: newShaper(columns()),
		// The body's CNPJ, 2 for contracts, the sequence and the year.
		control: regexp.MustCompile(`^([0-9A-Z]{14})-2-([0-9]+)/([0-9]{4})$`),
	}
	place := func(item string) int {
		return slices.IndexFunc(c.columns, func(col column) bool { return col.item == item })
	}
	c.at = places{
		control: place("numero_controle_pncp"), participation: place("participacao"), url: place("url"),
		body:         place("orgao_entidade"),
		supplierKind: place("tipo_pessoa"), supplier: place("ni_fornecedor"),
		subcontractorKind: place("tipo_pessoa_sub_contratada"), subcontractor: place("ni_fornecedor_sub_contratado"),
		signed: place("data_assinatura"), published: place("data_publicacao_pncp"), updated: place("data_atualizacao"),
		updatedGlobally: place("data_atualizacao_global"), correction: place("numero_retificacao"),
	}
	return c
}

// version is one version of a contract as a row gives it.
type version struct {
	control string
	number  string
	order   string

	published string // AAAA-MM-DD, "" when it is not said
	updated   string // the last update that is said

	body, supplier, subcontractor side
}

// read makes the item of a contract whose members have been taken. raw is all of its JSON. A *fault means that the
// contract cannot be understood.
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

// versionNumber returns a text that grows with every version of a contract. The times are published in one form, which
// sorts as it is; a blank sorts before all that a time can hold, so a missing one is the oldest.
func (c *contract) versionNumber() string {
	const width = 10
	correction := c.raw[c.at.correction]
	return c.text(c.at.updatedGlobally) + " " + c.text(c.at.updated) + " " +
		strings.Repeat("0", max(width-len(correction), 0)) + correction
}

// day returns the date of a published date or time, AAAA-MM-DD, "" when it has none.
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
