package record

import (
	"maps"
	"slices"
	"strings"
)

// Domain is the name of a code table.
type Domain string

// The code tables of the release. The first six are published as files; the others are in the
// layout's documentation (see [LayoutDomains]).
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

// Domains maps the codes of each domain to descriptions. It is immutable after loading, so
// concurrent reads are safe.
type Domains map[Domain]map[string]string

// Describe returns the description of a code as published, and false if the code is unknown or
// empty.
func (d Domains) Describe(kind Domain, code string) (string, bool) {
	if code == "" {
		return "", false
	}
	text, ok := d[kind][code]
	return text, ok
}

// LayoutDomains returns the code tables that the release's layout document lists, instead of a
// file.
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

// Says describes the codes of a domain in Portuguese: all of them for [LayoutDomains], otherwise
// where they are published. It returns "" for the empty domain.
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
