package sample

import (
	"fmt"
	"strings"
)

// debtSystem is one of the three systems of PGFN, each published as a zip.
type debtSystem int

const (
	sida debtSystem = iota // neither social security nor FGTS
	prev
	fgts
)

var debtDialect = dialect{eol: "\n", windows: true}

const (
	debtStart = "CPF_CNPJ;TIPO_PESSOA;TIPO_DEVEDOR;NOME_DEVEDOR;UF_DEVEDOR;UNIDADE_RESPONSAVEL"
	debtMid   = ";NUMERO_INSCRICAO;TIPO_SITUACAO_INSCRICAO;SITUACAO_INSCRICAO"
	debtEnd   = ";DATA_INSCRICAO;INDICADOR_AJUIZADO;VALOR_CONSOLIDADO"
)

// debtSystems has the name of the zip, the token in the names of its members, how many of them there are, the columns
// and the rows in ten thousand.
var debtSystems = [...]struct {
	zip, token string
	members    int
	columns    string
	share      int
}{
	sida: {"Dados_abertos_Nao_Previdenciario.zip", "SIDA", 6, debtStart + debtMid + ";RECEITA_PRINCIPAL" + debtEnd, 9165},
	prev: {"Dados_abertos_Previdenciario.zip", "PREV", 1, debtStart + debtMid + ";TIPO_CREDITO" + debtEnd, 726},
	fgts: {"Dados_abertos_FGTS.zip", "FGTS", 1, debtStart + ";ENTIDADE_RESPONSAVEL;UNIDADE_INSCRICAO" + debtMid + ";RECEITA_PRINCIPAL" + debtEnd, 109},
}

func (s *sources) debtFiles() []file {
	var files []file
	rest := s.debts
	for k := fgts; k >= sida; k-- { // the largest takes what is left
		system := &debtSystems[k]
		rows := min(rest, max(s.debts*system.share/10_000, 40))
		if k == sida {
			rows = rest
		}
		rest -= rows
		for part := range system.members {
			files = append(files, file{
				name:   system.zip,
				member: fmt.Sprintf("arquivo_lai_%s_%d_%s.csv", system.token, part+1, s.quarter.Format("200601")),
				header: debtDialect.header(system.columns),
				from:   rows * part / system.members, to: rows * (part + 1) / system.members,
				rows: debtDialect.rows(func(l *line, x int) { s.debtRow(l, k, x) }),
			})
		}
	}
	return files
}

// spoiledDebt is of how many rows one has wrong check digits.
const spoiledDebt = 100_000

// debtor is who owes.
type debtor struct {
	place   establishment
	person  personID
	natural bool
	city    int
}

// debtorOf derives the debtor of a row. Of the rows of SIDA half are people's; the big company has thousands.
func (s *sources) debtorOf(k debtSystem, x int, principal bool) debtor {
	d := newDice(s.seed, topicDebtor, uint64(k)<<40|uint64(x))
	people := [...]int{sida: 460, prev: 20, fgts: 10}[k]
	switch {
	case !principal:
		people = 800
	case x%spoiledDebt == 33:
		people = 0
	}
	if d.permille(people) {
		return debtor{natural: true, person: s.anyone(&d), city: s.population.pick(&d)}
	}
	if d.n(s.debts) < min(s.debts/18, 6000) {
		c := s.big()
		e := s.somewhere(&d, &c, 700)
		return debtor{place: e, city: e.city}
	}
	c := s.oneOfCrowd(&d, &s.debtors, func(c *company) bool {
		return c.known() && c.kind.style != public && (c.status == "02" || d.permille(450))
	})
	e := s.somewhere(&d, &c, [...]int{sida: 150, prev: 10, fgts: 120}[k])
	return debtor{place: e, city: e.city}
}

// principalOf returns the row of the principal debtor of a row's debt. Three rows in twenty of SIDA are of people who
// answer for the debt of a row above them.
func principalOf(k debtSystem, x int) int {
	if k == sida {
		switch x % 20 {
		case 7, 14:
			return x - 1
		case 8:
			return x - 2
		}
	}
	return x
}

func (s *sources) debtRow(l *line, k debtSystem, x int) {
	p := principalOf(k, x)
	principal := s.debtorOf(k, p, true)
	who := principal
	if p != x {
		who = s.debtorOf(k, x, false)
	}
	d := newDice(s.seed, topicDebt, uint64(k)<<40|uint64(p))
	s.debtorFields(l, k, x, &who, p == x)
	city := &s.cities[principal.city]
	unit := city.state.name
	if city.prefixes > 8 && d.permille(500) {
		unit = city.name
	}
	l.field(unit)
	filed := s.filedOn(k, p, &d)
	if k == fgts {
		l.field(oneOf(&d, "PGFN", "PGFN", "PGFN", "CAIXA"))
		l.field(unit)
	}
	l.next()
	l.b = s.appendDebtNumber(l.b, k, p, city, filed, &d)
	court := debtSituation(l, k, p, &d)
	debtKind(l, k, &d)
	l.next()
	if filed == noDay {
		l.b = append(l.b, "01/01/1000"...)
	} else {
		l.b = s.appendBR(l.b, filed)
	}
	l.field(court)
	l.next()
	l.b = appendDebt(l.b, p, &d)
}

// debtorFields appends CPF_CNPJ to UF_DEVEDOR.
func (s *sources) debtorFields(l *line, k debtSystem, x int, who *debtor, principal bool) {
	l.next()
	if who.natural {
		n := s.cpf(who.person)
		l.b = append(append(append(l.b, "XXX"...), n[3:6]...), '.')
		l.b = append(append(l.b, n[6:9]...), "XX"...)
		l.field("Pessoa física")
	} else {
		l.b = appendFull(l.b, who.place.full)
		if x%spoiledDebt == 33 {
			spoil(l.b)
		}
		l.field("Pessoa jurídica")
	}
	switch {
	case k != sida:
		l.field("Principal")
	case principal:
		l.field("PRINCIPAL")
	case x%20 == 14:
		l.field("SOLIDARIO")
	default:
		l.field("CORRESPONSAVEL")
	}
	l.next()
	if who.natural {
		l.b = s.appendPerson(l.b, who.person, false)
	} else {
		l.b = s.appendPlainName(l.b, who.place.company)
		if x%997 == 5 && who.place.company.firm() {
			l.b = append(l.b, "  EM RECUPERACAO JUDICIAL"...)
		}
	}
	if x%600 == 23 {
		l.field("Si")
		return
	}
	l.field(s.cities[who.city].uf)
}

// filedOn returns the day of the inscription, noDay when the publisher does not know it.
func (s *sources) filedOn(k debtSystem, p int, d *dice) day {
	if k == prev && p%500 == 7 {
		return noDay
	}
	end := dayOf(s.quarter.Date())
	if k == prev && p%200 == 11 {
		return s.between(d, dayOf(1969, 2, 4), min(end, dayOf(1983, 12, 31)))
	}
	return s.within(end - day(skewed(d, int(end-min(end, dayOf(1993, 1, 1)))+1)))
}

// appendDebtNumber appends NUMERO_INSCRICAO, another one for every debt: their running part is a permutation.
func (s *sources) appendDebtNumber(b []byte, k debtSystem, p int, city *city, filed day, d *dice) []byte {
	const hundredMillion = 100_000_000
	year := s.text[max(filed, 0)][:4]
	switch k {
	case sida:
		if city.uf != "RS" { // whose 00 is lost
			b = append(b, city.state.unit...)
		}
		b = append(b, "245678"[d.n(6)])
		b = append(b, year[2:]...)
		return appendInt(b, p*61_803_399%hundredMillion, 8)
	case prev:
		if filed != noDay && filed < dayOf(1984, 1, 1) {
			return appendInt(b, 10_000_000+p, 8)
		}
		return appendInt(b, 300_000_000+p*61_803_399%hundredMillion, 9)
	}
	if p%300 == 9 {
		b = append(append(b, "FGTS"...), city.uf...)
		return appendInt(b, 1_000_000+p, 7)
	}
	b = append(append(b, oneOf(d, "FG", "FG", "CS")...), city.uf...)
	return appendInt(append(b, year...), p, 5)
}

// debtSituation appends both situations and returns whether the debt is in court.
func debtSituation(l *line, k debtSystem, p int, d *dice) string {
	list := debtSituations[k]
	i := 0
	if d.permille(500) {
		i = d.n(len(list))
	}
	if p < len(list) {
		i = p // every one occurs in the smallest sample
	}
	l.field(list[i].kind)
	l.field(list[i].text)
	if strings.Contains(list[i].text, "AJUIZADA") || strings.Contains(list[i].text, "AJUIZAMENTO /") {
		return "SIM"
	}
	return oneOf(d, "NAO", "NAO", "NAO", "SIM")
}

type debtSituationText struct{ kind, text string }

// debtSituations has the most frequent situation first. The question mark is the publisher's.
var debtSituations = [...][]debtSituationText{
	sida: {
		{"Em cobrança", "ATIVA EM COBRANCA"},
		{"Em cobrança", "ATIVA AJUIZADA"},
		{"Em cobrança", "ATIVA NAO PRIORIZADA PARA AJUIZAMENTO"},
		{"Benefício Fiscal", "ATIVA AJUIZADA NEGOCIADA NO SISPAR"},
		{"Benefício Fiscal", "ATIVA NEGOCIADA NO SISPAR"},
		{"Garantia", "ATIVA NAO AJUIZAVEL GARANTIA - DEPOSITO JUDICIAL"},
		{"Garantia", "ATIVA AJUIZADA GARANTIA - PENHORA"},
		{"Suspenso por decisão judicial", "ATIVA NAO AJUIZAVEL COM EXIGIBILIDADE DO CREDITO SUSPENSA-DEC.JUDICIAL"},
		{"Em negociação", "ATIVA EM PROCESSO DE NEGOCIACAO"},
	},
	prev: {
		{"Em cobrança", "AJUIZAMENTO / DISTRIBUICAO"},
		{"Benefício Fiscal", "NEGOCIADO NO SISPAR"},
		{"Benefício Fiscal", "PARCWEB ? Outros parcelamentos"},
		{"Garantia", "SUSPENSAO DE EXIGIBILIDADE COM DEPOSITO"},
		{"Suspenso por decisão judicial", "SUSPENSAO DE EXIGIBILIDADE SEM DEPOSITO"},
		{"Em cobrança", "CADASTRAMENTO DE CREDITO DE SUCUMBEMCIA"},
		{"Em negociação", "INDICADO INCLUSAO CONS. PARC. LEI 11941"},
		{"Em cobrança", "SUSPENSAO E / OU SOBRESTAMENTO DA ACAO"},
	},
	fgts: {
		{"Em cobrança", "AJUIZADA"},
		{"Em cobrança", "INSCRITA"},
		{"Benefício Fiscal", "INSCR PARCELADA"},
		{"Benefício Fiscal", "AJUIZ PARCELADA"},
		{"Garantia", "EMBARGADA"},
	},
}

// debtKind appends RECEITA_PRINCIPAL or TIPO_CREDITO.
func debtKind(l *line, k debtSystem, d *dice) {
	switch k {
	case sida:
		l.field(oneOf(d, "Receita da dívida ativa - COFINS", "Receita da dívida ativa - PIS", "Receita da dívida ativa - IRPJ",
			"Receita da dívida ativa - CSLL", "Receita da dívida ativa - IRRF", "Receita da dívida ativa - SIMPLES NACIONAL",
			"Receita da dívida ativa - Multa - CLT", "R D Ativa - Multa Isolada", "Receita da dívida ativa - IPI"))
	case prev:
		if d.permille(970) {
			l.field("OUTROS")
			return
		}
		l.field(oneOf(d, "CONTRIBUICAO NAO REPASSADA", "AFERICAO INDIRETA", "SOLIDARIEDADE", "SUCUMBENCIA", "ARREMATACAO", "Não Informado"))
	case fgts:
		l.field(oneOf(d, "Contribuições FGTS", "Contribuições FGTS", "Contribuições LC110 (FGTS)"))
	}
}

// appendDebt appends VALOR_CONSOLIDADO: below one real the publisher writes no digit before the point.
func appendDebt(b []byte, p int, d *dice) []byte {
	cents := d.amount(200, 5)
	switch p % 2000 {
	case 9:
		cents = 1 + d.n(99)
	case 12:
		cents = 0
	}
	if cents < 100 {
		return appendInt(append(b, '.'), cents, 2)
	}
	return appendCents(b, cents, '.')
}
