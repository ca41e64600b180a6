package registry

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/profile"
)

// MeasuredLoad is a load with what was measured of its columns.
type MeasuredLoad struct {
	Load
	Tables []profile.Table // nil: nothing was, as by versions that did not
}

// Jumps returns what moved further between two loads of a source than real editions move, but for tables of which either
// load lacks a file.
func Jumps(before, after *MeasuredLoad) (all []profile.Jump) {
	columns, isSource := profile.Columns(after.Source), after.Source != Receita
	for i := range after.Tables {
		now := &after.Tables[i]
		former := profile.Find(before.Tables, now.Name)
		if former != nil && after.Missing(now.Name) == nil && before.Missing(now.Name) == nil {
			all = append(all, profile.Compare(former, now, columns[now.Name], profile.Months(before.Period, after.Period), isSource)...)
		}
	}
	return all
}

// KeepProfile stores what was measured of the columns of a load, in whatever state it ends.
func (s *Store) KeepProfile(ctx context.Context, load int64, tables []profile.Table) error {
	if _, err := s.pool.Exec(ctx, `INSERT INTO load_profile (load_id, tables) VALUES ($1, $2)`, load, tables); err != nil {
		return fmt.Errorf("profile of load %d: %w", load, err)
	}
	return nil
}

// Measure returns loads with what was measured of their columns.
func (s *Store) Measure(ctx context.Context, loads []Load) ([]MeasuredLoad, error) {
	type found struct {
		ID     int64
		Tables []profile.Table
	}
	var ids []int64
	for i := range loads {
		ids = append(ids, loads[i].ID)
	}
	all, err := collect(ctx, s.pool, pgx.RowToStructByPos[found], `SELECT load_id, tables FROM load_profile WHERE load_id = ANY($1)`, ids)
	if err != nil {
		return nil, fmt.Errorf("profiles of loads %v: %w", ids, err)
	}
	tables := map[int64][]profile.Table{}
	for _, f := range all {
		tables[f.ID] = f.Tables
	}
	measured := make([]MeasuredLoad, len(loads))
	for i := range loads {
		measured[i] = MeasuredLoad{loads[i], tables[loads[i].ID]}
	}
	return measured, nil
}

// Measure is that of the store, which no snapshot bounds.
func (v *View) Measure(ctx context.Context, loads []Load) ([]MeasuredLoad, error) {
	return v.store.Measure(ctx, loads)
}
