package wording

import (
	"razao/internal/record"
	"razao/internal/registry/pack"
)

// The names that the lists had for what packages record and pack say now. They go with their last caller.
const (
	SituacaoAtiva   = record.SituacaoAtiva
	SituacaoBaixada = record.SituacaoBaixada
)

// IsPrivate is pack.Head.Individual.
func IsPrivate(h *pack.Head) bool { return h.Individual() }

// NameOf is pack.Head.NameOf.
func NameOf(h *pack.Head, e *record.Establishment) string { return h.NameOf(e) }

// WithoutStreet leaves the municipality, which is all that a snapshot for visitors has of a natural person's address.
func (a Address) WithoutStreet() Address {
	a.Street, a.CEP = "", ""
	return a
}
