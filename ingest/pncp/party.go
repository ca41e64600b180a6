package pncp

import (
	"strings"

	"razao/ingest/rows"
	"razao/internal/cnpj"
)

// The rules by which no record is made for a side of a contract.
const (
	naturalPerson   = "pessoa_fisica"
	foreigner       = "estrangeiro"
	invalidDocument = "documento_invalido"
	noDocument      = "sem_documento"
)

// side is one of the sides of a contract: a company, or the rule by which there is no record for it.
type side struct {
	owner rows.Owner
	rule  string // "" for a company
}

// bodyOf returns the contracting body.
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

// partyOf returns the supplier or subcontractor and makes the value of its document, which is hidden when it is the
// number of a natural person.
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

// documentValue returns the JSON under which a document is published: a company's as it is, a natural person's without
// the digits that identify the person, null when it is not known what to hide.
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
	return encode(rows.MaskCPFs(number))
}

// isMasked says whether a number has the form in which those of natural persons are published: ***.456.789-**.
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

// cpfIn returns the 11 digits of a natural person's number, "" when number is not one. It may have lost its zeros, if
// it is said to be a natural person's, or been filled with zeros to the length of a CNPJ. Its check digits do not matter:
// a number with a wrong digit still tells who was meant.
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
