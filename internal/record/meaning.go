package record

// Codes of the tax authority that decide something. Everything else asks the methods below.
const (
	SituacaoNula     = "01" // the registration was annulled
	SituacaoAtiva    = "02"
	SituacaoSuspensa = "03"
	SituacaoInapta   = "04"
	SituacaoBaixada  = "08" // closed for good

	PorteNaoInformado = "00"
	PorteMicro        = "01"
	PortePequeno      = "03"
	PorteDemais       = "05"

	SocioCompany = "1" // a partner that is a company in Brazil

	matriz               = "1"
	motivoNone           = "00"
	faixaEtariaNone      = "0"
	naturezaIndividual   = "2135" // empresário (individual)
	maskedCPFLength      = 11     // ***456789**
	visibleFrom, visible = 3, 6   // the digits of a CPF that are published
)

// HeadOffice reports whether the establishment says that it is the company's head office (matriz).
func (e *Establishment) HeadOffice() bool { return e.IdentificadorMatrizFilial == matriz }

// Active reports whether the establishment operates.
func (e *Establishment) Active() bool { return e.SituacaoCadastral == SituacaoAtiva }

// Closed reports whether the establishment was closed for good (baixada).
func (e *Establishment) Closed() bool { return e.SituacaoCadastral == SituacaoBaixada }

// Ended reports whether the date of the status is that of an end: the establishment was closed or annulled.
func (e *Establishment) Ended() bool { return e.Closed() || e.SituacaoCadastral == SituacaoNula }

// Motive returns the code of the reason for the status, "" when the publisher says that there is none.
func (e *Establishment) Motive() string {
	if e.MotivoSituacaoCadastral == motivoNone {
		return ""
	}
	return e.MotivoSituacaoCadastral
}

// HideContact empties what somebody could be found or reached by: street, CEP, telephones, fax and e-mail. Municipality
// and UF stay.
func (e *Establishment) HideContact() {
	e.TipoLogradouro, e.Logradouro, e.Numero, e.Complemento, e.Bairro, e.CEP = "", "", "", "", "", ""
	e.DDD1, e.Telefone1, e.DDD2, e.Telefone2, e.DDDFax, e.Fax = "", "", "", "", "", ""
	e.CorreioEletronico = ""
}

// AgeBracket returns the code of the partner's age bracket, "" when it does not apply, as for companies.
func (p *Partner) AgeBracket() string {
	if p.FaixaEtaria == faixaEtariaNone {
		return ""
	}
	return p.FaixaEtaria
}

// VisibleDigits returns the six digits of a person's CPF that are published: 456789 of ***456789**. ok is false for
// companies, foreigners, and people without a number (***000000**).
func (p *Partner) VisibleDigits() (digits string, ok bool) {
	d := p.CNPJCPFSocio
	if len(d) != maskedCPFLength || d[:visibleFrom] != "***" || d[visibleFrom+visible:] != "**" {
		return "", false
	}
	digits = d[visibleFrom : visibleFrom+visible]
	return digits, ValidDigits(digits)
}

// MaskCPF returns the published form of the CPF with these visible digits: ***456789**.
func MaskCPF(digits string) string { return "***" + digits + "**" }

// ValidDigits reports whether a text is the six visible digits of some person: ***000000** stands for "no number".
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

// ImplausibleCapital reports whether no company can have such a capital: publishers do have fields that somebody filled to
// the brim, 999.999.999.999,00 for the most part. Nines only, ten or eleven of them, are that as well; from 500 billion reais
// on everything is, more than twice what the largest company has (Petrobras, 205 billion).
func ImplausibleCapital(c Cents) bool {
	reais := c / 100
	return reais == 9_999_999_999 || reais == 99_999_999_999 || reais >= 500_000_000_000
}

// IsIndividual reports whether a company is a natural person in business: an individual entrepreneur or a MEI.
func IsIndividual(c *Company, s *Simples) bool {
	return c.NaturezaJuridica == naturezaIndividual || s.OpcaoPeloMEI == Yes
}
