package api

import (
	"maps"
	"slices"

	"razao/index"
	"razao/internal/data/glossary"
	"razao/internal/data/record"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
)

// searchRenderer renders the response of one search.
type searchRenderer struct {
	*render.Renderer
	searchRequest
	cursors cursorSigner
	state   int64        // for the next cursor
	counts  index.Facets // read-only; nil: not requested
	// describe returns the name of a condition's value, "" if it has none.
	describe func(index.Condition) string
	partial  bool // the search depends on a source without load or flags
}

// dados appends a page of results. Pages end at found.Total even when that is a floor
// (index.MaxTotal): no cursor leads beyond it.
func (r *searchRenderer) dados(dst []byte, found *snapshot.Found) []byte {
	dst = append(dst, `{"itens":[`...)
	for i := range found.Matches {
		dst = r.hit(render.AppendComma(dst, i), &found.Matches[i])
	}
	dst = render.AppendInt(dst, `],"total":`, int64(found.Total))
	dst = appendBool(dst, `,"total_minimo":`, found.TotalIsFloor)
	dst = render.AppendInt(dst, `,"nao_procurados":`, int64(found.Unsought))
	dst = render.AppendInt(dst, `,"estabelecimentos":`, int64(found.Establishments))
	dst = r.understood(append(dst, `,"entendido":`...), &found.Understood)
	dst = appendCaveats(append(dst, `,"avisos":`...), found.Caveats)
	dst = r.facetas(append(dst, `,"facetas":`...))
	next := r.Offset + len(found.Matches)
	if len(found.Matches) == 0 || next >= found.Total {
		return append(dst, lastPage...)
	}
	return r.at.next(dst, r.cursors, r.state, next)
}

// hit appends one result: fields of the establishment and its company, and the reason of the match.
// hitFields describes the same fields. Contacts and streets are left to the full record.
func (r *searchRenderer) hit(dst []byte, m *snapshot.Match) []byte {
	c, e := &m.Company, &m.Establishment
	number, root := e.CNPJ.String(), m.Root.String()
	dst = render.AppendText(dst, `{"cnpj":`, number)
	dst = render.AppendText(dst, `,"cnpj_basico":`, root)
	dst = render.AppendText(dst, `,"razao_social":`, c.RazaoSocial)
	dst = render.AppendText(dst, `,"nome_fantasia":`, e.NomeFantasia)
	dst = render.AppendText(dst, `,"identificador_matriz_filial":`, e.IdentificadorMatrizFilial)
	dst = render.AppendText(dst, `,"situacao_cadastral":`, e.SituacaoCadastral)
	dst = render.AppendDate(dst, `,"data_inicio_atividade":`, e.DataInicioAtividade)
	dst = render.AppendText(dst, `,"cnae_fiscal_principal":`, e.CNAEFiscalPrincipal)
	dst = render.AppendText(dst, `,"porte_empresa":`, c.PorteEmpresa)
	dst = render.AppendCents(dst, `,"capital_social":`, c.CapitalSocial)
	dst = render.AppendText(dst, `,"uf":`, e.UF)
	dst = render.AppendText(dst, `,"municipio":`, e.Municipio)
	dst = render.AppendText(dst, `,"codigo_municipio_ibge":`, r.IBGE(e.Municipio))
	dst = r.AppendMeaning(dst, `,"descricoes":{"identificador_matriz_filial":`, record.DomainMatrizFilial, e.IdentificadorMatrizFilial)
	dst = r.AppendMeaning(dst, `,"situacao_cadastral":`, record.DomainSituacao, e.SituacaoCadastral)
	dst = r.AppendMeaning(dst, `,"cnae_fiscal_principal":`, record.DomainCNAE, e.CNAEFiscalPrincipal)
	dst = r.AppendMeaning(dst, `,"porte_empresa":`, record.DomainPorte, c.PorteEmpresa)
	dst = r.AppendMeaning(dst, `,"municipio":`, record.DomainMunicipio, e.Municipio)
	dst = render.AppendText(dst, `},"motivo":`, m.Why.Word())
	dst = append(dst, `,"socio":`...)
	if m.Partner == nil {
		dst = append(dst, "null"...)
	} else {
		dst = render.AppendString(dst, m.Partner.NomeSocio)
	}
	dst = render.AppendInt(dst, `,"estabelecimentos_da_empresa":`, int64(m.Head.Establishments))
	if r.ByCompany {
		return append(render.AppendText(dst, `,"url":`, "/v2/"+companyResource.plural+"/"+root+"/full"), '}')
	}
	return append(render.AppendText(dst, `,"url":`, "/v2/"+establishmentResource.plural+"/"+number+"/full"), '}')
}

// appendCaveats appends what an answer does not say, each with its evidence.
func appendCaveats(dst []byte, caveats []glossary.Caveat) []byte {
	dst = append(dst, '[')
	for i := range caveats {
		c := &caveats[i]
		dst = render.AppendText(render.AppendComma(dst, i), `{"termo":`, c.ID)
		dst = render.AppendText(dst, `,"texto":`, c.Text)
		dst = render.AppendText(dst, `,"evidencia":`, c.Origin.Text)
		dst = append(render.AppendText(dst, `,"url":`, c.Path()), '}')
	}
	return append(dst, ']')
}

// understood appends how the query was interpreted: words taken as places or filters, corrected or
// dropped words, phrases, municipalities of this name.
func (r *searchRenderer) understood(dst []byte, u *index.Understood) []byte {
	dst = append(dst, `{"lugares":[`...)
	for i, place := range u.Places {
		dst = render.AppendText(render.AppendComma(dst, i), `{"palavras":`, place.Words)
		dst = render.AppendText(dst, `,"uf":`, place.UF)
		dst = render.AppendText(dst, `,"municipio":`, place.Municipio)
		dst = append(r.AppendMeaning(dst, `,"descricoes":{"municipio":`, record.DomainMunicipio, place.Municipio), "}}"...)
	}
	dst = append(dst, `],"condicoes":[`...)
	for i, c := range u.Conditions {
		dst = render.AppendText(render.AppendComma(dst, i), `{"palavras":`, c.Words)
		dst = render.AppendText(dst, `,"filtro":`, c.Name)
		dst = render.AppendText(dst, `,"valor":`, c.Value)
		dst = append(render.AppendText(dst, `,"descricao":`, r.describe(c)), '}')
	}
	dst = append(dst, `],"correcoes":[`...)
	for i, c := range u.Corrections {
		dst = render.AppendText(render.AppendComma(dst, i), `{"de":`, c.From)
		dst = append(render.AppendText(dst, `,"para":`, c.To), '}')
	}
	dst = appendTexts(append(dst, `],"palavras_deixadas":`...), u.Dropped)
	dst = appendTexts(append(dst, `,"frases":`...), u.Phrases)
	dst = append(render.AppendTextOrNull(dst, `,"atividade":`, u.Activity), `,"municipios":[`...)
	for i, code := range u.Towns {
		dst = render.AppendText(render.AppendComma(dst, i), `{"municipio":`, code)
		dst = render.AppendText(dst, `,"codigo_municipio_ibge":`, r.IBGE(code))
		dst = append(r.AppendMeaning(dst, `,"descricoes":{"municipio":`, record.DomainMunicipio, code), "}}"...)
	}
	return append(dst, "]}"...)
}

// facetDomains has the code tables that describe facet values, by filter.
var facetDomains = map[string]record.Domain{
	"municipio": record.DomainMunicipio, "situacao": record.DomainSituacao, "porte": record.DomainPorte, "natureza": record.DomainNatureza,
	"cnae_abaixo": record.DomainCNAE,
}

// facetas appends how many establishments have each value of a filter, null if not requested. Keys
// are sorted, because the ETag needs a stable order.
func (r *searchRenderer) facetas(dst []byte) []byte {
	if r.counts == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(r.counts)) {
		dst = render.AppendString(render.AppendComma(dst, i), name)
		dst = append(dst, `:[`...)
		for n, v := range r.counts[name] {
			dst = render.AppendText(render.AppendComma(dst, n), `{"valor":`, v.Value)
			dst = r.AppendMeaning(dst, `,"descricao":`, facetDomains[name], v.Value)
			dst = append(render.AppendInt(dst, `,"estabelecimentos":`, v.Count), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendBool(dst []byte, key string, b bool) []byte {
	if b {
		return append(append(dst, key...), "true"...)
	}
	return append(append(dst, key...), "false"...)
}

func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		dst = render.AppendString(render.AppendComma(dst, i), text)
	}
	return append(dst, ']')
}
