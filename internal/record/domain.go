package record

import (
	"maps"
	"slices"
	"strings"
)

// Domain names a table of codes and their descriptions.
type Domain string

// The domains of the tax authority's release. The last five have no published file: LayoutDomains has them.
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

// LayoutDomains returns the domains that the layout of the release lists itself, with their few codes.
func LayoutDomains() Domains {
	return Domains{
		DomainPorte: {
			PorteNaoInformado: "Não informado", PorteMicro: "Microempresa", PortePequeno: "Empresa de Pequeno Porte", PorteDemais: "Demais",
		},
		DomainSituacao: {
			SituacaoNula: "Nula", SituacaoAtiva: "Ativa", SituacaoSuspensa: "Suspensa", SituacaoInapta: "Inapta", "05": "Ativa Não Regular",
			SituacaoBaixada: "Baixada",
		},
		DomainMatrizFilial: {"1": "Matriz", "2": "Filial"},
		DomainSocio:        {"1": "Pessoa Jurídica", "2": "Pessoa Física", "3": "Estrangeiro"},
		DomainFaixaEtaria: {
			"0": "Não se aplica", "1": "0 a 12 anos", "2": "13 a 20 anos", "3": "21 a 30 anos", "4": "31 a 40 anos", "5": "41 a 50 anos",
			"6": "51 a 60 anos", "7": "61 a 70 anos", "8": "71 a 80 anos", "9": "Mais de 80 anos",
		},
	}
}

// Says tells what the codes of a domain are, in Portuguese: all of them when they are few, else where they are listed.
func (d Domain) Says() string {
	switch d {
	case "":
		return ""
	case DomainCNAE:
		return "tabela CNAE 2.3 do IBGE, em cnae.ibge.gov.br"
	case DomainMunicipio:
		return "tabela de municípios da Receita Federal, em /municipios.csv"
	case DomainMotivo, DomainNatureza, DomainPais, DomainQualificacao:
		return "tabela publicada com o cadastro pela Receita Federal"
	}
	var few []string
	codes := LayoutDomains()[d]
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		few = append(few, code+" "+codes[code])
	}
	return strings.Join(few, "; ")
}
