package dossier

import (
	"context"
	"slices"

	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/totals"
)

// Figure is what the records that a source has of a company come to, in all its establishments.
type Figure struct {
	Status  registry.Status
	Records int
	Whole   bool  // Cents and InForce are of all records; false: there are more than totals.MostAdded, or they were not read
	Cents   int64 // sum of the amounts that may be added, 0 if the source has none
	InForce int   // records that hold today
	Err     error // why the source failed
}

// FigureOf returns what a source, which must exist, comes to for a company. A source that fails is a
// figure that says so.
func FigureOf(ctx context.Context, s *snapshot.Snapshot, id string, h *pack.Head) Figure {
	records, _ := s.Select(ctx, id, h, registry.Document{Root: h.Root}, registry.Selection{Range: registry.Range{Limit: totals.MostAdded}})
	f := Figure{Status: records.Status, Records: records.Total, Err: records.Err, Whole: records.Answered() && records.Total <= totals.MostAdded}
	if !f.Whole {
		return f
	}
	sum := totals.NewMeasures(&records.Source.Facts)
	today := int64(record.Today())
	for i := range records.Items {
		sum.Add(&records.Items[i])
		if slices.ContainsFunc(totals.Spans(&records.Source.Facts, &records.Items[i]), func(s totals.Span) bool { return s.From <= today && today <= s.To }) {
			f.InForce++
		}
	}
	f.Cents, _ = sum.Cents()
	return f
}
