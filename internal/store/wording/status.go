package wording

import (
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
)

// Status is the registration status of an establishment, for display.
type Status struct {
	Text   string      // Ativa, Baixada …; never ""
	Tone   string      // CSS class of the badge: ok, mute or fact
	Since  record.Date // date of the status; 0: not published
	Ended  bool        // Since is the day of an end (closed or annulled), so it reads "em", not "desde"
	Reason string      // "" if none was published
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
