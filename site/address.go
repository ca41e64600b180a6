package site

import (
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

// address is where an establishment is, in the parts that a page sets line by line.
type address struct {
	Street       string // with number, complement and district; "" when hidden or not published
	Municipality string // IBGE's name, or the city abroad
	UF           string // "" abroad
	State        string // name of the UF
	Country      string // only abroad
	CEP          string // as published, without hyphen
}

func (s *Site) address(snap *snapshot.Snapshot, e *registry.Establishment) address {
	a := address{
		Street: ptbr.Join(", ", ptbr.Join(" ", e.TipoLogradouro, e.Logradouro), e.Numero, e.Complemento, e.Bairro),
		CEP:    e.CEP,
	}
	if e.UF == territory.Abroad {
		a.Municipality = e.NomeCidadeExterior
		a.Country = describe(snap, registry.DomainPais, e.Pais)
		return a
	}
	a.UF, a.State = e.UF, e.UF
	if uf, ok := s.atlas.UF(e.UF); ok {
		a.State = uf.Name
	}
	if m, ok := s.atlas.ByRFB(e.Municipio); ok {
		a.Municipality = m.Name
	} else {
		a.Municipality = describe(snap, registry.DomainMunicipio, e.Municipio)
	}
	return a
}

// City returns Campinas/SP, or the city and country abroad.
func (a address) City() string {
	return ptbr.Join(", ", ptbr.Join("/", a.Municipality, a.UF), a.Country)
}

// String returns the whole address on one line.
func (a address) String() string { return ptbr.Join(", ", a.Street, a.City(), ptbr.CEP(a.CEP)) }

// withoutStreet leaves the municipality: what may be shown of a natural person's address.
func (a address) withoutStreet() address {
	a.Street, a.CEP = "", ""
	return a
}
