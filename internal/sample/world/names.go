package world

import (
	"strings"

	"razao/internal/sample/draw"
)

// Name returns razao_social, in capitals, with the defects of the company's trap.
func (w *World) Name(c *Company) string {
	d := w.Dice(draw.Name, uint64(c.Index))
	if c.Trap == NameLeadingBlank {
		return "  " + w.name(c, &d)
	}
	return w.name(c, &d)
}

// PlainName returns razao_social as other publishers write it: without accents, without quotes,
// trimmed.
func (w *World) PlainName(c *Company) string { return plain(w.Name(c)) }

// plain folds accents, removes quotes and trims.
func plain(s string) string { return strings.Trim(Fold(strings.ReplaceAll(s, `"`, "")), " ") }

// name returns the name by the company's style, without the trap that puts blanks before it.
func (w *World) name(c *Company, d *draw.Dice) string {
	switch c.Kind.Style {
	case Personal:
		return w.entrepreneur(c, d)
	case Commercial, Professional, Stock:
		return w.firm(c, d)
	case Farm:
		if d.Permille(500) {
			return w.Person(w.ownerOf(c), false) + " E OUTROS"
		}
		return w.Person(w.ownerOf(c), false)
	case Candidate:
		return "ELEICAO " + w.Year(c.Start) + " " + w.Person(w.ownerOf(c), false) +
			d.OneOf(" VEREADOR", " VEREADOR", " PREFEITO", " DEPUTADO ESTADUAL")
	case Building:
		return d.OneOf("CONDOMINIO EDIFICIO ", "CONDOMINIO RESIDENCIAL ", "CONDOMINIO DO EDIFICIO ", "EDIFICIO ") + w.Brand(c)
	case Foreign:
		return w.Brand(c) + d.OneOf(" HOLDINGS LLC", " INVESTMENTS LTD", " CAPITAL INC", " INTERNATIONAL S.A.", " PARTNERS LP")
	}
	return w.institution(c, d) + " DE " + w.Cities[c.City].Name
}

// entrepreneur names an individual entrepreneur in the manner of the registry's periods: with the
// owner's CPF behind the name (older ones), with the masked root before it (recent ones), or
// plainly.
func (w *World) entrepreneur(c *Company, d *draw.Dice) string {
	owner := w.ownerOf(c)
	recent := c.Index >= w.Founders*45/100
	name := w.Person(owner, c.Trap == NameAccents)
	switch {
	case recent && d.Permille(900):
		return c.Root.Masked() + " " + name
	case d.Permille(600):
		return name + " " + w.CPF(owner)
	case d.Permille(300):
		return name + d.OneOf(" ME", " - ME", " - EPP")
	}
	return name
}

// firm names a company by trade and brand, surnames or a person, with its legal form at the end.
func (w *World) firm(c *Company, d *draw.Dice) string {
	accents := c.Trap == NameAccents
	brand, trade := w.Brand(c), w.trade(c, d).In(accents)
	first, second := trade, brand
	switch u := d.N(100); {
	case c.Trap == NameQuotes:
		second = `"` + brand + `"`
	case c.Kind.Style == Stock || u < 40:
	case u < 65:
		first, second = brand, trade
	case u < 82:
		first, second = w.Surnames.Pick(d).In(accents)+" & "+w.Surnames.Pick(d).In(accents), trade
	case u < 92:
		first, second = w.Surnames.Pick(d).In(accents), trade
	default:
		first, second = w.FirstName(d).In(accents)+" "+w.Surnames.Pick(d).In(accents), trade
	}
	if month := c.When[Renaming]; month > 0 {
		first, second = trade, w.newBrand(c, month)
	}
	gap := " "
	if c.Trap == NameDoubleBlank {
		gap = "  "
	}
	return first + gap + second + " " + c.legalForm(d)
}

// legalForm draws the legal form at the end of a firm's name.
func (c *Company) legalForm(d *draw.Dice) string {
	switch {
	case c.Kind.Style == Stock:
		return d.OneOf("S.A.", "S/A", "S.A.", "SA")
	case c.Kind == &kinds[soleLimited]:
		return d.OneOf("EIRELI", "EIRELI - ME", "EIRELI ME", "EIRELI - EPP")
	case c.Kind.Style == Professional:
		return d.OneOf("S/S LTDA", "SOCIEDADE SIMPLES", "S/S", "LTDA", "S/C LTDA")
	}
	form := draw.Ladder(d.N(1000), []int{620, 140, 100, 50, 45, 35},
		"LTDA", "LTDA ME", "LTDA - ME", "LTDA - EPP", "LTDA EPP", "SOCIEDADE UNIPESSOAL LTDA",
	)
	if form == "" {
		return d.OneOf("LTDA EM LIQUIDACAO", "LTDA EM RECUPERACAO JUDICIAL")
	}
	return form
}

// institution names associations, churches, public bodies and the like, without the place that
// follows.
func (w *World) institution(c *Company, d *draw.Dice) string {
	switch c.Kind.Style {
	case Religious:
		return d.OneOf("IGREJA EVANGELICA ", "COMUNIDADE CRISTA ", "IGREJA BATISTA ", "PAROQUIA ", "ASSEMBLEIA ") +
			d.OneOf("NOVA VIDA", "DA PAZ", "MONTE SIAO", "AGUA VIVA", "DA GRACA", "BOA NOVA")
	case Public:
		return d.OneOf("FUNDO MUNICIPAL DE SAUDE", "FUNDO MUNICIPAL DE ASSISTENCIA SOCIAL", "AUTARQUIA DE AGUA E ESGOTO", "SECRETARIA DE EDUCACAO")
	}
	var what string
	switch c.Kind.Code {
	case Cooperative:
		what = d.OneOf("COOPERATIVA MISTA ", "COOPERATIVA DE TRABALHO ", "COOPERATIVA AGROPECUARIA ")
	case union:
		what = "SINDICATO DOS TRABALHADORES "
	case foundation:
		what = "FUNDACAO "
	default:
		what = d.OneOf("ASSOCIACAO DE MORADORES ", "ASSOCIACAO COMUNITARIA ", "INSTITUTO ", "CAIXA ESCOLAR ", "CLUBE RECREATIVO ")
	}
	return what + w.Districts.Pick(d).In(c.Trap == NameAccents)
}

// Brand returns the made-up word that a company's names and e-mail share.
func (w *World) Brand(c *Company) string {
	d := w.Dice(draw.Brand, uint64(c.Index))
	if w.GiantOf(c.Index) != nil {
		return w.brands.words[len(w.brands.words)-1-c.Index%100].Plain // one of the rarest words
	}
	return w.brands.Pick(&d).Plain
}

// newBrand returns the brand in a company's name after a Renaming in the given month. Trade names
// and e-mail keep the former one.
func (w *World) newBrand(c *Company, month uint16) string {
	d := w.eventDice(draw.Rename, c.Index, int(month))
	return w.brands.Pick(&d).Plain
}

// trade draws the word for what the company does.
func (w *World) trade(c *Company, d *draw.Dice) *Word {
	words := w.Activities[c.Activity].words
	return &words[d.N(len(words))]
}

// TradeName returns nome_fantasia; with the trap QuotedComplement it is a quoted brand.
func (w *World) TradeName(c *Company, d *draw.Dice, trap Trap) string {
	brand, trade := w.Brand(c), w.trade(c, d).Plain
	if trap == QuotedComplement {
		return `"` + brand + `"`
	}
	switch u := d.N(100); {
	case u < 45:
		return trade + " " + brand
	case u < 75:
		return brand + " " + trade
	case u < 90:
		return brand
	}
	return trade + " DO " + w.FirstName(d).Plain
}
