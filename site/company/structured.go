package company

import (
	"strings"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/wording"
	"razao/site/page"
)

// structuredData is the JSON-LD of the page (schema.org), which templ.JSONScript encodes with <, > and &
// escaped, so published text cannot close the script element. It holds only what the page shows.
type structuredData struct {
	Context string `json:"@context"`
	Graph   []any  `json:"@graph"` // one organization, one breadcrumbList
}

// organization is a schema.org Organization.
type organization struct {
	Type          string         `json:"@type"`
	ID            string         `json:"@id"`
	Page          string         `json:"mainEntityOfPage"`
	Name          string         `json:"name"`
	LegalName     string         `json:"legalName,omitempty"`
	AlternateName string         `json:"alternateName,omitempty"`
	TaxID         string         `json:"taxID"`
	Founded       string         `json:"foundingDate,omitempty"`    // head office only
	Dissolved     string         `json:"dissolutionDate,omitempty"` // head office only
	Address       *postalAddress `json:"address,omitempty"`
	Telephone     []string       `json:"telephone,omitempty"`
	Fax           string         `json:"faxNumber,omitempty"`
	Email         string         `json:"email,omitempty"`
}

// postalAddress is a schema.org PostalAddress.
type postalAddress struct {
	Type       string `json:"@type"`
	Street     string `json:"streetAddress,omitempty"`
	Locality   string `json:"addressLocality,omitempty"`
	Region     string `json:"addressRegion,omitempty"`
	PostalCode string `json:"postalCode,omitempty"`
	Country    string `json:"addressCountry"`
}

// breadcrumbList is a schema.org BreadcrumbList.
type breadcrumbList struct {
	Type  string     `json:"@type"`
	Items []listItem `json:"itemListElement"`
}

// listItem is a schema.org ListItem.
type listItem struct {
	Type     string `json:"@type"`
	Position int    `json:"position"` // from 1
	Name     string `json:"name"`
	Item     string `json:"item"`
}

// structured describes the page's establishment. The dates of a branch are not those of the
// organization, so only a head office has them.
func (hs *Handlers) structured(p *companyPage, e *record.Establishment) *structuredData {
	address := hs.pages.BaseURL + p.Canonical
	o := organization{
		Type: "Organization", ID: address + "#empresa", Page: address,
		Name: p.Name, LegalName: p.Company.RazaoSocial, TaxID: p.CNPJ.Masked(),
		Address: postal(p.Address), Telephone: p.Phones, Fax: p.Fax, Email: p.Email,
	}
	if p.TradeName != p.Name {
		o.AlternateName = p.TradeName
	}
	if e.HeadOffice() {
		o.Founded = e.DataInicioAtividade.String()
		if e.Closed() {
			o.Dissolved = e.DataSituacaoCadastral.String()
		}
	}
	steps := append([]page.Crumb{{Text: "Início", URL: "/"}}, p.Where...)
	return &structuredData{Context: "https://schema.org", Graph: []any{o, hs.breadcrumbs(append(steps, page.Crumb{Text: p.Name, URL: p.Canonical}))}}
}

// breadcrumbs numbers the steps from the home page to this one, with absolute addresses.
func (hs *Handlers) breadcrumbs(steps []page.Crumb) breadcrumbList {
	list := breadcrumbList{Type: "BreadcrumbList"}
	for i, step := range steps {
		list.Items = append(list.Items, listItem{Type: "ListItem", Position: i + 1, Name: step.Text, Item: hs.pages.BaseURL + step.URL})
	}
	return list
}

// postal returns nil for an empty address. An address without a country is in Brazil.
func postal(a wording.Address) *postalAddress {
	p := &postalAddress{
		Type: "PostalAddress", Street: strings.Join(strings.Fields(a.Street), " "), Locality: a.Municipality, Region: a.UF,
		PostalCode: ptbr.CEP(a.CEP), Country: a.Country,
	}
	if p.Street+p.Locality+p.Region+p.PostalCode+p.Country == "" {
		return nil
	}
	if p.Country == "" {
		p.Country = "BR"
	}
	return p
}
