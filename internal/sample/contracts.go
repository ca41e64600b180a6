package sample

import (
	"fmt"
	"strconv"
)

// spoiledContract is of how many contracts one has wrong check digits.
const spoiledContract = 5000

// contractMonths is how many months of contracts there are, one file each.
const contractMonths = 3

func (s *sources) contractFiles() []file {
	rows := s.inProportion(6_000_000, 90) / contractMonths
	var files []file
	for k := range contractMonths {
		month := s.month.AddDate(0, k-contractMonths+1, 0)
		files = append(files, file{
			name: "pncp_contratos_" + month.Format("2006-01") + ".jsonl",
			from: k * rows, to: (k + 1) * rows, piece: 512,
			rows: func(b []byte, from, to int) ([]byte, int) {
				o := object{b}
				for x := from; x < to; x++ {
					s.contract(&o, x, rows)
				}
				return o.b, to - from
			},
		})
	}
	return files
}

// object appends a JSON object.
type object struct{ b []byte }

func (o *object) key(name string) {
	if last := o.b[len(o.b)-1]; last != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(append(append(o.b, '"'), name...), `":`...)
}

// text appends a string, given in parts. What could not stand as it is in quotes does not occur, but for a control
// character of the publisher, which stands as it does there.
func (o *object) text(name string, parts ...string) {
	o.key(name)
	o.b = append(o.b, '"')
	for _, s := range parts {
		o.b = append(o.b, s...)
	}
	o.b = append(o.b, '"')
}

// raw appends a value that is JSON.
func (o *object) raw(name, value string) {
	o.key(name)
	o.b = append(o.b, value...)
}

func (o *object) nulls(names ...string) {
	for _, name := range names {
		o.raw(name, "null")
	}
}

func (o *object) number(name string, n int) { o.raw(name, strconv.Itoa(n)) }

// sum appends an amount given in ten thousandths, without needless zeros.
func (o *object) sum(name string, n int) {
	o.key(name)
	o.b = strconv.AppendInt(o.b, int64(n/10_000), 10)
	rest := n % 10_000
	if rest == 0 {
		return
	}
	o.b = appendInt(append(o.b, '.'), rest, 4)
	for o.b[len(o.b)-1] == '0' {
		o.b = o.b[:len(o.b)-1]
	}
}

func (o *object) open(name string) {
	o.key(name)
	o.b = append(o.b, '{')
}

func (o *object) close() { o.b = append(o.b, '}') }

// original returns the row that x repeats and which of its versions x is. One row in forty is a later version of a
// contract of the month before, one in four hundred an old version once more.
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

// contract appends a line. The big company is a supplier of a fifth of the contracts, up to some thousands, the first of
// the public bodies the buyer of as many.
func (s *sources) contract(o *object, x, rows int) {
	of, version := original(x, rows)
	d := newDice(s.seed, topicContract, uint64(of))
	body := s.buyer(&d, rows*contractMonths)
	month := s.month.AddDate(0, of/rows-contractMonths+1, 0)
	published := dayOf(month.Year(), month.Month(), 1+d.n(28))
	year, sequence := month.Year(), strconv.Itoa(of+1)
	cnpj := body.full.String()
	procurement := cnpj + fmt.Sprintf("-1-%06d/%d", 1+d.n(of+1), year)
	o.b = append(o.b, '{')
	if d.permille(10) {
		o.text("numeroControlePNCPCompra", procurement)
	} else {
		o.text("numeroControlePncpCompra", procurement)
	}
	s.supplierFields(o, &d, of, rows*contractMonths)
	o.number("anoContrato", year)
	o.raw("tipoContrato", oneOf(&d, `{"id":7,"nome":"Empenho"}`, `{"id":7,"nome":"Empenho"}`,
		`{"id":1,"nome":"Contrato (termo inicial)"}`, `{"id":12,"nome":"Carta Contrato"}`))
	o.text("numeroContratoEmpenho", sequence, "/", strconv.Itoa(year))
	s.validity(o, &d, published)
	o.raw("categoriaProcesso", oneOf(&d, `{"id":2,"nome":"Compras"}`, `{"id":2,"nome":"Compras"}`,
		`{"id":8,"nome":"Serviços"}`, `{"id":7,"nome":"Obras"}`, `{"id":10,"nome":"Serviços de Saúde"}`))
	o.text("dataPublicacaoPncp", string(s.appendISO(nil, published)), "T", string(appendTime(nil, &d)))
	s.updates(o, of, version, published)
	o.raw("sequencialContrato", sequence)
	s.buyerFields(o, &body, &d)
	o.text("informacaoComplementar")
	o.text("processo", fmt.Sprintf("%05d.%06d/%d-%02d", d.n(90_000), d.n(1_000_000), year, d.n(100)))
	o.text("numeroControlePNCP", cnpj, fmt.Sprintf("-2-%06d/%d", of+1, year))
	o.raw("receita", strconv.FormatBool(d.permille(30)))
	o.text("objetoContrato", contractObject(&d, of))
	s.values(o, &d, version)
	o.nulls("identificadorCipi", "urlCipi")
	o.text("usuarioNome", oneOf(&d, "Compras.gov.br", "SISTEMA FICTICIO DE GESTAO"))
	if of%3 == 0 { // the newer fields
		o.nulls("numeroControlePncpAta", "frutoAdesao", "temRemanejamento", "emendaParlamentar")
	}
	o.b = append(o.b, "}\n"...)
}

// contractObject returns objetoContrato; the oddities are a raw control character and a blank at the end.
func contractObject(d *dice, of int) string {
	object := oneOf(d, "AQUISIÇÃO DE MATERIAL DE EXPEDIENTE", "Serviço de transporte escolar", "AQUIS. DE GÊNEROS ALIMENTÍCIOS",
		"Manutenção predial preventiva e corretiva", "AQUISIÇÃO DE MEDICAMENTOS", "Locação de veículos sem motorista")
	switch of % 1000 {
	case 10:
		return object + "\t" + "LOTE 1"
	case 20:
		return object + "\x1f"
	}
	if of%20 == 5 {
		return object + " "
	}
	return object
}

func (s *sources) buyer(d *dice, total int) establishment {
	i := s.bodies[0]
	if d.n(total) >= min(total/5, 4000) {
		i = s.bodies[d.n(len(s.bodies))]
	}
	c := s.company(i)
	return s.somewhere(d, &c, 100)
}

// supplierFields appends the supplier and the subcontractor.
func (s *sources) supplierFields(o *object, d *dice, of, total int) {
	u := d.n(1000)
	switch {
	case of%700 == 12:
		o.text("codigoPaisFornecedor", "USA")
		o.text("tipoPessoa", "PE")
		o.text("niFornecedor", fmt.Sprintf("US-99-%04d", d.n(10_000)))
		o.text("nomeRazaoSocialFornecedor", "FOREIGN SUPPLIER INC")
	case of%30 == 4 || u < 30 && of%spoiledContract != 33:
		id := s.anyone(d)
		n := s.cpf(id)
		o.text("codigoPaisFornecedor", "BRA")
		o.text("tipoPessoa", "PF")
		o.text("niFornecedor", string(n[:]))
		o.text("nomeRazaoSocialFornecedor", string(s.appendPerson(nil, id, false)))
	default:
		o.text("codigoPaisFornecedor", "BRA")
		o.text("tipoPessoa", "PJ")
		e := s.supplier(d, total)
		number := e.full.Append(nil)
		if of%spoiledContract == 33 {
			spoil(number)
		}
		o.text("niFornecedor", string(number))
		o.text("nomeRazaoSocialFornecedor", string(s.appendPlainName(nil, e.company)))
	}
	if of%200 != 6 {
		o.nulls("tipoPessoaSubContratada", "niFornecedorSubContratado", "nomeFornecedorSubContratado")
		return
	}
	e := s.supplier(d, total)
	o.text("tipoPessoaSubContratada", "PJ")
	o.text("niFornecedorSubContratado", e.full.String())
	o.text("nomeFornecedorSubContratado", string(s.appendPlainName(nil, e.company)))
}

func (s *sources) supplier(d *dice, total int) establishment {
	if d.n(total) < min(total/5, 4000) {
		c := s.big()
		return s.somewhere(d, &c, 500)
	}
	c := s.oneOfCrowd(d, &s.suppliers, func(c *company) bool { return c.business() && (c.status == "02" || d.permille(100)) })
	return s.somewhere(d, &c, 100)
}

// validity appends dataAssinatura to dataVigenciaFim.
func (s *sources) validity(o *object, d *dice, published day) {
	signed := published - day(d.n(30))
	for i, name := range [...]string{"dataAssinatura", "dataVigenciaInicio", "dataVigenciaFim"} {
		if i > 0 && d.permille(10) {
			o.nulls(name)
			continue
		}
		o.text(name, string(s.appendISO(nil, signed+day(i*i*(30+d.n(60))))))
	}
}

// updates appends numeroRetificacao and the times of the last changes, which do not depend on the rest of the row.
func (s *sources) updates(o *object, of, version int, published day) {
	d := newDice(s.seed, topicVersion, uint64(of)<<1|uint64(version))
	changed := min(published+day(version*(31+d.n(20))), s.last)
	at := string(s.appendISO(nil, changed)) + "T" + string(appendTime(nil, &d))
	o.text("dataAtualizacao", at)
	if of%4 == 3 {
		o.nulls("dataAtualizacaoGlobal")
	} else {
		o.text("dataAtualizacaoGlobal", at)
	}
	o.number("numeroRetificacao", version)
}

// buyerFields appends the body, its unit, and those that took their place.
func (s *sources) buyerFields(o *object, e *establishment, d *dice) {
	s.bodyFields(o, "orgaoEntidade", e.company, e.full.String())
	s.unitFields(o, "unidadeOrgao", e, d)
	if !d.permille(10) {
		o.nulls("orgaoSubRogado", "unidadeSubRogada")
		return
	}
	c := s.company(s.bodies[d.n(len(s.bodies))])
	other := s.establishment(&c, 0)
	s.bodyFields(o, "orgaoSubRogado", &c, other.full.String())
	s.unitFields(o, "unidadeSubRogada", &other, d)
}

func (s *sources) bodyFields(o *object, name string, c *company, cnpj string) {
	power, sphere := "E", "M"
	switch {
	case c.kind.code == "1015":
		sphere = "F"
	case c.index%7 == 0:
		power = "N"
	}
	o.open(name)
	o.text("cnpj", cnpj)
	o.text("razaoSocial", string(s.appendPlainName(nil, c)))
	o.text("poderId", power)
	o.text("esferaId", sphere)
	o.close()
}

func (s *sources) unitFields(o *object, name string, e *establishment, d *dice) {
	city := &s.cities[e.city]
	o.open(name)
	o.text("ufNome", city.state.title)
	o.text("codigoUnidade", strconv.Itoa(1+d.n(40)))
	o.text("nomeUnidade", "Unidade de ", city.title)
	o.text("ufSigla", city.uf)
	o.text("municipioNome", city.title)
	o.text("codigoIbge", city.ibge)
	o.close()
}

// values appends the amounts: up to four decimals, whole numbers without any.
func (s *sources) values(o *object, d *dice, version int) {
	initial := d.amount(100, 5) * 100
	switch d.n(3) {
	case 0:
		initial -= initial % 10_000
	case 1:
		initial += d.n(100)
	}
	o.sum("valorInicial", initial)
	parts := 1
	if d.permille(300) {
		parts = 12
	}
	o.number("numeroParcelas", parts)
	if parts == 1 {
		o.sum("valorParcela", initial)
	} else {
		o.nulls("valorParcela")
	}
	o.sum("valorGlobal", initial+version*initial/10)
	if d.permille(400) {
		o.sum("valorAcumulado", initial)
	} else {
		o.nulls("valorAcumulado")
	}
}
