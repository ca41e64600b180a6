package site

import (
	"context"

	"razao/internal/data/source"
	"razao/internal/people/account"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// privacyPage is the privacy policy.
type privacyPage struct{ legalPage }

// termsPage is the terms of use.
type termsPage struct{ legalPage }

// legalPage is what both show.
type legalPage struct {
	page.Frame
	Operator string // e-mail address of the operator; "": not shown
	CanSign  bool   // sign-in is configured
	CanAsk   bool   // the form to hide a contact exists
	Days     int    // retention of the call history
	Sources  []source.Source
	Channels []channel // connected messengers
}

func (s *Site) legalPage(name, path string) legalPage {
	p := legalPage{
		Operator: s.Operator, CanSign: s.SignIn != nil, CanAsk: s.Contacts != nil,
		Days: account.HistoryDays, Sources: source.All(), Channels: s.connected(),
	}
	p.Title, p.Canonical, p.Crumbs = name, path, page.Trail(name)
	return p
}

// privacy answers /privacidade.
func (s *Site) privacy(context.Context, *snapshot.Snapshot) page.Page {
	p := &privacyPage{s.legalPage("Privacidade", "/privacidade")}
	p.Description = "Que dados pessoais o Razão mostra e guarda, por quanto tempo, e como pedir que um contato seja ocultado ou excluir a conta."
	return p
}

// transparencyPage says what is shown of persons.
type transparencyPage struct{ legalPage }

// contact names the operator, if there is an address.
func (p *transparencyPage) contact() string {
	return page.When(p.Operator != "", "Para qualquer outro pedido, escreva a "+p.Operator+".")
}

// transparency answers /transparencia.
func (s *Site) transparency(context.Context, *snapshot.Snapshot) page.Page {
	p := &transparencyPage{s.legalPage("O que mostramos de pessoas", "/transparencia")}
	p.Description = "De onde vêm os vínculos entre pessoas e empresas, o que o Razão mostra deles, o que não faz, e como se opor."
	return p
}

// terms answers /termos.
func (s *Site) terms(context.Context, *snapshot.Snapshot) page.Page {
	p := &termsPage{s.legalPage("Termos de uso", "/termos")}
	p.Description = "O que os dados do Razão são e não são, as licenças e a atribuição das fontes, e os limites de uso do site e da API."
	return p
}
