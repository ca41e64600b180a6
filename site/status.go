package site

import (
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
)

// status is the registration status of an establishment in words.
type status struct {
	Text   string // Ativa, Baixada …; never ""
	Tone   string // class of the badge
	Since  registry.Date
	Ended  bool   // the date is that of an end, not of a beginning
	Reason string // "" when none was published
}

// String returns the status with its date: Ativa desde 14/03/2009.
func (s status) String() string {
	switch {
	case s.Since == 0:
		return s.Text
	case s.Ended:
		return s.Text + " em " + ptbr.Date(s.Since.Time())
	}
	return s.Text + " desde " + ptbr.Date(s.Since.Time())
}

func statusOf(snap *snapshot.Snapshot, e *registry.Establishment) status {
	st := status{
		Text:  describe(snap, registry.DomainSituacao, e.SituacaoCadastral),
		Tone:  "fact",
		Since: e.DataSituacaoCadastral,
	}
	switch e.SituacaoCadastral {
	case "":
		st.Text = "Situação não informada"
	case situacaoAtiva:
		st.Tone = "ok"
	case situacaoBaixada, situacaoNula:
		st.Tone, st.Ended = "mute", true
	}
	if e.MotivoSituacaoCadastral != motivoNone {
		st.Reason = describe(snap, registry.DomainMotivo, e.MotivoSituacaoCadastral)
	}
	return st
}
