package world

import "razao/internal/sample/draw"

// Trap is a defect or an oddity of the published files. A company has at most one; it shows in one
// row, that of the table under which the trap is listed.
type Trap int

// The traps, by table. What each puts where is in package cadastre.
const (
	NoTrap Trap = iota

	// Empresas.
	NameQuotes
	NameAccents
	NameLeadingBlank
	NameDoubleBlank
	CapitalSentinel
	UnknownQualification
	PhantomRow       // a second row of the root, without a name
	DuplicateCompany // its row stands twice
	NoEstablishment  // no row in Estabelecimentos

	// Estabelecimentos, in the row of the head office.
	DuplicateEstablishment // its row stands twice
	OnlyEstablishment      // no row in Empresas
	QuotedComplement
	BrokenComplement
	BackslashComplement
	BackslashNumber
	NulStreet // a NUL byte, which PostgreSQL rejects
	BlankStreet
	OddEmail // byte 0x8F, which Windows-1252 does not define
	DateZero
	DateZeros
	DateSeven    // seven digits
	DateMedieval // the year 1194
	ShortCEP
	ZeroCEP
	BlankZeroCEP
	NoCEP
	ZeroCountry
	ShortCountry
	Brazil
	UnknownCountry
	NoActivity
	RetiredActivity
	UnknownReason
	NoStreetType
	ZeroDDD
	ZerosDDD
	LongDDD
	ZeroPhone
	ZerosPhone
	NinesPhone
	SpecialSituation
	NoDistrict

	// Socios.
	DuplicatePartner // his row stands twice
	SameMask         // two partners with one masked CPF
	NamelessPartner
	UnnamedGuardian // a qualification, but no name
	UnknownPartnerCountry

	// Simples.
	OnlySimples // no row in any other table
	UnknownOption
	FutureExclusion

	traps
)

// trapRates holds how many companies in a million have a trap, as counted in real months. A trap
// that is missing here comes from the forced cases alone.
var trapRates = [traps]int{
	NameQuotes: 60, NameAccents: 4000, NameLeadingBlank: 500, NameDoubleBlank: 3000, CapitalSentinel: 2,
	UnknownQualification: 20, PhantomRow: 1, DuplicateCompany: 1, NoEstablishment: 2, DuplicateEstablishment: 1,
	QuotedComplement: 90, BrokenComplement: 1, BackslashComplement: 4, BackslashNumber: 4, NulStreet: 1,
	BlankStreet: 600, OddEmail: 1, DateZero: 2500, DateZeros: 300, DateSeven: 1, DateMedieval: 1, ShortCEP: 1000,
	ZeroCEP: 100, BlankZeroCEP: 100, NoCEP: 400, ZeroCountry: 200, ShortCountry: 100, Brazil: 3000, UnknownCountry: 16,
	NoActivity: 22000, RetiredActivity: 2500, UnknownReason: 260, NoStreetType: 10000, ZeroDDD: 400, ZerosDDD: 100,
	LongDDD: 200, ZeroPhone: 400, ZerosPhone: 300, NinesPhone: 200, SpecialSituation: 200, NoDistrict: 500,
	DuplicatePartner: 40, SameMask: 60, NamelessPartner: 25, UnnamedGuardian: 10, UnknownPartnerCountry: 1,
	UnknownOption: 50, FutureExclusion: 300,
}

// forcedFrom is the number of companies from which on every trap is forced at least once.
const forcedFrom = 10_000

// trapOf returns the trap of company i and whether it is one of the forced cases, which are spread
// evenly over the founders. Later companies have none.
func (w *World) trapOf(i int) (t Trap, forced bool) {
	if i >= w.Founders {
		return NoTrap, false
	}
	if w.Founders >= forcedFrom {
		step := w.Founders / int(traps)
		if t := Trap(i / step); i%step == step/2 && t < traps && t != NoTrap {
			return t, true
		}
	}
	d := w.Dice(draw.Trap, uint64(i))
	if t := Trap(draw.Rung(d.N(1_000_000), trapRates[:]...)); t < traps {
		return t, false
	}
	return NoTrap, false
}

// TrapAt returns the trap of company i without deriving the company. Giants have none.
func (w *World) TrapAt(i int) Trap {
	if w.GiantOf(i) != nil {
		return NoTrap
	}
	t, _ := w.trapOf(i)
	return t
}
