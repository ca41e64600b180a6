package render

import (
	"cmp"
	"fmt"
	"time"

	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
)

// Exporter writes networks in the formats of others. An export has no more of persons than the JSON of the
// network, and neither time nor id of the request, so that it can be compared and cited.
type Exporter struct {
	load    *registry.Load
	atlas   *territory.Atlas
	domains record.Domains
	baseURL string // of the site; "": no links to it
}

// ExporterOf returns the exporter of networks of a snapshot. baseURL is the origin of the site, "" if it
// has none.
func ExporterOf(s *snapshot.Snapshot, baseURL string) *Exporter {
	return &Exporter{&s.Load, s.Internals().Atlas(), s.Domains, baseURL}
}

// loadedOn returns the day on which the load was completed.
func (x *Exporter) loadedOn() string {
	at := &x.load.StartedAt
	if x.load.FinishedAt != nil {
		at = x.load.FinishedAt
	}
	return at.UTC().Format(time.DateOnly)
}

// cite says which load something is from.
func (x *Exporter) cite() string {
	return fmt.Sprintf("%s, competência %s, carga %d", x.load.Provenance.Conjunto, x.load.Period, x.load.ID)
}

// citeRow says which row of the partners of a company something is from.
func (x *Exporter) citeRow(t *networks.Tie, e *networks.Evidence) string {
	return fmt.Sprintf("%s, tabela Socios, CNPJ %s, linha %d", x.cite(), t.Company, e.Number)
}

// source returns the address of the page of the load, or else of its publisher.
func (x *Exporter) source() string {
	if x.baseURL == "" {
		return x.load.Provenance.URL
	}
	return fmt.Sprintf("%s/fontes/%s/cargas/%d", x.baseURL, registry.Receita, x.load.ID)
}

// page returns the address of the page of a company, "" if there is none.
func (x *Exporter) page(m *record.NetworkMember) string {
	if x.baseURL == "" || m.CNPJ == "" {
		return ""
	}
	return x.baseURL + "/" + m.CNPJ
}

// describe returns the words for a code, or else the code.
func (x *Exporter) describe(d record.Domain, code string) string {
	text, _ := x.domains.Describe(d, code)
	return cmp.Or(text, code)
}

// country returns the country of a head office, or of somebody abroad, and its two letters (ISO 3166-1), "" if it is none today. Both are
// "" if none is published.
func (x *Exporter) country(m *networks.Member) (name, iso string) {
	code := m.Country
	if m.Office != nil {
		if m.Office.UF != territory.Abroad {
			return "Brasil", "BR"
		}
		code = m.Office.Pais
	}
	return x.describe(record.DomainPais, code), x.atlas.Country(code)
}

// address returns city and state of a head office in Brazil; "" of any other member.
func (x *Exporter) address(m *record.NetworkMember) string {
	if m.UF == "" || m.UF == territory.Abroad {
		return ""
	}
	return x.describe(record.DomainMunicipio, m.Municipio) + ", " + m.UF
}

// registered returns the number of a company: the CNPJ of its head office, or else its root.
func registered(m *record.NetworkMember) string { return cmp.Or(m.CNPJ, m.ID) }

// remarks returns what is to be said of a member: the note, if it is somebody who may have namesakes or
// was asked for, his masked CPF, and what the network leaves out there. The CPF is a remark and no identifier:
// programs take equal numbers for one person, and thousands share these six digits.
func remarks(n *networks.Network, m *networks.Member, note string) (remarks []string) {
	if m.Kind != network.Company || m.Distance == 0 {
		remarks = append(remarks, note)
	}
	if m.Kind == network.Person {
		remarks = append(remarks, "CPF mascarado, como publicado: "+record.MaskCPF(m.Digits))
	}
	if homonyms := wording.Homonyms(m); homonyms != "" {
		remarks = append(remarks, homonyms)
	}
	if n.Cut && m.Distance == 0 {
		remarks = append(remarks, "Fora desta rede há mais do que aqui se diz: o trabalho de uma resposta acabou.")
	}
	if n.Gap != "" && m.Distance == 0 {
		remarks = append(remarks, "Fora desta rede pode haver mais: a publicação foi lida sem "+n.Gap+".")
	}
	for _, o := range n.Omitted {
		if o.At == m.Actor {
			remarks = append(remarks, fmt.Sprintf("Fora desta rede, pelos limites dela: %d sócios, %d empresas.", o.Partners, o.Companies))
		}
	}
	return remarks
}
