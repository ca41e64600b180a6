package indextest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"razao/index/build"
)

// detail fills in what does not decide how a name is found: dates, roles of partners, contacts.
// Values derive from the CNPJ, those of the company from its root, so that branches agree and the
// sequence of names is not disturbed. Natural persons in business get no contacts, as in the real
// index.
func (g *Generator) detail(d *build.Doc) {
	own, company := rand.New(rand.NewPCG(uint64(d.CNPJ), 11)), rand.New(rand.NewPCG(uint64(d.CNPJ.Root()), 11))
	d.SituacaoDay = max(d.Opening, randomDay(own, 1995, 31))
	d.Motivo = map[string]string{"02": "00", "08": Pick(own, "01", "01", "18", "73"), "04": Pick(own, "63", "63", "70")}[d.SituacaoCadastral]
	if own.IntN(500) == 0 {
		d.Pais = Pick(own, "249", "023", "87")
	}
	if d.Simples {
		d.SimplesDay = randomDay(company, 2007, 19)
	}
	if d.MEI {
		d.MEIDay = randomDay(company, 2009, 17)
	}
	d.PartnerCount = max(len(d.Partners), len(g.company.Partners)*g.sameCompany(d))
	for i := range d.Partners {
		p := &d.Partners[i]
		p.Kind, p.Role, p.Age = "2", Pick(company, "49", "49", "49", "22", "05"), fmt.Sprint(1+company.IntN(9))
		if company.IntN(40) == 0 {
			p.Kind, p.Role, p.Age = Pick(company, "1", "3"), "37", ""
		}
	}
	if d.MEI || d.NaturezaJuridica == "2135" {
		return
	}
	g.contact(d, own, company)
}

// sameCompany returns 1 for an establishment of the current company, 0 otherwise.
func (g *Generator) sameCompany(d *build.Doc) int {
	if d.CNPJ.Root() == g.company.CNPJ.Root() {
		return 1
	}
	return 0
}

// randomDay returns a day, AAAAMMDD, of the given years.
func randomDay(rng *rand.Rand, first, years int) int {
	return (first+rng.IntN(years))*10_000 + (1+rng.IntN(12))*100 + 1 + rng.IntN(28)
}

// contact draws a bairro, a CEP of the municipality, telephones, and an e-mail address: half of
// them at a common provider, some of an accountant shared by many companies.
func (g *Generator) contact(d *build.Doc, own, company *rand.Rand) {
	quarter := min(int(own.ExpFloat64()*12), 99)
	city := 0
	fmt.Sscan(d.Municipio, &city)
	d.Bairro = Pick(own, "", "", "", "VILA ", "JARDIM ") + g.trade[(city*31+quarter)%len(g.trade)]
	if quarter < 5 {
		d.Bairro = "CENTRO"
	}
	d.CEP = fmt.Sprintf("%05d%03d", 1000+city*17+quarter, own.IntN(40)*10)
	d.Street = Pick(own, "RUA ", "R. ", "AVENIDA ", "AV ", "PRACA DR. ", "") + g.trade[(city+own.IntN(30))%len(g.trade)] + Pick(own, "", "", " DE ABRIL", " 7")
	d.HouseNumber = Pick(own, "S/N", "", "0"+fmt.Sprint(own.IntN(400)), fmt.Sprint(own.IntN(90)), fmt.Sprint(own.IntN(90), "-A"))
	if own.IntN(10) > 0 {
		d.DDDs[0], d.Telephones[0] = fmt.Sprint(11+city%89), phone(own)
	}
	if own.IntN(8) == 0 {
		d.DDDs[1], d.Telephones[1] = fmt.Sprint(11+own.IntN(89)), phone(own)
	}
	switch provider := own.IntN(20); {
	case provider < 2:
	case provider < 12:
		d.Email = "CONTATO@" + Pick(own, "GMAIL.COM", "GMAIL.COM", "GMAIL.COM", "HOTMAIL.COM", "UOL.COM.BR", "YAHOO.COM.BR")
	case provider < 15:
		d.Email = "fiscal@contabilidade" + fmt.Sprint(company.IntN(5000)) + ".com.br"
	default:
		d.Email = "contato@" + strings.ToLower(g.trade[company.IntN(len(g.trade))]+fmt.Sprint(company.IntN(30))) + ".com.br"
	}
}

// phone draws a number: one of few, so that several establishments share it, in one of five cases, of
// mobile telephones with and without the ninth digit.
func phone(rng *rand.Rand) string {
	number := 10_000_000 + rng.IntN(90_000_000)
	if rng.IntN(5) == 0 {
		number = 88_880_000 + rng.IntN(20)
	}
	if number >= 60_000_000 && rng.IntN(2) == 0 {
		return "9" + fmt.Sprint(number)
	}
	return fmt.Sprint(number)
}
