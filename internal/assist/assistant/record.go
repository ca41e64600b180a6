package assistant

import (
	"bytes"
	"encoding/json"
	"fmt"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
)

// Answers embed the rows of package record. Their JSON comes from package render, so it equals that
// of the API.

// appender is a value that appends its own JSON.
type appender interface{ appendTo(dst []byte) []byte }

// CompanyRecord is a row of Empresas with partners and Simples. Its JSON is one object.
type CompanyRecord struct {
	record.Company
	CompanyLists

	root cnpj.Root
	codes
}

// CompanyLists holds the members of a [CompanyRecord] that are not columns of Empresas. It is a
// type of its own for the schema.
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

// Item is a record of a source, with the fields of the source.
type Item struct{ pack.Item }

// MarshalJSON implements json.Marshaler.
func (i Item) MarshalJSON() ([]byte, error) { return render.AppendItem(nil, &i.Item), nil }

// Amount is an amount in cents. Its JSON is a number of reais with two decimals, or null if absent.
type Amount record.Cents

// MarshalJSON implements json.Marshaler.
func (a Amount) MarshalJSON() ([]byte, error) {
	return render.AppendCents(nil, "", record.Cents(a)), nil
}

// Date is a calendar day. Its JSON is "AAAA-MM-DD", or null if absent.
type Date struct{ record.Date }

// MarshalJSON implements json.Marshaler.
func (d Date) MarshalJSON() ([]byte, error) { return render.AppendDate(nil, "", d.Date), nil }

// Encode encodes an answer as JSON without HTML escaping.
func Encode(answer any) (json.RawMessage, error) {
	if a, ok := answer.(appender); ok {
		const usualSize = 8 << 10 // of a company: grown from nothing it would be copied ten times
		return a.appendTo(make([]byte, 0, usualSize)), nil
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return nil, fmt.Errorf("encode an answer: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// codes describes the codes of a load.
type codes struct {
	*render.Renderer
	domains record.Domains
	atlas   *territory.Atlas
}

// City formats a place as Campinas/SP, with IBGE's name of the municipality if it is known.
func (c codes) City(municipio, uf string) string {
	name := ptbr.Street(c.label(record.DomainMunicipio, municipio))
	if m, ok := c.atlas.ByRFB(municipio); ok {
		name = m.Name
	}
	return ptbr.Join("/", name, uf)
}

// Describe returns the description of a code, nil if the code is unknown or empty.
func (c codes) Describe(kind record.Domain, code string) *string {
	text, ok := c.domains.Describe(kind, code)
	if !ok {
		return nil
	}
	return &text
}

// label returns the words for a code in a text; see orCode.
func (c codes) label(kind record.Domain, code string) string {
	return orCode(c.Describe(kind, code), code)
}

// reader converts records of one snapshot to answers.
type reader struct {
	*Assistant
	snap *snapshot.Snapshot
	codes
}

// read returns a reader of snap. The caller keeps the snapshot acquired while it uses the reader.
func (a *Assistant) read(snap *snapshot.Snapshot) *reader {
	return &reader{a, snap, codes{render.Of(snap), snap.Domains, a.atlas}}
}

// simplesOf returns a company's row of Simples, nil if it has none.
func simplesOf(h *pack.Head) *Simples {
	if !h.HasSimples {
		return nil
	}
	return &Simples{h.Simples}
}
