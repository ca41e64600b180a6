// Package wording puts what is published into words for readers: an establishment's name, status, main activity, address, telephones
// and the roles of partners, and what changed. Whoever shows them uses it, so they agree. Codes are described by the tables of the
// snapshot; formats come from package ptbr.
package wording

import (
	"cmp"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/networks"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

// Describe returns the description of a code in title case with accents, "código 99" for an unknown
// code, and "" for an empty one.
func Describe(snap *snapshot.Snapshot, kind record.Domain, code string) string {
	text, ok := ptbr.Meaning(snap, kind, code)
	if !ok && code != "" {
		return "código " + code
	}
	return text
}

// Published is [Describe] with the description as published, for files.
func Published(snap *snapshot.Snapshot, kind record.Domain, code string) string {
	text, ok := snap.Describe(kind, code)
	if !ok && code != "" {
		return "código " + code
	}
	return text
}

// NameOf returns the display name of an establishment in title case.
func NameOf(h *pack.Head, e *record.Establishment) string {
	return ptbr.Holder(h.Root, h.NameOf(e), h.Individual())
}

// PhonesOf returns the telephones of an establishment without duplicates, nil if there are none.
func PhonesOf(e *record.Establishment) []string {
	first, second := ptbr.Phone(e.DDD1, e.Telefone1), ptbr.Phone(e.DDD2, e.Telefone2)
	var phones []string
	if first != "" {
		phones = append(phones, first)
	}
	if second != "" && second != first {
		phones = append(phones, second)
	}
	return phones
}

// TieOf says what a row of partners makes of the holder of a tie: the partner, or the representative of
// one.
func TieOf(snap *snapshot.Snapshot, e *networks.Evidence) string {
	if !e.Representative {
		return RoleOf(snap, &e.Partner)
	}
	return Describe(snap, record.DomainQualificacao, e.Partner.QualificacaoRepresentanteLegal) + ", representante de " + ptbr.Partner(&e.Partner)
}

// Homonyms says that the rows of a member are of several persons, "" if they do not: in a month nobody has two age brackets.
func Homonyms(m *networks.Member) string {
	if len(m.Ages) < 2 {
		return ""
	}
	var ages []string
	for _, code := range m.Ages {
		ages = append(ages, cmp.Or(record.LayoutDomains()[record.DomainFaixaEtaria][code], code))
	}
	return "São homônimos, ao menos " + ptbr.Count(len(ages)) + " pessoas: as linhas têm faixas etárias diferentes, " + ptbr.List(ages) + "."
}

// RoleOf returns the qualification of a partner with the date of entry: Sócio desde 02/08/2019.
func RoleOf(snap *snapshot.Snapshot, p *record.Partner) string {
	role := Describe(snap, record.DomainQualificacao, p.QualificacaoSocio)
	if entry := ptbr.Date(p.DataEntradaSociedade.Time()); entry != "" {
		role += " desde " + entry
	}
	return role
}
