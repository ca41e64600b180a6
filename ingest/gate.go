package ingest

import (
	"fmt"
	"math"

	"razao/ingest/frame"
	"razao/internal/registry"
)

// gate refuses a load that lost too many rows against the one in service: the release is most likely cut short.
func gate(l, former *registry.Load, force bool) error {
	if l.Counts.Companies == 0 && l.Counts.Establishments == 0 {
		return fmt.Errorf("%w: it holds no company", ErrRefused)
	}
	if former == nil || force {
		return nil
	}
	const floor = 0.97
	tables := []struct {
		name        string
		now, before int64
	}{
		{"Empresas", l.Counts.Companies, former.Counts.Companies},
		{"Estabelecimentos", l.Counts.Establishments, former.Counts.Establishments},
		{"Socios", l.Counts.Partners, former.Counts.Partners},
		{"Simples", l.Counts.Simples, former.Counts.Simples},
	}
	for _, t := range tables {
		if least := int64(math.Ceil(floor * float64(t.before))); t.now < least {
			return fmt.Errorf("%w: %s has %d rows, fewer than %.0f %% of the %d of load %d (%s) in service; accept it with --force",
				ErrRefused, t.name, t.now, 100*floor, t.before, former.ID, former.Period)
		}
	}
	return nil
}

// tolerate refuses a load with more unreadable rows than a real file has.
func tolerate(f *frame.Figures, rejects []registry.Reject) error {
	const least, share = 100, 1000
	if f.Rejected <= max(least, f.Read/share) {
		return nil
	}
	first := rejects[0]
	return fmt.Errorf("%w: %d of %d rows cannot be read, more than the %d tolerated; the first is %s line %d, %s: %s",
		ErrRefused, f.Rejected, f.Read, max(least, f.Read/share), first.File, first.Line, first.Column, first.Reason)
}

// gateSource refuses loads that are implausibly small: the files are most likely cut short.
func gateSource(parts []*part, f *frame.Figures, loader frame.Loader, active map[string]*registry.Load, invented bool) error {
	for _, p := range parts {
		if p.load.Counts.Records == 0 {
			return fmt.Errorf("%w: the files hold no record of %s; accept that with --force", ErrRefused, p.source.ID)
		}
		if !invented && f.Read < p.source.Floor {
			return fmt.Errorf("%w: %d rows are fewer than the %d that every real file of %s has; accept them with --force",
				ErrRefused, f.Read, p.source.Floor, p.source.ID)
		}
		const floor = 0.8
		former := active[p.source.ID]
		if former == nil {
			continue
		}
		if least := int64(math.Ceil(floor * float64(former.RowsRead))); f.Read < least {
			return fmt.Errorf("%w: %d rows are fewer than %.0f %% of the %d of load %d (%s) in service; accept them with --force",
				ErrRefused, f.Read, 100*floor, former.RowsRead, former.ID, former.Period)
		}
	}
	if loader.Floor == nil || invented {
		return nil
	}
	if err := loader.Floor(f); err != nil {
		return fmt.Errorf("%w: %w; accept it with --force", ErrRefused, err)
	}
	return nil
}
