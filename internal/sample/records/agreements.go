package records

import (
	"strconv"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// signatories is how many rows an agreement of leniency has.
const signatories = 3

func (s *sources) signatures() int { return s.volume(151, 24) }
func (s *sources) agreements() int { return (s.signatures() + signatories - 1) / signatories }
func (s *sources) effects() int    { return s.signatures() * 173 / 151 }

// agreementID returns ID DO ACORDO.
func agreementID(a int) string { return strconv.Itoa(9_000_001 + a) }

// agreement returns a signatory of an agreement: a company, another one, or a foreign one without a number, and then a
// branch of the first when it has one. The dash and the misspelling in the titles are the publisher's.
func (s *sources) agreement(x int) []cell {
	a, k := x/signatories, x%signatories
	e := s.signatory(a, k)
	number, name, tradeName := e.Full.String(), s.PlainName(e.Company), ""
	switch {
	case a%8 == 1 && k == 1:
		number, name = "EXDRAGOVAL", "DRAGOVAL INDUSTRIES SE"
	case k == 0:
		d := s.Dice(draw.Signatory, uint64(x))
		tradeName = s.TradeName(e.Company, &d, world.NoTrap)
	}
	d := s.Dice(draw.Agreement, uint64(a))
	start := s.Between(&d, min(s.last, world.DayOf(2015, 1, 1)), s.last)
	end, informed := world.NoDay, s.last-17
	if a%5 != 2 {
		end = start + world.Day(d.N(3650))
	}
	if a%6 == 3 {
		informed = world.NoDay
	}
	return []cell{
		{"ID DO ACORDO", agreementID(a)},
		{"CNPJ DO SANCIONADO", number},
		{"RAZÃO SOCIAL – CADASTRO RECEITA", name},
		{"NOME FANTASIA – CADASTRO RECEITA", tradeName},
		{"DATA DE INÍCIO DO ACORDO", s.BR(start)},
		{"DATA DE FIM DO ACORDO", s.BR(end)},
		{"SITUAÇÃO DO ACORDO DE LENIÊNICA", d.OneOf("Em Execução", "Em Execução", "Cumprido", "Rescindido")},
		{"DATA DA INFORMAÇÃO", s.BR(informed)},
		{"NÚMERO DO PROCESSO", "00190." + table.Digits(100_000+a, 6) + "/2019-" + table.Digits(a%100, 2)},
		{"TERMOS DO ACORDO", [...]string{
			"Pagamento de multa e ressarcimento.\r\nAperfeiçoamento do programa de integridade.", "Termos publicados no sítio do órgão.", "",
		}[a%3]},
		{"ÓRGÃO SANCIONADOR", "Controladoria-Geral da União"},
	}
}

// signatory derives the k-th signatory of agreement a.
func (s *sources) signatory(a, k int) world.Establishment {
	d := s.Dice(draw.Signatory, uint64(a)*signatories)
	first := s.find(&d, branched)
	switch {
	case k == 0:
		return s.Establishment(&first, 0)
	case k == 2 && first.Branches > 0:
		return s.Establishment(&first, 1)
	}
	d = s.Dice(draw.Signatory, uint64(a)*signatories+uint64(k))
	other := s.find(&d, func(c *company) bool { return firm(c) && c.Index != first.Index })
	return s.Establishment(&other, 0)
}

// effect returns an effect of an agreement; one agreement in seven has none.
func (s *sources) effect(x int) []cell {
	a := x * s.agreements() / s.effects()
	if a%7 == 6 {
		a--
	}
	return []cell{
		{"ID DO ACORDO", agreementID(a)},
		{"EFEITO DO ACORDO DE LENIENCIA", [...]string{
			"Isenção da publicação extraordinária da decisão condenatória",
			"Redução da multa",
			"Isenção ou atenuação das sanções da Lei de Licitações",
		}[x%3]},
		{"COMPLEMENTO", choose(x%4 == 0, "Redução de até 2/3 (dois terços)", "")},
	}
}
