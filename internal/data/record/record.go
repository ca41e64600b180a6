// Package record defines the published data: the rows of the tax authority's release (Empresas,
// Estabelecimentos, Sócios, Simples), the provenance and history of loads, and the meaning of
// codes.
//
// Field names are the published ones, so one search finds the CSV column, the SQL column, the Go
// field and the JSON key.
//
// Each kind of record is also declared as a [Table]: name, kind, code domain, description and
// privacy of each field. From the tables follow the JSON appenders of package render (go generate),
// the OpenAPI and MCP schemas, the CSV columns and the data dictionary; tests compare structs,
// tables and generated code. A new field is added to its struct and its table.
//
// Values are compact, because a load has tens of millions of them: a [Date] is 4 bytes, an amount
// is an integer of cents. The package does no I/O.
package record

import (
	"time"

	"razao/internal/data/cnpj"
)

// Company is a row of Empresas. Absent texts and codes are "".
type Company struct {
	RazaoSocial               string // a CPF at its end is masked
	NaturezaJuridica          string
	QualificacaoResponsavel   string
	CapitalSocial             Cents
	PorteEmpresa              string
	EnteFederativoResponsavel string
}

// Establishment is a row of Estabelecimentos. Absent texts and codes are "".
type Establishment struct {
	CNPJ                      cnpj.Full
	IdentificadorMatrizFilial string // see HeadOffice
	NomeFantasia              string // a CPF at its end is masked
	SituacaoCadastral         string
	DataSituacaoCadastral     Date
	MotivoSituacaoCadastral   string
	NomeCidadeExterior        string
	Pais                      string
	DataInicioAtividade       Date
	CNAEFiscalPrincipal       string
	CNAEFiscalSecundaria      string // codes, separated by commas alone
	TipoLogradouro            string
	Logradouro                string
	Numero                    string
	Complemento               string
	Bairro                    string
	CEP                       string
	UF                        string
	Municipio                 string // the tax authority's 4-digit code, not IBGE's
	DDD1                      string
	Telefone1                 string
	DDD2                      string
	Telefone2                 string
	DDDFax                    string
	Fax                       string
	CorreioEletronico         string
	SituacaoEspecial          string
	DataSituacaoEspecial      Date
}

// Partner is a row of Socios. Absent texts and codes are "".
type Partner struct {
	IdentificadorSocio             string
	NomeSocio                      string
	CNPJCPFSocio                   string // masked CPF ***456789**, CNPJ of 14 positions, or ""
	QualificacaoSocio              string
	DataEntradaSociedade           Date
	Pais                           string
	RepresentanteLegal             string
	NomeRepresentante              string
	QualificacaoRepresentanteLegal string
	FaixaEtaria                    string
}

// Simples is a row of Simples: the options for the Simples Nacional and MEI regimes.
type Simples struct {
	OpcaoPeloSimples     Flag
	DataOpcaoPeloSimples Date
	DataExclusaoSimples  Date
	OpcaoPeloMEI         Flag
	DataOpcaoPeloMEI     Date
	DataExclusaoMEI      Date
}

// Cents is an amount in hundredths of a real. [NoCents] means absent.
type Cents int64

// NoCents is the absent amount.
const NoCents Cents = -1

// Flag is a published yes or no (S or N). The zero value is [Unknown].
type Flag byte

// The values of a Flag.
const (
	Unknown Flag = iota // not published
	No
	Yes
)

// Date is a calendar day from 1800-01-01 to 9999-12-31, packed as years since 1800 (23 bits), month
// (4) and day (5), so that dates compare as integers. The zero Date means absent.
type Date uint32

const firstYear = 1800

// MakeDate returns the Date of a calendar day, or 0 if there is no such day from 1800 to 9999.
func MakeDate(year, month, day int) Date {
	if year < firstYear || year > 9999 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0
	}
	return Date((year-firstYear)<<9 | month<<5 | day)
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// Brasilia is the time zone of Brasília. It is fixed at UTC-3, because daylight saving time was
// abolished in 2019, and so needs no zone database.
var Brasilia = time.FixedZone("-03", -3*60*60)

// Today returns the current day in Brasília.
func Today() Date {
	now := time.Now().In(Brasilia)
	return MakeDate(now.Year(), int(now.Month()), now.Day())
}

// Year returns the year, 0 for the zero Date.
func (d Date) Year() int {
	if d == 0 {
		return 0
	}
	return int(d>>9) + firstYear
}

// Time returns midnight UTC of the day, or the zero time for the zero Date.
func (d Date) Time() time.Time {
	if d == 0 {
		return time.Time{}
	}
	return time.Date(d.Year(), time.Month(d>>5&15), int(d&31), 0, 0, 0, 0, time.UTC)
}

// String returns AAAA-MM-DD, or "" for the zero Date.
func (d Date) String() string {
	if d == 0 {
		return ""
	}
	return string(d.Append(make([]byte, 0, 10)))
}

// Append appends AAAA-MM-DD to dst. The date must not be 0.
func (d Date) Append(dst []byte) []byte {
	year, month, day := d.Year(), int(d>>5&15), int(d&31)
	return append(dst,
		byte('0'+year/1000), byte('0'+year/100%10), byte('0'+year/10%10), byte('0'+year%10), '-',
		byte('0'+month/10), byte('0'+month%10), '-',
		byte('0'+day/10), byte('0'+day%10))
}
