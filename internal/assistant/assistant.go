// Package assistant answers the questions that an assistant asks for a person: typed questions, typed answers with the field
// names and figures of the API, and for each answer a short text in Portuguese. Summaries come first, collections in pages with
// a cursor, and every answer says which source, which period and which snapshot it is from, and where a person can read it.
//
// It knows no protocol. Questions that cannot be answered as they were put are refused with a *Refusal, whose text says how
// to ask right; any other error is trouble of ours, and never means that nothing is known.
package assistant

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"razao/internal/cnpj"
	"razao/internal/criteria"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/render"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

// Config are the parts of the program that an Assistant asks.
type Config struct {
	Live *snapshot.Live
	// BaseURL is the public address, with which links to pages begin.
	BaseURL string
	// Now tells the time, by which a load of public records is old; nil: the real time.
	Now func() time.Time
}

// Assistant answers questions from the snapshot in service. It is made by New and safe for concurrent use.
type Assistant struct {
	live     *snapshot.Live
	atlas    *territory.Atlas
	baseURL  string
	now      func() time.Time
	criteria func() (*criteria.Reader, error) // of the filters of a search
}

// New returns an assistant.
func New(c Config) *Assistant {
	a := &Assistant{live: c.Live, atlas: c.Live.Atlas(), baseURL: strings.TrimSuffix(c.BaseURL, "/"), now: c.Now}
	a.criteria = sync.OnceValues(func() (*criteria.Reader, error) { return criteria.NewReader(a.atlas) })
	if a.now == nil {
		a.now = time.Now
	}
	return a
}

// Origin says where the figures of an answer come from.
type Origin struct {
	Fonte       string  `json:"fonte" jsonschema:"fonte dos dados: receita (cadastro da Receita Federal) ou o identificador de uma fonte de registros públicos"`
	Competencia *string `json:"competencia" jsonschema:"período da carga da fonte"`
	Fotografia  string  `json:"fotografia" jsonschema:"identificador do conjunto de cargas que respondeu"`
	URL         string  `json:"url" jsonschema:"página em que uma pessoa pode conferir"`
}

// appendOrigin appends the fields of o without braces. It is no method, because answers that embed an Origin would have it.
func appendOrigin(dst []byte, o *Origin) []byte {
	dst = render.AppendText(dst, `"fonte":`, o.Fonte)
	dst = render.AppendTextOrNull(dst, `,"competencia":`, orEmpty(o.Competencia))
	dst = render.AppendText(dst, `,"fotografia":`, o.Fotografia)
	return render.AppendText(dst, `,"url":`, o.URL)
}

// origin is that of the tax authority's records; path is that of a page.
func (a *Assistant) origin(snap *snapshot.Snapshot, path string) Origin {
	return Origin{
		Fonte: registry.Receita, Competencia: optional(snap.Load.Period),
		Fotografia: snap.Fotografia(), URL: a.baseURL + path,
	}
}

// origin says where the figures of a text come from.
func (t *text) origin(o *Origin) {
	period := "período desconhecido"
	if o.Competencia != nil {
		period = "competência " + *o.Competencia
	}
	t.line("Fonte: %s, %s, fotografia %s. Página: %s", o.Fonte, period, o.Fotografia, o.URL)
}

// address is that of the page of an establishment.
func (a *Assistant) address(number cnpj.Full) string { return a.baseURL + "/" + number.String() }

// acquire returns the snapshot in service; the caller must release it.
func (a *Assistant) acquire() (*snapshot.Snapshot, error) {
	snap, err := a.live.Acquire()
	if err != nil {
		return nil, fmt.Errorf("current snapshot: %w", err)
	}
	return snap, nil
}

// document is what a question is about: a company or one establishment of it.
type document struct {
	registry.Document
	text string // normalized, 8 or 14 positions
}

// parseDocument reads 8 or 14 positions, masked or not.
func parseDocument(given string) (document, error) {
	number := cnpj.Unmask(given)
	switch len(number) {
	case 0:
		return document{}, refuse(Malformed, "Informe o argumento cnpj: 8 posições da empresa ou 14 do estabelecimento.")
	case 8:
		root, err := cnpj.ParseRoot(number)
		if err != nil {
			break
		}
		return document{registry.Document{Root: root}, root.String()}, nil
	case 14:
		full, err := cnpj.ParseFull(number)
		if err != nil {
			return document{}, wrongDigits()
		}
		order := full.Order()
		return document{registry.Document{Root: full.Root(), Order: &order}, full.String()}, nil
	}
	return document{}, refuse(Malformed, "CNPJ inválido: envie as 8 posições da empresa ou as 14 do estabelecimento, letras e "+
		"algarismos, com ou sem pontuação. Se só souber o nome, use buscar_empresas.")
}

func wrongDigits() error {
	return refuse(Malformed, "CNPJ inválido: os dígitos verificadores (as duas últimas posições) não conferem. Confira o número com "+
		"quem o informou; para ver a empresa inteira envie só as 8 primeiras posições, ou procure pelo nome com buscar_empresas.")
}

// isEstablishment reports whether one establishment is asked about.
func (d *document) isEstablishment() bool { return d.Order != nil }

// company reads the company that a document is of.
func company(ctx context.Context, snap *snapshot.Snapshot, d document) (*pack.Head, error) {
	h, err := snap.Company(ctx, d.Root)
	if err != nil {
		return nil, missing(d, err)
	}
	return &h, nil
}

// existing is company, and refuses an establishment that the company does not have.
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

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
