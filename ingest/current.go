package ingest

import (
	"context"
	"fmt"
	"slices"

	"razao/ingest/gates"
	"razao/ingest/receita"
	"razao/ingest/rows"
	"razao/internal/record"
	"razao/internal/registry"
)

// CurrentError says that what was asked for is in service already: the same files of the same period. Nothing was changed.
type CurrentError struct{ Loads []registry.Load }

func (e *CurrentError) Error() string {
	l := &e.Loads[0]
	return fmt.Sprintf("%s %s is already being served (load %d): load it again with --force", l.Source, l.Period, l.ID)
}

// HeldError says that a load was made of the same files, and that somebody put another one in service since.
type HeldError struct{ Load registry.Load }

func (e *HeldError) Error() string {
	return fmt.Sprintf("load %d was made of the same files of %s %s and is not served: serve it with `razao loads activate %d`, or load it again with --force",
		e.Load.ID, e.Load.Source, e.Load.Period, e.Load.ID)
}

// edition is what a publisher gave out for one source, before it is loaded.
type edition struct {
	source   string
	period   string // "" while only the contents say it
	invented bool
	are      func(ctx context.Context, files []record.SourceFile) (bool, error) // says whether its files are those
}

// Served returns the load in service of a source, nil when there is none.
func (in *Ingester) Served(ctx context.Context, source string) (*registry.Load, error) {
	active, err := in.activeLoads(ctx)
	return active[source], err
}

// admit decides whether editions may become loads: not when all of them are in service (CurrentError), when one is older
// than what is (gates.ErrRefused), or when its files were loaded before and went out of service (HeldError). What is invented and
// what is published do not follow each other. Without anybody to look, what was refused stays refused.
func (in *Ingester) admit(ctx context.Context, unattended bool, editions ...edition) error {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return err
	}
	served := map[int64]bool{} // editions: links that were inferred again make another load of the same files
	for i := range loads {
		if loads[i].Active {
			served[loads[i].Edition] = true
		}
	}
	var current []registry.Load
	var held error
	for _, e := range editions {
		for i := range loads {
			l := &loads[i]
			kept := l.State == registry.LoadReady || l.State == registry.LoadRefused && unattended
			if l.Source != e.source || l.Invented != e.invented || !kept || !l.Active && served[l.Edition] {
				continue
			}
			if l.Active && older(e.period, l.Period) {
				return fmt.Errorf("%w: %s %s is older than %s, which is being served (load %d): serve the older one with --force",
					gates.ErrRefused, e.source, e.period, l.Period, l.ID)
			}
			same, err := e.is(ctx, l)
			switch {
			case err != nil:
				return err
			case !same:
			case l.Active:
				current = append(current, *l)
			case l.State == registry.LoadReady:
				held = &HeldError{*l}
			default:
				held = fmt.Errorf("%w before (load %d): %s", gates.ErrRefused, l.ID, l.Reason)
			}
		}
	}
	if len(current) == len(editions) {
		return &CurrentError{current}
	}
	return held
}

// is says whether a load was made of the edition.
func (e *edition) is(ctx context.Context, l *registry.Load) (bool, error) {
	if e.period != "" && e.period != l.Period || len(l.Provenance.Arquivos) == 0 {
		return false, nil
	}
	return e.are(ctx, l.Provenance.Arquivos)
}

// older compares periods as far as both go: 2026-09 is neither older nor newer than 2026-09-04.
func older(a, b string) bool {
	n := min(len(a), len(b))
	return a[:n] < b[:n]
}

// admitFiles is admit for what a loader is about to read. Only the files themselves count, so that nothing is read in vain.
func (in *Ingester) admitFiles(ctx context.Context, loader rows.Loader, input *rows.Input, o SourceOptions) error {
	if o.Force {
		return nil
	}
	prints := &rows.Fingerprints{Paths: input.Paths()}
	var editions []edition
	for _, src := range loader.Sources {
		editions = append(editions, edition{src, o.Period, input.Invented, prints.Are})
	}
	return in.admit(ctx, o.Unattended, editions...)
}

// admitRead is admit for what a loader has read: now the period is known, and which files it is made of. Whether a load was
// refused before is of no use any more.
func (in *Ingester) admitRead(ctx context.Context, parts []*part) error {
	var editions []edition
	for _, p := range parts {
		files := p.load.Provenance.Arquivos
		are := func(_ context.Context, others []record.SourceFile) (bool, error) {
			return slices.Equal(files, others), nil
		}
		editions = append(editions, edition{p.source.ID, p.load.Period, p.load.Invented, are})
	}
	if err := in.admit(ctx, false, editions...); err != nil {
		return fmt.Errorf("%w: %w", gates.ErrRefused, err)
	}
	return nil
}

// admitRelease is admit for a release of the tax authority.
func (in *Ingester) admitRelease(ctx context.Context, rel *receita.Release, o Options) error {
	prints := &rows.Fingerprints{}
	for _, f := range rel.Files {
		prints.Paths = append(prints.Paths, f.Path)
	}
	return in.admitMonth(ctx, edition{registry.Receita, rel.Month, rel.Fictional, prints.Are}, o)
}

// AdmitListing says before anything is downloaded whether a month that is listed may be loaded, with the errors of Receita
// that say why not. are says whether the listed files are those.
func (in *Ingester) AdmitListing(ctx context.Context, month string, are func([]record.SourceFile) (bool, error), o Options) error {
	listed := func(_ context.Context, files []record.SourceFile) (bool, error) { return are(files) }
	return in.admitMonth(ctx, edition{registry.Receita, month, false, listed}, o)
}

func (in *Ingester) admitMonth(ctx context.Context, e edition, o Options) error {
	if o.Force {
		return nil
	}
	return in.admit(ctx, o.Unattended, e)
}
