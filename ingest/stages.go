package ingest

import (
	"context"

	"razao/internal/registry"
)

// usualStages are those of a load of companies of which none is known yet: of 300,000 invented roots, in seconds on two cores, the key
// with the comparison to a former load.
var usualStages = []registry.Stage{
	{Name: "read", Seconds: 1.3},
	{Name: "merge", Seconds: 1.4},
	{Name: "key", Seconds: 0.8},
	{Name: "index: invert", Seconds: 1.5},
	{Name: "index: merge", Seconds: 1.3},
}

// expected returns the stages of the last complete load of a source, the usual ones when none has remembered them. loads begin
// with the newest.
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

// Progress tells how far a stage has come.
func (in *Ingester) Progress(stage string, done, total int64) { in.Stages.Report(stage, done, total) }

func (in *Ingester) progress(stage string) func(done, total int64) {
	return func(done, total int64) { in.Progress(stage, done, total) }
}

// beginLoad registers a load and begins to measure it.
func (in *Ingester) beginLoad(ctx context.Context, source, period string) (id int64, err error) {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return 0, err
	}
	in.Stages.Begin(expected(loads, source))
	return in.Store.BeginLoad(ctx, source, period)
}

// endLoad records the outcome of a load, and what its stages took until now.
func (in *Ingester) endLoad(ctx context.Context, l *registry.Load) error {
	l.Stages = in.Stages.OfLoad()
	return in.Store.EndLoad(ctx, l)
}
