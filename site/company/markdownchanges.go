package company

import (
	"strings"

	"razao/internal/ptbr"
	"razao/site/page"
)

func (t *companyText) holdings() {
	h := &t.Holdings
	if !h.Failed && h.Pager.Total == 0 {
		return
	}
	t.Heading(2, "Participações em outras empresas")
	if h.Failed {
		t.Paragraph("Não foi possível consultar agora, o que não diz nada sobre a empresa.")
		return
	}
	var rows [][]string
	for _, c := range h.Rows {
		rows = append(rows, []string{
			t.link(c.Name, "/"+c.CNPJ.String()+markdownSuffix), page.PlainText(c.CNPJ.Masked()), page.PlainText(strings.Join(c.Roles, "; ")),
			page.PlainText(c.City), page.PlainText(c.Status.String()),
		})
	}
	t.shown(&h.Pager)
	t.Table([]string{"Empresa", "CNPJ", "Como", "Município", "Situação"}, rows)
}

// changes writes what the page says of the load before, in its words.
func (t *companyText) changes() {
	c := &t.Changes
	t.Heading(2, "O que mudou desde a carga anterior")
	switch {
	case c.Failed:
		t.Paragraph("Não foi possível comparar agora, o que não diz nada sobre a empresa.")
	case c.Former == "":
		t.Paragraph("Não há carga anterior com que comparar estes dados.")
	case !c.Now && c.AtLeast:
		t.Paragraph("Nada: os dados cadastrais da empresa são os mesmos desde, pelo menos, a carga de " + c.Since + ".")
	case !c.Now:
		t.Paragraph("Nada: os dados cadastrais da empresa são os mesmos desde a carga de " + c.Since + ".")
	case c.Gone:
		t.Paragraph("Dados cadastrais da empresa foram alterados na carga de " + c.Since + ". A anterior já não está guardada.")
	default:
		t.changed(c)
	}
}

func (t *companyText) changed(c *changes) {
	if c.New {
		t.Paragraph("A empresa não estava na carga anterior, de " + c.Former + ".")
	}
	if len(c.Rows) > 0 {
		var rows [][]string
		for _, r := range c.Rows {
			rows = append(rows, []string{page.PlainText(r.Name), page.PlainText(orElse(r.Before, "Não constava")), page.PlainText(orElse(r.After, "Não consta mais"))})
		}
		t.Table([]string{"Dado", "Antes, em " + c.Former, "Agora, em " + c.Since}, rows)
	}
	if c.MorePartners > 0 {
		t.Item("E mais " + ptbr.Count(c.MorePartners) + " no quadro societário.")
	}
	if c.NewHere {
		t.Item("Este estabelecimento não estava na carga anterior.")
	}
	for _, text := range c.Others {
		t.Item(text)
	}
	if len(c.Withheld) > 0 {
		t.Item("Por ser, ou ter sido, de empresário individual ou MEI, o texto não mostra o que havia antes em: " + strings.Join(c.Withheld, ", ") + ".")
	}
	if c.Silent() {
		t.Item("O que mudou não aparece neste texto.")
	}
	t.End()
}
