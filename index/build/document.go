package build

import (
	"razao/index/column"
	"razao/internal/cnpj"
)

// Doc is one establishment as the index sees it. Its strings may point into buffers that are reused after Add returns.
type Doc struct {
	CNPJ         cnpj.Full
	HeadOffice   bool
	RazaoSocial  string // of the company, CPFs already masked (***456789**)
	NomeFantasia string // of the establishment, CPFs already masked
	// Partners belong to the company: give them with its head office only, or every branch is found by their names.
	Partners          []Partner
	UF                string
	Municipio         string // 4 digits of the tax authority
	SituacaoCadastral string // "01", "02", "03", "04", "08"
	PorteEmpresa      string // "01", "03", "05"; other values count as not informed
	NaturezaJuridica  string // 4 digits
	CNAE              string // 7 digits
	CNAEsSecundarios  string // 7 digits each, separated by commas
	MEI, Simples      bool
	Opening           int   // day of opening, AAAAMMDD; 0 unknown
	Closing           int   // day since when it is closed, AAAAMMDD; 0 unknown, or not closed
	Capital           int64 // cents, negative when unknown
	Branches          int   // establishments of the company, this one included
}

// Partner is a partner of the company of a document.
type Partner struct {
	Name     string
	Document string // masked CPF (***456789**), 14 positions of a CNPJ, or ""
}

// values returns what the columns keep of the document.
func (d *Doc) values() *column.Values {
	return &column.Values{
		UF: d.UF, Municipio: d.Municipio, SituacaoCadastral: d.SituacaoCadastral, PorteEmpresa: d.PorteEmpresa,
		NaturezaJuridica: d.NaturezaJuridica, CNAE: d.CNAE, MEI: d.MEI, Simples: d.Simples, HeadOffice: d.HeadOffice,
		Opening: d.Opening, Closing: d.Closing, Capital: d.Capital,
	}
}
