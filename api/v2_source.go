package api

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"razao/internal/registry"
	"razao/internal/source"
	"razao/internal/web"
)

// sources appends registros_publicos: the first page of every source, in groups by theme.
func (r *v2Renderer) sources(ctx context.Context, dst []byte) []byte {
	pages := r.view.Sources(ctx, r.document, r.limit)
	theme := ""
	for i := range pages {
		p := &pages[i]
		switch {
		case i == 0:
			dst = append(dst, `{"`...)
		case p.Source.Theme != theme:
			dst = append(dst, `},"`...)
		default:
			dst = append(dst, ',')
		}
		if p.Source.Theme != theme {
			theme = p.Source.Theme
			dst = append(dst, theme...)
			dst = append(dst, `":{`...)
		}
		dst = append(dst, '"')
		dst = append(dst, p.Source.ID...)
		dst = append(dst, `":`...)
		dst = r.sourcePage(ctx, dst, p)
	}
	return append(dst, "}}"...)
}

// source appends a page of one source.
func (r *v2Renderer) source(ctx context.Context, dst []byte) ([]byte, error) {
	page, found := r.view.Source(ctx, r.fonte, r.document, r.page())
	if !found {
		return dst, errNoSource
	}
	return r.sourcePage(ctx, dst, &page), nil
}

func (r *v2Renderer) sourcePage(ctx context.Context, dst []byte, p *registry.SourcePage) []byte {
	dst = append(dst, `{"status":"`...)
	dst = append(dst, p.Status...)
	dst = append(dst, `","escopo":"`...)
	dst = append(dst, p.Scope...)
	dst = append(dst, `","documento":"`...)
	dst = append(dst, r.text...)
	dst = append(dst, '"')
	dst = appendLoad(dst, &p.Source, p.Load, r.now)
	dst = append(dst, `,"itens":[`...)
	if p.Status == registry.Unavailable || p.Status == registry.Failed {
		r.partial = true
		if p.Err != nil {
			web.EventOf(ctx).Fail(fmt.Errorf("source %s: %w", p.Source.ID, p.Err))
		}
		return appendEnd(append(dst, `],"total":null`...))
	}
	for i := range p.Items {
		dst = appendComma(dst, i)
		dst = appendItem(dst, &p.Items[i])
	}
	dst = append(dst, `],"total":`...)
	dst = strconv.AppendInt(dst, int64(p.Total), 10)
	next, more := p.Next()
	if !more {
		return appendEnd(dst)
	}
	return r.next(dst, r.address(sourcePath+p.Source.ID), p.Load.ID, next)
}

// appendItem appends a record: an object with every field of its source, by kind.
func appendItem(dst []byte, it *registry.Item) []byte {
	for i := range it.Fields {
		if i == 0 {
			dst = append(dst, `{"`...)
		} else {
			dst = append(dst, `,"`...)
		}
		dst = append(dst, it.Fields[i].Name...)
		dst = append(dst, `":`...)
		switch value := it.Values[i]; {
		case value == "":
			dst = append(dst, "null"...)
		case it.Fields[i].Kind == source.Number || it.Fields[i].Kind == source.JSON:
			dst = append(dst, value...) // a JSON value as it is kept
		default:
			dst = appendString(dst, value)
		}
	}
	return append(dst, '}')
}

// appendLoad appends what is known of the load of a source, from the comma on; l is nil when there is none.
func appendLoad(dst []byte, src *source.Source, l *registry.Load, now time.Time) []byte {
	if l == nil {
		return append(dst, `,"competencia":null,"carregada_em":null,"cobertura_inicio":null,"desatualizada":null,"proveniencia":null`...)
	}
	dst = appendOptionalField(dst, `,"competencia":`, l.Period)
	dst = append(dst, `,"carregada_em":`...)
	if l.FinishedAt == nil {
		dst = append(dst, "null"...)
	} else {
		dst = l.FinishedAt.UTC().AppendFormat(dst, `"2006-01-02T15:04:05Z"`)
	}
	dst = appendOptionalField(dst, `,"cobertura_inicio":`, l.CoverageStart)
	dst = append(dst, `,"desatualizada":`...)
	if stale := src.Stale(l.Period, now); stale == nil {
		dst = append(dst, "null"...)
	} else {
		dst = strconv.AppendBool(dst, *stale)
	}
	dst = append(dst, `,"proveniencia":`...)
	return appendProvenance(dst, &l.Provenance)
}

func appendProvenance(dst []byte, p *registry.Provenance) []byte {
	dst = appendTextField(dst, `{"orgao":`, p.Orgao)
	dst = appendTextField(dst, `,"conjunto":`, p.Conjunto)
	dst = appendTextField(dst, `,"url":`, p.URL)
	dst = appendTextField(dst, `,"licenca":`, p.Licenca)
	if p.Atribuicao != "" {
		dst = appendTextField(dst, `,"atribuicao":`, p.Atribuicao)
	}
	if p.Metodologia != "" {
		dst = appendTextField(dst, `,"metodologia_url":`, p.Metodologia)
	}
	dst = append(dst, `,"arquivos":[`...)
	for i := range p.Arquivos {
		f := &p.Arquivos[i]
		dst = appendComma(dst, i)
		dst = appendTextField(dst, `{"nome":`, f.Nome)
		dst = appendIntField(dst, `,"bytes":`, f.Bytes)
		dst = appendTextField(dst, `,"sha256":`, f.SHA256)
		dst = append(dst, '}')
	}
	dst = append(dst, ']')
	dst = appendTexts(dst, `,"faltantes":[`, p.Faltantes)
	dst = appendTexts(dst, `,"observacoes":[`, p.Observacoes)
	dst = appendIntField(dst, `,"linhas_lidas":`, p.LinhasLidas)
	dst = appendIntField(dst, `,"linhas_carregadas":`, p.LinhasCarregadas)
	dst = appendIntField(dst, `,"linhas_rejeitadas":`, p.LinhasRejeitadas)
	dst = appendIntField(dst, `,"linhas_descartadas":`, p.LinhasDescartadas)
	return append(dst, '}')
}

// appendTexts appends a list of texts, nothing when it is empty. Key ends with the opening bracket.
func appendTexts(dst []byte, key string, texts []string) []byte {
	if len(texts) == 0 {
		return dst
	}
	dst = append(dst, key...)
	for i, text := range texts {
		dst = appendComma(dst, i)
		dst = appendString(dst, text)
	}
	return append(dst, ']')
}
