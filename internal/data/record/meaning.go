package record

import "strings"

// Codes of the tax authority on which decisions depend. Other packages should prefer the methods
// below.
const (
	SituacaoNula     = "01" // registration annulled
	SituacaoAtiva    = "02"
	SituacaoSuspensa = "03"
	SituacaoInapta   = "04"
	SituacaoBaixada  = "08" // closed for good

	PorteNaoInformado = "00"
	PorteMicro        = "01"
	PortePequeno      = "03"
	PorteDemais       = "05"

	SocioCompany   = "1" // IdentificadorSocio of a Brazilian company
	SocioPerson    = "2" // of a natural person
	SocioForeigner = "3" // of a person or company abroad

	matriz               = "1"
	motivoNone           = "00"
	faixaEtariaNone      = "0"
	maskedCPFLength      = 11   // ***456789**
	visibleFrom, visible = 3, 6 // offset and number of the published digits of a CPF
)

// HeadOffice reports whether the establishment is published as head office (matriz). Do not infer
// this from order 0001.
func (e *Establishment) HeadOffice() bool { return e.IdentificadorMatrizFilial == matriz }

// Active reports whether the registration status is active (ativa).
func (e *Establishment) Active() bool { return e.SituacaoCadastral == SituacaoAtiva }

// Closed reports whether the establishment was closed for good (baixada).
func (e *Establishment) Closed() bool { return e.SituacaoCadastral == SituacaoBaixada }

// Ended reports whether the establishment was closed or annulled, so that the date of the status is
// its end.
func (e *Establishment) Ended() bool { return e.Closed() || e.SituacaoCadastral == SituacaoNula }

// Motive returns the code of the reason for the status, "" if there is none (published as 00).
func (e *Establishment) Motive() string {
	if e.MotivoSituacaoCadastral == motivoNone {
		return ""
	}
	return e.MotivoSituacaoCadastral
}

// ClearContact clears the personal fields: street, CEP, telephones, fax and e-mail. Municipality and
// UF stay.
func (e *Establishment) ClearContact() {
	e.TipoLogradouro, e.Logradouro, e.Numero, e.Complemento, e.Bairro, e.CEP = "", "", "", "", "", ""
	e.DDD1, e.Telefone1, e.DDD2, e.Telefone2, e.DDDFax, e.Fax = "", "", "", "", "", ""
	e.CorreioEletronico = ""
}

// AgeBracket returns the code of the partner's age bracket, "" if it does not apply, as for
// companies.
func (p *Partner) AgeBracket() string {
	if p.FaixaEtaria == faixaEtariaNone {
		return ""
	}
	return p.FaixaEtaria
}

// VisibleDigits returns the six published digits of a person's CPF, 456789 of ***456789**. ok is
// false for companies, foreigners and people without a CPF (***000000**).
func (p *Partner) VisibleDigits() (digits string, ok bool) {
	d := p.CNPJCPFSocio
	if len(d) != maskedCPFLength || d[:visibleFrom] != "***" || d[visibleFrom+visible:] != "**" {
		return "", false
	}
	digits = d[visibleFrom : visibleFrom+visible]
	return digits, ValidDigits(digits)
}

// MaskCPF returns the published form of a CPF, ***456789**, from its six visible digits.
func MaskCPF(digits string) string { return "***" + digits + "**" }

// ValidDigits reports whether digits are six decimal digits other than 000000, which means "no
// CPF".
func ValidDigits(digits string) bool {
	if len(digits) != visible || digits == "000000" {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// ImplausibleCapital reports whether a capital is a data-entry artefact. Registrations exist in
// which the field was filled with nines, mostly 999.999.999.999,00. Implausible are ten or eleven
// nines of reais, and everything from 500 billion reais on, more than twice the largest real
// capital (Petrobras, 205 billion).
func ImplausibleCapital(c Cents) bool {
	reais := c / 100
	return reais == 9_999_999_999 || reais == 99_999_999_999 || reais >= 500_000_000_000
}

// Legal natures of natural persons in business: see IsIndividual.
const (
	NaturezaIndividual = "2135" // empresário (individual)
	NaturezasPessoas   = "4"    // beginning of natural persons in the table of CONCLA: 4120, produtor rural
)

// IsIndividual reports whether a company is a natural person in business: an individual
// entrepreneur (legal nature 213-5), a MEI, or one of group 4 of the legal natures, such as rural
// producers and candidates for office. Whatever is hidden of persons, on pages, in the index and
// from search engines, is decided here. s may be the zero Simples, but not nil.
func IsIndividual(c *Company, s *Simples) bool {
	return c.NaturezaJuridica == NaturezaIndividual || strings.HasPrefix(c.NaturezaJuridica, NaturezasPessoas) || s.OpcaoPeloMEI == Yes
}
