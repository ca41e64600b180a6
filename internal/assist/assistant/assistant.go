// Package assistant answers the questions of AI assistants and messengers about companies. It knows
// no protocol: package mcp and package messenger call it.
//
// A query is a struct whose tags (json, jsonschema, enum, minimum, maximum) also define the MCP
// tool's arguments. An answer is a struct with the field names and values of the API; most have a
// method Text, a short version in Portuguese for models and people. Answers summarize; collections
// come in pages with a cursor (cursor.go). Answers embed [Origin]: source, period, snapshot and the
// page where a person can check them. [FindAnswer] and [FetchAnswer] have the shape that research
// assistants expect instead.
//
// Every query runs on one snapshot. Arguments are validated here. A query that cannot be
// answered as asked is a *[Refusal], whose text tells the model how to correct it; any other error
// is a failure of ours and never means "no records". A source that cannot be read does not fail an
// answer: it gets the status erro or indisponivel, and the cause is available from the method
// Trouble, for the log.
package assistant

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
)

// Config holds the dependencies of an [Assistant]. Live is required.
type Config struct {
	Live *snapshot.Live
	// BaseURL is the public URL, the prefix of links to pages. A trailing slash is dropped.
	BaseURL string
	// Now decides whether a load of public records is stale; nil: time.Now.
	Now func() time.Time
}

// Assistant answers queries from the snapshot in service. Create it with [New]. It is safe for
// concurrent use.
type Assistant struct {
	live    *snapshot.Live
	atlas   *territory.Atlas
	baseURL string
	now     func() time.Time
}

// New returns an assistant.
func New(c Config) *Assistant {
	a := &Assistant{live: c.Live, atlas: c.Live.Atlas(), baseURL: strings.TrimSuffix(c.BaseURL, "/"), now: c.Now}
	if a.now == nil {
		a.now = time.Now
	}
	return a
}

// Origin is the provenance of an answer's data.
type Origin struct {
	Fonte       string  `json:"fonte" jsonschema:"receita ou id de fonte"`
	Competencia *string `json:"competencia" jsonschema:"período"`
	Fotografia  string  `json:"fotografia" jsonschema:"cargas lidas"`
	URL         string  `json:"url" jsonschema:"para conferir"`
	Lacunas     string  `json:"lacunas,omitempty"` // what the load lacks, in words; disponibilidade describes it
}

// appendOrigin appends the fields of o without braces. It is not a method, because answers that
// embed Origin would be promoted to appenders.
func appendOrigin(dst []byte, o *Origin) []byte {
	dst = render.AppendText(dst, `"fonte":`, o.Fonte)
	dst = render.AppendTextOrNull(dst, `,"competencia":`, orEmpty(o.Competencia))
	dst = render.AppendText(dst, `,"fotografia":`, o.Fotografia)
	dst = render.AppendText(dst, `,"url":`, o.URL)
	if o.Lacunas != "" {
		dst = render.AppendText(dst, `,"lacunas":`, o.Lacunas)
	}
	return dst
}

// origin returns the Origin of data from the Receita load; path is that of the page to check.
func (a *Assistant) origin(snap *snapshot.Snapshot, path string) Origin {
	return Origin{
		Fonte: registry.Receita, Competencia: optional(snap.Load.Period),
		Fotografia: strconv.FormatInt(snap.ID(), 10), URL: a.baseURL + path, Lacunas: ptbr.Lacking(snap.Load.Period, snap.Load.Gap()),
	}
}

// origin writes the Origin as the last line of a text.
func (t *text) origin(o *Origin) {
	period := "período desconhecido"
	if o.Competencia != nil {
		period = "competência " + *o.Competencia
	}
	if o.Lacunas != "" {
		t.line("%s", o.Lacunas)
	}
	t.line("Fonte: %s, %s, fotografia %s. Página: %s", o.Fonte, period, o.Fotografia, o.URL)
}

// address returns the URL of an establishment's page.
func (a *Assistant) address(number cnpj.Full) string { return a.baseURL + "/" + number.String() }

// acquire returns the snapshot in service, which the caller must release.
func (a *Assistant) acquire() (*snapshot.Snapshot, error) {
	snap, err := a.live.Acquire()
	if err != nil {
		return nil, fmt.Errorf("current snapshot: %w", err)
	}
	return snap, nil
}

// document is the subject of a query: a company or one of its establishments.
type document struct {
	registry.Document
	text string // 8 or 14 positions, unmasked
}

// parseDocument parses a root of 8 positions or a CNPJ of 14, masked or not. The error is a
// *Refusal.
func parseDocument(given string) (document, error) {
	number := cnpj.Unmask(given)
	switch len(number) {
	case 0:
		return document{}, refuse(Malformed, "Informe o argumento cnpj: 8 posições da empresa ou 14 do estabelecimento.")
	case 8, 14:
		d, err := registry.ParseDocument(number)
		if err == nil {
			return document{d, number}, nil
		}
		if len(number) == 14 {
			return document{}, wrongDigits()
		}
	}
	return document{}, refuse(Malformed, "CNPJ inválido: envie as 8 posições da empresa ou as 14 do estabelecimento, letras e "+
		"algarismos, com ou sem pontuação. Se só souber o nome, use buscar_empresas.")
}

func wrongDigits() error {
	return refuse(Malformed, "CNPJ inválido: os dígitos verificadores (as duas últimas posições) não conferem. Confira o número com "+
		"quem o informou; para ver a empresa inteira envie só as 8 primeiras posições, ou procure pelo nome com buscar_empresas.")
}

// isEstablishment reports whether the document is an establishment rather than a company.
func (d *document) isEstablishment() bool { return d.Order != nil }

// company reads the company of a document. It is a *Refusal of kind Unknown if the load does not
// have it.
func company(ctx context.Context, snap *snapshot.Snapshot, d document) (*pack.Head, error) {
	h, err := snap.Company(ctx, d.Root)
	if err != nil {
		return nil, missing(d, err)
	}
	return &h, nil
}

// existing is company, but also refuses an establishment that the company does not have.
func existing(ctx context.Context, snap *snapshot.Snapshot, d document) (*pack.Head, error) {
	h, err := company(ctx, snap, d)
	if err != nil || !d.isEstablishment() {
		return h, err
	}
	if _, err := snap.Establishment(ctx, h, *d.Order); err != nil {
		return nil, missing(d, err)
	}
	return h, nil
}

// optional returns nil for "", so that JSON has null.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
