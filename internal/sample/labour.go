package sample

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	employerColumns   = "ID;Ano da ação fiscal;UF;Empregador;CNPJ/CPF;Estabelecimento;Trabalhadores envolvidos;CNAE;Decisão administrativa de procedência;Inclusão no Cadastro de Empregadores"
	adjustmentColumns = "ID;Ano da ação fiscal;UF;Empregador;CNPJ/CPF;Estabelecimento;Inclusão no Cadastro de Empregadores;Inclusão no CEAC;Termo de Ajustamento de Conduta MTE"
	employerNotes     = "(*1) Incluído no Cadastro em cumprimento à sentença proferida no processo judicial APC 0000000-00.2024.5.08.0118 _ TRT 8ª Região\r\n" +
		"(*2), (*3) Incluído no Cadastro em cumprimento à sentença proferida no processo judicial ACPCiv 0000000-00.2025.5.14.0071 - TRT 14ª Região\r\n" +
		"\r\n" +
		"                    \t                  \t  \t                                        \tDENÚNCIAS DE TRABALHO ANÁLOGO À ESCRAVIDÃO\r\n" +
		"xrLabelNumeracaoPagina\r\n"
)

// mteDialect has line breaks between the rows only: none stands at the end.
var mteDialect = dialect{lead: "\r\n", windows: true}

// employerFiles are the table of the register and the same padded with blanks, which alone says how old it is.
func (s *sources) employerFiles() []file {
	rows := s.inProportion(579, 60)
	text := dialect{eol: "\r\n", windows: true}
	return []file{
		{
			name: "cadastro_de_empregadores.csv", header: mteDialect.header(employerColumns), from: 0, to: rows,
			rows: mteDialect.rows(func(l *line, x int) {
				for _, cell := range s.employer(x) {
					l.field(cell)
				}
			}),
		},
		{
			name: "cadastro_de_empregadores.txt", header: text.header(s.employerTitle()), footer: text.encode([]byte(employerNotes), 0),
			repeats: true, from: 0, to: rows,
			rows: text.rows(func(l *line, x int) {
				cells := s.employer(x)
				l.field(padded(cells[:]))
			}),
		},
	}
}

// employerTitle returns the lines above the rows of the padded table.
func (s *sources) employerTitle() string {
	update := s.month.AddDate(0, 0, 3)
	edition := time.Date(update.Year(), time.October, 6, 0, 0, 0, 0, time.UTC)
	for edition.After(update) {
		edition = edition.AddDate(0, -6, 0)
	}
	month := "abril"
	if edition.Month() == time.October {
		month = "outubro"
	}
	return "Cadastro de Empregadores que tenham submetido trabalhadores a condições análogas à escravidão\r\n" +
		"(Portaria Interministerial MTE/MDHC/MIR nº 18 de 13/09/2024)\r\n" +
		fmt.Sprintf("Atualização periódica de 6 de %s de %d. Cadastro atualizado em %s.\r\n", month, edition.Year(), update.Format("02/01/2006")) +
		"I- PUBLICAÇÃO DO CADASTRO DE EMPREGADORES PREVISTA NO ARTIGO 2º, CAPUT, DA PORTARIA INTERMINISTERIAL MTE/MDHC/MIR Nº 18, DE 13 DE SETEMBRO DE 2024\r\n" +
		padded(strings.Split(employerColumns, ";"))
}

// padded parts cells by tabs and fills them up with blanks.
func padded(cells []string) string {
	widths := [...]int{20, 18, 2, 70, 18, 100, 24, 9, 37, 36}
	for i, cell := range cells {
		cells[i] = cell + strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell)))
	}
	return strings.Join(cells, "\t")
}

// employer returns the cells of a row. Two in three are of people, with full numbers.
func (s *sources) employer(x int) [10]string {
	d := newDice(s.seed, topicEmployer, uint64(x))
	w := s.workplace(&d, x)
	decided := s.within(s.last - 60 - day(d.n(700)))
	included := min(decided+40+day(d.n(200)), s.last)
	cells := [10]string{
		fmt.Sprint(7 + x), string(s.text[decided][:4]), w.uf, w.name, w.document, w.address,
		fmt.Sprint(1 + d.n(1+d.n(60))), w.activity, s.brText(decided), s.brText(included),
	}
	switch x % 100 {
	case 6: // left by injunction and came back
		cells[9] = s.brText(included-300) + " a " + s.brText(included-265) + ", " + s.brText(included)
	case 14:
		cells[9] = s.brText(included-90) + " a " + s.brText(included)
	case 4, 12: // by order of a court
		cells[1], cells[2], cells[5], cells[7], cells[8] = "", "", "", "", ""
		cells[3] += " (*1)"
	}
	return cells
}

func (s *sources) brText(d day) string { return string(s.appendBR(nil, d)) }

// Rows in a hundred of the name of a company: a name that begins with the root, one that has the owner's number, a branch.
const (
	rowRootInName = 9
	rowCPFInName  = 18
	rowOfBranch   = 10
)

func endsInDigit(b []byte) bool { return b[len(b)-1] >= '0' && b[len(b)-1] <= '9' }

// workplace is what both registers say about an employer.
type workplace struct{ uf, name, document, address, activity string }

func (s *sources) workplace(d *dice, x int) workplace {
	const longestName = 55
	if x%3 != 0 && x%100 != rowOfBranch && x%100 != 4 {
		city := &s.cities[s.population.pick(d)]
		id := s.anyone(d)
		farm := "FAZENDA " + s.districts.pick(d).plain + ", ZONA RURAL, " + strings.ToUpper(city.title) + "/" + city.uf
		if d.permille(60) {
			farm = "RESIDÊNCIA DE " + string(s.appendPerson(nil, id, false))
		}
		return workplace{city.uf, string(s.appendPerson(nil, id, false)), string(appendCPF(nil, s.cpf(id))), farm, "0151-2/01"}
	}
	c := s.find(d, func(c *company) bool {
		switch x % 100 {
		case rowRootInName:
			return c.known() && c.kind == &kinds[individual] && s.appendPlainName(nil, c)[2] == '.'
		case rowCPFInName:
			return c.known() && c.kind == &kinds[individual] && endsInDigit(s.appendPlainName(nil, c))
		case rowOfBranch:
			return c.firm() && c.branches > 0
		}
		return c.firm()
	})
	owner := c.kind == &kinds[individual]
	e := s.somewhere(d, &c, 60)
	if x%100 == rowOfBranch && c.branches > 0 {
		e = s.establishment(&c, 1)
	}
	city := &s.cities[e.city]
	w := workplace{uf: city.uf, name: string(s.appendPlainName(nil, &c)), document: string(appendFull(nil, e.full))}
	if !owner && len(w.name) > longestName && d.permille(500) {
		w.name = w.name[:longestName]
	}
	w.address = oneOf(d, "SÍTIO ", "FAZENDA ", "RUA ", "AV. ", "CARVOARIA D’") + s.streets.pick(d).plain +
		", Nº " + fmt.Sprint(1+d.n(900)) + ",  " + strings.ToUpper(city.title) + "/" + city.uf
	if x%100 == 0 || d.permille(100) {
		w.address += " – ZONA RURAL"
	}
	a := s.activities[c.activity].code
	w.activity = a[:4] + "-" + a[4:5] + "/" + a[5:]
	return w
}

// adjustmentFiles is the current version of CEAC.
func (s *sources) adjustmentFiles() []file {
	return []file{{
		name:   fmt.Sprintf("%d_%04d.csv", s.month.Year(), s.month.Month()),
		header: mteDialect.header(adjustmentColumns), from: 0, to: s.inProportion(40, 18),
		rows: mteDialect.rows(s.adjustmentRow),
	}}
}

// adjustmentRow appends an employer with an agreement. The dates stand as loosely as they do in the ministry's table.
func (s *sources) adjustmentRow(l *line, x int) {
	d := newDice(s.seed, topicAdjustment, uint64(x))
	w := s.workplace(&d, x)
	signed := s.within(s.last - day(d.n(600)))
	first, second := s.brText(signed-60), s.brText(signed)
	l.number(x + 1)
	l.field(second[6:])
	l.field(w.uf)
	l.field(w.name)
	l.field(w.document)
	l.field(w.address)
	switch x % 6 {
	case 0: // the dates of the agreement in the column of the other register
		l.field(second)
		l.field("")
	case 3:
		l.field(first)
		l.field(second, " ", s.brText(signed+20))
	case 5:
		l.field("")
		l.field(first, " a ", second, ", ", s.brText(signed+40))
	default:
		l.field("")
		l.field(second)
	}
	l.field("TAC nº ", fmt.Sprint(x+1), "/", second[6:])
}
