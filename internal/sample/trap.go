package sample

// trap is a defect or an oddity of the published files. A company has at most one of those listed here; it shows in
// the row of the table that it belongs to.
type trap int

const (
	noTrap trap = iota

	// Empresas.
	nameQuotes
	nameAccents
	nameLeadingBlank
	nameDoubleBlank
	capitalSentinel
	unknownQualification
	phantomRow
	duplicateCompany
	noEstablishment

	// Estabelecimentos, in the row of the head office.
	duplicateEstablishment
	onlyEstablishment
	quotedComplement
	brokenComplement
	backslashComplement
	backslashNumber
	nulStreet
	blankStreet
	oddEmail
	dateZero
	dateZeros
	dateSeven
	dateMedieval
	shortCEP
	zeroCEP
	blankZeroCEP
	noCEP
	zeroCountry
	shortCountry
	brazil
	unknownCountry
	noActivity
	retiredActivity
	unknownReason
	noStreetType
	zeroDDD
	zerosDDD
	longDDD
	zeroPhone
	zerosPhone
	ninesPhone
	specialSituation
	noDistrict

	// Socios.
	duplicatePartner
	sameMask
	namelessPartner
	unnamedGuardian
	unknownPartnerCountry

	// Simples.
	onlySimples
	unknownOption
	futureExclusion

	traps
)

const notInformed = "8888888" // the activity of those who declared none

// trapRates has the number of companies in a million that are struck, as counted in real months. Those that are
// missing, and the rare ones, come from the forced cases alone.
var trapRates = [traps]int{
	nameQuotes:             60,
	nameAccents:            4000,
	nameLeadingBlank:       500,
	nameDoubleBlank:        3000,
	capitalSentinel:        2,
	unknownQualification:   20,
	phantomRow:             1,
	duplicateCompany:       1,
	noEstablishment:        2,
	duplicateEstablishment: 1,
	quotedComplement:       90,
	brokenComplement:       1,
	backslashComplement:    4,
	backslashNumber:        4,
	nulStreet:              1,
	blankStreet:            600,
	oddEmail:               1,
	dateZero:               2500,
	dateZeros:              300,
	dateSeven:              1,
	dateMedieval:           1,
	shortCEP:               1000,
	zeroCEP:                100,
	blankZeroCEP:           100,
	noCEP:                  400,
	zeroCountry:            200,
	shortCountry:           100,
	brazil:                 3000,
	unknownCountry:         16,
	noActivity:             22000,
	retiredActivity:        2500,
	unknownReason:          260,
	noStreetType:           10000,
	zeroDDD:                400,
	zerosDDD:               100,
	longDDD:                200,
	zeroPhone:              400,
	zerosPhone:             300,
	ninesPhone:             200,
	specialSituation:       200,
	noDistrict:             500,
	duplicatePartner:       40,
	sameMask:               60,
	namelessPartner:        25,
	unnamedGuardian:        10,
	unknownPartnerCountry:  1,
	unknownOption:          50,
	futureExclusion:        300,
}

// forcedFrom is the number of companies from which on every trap occurs at least once.
const forcedFrom = 10_000

// trapOf returns the trap of a company, and whether it is one of the forced cases, which are evenly spread.
func (g *generator) trapOf(i int) (t trap, forced bool) {
	if g.n >= forcedFrom {
		step := g.n / int(traps)
		if t := trap(i / step); i%step == step/2 && t < traps && t != noTrap {
			return t, true
		}
	}
	d := newDice(g.seed, topicTrap, uint64(i))
	u := d.n(1_000_000)
	if u >= g.trapShare {
		return noTrap, false
	}
	for t, rate := range trapRates {
		if u < rate {
			return trap(t), false
		}
		u -= rate
	}
	return noTrap, false
}
