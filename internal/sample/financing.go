package sample

import (
	"fmt"
	"strconv"
	"strings"
)

// bndesDialect is that of both tables of BNDES.
var bndesDialect = dialect{quoting: asNeeded, eol: "\r\n", windows: true}

const (
	financingEnd     = ";fonte_de_recurso_desembolsos;custo_financeiro;juros;prazo_carencia_meses;prazo_amortizacao_meses;modalidade_de_apoio;forma_de_apoio;produto;instrumento_financeiro;inovacao;area_operacional;setor_cnae;subsetor_cnae_agrupado;subsetor_cnae_codigo;subsetor_cnae_nome;setor_bndes;subsetor_bndes;porte_do_cliente;natureza_do_cliente;instituicao_financeira_credenciada"
	directColumns    = "cliente;cnpj;descricao_do_projeto;uf;municipio;municipio_codigo;numero_do_contrato;data_da_contratacao;valor_contratado_reais;valor_desembolsado_reais" + financingEnd + ";cnpj_da_instituicao_financeira_credenciada;tipo_de_garantia;tipo_de_excepcionalidade;situacao_do_contrato"
	automaticColumns = "cliente;cpf_cnpj;uf;municipio;municipio_codigo;data_da_contratacao;valor_da_operacao_em_reais;valor_desembolsado_reais" + financingEnd + ";cnpj_do_agente_financeiro;situacao_da_operacao"
	longestClient    = 55
	bracketAt        = 45
	noBank           = "----------"
)

func (s *sources) financingFiles() []file {
	direct := s.inProportion(23_339, 36)
	automatic := s.inProportion(2_360_000, 120)
	return []file{
		{
			name: "operacoes-financiamento-operacoes-indiretas-automaticas.csv", header: bndesDialect.header(automaticColumns),
			from: 0, to: automatic, rows: bndesDialect.rows(func(l *line, x int) { s.automaticRow(l, x, automatic) }),
		},
		{
			name: "operacoes-financiamento-operacoes-nao-automaticas.csv", header: bndesDialect.header(directColumns),
			from: 0, to: direct, rows: bndesDialect.rows(s.directRow),
		},
	}
}

// client returns the establishment that an operation is with. The big company has a third of the automatic ones, up to
// some thousands.
func (s *sources) client(d *dice, big bool, fits func(*company) bool) establishment {
	if big {
		c := s.big()
		return s.somewhere(d, &c, 500)
	}
	c := s.oneOfCrowd(d, &s.clients, func(c *company) bool { return c.firm() && fits(c) })
	return s.somewhere(d, &c, 80)
}

// link says what of a masked operation agrees with the registry.
type link int

const (
	linkable     link = iota // the mask, the name and the municipality
	inBrackets               // the root stands behind the name
	elsewhere                // the municipality is another one: where the money was spent
	renamed                  // the name is another one
	homonym                  // name and municipality are of one company, the mask is of another one
	nowhere                  // the municipality is not known
	bracketsOnly             // the root stands behind the name and the municipality is not known
	linkKinds
)

// linkShares has the operations in a thousand.
var linkShares = [linkKinds]int{linkable: 560, inBrackets: 80, elsewhere: 150, renamed: 120, homonym: 30, nowhere: 30, bracketsOnly: 30}

func linkOf(x int, d *dice) link {
	if x < int(linkKinds) {
		return link(x)
	}
	u := d.n(1000)
	for k, share := range linkShares {
		if u < share {
			return link(k)
		}
		u -= share
	}
	return linkable
}

// rowLongName is an operation whose client has a name that does not fit.
const rowLongName = 10

// automaticRow appends an operation through a bank, with a masked client.
func (s *sources) automaticRow(l *line, x, total int) {
	d := newDice(s.seed, topicFinancing, uint64(x))
	k := linkOf(x, &d)
	big := x > rowLongName && d.n(total) < min(total/3, 4000)
	e := s.client(&d, big, func(c *company) bool {
		if x != rowLongName {
			return true
		}
		return len(s.appendPlainName(nil, c)) > longestClient
	})
	name, city := string(s.appendPlainName(nil, e.company)), &s.cities[e.city]
	masked := e.full.String()
	switch k {
	case elsewhere:
		city = &s.cities[s.population.pick(&d)]
	case renamed:
		former := s.find(&d, (*company).firm)
		name = string(s.appendPlainName(nil, &former))
	case homonym:
		other := s.find(&d, func(c *company) bool { return c.firm() && c.index != e.company.index })
		masked = other.root.String() + masked[8:]
	}
	l.field(clientText(name, e.company, k == inBrackets || k == bracketsOnly))
	l.field("**.*", masked[3:5], ".", masked[5:8], "/", masked[8:12], "-**")
	s.municipality(l, " ", city, x, k == nowhere || k == bracketsOnly)
	l.isoDate(s.calendar, s.between(&d, min(s.last, dayOf(2002, 1, 2)), s.last))
	cents := d.amount(2000, 3)
	l.number(cents / 100)
	switch d.n(8) {
	case 0:
		l.field("")
	case 1:
		l.field("0")
	default:
		l.field(strconv.Itoa(cents/100), ",", strconv.Itoa(d.n(100)))
	}
	s.conditions(l, &d, "INDIRETA", oneOf(&d, "BNDES FINAME", "BNDES AUTOMÁTICO"), oneOf(&d,
		"BK AQUISIÇÃO E COMERCIALIZAÇÃO – ÔNIBUS E CAMINHÃO", "BK AQUISIÇÃO E COMERCIALIZAÇÃO - DEMAIS", "PROGRAMA BNDES MAIS INOVAÇÃO"))
	s.trade(l, e.company, "INFRA-ESTRUTURA", &d)
	bank, number := s.bank()
	l.field("PRIVADA")
	l.field(bank)
	l.field(strings.Replace(number, "/", ".", 1))
	l.field(oneOf(&d, "ATIVA", "LIQUIDADA", "LIQUIDADA"))
}

// clientText cuts a name as BNDES does; the root stands in the last ten places.
func clientText(name string, c *company, root bool) string {
	if !root {
		return name[:min(len(name), longestClient)]
	}
	name = name[:min(len(name), bracketAt)]
	return name + strings.Repeat(" ", bracketAt-len(name)) + "(" + c.root.String() + ")"
}

// municipality appends uf to municipio_codigo.
func (s *sources) municipality(l *line, lead string, city *city, x int, unknown bool) {
	l.field(lead, city.uf)
	switch {
	case unknown && x%2 == 0:
		l.field("SEM MUNICÍPIO")
		l.field("0")
	case unknown:
		l.field("DIVERSOS")
		l.field("9999999")
	default:
		l.field(city.name)
		if x%90 == 17 {
			l.field(city.ibge, ".0")
		} else {
			l.field(city.ibge)
		}
	}
}

// conditions appends fonte_de_recurso_desembolsos to area_operacional.
func (s *sources) conditions(l *line, d *dice, form, product, instrument string) {
	l.field(oneOf(d, "-", "RECURSOS LIVRES - PRÓPRIOS", "RECURSOS LIVRES - FAT", "RECURSOS LIVRES - FAT / RECURSOS LIVRES - TESOURO"))
	l.field(oneOf(d, "TAXA FIXA", "TAXA FIXA", "TLP", "TJLP", "SELIC", "SEM CUSTO"))
	l.field(strings.TrimSuffix(string(appendCents(nil, d.n(2200), ',')), "0"))
	l.number(d.n(5) * 3)
	l.number(12 + d.n(8)*12)
	l.field(oneOf(d, "REEMBOLSÁVEL", "REEMBOLSÁVEL", "REEMBOLSÁVEL", "NÃO REEMBOLSÁVEL"))
	l.field(form)
	l.field(product)
	l.field(instrument)
	l.field(oneOf(d, "NÃO", "NÃO   ", "SIM"))
	l.field(oneOf(d, "AREA DE OPERACOES E CANAIS DIGITAIS", "AREA DE INFRAESTRUTURA"))
}

// trade appends setor_cnae to porte_do_cliente.
func (s *sources) trade(l *line, c *company, infrastructure string, d *dice) {
	code := s.activities[c.activity].code
	section := sectionOf(code)
	l.field(map[bool]string{true: "INDUSTRIA DE TRANSFORMAÇÃO    ", false: "COMERCIO E SERVICOS           "}[section == "C"])
	switch section {
	case "H":
		l.field("Transporte terrestre")
	case "F":
		l.field("Construção")
	case "C":
		l.field("Produtos Alimentícios")
	default:
		l.field("Comércio")
	}
	l.field(section, code)
	l.field(s.sections[code], "   ")
	if section == "H" {
		l.field(infrastructure)
		l.field("TRANSPORTE RODOVIÁRIO")
	} else {
		l.field("COMERCIO/SERVICOS")
		l.field("COMÉRCIO E SERVIÇOS")
	}
	l.field(oneOf(d, "MICRO", "MICRO", "PEQUENA", "MÉDIA", "GRANDE"))
}

// bank returns the lender, the giant among the banks.
func (s *sources) bank() (name, number string) {
	c := s.company(s.giants[len(s.giants)-1].index)
	e := s.establishment(&c, 0)
	return string(s.appendPlainName(nil, &c)), string(appendFull(nil, e.full))
}

// directRow appends a part of a contract. A contract has three, of which some are alike to the last letter.
func (s *sources) directRow(l *line, x int) {
	contract := x / 3
	d := newDice(s.seed, topicFinancing, 1<<40|uint64(contract))
	e := s.client(&d, contract%3 == 0, func(*company) bool { return true })
	if contract == 3 {
		e = s.anyBranch(&d)
	}
	l.field(clientText(string(s.appendPlainName(nil, e.company)), e.company, false))
	l.next()
	l.b = appendFull(l.b, e.full)
	l.field(oneOf(&d, "AQUISICAO DE FROTA; EXPANSAO DE TERMINAL                        ", "MODERNIZACAO DE UNIDADE                 ",
		"INOVACAO E \"FABRICA DIGITAL\"; PROJETO SOCIAL"))
	s.municipality(l, "", &s.cities[e.city], x, contract%10 == 7)
	l.number(24_900_000 + contract)
	l.isoDate(s.calendar, s.between(&d, min(s.last, dayOf(2002, 1, 2)), s.last))
	part := newDice(s.seed, topicFinancing, 2<<40|uint64(x-x%3/2)) // the last of the three is as the second
	l.field(strconv.Itoa(part.amount(10_000, 4)/100), ",0")
	if part.permille(100) {
		l.field("")
	} else {
		l.field(fmt.Sprintf("%d,%d", part.amount(10_000, 4)/100, part.n(10)))
	}
	form := oneOf(&d, "DIRETA", "DIRETA", "INDIRETA")
	s.conditions(l, &part, form, "BNDES FINEM", "CAPACIDADE PRODUTIVA - DEMAIS INDÚSTRIA E SERVIÇOS")
	s.trade(l, e.company, "INFRAESTRUTURA", &d)
	l.field(oneOf(&d, "PRIVADA             ", "PRIVADA             ", "ADMINISTRAÇÃO PÚBLICA INDIRETA"))
	if form == "DIRETA" {
		l.field(noBank)
		l.field(noBank)
	} else {
		bank, number := s.bank()
		l.field(bank)
		l.field(number)
	}
	l.field(oneOf(&d, "PESSOAL", "REAL / PESSOAL", noBank))
	l.field(noBank)
	l.field(oneOf(&d, "ATIVO", "LIQUIDADO"))
}

// activityNames returns the names of the activities in capitals without accents.
func activityNames() (map[string]string, error) {
	lines, err := readLines("CNAECSV.latin1.csv")
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(lines))
	for _, line := range lines {
		name := []byte(strings.TrimSuffix(line[11:], `"`))
		for i, c := range name {
			if c >= 0xE0 {
				c -= 0x20
			}
			name[i] = plainLetter(c)
		}
		names[line[1:8]] = strings.ToUpper(string(name))
	}
	return names, nil
}

// sectionOf returns the letter of the CNAE section of an activity.
func sectionOf(code string) string {
	const lastDivisions = "03A09B33C35D39E43F47G53H56I63J66K68L75M82N84O85P88Q93R96S97T99U"
	for i := 0; i < len(lastDivisions); i += 3 {
		if code[:2] <= lastDivisions[i:i+2] {
			return lastDivisions[i+2 : i+3]
		}
	}
	return "S"
}
