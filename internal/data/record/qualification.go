package record

import "slices"

// Part is what a qualification says that somebody is in a company.
type Part uint8

// The parts. The zero value is that of unknown codes.
const (
	OtherPart   Part = iota // says neither who owns nor who runs it
	Owner                   // has quotas or shares, or is the business
	Manager                 // runs it, alone or with others
	BoardMember             // of the council that oversees those who run it
	Appointed               // runs it or winds it up by law, by order of a court or on behalf of the state
	Agent                   // acts for somebody else
)

// FinalBeneficiary is the qualification of who ultimately benefits from a company, directly or not.
const FinalBeneficiary = "69"

// parts says of each qualification of the tax authority's table what it makes of somebody.
var parts = []struct {
	part  Part
	codes []string
}{
	// sócios with a part of the capital, some of whom also run the company
	{Owner, []string{"22", "23", "24", "25", "28", "29", "30", "31", "37", "38", "47", "48", "49", "52", "55", "56", "57", "58", "74"}},
	// titulares, empresários and produtores rurais have all of it
	{Owner, []string{"34", "50", "59", "65", "66", "67", "68", "78", "79"}},
	// quotas that the company holds of itself
	{Owner, []string{"63"}},
	// administradores, diretores, presidentes and gerentes
	{Manager, []string{"05", "10", "16", "36", "70", "72", "73"}},
	// secretários and tesoureiros are of the diretoria of an association, a síndico is elected to run a condominium
	{Manager, []string{"18", "19", "33"}},
	// conselheiros de administração (Lei 6.404/1976, art. 138)
	{BoardMember, []string{"08", "71"}},
	// interventores, inventariantes, liquidantes and administradores judiciais
	{Appointed, []string{"11", "12", "13", "64"}},
	// tabeliães and oficiais de registro exercise a public service by delegation (Constituição, art. 236)
	{Appointed, []string{"32", "42"}},
	// curadores, parents, procuradores and tutores
	{Agent, []string{"09", "14", "15", "17", "35"}},
	// who represents a foreign state or an international organization
	{Agent, []string{"39", "40", "41", "46", "60", "62"}},
	// sócios de indústria and sócios sem capital are no owners of it
	{OtherPart, []string{"26", "53"}},
	// members of a consórcio or grupo de sociedades, which have no capital of their own (Lei 6.404/1976, arts. 266 and 278)
	{OtherPart, []string{"20", "21"}},
	// a fundação belongs to nobody, and its fundador need not run it
	{OtherPart, []string{"54", "75"}},
	// a beneficiary may be one through others, who are not named
	{OtherPart, []string{FinalBeneficiary}},
	// not stated, responsible for something, candidates
	{OtherPart, []string{"00", "43", "51", "61"}},
}

var partOf = func() map[string]Part {
	of := map[string]Part{}
	for _, p := range parts {
		for _, code := range p.codes {
			of[code] = p.part
		}
	}
	return of
}()

// PartOf returns what a qualification, by its code, says that somebody is in a company.
func PartOf(qualification string) Part { return partOf[qualification] }

// Nature says what somebody is. The values are bits, so that what several rows say can be put together: both is neither.
type Nature uint8

// The natures. The zero value is that of whoever may be either.
const (
	NaturalPerson Nature = 1 << iota
	LegalEntity
)

// naturesOf has the qualifications that say it in the tax authority's table. Who is abroad has nothing else to tell it by.
var naturesOf = map[Nature][]string{
	// pessoas físicas; minors and the legally incapable are natural persons (Código Civil, arts. 3 and 4)
	NaturalPerson: {"29", "30", "38", "47", "56", "58", "65", "66", "67", "68"},
	// pessoas jurídicas; the members of a consórcio or grupo de sociedades are sociedades (Lei 6.404/1976, arts. 265 and 278)
	LegalEntity: {"20", "21", "37", "48", "57", "78", "79"},
}

// Nature returns what the partner is, as far as the row says.
func (p *Partner) Nature() Nature {
	switch p.IdentificadorSocio {
	case SocioCompany:
		return LegalEntity
	case SocioPerson:
		return NaturalPerson
	}
	for nature, codes := range naturesOf {
		if slices.Contains(codes, p.QualificacaoSocio) {
			return nature
		}
	}
	return 0
}
