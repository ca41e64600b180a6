package receita

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"unsafe"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
	"razao/internal/data/profile"
	"razao/internal/data/record"
)

// Handler receives the records that one parser reads, all from one goroutine. Records and their
// texts are valid only during the call. An error ends the reading.
type Handler struct {
	Company       func(cnpj.Root, *record.Company) error
	Establishment func(*record.Establishment) error
	// Partner also gets the CRC-32C of the published row. It tells a row that was published twice
	// from different rows that are equal only after cleaning.
	Partner func(root cnpj.Root, p *record.Partner, row uint32) error
	Simples func(cnpj.Root, *record.Simples) error
}

// parser turns blocks into records, for one goroutine.
type parser struct {
	clean    *cleaner
	handler  Handler
	describe func(t Table, code, description string) error // keeps a row of a domain table
	account  *rows.Writer
	scanners map[Table]*scanner
	columns  map[string][]profile.Declaration // of the tables, by their names
	now      struct {                         // the record that the handler has; allocated once
		company       record.Company
		establishment record.Establishment
		partner       record.Partner
		simples       record.Simples
	}
}

// parse hands on the records of a block and counts them. Of tables of codes only the rejects count:
// what is accounted for are records.
func (w *parser) parse(t Table, b rows.Block) error {
	if b.Long {
		if t.isDomain() {
			w.account.Row()
		} else {
			w.account.Count(t.String(), 1)
		}
		return w.account.Reject(b.File, b.Line, "", errLongRecord.Error(), b.Data)
	}
	s := w.scanners[t]
	if s == nil {
		s = newScanner(layouts()[t].columns)
		w.scanners[t] = s
	}
	s.reset(b.Data)
	meter := w.account.Meter(t.String(), w.columns[t.String()], true)
	records := int64(0)
	defer func() {
		if records > 0 {
			w.account.Count(t.String(), records)
		}
	}()
	for line := b.Line; ; line++ { // of a record: blank lines and those within fields do not count
		fields, start, end, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && meter.Wants(line) {
			for i, field := range fields {
				meter.Add(i, view(fields[0]), view(field))
			}
		}
		if !t.isDomain() {
			records++
		}
		var parse *csv.ParseError
		switch {
		case errors.As(err, &parse):
			err = rows.Reject("", reasonOf(parse, layouts()[t].columns))
		case err == nil:
			err = w.handle(t, fields)
		}
		if err == nil {
			continue
		}
		if t.isDomain() {
			w.account.Row()
		}
		row := bytes.TrimLeft(b.Data[start:end], "\r\n") // without blank lines before it
		at := b.Line + int64(bytes.Count(b.Data[:end-len(row)], []byte{'\n'}))
		if err := w.account.Fault(b.File, at, err, row); err != nil {
			return err
		}
	}
}

// reasonOf returns why encoding/csv cannot read a record.
func reasonOf(err *csv.ParseError, columns int) string {
	if errors.Is(err, csv.ErrFieldCount) {
		return fmt.Sprintf("the row does not have %d columns", columns)
	}
	return err.Err.Error()
}

// handle parses the root and passes the record to its handler. An error made by rows.Reject
// concerns this row only.
func (w *parser) handle(t Table, f [][]byte) error {
	w.clean.reset()
	if t.isDomain() {
		return w.describe(t, strings.Clone(w.clean.text(f[0])), strings.Clone(w.clean.text(f[1])))
	}
	root, err := cnpj.ParseRoot(unsafe.String(unsafe.SliceData(f[0]), len(f[0])))
	if err != nil {
		return rows.Reject("cnpj_basico", fmt.Sprintf("%q is not 8 digits or letters", f[0]))
	}
	switch t {
	case Companies:
		return w.company(root, f)
	case Establishments:
		return w.establishment(root, f)
	case Partners:
		return w.partner(root, f)
	default:
		return w.simples(root, f)
	}
}

// company masks what may be a mistyped CPF in the names of natural persons in business, which carry
// their owners' numbers.
func (w *parser) company(root cnpj.Root, f [][]byte) error {
	c := w.clean
	w.now.company = record.Company{
		RazaoSocial:               c.text(f[1]),
		NaturezaJuridica:          c.text(f[2]),
		QualificacaoResponsavel:   c.text(f[3]),
		CapitalSocial:             c.capital(f[4]),
		PorteEmpresa:              c.text(f[5]),
		EnteFederativoResponsavel: c.text(f[6]),
	}
	if record.IsIndividual(&w.now.company, &record.Simples{}) { // nobody is a MEI without being one by legal nature
		w.now.company.RazaoSocial = c.person(f[1])
	}
	return w.handler.Company(root, &w.now.company)
}

// establishment rejects a row whose check digits (mod 11) do not match its root and order.
func (w *parser) establishment(root cnpj.Root, f [][]byte) error {
	c := w.clean
	order, err := cnpj.ParseOrder(string(f[1]))
	if err != nil {
		return rows.Reject("cnpj_ordem", fmt.Sprintf("%q is not 4 digits or letters", f[1]))
	}
	full := cnpj.Join(root, order)
	if want := full.CheckDigits(); want != string(f[2]) {
		return rows.Reject("cnpj_dv", fmt.Sprintf("%q, but %s%s has the check digits %s", f[2], root, order, want))
	}
	w.now.establishment = record.Establishment{
		CNPJ:                      full,
		IdentificadorMatrizFilial: c.text(f[3]),
		NomeFantasia:              c.text(f[4]),
		SituacaoCadastral:         c.text(f[5]),
		DataSituacaoCadastral:     c.date(f[6]),
		MotivoSituacaoCadastral:   c.text(f[7]),
		NomeCidadeExterior:        c.text(f[8]),
		Pais:                      c.country(f[9]),
		DataInicioAtividade:       c.date(f[10]),
		CNAEFiscalPrincipal:       c.text(f[11]),
		CNAEFiscalSecundaria:      c.list(f[12]),
		TipoLogradouro:            c.text(f[13]),
		Logradouro:                c.text(f[14]),
		Numero:                    c.text(f[15]),
		Complemento:               c.text(f[16]),
		Bairro:                    c.text(f[17]),
		CEP:                       c.cep(f[18]),
		UF:                        c.state(f[19]),
		Municipio:                 c.text(f[20]),
		DDD1:                      c.text(f[21]),
		Telefone1:                 c.text(f[22]),
		DDD2:                      c.text(f[23]),
		Telefone2:                 c.text(f[24]),
		DDDFax:                    c.text(f[25]),
		Fax:                       c.text(f[26]),
		CorreioEletronico:         c.email(f[27]),
		SituacaoEspecial:          c.text(f[28]),
		DataSituacaoEspecial:      c.date(f[29]),
	}
	return w.handler.Establishment(&w.now.establishment)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// partner checksums the fields as published, each after its length, so that moving a byte between
// fields changes the sum.
func (w *parser) partner(root cnpj.Root, f [][]byte) error {
	c := w.clean
	var sum uint32
	for _, field := range f {
		var size [4]byte
		binary.LittleEndian.PutUint32(size[:], uint32(len(field)))
		sum = crc32.Update(crc32.Update(sum, castagnoli, size[:]), castagnoli, field)
	}
	w.now.partner = record.Partner{
		IdentificadorSocio:             c.text(f[1]),
		NomeSocio:                      c.text(f[2]),
		CNPJCPFSocio:                   c.text(f[3]),
		QualificacaoSocio:              c.text(f[4]),
		DataEntradaSociedade:           c.date(f[5]),
		Pais:                           c.country(f[6]),
		RepresentanteLegal:             c.person(f[7]),
		NomeRepresentante:              c.person(f[8]),
		QualificacaoRepresentanteLegal: c.text(f[9]),
		FaixaEtaria:                    c.text(f[10]),
	}
	// The tax authority masks documents itself, but nobody promises that it always will.
	if w.now.partner.IdentificadorSocio != record.SocioCompany {
		w.now.partner.NomeSocio, w.now.partner.CNPJCPFSocio = c.person(f[2]), c.person(f[3])
	}
	return w.handler.Partner(root, &w.now.partner, sum)
}

func (w *parser) simples(root cnpj.Root, f [][]byte) error {
	c := w.clean
	w.now.simples = record.Simples{
		OpcaoPeloSimples:     flag(f[1]),
		DataOpcaoPeloSimples: c.date(f[2]),
		DataExclusaoSimples:  c.date(f[3]),
		OpcaoPeloMEI:         flag(f[4]),
		DataOpcaoPeloMEI:     c.date(f[5]),
		DataExclusaoMEI:      c.date(f[6]),
	}
	return w.handler.Simples(root, &w.now.simples)
}
