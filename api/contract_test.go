package api

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/data/openapi"
	"razao/internal/data/record"
)

// marshal returns v as encoding/json writes it without escaping HTML.
func marshal(t testing.TB, v any) []byte {
	t.Helper()
	out, err := openapi.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The structs below declare the contract a second time, for encoding/json. The renderer must
// produce the same bytes.

type dadosJSON struct {
	CNPJBasico       string              `json:"cnpj_basico"`
	Empresa          *empresaJSON        `json:"empresa"`
	Estabelecimentos []estabelecimentoJS `json:"estabelecimentos"`
	Socios           []socioJSON         `json:"socios"`
	Simples          *simplesJSON        `json:"simples"`
}

type empresaJSON struct {
	CNPJBasico                string       `json:"cnpj_basico"`
	RazaoSocial               string       `json:"razao_social"`
	NaturezaJuridica          string       `json:"natureza_juridica"`
	QualificacaoResponsavel   string       `json:"qualificacao_responsavel"`
	CapitalSocial             *json.Number `json:"capital_social"`
	PorteEmpresa              string       `json:"porte_empresa"`
	EnteFederativoResponsavel string       `json:"ente_federativo_responsavel"`
	Descricoes                struct {
		NaturezaJuridica        *string `json:"natureza_juridica"`
		QualificacaoResponsavel *string `json:"qualificacao_responsavel"`
		PorteEmpresa            *string `json:"porte_empresa"`
	} `json:"descricoes"`
}

type estabelecimentoJS struct {
	CNPJ                      string   `json:"cnpj"`
	CNPJBasico                string   `json:"cnpj_basico"`
	CNPJOrdem                 string   `json:"cnpj_ordem"`
	CNPJDV                    string   `json:"cnpj_dv"`
	IdentificadorMatrizFilial string   `json:"identificador_matriz_filial"`
	NomeFantasia              string   `json:"nome_fantasia"`
	SituacaoCadastral         string   `json:"situacao_cadastral"`
	DataSituacaoCadastral     *string  `json:"data_situacao_cadastral"`
	MotivoSituacaoCadastral   string   `json:"motivo_situacao_cadastral"`
	NomeCidadeExterior        string   `json:"nome_cidade_exterior"`
	Pais                      string   `json:"pais"`
	DataInicioAtividade       *string  `json:"data_inicio_atividade"`
	CNAEFiscalPrincipal       string   `json:"cnae_fiscal_principal"`
	CNAEFiscalSecundaria      []string `json:"cnae_fiscal_secundaria"`
	TipoLogradouro            string   `json:"tipo_logradouro"`
	Logradouro                string   `json:"logradouro"`
	Numero                    string   `json:"numero"`
	Complemento               string   `json:"complemento"`
	Bairro                    string   `json:"bairro"`
	CEP                       string   `json:"cep"`
	UF                        string   `json:"uf"`
	Municipio                 string   `json:"municipio"`
	CodigoMunicipioIBGE       string   `json:"codigo_municipio_ibge"`
	DDD1                      string   `json:"ddd_1"`
	Telefone1                 string   `json:"telefone_1"`
	DDD2                      string   `json:"ddd_2"`
	Telefone2                 string   `json:"telefone_2"`
	DDDFax                    string   `json:"ddd_fax"`
	Fax                       string   `json:"fax"`
	CorreioEletronico         string   `json:"correio_eletronico"`
	SituacaoEspecial          string   `json:"situacao_especial"`
	DataSituacaoEspecial      *string  `json:"data_situacao_especial"`
	Descricoes                struct {
		IdentificadorMatrizFilial *string         `json:"identificador_matriz_filial"`
		SituacaoCadastral         *string         `json:"situacao_cadastral"`
		MotivoSituacaoCadastral   *string         `json:"motivo_situacao_cadastral"`
		Pais                      *string         `json:"pais"`
		CNAEFiscalPrincipal       *string         `json:"cnae_fiscal_principal"`
		CNAEFiscalSecundaria      json.RawMessage `json:"cnae_fiscal_secundaria"` // an object in the order of the list
		Municipio                 *string         `json:"municipio"`
	} `json:"descricoes"`
}

type socioJSON struct {
	IdentificadorSocio             string  `json:"identificador_socio"`
	NomeSocio                      string  `json:"nome_socio"`
	CNPJCPFSocio                   string  `json:"cnpj_cpf_socio"`
	QualificacaoSocio              string  `json:"qualificacao_socio"`
	DataEntradaSociedade           *string `json:"data_entrada_sociedade"`
	Pais                           string  `json:"pais"`
	RepresentanteLegal             string  `json:"representante_legal"`
	NomeRepresentante              string  `json:"nome_representante"`
	QualificacaoRepresentanteLegal string  `json:"qualificacao_representante_legal"`
	FaixaEtaria                    string  `json:"faixa_etaria"`
	Descricoes                     struct {
		IdentificadorSocio             *string `json:"identificador_socio"`
		QualificacaoSocio              *string `json:"qualificacao_socio"`
		Pais                           *string `json:"pais"`
		QualificacaoRepresentanteLegal *string `json:"qualificacao_representante_legal"`
		FaixaEtaria                    *string `json:"faixa_etaria"`
	} `json:"descricoes"`
}

type simplesJSON struct {
	OpcaoPeloSimples     *bool   `json:"opcao_pelo_simples"`
	DataOpcaoPeloSimples *string `json:"data_opcao_pelo_simples"`
	DataExclusaoSimples  *string `json:"data_exclusao_simples"`
	OpcaoPeloMEI         *bool   `json:"opcao_pelo_mei"`
	DataOpcaoPeloMEI     *string `json:"data_opcao_pelo_mei"`
	DataExclusaoMEI      *string `json:"data_exclusao_mei"`
}

// expected converts records to the structs of the contract.
type expected struct {
	t       testing.TB
	domains record.Domains
}

func (x expected) dados(r *records) dadosJSON {
	d := dadosJSON{CNPJBasico: r.root.String(), Estabelecimentos: []estabelecimentoJS{}, Socios: []socioJSON{}}
	if r.company != nil {
		d.Empresa = x.empresa(r.root, r.company)
	}
	for i := range r.establishments {
		d.Estabelecimentos = append(d.Estabelecimentos, x.estabelecimento(&r.establishments[i]))
	}
	for i := range r.partners {
		d.Socios = append(d.Socios, x.socio(&r.partners[i]))
	}
	if s := r.simples; s != nil {
		d.Simples = &simplesJSON{
			boolean(s.OpcaoPeloSimples), day(s.DataOpcaoPeloSimples), day(s.DataExclusaoSimples),
			boolean(s.OpcaoPeloMEI), day(s.DataOpcaoPeloMEI), day(s.DataExclusaoMEI),
		}
	}
	return d
}

func (x expected) empresa(root cnpj.Root, c *record.Company) *empresaJSON {
	e := &empresaJSON{
		CNPJBasico: root.String(), RazaoSocial: c.RazaoSocial, NaturezaJuridica: c.NaturezaJuridica,
		QualificacaoResponsavel: c.QualificacaoResponsavel, PorteEmpresa: c.PorteEmpresa,
		EnteFederativoResponsavel: c.EnteFederativoResponsavel,
	}
	if c.CapitalSocial != record.NoCents {
		digits := json.Number(strings.Repeat("0", 3) + json.Number(string(marshal(x.t, c.CapitalSocial))).String())
		whole, cents := digits[:len(digits)-2], digits[len(digits)-2:]
		if whole = json.Number(strings.TrimLeft(string(whole), "0")); whole == "" {
			whole = "0"
		}
		capital := whole + "." + cents
		e.CapitalSocial = &capital
	}
	e.Descricoes.NaturezaJuridica = x.describe(record.DomainNatureza, c.NaturezaJuridica)
	e.Descricoes.QualificacaoResponsavel = x.describe(record.DomainQualificacao, c.QualificacaoResponsavel)
	e.Descricoes.PorteEmpresa = x.describe(record.DomainPorte, c.PorteEmpresa)
	return e
}

func (x expected) estabelecimento(r *record.Establishment) estabelecimentoJS {
	number := r.CNPJ.String()
	e := estabelecimentoJS{
		CNPJ: number, CNPJBasico: number[:8], CNPJOrdem: number[8:12], CNPJDV: number[12:],
		IdentificadorMatrizFilial: r.IdentificadorMatrizFilial, NomeFantasia: r.NomeFantasia,
		SituacaoCadastral: r.SituacaoCadastral, DataSituacaoCadastral: day(r.DataSituacaoCadastral),
		MotivoSituacaoCadastral: r.MotivoSituacaoCadastral, NomeCidadeExterior: r.NomeCidadeExterior, Pais: r.Pais,
		DataInicioAtividade: day(r.DataInicioAtividade), CNAEFiscalPrincipal: r.CNAEFiscalPrincipal,
		CNAEFiscalSecundaria: []string{}, TipoLogradouro: r.TipoLogradouro, Logradouro: r.Logradouro, Numero: r.Numero,
		Complemento: r.Complemento, Bairro: r.Bairro, CEP: r.CEP, UF: r.UF, Municipio: r.Municipio,
		CodigoMunicipioIBGE: testIBGE(r.Municipio), DDD1: r.DDD1, Telefone1: r.Telefone1, DDD2: r.DDD2, Telefone2: r.Telefone2,
		DDDFax: r.DDDFax, Fax: r.Fax, CorreioEletronico: r.CorreioEletronico, SituacaoEspecial: r.SituacaoEspecial,
		DataSituacaoEspecial: day(r.DataSituacaoEspecial),
	}
	for _, code := range strings.Split(r.CNAEFiscalSecundaria, ",") {
		if code != "" {
			e.CNAEFiscalSecundaria = append(e.CNAEFiscalSecundaria, code)
		}
	}
	d := &e.Descricoes
	d.IdentificadorMatrizFilial = x.describe(record.DomainMatrizFilial, r.IdentificadorMatrizFilial)
	d.SituacaoCadastral = x.describe(record.DomainSituacao, r.SituacaoCadastral)
	d.MotivoSituacaoCadastral = x.describe(record.DomainMotivo, r.MotivoSituacaoCadastral)
	d.Pais = x.describe(record.DomainPais, r.Pais)
	d.CNAEFiscalPrincipal = x.describe(record.DomainCNAE, r.CNAEFiscalPrincipal)
	d.CNAEFiscalSecundaria = x.activities(e.CNAEFiscalSecundaria)
	d.Municipio = x.describe(record.DomainMunicipio, r.Municipio)
	return e
}

func (x expected) activities(codes []string) json.RawMessage {
	var members [][]byte
	seen := map[string]bool{}
	for _, code := range codes {
		if !seen[code] {
			member := append(marshal(x.t, code), ':')
			members = append(members, append(member, marshal(x.t, x.describe(record.DomainCNAE, code))...))
		}
		seen[code] = true
	}
	return json.RawMessage("{" + string(bytes.Join(members, []byte(","))) + "}")
}

func (x expected) socio(p *record.Partner) socioJSON {
	s := socioJSON{
		IdentificadorSocio: p.IdentificadorSocio, NomeSocio: p.NomeSocio, CNPJCPFSocio: p.CNPJCPFSocio,
		QualificacaoSocio: p.QualificacaoSocio, DataEntradaSociedade: day(p.DataEntradaSociedade), Pais: p.Pais,
		RepresentanteLegal: p.RepresentanteLegal, NomeRepresentante: p.NomeRepresentante,
		QualificacaoRepresentanteLegal: p.QualificacaoRepresentanteLegal, FaixaEtaria: p.FaixaEtaria,
	}
	s.Descricoes.IdentificadorSocio = x.describe(record.DomainSocio, p.IdentificadorSocio)
	s.Descricoes.QualificacaoSocio = x.describe(record.DomainQualificacao, p.QualificacaoSocio)
	s.Descricoes.Pais = x.describe(record.DomainPais, p.Pais)
	s.Descricoes.QualificacaoRepresentanteLegal = x.describe(record.DomainQualificacao, p.QualificacaoRepresentanteLegal)
	s.Descricoes.FaixaEtaria = x.describe(record.DomainFaixaEtaria, p.FaixaEtaria)
	return s
}

func (x expected) describe(kind record.Domain, code string) *string {
	if text, ok := x.domains[kind][code]; ok && code != "" {
		return &text
	}
	return nil
}

func day(d record.Date) *string {
	if d == 0 {
		return nil
	}
	text := d.Time().Format("2006-01-02")
	return &text
}

func boolean(f record.Flag) *bool {
	if f == record.Unknown {
		return nil
	}
	yes := f == record.Yes
	return &yes
}
