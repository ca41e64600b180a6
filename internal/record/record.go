// Package record holds the rows of the tax authority's release (Empresas, Estabelecimentos, Sócios, Simples) as Go values,
// and says what their codes mean. The field names are the published ones, so that one word finds the column of the file,
// the Go field and the JSON key. It reads nothing and stores nothing.
package record

import (
	"time"

	"razao/internal/cnpj"
)

// Company is a row of Empresas. Absent texts and codes are "". The field names are the published ones.
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
	IdentificadorMatrizFilial string
	NomeFantasia              string // a CPF at its end is masked
	SituacaoCadastral         string
	DataSituacaoCadastral     Date
	MotivoSituacaoCadastral   string
	NomeCidadeExterior        string
	Pais                      string
	DataInicioAtividade       Date
	CNAEFiscalPrincipal       string
	CNAEFiscalSecundaria      string // codes joined by commas, as published
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
	CNPJCPFSocio                   string // ***456789**, 14 positions, or ""
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

// Cents is an amount in hundredths of a real; NoCents means that none was published.
type Cents int64

// NoCents is the absent amount.
const NoCents Cents = -1

// Flag is a published S, N or neither.
type Flag byte

// The three values of a Flag.
const (
	Unknown Flag = iota // neither S nor N
	No
	Yes
)

// Date is a calendar day from 1800 on, packed so that it sorts; the zero Date means none was published.
type Date uint32

const firstYear = 1800

// MakeDate packs a day. It returns 0 for what is not a calendar day or lies before 1800.
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

// Brasilia is the legal time of Brasília, without summer time since 2019; a fixed zone needs no zone database.
var Brasilia = time.FixedZone("-03", -3*60*60)

// Today returns the day that it is in Brasília.
func Today() Date {
	now := time.Now().In(Brasilia)
	return MakeDate(now.Year(), int(now.Month()), now.Day())
}

// Year returns the year, 0 when there is no date.
func (d Date) Year() int {
	if d == 0 {
		return 0
	}
	return int(d>>9) + firstYear
}

// Time returns midnight UTC of the day, the zero time when there is no date.
func (d Date) Time() time.Time {
	if d == 0 {
		return time.Time{}
	}
	return time.Date(d.Year(), time.Month(d>>5&15), int(d&31), 0, 0, 0, 0, time.UTC)
}

// String returns AAAA-MM-DD, or "" when there is no date.
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
