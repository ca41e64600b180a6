package places

import (
	"context"
	"strconv"
	"time"

	"razao/internal/data/change"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
	"razao/site/chart"
)

// Flow is what each load of the company registry changed in a place or of an activity: which establishments
// appeared and vanished between two loads, whatever dates are published. Openings and closings by
// published date are those of the charts by month and year.
type Flow struct {
	Loads []flowLoad     // newest first; never empty on pages
	Chart *chart.Columns // nil for a single load
}

// flowLoad is one load.
type flowLoad struct {
	Load  *history.Load
	Known bool // false: its establishments were not compared
	history.PlaceCounts
}

// In and Out are the establishments that are active since the load, and those that are not any more or
// elsewhere.
func (l *flowLoad) In() int64  { return int64(l.Opened) + int64(l.Reactivated) + int64(l.Arrivals) }
func (l *flowLoad) Out() int64 { return int64(l.Closed) + int64(l.Departures) }

// add adds what another load changed. What of one is not known is not known of both.
func (l *flowLoad) add(o *flowLoad) {
	l.Known = l.Known && o.Known
	l.Opened, l.Closed, l.Reactivated = l.Opened+o.Opened, l.Closed+o.Closed, l.Reactivated+o.Reactivated
	l.Arrivals, l.Departures = l.Arrivals+o.Arrivals, l.Departures+o.Departures
}

// Net returns the difference with its sign.
func (l *flowLoad) Net() string {
	switch n := l.In() - l.Out(); {
	case n > 0:
		return "+" + ptbr.Count(n)
	case n < 0:
		return "−" + ptbr.Count(-n)
	}
	return "0"
}

// Text says in a sentence what the load changed.
func (l *flowLoad) Text() string {
	if !l.Known {
		return "Em " + ptbr.Period(l.Load.Period) + " os estabelecimentos não foram comparados: não se sabe quantos mudaram."
	}
	counted := func(n int32, one, several string) string { return ptbr.Counted(int(n), one, several) }
	return "Em " + ptbr.Period(l.Load.Period) + ", frente a " + ptbr.Period(l.Load.FormerPeriod) + ": " + ptbr.List([]string{
		counted(l.Opened, "estabelecimento novo", "estabelecimentos novos"), counted(l.Reactivated, "reativado", "reativados"),
		counted(l.Arrivals, "vindo de outro município", "vindos de outro município"),
	}) + "; " + ptbr.List([]string{counted(l.Closed, "baixado", "baixados"), counted(l.Departures, "que foi para outro município", "que foram para outro município")}) +
		". Saldo: " + l.Net() + "."
}

// Flow returns what the loads changed in a place, nil if none was compared. It is kept for the
// snapshot, apart from the summary, which needs no database.
func (hs *Handlers) Flow(ctx context.Context, snap *snapshot.Snapshot, in Place) (*Flow, error) {
	type key Place
	return snapshot.Once(snap, key(in), func() (*Flow, error) { return NewFlow(ctx, snap, hs.atlas, in, nil) })
}

// NewFlow returns what the loads changed in a place, of divisions of CNAE; nil: of all. It returns nil
// if no load was compared.
func NewFlow(ctx context.Context, snap *snapshot.Snapshot, atlas *territory.Atlas, in Place, divisions []string) (*Flow, error) {
	loads, err := flowLoads(ctx, snap, atlas, in, divisions)
	if err != nil || len(loads) == 0 {
		return nil, err
	}
	f := &Flow{}
	c := &chart.Columns{
		Title: "Estabelecimentos que chegaram e que saíram, por carga", Axis: "Carga",
		Series:  []chart.Series{{Name: "Chegaram", One: "chegou", Many: "chegaram"}, {Name: "Saíram", One: "saiu", Many: "saíram"}},
		Caption: "Novos, reativados e vindos de outro município; baixados e idos para outro", Wide: len("01/2006"),
	}
	for i := range loads {
		l := &loads[i]
		f.Loads = append([]flowLoad{*l}, f.Loads...)
		point := chart.Point{Text: ptbr.Period(l.Load.Period), Values: [2]int64{l.In(), l.Out()}}
		if !l.Known {
			point.Row, point.Part = point.Text+", não se sabe", true
		}
		c.Points = append(c.Points, point)
	}
	if len(loads) > 1 {
		f.Chart = c
	}
	return f, nil
}

// flowLoads returns the loads of the company registry that have one before them, the one announced first first.
func flowLoads(ctx context.Context, snap *snapshot.Snapshot, atlas *territory.Atlas, in Place, divisions []string) ([]flowLoad, error) {
	months, err := journal.InPlaces(ctx, snap, municipalitiesIn(atlas, in), divisions)
	if err != nil {
		return nil, err
	}
	counts := map[int64]history.PlaceCounts{}
	for _, m := range months {
		counts[m.Load.ID] = m.PlaceCounts
	}
	var loads []flowLoad
	announced := journal.Loads(snap)
	for i := range announced {
		if l := &announced[i]; l.Source == registry.Receita && !l.First() {
			loads = append(loads, flowLoad{l, l.Compared(change.Establishments), counts[l.ID]})
		}
	}
	return loads, nil
}

// municipalitiesIn returns the tax authority's codes of a place; nil for the country.
func municipalitiesIn(atlas *territory.Atlas, in Place) []string {
	switch {
	case in.Municipio != "":
		return []string{in.Municipio}
	case in.UF == "":
		return nil
	}
	var codes []string
	for _, m := range atlas.Municipalities() {
		if m.UF == in.UF {
			codes = append(codes, m.RFB)
		}
	}
	return codes
}

// newCohortChart charts, of the establishments opened in each of the yearsShown years up to month
// (AAAA-MM), how many are active today and how many are not; nil when month is not one.
func newCohortChart(cohorts []cohort, month string) *chart.Columns {
	end, err := time.Parse("2006-01", month)
	if err != nil {
		return nil
	}
	c := &chart.Columns{
		Title: "Dos estabelecimentos abertos em cada ano, os ativos hoje", Axis: "Aberto em",
		Series:  []chart.Series{{Name: "Ativos hoje", One: "ativo hoje", Many: "ativos hoje"}, {Name: "Não ativos", One: "não ativo", Many: "não ativos"}},
		Caption: "Estabelecimentos pelo ano de abertura e pela situação de hoje",
	}
	at := map[int]cohort{}
	for _, one := range cohorts {
		at[one.Year] = one
	}
	for year := end.Year() - yearsShown + 1; year <= end.Year(); year++ {
		one := at[year]
		c.Points = append(c.Points, chart.Point{Text: strconv.Itoa(year), Values: [2]int64{one.Active, one.Opened - one.Active}, Part: year == end.Year() && end.Month() < time.December})
	}
	oldest := c.Points[0]
	if all := oldest.Values[0] + oldest.Values[1]; all > 0 {
		c.Note = "De cada cem abertos em " + oldest.Text + ", " + strconv.FormatInt((200*oldest.Values[0]+all)/(2*all), 10) + " estão ativos."
	}
	return c
}
