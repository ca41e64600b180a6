// Code generated from the tables of package record by go generate; DO NOT EDIT.

package render

import (
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// AppendCompany appends the object Empresa without its last brace, for what else belongs inside.
func (r *Renderer) AppendCompany(dst []byte, root cnpj.Root, v *record.Company) []byte {
	dst = appendRoot(dst, `{"cnpj_basico":`, root)
	dst = AppendText(dst, `,"razao_social":`, v.RazaoSocial)
	dst = AppendText(dst, `,"natureza_juridica":`, v.NaturezaJuridica)
	dst = AppendText(dst, `,"qualificacao_responsavel":`, v.QualificacaoResponsavel)
	dst = AppendCents(dst, `,"capital_social":`, v.CapitalSocial)
	dst = AppendText(dst, `,"porte_empresa":`, v.PorteEmpresa)
	dst = AppendText(dst, `,"ente_federativo_responsavel":`, v.EnteFederativoResponsavel)
	dst = r.AppendMeaning(dst, `,"descricoes":{"natureza_juridica":`, "natureza_juridica", v.NaturezaJuridica)
	dst = r.AppendMeaning(dst, `,"qualificacao_responsavel":`, "qualificacao", v.QualificacaoResponsavel)
	dst = r.AppendMeaning(dst, `,"porte_empresa":`, "porte_empresa", v.PorteEmpresa)
	return append(dst, '}')
}

// AppendEstablishment appends the object Estabelecimento.
func (r *Renderer) AppendEstablishment(dst []byte, v *record.Establishment) []byte {
	dst, number := appendNumber(dst, `{"cnpj":`, v.CNPJ)
	dst = appendPart(dst, `,"cnpj_basico":`, number[:8])
	dst = appendPart(dst, `,"cnpj_ordem":`, number[8:12])
	dst = appendPart(dst, `,"cnpj_dv":`, number[12:])
	dst = AppendText(dst, `,"identificador_matriz_filial":`, v.IdentificadorMatrizFilial)
	dst = AppendText(dst, `,"nome_fantasia":`, v.NomeFantasia)
	dst = AppendText(dst, `,"situacao_cadastral":`, v.SituacaoCadastral)
	dst = AppendDate(dst, `,"data_situacao_cadastral":`, v.DataSituacaoCadastral)
	dst = AppendText(dst, `,"motivo_situacao_cadastral":`, v.MotivoSituacaoCadastral)
	dst = AppendText(dst, `,"nome_cidade_exterior":`, v.NomeCidadeExterior)
	dst = AppendText(dst, `,"pais":`, v.Pais)
	dst = AppendDate(dst, `,"data_inicio_atividade":`, v.DataInicioAtividade)
	dst = AppendText(dst, `,"cnae_fiscal_principal":`, v.CNAEFiscalPrincipal)
	dst = appendCodes(dst, `,"cnae_fiscal_secundaria":[`, v.CNAEFiscalSecundaria)
	dst = AppendText(dst, `,"tipo_logradouro":`, v.TipoLogradouro)
	dst = AppendText(dst, `,"logradouro":`, v.Logradouro)
	dst = AppendText(dst, `,"numero":`, v.Numero)
	dst = AppendText(dst, `,"complemento":`, v.Complemento)
	dst = AppendText(dst, `,"bairro":`, v.Bairro)
	dst = AppendText(dst, `,"cep":`, v.CEP)
	dst = AppendText(dst, `,"uf":`, v.UF)
	dst = AppendText(dst, `,"municipio":`, v.Municipio)
	dst = AppendText(dst, `,"codigo_municipio_ibge":`, r.ibge(v.Municipio))
	dst = AppendText(dst, `,"ddd_1":`, v.DDD1)
	dst = AppendText(dst, `,"telefone_1":`, v.Telefone1)
	dst = AppendText(dst, `,"ddd_2":`, v.DDD2)
	dst = AppendText(dst, `,"telefone_2":`, v.Telefone2)
	dst = AppendText(dst, `,"ddd_fax":`, v.DDDFax)
	dst = AppendText(dst, `,"fax":`, v.Fax)
	dst = AppendText(dst, `,"correio_eletronico":`, v.CorreioEletronico)
	dst = AppendText(dst, `,"situacao_especial":`, v.SituacaoEspecial)
	dst = AppendDate(dst, `,"data_situacao_especial":`, v.DataSituacaoEspecial)
	dst = r.AppendMeaning(dst, `,"descricoes":{"identificador_matriz_filial":`, "identificador_matriz_filial", v.IdentificadorMatrizFilial)
	dst = r.AppendMeaning(dst, `,"situacao_cadastral":`, "situacao_cadastral", v.SituacaoCadastral)
	dst = r.AppendMeaning(dst, `,"motivo_situacao_cadastral":`, "motivo", v.MotivoSituacaoCadastral)
	dst = r.AppendMeaning(dst, `,"pais":`, "pais", v.Pais)
	dst = r.AppendMeaning(dst, `,"cnae_fiscal_principal":`, "cnae", v.CNAEFiscalPrincipal)
	dst = r.appendMeanings(dst, `,"cnae_fiscal_secundaria":{`, "cnae", v.CNAEFiscalSecundaria)
	dst = r.AppendMeaning(dst, `,"municipio":`, "municipio", v.Municipio)
	return append(dst, "}}"...)
}

// AppendPartner appends the object Socio.
func (r *Renderer) AppendPartner(dst []byte, v *record.Partner) []byte {
	dst = AppendText(dst, `{"identificador_socio":`, v.IdentificadorSocio)
	dst = AppendText(dst, `,"nome_socio":`, v.NomeSocio)
	dst = AppendText(dst, `,"cnpj_cpf_socio":`, v.CNPJCPFSocio)
	dst = AppendText(dst, `,"qualificacao_socio":`, v.QualificacaoSocio)
	dst = AppendDate(dst, `,"data_entrada_sociedade":`, v.DataEntradaSociedade)
	dst = AppendText(dst, `,"pais":`, v.Pais)
	dst = AppendText(dst, `,"representante_legal":`, v.RepresentanteLegal)
	dst = AppendText(dst, `,"nome_representante":`, v.NomeRepresentante)
	dst = AppendText(dst, `,"qualificacao_representante_legal":`, v.QualificacaoRepresentanteLegal)
	dst = AppendText(dst, `,"faixa_etaria":`, v.FaixaEtaria)
	dst = r.AppendMeaning(dst, `,"descricoes":{"identificador_socio":`, "identificador_socio", v.IdentificadorSocio)
	dst = r.AppendMeaning(dst, `,"qualificacao_socio":`, "qualificacao", v.QualificacaoSocio)
	dst = r.AppendMeaning(dst, `,"pais":`, "pais", v.Pais)
	dst = r.AppendMeaning(dst, `,"qualificacao_representante_legal":`, "qualificacao", v.QualificacaoRepresentanteLegal)
	dst = r.AppendMeaning(dst, `,"faixa_etaria":`, "faixa_etaria", v.FaixaEtaria)
	return append(dst, "}}"...)
}

// AppendSimples appends the object Simples.
func AppendSimples(dst []byte, v *record.Simples) []byte {
	dst = AppendFlag(dst, `{"opcao_pelo_simples":`, v.OpcaoPeloSimples)
	dst = AppendDate(dst, `,"data_opcao_pelo_simples":`, v.DataOpcaoPeloSimples)
	dst = AppendDate(dst, `,"data_exclusao_simples":`, v.DataExclusaoSimples)
	dst = AppendFlag(dst, `,"opcao_pelo_mei":`, v.OpcaoPeloMEI)
	dst = AppendDate(dst, `,"data_opcao_pelo_mei":`, v.DataOpcaoPeloMEI)
	dst = AppendDate(dst, `,"data_exclusao_mei":`, v.DataExclusaoMEI)
	return append(dst, '}')
}

// AppendSourcePage appends the object Pagina without its last brace, for what else belongs inside.
func AppendSourcePage(dst []byte, v *record.SourcePage) []byte {
	dst = AppendText(dst, `{"status":`, v.Status)
	dst = AppendText(dst, `,"escopo":`, v.Escopo)
	dst = AppendText(dst, `,"documento":`, v.Documento)
	dst = AppendTextOrNull(dst, `,"competencia":`, v.Competencia)
	dst = AppendTime(dst, `,"carregada_em":`, v.CarregadaEm)
	dst = AppendTextOrNull(dst, `,"cobertura_inicio":`, v.CoberturaInicio)
	dst = AppendFlag(dst, `,"desatualizada":`, v.Desatualizada)
	if dst = append(dst, `,"proveniencia":`...); v.Proveniencia == nil {
		dst = append(dst, "null"...)
	} else {
		dst = AppendProvenance(dst, v.Proveniencia)
	}
	return dst
}

// AppendSourceEntry appends the object Fonte without its last brace, for what else belongs inside.
func AppendSourceEntry(dst []byte, v *record.SourceEntry) []byte {
	dst = AppendText(dst, `{"id":`, v.ID)
	dst = AppendText(dst, `,"tema":`, v.Tema)
	dst = AppendText(dst, `,"titulo":`, v.Titulo)
	dst = AppendText(dst, `,"descricao":`, v.Descricao)
	dst = AppendText(dst, `,"orgao":`, v.Orgao)
	dst = AppendText(dst, `,"licenca":`, v.Licenca)
	dst = AppendText(dst, `,"tipo_periodo":`, v.TipoPeriodo)
	dst = AppendText(dst, `,"disponibilidade":`, v.Disponibilidade)
	dst = AppendTextOrNull(dst, `,"competencia":`, v.Competencia)
	dst = AppendTime(dst, `,"carregada_em":`, v.CarregadaEm)
	dst = AppendTextOrNull(dst, `,"cobertura_inicio":`, v.CoberturaInicio)
	dst = AppendFlag(dst, `,"desatualizada":`, v.Desatualizada)
	if dst = append(dst, `,"proveniencia":`...); v.Proveniencia == nil {
		dst = append(dst, "null"...)
	} else {
		dst = AppendProvenance(dst, v.Proveniencia)
	}
	dst = AppendText(dst, `,"conjunto":`, v.Conjunto)
	dst = AppendText(dst, `,"url":`, v.URL)
	dst = AppendTextOrNull(dst, `,"periodicidade":`, v.Periodicidade)
	dst = AppendInt(dst, `,"desatualizada_apos_dias":`, v.AntigaApos)
	dst = append(dst, `,"deixadas_de_fora":[`...)
	for i := range v.DeixadasDeFora {
		dst = AppendLeftOut(AppendComma(dst, i), &v.DeixadasDeFora[i])
	}
	dst = append(dst, ']')
	dst = append(dst, `,"rejeitadas":[`...)
	for i := range v.Rejeitadas {
		dst = AppendRejectedIn(AppendComma(dst, i), &v.Rejeitadas[i])
	}
	dst = append(dst, ']')
	dst = append(dst, `,"cargas":[`...)
	for i := range v.Cargas {
		dst = AppendPastLoad(AppendComma(dst, i), &v.Cargas[i])
	}
	dst = append(dst, ']')
	return dst
}

// AppendProvenance appends the object Proveniencia.
func AppendProvenance(dst []byte, v *record.Provenance) []byte {
	dst = AppendText(dst, `{"orgao":`, v.Orgao)
	dst = AppendText(dst, `,"conjunto":`, v.Conjunto)
	dst = AppendText(dst, `,"url":`, v.URL)
	dst = AppendText(dst, `,"licenca":`, v.Licenca)
	dst = AppendTextOrNone(dst, `,"atribuicao":`, v.Atribuicao)
	dst = AppendTextOrNone(dst, `,"metodologia_url":`, v.Metodologia)
	dst = append(dst, `,"arquivos":[`...)
	for i := range v.Arquivos {
		dst = AppendSourceFile(AppendComma(dst, i), &v.Arquivos[i])
	}
	dst = append(dst, ']')
	dst = appendTexts(dst, `,"faltantes":[`, v.Faltantes)
	dst = appendTexts(dst, `,"observacoes":[`, v.Observacoes)
	dst = AppendInt(dst, `,"linhas_lidas":`, v.LinhasLidas)
	dst = AppendInt(dst, `,"linhas_carregadas":`, v.LinhasCarregadas)
	dst = AppendInt(dst, `,"linhas_rejeitadas":`, v.LinhasRejeitadas)
	dst = AppendInt(dst, `,"linhas_descartadas":`, v.LinhasDescartadas)
	return append(dst, '}')
}

// AppendSourceFile appends the object Arquivo.
func AppendSourceFile(dst []byte, v *record.SourceFile) []byte {
	dst = AppendText(dst, `{"nome":`, v.Nome)
	dst = AppendInt(dst, `,"bytes":`, v.Bytes)
	dst = AppendText(dst, `,"sha256":`, v.SHA256)
	return append(dst, '}')
}

// AppendPastLoad appends the object Carga.
func AppendPastLoad(dst []byte, v *record.PastLoad) []byte {
	dst = AppendTextOrNull(dst, `{"competencia":`, v.Competencia)
	dst = AppendTime(dst, `,"carregada_em":`, v.CarregadaEm)
	dst = AppendText(dst, `,"situacao":`, v.Situacao)
	dst = AppendFlag(dst, `,"vinculos_refeitos":`, v.VinculosRefeitos)
	dst = AppendFlag(dst, `,"forcada":`, v.Forcada)
	dst = AppendInt(dst, `,"linhas_lidas":`, v.LinhasLidas)
	dst = AppendInt(dst, `,"registros":`, v.Registros)
	dst = AppendInt(dst, `,"linhas_rejeitadas":`, v.LinhasRejeitadas)
	dst = AppendInt(dst, `,"linhas_descartadas":`, v.LinhasDescartadas)
	return append(dst, '}')
}

// AppendLeftOut appends the object Regra.
func AppendLeftOut(dst []byte, v *record.LeftOut) []byte {
	dst = AppendText(dst, `{"regra":`, v.Regra)
	dst = AppendText(dst, `,"motivo":`, v.Motivo)
	dst = AppendInt(dst, `,"linhas":`, v.Linhas)
	return append(dst, '}')
}

// AppendRejectedIn appends the object Rejeicao.
func AppendRejectedIn(dst []byte, v *record.RejectedIn) []byte {
	dst = AppendTextOrNull(dst, `{"coluna":`, v.Coluna)
	dst = AppendInt(dst, `,"linhas":`, v.Linhas)
	return append(dst, '}')
}

// AppendChange appends the object Mudanca without its last brace, for what else belongs inside.
func AppendChange(dst []byte, root cnpj.Root, v *record.Change) []byte {
	dst = appendRoot(dst, `{"cnpj_basico":`, root)
	dst = AppendTextOrNull(dst, `,"cnpj":`, v.CNPJ)
	dst = AppendText(dst, `,"evento":`, v.Evento)
	dst = AppendDate(dst, `,"data":`, v.Data)
	dst = AppendText(dst, `,"fonte":`, v.Fonte)
	dst = AppendTextOrNull(dst, `,"competencia":`, v.Competencia)
	dst = AppendTextOrNull(dst, `,"comparada_com":`, v.ComparadaCom)
	dst = AppendDate(dst, `,"vista_em":`, v.VistaEm)
	dst = AppendInt(dst, `,"carga":`, v.Carga)
	if dst = append(dst, `,"socio":`...); v.Socio == nil {
		dst = append(dst, "null"...)
	} else {
		dst = AppendChangedPartner(dst, v.Socio)
	}
	return dst
}

// AppendChangedPartner appends the object SocioDaMudanca.
func AppendChangedPartner(dst []byte, v *record.ChangedPartner) []byte {
	dst = AppendText(dst, `{"identificador_socio":`, v.IdentificadorSocio)
	dst = AppendText(dst, `,"nome_socio":`, v.NomeSocio)
	dst = AppendText(dst, `,"cnpj_cpf_socio":`, v.CNPJCPFSocio)
	return append(dst, '}')
}

// AppendCoverage appends the object CoberturaDaHistoria.
func AppendCoverage(dst []byte, v *record.Coverage) []byte {
	dst = AppendText(dst, `{"fonte":`, v.Fonte)
	if dst = append(dst, `,"desde":`...); v.Desde == nil {
		dst = append(dst, "null"...)
	} else {
		dst = AppendAnnouncedLoad(dst, v.Desde)
	}
	if dst = append(dst, `,"ate":`...); v.Ate == nil {
		dst = append(dst, "null"...)
	} else {
		dst = AppendAnnouncedLoad(dst, v.Ate)
	}
	dst = append(dst, `,"lacunas":[`...)
	for i := range v.Lacunas {
		dst = AppendGap(AppendComma(dst, i), &v.Lacunas[i])
	}
	dst = append(dst, ']')
	if dst = append(dst, `,"falha":`...); v.Falha == nil {
		dst = append(dst, "null"...)
	} else {
		dst = AppendFailedLoad(dst, v.Falha)
	}
	return append(dst, '}')
}

// AppendAnnouncedLoad appends the object CargaDaHistoria.
func AppendAnnouncedLoad(dst []byte, v *record.AnnouncedLoad) []byte {
	dst = AppendTextOrNull(dst, `{"competencia":`, v.Competencia)
	dst = AppendTextOrNull(dst, `,"comparada_com":`, v.ComparadaCom)
	dst = AppendDate(dst, `,"vista_em":`, v.VistaEm)
	dst = AppendInt(dst, `,"carga":`, v.Carga)
	return append(dst, '}')
}

// AppendGap appends the object Lacuna.
func AppendGap(dst []byte, v *record.Gap) []byte {
	dst = AppendTextOrNull(dst, `{"competencia":`, v.Competencia)
	dst = AppendTextOrNull(dst, `,"comparada_com":`, v.ComparadaCom)
	dst = AppendText(dst, `,"parte":`, v.Parte)
	dst = AppendText(dst, `,"motivo":`, v.Motivo)
	dst = AppendInt(dst, `,"carga":`, v.Carga)
	return append(dst, '}')
}

// AppendFailedLoad appends the object CargaFalha.
func AppendFailedLoad(dst []byte, v *record.FailedLoad) []byte {
	dst = AppendTextOrNull(dst, `{"competencia":`, v.Competencia)
	dst = AppendDate(dst, `,"em":`, v.Em)
	return append(dst, '}')
}

// AppendWithdrawnLoad appends the object CargaRetirada.
func AppendWithdrawnLoad(dst []byte, v *record.WithdrawnLoad) []byte {
	dst = AppendText(dst, `{"fonte":`, v.Fonte)
	dst = AppendTextOrNull(dst, `,"competencia":`, v.Competencia)
	dst = AppendInt(dst, `,"carga":`, v.Carga)
	return append(dst, '}')
}

// AppendNetworkMember appends the object MembroDaRede.
func (r *Renderer) AppendNetworkMember(dst []byte, v *record.NetworkMember) []byte {
	dst = AppendText(dst, `{"id":`, v.ID)
	dst = AppendText(dst, `,"tipo":`, v.Tipo)
	dst = AppendTextOrNull(dst, `,"nome":`, v.Nome)
	dst = AppendTextOrNull(dst, `,"cnpj":`, v.CNPJ)
	dst = AppendTextOrNull(dst, `,"documento":`, v.Documento)
	dst = appendCodes(dst, `,"faixas_etarias":[`, v.FaixasEtarias)
	dst = AppendText(dst, `,"pais":`, v.Pais)
	dst = AppendText(dst, `,"uf":`, v.UF)
	dst = AppendText(dst, `,"municipio":`, v.Municipio)
	dst = AppendText(dst, `,"situacao_cadastral":`, v.SituacaoCadastral)
	dst = AppendInt(dst, `,"distancia":`, v.Distancia)
	dst = r.appendMeanings(dst, `,"descricoes":{"faixas_etarias":{`, "faixa_etaria", v.FaixasEtarias)
	dst = r.AppendMeaning(dst, `,"pais":`, "pais", v.Pais)
	dst = r.AppendMeaning(dst, `,"municipio":`, "municipio", v.Municipio)
	dst = r.AppendMeaning(dst, `,"situacao_cadastral":`, "situacao_cadastral", v.SituacaoCadastral)
	return append(dst, "}}"...)
}

// AppendNetworkOmission appends the object ForaDaRede.
func AppendNetworkOmission(dst []byte, v *record.NetworkOmission) []byte {
	dst = AppendText(dst, `{"id":`, v.ID)
	dst = AppendInt(dst, `,"socios":`, v.Socios)
	dst = AppendInt(dst, `,"empresas":`, v.Empresas)
	return append(dst, '}')
}
