package company

import (
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/registry/pack"
)

// rawField is a free-text field exactly as the tax authority publishes it.
type rawField struct{ Name, Text string }

// asPublished returns the non-empty free-text fields that the page rewrites, mostly into title
// case, in their published spelling. e comes from a snapshot for visitors, so fields they may not
// see are empty and left out.
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

// cityAbroad returns the city of an establishment abroad, "" for one in Brazil.
func cityAbroad(e *record.Establishment) string {
	if e.UF != territory.Abroad {
		return ""
	}
	return e.NomeCidadeExterior
}
