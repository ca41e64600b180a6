package api

import (
	"strings"

	"razao/internal/cnpj"
	"razao/internal/registry"
)

// renderer appends the records of one snapshot as JSON, in the names and key order of the contract and without
// allocating. It has one method for each kind of record, the same for every version of the API.
type renderer struct {
	domains registry.Domains
	ibge    func(codigo string) string
}

// description appends the description of a code, null when the code is unknown or empty.
func (r *renderer) description(dst []byte, key string, kind registry.Domain, code string) []byte {
	dst = append(dst, key...)
	text, ok := r.domains.Describe(kind, code)
	if !ok {
		return append(dst, "null"...)
	}
	return appendString(dst, text)
}

// company appends empresa without its last brace, since versions differ in what else belongs inside.
func (r *renderer) company(dst []byte, root cnpj.Root, c *registry.Company) []byte {
	dst = append(dst, `{"cnpj_basico":"`...)
	dst = root.Append(dst)
	dst = appendTextField(dst, `","razao_social":`, c.RazaoSocial)
	dst = appendTextField(dst, `,"natureza_juridica":`, c.NaturezaJuridica)
	dst = appendTextField(dst, `,"qualificacao_responsavel":`, c.QualificacaoResponsavel)
	dst = appendCentsField(dst, `,"capital_social":`, c.CapitalSocial)
	dst = appendTextField(dst, `,"porte_empresa":`, c.PorteEmpresa)
	dst = appendTextField(dst, `,"ente_federativo_responsavel":`, c.EnteFederativoResponsavel)
	dst = r.description(dst, `,"descricoes":{"natureza_juridica":`, registry.DomainNatureza, c.NaturezaJuridica)
	dst = r.description(dst, `,"qualificacao_responsavel":`, registry.DomainQualificacao, c.QualificacaoResponsavel)
	dst = r.description(dst, `,"porte_empresa":`, registry.DomainPorte, c.PorteEmpresa)
	return append(dst, '}')
}

func (r *renderer) establishment(dst []byte, e *registry.Establishment) []byte {
	dst = appendNumber(dst, e.CNPJ)
	dst = appendTextField(dst, `,"identificador_matriz_filial":`, e.IdentificadorMatrizFilial)
	dst = appendTextField(dst, `,"nome_fantasia":`, e.NomeFantasia)
	dst = appendTextField(dst, `,"situacao_cadastral":`, e.SituacaoCadastral)
	dst = appendDateField(dst, `,"data_situacao_cadastral":`, e.DataSituacaoCadastral)
	dst = appendTextField(dst, `,"motivo_situacao_cadastral":`, e.MotivoSituacaoCadastral)
	dst = appendTextField(dst, `,"nome_cidade_exterior":`, e.NomeCidadeExterior)
	dst = appendTextField(dst, `,"pais":`, e.Pais)
	dst = appendDateField(dst, `,"data_inicio_atividade":`, e.DataInicioAtividade)
	dst = appendTextField(dst, `,"cnae_fiscal_principal":`, e.CNAEFiscalPrincipal)
	dst = appendCodes(dst, `,"cnae_fiscal_secundaria":[`, e.CNAEFiscalSecundaria)
	dst = appendTextField(dst, `,"tipo_logradouro":`, e.TipoLogradouro)
	dst = appendTextField(dst, `,"logradouro":`, e.Logradouro)
	dst = appendTextField(dst, `,"numero":`, e.Numero)
	dst = appendTextField(dst, `,"complemento":`, e.Complemento)
	dst = appendTextField(dst, `,"bairro":`, e.Bairro)
	dst = appendTextField(dst, `,"cep":`, e.CEP)
	dst = appendTextField(dst, `,"uf":`, e.UF)
	dst = appendTextField(dst, `,"municipio":`, e.Municipio)
	dst = appendTextField(dst, `,"codigo_municipio_ibge":`, r.ibge(e.Municipio))
	dst = appendTextField(dst, `,"ddd_1":`, e.DDD1)
	dst = appendTextField(dst, `,"telefone_1":`, e.Telefone1)
	dst = appendTextField(dst, `,"ddd_2":`, e.DDD2)
	dst = appendTextField(dst, `,"telefone_2":`, e.Telefone2)
	dst = appendTextField(dst, `,"ddd_fax":`, e.DDDFax)
	dst = appendTextField(dst, `,"fax":`, e.Fax)
	dst = appendTextField(dst, `,"correio_eletronico":`, e.CorreioEletronico)
	dst = appendTextField(dst, `,"situacao_especial":`, e.SituacaoEspecial)
	dst = appendDateField(dst, `,"data_situacao_especial":`, e.DataSituacaoEspecial)
	return r.establishmentDescriptions(dst, e)
}

func (r *renderer) establishmentDescriptions(dst []byte, e *registry.Establishment) []byte {
	dst = r.description(dst, `,"descricoes":{"identificador_matriz_filial":`, registry.DomainMatrizFilial, e.IdentificadorMatrizFilial)
	dst = r.description(dst, `,"situacao_cadastral":`, registry.DomainSituacao, e.SituacaoCadastral)
	dst = r.description(dst, `,"motivo_situacao_cadastral":`, registry.DomainMotivo, e.MotivoSituacaoCadastral)
	dst = r.description(dst, `,"pais":`, registry.DomainPais, e.Pais)
	dst = r.description(dst, `,"cnae_fiscal_principal":`, registry.DomainCNAE, e.CNAEFiscalPrincipal)
	dst = r.activities(dst, `,"cnae_fiscal_secundaria":{`, e.CNAEFiscalSecundaria)
	dst = r.description(dst, `,"municipio":`, registry.DomainMunicipio, e.Municipio)
	return append(dst, "}}"...)
}

func (r *renderer) partner(dst []byte, p *registry.Partner) []byte {
	dst = appendTextField(dst, `{"identificador_socio":`, p.IdentificadorSocio)
	dst = appendTextField(dst, `,"nome_socio":`, p.NomeSocio)
	dst = appendTextField(dst, `,"cnpj_cpf_socio":`, p.CNPJCPFSocio)
	dst = appendTextField(dst, `,"qualificacao_socio":`, p.QualificacaoSocio)
	dst = appendDateField(dst, `,"data_entrada_sociedade":`, p.DataEntradaSociedade)
	dst = appendTextField(dst, `,"pais":`, p.Pais)
	dst = appendTextField(dst, `,"representante_legal":`, p.RepresentanteLegal)
	dst = appendTextField(dst, `,"nome_representante":`, p.NomeRepresentante)
	dst = appendTextField(dst, `,"qualificacao_representante_legal":`, p.QualificacaoRepresentanteLegal)
	dst = appendTextField(dst, `,"faixa_etaria":`, p.FaixaEtaria)
	dst = r.description(dst, `,"descricoes":{"identificador_socio":`, registry.DomainSocio, p.IdentificadorSocio)
	dst = r.description(dst, `,"qualificacao_socio":`, registry.DomainQualificacao, p.QualificacaoSocio)
	dst = r.description(dst, `,"pais":`, registry.DomainPais, p.Pais)
	dst = r.description(dst, `,"qualificacao_representante_legal":`, registry.DomainQualificacao, p.QualificacaoRepresentanteLegal)
	dst = r.description(dst, `,"faixa_etaria":`, registry.DomainFaixaEtaria, p.FaixaEtaria)
	return append(dst, "}}"...)
}

func appendSimples(dst []byte, s *registry.Simples) []byte {
	dst = appendFlagField(dst, `{"opcao_pelo_simples":`, s.OpcaoPeloSimples)
	dst = appendDateField(dst, `,"data_opcao_pelo_simples":`, s.DataOpcaoPeloSimples)
	dst = appendDateField(dst, `,"data_exclusao_simples":`, s.DataExclusaoSimples)
	dst = appendFlagField(dst, `,"opcao_pelo_mei":`, s.OpcaoPeloMEI)
	dst = appendDateField(dst, `,"data_opcao_pelo_mei":`, s.DataOpcaoPeloMEI)
	dst = appendDateField(dst, `,"data_exclusao_mei":`, s.DataExclusaoMEI)
	return append(dst, '}')
}

// appendNumber appends the CNPJ whole and in its three parts.
func appendNumber(dst []byte, number cnpj.Full) []byte {
	dst = append(dst, `{"cnpj":"`...)
	start := len(dst)
	dst = number.Append(dst)
	text := dst[start:]
	dst = append(dst, `","cnpj_basico":"`...)
	dst = append(dst, text[:8]...)
	dst = append(dst, `","cnpj_ordem":"`...)
	dst = append(dst, text[8:12]...)
	dst = append(dst, `","cnpj_dv":"`...)
	dst = append(dst, text[12:]...)
	return append(dst, '"')
}

// appendCodes appends the codes of a list joined by commas. Key ends with the opening bracket.
func appendCodes(dst []byte, key, list string) []byte {
	dst = append(dst, key...)
	first := true
	for rest := list; rest != ""; {
		var code string
		if code, rest, _ = strings.Cut(rest, ","); code == "" {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendString(dst, code)
	}
	return append(dst, ']')
}

// activities appends the descriptions of the codes of a list joined by commas, in its order. A code that the list
// repeats is described once: a key comes once in an object. Key ends with the opening brace.
func (r *renderer) activities(dst []byte, key, list string) []byte {
	dst = append(dst, key...)
	first := true
	for rest := list; rest != ""; {
		before := list[:len(list)-len(rest)]
		var code string
		if code, rest, _ = strings.Cut(rest, ","); code == "" || lists(before, code) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendString(dst, code)
		dst = r.description(dst, `:`, registry.DomainCNAE, code)
	}
	return append(dst, '}')
}

// lists reports whether a list, in which every code is followed by a comma, holds code.
func lists(list, code string) bool {
	for from := 0; ; {
		i := strings.Index(list[from:], code)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(code)
		if list[end] == ',' && (start == 0 || list[start-1] == ',') {
			return true
		}
		from = end
	}
}
