package wording

import (
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/snapshot"
)

// Matriz is the code of an establishment that is its company's head office.
const Matriz = "1"

// Codes of the tax authority for the status of an establishment and for its reason.
const (
	SituacaoNula    = "01"
	SituacaoAtiva   = "02"
	SituacaoBaixada = "08"
	motivoNone      = "00"
)

// Status is the registration status of an establishment in words.
type Status struct {
	Text   string // Ativa, Baixada …; never ""
	Tone   string // class of the badge
	Since  record.Date
	Ended  bool   // the date is that of an end, not of a beginning
	Reason string // "" when none was published
}

// String returns the status with its date: Ativa desde 14/03/2009.
func (s Status) String() string {
	switch {
	case s.Since == 0:
		return s.Text
	case s.Ended:
		return s.Text + " em " + ptbr.Date(s.Since.Time())
	}
	return s.Text + " desde " + ptbr.Date(s.Since.Time())
}

// StatusOf returns the status of an establishment.
func StatusOf(snap *snapshot.Snapshot, e *record.Establishment) Status {
	st := Status{
		Text:  Describe(snap, record.DomainSituacao, e.SituacaoCadastral),
		Tone:  "fact",
		Since: e.DataSituacaoCadastral,
	}
	switch e.SituacaoCadastral {
	case "":
		st.Text = "Situação não informada"
	case SituacaoAtiva:
		st.Tone = "ok"
	case SituacaoBaixada, SituacaoNula:
		st.Tone, st.Ended = "mute", true
	}
	if e.MotivoSituacaoCadastral != motivoNone {
		st.Reason = Describe(snap, record.DomainMotivo, e.MotivoSituacaoCadastral)
	}
	return st
}
