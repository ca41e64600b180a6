package sample

import (
	"fmt"
	"strings"

	"razao/internal/sample/country"
)

// debtSystem declares one system of PGFN, which is published as one zip.
type debtSystem struct {
	zip, token       string   // name of the zip; part of its members' names
	members, share   int      // number of members; share of the rows in ten thousand
	people, branches int      // persons and branches among a thousand debtors
	principal        string   // TIPO_DEVEDOR of principal debtors, whose case differs
	kindTitle        string   // column with the kind of debt
	kinds            []string // values of that column
	situations       []string // kinds and texts of the situation by turns, the commonest first
}

// Positions of the systems in debtSystems.
const (
	sida = iota // neither social security nor FGTS
	prev
	fgts
)

var debtSystems = [...]debtSystem{
	sida: {
		"Dados_abertos_Nao_Previdenciario.zip", "SIDA", 6, 9165, 460, 150, "PRINCIPAL", "RECEITA_PRINCIPAL",
		[]string{
			"Receita da dívida ativa - COFINS", "Receita da dívida ativa - PIS", "Receita da dívida ativa - IRPJ", "Receita da dívida ativa - CSLL",
			"Receita da dívida ativa - IRRF", "Receita da dívida ativa - SIMPLES NACIONAL", "Receita da dívida ativa - Multa - CLT",
			"R D Ativa - Multa Isolada", "Receita da dívida ativa - IPI",
		},
		[]string{
			"Em cobrança", "ATIVA EM COBRANCA", "Em cobrança", "ATIVA AJUIZADA",
			"Em cobrança", "ATIVA NAO PRIORIZADA PARA AJUIZAMENTO",
			"Benefício Fiscal", "ATIVA AJUIZADA NEGOCIADA NO SISPAR", "Benefício Fiscal", "ATIVA NEGOCIADA NO SISPAR",
			"Garantia", "ATIVA AJUIZADA GARANTIA - PENHORA",
			"Suspenso por decisão judicial", "ATIVA NAO AJUIZAVEL COM EXIGIBILIDADE DO CREDITO SUSPENSA-DEC.JUDICIAL",
		},
	},
	prev: {
		"Dados_abertos_Previdenciario.zip", "PREV", 1, 726, 20, 10, "Principal", "TIPO_CREDITO",
		[]string{"CONTRIBUICAO NAO REPASSADA", "AFERICAO INDIRETA", "SOLIDARIEDADE", "SUCUMBENCIA", "ARREMATACAO"},
		[]string{
			"Em cobrança", "AJUIZAMENTO / DISTRIBUICAO", "Benefício Fiscal", "NEGOCIADO NO SISPAR",
			"Garantia", "SUSPENSAO DE EXIGIBILIDADE COM DEPOSITO", "Em negociação", "INDICADO INCLUSAO CONS. PARC. LEI 11941",
		},
	},
	fgts: {
		"Dados_abertos_FGTS.zip", "FGTS", 1, 109, 10, 120, "Principal", "RECEITA_PRINCIPAL",
		[]string{"Contribuições FGTS", "Contribuições FGTS", "Contribuições LC110 (FGTS)"},
		[]string{
			"Em cobrança", "AJUIZADA", "Em cobrança", "INSCRITA", "Benefício Fiscal", "INSCR PARCELADA", "Garantia", "EMBARGADA",
		},
	},
}

// debtTables declares the systems. SIDA takes the rows that the smaller systems leave.
func (s *sources) debtTables() (tables [len(debtSystems)]living) {
	rest := s.debts
	for k := fgts; k >= sida; k-- {
		rows := min(rest, max(s.debts*debtSystems[k].share/10_000, 40))
		if k == sida {
			rows = rest
		}
		rest -= rows
		tables[k] = living{
			source: "pgfn", topic: ofLife + country.Topic(k), rows: rows, fates: ofDebts,
			unit: func(x int) int { return principal(k, x) }, record: func(x int, l life) row { return s.debt(k, x, l) },
			holder: holderIn("CPF_CNPJ"), amount: func(r row) int {
				if strings.EqualFold(cell(r, "TIPO_DEVEDOR"), "principal") {
					return centsOf(cell(r, "VALOR_CONSOLIDADO"))
				}
				return 0
			},
		}
	}
	return tables
}

// debtFiles declares the members of the three zips.
func (s *sources) debtFiles() []file {
	var files []file
	for k, table := range s.first.debtTables() {
		system, rows := &debtSystems[k], table.upTo(s.Months)
		for part := range system.members {
			f := file{
				folder: "pgfn", name: system.zip, group: "pgfn", dialect: pgfnDialect,
				member: fmt.Sprintf("arquivo_lai_%s_%d_%s.csv", system.token, part+1, s.quarter.Format("200601")),
				from:   rows * part / system.members, to: rows * (part + 1) / system.members,
			}
			files = append(files, table.file(f, s.Country, s.Months))
		}
	}
	return files
}

// principal returns the row of the principal debtor of the debt in row x: three rows in twenty of SIDA
// are of a co-debtor of the row above them.
func principal(k, x int) int {
	if k == sida && (x%20 == 7 || x%20 == 14 || x%20 == 17) {
		return x - 1
	}
	return x
}

// debt returns a row of system k. The facts of the debt follow from the row of its principal debtor,
// so all rows of an inscription agree. Most co-debtors are people.
func (s *sources) debt(k, x int, l life) row {
	system, p := &debtSystems[k], principal(k, x)
	debtor := s.debtor(k, p, system.people)
	who, role := debtor, system.principal
	if p != x {
		who, role = s.debtor(k, x, 800), either(x%20 == 14, "SOLIDARIO", "CORRESPONSAVEL")
	}
	number := s.numberOf(&who)
	if who.natural {
		number = "XXX" + number[4:11] + "XX"
	}
	d := s.Dice(ofDebt, uint64(k)<<40|uint64(p))
	city := &s.Cities[debtor.city]
	unit := city.State.Name
	if city.Capital && d.Permille(500) {
		unit = city.RFBName
	}
	end := country.DayOf(s.quarter.Date())
	filed := s.Within(end - country.Day(d.Skewed(int(end-min(end, country.DayOf(1993, 1, 1)))+1)))
	if l.known > 0 {
		filed = s.since(&d, filed, l)
	}
	cells := row{
		"CPF_CNPJ", number, "TIPO_PESSOA", either(who.natural, "Pessoa física", "Pessoa jurídica"),
		"TIPO_DEVEDOR", role, "NOME_DEVEDOR", s.nameOf(&who),
		"UF_DEVEDOR", s.Cities[who.city].UF, "UNIDADE_RESPONSAVEL", unit,
	}
	if k == fgts {
		cells = append(cells, "ENTIDADE_RESPONSAVEL", d.OneOf("PGFN", "PGFN", "PGFN", "CAIXA"), "UNIDADE_INSCRICAO", unit)
	}
	inscription := debtNumber(k, p, city, s.Year(filed), &d)
	class, situation, court := system.situation(&d)
	if l.edits > 0 {
		anew := s.Dice(ofDebt, uint64(l.edits)<<56|uint64(k)<<40|uint64(p))
		class, situation, court = system.situation(&anew)
	}
	kind := d.OneOf(system.kinds...)
	if k == prev && d.Permille(700) {
		kind = "OUTROS"
	}
	amount := d.Cents(200, 5)
	return append(
		cells, "NUMERO_INSCRICAO", inscription, "TIPO_SITUACAO_INSCRICAO", class, "SITUACAO_INSCRICAO", situation, system.kindTitle, kind,
		"DATA_INSCRICAO", s.BR(filed), "INDICADOR_AJUIZADO", court, "VALOR_CONSOLIDADO", cents(amount+amount/10*l.raises, "."),
	)
}

// debtor draws the debtor of a row, a person with probability people/1000. The giant has thousands
// of debts.
func (s *sources) debtor(k, x, people int) party {
	d := s.Dice(ofDebtor, uint64(k)<<40|uint64(x))
	switch {
	case d.Permille(people):
		return s.resident(&d)
	case ofGiant(&d, s.debts, 18, 6000):
		return at(s.somewhere(&d, s.giant, 700))
	}
	c := s.find(&d, 6, func(c *company) bool { return c.Kind.Style != country.Public })
	return at(s.somewhere(&d, c, debtSystems[k].branches))
}

// debtNumber returns NUMERO_INSCRICAO, distinct for every debt of a system.
func debtNumber(k, p int, city *country.City, year string, d *dice) string {
	running := p * 61_803_399 % 100_000_000
	switch k {
	case sida:
		return city.State.Unit + "245678"[d.N(6):][:1] + year[2:] + country.Digits(running, 8)
	case prev:
		return country.Digits(300_000_000+running, 9)
	}
	return d.OneOf("FG", "FG", "CS") + city.UF + year + country.Digits(p, 5)
}

// situation draws the situation of a debt and INDICADOR_AJUIZADO, which is SIM wherever the text
// speaks of a lawsuit.
func (k *debtSystem) situation(d *dice) (kind, text, court string) {
	i := 0
	if d.Permille(500) {
		i = d.N(len(k.situations) / 2)
	}
	kind, text = k.situations[2*i], k.situations[2*i+1]
	if strings.Contains(text, "AJUIZADA") || strings.Contains(text, "AJUIZAMENTO /") {
		return kind, text, "SIM"
	}
	return kind, text, d.OneOf("NAO", "NAO", "NAO", "SIM")
}
