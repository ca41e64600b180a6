package build

import (
	"cmp"
	"strings"

	"razao/index/column"
	"razao/internal/cnpj"
)

// Doc is one establishment as the index sees it. Its strings may point into buffers that are reused after Add returns.
type Doc struct {
	CNPJ         cnpj.Full
	HeadOffice   bool
	RazaoSocial  string // of the company, CPFs already masked (***456789**)
	NomeFantasia string // of the establishment, CPFs already masked
	// Where exactly it is and how to reach it, which is not for the index to know of a natural person in business: pages hide it.
	Bairro    string
	CEP       string // 8 digits
	DDDs      [2]string
	Telephone bool
	Email     string
	// Partners belong to the company: give them with its head office only, or every branch is found by their names.
	Partners          []Partner
	Pais              string // code, of an establishment abroad
	UF                string
	Municipio         string // 4 digits of the tax authority
	SituacaoCadastral string // "01", "02", "03", "04", "08"
	SituacaoDay       int    // since when it holds, AAAAMMDD; 0 unknown
	Motivo            string // of the situação, 2 digits
	PorteEmpresa      string // "01", "03", "05"; other values count as not informed
	NaturezaJuridica  string // 4 digits
	CNAE              string // 7 digits
	CNAEsSecundarios  string // 7 digits each, separated by commas
	MEI, Simples      bool
	MEIDay            int   // since when the company is in it, AAAAMMDD; 0 unknown, or not in
	SimplesDay        int   // the same
	Opening           int   // day of opening, AAAAMMDD; 0 unknown
	Closing           int   // day since when it is closed, AAAAMMDD; 0 unknown, or not closed
	Capital           int64 // cents, negative when unknown
	Branches          int   // establishments of the company, this one included
	PartnerCount      int   // partners of the company, whether or not they are given
}

// Partner is a partner of the company of a document.
type Partner struct {
	Name     string
	Document string // masked CPF (***456789**), 14 positions of a CNPJ, or ""
	Kind     string // identificador: "1" a company, "2" a person, "3" a foreign one
	Role     string // qualificação, 2 digits
	Age      string // age band, "1" to "9"
}

// ComparePartners orders partners by their names, and those of one name by the rest.
func ComparePartners(a, b Partner) int {
	return cmp.Or(
		strings.Compare(a.Name, b.Name), strings.Compare(a.Document, b.Document), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Role, b.Role),
		strings.Compare(a.Age, b.Age),
	)
}

// values returns what the columns keep of the document.
func (d *Doc) values() *column.Values {
	return &column.Values{
		UF: d.UF, Municipio: d.Municipio, SituacaoCadastral: d.SituacaoCadastral, PorteEmpresa: d.PorteEmpresa,
		NaturezaJuridica: d.NaturezaJuridica, CNAE: d.CNAE, MEI: d.MEI, Simples: d.Simples, HeadOffice: d.HeadOffice,
		Opening: d.Opening, Closing: d.Closing, Capital: d.Capital, SituacaoDay: d.SituacaoDay, SimplesDay: d.SimplesDay, MEIDay: d.MEIDay,
		Establishments: d.Branches, Partners: d.PartnerCount,
	}
}
