package site

import (
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/store/loads"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/records"
)

// methodologyPage explains how BNDES operations are linked to companies, with the counts of the
// load in service.
type methodologyPage struct {
	page.Frame
	Origin   source.Source
	Failed   bool // the load could not be read
	Loaded   bool // there is a load; the fields below are set
	Period   string
	Coverage string
	LoadedAt *time.Time
	Stale    bool
	Notes    []string
	Methods  []linkCount
	Total    int64
}

// linkCount is a linking method with the number of operations that it linked.
type linkCount struct {
	ID    string // as published by the API
	Text  string
	Count int64
}

// methodology answers /metodologia/bndes.
func (s *Site) methodology(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	const id = "bndes"
	p := &methodologyPage{}
	p.Origin, _ = source.Find(id)
	p.Title = "Metodologia: financiamentos do BNDES"
	p.Description = "Como as operações de financiamento publicadas pelo BNDES são vinculadas a empresas: métodos, limites e contagens da carga em uso."
	p.Canonical = p.Origin.Metodologia
	load, ok, err := loads.Of(c.Request.Context(), snap, id)
	switch {
	case err != nil: // the counts are optional: an error is logged and keeps the page out of caches
		web.EventOf(c.Request.Context()).Fail(err)
		p.Failed = true
	case ok:
		p.setLoad(&load, s.now())
	}
	return page.Reply{Page: p}, nil
}

// setLoad fills the figures of a load; counts by method are in its Marked counts.
func (p *methodologyPage) setLoad(l *registry.Load, now time.Time) {
	p.Loaded = true
	p.Period, p.Coverage, p.LoadedAt = ptbr.Period(l.Period), ptbr.PublishedDay(l.CoverageStart), l.FinishedAt
	p.Notes = l.Provenance.Observacoes
	stale := p.Origin.Stale(l.Period, now)
	p.Stale = stale != nil && *stale
	counts := l.Counts.Marked
	for _, method := range []string{"publicado", "inferido_raiz_no_nome", "inferido_mascara_nome_municipio", "nao_vinculado"} {
		p.Methods = append(p.Methods, linkCount{method, records.LinkMethod(method), counts[method]})
	}
	p.Total = counts["operacoes"]
}
