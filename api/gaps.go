package api

import (
	"slices"
	"strings"

	"razao/internal/data/change"
	"razao/internal/data/openapi"
	"razao/internal/store/registry"
	"razao/internal/store/render"
)

// partialHeader names on responses of v1, whose body has no place for it, the parts that the load has not whole.
const partialHeader = "X-Carga-Parcial"

// parts are the parts of the company registry that a route shows. Pages of sources and changes say themselves what they lack.
func (r *route) parts() (parts []change.Part) {
	if !r.walks {
		parts = append(parts, change.Companies, change.Simples)
	}
	if r.reads.partners {
		parts = append(parts, change.Partners)
	}
	if r.reads.establishments {
		parts = append(parts, change.Establishments)
	}
	return parts
}

// lackingOf is [registry.Load.Lacking] for those who may ask for no part.
func lackingOf(l *registry.Load, parts []change.Part) []change.Part {
	if len(parts) == 0 {
		return nil
	}
	return l.Lacking(parts...)
}

// appendGaps appends to "meta" the parts that the load has not whole and what they lack: nothing there is absence. Of a
// response without any it appends nothing. The ETag covers it, because no client may keep a whole response for a partial one.
func appendGaps(dst []byte, l *registry.Load, lacking []change.Part) []byte {
	if len(lacking) == 0 {
		return dst
	}
	dst = append(dst, `,"lacunas":[`...)
	for i, part := range lacking {
		dst = render.AppendText(render.AppendComma(dst, i), `{"parte":`, string(part))
		dst = append(appendTexts(append(dst, `,"arquivos":`...), l.Lacks(part)), '}')
	}
	return append(dst, ']')
}

// gapsField describes appendGaps.
func gapsField() openapi.Member {
	return openapi.Field("lacunas", append(openapi.List(component("LacunaDaCarga")), openapi.Field("description",
		"só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos")))
}

// gapSchema is the schema of a part that is named.
func gapSchema() openapi.Member {
	return openapi.Field("LacunaDaCarga", openapi.Record(
		"Uma parte que a carga não tem inteira.",
		openapi.Field("parte", openapi.Choice("a parte", string(change.Companies), string(change.Establishments), string(change.Partners), string(change.Simples))),
		openapi.Field("arquivos", append(openapi.List(openapi.Object{openapi.Field("type", "string")}), openapi.Field("description", "os arquivos publicados que faltaram à carga"))),
	))
}

// partNames joins parts for partialHeader.
func partNames(parts []change.Part) string {
	var names []string
	for _, part := range parts {
		names = append(names, string(part))
	}
	return strings.Join(names, ", ")
}

// isLower reports whether the total of a collection of the company is a lower bound.
func isLower(l *registry.Load, collection string) bool {
	return slices.Contains(l.Lacking(), change.Part(collection))
}
