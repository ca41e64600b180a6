package assistant

import (
	"bytes"
	"encoding/json"
	"fmt"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry/pack"
	"razao/internal/render"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

// The rows of the cadastre that answers hold are those of package record; as JSON they are what the API publishes.

// appender is what appends itself to a body as JSON.
type appender interface{ appendTo(dst []byte) []byte }

// CompanyRecord is a company with its partners and its options.
type CompanyRecord struct {
	record.Company
	CompanyLists

	root cnpj.Root
	codes
}

// CompanyLists are what a CompanyRecord has behind the row of the company.
type CompanyLists struct {
	Socios  Page[Partner] `json:"socios"`
	Simples *Simples      `json:"simples"`
}

func (c CompanyRecord) appendTo(dst []byte) []byte {
	dst = appendPage(append(c.AppendCompany(dst, c.root, &c.Company), `,"socios":`...), &c.Socios)
	if dst = append(dst, `,"simples":`...); c.Simples == nil {
		return append(dst, "null}"...)
	}
	return append(c.Simples.appendTo(dst), '}')
}

// MarshalJSON implements json.Marshaler.
func (c CompanyRecord) MarshalJSON() ([]byte, error) { return c.appendTo(nil), nil }

// Establishment is a row of Estabelecimentos.
type Establishment struct {
	record.Establishment
	codes
}

func (e Establishment) appendTo(dst []byte) []byte {
	return e.AppendEstablishment(dst, &e.Establishment)
}

// MarshalJSON implements json.Marshaler.
func (e Establishment) MarshalJSON() ([]byte, error) { return e.appendTo(nil), nil }

// Partner is a row of Socios. CPFs are masked as published.
type Partner struct {
	record.Partner
	codes
}

func (p Partner) appendTo(dst []byte) []byte { return p.AppendPartner(dst, &p.Partner) }

// MarshalJSON implements json.Marshaler.
func (p Partner) MarshalJSON() ([]byte, error) { return p.appendTo(nil), nil }

// Simples is a row of Simples.
type Simples struct{ record.Simples }

func (s Simples) appendTo(dst []byte) []byte { return render.AppendSimples(dst, &s.Simples) }

// MarshalJSON implements json.Marshaler.
func (s Simples) MarshalJSON() ([]byte, error) { return s.appendTo(nil), nil }

// Item is one record of a source.
type Item struct{ pack.Item }

// MarshalJSON implements json.Marshaler.
func (i Item) MarshalJSON() ([]byte, error) { return render.AppendItem(nil, &i.Item), nil }

// Amount is an amount of reais, exact to the cent; null when none was published.
type Amount record.Cents

// MarshalJSON implements json.Marshaler.
func (a Amount) MarshalJSON() ([]byte, error) {
	return render.AppendCents(nil, "", record.Cents(a)), nil
}

// Date is a calendar day; null when none was published.
type Date struct{ record.Date }

// MarshalJSON implements json.Marshaler.
func (d Date) MarshalJSON() ([]byte, error) { return render.AppendDate(nil, "", d.Date), nil }

// Encode writes an answer as JSON in which names keep their ampersands.
func Encode(answer any) (json.RawMessage, error) {
	if a, ok := answer.(appender); ok {
		return a.appendTo(nil), nil
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return nil, fmt.Errorf("encode an answer: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// codes knows what the codes of a load mean.
type codes struct {
	*render.Renderer
	atlas *territory.Atlas
}

// City writes where something is, Campinas/SP, with the name that IBGE has for the municipality.
func (c codes) City(municipio, uf string) string {
	name := ptbr.Street(c.said(record.DomainMunicipio, municipio))
	if m, ok := c.atlas.ByRFB(municipio); ok {
		name = m.Name
	}
	return ptbr.Join("/", name, uf)
}

// Describe returns what a code means, nil when the code is unknown or empty.
func (c codes) Describe(kind record.Domain, code string) *string {
	text, ok := c.Domains.Describe(kind, code)
	if !ok {
		return nil
	}
	return &text
}

// said is what a text says for a code.
func (c codes) said(kind record.Domain, code string) string {
	return orCode(c.Describe(kind, code), code)
}

// reader turns the records of one snapshot into answers.
type reader struct {
	*Assistant
	snap *snapshot.Snapshot
	codes
}

func (a *Assistant) read(snap *snapshot.Snapshot) *reader {
	return &reader{a, snap, codes{&render.Renderer{Domains: snap.Domains, IBGE: a.atlas.IBGE}, a.atlas}}
}

// simplesOf returns the options of a company, nil when it never opted.
func simplesOf(h *pack.Head) *Simples {
	if !h.HasSimples {
		return nil
	}
	return &Simples{h.Simples}
}
