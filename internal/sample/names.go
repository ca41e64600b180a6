package sample

import "strconv"

// appendName appends razao_social in ISO-8859-1, quotes doubled.
func (g *generator) appendName(b []byte, c *company) []byte {
	d := newDice(g.seed, topicName, uint64(c.index))
	if c.trap == nameLeadingBlank {
		b = append(b, "  "...)
	}
	switch c.kind.style {
	case personal:
		return g.appendEntrepreneur(b, c, &d)
	case commercial, professional, stock:
		return g.appendFirm(b, c, &d)
	case farm:
		b = g.appendPerson(b, g.ownerOf(c), false)
		if d.permille(500) {
			b = append(b, " E OUTROS"...)
		}
		return b
	case candidate:
		b = append(b, "ELEICAO "...)
		b = append(b, g.text[c.start][:4]...)
		b = append(b, ' ')
		b = g.appendPerson(b, g.ownerOf(c), false)
		return append(b, oneOf(&d, " VEREADOR", " VEREADOR", " PREFEITO", " DEPUTADO ESTADUAL")...)
	}
	return g.appendInstitution(b, c, &d)
}

// appendEntrepreneur names an individual entrepreneur as the registry did in different years: with the CPF at the end,
// with the root in front, or plainly. The CPFs are computed, nobody's.
func (g *generator) appendEntrepreneur(b []byte, c *company, d *dice) []byte {
	owner := g.ownerOf(c)
	recent := c.index >= g.n*45/100
	accents := c.trap == nameAccents
	switch {
	case recent && d.permille(900):
		b = append(b, c.root.Masked()...)
		b = append(b, ' ')
		return g.appendPerson(b, owner, accents)
	case d.permille(600):
		b = g.appendPerson(b, owner, accents)
		b = append(b, ' ')
		number := g.cpf(owner)
		return append(b, number[:]...)
	}
	b = g.appendPerson(b, owner, accents)
	if d.permille(300) {
		b = append(b, oneOf(d, " ME", " - ME", " - EPP")...)
	}
	return b
}

func (g *generator) appendFirm(b []byte, c *company, d *dice) []byte {
	accents := c.trap == nameAccents
	brand, trade := g.brandOf(c), g.tradeOf(c, d).in(accents)
	switch u := d.n(100); {
	case c.kind.style == stock || u < 40 || c.trap == nameQuotes:
		b = append(b, trade...)
		b = c.gap(b)
		b = c.appendQuoted(b, brand)
	case u < 65:
		b = append(b, brand...)
		b = c.gap(b)
		b = append(b, trade...)
	case u < 82:
		b = append(b, g.surnames.pick(d).in(accents)...)
		b = append(b, " & "...)
		b = append(b, g.surnames.pick(d).in(accents)...)
		b = c.gap(b)
		b = append(b, trade...)
	case u < 92:
		b = append(b, g.surnames.pick(d).in(accents)...)
		b = c.gap(b)
		b = append(b, trade...)
	default:
		b = append(b, g.firstName(d).in(accents)...)
		b = append(b, ' ')
		b = append(b, g.surnames.pick(d).in(accents)...)
		b = c.gap(b)
		b = append(b, trade...)
	}
	b = append(b, ' ')
	return append(b, c.suffix(d)...)
}

// gap is the blank between two words, doubled in the companies that have this trap.
func (c *company) gap(b []byte) []byte {
	if c.trap == nameDoubleBlank {
		b = append(b, ' ')
	}
	return append(b, ' ')
}

func (c *company) appendQuoted(b []byte, brand string) []byte {
	if c.trap != nameQuotes {
		return append(b, brand...)
	}
	b = append(b, `""`...)
	b = append(b, brand...)
	return append(b, `""`...)
}

// suffix is the legal form at the end of a firm's name.
func (c *company) suffix(d *dice) string {
	switch {
	case c.kind.style == stock:
		return oneOf(d, "S.A.", "S/A", "S.A.", "SA")
	case c.kind == &kinds[soleLimited]:
		return oneOf(d, "EIRELI", "EIRELI - ME", "EIRELI ME", "EIRELI - EPP")
	case c.kind.style == professional:
		return oneOf(d, "S/S LTDA", "SOCIEDADE SIMPLES", "S/S", "LTDA", "S/C LTDA")
	}
	switch u := d.n(1000); {
	case u < 620:
		return "LTDA"
	case u < 760:
		return "LTDA ME"
	case u < 860:
		return "LTDA - ME"
	case u < 910:
		return "LTDA - EPP"
	case u < 955:
		return "LTDA EPP"
	case u < 990:
		return "SOCIEDADE UNIPESSOAL LTDA"
	}
	return oneOf(d, "LTDA EM LIQUIDACAO", "LTDA EM RECUPERACAO JUDICIAL")
}

// appendInstitution names what is neither a person nor a firm.
func (g *generator) appendInstitution(b []byte, c *company, d *dice) []byte {
	place := g.cities[c.city].name
	accents := c.trap == nameAccents
	brand := g.brandOf(c)
	switch c.kind.style {
	case religious:
		b = append(b, oneOf(d, "IGREJA EVANGELICA ", "COMUNIDADE CRISTA ", "IGREJA BATISTA ", "PAROQUIA ", "ASSEMBLEIA ")...)
		b = append(b, oneOf(d, "NOVA VIDA", "DA PAZ", "MONTE SIAO", "AGUA VIVA", "DA GRACA", "BOA NOVA")...)
		b = append(b, " DE "...)
		return append(b, place...)
	case building:
		b = append(b, oneOf(d, "CONDOMINIO EDIFICIO ", "CONDOMINIO RESIDENCIAL ", "CONDOMINIO DO EDIFICIO ", "EDIFICIO ")...)
		return append(b, brand...)
	case public:
		b = append(b, oneOf(d, "FUNDO MUNICIPAL DE SAUDE DE ", "FUNDO MUNICIPAL DE ASSISTENCIA SOCIAL DE ", "AUTARQUIA DE AGUA E ESGOTO DE ", "SECRETARIA DE EDUCACAO DE ")...)
		return append(b, place...)
	case foreign:
		b = append(b, brand...)
		return append(b, oneOf(d, " HOLDINGS LLC", " INVESTMENTS LTD", " CAPITAL INC", " INTERNATIONAL S.A.", " PARTNERS LP")...)
	}
	switch c.kind.code {
	case "2143":
		b = append(b, oneOf(d, "COOPERATIVA MISTA ", "COOPERATIVA DE TRABALHO ", "COOPERATIVA AGROPECUARIA ")...)
	case "3131":
		b = append(b, "SINDICATO DOS TRABALHADORES "...)
	case "3069":
		b = append(b, "FUNDACAO "...)
	default:
		b = append(b, oneOf(d, "ASSOCIACAO DE MORADORES ", "ASSOCIACAO COMUNITARIA ", "INSTITUTO ", "CAIXA ESCOLAR ", "CLUBE RECREATIVO ")...)
	}
	b = append(b, g.districts.pick(d).in(accents)...)
	b = append(b, " DE "...)
	return append(b, place...)
}

// brandOf returns the made-up word that a company's names share.
func (g *generator) brandOf(c *company) string {
	d := newDice(g.seed, topicBrand, uint64(c.index))
	if g.giantOf(c.index) != nil {
		return g.brands.words[len(g.brands.words)-1-c.index%100].plain // a rare word, its own
	}
	return g.brands.pick(&d).plain
}

func (g *generator) tradeOf(c *company, d *dice) *word {
	words := g.activities[c.activity].words
	return &words[d.n(len(words))]
}

// appendTradeName appends nome_fantasia.
func (g *generator) appendTradeName(b []byte, c *company, d *dice, trap trap) []byte {
	brand := g.brandOf(c)
	trade := g.tradeOf(c, d).plain
	if trap == quotedComplement {
		b = append(b, `""`...)
		b = append(b, brand...)
		return append(b, `""`...)
	}
	switch u := d.n(100); {
	case u < 45:
		b = append(b, trade...)
		b = append(b, ' ')
		return append(b, brand...)
	case u < 75:
		b = append(b, brand...)
		b = append(b, ' ')
		return append(b, trade...)
	case u < 90:
		return append(b, brand...)
	}
	b = append(b, trade...)
	b = append(b, " DO "...)
	return append(b, g.firstName(d).plain...)
}

// appendBodyOf appends ente_federativo_responsavel.
func (g *generator) appendBodyOf(b []byte, c *company) []byte {
	if c.kind.style != public {
		return b
	}
	if c.kind.code == "1015" {
		return append(b, "UNIAO"...)
	}
	b = append(b, g.cities[c.city].name...)
	b = append(b, " - "...)
	return append(b, g.cities[c.city].uf...)
}

// appendInt appends n with at least width digits.
func appendInt(b []byte, n, width int) []byte {
	for limit := 10; width > 1; width-- {
		if n < limit {
			for ; width > 1; width-- {
				b = append(b, '0')
			}
			break
		}
		limit *= 10
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// oneOf picks one of the texts, all alike.
func oneOf(d *dice, texts ...string) string { return texts[d.n(len(texts))] }
