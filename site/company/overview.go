package company

import (
	"fmt"
	"slices"
	"strings"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
	"razao/internal/store/wording"
	"razao/site/page"
	"razao/site/records"
)

// Contents returns the page's table of contents: its non-empty sections in page order.
func (p *companyPage) Contents() []page.Crumb {
	all := []struct {
		there    bool
		text, id string
	}{
		{len(p.Activities) > 0, "Atividades secundárias", "atividades"},
		{p.NoPartners == "" || p.Partners.Pager.Beyond, "Sócios", "socios"},
		{len(p.Holdings.Rows) > 0 || p.Holdings.Failed || p.Holdings.Pager.Beyond, "Participações", "participacoes"},
		{p.Branches.Total > 1, "Estabelecimentos", "estabelecimentos"},
		{true, "Registros públicos", "registros"},
		{p.Dated(), "Linha do tempo", "linha"},
		{true, "O que mudou", "mudancas"},
		{true, "Procedência", "procedencia"},
	}
	var there []page.Crumb
	for _, s := range all {
		if s.there {
			there = append(there, page.Crumb{Text: s.text, URL: "#" + s.id})
		}
	}
	return there
}

// Dated reports whether the time line is worth showing: whether it has events beyond those of the
// registration, which stand in the summary.
func (p *companyPage) Dated() bool {
	t := &p.Records.Timeline
	return t.Asked > 0 || len(t.Years) > 0 || len(t.Missing) > 0 || slices.ContainsFunc(t.Groups, func(year records.YearFacts) bool {
		return slices.ContainsFunc(year.Events, func(e records.Event) bool { return e.URL != registrationAt })
	})
}

// activitiesShown is how many secondary activities are visible at once; the rest is folded away.
const activitiesShown = 2

// FirstActivities returns the visible secondary activities. Folding a single one would save
// nothing, so it stays visible.
func (p *companyPage) FirstActivities() []wording.Activity {
	return p.Activities[:len(p.Activities)-len(p.FurtherActivities())]
}

// FurtherActivities returns the folded secondary activities, nil for none.
func (p *companyPage) FurtherActivities() []wording.Activity {
	if len(p.Activities) <= activitiesShown+1 {
		return nil
	}
	return p.Activities[activitiesShown:]
}

// citation returns the page as a bibliographic reference (ABNT NBR 6023) up to the date of access.
// A script adds that date in the browser: with it, the bytes and the ETag of the page would change
// every day.
func (p *companyPage) citation(base string) string {
	return fmt.Sprintf("RAZÃO. %s (CNPJ %s). Dados abertos do CNPJ, competência %s. Disponível em: %s%s. Acesso em:",
		p.Name, p.CNPJ.Masked(), ptbr.Month(p.Source.Period), base, p.Canonical)
}

// noPartners explains an empty list of partners as far as the legal nature and the registration
// status allow. The prefixes are those of the official table of legal natures (CONCLA): 1 public
// administration, 2 business entities, 3 non-profits, 4 natural persons, 5 international
// organizations.
func noPartners(h *pack.Head, e *record.Establishment) string {
	nature := h.Company.NaturezaJuridica
	of := func(prefixes ...string) bool {
		for _, prefix := range prefixes {
			if strings.HasPrefix(nature, prefix) {
				return true
			}
		}
		return false
	}
	switch {
	case of("4"):
		return "Este CNPJ identifica uma pessoa física em uma atividade, e não uma sociedade: não há sócios."
	case h.Individual():
		return "Empresário individual, MEI ou não, não tem sócios: a empresa é a própria pessoa."
	case of("1"):
		return "Órgãos e entidades da administração pública não têm sócios: são parte do poder público ou criados por ele."
	case of("201", "203"):
		return "Empresas públicas e sociedades de economia mista são controladas pelo poder público; a publicação não traz os administradores desta."
	case of("204", "205"):
		return "De sociedades anônimas a publicação traz administradores, e não acionistas; desta não traz nenhum."
	case of("214"):
		return "De cooperativas a publicação traz dirigentes, e não cooperados; desta não traz nenhum."
	case of("222"):
		return "Clubes e fundos de investimento não têm sócios, e sim cotistas, que a publicação não traz."
	case of("230", "231"):
		return "A EIRELI tinha um só titular e virou sociedade limitada unipessoal por lei de 2021; a publicação não traz o titular desta."
	case of("3"):
		return "Associações, fundações e outras entidades sem fins lucrativos não têm sócios, e sim dirigentes; desta a publicação não traz nenhum."
	case of("5"):
		return "Organizações internacionais e representações de outros países não têm sócios."
	case !h.HasCompany:
		return "A publicação não traz os dados da empresa nem os sócios."
	case e.HeadOffice() && e.Ended():
		return "A publicação não traz sócios desta empresa, que está encerrada. De empresas encerradas o quadro societário às vezes já não é publicado."
	case e.HeadOffice() && e.SituacaoCadastral == record.SituacaoInapta:
		return "A publicação não traz sócios desta empresa, que está inapta. De empresas nessa situação o quadro societário às vezes não é publicado."
	}
	return "A publicação não traz sócios desta empresa e não diz por quê: a natureza jurídica dela costuma ter quadro societário."
}
