package sample

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"razao/internal/sample/country"
)

// contractMonths is how many months of contracts the first release has, one file for each. A month of the series adds
// one, of a twelfth of the rows: as little beside those of three months as a month is beside those of three years.
const contractMonths = 3

// contractsAMonth returns the rows of one file of the first release, contractsAdded those of one that is added.
func (s *sources) contractsAMonth() int { return s.volume(6_000_000, 90) / contractMonths }
func (s *sources) contractsAdded() int  { return max(1, s.contractsAMonth()/12) }

// contractMonth returns the first day of the month of contract x.
func (s *sources) contractMonth(x int) time.Time {
	n := s.contractsAMonth()
	month := x/n - contractMonths + 1
	if later := x - contractMonths*n; later >= 0 {
		month = 1 + later/s.contractsAdded()
	}
	return s.first.Month.AddDate(0, month, 0)
}

// contractFiles declares the files of PNCP: JSON Lines, one contract per line.
func (s *sources) contractFiles() []file {
	var files []file
	from := 0
	for month := range contractMonths + s.Months {
		n := s.contractsAMonth()
		if month >= contractMonths {
			n = s.contractsAdded()
		}
		files = append(files, file{
			folder: "pncp", group: "pncp", name: s.contractMonth(from).Format("pncp_contratos_2006-01.jsonl"), dialect: pncpDialect,
			from: from, to: from + n, rows: func(r *rowBuffer, x int) { r.add(object(s.first.contract(x))) },
		})
		from += n
	}
	return files
}

// object formats a row as a JSON object: titles are keys, texts are JSON values.
func object(r row) string {
	var b strings.Builder
	for i := 0; i < len(r); i += 2 {
		b.WriteString(`,"` + r[i] + `":` + r[i+1])
	}
	return "{" + b.String()[1:] + "}"
}

const null = "null"

// text returns a JSON string; no text here needs escaping.
func text(s string) string { return `"` + s + `"` }

// contract returns a line of PNCP. One in forty is a later version of a contract of a month
// before. The giant supplies a fifth of the contracts, up to some thousands, and the first of the
// public bodies buys as many.
func (s *sources) contract(x int) row {
	n, of, version := s.contractsAMonth(), x, 0
	if x%40 == 39 && x >= n && (x-n)%40 != 39 {
		of, version = x-n, 1
	}
	d := s.Dice(ofContract, uint64(of))
	body := s.buyer(&d)
	month := s.contractMonth(of)
	year, published := month.Year(), country.DayOf(month.Year(), month.Month(), 1+d.N(28))
	signed := published - country.Day(d.N(30))
	number, sequence := body.Full.String(), strconv.Itoa(of+1)
	cells := slices.Concat(
		row{"numeroControlePncpCompra", text(fmt.Sprintf("%s-1-%06d/%d", number, 1+d.N(of+1), year))},
		s.supplier(&d),
		row{
			"anoContrato", strconv.Itoa(year),
			"tipoContrato", d.OneOf(`{"id":7,"nome":"Empenho"}`, `{"id":7,"nome":"Empenho"}`, `{"id":1,"nome":"Contrato (termo inicial)"}`),
			"numeroContratoEmpenho", text(sequence + "/" + strconv.Itoa(year)),
			"dataAssinatura", text(s.ISO(signed)), "dataVigenciaInicio", text(s.ISO(signed + country.Day(d.N(30)))),
			"dataVigenciaFim", text(s.ISO(signed + country.Day(60+d.N(400)))),
			"categoriaProcesso", d.OneOf(`{"id":2,"nome":"Compras"}`, `{"id":2,"nome":"Compras"}`,
				`{"id":8,"nome":"Serviços"}`, `{"id":7,"nome":"Obras"}`, `{"id":10,"nome":"Serviços de Saúde"}`),
			"dataPublicacaoPncp", text(s.ISO(published) + "T" + timeOfDay(&d)),
		},
		row{"sequencialContrato", sequence, "orgaoEntidade", s.body(&body), "unidadeOrgao", s.unit(&body, &d)},
		row{"orgaoSubRogado", null, "unidadeSubRogada", null, "informacaoComplementar", text("")},
		row{
			"processo", text(proceeding(&d)), "numeroControlePNCP", text(fmt.Sprintf("%s-2-%06d/%d", number, of+1, year)),
			"receita", strconv.FormatBool(d.Permille(30)),
			"objetoContrato", text(d.OneOf("AQUISIÇÃO DE MATERIAL DE EXPEDIENTE", "Serviço de transporte escolar",
				"Aquisição de gêneros alimentícios", "Manutenção predial preventiva e corretiva", "AQUISIÇÃO DE MEDICAMENTOS",
				"Locação de veículos sem motorista")),
		},
		contractValues(&d, version),
		row{"identificadorCipi", null, "urlCipi", null, "usuarioNome", text(d.OneOf("Compras.gov.br", "SISTEMA FICTICIO DE GESTAO"))},
	)
	changed := min(published+country.Day(version*(31+d.N(20))), max(published, s.until(0)))
	if version > 0 && x >= contractMonths*n {
		changed = country.DayOf(s.contractMonth(x).Date()) + country.Day(d.N(28))
	}
	at := text(s.ISO(changed) + "T" + timeOfDay(&d))
	return append(cells, "dataAtualizacao", at, "dataAtualizacaoGlobal", at, "numeroRetificacao", strconv.Itoa(version))
}

// buyer draws the contracting body.
func (s *sources) buyer(d *dice) country.Establishment {
	c := s.bodies[0]
	if !ofGiant(d, contractMonths*s.contractsAMonth(), 5, 4000) {
		c = s.bodies[d.N(len(s.bodies))]
	}
	return s.somewhere(d, c, 100)
}

// supplier returns the columns on supplier and subcontractor: companies and a few people.
func (s *sources) supplier(d *dice) row {
	kind, number, name := "PJ", "", ""
	switch {
	case ofGiant(d, contractMonths*s.contractsAMonth(), 5, 4000):
		e := s.somewhere(d, s.giant, 500)
		number, name = e.Full.String(), s.Name(&s.giant)
	case d.Permille(60):
		id := s.Anyone(d)
		kind, number, name = "PF", s.CPF(id), s.Person(id)
	default:
		c := s.active(d)
		e := s.somewhere(d, c, 100)
		number, name = e.Full.String(), s.Name(&c)
	}
	r := row{
		"codigoPaisFornecedor", `"BRA"`, "tipoPessoa", text(kind), "niFornecedor", text(number), "nomeRazaoSocialFornecedor", text(name),
		"tipoPessoaSubContratada", null, "niFornecedorSubContratado", null, "nomeFornecedorSubContratado", null,
	}
	if d.Permille(5) {
		c := s.active(d)
		e := s.somewhere(d, c, 100)
		r[9], r[11], r[13] = `"PJ"`, text(e.Full.String()), text(s.Name(&c))
	}
	return r
}

// active draws a company that supplies public bodies.
func (s *sources) active(d *dice) company {
	return s.find(d, 50, func(c *company) bool { return c.Business() && c.Status == country.Active })
}

// body returns orgaoEntidade of an establishment.
func (s *sources) body(e *country.Establishment) string {
	federal := e.Company.Kind.Code == country.Federal
	return object(row{
		"cnpj", text(e.Full.String()), "razaoSocial", text(s.Name(e.Company)), "poderId", `"E"`, "esferaId", either(federal, `"F"`, `"M"`),
	})
}

// unit returns unidadeOrgao of an establishment.
func (s *sources) unit(e *country.Establishment, d *dice) string {
	city := &s.Cities[e.City]
	return object(row{
		"ufNome", text(city.State.Title), "codigoUnidade", text(strconv.Itoa(1 + d.N(40))),
		"nomeUnidade", text("Unidade de " + city.Name), "ufSigla", text(city.UF), "municipioNome", text(city.Name),
		"codigoIbge", text(city.IBGE),
	})
}

// contractValues returns the amounts. A later version has a larger valorGlobal.
func contractValues(d *dice, version int) row {
	initial := d.Cents(100, 5)
	initial -= initial % 100 * d.N(2) // half of them in whole reais
	several, first := d.Permille(300), cents(initial, ".")
	return row{
		"valorInicial", first, "numeroParcelas", either(several, "12", "1"), "valorParcela", either(several, cents(initial/12, "."), first),
		"valorGlobal", cents(initial+version*initial/10, "."), "valorAcumulado", either(d.Permille(400), first, null),
	}
}
