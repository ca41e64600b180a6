// Package dossier adds up what the sources have of companies: how many records, how much, how many in force today; and puts it together by
// what people ask who check suppliers. It judges nothing: a record may be paid, contested, or of another kind than a reader thinks.
package dossier

import (
	"context"

	"golang.org/x/sync/errgroup"

	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

// Subject is something that is asked about a company, which one or several sources say.
type Subject string

// The subjects.
const (
	Debts       Subject = "dividas"
	Sanctions   Subject = "sancoes"
	Labour      Subject = "trabalho"
	Environment Subject = "ambiente"
	Contracts   Subject = "contratos"
)

// Subjects returns all, in the order of pages.
func Subjects() []Subject { return []Subject{Debts, Sanctions, Labour, Environment, Contracts} }

// sources are those that say something about a subject.
var sources = map[Subject][]string{
	Debts: {"pgfn"}, Sanctions: {"ceis", "cnep"}, Labour: {"mte_empregadores", "mte_ceac"}, Environment: {"ibama_autos", "ibama_embargos"}, Contracts: {"pncp"},
}

// Dossier is what there is of a company, by subject.
type Dossier map[Subject]Figure

// Has reports whether there is something: of sanctions, one in force.
func (d Dossier) Has(s Subject) bool {
	if s == Sanctions {
		return d[s].InForce > 0
	}
	return d[s].Records > 0
}

const readAtOnce = 8 // companies

// Read returns what there is of companies about some subjects, in their order. A source without records of a company costs no statement;
// one that fails is a figure that says so.
func Read(ctx context.Context, s *snapshot.Snapshot, companies []*pack.Head, of ...Subject) []Dossier {
	all := make([]Dossier, len(companies))
	var g errgroup.Group
	g.SetLimit(readAtOnce)
	for i, h := range companies {
		g.Go(func() error {
			all[i] = Dossier{}
			for _, subject := range of {
				figure := Figure{Status: registry.None, Whole: true}
				for _, id := range sources[subject] {
					figure = figure.and(FigureOf(ctx, s, id, h))
				}
				all[i][subject] = figure
			}
			return nil
		})
	}
	_ = g.Wait() // nothing fails
	return all
}

// and returns the figures of two sources as one. What one of them does not say the other cannot.
func (f Figure) and(other Figure) Figure {
	sum := Figure{
		Status: registry.None, Records: f.Records + other.Records, Whole: f.Whole && other.Whole, Cents: f.Cents + other.Cents, InForce: f.InForce + other.InForce, Err: f.Err,
	}
	if sum.Err == nil {
		sum.Err = other.Err
	}
	for _, worst := range []registry.Status{registry.Failed, registry.Unavailable, registry.Found} {
		if f.Status == worst || other.Status == worst {
			sum.Status = worst
			break
		}
	}
	return sum
}
