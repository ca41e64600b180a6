package wording

import (
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

// Address is where an establishment is, in the parts that a page sets line by line.
type Address struct {
	Street       string // with number, complement and district; "" when hidden or not published
	Municipality string // IBGE's name, or the city abroad
	UF           string // "" abroad
	State        string // name of the UF
	Country      string // only abroad
	CEP          string // as published, without hyphen
}

// AddressOf returns where an establishment is, in title case; the atlas has the names of its places.
func AddressOf(atlas *territory.Atlas, snap *snapshot.Snapshot, e *record.Establishment) Address {
	return addressOf(atlas, snap, e, ptbr.Street)
}

// PublishedAddressOf is AddressOf with street and city abroad as they are published.
func PublishedAddressOf(atlas *territory.Atlas, snap *snapshot.Snapshot, e *record.Establishment) Address {
	return addressOf(atlas, snap, e, func(published string) string { return published })
}

func addressOf(atlas *territory.Atlas, snap *snapshot.Snapshot, e *record.Establishment, write func(string) string) Address {
	a := Address{
		Street: ptbr.Join(", ", write(ptbr.Join(" ", e.TipoLogradouro, e.Logradouro)), write(e.Numero), write(e.Complemento), write(e.Bairro)),
		CEP:    e.CEP,
	}
	if e.UF == territory.Abroad {
		a.Municipality = write(e.NomeCidadeExterior)
		a.Country = Describe(snap, record.DomainPais, e.Pais)
		return a
	}
	a.UF, a.State = e.UF, e.UF
	if uf, ok := atlas.UF(e.UF); ok {
		a.State = uf.Name
	}
	if m, ok := atlas.ByRFB(e.Municipio); ok {
		a.Municipality = m.Name
	} else {
		a.Municipality = Describe(snap, record.DomainMunicipio, e.Municipio)
	}
	return a
}

// City returns Campinas/SP, or the city and country abroad.
func (a Address) City() string {
	return ptbr.Join(", ", ptbr.Join("/", a.Municipality, a.UF), a.Country)
}

// String returns the whole address on one line.
func (a Address) String() string { return ptbr.Join(", ", a.Street, a.City(), ptbr.CEP(a.CEP)) }
