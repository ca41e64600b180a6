package reference

import (
	"context"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/glossary"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/loads"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

// SourceState is a source with its load in service.
type SourceState struct {
	source.Source
	Load   *registry.Load // nil: none in service, or it could not be read
	Failed bool           // it could not be read
	Stale  bool           // older than the source's publication rhythm allows
}

// Path returns the path of the source's page.
func (s *SourceState) Path() string { return "/fontes/" + s.ID }

// Period returns the formatted period of the load, which must not be nil.
func (s *SourceState) Period() string { return ptbr.Period(s.Load.Period) }

// Records returns the number of records in the load, which must not be nil.
func (s *SourceState) Records() int64 { return s.Load.Kept() }

// Coverage returns the formatted day since when the source has records, "" if unknown. The load
// must not be nil.
func (s *SourceState) Coverage() string { return ptbr.PublishedDay(s.Load.CoverageStart) }

// all returns the company registry, then the sources of public records.
func all() []source.Source { return append([]source.Source{source.CompanyRegistry()}, source.All()...) }

// SourcePaths returns the paths of all source pages, for the sitemap.
func SourcePaths() []string {
	var paths []string
	for _, src := range all() {
		paths = append(paths, (&SourceState{Source: src}).Path())
	}
	return paths
}

// States returns the company registry and every source, each with its load in service. If a load cannot be
// read, its state is Failed and the error is logged.
func (hs *Handlers) States(ctx context.Context, snap *snapshot.Snapshot) []SourceState {
	var states []SourceState
	for _, src := range all() {
		state, err := hs.state(ctx, snap, src)
		web.EventOf(ctx).Fail(err) // logged, and keeps the page out of caches
		states = append(states, state)
	}
	return states
}

// state returns a source with its load in service. On error the state is Failed.
func (hs *Handlers) state(ctx context.Context, snap *snapshot.Snapshot, src source.Source) (SourceState, error) {
	load, ok, err := loads.Of(ctx, snap, src.ID)
	switch {
	case err != nil:
		return SourceState{Source: src, Failed: true}, err
	case !ok:
		return SourceState{Source: src}, nil
	}
	stale := src.Stale(load.Period, hs.now())
	return SourceState{Source: src, Load: &load, Stale: stale != nil && *stale}, nil
}

// sourcesPage lists the sources.
type sourcesPage struct {
	page.Frame
	Sources []SourceState
}

// sources answers /fontes.
func (hs *Handlers) sources(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	p := &sourcesPage{Sources: hs.States(c.Request.Context(), snap)}
	p.Crumbs = page.Trail("Fontes")
	p.Title = "Situação das fontes"
	p.Description = "De onde vêm os dados do Razão: o cadastro do CNPJ e quatorze fontes de registros públicos, com o período, a data da carga e o número de " +
		"registros de cada uma."
	p.Canonical = "/fontes"
	return page.Reply{Page: p}, nil
}

// sourcePage shows a source: provenance, load in service, fields, rejected rows, past loads.
type sourcePage struct {
	page.Frame
	SourceState
	Provenance record.Provenance // of the load, or as declared for the source if there is none
	Tables     []dictionaryTable
	Terms      []glossary.Entry
	History    record.SourceHistory
	Uncounted  bool // the rejected rows could not be counted

	loads []registry.Load // those of History.Cargas
}

// PeriodWord explains the kind of period of the source.
func (p *sourcePage) PeriodWord() string {
	return map[string]string{
		"mes": "um mês", "trimestre": "um trimestre, dito pelo último mês", "dia": "um dia", "edicao": "uma edição, dita pelo dia", "versao": "uma versão, com o rótulo de quem publica",
	}[p.PeriodKind]
}

// Became returns the state of a past load in words.
func (*sourcePage) Became(l record.PastLoad) string { return became(&l) }

func became(l *record.PastLoad) string {
	words := strings.ReplaceAll(l.Situacao, "_", " ")
	if l.VinculosRefeitos == record.Yes {
		words += ", vínculos refeitos"
	}
	if l.Forcada == record.Yes {
		words += ", publicada apesar das verificações"
	}
	return words
}

// stored returns the number of rejected rows that were stored for inspection; the counts by column are over
// these.
func stored(h *record.SourceHistory) (n int64) {
	for _, r := range h.Rejeitadas {
		n += r.Linhas
	}
	return n
}

// source answers /fontes/{fonte}. A failure to read load or history is a 503, since an empty
// history would be a false statement; only the counts of rejected rows may be missing.
func (hs *Handlers) source(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	id := c.Param("fonte")
	i := slices.IndexFunc(all(), func(s source.Source) bool { return s.ID == id })
	if i < 0 {
		return page.Reply{}, page.ErrUnknownPath
	}
	src, ctx := all()[i], c.Request.Context()
	state, err := hs.state(ctx, snap, src)
	if err != nil {
		return page.Reply{}, err
	}
	served, err := loads.Served(ctx, snap, id)
	if err != nil {
		return page.Reply{}, err
	}
	p := &sourcePage{SourceState: state, Terms: glossary.Of(id), Tables: tablesOf(&src)}
	p.Crumbs = page.Trail("Fontes", "/fontes", src.Title)
	p.Provenance = record.Provenance{Orgao: src.Orgao, Conjunto: src.Conjunto, URL: src.URL, Licenca: src.Licenca, Atribuicao: src.Atribuicao}
	p.loads = served
	for i := range served {
		p.History.Cargas = append(p.History.Cargas, loads.Past(snap, &served[i]))
	}
	if l := state.Load; l != nil {
		p.Provenance, p.History.DeixadasDeFora = l.Provenance, loads.LeftOut(l)
		if l.RowsRejected > 0 {
			rejected, err := loads.Rejected(ctx, snap, l.ID)
			web.EventOf(ctx).Fail(err) // logged, and keeps the page out of caches
			p.History.Rejeitadas, p.Uncounted = rejected[l.ID], err != nil
		}
	}
	p.Title = src.Title + ": fonte, período e cargas"
	p.Description = "De onde vêm os dados, o período da carga em uso, as cargas anteriores, os arquivos lidos e o que ficou de fora: " + src.Title + "."
	p.Canonical = p.Path()
	return page.Reply{Page: p}, nil
}

// tablesOf returns the dictionary tables of a source: one, or four for the company registry.
func tablesOf(src *source.Source) []dictionaryTable {
	if src.ID != registry.Receita {
		return []dictionaryTable{sourceOf(src)}
	}
	return dictionaryGroups()[0].Tables
}
