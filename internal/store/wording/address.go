package wording

import (
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
)

// Address is the address of an establishment, in parts that pages show on lines of their own.
type Address struct {
	Street       string // with number, complement and district; "" when hidden or not published
	Municipality string // IBGE's name, or the foreign city
	UF           string // "" abroad
	State        string // name of the UF; "" abroad
	Country      string // "" in Brazil
	CEP          string // as published, without hyphen
}

// AddressOf returns the address of an establishment in title case, with place names from the atlas.
func AddressOf(atlas *territory.Atlas, snap *snapshot.Snapshot, e *record.Establishment) Address {
	return addressOf(atlas, snap, e, ptbr.Street)
}

// PublishedAddressOf is [AddressOf] with street and foreign city as published.
func PublishedAddressOf(atlas *territory.Atlas, snap *snapshot.Snapshot, e *record.Establishment) Address {
	return addressOf(atlas, snap, e, func(published string) string { return published })
}

// CityOf returns the city alone, see [Address.City]. Lists show no more, and need not put the street
// of each row into title case.
func CityOf(atlas *territory.Atlas, snap *snapshot.Snapshot, e *record.Establishment) string {
	return placeOf(atlas, snap, e, ptbr.Street).City()
}

func addressOf(atlas *territory.Atlas, snap *snapshot.Snapshot, e *record.Establishment, write func(string) string) Address {
	a := placeOf(atlas, snap, e, write)
	a.Street = ptbr.Join(", ", write(ptbr.Join(" ", e.TipoLogradouro, e.Logradouro)), write(e.Numero), write(e.Complemento), write(e.Bairro))
	return a
}

// placeOf returns the address without the street.
func placeOf(atlas *territory.Atlas, snap *snapshot.Snapshot, e *record.Establishment, write func(string) string) Address {
	a := Address{CEP: e.CEP}
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

// City returns Campinas/SP, or city and country abroad.
func (a Address) City() string {
	return ptbr.Join(", ", ptbr.Join("/", a.Municipality, a.UF), a.Country)
}

// String returns the whole address on one line.
func (a Address) String() string { return ptbr.Join(", ", a.Street, a.City(), ptbr.CEP(a.CEP)) }
