package assistant

import (
	"context"
	"strings"

	"razao/internal/data/ptbr"
	"razao/internal/store/registry"
)

// Find and Fetch implement the pair of tools, search and fetch, that research assistants expect of
// any document source: find documents, then read one as a whole. Their shapes are prescribed, hence
// the English names.

// FindQuery asks for documents that match a query.
type FindQuery struct {
	Query string `json:"query" jsonschema:"nome de empresa ou de sócio, ou CNPJ"`
}

// Found is a document of a [FindAnswer].
type Found struct {
	ID    string `json:"id" jsonschema:"CNPJ, 14 posições: o id que fetch recebe"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// FindAnswer lists documents, best first; Results is never nil.
type FindAnswer struct {
	Results []Found `json:"results"`
}

// FetchQuery asks for the text of a document.
type FetchQuery struct {
	ID string `json:"id" jsonschema:"id de um resultado de search: um CNPJ"`
}

// FetchAnswer is a document: the text of a [RecordAnswer].
type FetchAnswer struct {
	ID       string            `json:"id"`
	Title    string            `json:"title"`
	Text     string            `json:"text"`
	URL      string            `json:"url"`
	Metadata map[string]string `json:"metadata"`

	troubles error
}

// Trouble returns why sources could not be read, nil if all could.
func (r *FetchAnswer) Trouble() error { return r.troubles }

// Find searches companies with default settings and returns the first page.
func (a *Assistant) Find(ctx context.Context, q FindQuery) (*FindAnswer, error) {
	if strings.TrimSpace(q.Query) == "" {
		return nil, refuse(Malformed, "Informe o argumento query com um nome de empresa ou de sócio, ou um CNPJ.")
	}
	found, err := a.Search(ctx, SearchQuery{Consulta: q.Query})
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

// Fetch returns the record of a company or establishment as a text.
func (a *Assistant) Fetch(ctx context.Context, q FetchQuery) (*FetchAnswer, error) {
	if strings.TrimSpace(q.ID) == "" {
		return nil, refuse(Malformed, "Informe o argumento id com o id de um resultado de search, que é um CNPJ.")
	}
	record, err := a.Record(ctx, RecordQuery{CNPJ: q.ID})
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
