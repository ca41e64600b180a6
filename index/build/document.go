package build

import (
	"cmp"
	"strings"

	"razao/index/column"
	"razao/internal/data/cnpj"
)

// Doc is an establishment as the index sees it. Texts and codes are as published, "" for none. Its
// strings may point into buffers that are reused after Writer.Add returns.
type Doc struct {
	CNPJ         cnpj.Full
	HeadOffice   bool
	RazaoSocial  string // of the company, CPFs already masked (***456789**)
	NomeFantasia string // of the establishment, CPFs already masked
	// Address and contact. Leave these empty for natural persons in business: pages hide them, so no
	// filter may reveal them.
	Street      string // its type and its name
	HouseNumber string
	Bairro      string
	CEP         string    // 8 digits
	DDDs        [2]string // area codes
	Telephones  [2]string // the numbers without these
	Email       string
	// Partners are those of the company. Give them with the head office only, or every branch is
	// found by their names.
	Partners          []Partner
	Pais              string // code of the country, of an establishment abroad
	UF                string // 2 letters
	Municipio         string // 4 digits, the tax authority's code
	SituacaoCadastral string // "01", "02", "03", "04", "08"
	SituacaoDay       int    // since when the situação holds, AAAAMMDD; 0 unknown
	Motivo            string // reason of the situação, 2 digits
	PorteEmpresa      string // "01", "03", "05"; other values count as not informed
	NaturezaJuridica  string // 4 digits
	CNAE              string // main activity, 7 digits
	CNAEsSecundarios  string // 7 digits each, separated by commas
	MEI, Simples      bool
	MEIDay            int   // since when the company is MEI, AAAAMMDD; 0 unknown, or not
	SimplesDay        int   // since when it is in the Simples, the same
	Opening           int   // day of opening, AAAAMMDD; 0 unknown
	Closing           int   // day of closing, AAAAMMDD; 0 unknown, or not closed
	Capital           int64 // cents, negative when unknown
	Branches          int   // number of establishments of the company, this one included
	PartnerCount      int   // number of partners of the company, whether or not Partners has them
}

// Partner is a partner of a company.
type Partner struct {
	Name     string
	Document string // masked CPF (***456789**), 14 positions of a CNPJ, or ""
	Kind     string // identificador: "1" company, "2" natural person, "3" foreign
	Role     string // qualificação, 2 digits
	Age      string // age band, "1" to "9"
}

// ComparePartners is the total order in which partners are numbered: by name, then by the other
// fields.
func ComparePartners(a, b Partner) int {
	return cmp.Or(
		strings.Compare(a.Name, b.Name), strings.Compare(a.Document, b.Document), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Role, b.Role),
		strings.Compare(a.Age, b.Age),
	)
}

// values returns the column values of the document.
func (d *Doc) values() *column.Values {
	return &column.Values{
		UF: d.UF, Municipio: d.Municipio, SituacaoCadastral: d.SituacaoCadastral, PorteEmpresa: d.PorteEmpresa,
		NaturezaJuridica: d.NaturezaJuridica, CNAE: d.CNAE, MEI: d.MEI, Simples: d.Simples, HeadOffice: d.HeadOffice,
		Opening: d.Opening, Closing: d.Closing, Capital: d.Capital, SituacaoDay: d.SituacaoDay, SimplesDay: d.SimplesDay, MEIDay: d.MEIDay,
		Establishments: d.Branches, Partners: d.PartnerCount,
	}
}
