package assistant

import (
	"context"
	"strings"

	"razao/internal/ptbr"
	"razao/internal/registry"
)

// The pair of questions that research assistants ask of any source of documents: what is there about some words, and the
// whole text of one of the results.

// FindQuestion asks for documents about some words.
type FindQuestion struct {
	Query string `json:"query" jsonschema:"nome de empresa ou de sócio, ou CNPJ"`
}

// Found is one document.
type Found struct {
	ID    string `json:"id" jsonschema:"CNPJ, 14 posições: o id que fetch recebe"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// FindAnswer holds documents, best first.
type FindAnswer struct {
	Results []Found `json:"results"`
}

// FetchQuestion asks for the text of a document.
type FetchQuestion struct {
	ID string `json:"id" jsonschema:"id de um resultado de search: um CNPJ"`
}

// FetchAnswer is a document.
type FetchAnswer struct {
	ID       string            `json:"id"`
	Title    string            `json:"title"`
	Text     string            `json:"text"`
	URL      string            `json:"url"`
	Metadata map[string]string `json:"metadata"`

	troubles error
}

// Trouble returns why sources could not answer, for the log; nil when all did.
func (r *FetchAnswer) Trouble() error { return r.troubles }

// Find answers with establishments.
func (a *Assistant) Find(ctx context.Context, q FindQuestion) (*FindAnswer, error) {
	if strings.TrimSpace(q.Query) == "" {
		return nil, refuse(Malformed, "Informe o argumento query com um nome de empresa ou de sócio, ou um CNPJ.")
	}
	found, err := a.Search(ctx, SearchQuestion{Consulta: q.Query})
	if err != nil {
		return nil, err
	}
	answer := &FindAnswer{Results: []Found{}}
	for i := range found.Itens {
		e := &found.Itens[i]
		title := ptbr.Join(", ", e.name, orCode(e.Descricoes.SituacaoCadastral, e.SituacaoCadastral), e.city)
		answer.Results = append(answer.Results, Found{ID: e.CNPJ, Title: title, URL: e.URL})
	}
	return answer, nil
}

// Fetch answers with the record of a company as a text.
func (a *Assistant) Fetch(ctx context.Context, q FetchQuestion) (*FetchAnswer, error) {
	if strings.TrimSpace(q.ID) == "" {
		return nil, refuse(Malformed, "Informe o argumento id com o id de um resultado de search, que é um CNPJ.")
	}
	record, err := a.Record(ctx, RecordQuestion{CNPJ: q.ID})
	if err != nil {
		return nil, err
	}
	return &FetchAnswer{
		ID: record.Documento, Title: record.name, Text: record.Text(), URL: record.URL,
		Metadata: map[string]string{
			"fonte": registry.Receita, "competencia": orEmpty(record.Competencia), "fotografia": record.Fotografia,
			"disponibilidade": record.Disponibilidade,
		},
		troubles: record.troubles,
	}, nil
}
