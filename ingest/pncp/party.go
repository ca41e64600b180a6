package pncp

import (
	"strings"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
)

// The rules by which a side of a contract gets no record.
const (
	naturalPerson   = "pessoa_fisica"
	foreigner       = "estrangeiro"
	invalidDocument = "documento_invalido"
	noDocument      = "sem_documento"
)

// side is one side of a contract: a company, or the rule by which it gets no record.
type side struct {
	owner rows.Owner
	rule  string // "" for a company
}

// bodyOf returns the contracting body, orgaoEntidade.cnpj.
func (c *contract) bodyOf() side {
	var number string
	if c.raw[c.at.body] != "" {
		number = c.nested[c.at.body].text(0)
	}
	owner, ok := rows.ParseOwner(number)
	switch {
	case number == "":
		return side{rule: noDocument}
	case !ok || owner.Published != "":
		return side{rule: invalidDocument}
	}
	return side{owner: owner}
}

// partyOf returns the supplier or the subcontractor and sets the value of its document
// (niFornecedor, niFornecedorSubContratado). kind is the column of tipoPessoa: PJ company, PF
// natural person, PE foreign.
func (c *contract) partyOf(document, kind int) side {
	number, person := c.text(document), c.text(kind)
	owner, ok := rows.ParseOwner(number)
	ok = ok && owner.Published == ""
	c.values[document] = ""
	if c.raw[document] != "" {
		c.values[document] = documentValue(number, person, ok)
	}
	switch {
	case number == "":
		return side{rule: noDocument}
	case person == "PF" || !ok && cpfIn(number, person) != "":
		return side{rule: naturalPerson}
	case person == "PE":
		return side{rule: foreigner}
	case !ok:
		return side{rule: invalidDocument}
	}
	return side{owner: owner}
}

// documentValue returns the JSON under which a document is published. A company's number stays as
// it is, a CPF is masked (***.456.789-**), and "" (null) replaces a natural person's number in an
// unknown form, of which nobody knows what to hide. company says that the number is a valid CNPJ.
func documentValue(number, person string, company bool) string {
	cpf := cpfIn(number, person)
	switch {
	case cpf != "" && (person == "PF" || !company):
		return `"***.` + cpf[3:6] + "." + cpf[6:9] + `-**"`
	case company || number == "":
		return encode(number)
	case person == "PF" && !isMasked(number):
		return ""
	}
	return encode(cnpj.MaskCPFs(number))
}

// isMasked reports whether a number already has the form of a masked CPF, ***.456.789-**.
func isMasked(number string) bool {
	const form = "***.000.000-**"
	if len(number) != len(form) {
		return false
	}
	for i := range len(form) {
		if form[i] == '0' && !digit(number[i]) || form[i] != '0' && number[i] != form[i] {
			return false
		}
	}
	return true
}

// cpfIn returns the 11 digits of a CPF, "" when number is none. It accepts a number that lost
// leading zeros, if the row says that it is a natural person's, and one padded with zeros to the
// length of a CNPJ. Check digits are ignored: a CPF with a wrong digit still tells who was meant.
func cpfIn(number, person string) string {
	const length = 11
	digits := cnpj.Unmask(number)
	for i := range len(digits) {
		if !digit(digits[i]) {
			return ""
		}
	}
	significant := strings.TrimLeft(digits, "0")
	switch {
	case significant == "" || len(significant) > length:
		return ""
	case len(digits) < length && person != "PF":
		return ""
	}
	return strings.Repeat("0", length-len(significant)) + significant
}
