package sample

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"razao/internal/sample/country"
)

// labourFiles declares what the Ministry of Labour publishes: the register of employers, with a text
// that dates it beside the table, and the CEAC.
func (s *sources) labourFiles() []file {
	const folder = "mte_empregadores"
	employers := file{folder: folder, group: folder, name: "cadastro_de_empregadores.csv", dialect: mteDialect}
	ceac := file{folder: "mte_ceac", group: "mte_ceac", name: s.Month.Format("2006_0001.csv"), dialect: mteDialect}
	listed, adjusted := s.first.employers()
	return []file{
		listed.whole(employers, s.Country, s.Months),
		{folder: folder, name: "cadastro_de_empregadores.txt", dialect: dialect{windows: true}, header: s.employerTitle()},
		adjusted.whole(ceac, s.Country, s.Months),
	}
}

// employers declares the rows of the two registers. A name stays for two years.
func (s *sources) employers() (listed, adjusted living) {
	listed = living{
		source: "mte_empregadores", topic: lifeOfEmployer, rows: s.volume(579, 60), fates: fates{withdrawn: 20}, unit: itself, record: s.employer,
	}
	adjusted = living{
		source: "mte_ceac", topic: lifeOfAdjustment, rows: s.volume(40, 18), fates: fates{withdrawn: 20}, unit: itself, record: s.adjustment,
	}
	return listed, adjusted
}

// employerTitle returns the text beside the register: title, edition, date of the update.
func (s *sources) employerTitle() string {
	update := s.Month.AddDate(0, 0, 3)
	edition := time.Date(update.Year(), time.October, 6, 0, 0, 0, 0, time.UTC)
	for edition.After(update) {
		edition = edition.AddDate(0, -6, 0)
	}
	return "Cadastro de Empregadores que tenham submetido trabalhadores a condições análogas à escravidão\r\n" +
		"(Portaria Interministerial MTE/MDHC/MIR nº 18 de 13/09/2024)\r\n" +
		fmt.Sprintf("Atualização periódica de 6 de %s de %d. Cadastro atualizado em %s.\r\n",
			either(edition.Month() == time.October, "outubro", "abril"), edition.Year(), update.Format("02/01/2006")) +
		"(*1) Incluído no Cadastro em cumprimento à sentença proferida no processo judicial APC 0000000-00.2024.5.08.0118 _ TRT 8ª Região\r\n"
}

// workplace is what both registers say about an employer.
type workplace struct{ uf, name, document, address, activity string }

// workplace draws an employer: two in three are people, with full CPFs.
func (s *sources) workplace(d *dice) workplace {
	if d.Permille(666) {
		who := s.resident(d)
		city := &s.Cities[who.city]
		address := "FAZENDA " + s.Districts.Pick(d) + ", ZONA RURAL, " + strings.ToUpper(city.Name) + "/" + city.UF
		return workplace{city.UF, s.nameOf(&who), s.numberOf(&who), address, "0151-2/01"}
	}
	c := s.find(d, 1, (*company).Firm)
	e := s.somewhere(d, c, 60)
	city := &s.Cities[e.City]
	address := d.OneOf("SÍTIO ", "FAZENDA ", "RUA ", "AV. ") + s.Streets.Pick(d) + ", Nº " + strconv.Itoa(1+d.N(900)) +
		", " + strings.ToUpper(city.Name) + "/" + city.UF
	return workplace{city.UF, s.Name(&c), e.Full.Masked(), address, activityCode(s.Activities[c.Activity].Code)}
}

// employer returns a row of the Cadastro de Empregadores. One in twenty-five stands in it by order of
// a court, which a footnote says.
func (s *sources) employer(x int, l life) row {
	d := s.Dice(ofEmployer, uint64(x))
	w := s.workplace(&d)
	decided := s.Within(s.until(l.known) - 60 - country.Day(d.N(700)))
	included := min(decided+40+country.Day(d.N(200)), s.until(l.known))
	if l.known > 0 {
		included = s.since(&d, included, l)
	}
	year, decision := s.Year(decided), s.BR(decided)
	if x%25 == 4 {
		year, decision, w = "", "", workplace{name: w.name + " (*1)", document: w.document}
	}
	return row{
		"ID", strconv.Itoa(7 + x), "Ano da ação fiscal", year, "UF", w.uf, "Empregador", w.name, "CNPJ/CPF", w.document,
		"Estabelecimento", w.address, "Trabalhadores envolvidos", strconv.Itoa(1 + d.N(1+d.N(60))), "CNAE", w.activity,
		"Decisão administrativa de procedência", decision, "Inclusão no Cadastro de Empregadores", s.BR(included),
	}
}

// adjustment returns a row of the CEAC.
func (s *sources) adjustment(x int, l life) row {
	d := s.Dice(ofEmployer, 1<<40|uint64(x))
	w := s.workplace(&d)
	signed := s.Within(s.until(l.known) - country.Day(d.N(600)))
	if l.known > 0 {
		signed = s.since(&d, signed, l)
	}
	id, year := strconv.Itoa(x+1), s.Year(signed)
	return row{
		"ID", id, "Ano da ação fiscal", year, "UF", w.uf, "Empregador", w.name, "CNPJ/CPF", w.document, "Estabelecimento", w.address,
		"Inclusão no Cadastro de Empregadores", either(x%3 == 0, s.BR(signed-60), ""), "Inclusão no CEAC", s.BR(signed),
		"Termo de Ajustamento de Conduta MTE", "TAC nº " + id + "/" + year,
	}
}
