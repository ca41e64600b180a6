package company

import (
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry/pack"
	"razao/internal/territory"
)

// rawField is a text of the cadastre as it is published.
type rawField struct{ Name, Text string }

// asPublished lists what the page writes in other letters than its publisher. Visitors see no street of individual entrepreneurs: it is not in
// e.
func asPublished(h *pack.Head, e *record.Establishment) []rawField {
	var fields []rawField
	for _, f := range []rawField{
		{"Razão social", h.Company.RazaoSocial},
		{"Nome fantasia", e.NomeFantasia},
		{"Logradouro", ptbr.Join(" ", e.TipoLogradouro, e.Logradouro)},
		{"Número", e.Numero},
		{"Complemento", e.Complemento},
		{"Bairro", e.Bairro},
		{"Cidade no exterior", cityAbroad(e)},
		{"E-mail", e.CorreioEletronico},
		{"Situação especial", e.SituacaoEspecial},
		{"Ente federativo responsável", h.Company.EnteFederativoResponsavel},
	} {
		if f.Text != "" {
			fields = append(fields, f)
		}
	}
	return fields
}

func cityAbroad(e *record.Establishment) string {
	if e.UF != territory.Abroad {
		return ""
	}
	return e.NomeCidadeExterior
}
