package assistant

import (
	"context"
	"errors"

	"razao/internal/data/glossary"
	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/store/loads"
	"razao/internal/store/snapshot"
)

// SourcesQuery asks for the catalogue of sources. It has no arguments.
type SourcesQuery struct{}

// SourceEntry is a source of the catalogue with its load in service. The fields from Competencia on
// are nil if there is no load or it could not be read.
type SourceEntry struct {
	ID              string  `json:"id"`
	Tema            string  `json:"tema"`
	Titulo          string  `json:"titulo"`
	Descricao       string  `json:"descricao"`
	Orgao           string  `json:"orgao"`
	Licenca         string  `json:"licenca"`
	TipoPeriodo     string  `json:"tipo_periodo"`
	Disponibilidade string  `json:"disponibilidade"`
	Competencia     *string `json:"competencia"`
	CarregadaEm     *string `json:"carregada_em"`
	CoberturaInicio *string `json:"cobertura_inicio"`
	Desatualizada   *bool   `json:"desatualizada"`
	Total           *int64  `json:"total" jsonschema:"registros da carga"`
}

// Unpublished is something that people ask for and none of the sources publishes.
type Unpublished struct {
	Termo     string `json:"termo"`
	Texto     string `json:"texto"`
	Evidencia string `json:"evidencia"`
}

// SourcesAnswer is the catalogue of sources.
type SourcesAnswer struct {
	Origin
	Fontes       []SourceEntry `json:"fontes"`
	NaoPublicado []Unpublished `json:"nao_publicado" jsonschema:"nenhuma ferramenta o responde"`

	troubles error
}

// Trouble returns the errors of loads that could not be read, nil if there are none.
func (r *SourcesAnswer) Trouble() error { return r.troubles }

// Sources returns every source of public records with its load in service.
func (a *Assistant) Sources(ctx context.Context, _ SourcesQuery) (*SourcesAnswer, error) {
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	answer := &SourcesAnswer{Origin: a.origin(snap, "/")}
	for _, src := range source.All() {
		entry, err := a.entry(ctx, snap, &src)
		answer.troubles = errors.Join(answer.troubles, err)
		answer.Fontes = append(answer.Fontes, entry)
	}
	for _, e := range glossary.Unpublished() {
		answer.NaoPublicado = append(answer.NaoPublicado, Unpublished{e.Term, e.About, e.Origin.Text})
	}
	return answer, nil
}

// entry returns a source with its load in service. If the load cannot be read, the entry has the
// availability "erro" and is returned together with the error.
func (a *Assistant) entry(ctx context.Context, snap *snapshot.Snapshot, src *source.Source) (SourceEntry, error) {
	e := SourceEntry{
		ID: src.ID, Tema: src.Theme, Titulo: src.Title, Descricao: src.Description, Orgao: src.Orgao, Licenca: src.Licenca,
		TipoPeriodo: src.PeriodKind, Disponibilidade: "disponivel",
	}
	l, ok, err := loads.Of(ctx, snap, src.ID)
	switch {
	case err != nil:
		e.Disponibilidade = "erro"
		return e, err
	case !ok:
		e.Disponibilidade = "indisponivel"
		return e, nil
	}
	e.Competencia, e.CarregadaEm, e.CoberturaInicio = optional(l.Period), moment(l.FinishedAt), optional(l.CoverageStart)
	e.Desatualizada, e.Total = src.Stale(l.Period, a.now()), &l.Counts.Records
	return e, nil
}

// Text lists the sources.
func (r *SourcesAnswer) Text() string {
	var t text
	t.line("Cadastro da Receita Federal e %d fontes de registros públicos:", len(r.Fontes))
	for i := range r.Fontes {
		e := &r.Fontes[i]
		state := e.Disponibilidade
		if e.Total != nil {
			state = ptbr.Join(", ", ptbr.Count(*e.Total)+" registros", "competência "+orEmpty(e.Competencia))
		}
		t.line("- %s (%s): %s. %s", e.Titulo, e.ID, state, e.Descricao)
	}
	t.line("Nenhuma destas fontes publica:")
	for _, u := range r.NaoPublicado {
		t.line("- %s: %s", u.Termo, u.Texto)
	}
	t.line(notCertificate)
	t.origin(&r.Origin)
	return t.String()
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
