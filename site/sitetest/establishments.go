package sitetest

import (
	"math/big"
	"strings"
	"testing"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/fixture"
)

// Establishment is an establishment as the record store has it: an oracle for pages that ask the index.
type Establishment struct {
	record.Establishment
	Company record.Company
}

// A Condition selects establishments.
type Condition func(*Establishment) bool

// Establishments are those of a snapshot, without the index.
type Establishments []Establishment

// Establishments reads all establishments of the snapshot in service.
func (s *Site) Establishments(t testing.TB) Establishments {
	t.Helper()
	var all Establishments
	err := s.Stores.View(t).Scan(t.Context(), func(h *pack.Head, _ []record.Partner, c *pack.EstablishmentCursor) error {
		for c.Next() {
			e := Establishment{c.Establishment, h.Company}
			for _, text := range []*string{
				&e.UF, &e.Municipio, &e.SituacaoCadastral, &e.IdentificadorMatrizFilial, &e.CNAEFiscalPrincipal, &e.Company.PorteEmpresa, &e.Company.NaturezaJuridica,
			} {
				*text = strings.Clone(*text) // the cursor's buffer is used again
			}
			all = append(all, e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Count counts the establishments that meet all conditions.
func (all Establishments) Count(conditions ...Condition) int {
	n := 0
	for i := range all {
		if all[i].meets(conditions) {
			n++
		}
	}
	return n
}

func (e *Establishment) meets(conditions []Condition) bool {
	for _, holds := range conditions {
		if !holds(e) {
			return false
		}
	}
	return true
}

// Companies returns the head offices of active companies that meet all conditions.
func (all Establishments) Companies(conditions ...Condition) (companies []*Establishment) {
	for i := range all {
		if all[i].meets(append(conditions, Head, Active)) {
			companies = append(companies, &all[i])
		}
	}
	return companies
}

// Conditions.
var (
	Head   Condition = func(e *Establishment) bool { return e.HeadOffice() }
	Branch Condition = func(e *Establishment) bool { return !e.HeadOffice() }
	Active Condition = func(e *Establishment) bool { return e.Establishment.Active() }
	Closed Condition = func(e *Establishment) bool { return e.SituacaoCadastral == record.SituacaoBaixada }
)

// InUF selects a state.
func InUF(uf string) Condition { return func(e *Establishment) bool { return e.UF == uf } }

// InCity selects a municipality, by the tax authority's code.
func InCity(code string) Condition { return func(e *Establishment) bool { return e.Municipio == code } }

// OpenedIn selects a year of opening.
func OpenedIn(year int) Condition {
	return func(e *Establishment) bool { return e.DataInicioAtividade.Year() == year }
}

// ClosedIn selects a year of closing.
func ClosedIn(year int) Condition {
	return func(e *Establishment) bool { return Closed(e) && e.DataSituacaoCadastral.Year() == year }
}

// Capital is the capital of active companies, without and with implausible values.
type Capital struct {
	Sum, Published *big.Int
	Implausible    int64
}

// Capital adds up the capital of the active companies that meet a condition.
func (all Establishments) Capital(where Condition) *Capital {
	c := &Capital{Sum: new(big.Int), Published: new(big.Int)}
	for _, e := range all.Companies(where) {
		if e.Company.CapitalSocial == record.NoCents {
			continue
		}
		amount := big.NewInt(int64(e.Company.CapitalSocial))
		c.Published.Add(c.Published, amount)
		if e.CNPJ.Root().String() == fixture.Chain { // 999.999.999.999,00
			c.Implausible++
		} else {
			c.Sum.Add(c.Sum, amount)
		}
	}
	return c
}

// LeftOut is the capital that the sum leaves out, in words.
func (c *Capital) LeftOut() string { return ptbr.LeftOut(c.Implausible, c.Published) }
