package records

import (
	"fmt"
	"strings"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// Positions of the systems in debtSystems.
const (
	sida = iota // neither social security nor FGTS
	prev
	fgts
)

// debtSystem declares one system of PGFN, which is published as one zip.
type debtSystem struct {
	zip, token       string   // name of the zip; part of its members' names
	members, share   int      // number of members; share of the rows in ten thousand
	people, branches int      // persons and branches among a thousand debtors
	kindTitle        string   // column with the kind of debt
	kinds            []string // values of that column
	situations       []string // kinds and texts of the situation by turns, the commonest first
}

// debtSystems declares the systems. The question mark in a situation is the publisher's own
// conversion error.
var debtSystems = [...]debtSystem{
	sida: {
		"Dados_abertos_Nao_Previdenciario.zip", "SIDA", 6, 9165, 460, 150, "RECEITA_PRINCIPAL",
		[]string{
			"Receita da dívida ativa - COFINS", "Receita da dívida ativa - PIS", "Receita da dívida ativa - IRPJ", "Receita da dívida ativa - CSLL",
			"Receita da dívida ativa - IRRF", "Receita da dívida ativa - SIMPLES NACIONAL", "Receita da dívida ativa - Multa - CLT",
			"R D Ativa - Multa Isolada", "Receita da dívida ativa - IPI",
		},
		[]string{
			"Em cobrança", "ATIVA EM COBRANCA", "Em cobrança", "ATIVA AJUIZADA",
			"Em cobrança", "ATIVA NAO PRIORIZADA PARA AJUIZAMENTO",
			"Benefício Fiscal", "ATIVA AJUIZADA NEGOCIADA NO SISPAR", "Benefício Fiscal", "ATIVA NEGOCIADA NO SISPAR",
			"Garantia", "ATIVA NAO AJUIZAVEL GARANTIA - DEPOSITO JUDICIAL",
			"Garantia", "ATIVA AJUIZADA GARANTIA - PENHORA",
			"Suspenso por decisão judicial", "ATIVA NAO AJUIZAVEL COM EXIGIBILIDADE DO CREDITO SUSPENSA-DEC.JUDICIAL",
			"Em negociação", "ATIVA EM PROCESSO DE NEGOCIACAO",
		},
	},
	prev: {
		"Dados_abertos_Previdenciario.zip", "PREV", 1, 726, 20, 10, "TIPO_CREDITO",
		[]string{"CONTRIBUICAO NAO REPASSADA", "AFERICAO INDIRETA", "SOLIDARIEDADE", "SUCUMBENCIA", "ARREMATACAO", "Não Informado"},
		[]string{
			"Em cobrança", "AJUIZAMENTO / DISTRIBUICAO", "Benefício Fiscal", "NEGOCIADO NO SISPAR",
			"Benefício Fiscal", "PARCWEB ? Outros parcelamentos", "Garantia", "SUSPENSAO DE EXIGIBILIDADE COM DEPOSITO",
			"Suspenso por decisão judicial", "SUSPENSAO DE EXIGIBILIDADE SEM DEPOSITO",
			"Em cobrança", "CADASTRAMENTO DE CREDITO DE SUCUMBEMCIA",
			"Em negociação", "INDICADO INCLUSAO CONS. PARC. LEI 11941",
			"Em cobrança", "SUSPENSAO E / OU SOBRESTAMENTO DA ACAO",
		},
	},
	fgts: {
		"Dados_abertos_FGTS.zip", "FGTS", 1, 109, 10, 120, "RECEITA_PRINCIPAL",
		[]string{"Contribuições FGTS", "Contribuições FGTS", "Contribuições LC110 (FGTS)"},
		[]string{
			"Em cobrança", "AJUIZADA", "Em cobrança", "INSCRITA", "Benefício Fiscal", "INSCR PARCELADA",
			"Benefício Fiscal", "AJUIZ PARCELADA", "Garantia", "EMBARGADA",
		},
	},
}

// debtFiles declares the members of the three zips. SIDA takes the rows that the smaller systems
// leave.
func (s *sources) debtFiles() []table.File {
	var files []table.File
	rest := s.debts
	for k := fgts; k >= sida; k-- { // the largest takes what is left
		system := &debtSystems[k]
		rows := min(rest, max(s.debts*system.share/10_000, 40))
		if k == sida {
			rows = rest
		}
		rest -= rows
		for part := range system.members {
			files = append(files, table.File{
				Folder: "pgfn", Name: system.zip, Dialect: pgfnDialect,
				Member: fmt.Sprintf("arquivo_lai_%s_%d_%s.csv", system.token, part+1, s.quarter.Format("200601")),
				From:   rows * part / system.members, To: rows * (part + 1) / system.members,
				Row: func(x int) row { return s.debt(k, x) },
			})
		}
	}
	return files
}

// debt returns a row of system k. The facts of the debt follow from the row of its principal
// debtor, so all rows of an inscription agree.
func (s *sources) debt(k, x int) row {
	system, p := &debtSystems[k], principalOf(k, x)
	principal := s.debtor(k, p, true)
	who := principal
	if p != x {
		who = s.debtor(k, x, false)
	}
	d := s.Dice(draw.Debt, uint64(k)<<40|uint64(p))
	city := &s.Cities[principal.city]
	unit := city.State.Name
	if city.Prefixes > 8 && d.Permille(500) {
		unit = city.Name
	}
	filed := s.filedOn(k, p, &d)
	cells := row{
		"CPF_CNPJ", s.debtorNumber(&who, x), "TIPO_PESSOA", ifElse(who.natural, "Pessoa física", "Pessoa jurídica"),
		"TIPO_DEVEDOR", debtorRole(k, p, x), "NOME_DEVEDOR", s.debtorName(&who, x),
		"UF_DEVEDOR", ifElse(x%600 == 23, "Si", s.Cities[who.city].UF), "UNIDADE_RESPONSAVEL", unit,
	}
	if k == fgts {
		cells = append(cells, "ENTIDADE_RESPONSAVEL", d.OneOf("PGFN", "PGFN", "PGFN", "CAIXA"), "UNIDADE_INSCRICAO", unit)
	}
	number := s.debtNumber(k, p, city, filed, &d)
	class, situation, court := system.situation(p, &d)
	kind := "OUTROS"
	if k != prev || !d.Permille(970) {
		kind = d.OneOf(system.kinds...)
	}
	return append(
		cells, "NUMERO_INSCRICAO", number, "TIPO_SITUACAO_INSCRICAO", class, "SITUACAO_INSCRICAO", situation,
		system.kindTitle, kind, "DATA_INSCRICAO", ifElse(filed == world.NoDay, "01/01/1000", s.BR(filed)),
		"INDICADOR_AJUIZADO", court, "VALOR_CONSOLIDADO", debtValue(p, &d),
	)
}

// principalOf returns the row of the principal debtor of a row's debt. Three rows in twenty of SIDA
// are of co-debtors of a row above them.
func principalOf(k, x int) int {
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

// wrongDigitDebt is the interval of rows with a wrong check digit.
const wrongDigitDebt = 100_000

// debtor draws the debtor of a row. Nearly half of SIDA's principals and most co-debtors are
// people; the big company has thousands of debts.
func (s *sources) debtor(k, x int, principal bool) party {
	d := s.Dice(draw.Debtor, uint64(k)<<40|uint64(x))
	people := debtSystems[k].people
	switch {
	case !principal:
		people = 800
	case x%wrongDigitDebt == 33:
		people = 0
	}
	if d.Permille(people) {
		return s.resident(&d)
	}
	if e, ok := s.bigPlace(&d, s.debts, 18, 6000, 700); ok {
		return at(e)
	}
	return at(s.place(&d, &s.debtors, debtSystems[k].branches, func(c *company) bool {
		return known(c) && c.Kind.Style != world.Public && (c.Status == world.Active || d.Permille(450))
	}))
}

// debtorNumber returns CPF_CNPJ: CNPJs with punctuation, CPFs masked as XXX456.789XX.
func (s *sources) debtorNumber(who *party, x int) string {
	number := s.numberOf(who, x%wrongDigitDebt == 33)
	if who.natural {
		return "XXX" + number[4:11] + "XX"
	}
	return number
}

// debtorRole returns TIPO_DEVEDOR, whose case differs between the systems.
func debtorRole(k, p, x int) string {
	switch {
	case k != sida:
		return "Principal"
	case p == x:
		return "PRINCIPAL"
	}
	return ifElse(x%20 == 14, "SOLIDARIO", "CORRESPONSAVEL")
}

// debtorName returns NOME_DEVEDOR.
func (s *sources) debtorName(who *party, x int) string {
	if x%997 == 5 && !who.natural && firm(who.place.Company) {
		return s.nameOf(who) + "  EM RECUPERACAO JUDICIAL"
	}
	return s.nameOf(who)
}

// filedOn returns the day of the inscription, NoDay when the publisher does not know it
// (01/01/1000).
func (s *sources) filedOn(k, p int, d *dice) world.Day {
	end := world.DayOf(s.quarter.Date())
	switch {
	case k == prev && p%500 == 7:
		return world.NoDay
	case k == prev && p%200 == 11:
		return s.Between(d, world.DayOf(1969, 2, 4), min(end, world.DayOf(1983, 12, 31)))
	}
	return s.Within(end - world.Day(d.Skewed(int(end-min(end, world.DayOf(1993, 1, 1)))+1)))
}

// debtNumber returns NUMERO_INSCRICAO, distinct for every debt of a system. Its form depends on
// system and age.
func (s *sources) debtNumber(k, p int, city *world.City, filed world.Day, d *dice) string {
	year, running := s.Year(max(filed, 0)), p*61_803_399%100_000_000
	switch {
	case k == sida:
		unit := ifElse(city.UF == "RS", "", city.State.Unit) // numbers of RS have lost their leading 00
		return unit + "245678"[d.N(6):][:1] + year[2:] + table.Digits(running, 8)
	case k == prev && filed != world.NoDay && filed < world.DayOf(1984, 1, 1):
		return table.Digits(10_000_000+p, 8)
	case k == prev:
		return table.Digits(300_000_000+running, 9)
	case p%300 == 9:
		return "FGTS" + city.UF + table.Digits(1_000_000+p, 7)
	}
	return d.OneOf("FG", "FG", "CS") + city.UF + year + table.Digits(p, 5)
}

// situation draws the situation of a debt and INDICADOR_AJUIZADO, which is SIM wherever the text
// speaks of a lawsuit.
func (k *debtSystem) situation(p int, d *dice) (kind, text, court string) {
	i, n := 0, len(k.situations)/2
	if d.Permille(500) {
		i = d.N(n)
	}
	if p < n {
		i = p // every one occurs in the smallest sample
	}
	kind, text = k.situations[2*i], k.situations[2*i+1]
	if strings.Contains(text, "AJUIZADA") || strings.Contains(text, "AJUIZAMENTO /") {
		return kind, text, "SIM"
	}
	return kind, text, d.OneOf("NAO", "NAO", "NAO", "SIM")
}

// debtValue returns VALOR_CONSOLIDADO. Below one real the publisher writes no digit before the
// point.
func debtValue(p int, d *dice) string {
	cents := d.Cents(200, 5)
	switch p % 2000 {
	case 9:
		cents = 1 + d.N(99)
	case 12:
		cents = 0
	}
	return strings.TrimPrefix(table.Cents(cents, "."), ifElse(cents < 100, "0", ""))
}
