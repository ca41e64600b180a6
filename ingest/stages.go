package ingest

import (
	"context"

	"razao/internal/store/registry"
)

// usualStages estimates a first load of companies, of which no measurement exists. Only the
// proportions matter; "key" includes the comparison with a former load.
var usualStages = []registry.Stage{
	{Name: "read", Seconds: 1.3},
	{Name: "merge", Seconds: 1.4},
	{Name: "key", Seconds: 0.8},
	{Name: "index: invert", Seconds: 1.5},
	{Name: "index: merge", Seconds: 1.3},
}

// expected returns the stages of the source's last complete load that recorded any; else
// usualStages for the Receita and nil for other sources. loads are ordered from the newest.
func expected(loads []registry.Load, source string) []registry.Stage {
	for i := range loads {
		l := &loads[i]
		if l.Source == source && (l.State == registry.LoadReady || l.State == registry.LoadDropped) && len(l.Stages) > 0 {
			return l.Stages
		}
	}
	if source == registry.Receita {
		return usualStages
	}
	return nil
}

// Progress reports that done of total units of a stage are done; see [Stopwatch.Report]. Callers
// outside of this package use it for downloads. It is safe for concurrent use.
func (in *Ingester) Progress(stage string, done, total int64) { in.Stages.Report(stage, done, total) }

// progress returns a function that reports the progress of one stage.
func (in *Ingester) progress(stage string) func(done, total int64) {
	return func(done, total int64) { in.Progress(stage, done, total) }
}

// beginLoad registers a load and starts to measure its stages, with those of the last load as the
// plan.
func (in *Ingester) beginLoad(ctx context.Context, source, period string) (id int64, err error) {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return 0, err
	}
	in.Stages.Begin(expected(loads, source))
	return in.Store.BeginLoad(ctx, source, period)
}

// endLoad records the outcome of a load and how long its stages took.
func (in *Ingester) endLoad(ctx context.Context, l *registry.Load) error {
	l.Stages = in.Stages.OfLoad()
	return in.Store.EndLoad(ctx, l)
}
