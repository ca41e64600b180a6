package record

// Domain names a table of codes and their descriptions.
type Domain string

// The domains of the tax authority's release. The last five have no published file.
const (
	DomainCNAE         Domain = "cnae"
	DomainMotivo       Domain = "motivo"
	DomainMunicipio    Domain = "municipio"
	DomainNatureza     Domain = "natureza_juridica"
	DomainPais         Domain = "pais"
	DomainQualificacao Domain = "qualificacao"
	DomainPorte        Domain = "porte_empresa"
	DomainSituacao     Domain = "situacao_cadastral"
	DomainMatrizFilial Domain = "identificador_matriz_filial"
	DomainSocio        Domain = "identificador_socio"
	DomainFaixaEtaria  Domain = "faixa_etaria"
)

// Domains holds code → description of every domain. It is never changed once it is read.
type Domains map[Domain]map[string]string

// Describe returns the description of a code; false when the code is unknown or empty.
func (d Domains) Describe(kind Domain, code string) (string, bool) {
	if code == "" {
		return "", false
	}
	text, ok := d[kind][code]
	return text, ok
}
