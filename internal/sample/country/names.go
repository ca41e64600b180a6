package country

// Name returns razao_social, in capitals.
func (c *Country) Name(of *Company) string {
	d := c.Dice(ofName, uint64(of.Index))
	switch of.Kind.Style {
	case Personal:
		return c.entrepreneur(of, &d)
	case Commercial, Professional, Stock:
		return c.firm(of, &d)
	case Farm:
		return c.Person(c.ownerOf(of)) + d.OneOf("", " E OUTROS")
	case Candidate:
		return "ELEICAO " + c.Year(of.Start) + " " + c.Person(c.ownerOf(of)) +
			d.OneOf(" VEREADOR", " VEREADOR", " PREFEITO", " DEPUTADO ESTADUAL")
	case Building:
		return d.OneOf("CONDOMINIO EDIFICIO ", "CONDOMINIO RESIDENCIAL ", "CONDOMINIO DO EDIFICIO ", "EDIFICIO ") + c.Brand(of)
	case Foreign:
		return c.Brand(of) + d.OneOf(" HOLDINGS LLC", " INVESTMENTS LTD", " CAPITAL INC", " INTERNATIONAL S.A.", " PARTNERS LP")
	}
	return c.institution(of, &d) + " DE " + c.Cities[of.City].RFBName
}

// entrepreneur names an individual entrepreneur in the manner of the registry's periods: with the
// owner's CPF behind the name (older ones), with the masked root before it (recent ones), or
// plainly.
func (c *Country) entrepreneur(of *Company, d *Dice) string {
	owner := c.ownerOf(of)
	name := c.Person(owner)
	switch {
	case of.Index >= c.Founders*45/100 && d.Permille(900):
		return of.Root.Masked() + " " + name
	case d.Permille(600):
		return name + " " + c.CPF(owner)
	case d.Permille(300):
		return name + d.OneOf(" ME", " - ME", " - EPP")
	}
	return name
}

// firm names a company by trade and brand, surnames or a person, with its legal form at the end.
func (c *Country) firm(of *Company, d *Dice) string {
	brand, trade := c.Brand(of), c.trade(of, d)
	first, second := trade, brand
	switch u := d.N(100); {
	case of.Kind.Style == Stock || of.Demonstration || u < 40:
	case u < 65:
		first, second = brand, trade
	case u < 82:
		first, second = c.Surnames.Pick(d)+" & "+c.Surnames.Pick(d), trade
	case u < 92:
		first, second = c.Surnames.Pick(d), trade
	default:
		first, second = c.FirstName(d)+" "+c.Surnames.Pick(d), trade
	}
	if month := of.When[Renaming]; month > 0 { // trade names and e-mail keep the former brand
		d := c.eventDice(ofRename, of.Index, int(month))
		first, second = trade, c.brands.Pick(&d)
	}
	return first + " " + second + " " + of.legalForm(d)
}

// legalForm draws the legal form at the end of a firm's name.
func (c *Company) legalForm(d *Dice) string {
	switch {
	case c.Nature() != c.Kind:
		return "LTDA"
	case c.Kind.Style == Stock:
		return d.OneOf("S.A.", "S/A", "S.A.", "SA")
	case c.Kind == &kinds[soleLimited]:
		return d.OneOf("EIRELI", "EIRELI - ME", "EIRELI ME", "EIRELI - EPP")
	case c.Kind.Style == Professional:
		return d.OneOf("S/S LTDA", "SOCIEDADE SIMPLES", "S/S", "LTDA", "S/C LTDA")
	}
	form := Ladder(d.N(1000), []int{620, 140, 100, 50, 45, 35},
		"LTDA", "LTDA ME", "LTDA - ME", "LTDA - EPP", "LTDA EPP", "SOCIEDADE UNIPESSOAL LTDA",
	)
	if form == "" {
		return d.OneOf("LTDA EM LIQUIDACAO", "LTDA EM RECUPERACAO JUDICIAL")
	}
	return form
}

// institution names associations, churches, public bodies and the like, without the place that
// follows.
func (c *Country) institution(of *Company, d *Dice) string {
	switch of.Kind.Style {
	case Religious:
		return d.OneOf("IGREJA EVANGELICA ", "COMUNIDADE CRISTA ", "IGREJA BATISTA ", "PAROQUIA ", "ASSEMBLEIA ") +
			d.OneOf("NOVA VIDA", "DA PAZ", "MONTE SIAO", "AGUA VIVA", "DA GRACA", "BOA NOVA")
	case Public:
		return d.OneOf("FUNDO MUNICIPAL DE SAUDE", "FUNDO MUNICIPAL DE ASSISTENCIA SOCIAL", "AUTARQUIA DE AGUA E ESGOTO", "SECRETARIA DE EDUCACAO")
	}
	var what string
	switch of.Kind.Code {
	case Cooperative:
		what = d.OneOf("COOPERATIVA MISTA ", "COOPERATIVA DE TRABALHO ", "COOPERATIVA AGROPECUARIA ")
	case union:
		what = "SINDICATO DOS TRABALHADORES "
	case foundation:
		what = "FUNDACAO "
	default:
		what = d.OneOf("ASSOCIACAO DE MORADORES ", "ASSOCIACAO COMUNITARIA ", "INSTITUTO ", "CAIXA ESCOLAR ", "CLUBE RECREATIVO ")
	}
	return what + c.Districts.Pick(d)
}

// Brand returns the made-up word that a company's names and e-mail share.
func (c *Country) Brand(of *Company) string {
	d := c.Dice(ofBrand, uint64(of.Index))
	if of.Demonstration {
		return "DEMONSTRACAO"
	}
	if c.GiantOf(of.Index) != nil {
		return c.brands.words[len(c.brands.words)-1-of.Index%100] // one of the rarest words
	}
	return c.brands.Pick(&d)
}

// trade draws the word for what the company does.
func (c *Country) trade(of *Company, d *Dice) string {
	words := c.Activities[of.Activity].words
	return words[d.N(len(words))]
}

// TradeName draws nome_fantasia.
func (c *Country) TradeName(of *Company, d *Dice) string {
	brand, trade := c.Brand(of), c.trade(of, d)
	switch u := d.N(100); {
	case u < 45:
		return trade + " " + brand
	case u < 75:
		return brand + " " + trade
	case u < 90:
		return brand
	}
	return trade + " DO " + c.FirstName(d)
}
