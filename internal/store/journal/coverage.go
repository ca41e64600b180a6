package journal

import (
	"context"
	"slices"
	"time"

	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/loads"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
)

// Coverage says of each source since when its changes are known, until when, and what was not
// compared in between: the company registry first, then in the order of source.All. Without it a reader
// would take what could not be looked at for no change.
func Coverage(ctx context.Context, s *snapshot.Snapshot) ([]record.Coverage, error) {
	failed, err := loads.Failed(ctx, s)
	if err != nil {
		return nil, err
	}
	ids := append([]string{registry.Receita}, source.IDs()...)
	all := make([]record.Coverage, len(ids))
	for i, id := range ids {
		all[i].Fonte = id
	}
	for _, l := range Loads(s) {
		if i := slices.Index(ids, l.Source); i >= 0 {
			addLoad(&all[i], &l)
		}
	}
	for i := range failed {
		f := &failed[i]
		if at := slices.Index(ids, f.Source); at >= 0 {
			all[at].Falha = &record.FailedLoad{Competencia: f.Period, Em: DayOf(f.StartedAt)}
		}
	}
	return all, nil
}

// addLoad adds a load that was compared after those that c has.
func addLoad(c *record.Coverage, l *history.Load) {
	seen := &record.AnnouncedLoad{Competencia: l.Period, ComparadaCom: l.FormerPeriod, VistaEm: DayOf(l.AnnouncedAt), Carga: l.ID}
	if c.Desde == nil {
		c.Desde = seen
	}
	c.Ate = seen
	for _, g := range l.Gaps {
		if g.Why != history.First { // Desde says that
			c.Lacunas = append(c.Lacunas, record.Gap{
				Competencia: l.Period, ComparadaCom: l.FormerPeriod, Parte: string(g.Part), Motivo: string(g.Why), Carga: l.ID,
			})
		}
	}
}

// DayOf returns the day of a moment, in UTC as all times of the API.
func DayOf(t time.Time) record.Date {
	year, month, day := t.UTC().Date()
	return record.MakeDate(year, int(month), day)
}
