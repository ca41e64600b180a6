package loads

import (
	"context"
	"fmt"
	"slices"

	"razao/internal/data/profile"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
)

// Quality is what was measured of the columns of a load, beside the one that was in service before it.
type Quality struct {
	Load    registry.Load
	Former  *registry.Load  // nil: there is none, or it cannot be compared
	Loads   []registry.Load // of the source that are or were in service, newest first and at most fifty, one of each edition; before them the last one that was refused since, if there is one
	Recent  []registry.Load // that were measured, up to Load, oldest first and at most [RecentLoads]
	Columns []ColumnQuality // in the order of tables and their columns; nil: nothing was measured
}

// RecentLoads is how many loads the course of a column shows.
const RecentLoads = 12

// ColumnQuality is what was measured of a column.
type ColumnQuality struct {
	profile.Declaration
	Table      string
	Read       int64 // rows of the table that were read
	Rows       int64 // of them, that were measured
	Now        *profile.Column
	FormerRows int64
	Former     *profile.Column // nil: unknown
	Moved      *profile.Move   // the share that moved furthest; nil: none, or unknown
	Beyond     bool            // something moved further than real editions do
	Filled     []Fill          // in the loads of Recent
}

// Fill is how many of the rows of a table have a value in a column; no rows: it was not measured.
type Fill struct{ Rows, Filled int64 }

// QualityOf returns what was measured of a load of a source; 0: the one in service, which may be none: then Load is empty. The error is
// registry.ErrNoLoad if the load is none of Loads.
func QualityOf(ctx context.Context, s *snapshot.Snapshot, source string, load int64) (*Quality, error) {
	served, err := Served(ctx, s, source)
	if err != nil {
		return nil, err
	}
	if load == 0 {
		load = s.LoadOf(source)
	}
	q := &Quality{}
	refused, err := Failed(ctx, s)
	if err != nil {
		return nil, err
	}
	for i := range refused {
		if l := &refused[i]; l.Source == source && l.State == registry.LoadRefused {
			q.Loads = append(q.Loads, *l)
		}
	}
	for i := range served {
		l := &served[i]
		if !slices.ContainsFunc(q.Loads, func(o registry.Load) bool { return o.Edition == l.Edition }) { // or it was linked anew since
			q.Loads = append(q.Loads, *l)
		}
	}
	at := slices.IndexFunc(q.Loads, func(l registry.Load) bool { return l.ID == load })
	switch {
	case at < 0 && load == 0:
		return q, nil
	case at < 0:
		return nil, fmt.Errorf("load %d of %s: %w", load, source, registry.ErrNoLoad)
	}
	q.Load = q.Loads[at]
	measured, err := s.Internals().Records().Measure(ctx, course(&q.Load, served))
	if err != nil {
		return nil, err
	}
	q.compare(measured)
	return q, nil
}

// course returns a load and those before it, newest first: each the one that the next was compared with or, where none was, the one in
// service before. Loads that were taken out of service are passed over, and such that were linked anew since.
func course(l *registry.Load, served []registry.Load) []registry.Load {
	all := []registry.Load{*l}
	for len(all) < RecentLoads {
		next := slices.IndexFunc(served, func(o registry.Load) bool { return o.ID == l.Former || l.Former == 0 && o.ID < l.ID })
		if next < 0 {
			break
		}
		if l = &served[next]; l.Invented != all[0].Invented {
			break
		}
		if l.Edition != all[len(all)-1].Edition {
			all = append(all, *l)
		}
	}
	return all
}

// compare sets the columns. loads begins with the load itself, followed by those before it.
func (q *Quality) compare(loads []registry.MeasuredLoad) {
	now := &loads[0]
	if now.Tables == nil {
		return
	}
	var former *registry.MeasuredLoad
	var jumps []profile.Jump
	if len(loads) > 1 && loads[1].Tables != nil {
		former, q.Former = &loads[1], &loads[1].Load
		jumps = registry.Jumps(former, now)
	}
	loads = slices.DeleteFunc(slices.Clone(loads), func(m registry.MeasuredLoad) bool { return m.Tables == nil })
	slices.Reverse(loads)
	for i := range loads {
		q.Recent = append(q.Recent, loads[i].Load)
	}
	declared := profile.Columns(q.Load.Source)
	for i := range now.Tables {
		t := &now.Tables[i]
		for _, d := range declared[t.Name] {
			c := ColumnQuality{Declaration: d, Table: t.Name, Read: rowsRead(&q.Load, t), Rows: t.Rows, Now: t.Column(d.Name)}
			if c.Now == nil {
				continue
			}
			if former != nil {
				c.setFormer(t, profile.Find(former.Tables, t.Name))
			}
			c.Beyond = slices.ContainsFunc(jumps, func(j profile.Jump) bool { return j.Table == t.Name && j.Column == d.Name })
			for i := range loads {
				c.Filled = append(c.Filled, filled(profile.Find(loads[i].Tables, t.Name), d.Name))
			}
			q.Columns = append(q.Columns, c)
		}
	}
}

// rowsRead returns how many rows of a table a load has read: of a source those of all its files, of a table of codes those that were measured.
func rowsRead(l *registry.Load, t *profile.Table) int64 {
	if n, ok := l.Counts.Marked[t.Name]; ok {
		return n
	}
	if l.Source == registry.Receita {
		return t.Rows
	}
	return l.RowsRead
}

// setFormer sets what the former load had; former is its table, nil if it had none.
func (c *ColumnQuality) setFormer(now, former *profile.Table) {
	if former == nil {
		return
	}
	c.FormerRows, c.Former = former.Rows, former.Column(c.Name)
	if moved, ok := profile.Furthest(former, now, &c.Declaration); ok {
		c.Moved = &moved
	}
}

func filled(t *profile.Table, column string) Fill {
	if t == nil || t.Column(column) == nil {
		return Fill{}
	}
	return Fill{t.Rows, t.Column(column).Filled}
}
