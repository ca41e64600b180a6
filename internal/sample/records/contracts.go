package records

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// wrongDigitContract is the interval of contracts whose supplier has a wrong check digit.
const wrongDigitContract = 5000

// contractMonths is how many months of contracts a sample has, one file for each.
const contractMonths = 3

// contractsAMonth returns the rows of one file.
func (s *sources) contractsAMonth() int { return s.volume(6_000_000, 90) / contractMonths }

// contractMonth returns the first day of the month of contract x.
func (s *sources) contractMonth(x int) time.Time {
	return s.Month.AddDate(0, x/s.contractsAMonth()-contractMonths+1, 0)
}

// contractFiles declares the files of PNCP: JSON Lines, one contract per line.
func (s *sources) contractFiles() []table.File {
	rows := s.contractsAMonth()
	var files []table.File
	for from := 0; from < contractMonths*rows; from += rows {
		files = append(files, table.File{
			Folder: "pncp", Name: s.contractMonth(from).Format("pncp_contratos_2006-01.jsonl"), Dialect: pncpDialect,
			Piece: 512, From: from, To: from + rows, Row: s.contract, Join: object,
		})
	}
	return files
}

// object formats a row as a JSON object: titles are keys, texts are JSON values.
func object(r row) string {
	var b strings.Builder
	for title, text := range r.Cells {
		b.WriteString(`,"` + title + `":` + text)
	}
	return "{" + b.String()[1:] + "}"
}

const null = "null"

// text returns a JSON string without escaping anything: no text here holds a quote or a backslash.
// A raw control character passes through on purpose, as the publisher writes it.
func text(s string) string { return `"` + s + `"` }

// original returns the row that x repeats and which of its versions x is, with rows contracts per
// month. One row in forty is a later version of a contract of the month before, one in four hundred
// the first version once more.
func original(x, rows int) (of, version int) {
	switch {
	case x%40 != 39:
		return x, 0
	case x < rows:
		of = x - 1
	default:
		of = x - rows
		if of%40 == 39 {
			of--
		}
	}
	if x%400 == 39 {
		return of, 0
	}
	return of, 1
}

// contract returns a line of PNCP. The big company supplies a fifth of the contracts, up to some
// thousands, and the first of the public bodies buys as many.
func (s *sources) contract(x int) row {
	of, version := original(x, s.contractsAMonth())
	total := s.contractsAMonth() * contractMonths
	d := s.Dice(draw.Contract, uint64(of))
	body := s.buyer(&d, total)
	month := s.contractMonth(of)
	year, published := month.Year(), world.DayOf(month.Year(), month.Month(), 1+d.N(28))
	sequence, number := strconv.Itoa(of+1), body.Full.String()
	procurement := text(fmt.Sprintf("%s-1-%06d/%d", number, 1+d.N(of+1), year))
	cells := slices.Concat(
		row{ifElse(d.Permille(10), "numeroControlePNCPCompra", "numeroControlePncpCompra"), procurement},
		s.contractSupplier(&d, of, total),
		row{
			"anoContrato", strconv.Itoa(year),
			"tipoContrato", d.OneOf(`{"id":7,"nome":"Empenho"}`, `{"id":7,"nome":"Empenho"}`,
				`{"id":1,"nome":"Contrato (termo inicial)"}`, `{"id":12,"nome":"Carta Contrato"}`),
			"numeroContratoEmpenho", text(sequence + "/" + strconv.Itoa(year)),
		},
		s.validity(&d, published),
		row{
			"categoriaProcesso", d.OneOf(`{"id":2,"nome":"Compras"}`, `{"id":2,"nome":"Compras"}`,
				`{"id":8,"nome":"Serviços"}`, `{"id":7,"nome":"Obras"}`, `{"id":10,"nome":"Serviços de Saúde"}`),
			"dataPublicacaoPncp", text(s.ISO(published) + "T" + timeOfDay(&d)),
		},
		s.updates(of, version, published),
		row{"sequencialContrato", sequence},
		s.contractBody(&body, &d),
		row{
			"informacaoComplementar", text(""),
			"processo", text(fmt.Sprintf("%05d.%06d/%d-%02d", d.N(90_000), d.N(1_000_000), year, d.N(100))),
			"numeroControlePNCP", text(fmt.Sprintf("%s-2-%06d/%d", number, of+1, year)),
			"receita", strconv.FormatBool(d.Permille(30)), "objetoContrato", text(contractObject(&d, of)),
		},
		contractValues(&d, version),
		row{
			"identificadorCipi", null, "urlCipi", null,
			"usuarioNome", text(d.OneOf("Compras.gov.br", "SISTEMA FICTICIO DE GESTAO")),
		},
	)
	if of%3 == 0 { // fields that the API has added
		cells = append(cells, "numeroControlePncpAta", null, "frutoAdesao", null, "temRemanejamento", null, "emendaParlamentar", null)
	}
	return cells
}

// contractObject returns objetoContrato, at times with a raw control character or a blank at the
// end.
func contractObject(d *dice, of int) string {
	object := d.OneOf("AQUISIÇÃO DE MATERIAL DE EXPEDIENTE", "Serviço de transporte escolar", "AQUIS. DE GÊNEROS ALIMENTÍCIOS",
		"Manutenção predial preventiva e corretiva", "AQUISIÇÃO DE MEDICAMENTOS", "Locação de veículos sem motorista")
	switch {
	case of%1000 == 10:
		return object + "\tLOTE 1"
	case of%1000 == 20:
		return object + "\x1f"
	case of%20 == 5:
		return object + " "
	}
	return object
}

// buyer draws the contracting body.
func (s *sources) buyer(d *dice, total int) world.Establishment {
	i := s.bodies[0]
	if d.N(total) >= min(total/5, 4000) {
		i = s.bodies[d.N(len(s.bodies))]
	}
	c := s.Company(i)
	return s.somewhere(d, &c, 100)
}

// supplier draws a company that supplies.
func (s *sources) supplier(d *dice, total int) world.Establishment {
	if e, ok := s.bigPlace(d, total, 5, 4000, 500); ok {
		return e
	}
	return s.place(d, &s.suppliers, 100, func(c *company) bool { return business(c) && (c.Status == world.Active || d.Permille(100)) })
}

// contractSupplier returns the columns on supplier and subcontractor: mostly companies, some people
// (PF) and foreigners (PE).
func (s *sources) contractSupplier(d *dice, of, total int) row {
	country, kind, number, name := "BRA", "PJ", "", ""
	u := d.N(1000)
	switch {
	case of%700 == 12:
		country, kind, number, name = "USA", "PE", "US-99-"+table.Digits(d.N(10_000), 4), "FOREIGN SUPPLIER INC"
	case of%30 == 4 || u < 30 && of%wrongDigitContract != 33:
		id := s.Anyone(d)
		kind, number, name = "PF", s.CPF(id), s.Person(id, false)
	default:
		e := s.supplier(d, total)
		number, name = e.Full.String(), s.PlainName(e.Company)
		if of%wrongDigitContract == 33 {
			number = wrongCheckDigit(number)
		}
	}
	otherKind, otherNumber, otherName := null, null, null
	if of%200 == 6 {
		e := s.supplier(d, total)
		otherKind, otherNumber, otherName = text("PJ"), text(e.Full.String()), text(s.PlainName(e.Company))
	}
	return row{
		"codigoPaisFornecedor", text(country), "tipoPessoa", text(kind), "niFornecedor", text(number),
		"nomeRazaoSocialFornecedor", text(name), "tipoPessoaSubContratada", otherKind,
		"niFornecedorSubContratado", otherNumber, "nomeFornecedorSubContratado", otherName,
	}
}

// validity returns the days of signature, beginning and end; the last two are null now and then.
func (s *sources) validity(d *dice, published world.Day) row {
	signed := published - world.Day(d.N(30))
	r := row{"dataAssinatura", null, "dataVigenciaInicio", null, "dataVigenciaFim", null}
	for i := range 3 {
		if i == 0 || !d.Permille(10) {
			r[2*i+1] = text(s.ISO(signed + world.Day(i*i*(30+d.N(60)))))
		}
	}
	return r
}

// updates returns the times of change and numeroRetificacao of a version. They have a sequence of
// their own, so that the versions of a contract otherwise differ only in their amounts.
func (s *sources) updates(of, version int, published world.Day) row {
	d := s.Dice(draw.Version, uint64(of)<<1|uint64(version))
	changed := min(published+world.Day(version*(31+d.N(20))), s.last)
	at := text(s.ISO(changed) + "T" + timeOfDay(&d))
	return row{
		"dataAtualizacao", at, "dataAtualizacaoGlobal", ifElse(of%4 == 3, null, at),
		"numeroRetificacao", strconv.Itoa(version),
	}
}

// contractBody returns the body and its unit, and those that took over the contract, mostly null.
func (s *sources) contractBody(e *world.Establishment, d *dice) row {
	r := row{"orgaoEntidade", s.body(e), "unidadeOrgao", s.unit(e, d)}
	if !d.Permille(10) {
		return append(r, "orgaoSubRogado", null, "unidadeSubRogada", null)
	}
	c := s.Company(s.bodies[d.N(len(s.bodies))])
	other := s.Establishment(&c, 0)
	return append(r, "orgaoSubRogado", s.body(&other), "unidadeSubRogada", s.unit(&other, d))
}

// body returns orgaoEntidade of an establishment.
func (s *sources) body(e *world.Establishment) string {
	federal := e.Company.Kind.Code == world.Federal
	return object(row{
		"cnpj", text(e.Full.String()), "razaoSocial", text(s.PlainName(e.Company)),
		"poderId", ifElse(!federal && e.Company.Index%7 == 0, `"N"`, `"E"`), "esferaId", ifElse(federal, `"F"`, `"M"`),
	})
}

// unit returns unidadeOrgao of an establishment.
func (s *sources) unit(e *world.Establishment, d *dice) string {
	city := &s.Cities[e.City]
	return object(row{
		"ufNome", text(city.State.Title), "codigoUnidade", text(strconv.Itoa(1 + d.N(40))),
		"nomeUnidade", text("Unidade de " + city.Title), "ufSigla", text(city.UF), "municipioNome", text(city.Title),
		"codigoIbge", text(city.IBGE),
	})
}

// contractValues returns the amounts, with up to four decimals. A later version has a larger
// valorGlobal.
func contractValues(d *dice, version int) row {
	initial := d.Cents(100, 5) * 100
	switch d.N(3) {
	case 0:
		initial -= initial % 10_000
	case 1:
		initial += d.N(100)
	}
	several, accumulated := d.Permille(300), d.Permille(400)
	return row{
		"valorInicial", decimal(initial), "numeroParcelas", ifElse(several, "12", "1"),
		"valorParcela", ifElse(several, null, decimal(initial)), "valorGlobal", decimal(initial + version*initial/10),
		"valorAcumulado", ifElse(accumulated, decimal(initial), null),
	}
}

// decimal formats an amount in ten-thousandths without trailing zeros.
func decimal(n int) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%04d", n/10_000, n%10_000), "0"), ".")
}
