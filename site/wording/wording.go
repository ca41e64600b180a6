// Package wording says in words what is published about an establishment: its status, main activity and address, and
// what its partners are to it. Every list and page of the site uses the same words.
package wording

import (
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry/pack"
	"razao/internal/snapshot"
)

// Describe returns the description of a code as people write it; a code that no table knows stands for itself.
func Describe(snap *snapshot.Snapshot, kind record.Domain, code string) string {
	text, ok := ptbr.Meaning(snap, kind, code)
	if !ok && code != "" {
		return "código " + code
	}
	return text
}

// Published returns the description of a code as it is published, for what is no page.
func Published(snap *snapshot.Snapshot, kind record.Domain, code string) string {
	text, ok := snap.Describe(kind, code)
	if !ok && code != "" {
		return "código " + code
	}
	return text
}

// NameOf is what people call an establishment of a company, in title case.
func NameOf(h *pack.Head, e *record.Establishment) string {
	return ptbr.Holder(h.Root, h.NameOf(e), h.Individual())
}

// PhonesOf returns the telephones of an establishment, each once.
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

// RoleOf says as what a partner belongs to a company: Sócio desde 02/08/2019.
func RoleOf(snap *snapshot.Snapshot, p *record.Partner) string {
	role := Describe(snap, record.DomainQualificacao, p.QualificacaoSocio)
	if entry := ptbr.Date(p.DataEntradaSociedade.Time()); entry != "" {
		role += " desde " + entry
	}
	return role
}
