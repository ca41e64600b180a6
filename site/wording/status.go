package wording

import (
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/snapshot"
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
		Text:   Describe(snap, record.DomainSituacao, e.SituacaoCadastral),
		Tone:   "fact",
		Since:  e.DataSituacaoCadastral,
		Reason: Describe(snap, record.DomainMotivo, e.Motive()),
	}
	switch {
	case e.SituacaoCadastral == "":
		st.Text = "Situação não informada"
	case e.Active():
		st.Tone = "ok"
	case e.Ended():
		st.Tone, st.Ended = "mute", true
	}
	return st
}
