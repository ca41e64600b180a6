package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"razao/ingest/receita"
	"razao/ingest/rows"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
)

// CurrentError says that all editions that were asked for are in service: the same files of the
// same period. Nothing was changed. It is always a pointer.
type CurrentError struct{ Loads []registry.Load }

// Error names the first of the loads in service.
func (e *CurrentError) Error() string {
	l := &e.Loads[0]
	return fmt.Sprintf("%s %s is already being served (load %d): load it again with --force", l.Source, l.Period, l.ID)
}

// HeldError says that a complete load of the same files exists and an operator took it out of
// service. Loading again unasked would undo that decision. It is always a pointer.
type HeldError struct{ Load registry.Load }

// Error names the load and the command that serves it.
func (e *HeldError) Error() string {
	return fmt.Sprintf("load %d was made of the same files of %s %s and is not served: serve it with `razao loads activate %d`, or load it again with --force",
		e.Load.ID, e.Load.Source, e.Load.Period, e.Load.ID)
}

// edition identifies what a publisher offers for one source, before it is loaded.
type edition struct {
	source   string
	period   string // "": only the contents of the files say it
	invented bool
	// are reports whether the edition consists of exactly these files.
	are func(ctx context.Context, files []record.SourceFile) (bool, error)
}

// Served returns the load in service of a source, nil if there is none.
func (in *Ingester) Served(ctx context.Context, source string) (*registry.Load, error) {
	active, err := in.activeLoads(ctx)
	return active[source], err
}

// Accept returns which files a release of the Receita must have: those that the load in service was made of.
func (in *Ingester) Accept(ctx context.Context) (receita.Accept, error) {
	served, err := in.Served(ctx, registry.Receita)
	if err != nil || served == nil {
		return receita.Accept{}, err
	}
	return receita.Accept{Served: &served.Provenance, Invented: served.Invented}, nil
}

// admit decides whether editions may become loads, before or after their files are read. It returns
//
//   - [*CurrentError] if all of them are in service,
//   - ErrRefused if one is of a period that has not begun or that is older than its source's load in
//     service, or if unattended and a former load of the same files was refused,
//   - [*HeldError] if a complete load of the same files is not in service.
//
// Invented and published data are different histories: they are never compared with each other.
func (in *Ingester) admit(ctx context.Context, unattended bool, editions ...edition) error {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return err
	}
	served := map[int64]bool{} // by edition: relinking makes several loads of the same files
	for i := range loads {
		if loads[i].Active {
			served[loads[i].Edition] = true
		}
	}
	var current []registry.Load
	var held error
	for _, e := range editions {
		if !e.invented && !Begun(e.source, e.period) {
			return fmt.Errorf("%w: %s %s has not begun: a typing error of the publisher, or of whoever named the files; load it as it is with --force",
				ErrRefused, e.source, e.period)
		}
		for i := range loads {
			l := &loads[i]
			usable := l.State == registry.LoadReady || l.State == registry.LoadRefused && unattended
			if l.Source != e.source || l.Invented != e.invented || !usable || !l.Active && served[l.Edition] {
				continue
			}
			if l.Active && older(e.period, l.Period) && Begun(l.Source, l.Period) {
				return fmt.Errorf("%w: %s %s is older than %s, which is being served (load %d): serve the older one with --force",
					ErrRefused, e.source, e.period, l.Period, l.ID)
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
				held = fmt.Errorf("%w before (load %d): %s", ErrRefused, l.ID, l.Reason)
			}
		}
	}
	if len(current) == len(editions) {
		return &CurrentError{current}
	}
	return held
}

// is reports whether a load was made of this edition. A load whose files are not recorded matches
// none.
func (e *edition) is(ctx context.Context, l *registry.Load) (bool, error) {
	if e.period != "" && e.period != l.Period || len(l.Provenance.Arquivos) == 0 {
		return false, nil
	}
	return e.are(ctx, l.Provenance.Arquivos)
}

// Begun reports whether a period of a source, or of the Receita, has begun. One that has not is a typing error, or an attack: taken for the
// newest, it would keep out all that follow.
func Begun(id, period string) bool {
	src, ok := source.Find(id)
	if !ok {
		src = source.CompanyRegistry()
	}
	_, err := src.ParsePeriod(period, time.Now())
	return !errors.Is(err, source.ErrNotBegun)
}

// older reports whether period a is before b, compared at the precision of the coarser one: 2026-09
// is neither older nor newer than 2026-09-04.
func older(a, b string) bool {
	n := min(len(a), len(b))
	return a[:n] < b[:n]
}

// admitBeforeRead is admit for the files of an input, before a loader reads them. It compares names
// and sizes and, if these match, SHA-256 sums, so that a current edition costs no parsing.
func (in *Ingester) admitBeforeRead(ctx context.Context, loader rows.Loader, input *rows.Input, o SourceOptions) error {
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

// admitAfterRead is admit after reading, when the period and the files that the loader really used
// are known. All its refusals are ErrRefused. Earlier refusals are ignored: the files have
// just been read.
func (in *Ingester) admitAfterRead(ctx context.Context, parts []*part) error {
	var editions []edition
	for _, p := range parts {
		files := p.load.Provenance.Arquivos
		are := func(_ context.Context, others []record.SourceFile) (bool, error) {
			return slices.Equal(files, others), nil
		}
		editions = append(editions, edition{p.source.ID, p.load.Period, p.load.Invented, are})
	}
	if err := in.admit(ctx, false, editions...); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}

// admitRelease is admit for a release of the Receita on disk.
func (in *Ingester) admitRelease(ctx context.Context, rel *receita.Release, o Options) error {
	prints := &rows.Fingerprints{}
	for _, f := range rel.Files {
		prints.Paths = append(prints.Paths, f.Path)
	}
	return in.admitMonth(ctx, edition{registry.Receita, rel.Month, rel.Fictional, prints.Are}, o)
}

// AdmitListing decides from a publisher's listing, before anything is downloaded, whether a month
// of the Receita may be loaded. It returns the errors of Receita. are reports whether the listed
// files are those of a former load. o.Force admits everything.
func (in *Ingester) AdmitListing(ctx context.Context, month string, are func([]record.SourceFile) (bool, error), o Options) error {
	listed := func(_ context.Context, files []record.SourceFile) (bool, error) { return are(files) }
	return in.admitMonth(ctx, edition{registry.Receita, month, false, listed}, o)
}

// admitMonth is admit for one month of the Receita; o.Force admits it unseen.
func (in *Ingester) admitMonth(ctx context.Context, e edition, o Options) error {
	if o.Force {
		return nil
	}
	return in.admit(ctx, o.Unattended, e)
}
