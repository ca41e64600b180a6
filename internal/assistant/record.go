package assistant

import (
	"encoding/json"
	"fmt"
	"strings"

	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry/pack"
	"razao/internal/snapshot"
)

// The records of the cadastre, with the field names, order and null rules of the API.

// Company is a row of Empresas.
type Company struct {
	CNPJBasico                string              `json:"cnpj_basico"`
	RazaoSocial               string              `json:"razao_social"`
	NaturezaJuridica          string              `json:"natureza_juridica"`
	QualificacaoResponsavel   string              `json:"qualificacao_responsavel"`
	CapitalSocial             *json.Number        `json:"capital_social"`
	PorteEmpresa              string              `json:"porte_empresa"`
	EnteFederativoResponsavel string              `json:"ente_federativo_responsavel"`
	Descricoes                CompanyDescriptions `json:"descricoes"`
}

// CompanyDescriptions are what the codes of a Company mean; null: not known.
type CompanyDescriptions struct {
	NaturezaJuridica        *string `json:"natureza_juridica"`
	QualificacaoResponsavel *string `json:"qualificacao_responsavel"`
	PorteEmpresa            *string `json:"porte_empresa"`
}

// Establishment is a row of Estabelecimentos.
type Establishment struct {
	CNPJ                      string                    `json:"cnpj"`
	CNPJBasico                string                    `json:"cnpj_basico"`
	CNPJOrdem                 string                    `json:"cnpj_ordem"`
	CNPJDV                    string                    `json:"cnpj_dv"`
	IdentificadorMatrizFilial string                    `json:"identificador_matriz_filial"`
	NomeFantasia              string                    `json:"nome_fantasia"`
	SituacaoCadastral         string                    `json:"situacao_cadastral"`
	DataSituacaoCadastral     *string                   `json:"data_situacao_cadastral"`
	MotivoSituacaoCadastral   string                    `json:"motivo_situacao_cadastral"`
	NomeCidadeExterior        string                    `json:"nome_cidade_exterior"`
	Pais                      string                    `json:"pais"`
	DataInicioAtividade       *string                   `json:"data_inicio_atividade"`
	CNAEFiscalPrincipal       string                    `json:"cnae_fiscal_principal"`
	CNAEFiscalSecundaria      []string                  `json:"cnae_fiscal_secundaria"`
	TipoLogradouro            string                    `json:"tipo_logradouro"`
	Logradouro                string                    `json:"logradouro"`
	Numero                    string                    `json:"numero"`
	Complemento               string                    `json:"complemento"`
	Bairro                    string                    `json:"bairro"`
	CEP                       string                    `json:"cep"`
	UF                        string                    `json:"uf"`
	Municipio                 string                    `json:"municipio"`
	CodigoMunicipioIBGE       string                    `json:"codigo_municipio_ibge"`
	DDD1                      string                    `json:"ddd_1"`
	Telefone1                 string                    `json:"telefone_1"`
	DDD2                      string                    `json:"ddd_2"`
	Telefone2                 string                    `json:"telefone_2"`
	DDDFax                    string                    `json:"ddd_fax"`
	Fax                       string                    `json:"fax"`
	CorreioEletronico         string                    `json:"correio_eletronico"`
	SituacaoEspecial          string                    `json:"situacao_especial"`
	DataSituacaoEspecial      *string                   `json:"data_situacao_especial"`
	Descricoes                EstablishmentDescriptions `json:"descricoes"`
}

// EstablishmentDescriptions are what the codes of an Establishment mean; null: not known.
type EstablishmentDescriptions struct {
	IdentificadorMatrizFilial *string            `json:"identificador_matriz_filial"`
	SituacaoCadastral         *string            `json:"situacao_cadastral"`
	MotivoSituacaoCadastral   *string            `json:"motivo_situacao_cadastral"`
	Pais                      *string            `json:"pais"`
	CNAEFiscalPrincipal       *string            `json:"cnae_fiscal_principal"`
	CNAEFiscalSecundaria      map[string]*string `json:"cnae_fiscal_secundaria"`
	Municipio                 *string            `json:"municipio"`
}

// Partner is a row of Socios. CPFs are masked as published.
type Partner struct {
	IdentificadorSocio             string              `json:"identificador_socio"`
	NomeSocio                      string              `json:"nome_socio"`
	CNPJCPFSocio                   string              `json:"cnpj_cpf_socio"`
	QualificacaoSocio              string              `json:"qualificacao_socio"`
	DataEntradaSociedade           *string             `json:"data_entrada_sociedade"`
	Pais                           string              `json:"pais"`
	RepresentanteLegal             string              `json:"representante_legal"`
	NomeRepresentante              string              `json:"nome_representante"`
	QualificacaoRepresentanteLegal string              `json:"qualificacao_representante_legal"`
	FaixaEtaria                    string              `json:"faixa_etaria"`
	Descricoes                     PartnerDescriptions `json:"descricoes"`
}

// PartnerDescriptions are what the codes of a Partner mean; null: not known.
type PartnerDescriptions struct {
	IdentificadorSocio             *string `json:"identificador_socio"`
	QualificacaoSocio              *string `json:"qualificacao_socio"`
	Pais                           *string `json:"pais"`
	QualificacaoRepresentanteLegal *string `json:"qualificacao_representante_legal"`
	FaixaEtaria                    *string `json:"faixa_etaria"`
}

// Simples is a row of Simples: the options for the Simples Nacional and MEI regimes; null: not informed.
type Simples struct {
	OpcaoPeloSimples     *bool   `json:"opcao_pelo_simples"`
	DataOpcaoPeloSimples *string `json:"data_opcao_pelo_simples"`
	DataExclusaoSimples  *string `json:"data_exclusao_simples"`
	OpcaoPeloMEI         *bool   `json:"opcao_pelo_mei"`
	DataOpcaoPeloMEI     *string `json:"data_opcao_pelo_mei"`
	DataExclusaoMEI      *string `json:"data_exclusao_mei"`
}

// reader turns the records of one snapshot into answers.
type reader struct {
	*Assistant
	snap *snapshot.Snapshot
}

// describe returns what a code means, nil when the code is unknown or empty.
func (r *reader) describe(kind record.Domain, code string) *string {
	text, ok := r.snap.Describe(kind, code)
	if !ok {
		return nil
	}
	return &text
}

func (r *reader) company(h *pack.Head) Company {
	c := &h.Company
	return Company{
		CNPJBasico:                h.Root.String(),
		RazaoSocial:               c.RazaoSocial,
		NaturezaJuridica:          c.NaturezaJuridica,
		QualificacaoResponsavel:   c.QualificacaoResponsavel,
		CapitalSocial:             amount(c.CapitalSocial),
		PorteEmpresa:              c.PorteEmpresa,
		EnteFederativoResponsavel: c.EnteFederativoResponsavel,
		Descricoes: CompanyDescriptions{
			NaturezaJuridica:        r.describe(record.DomainNatureza, c.NaturezaJuridica),
			QualificacaoResponsavel: r.describe(record.DomainQualificacao, c.QualificacaoResponsavel),
			PorteEmpresa:            r.describe(record.DomainPorte, c.PorteEmpresa),
		},
	}
}

func (r *reader) establishment(e *record.Establishment) Establishment {
	number := e.CNPJ.String()
	codes := []string{}
	for code := range strings.SplitSeq(e.CNAEFiscalSecundaria, ",") {
		if code != "" {
			codes = append(codes, code)
		}
	}
	return Establishment{
		CNPJ: number, CNPJBasico: number[:8], CNPJOrdem: number[8:12], CNPJDV: number[12:],
		IdentificadorMatrizFilial: e.IdentificadorMatrizFilial,
		NomeFantasia:              e.NomeFantasia,
		SituacaoCadastral:         e.SituacaoCadastral,
		DataSituacaoCadastral:     optional(e.DataSituacaoCadastral.String()),
		MotivoSituacaoCadastral:   e.MotivoSituacaoCadastral,
		NomeCidadeExterior:        e.NomeCidadeExterior,
		Pais:                      e.Pais,
		DataInicioAtividade:       optional(e.DataInicioAtividade.String()),
		CNAEFiscalPrincipal:       e.CNAEFiscalPrincipal,
		CNAEFiscalSecundaria:      codes,
		TipoLogradouro:            e.TipoLogradouro, Logradouro: e.Logradouro, Numero: e.Numero,
		Complemento: e.Complemento, Bairro: e.Bairro, CEP: e.CEP,
		UF: e.UF, Municipio: e.Municipio, CodigoMunicipioIBGE: r.atlas.IBGE(e.Municipio),
		DDD1: e.DDD1, Telefone1: e.Telefone1, DDD2: e.DDD2, Telefone2: e.Telefone2, DDDFax: e.DDDFax, Fax: e.Fax,
		CorreioEletronico:    e.CorreioEletronico,
		SituacaoEspecial:     e.SituacaoEspecial,
		DataSituacaoEspecial: optional(e.DataSituacaoEspecial.String()),
		Descricoes:           r.establishmentDescriptions(e, codes),
	}
}

func (r *reader) establishmentDescriptions(e *record.Establishment, activities []string) EstablishmentDescriptions {
	d := EstablishmentDescriptions{
		IdentificadorMatrizFilial: r.describe(record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		SituacaoCadastral:         r.describe(record.DomainSituacao, e.SituacaoCadastral),
		MotivoSituacaoCadastral:   r.describe(record.DomainMotivo, e.MotivoSituacaoCadastral),
		Pais:                      r.describe(record.DomainPais, e.Pais),
		CNAEFiscalPrincipal:       r.describe(record.DomainCNAE, e.CNAEFiscalPrincipal),
		CNAEFiscalSecundaria:      make(map[string]*string, len(activities)),
		Municipio:                 r.describe(record.DomainMunicipio, e.Municipio),
	}
	for _, code := range activities {
		d.CNAEFiscalSecundaria[code] = r.describe(record.DomainCNAE, code)
	}
	return d
}

func (r *reader) partner(p *record.Partner) Partner {
	return Partner{
		IdentificadorSocio:             p.IdentificadorSocio,
		NomeSocio:                      p.NomeSocio,
		CNPJCPFSocio:                   p.CNPJCPFSocio,
		QualificacaoSocio:              p.QualificacaoSocio,
		DataEntradaSociedade:           optional(p.DataEntradaSociedade.String()),
		Pais:                           p.Pais,
		RepresentanteLegal:             p.RepresentanteLegal,
		NomeRepresentante:              p.NomeRepresentante,
		QualificacaoRepresentanteLegal: p.QualificacaoRepresentanteLegal,
		FaixaEtaria:                    p.FaixaEtaria,
		Descricoes: PartnerDescriptions{
			IdentificadorSocio:             r.describe(record.DomainSocio, p.IdentificadorSocio),
			QualificacaoSocio:              r.describe(record.DomainQualificacao, p.QualificacaoSocio),
			Pais:                           r.describe(record.DomainPais, p.Pais),
			QualificacaoRepresentanteLegal: r.describe(record.DomainQualificacao, p.QualificacaoRepresentanteLegal),
			FaixaEtaria:                    r.describe(record.DomainFaixaEtaria, p.FaixaEtaria),
		},
	}
}

// simplesOf returns the options of a company, nil when it never opted.
func simplesOf(h *pack.Head) *Simples {
	if !h.HasSimples {
		return nil
	}
	s := &h.Simples
	return &Simples{
		OpcaoPeloSimples:     choice(s.OpcaoPeloSimples),
		DataOpcaoPeloSimples: optional(s.DataOpcaoPeloSimples.String()),
		DataExclusaoSimples:  optional(s.DataExclusaoSimples.String()),
		OpcaoPeloMEI:         choice(s.OpcaoPeloMEI),
		DataOpcaoPeloMEI:     optional(s.DataOpcaoPeloMEI.String()),
		DataExclusaoMEI:      optional(s.DataExclusaoMEI.String()),
	}
}

func choice(f record.Flag) *bool {
	if f == record.Unknown {
		return nil
	}
	yes := f == record.Yes
	return &yes
}

// amount is exact to the cent, nil when none was published.
func amount(c record.Cents) *json.Number {
	if c == record.NoCents {
		return nil
	}
	n := json.Number(fmt.Sprintf("%d.%02d", c/100, c%100))
	return &n
}

// pagePath is the path of the page of an establishment.
func pagePath(number cnpj.Full) string { return "/" + number.String() }
