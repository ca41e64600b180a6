package site

import (
	"strings"

	"razao/internal/ptbr"
)

func (t *companyText) holdings() {
	h := &t.Holdings
	if !h.Failed && h.Pager.Total == 0 {
		return
	}
	t.heading(2, "Participações em outras empresas")
	if h.Failed {
		t.paragraph("Não foi possível consultar agora, o que não diz nada sobre a empresa.")
		return
	}
	var rows [][]string
	for _, c := range h.Rows {
		rows = append(rows, []string{
			t.link(c.Name, "/"+c.CNPJ.String()+markdownSuffix), plainText(c.CNPJ.Masked()), plainText(strings.Join(c.Roles, "; ")),
			plainText(c.City), plainText(c.Status.String()),
		})
	}
	t.shown(&h.Pager)
	t.table([]string{"Empresa", "CNPJ", "Como", "Município", "Situação"}, rows)
}

// changes writes what the page says of the load before, in its words.
func (t *companyText) changes() {
	c := &t.Changes
	t.heading(2, "O que mudou desde a carga anterior")
	switch {
	case c.Failed:
		t.paragraph("Não foi possível comparar agora, o que não diz nada sobre a empresa.")
	case c.Former == "":
		t.paragraph("Não há carga anterior com que comparar estes dados.")
	case !c.Now && c.AtLeast:
		t.paragraph("Nada: os dados cadastrais da empresa são os mesmos desde, pelo menos, a carga de " + c.Since + ".")
	case !c.Now:
		t.paragraph("Nada: os dados cadastrais da empresa são os mesmos desde a carga de " + c.Since + ".")
	case c.Gone:
		t.paragraph("Dados cadastrais da empresa foram alterados na carga de " + c.Since + ". A anterior já não está guardada.")
	default:
		t.changed(c)
	}
}

func (t *companyText) changed(c *changes) {
	if c.New {
		t.paragraph("A empresa não estava na carga anterior, de " + c.Former + ".")
	}
	if len(c.Rows) > 0 {
		var rows [][]string
		for _, r := range c.Rows {
			rows = append(rows, []string{plainText(r.Name), plainText(orElse(r.Before, "Não constava")), plainText(orElse(r.After, "Não consta mais"))})
		}
		t.table([]string{"Dado", "Antes, em " + c.Former, "Agora, em " + c.Since}, rows)
	}
	if c.MorePartners > 0 {
		t.item("E mais " + ptbr.Count(c.MorePartners) + " no quadro societário.")
	}
	if c.NewHere {
		t.item("Este estabelecimento não estava na carga anterior.")
	}
	for _, text := range c.Others {
		t.item(text)
	}
	if len(c.Withheld) > 0 {
		t.item("Por ser, ou ter sido, de empresário individual ou MEI, o texto não mostra o que havia antes em: " + strings.Join(c.Withheld, ", ") + ".")
	}
	if c.Silent() {
		t.item("O que mudou não aparece neste texto.")
	}
	t.end()
}
