package site

import (
	"testing"

	"razao/internal/fixture"
	"razao/site/page/pagetest"
)

func TestHoldings(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	body := get(t, h, "/"+full(t, fixture.Holding)).Body.String()
	pagetest.Form(t, body)
	d := parse(t, body)
	section := document{d.at(t, "participacoes").Parent}
	if n := rows(section); n != 1 {
		t.Fatalf("%d companies, want 1", n)
	}
	want := "PADARIA ESTRELA DO SUL LTDA 12.345.678/0001-95 Sócio desde 02/08/2019 Campinas/SP Ativa desde 14/03/2009"
	if got := section.all("tbody")[0].all("tr")[0].text(); got != want {
		t.Errorf("row %q, want %q", got, want)
	}
	if got := section.links()["PADARIA ESTRELA DO SUL LTDA"]; got != "/12345678000195" {
		t.Errorf("it is linked to %q", got)
	}
	pagetest.Texts(t, get(t, h, "/12345678000195").Body.String(), nil, []string{`id="participacoes"`})
	pagetest.Texts(t, get(t, h, "/"+full(t, fixture.Holding)+"?participacoes_pagina=2").Body.String(), []string{"não tem a página 2"}, nil)
}
