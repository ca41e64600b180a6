package records

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"razao/internal/sample/draw"
	"razao/internal/sample/world"
)

// employerNotes is what stands below the rows of the text twin: footnotes and decoration of the
// report generator.
const employerNotes = "(*1) Incluído no Cadastro em cumprimento à sentença proferida no processo judicial APC 0000000-00.2024.5.08.0118 _ TRT 8ª Região\r\n" +
	"(*2), (*3) Incluído no Cadastro em cumprimento à sentença proferida no processo judicial ACPCiv 0000000-00.2025.5.14.0071 - TRT 14ª Região\r\n" +
	"\r\n" +
	"                    \t                  \t  \t                                        \tDENÚNCIAS DE TRABALHO ANÁLOGO À ESCRAVIDÃO\r\n" +
	"xrLabelNumeracaoPagina\r\n"

// employerTitle returns what stands above the rows of the text twin: title, edition, date of the
// update, headings.
func (s *sources) employerTitle() string {
	update := s.Month.AddDate(0, 0, 3)
	edition := time.Date(update.Year(), time.October, 6, 0, 0, 0, 0, time.UTC)
	for edition.After(update) {
		edition = edition.AddDate(0, -6, 0)
	}
	month := ifElse(edition.Month() == time.October, "outubro", "abril")
	var titles row
	for title := range s.employer(0).Cells {
		titles = append(titles, title, title)
	}
	return "Cadastro de Empregadores que tenham submetido trabalhadores a condições análogas à escravidão\r\n" +
		"(Portaria Interministerial MTE/MDHC/MIR nº 18 de 13/09/2024)\r\n" +
		fmt.Sprintf("Atualização periódica de 6 de %s de %d. Cadastro atualizado em %s.\r\n", month, edition.Year(), update.Format("02/01/2006")) +
		"I- PUBLICAÇÃO DO CADASTRO DE EMPREGADORES PREVISTA NO ARTIGO 2º, CAPUT, DA PORTARIA INTERMINISTERIAL MTE/MDHC/MIR Nº 18, DE 13 DE SETEMBRO DE 2024\r\n" +
		padded(titles) + "\r\n"
}

// padded formats a row of the text twin: texts padded with blanks to the widths of its columns,
// separated by tabs.
func padded(r row) string {
	widths := [...]int{20, 18, 2, 70, 18, 100, 24, 9, 37, 36}
	var texts []string
	for _, text := range r.Cells {
		texts = append(texts, text+strings.Repeat(" ", max(0, widths[len(texts)]-utf8.RuneCountInString(text))))
	}
	return strings.Join(texts, "\t")
}

// employer returns a row of the Cadastro de Empregadores. Two in three are of people, with full
// CPFs.
func (s *sources) employer(x int) row {
	d := s.Dice(draw.Employer, uint64(x))
	w := s.workplace(&d, x)
	decided := s.Within(s.last - 60 - world.Day(d.N(700)))
	included := min(decided+40+world.Day(d.N(200)), s.last)
	year, decision, inclusion := s.Year(decided), s.BR(decided), s.BR(included)
	workers := strconv.Itoa(1 + d.N(1+d.N(60)))
	switch x % 100 {
	case 6: // left by injunction and came back
		inclusion = s.BR(included-300) + " a " + s.BR(included-265) + ", " + inclusion
	case 14:
		inclusion = s.BR(included-90) + " a " + inclusion
	case 4, 12: // by order of a court
		w.name += " (*1)"
		year, w.uf, w.address, w.activity, decision = "", "", "", "", ""
	}
	return row{
		"ID", strconv.Itoa(7 + x), "Ano da ação fiscal", year, "UF", w.uf, "Empregador", w.name, "CNPJ/CPF", w.document,
		"Estabelecimento", w.address, "Trabalhadores envolvidos", workers, "CNAE", w.activity,
		"Decisão administrativa de procedência", decision, "Inclusão no Cadastro de Empregadores", inclusion,
	}
}

// Positions, modulo 100, of a company whose name begins with its root, one whose name holds the
// owner's CPF, and a branch.
const (
	rowRootInName = 9
	rowCPFInName  = 18
	rowOfBranch   = 10
)

// workplace is what both registers say about an employer.
type workplace struct{ uf, name, document, address, activity string }

// workplace draws the employer of row x.
func (s *sources) workplace(d *dice, x int) workplace {
	if x%3 != 0 && x%100 != rowOfBranch && x%100 != 4 {
		return s.farm(d)
	}
	fits := firm
	switch x % 100 {
	case rowRootInName:
		fits = func(c *company) bool { return entrepreneur(c) && s.PlainName(c)[2] == '.' }
	case rowCPFInName:
		fits = s.nameEndsInCPF
	case rowOfBranch:
		fits = branched
	}
	c := s.anywhere(d, fits)
	e := s.somewhere(d, &c, 60)
	if x%100 == rowOfBranch && c.Branches > 0 {
		e = s.Establishment(&c, 1)
	}
	city, code := &s.Cities[e.City], s.Activities[c.Activity].Code
	w := workplace{uf: city.UF, name: s.PlainName(&c), document: e.Full.Masked(), activity: code[:4] + "-" + code[4:5] + "/" + code[5:]}
	const longestName = 55
	if c.Kind.Style != world.Personal && len(w.name) > longestName && d.Permille(500) {
		w.name = w.name[:longestName]
	}
	w.address = d.OneOf("SÍTIO ", "FAZENDA ", "RUA ", "AV. ", "CARVOARIA D’") + s.Streets.Pick(d).Plain +
		", Nº " + strconv.Itoa(1+d.N(900)) + ",  " + strings.ToUpper(city.Title) + "/" + city.UF
	if x%100 == 0 || d.Permille(100) {
		w.address += " – ZONA RURAL"
	}
	return w
}

// farm returns the workplace of a person who employs others.
func (s *sources) farm(d *dice) workplace {
	city := &s.Cities[s.Population.Pick(d)]
	id := s.Anyone(d)
	name := s.Person(id, false)
	address := "FAZENDA " + s.Districts.Pick(d).Plain + ", ZONA RURAL, " + strings.ToUpper(city.Title) + "/" + city.UF
	if d.Permille(60) {
		address = "RESIDÊNCIA DE " + name
	}
	return workplace{city.UF, name, dotted(s.CPF(id)), address, "0151-2/01"}
}

// adjustment returns a row of the CEAC, with dates as loosely separated, and at times in the wrong
// column, as in the ministry's table.
func (s *sources) adjustment(x int) row {
	d := s.Dice(draw.Adjustment, uint64(x))
	w := s.workplace(&d, x)
	signed := s.Within(s.last - world.Day(d.N(600)))
	first, second := s.BR(signed-60), s.BR(signed)
	inRegister, inCEAC := "", second
	switch x % 6 {
	case 0: // the dates of the agreement in the column of the other register
		inRegister, inCEAC = second, ""
	case 3:
		inRegister, inCEAC = first, second+" "+s.BR(signed+20)
	case 5:
		inCEAC = first + " a " + second + ", " + s.BR(signed+40)
	}
	id, year := strconv.Itoa(x+1), second[6:]
	return row{
		"ID", id, "Ano da ação fiscal", year, "UF", w.uf, "Empregador", w.name, "CNPJ/CPF", w.document,
		"Estabelecimento", w.address, "Inclusão no Cadastro de Empregadores", inRegister, "Inclusão no CEAC", inCEAC,
		"Termo de Ajustamento de Conduta MTE", "TAC nº " + id + "/" + year,
	}
}
