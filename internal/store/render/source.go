package render

import (
	"strconv"
	"time"

	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// AppendRecords appends a page of a source: its load, "itens" and "total". The object is left open
// for the cursor. A page that was not answered has no items and a null total, which is not a total
// of 0. document is the queried CNPJ, and now decides whether the load is stale.
func AppendRecords(dst []byte, p *registry.SourcePage, document string, now time.Time) []byte {
	dst = AppendSourcePage(dst, &record.SourcePage{
		Status: string(p.Status), Escopo: string(p.Scope), Documento: document, SourceLoad: sourceLoad(&p.Source, p.Load, now),
	})
	dst = append(dst, `,"itens":[`...)
	if !p.Answered() {
		return append(dst, `],"total":null`...)
	}
	for i := range p.Items {
		dst = AppendItem(AppendComma(dst, i), &p.Items[i])
	}
	dst = append(dst, `],"total":`...)
	return strconv.AppendInt(dst, int64(p.Total), 10)
}

// AppendSources appends pages of sources as an object of themes, each an object of source ids. The
// sources of a theme lie together, as in source.All. ends has the end of each page, for what
// AppendRecords leaves open.
func AppendSources(dst []byte, pages []registry.SourcePage, document string, now time.Time, ends []string) []byte {
	theme := ""
	for i := range pages {
		p := &pages[i]
		switch {
		case i == 0:
			dst = append(dst, `{"`...)
		case p.Source.Theme != theme:
			dst = append(dst, `},"`...)
		default:
			dst = append(dst, `,"`...)
		}
		if p.Source.Theme != theme {
			theme = p.Source.Theme
			dst = append(append(dst, theme...), `":{"`...)
		}
		dst = append(append(dst, p.Source.ID...), `":`...)
		dst = append(AppendRecords(dst, p, document, now), ends[i]...)
	}
	return append(dst, "}}"...)
}

// AppendItem appends a record of a source as an object with every field of its load, in their
// order. An empty value is null; numbers and JSON are stored as JSON and copied.
func AppendItem(dst []byte, it *pack.Item) []byte {
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
			dst = AppendString(dst, value)
		}
	}
	return append(dst, '}')
}

// AppendSource appends the entry of a source in the catalogue: its description, the load in service
// and the history. l is nil without a load; the numbers of its records and of CNPJs with records
// are then null. availability is disponivel, indisponivel or erro.
func AppendSource(
	dst []byte, src *source.Source, availability string, l *registry.Load, history record.SourceHistory, now time.Time,
) []byte {
	dst = AppendSourceEntry(dst, &record.SourceEntry{
		ID: src.ID, Tema: src.Theme, Titulo: src.Title, Descricao: src.Description, Orgao: src.Orgao, Licenca: src.Licenca,
		TipoPeriodo: src.PeriodKind, Disponibilidade: availability, SourceLoad: sourceLoad(src, l, now),
		Conjunto: src.Conjunto, URL: src.URL, Periodicidade: src.Rhythm(), AntigaApos: int64(src.StaleAfter), SourceHistory: history,
	})
	if l == nil {
		return append(dst, `,"cnpjs":null,"total":null}`...)
	}
	dst = AppendInt(dst, `,"cnpjs":`, l.Counts.Owners)
	dst = AppendInt(dst, `,"total":`, l.Counts.Records)
	return append(dst, '}')
}

// sourceLoad returns what is published about a load; the zero value, all nulls, for nil.
// Desatualizada stays unknown if neither rhythm nor period tell (source.Stale).
func sourceLoad(src *source.Source, l *registry.Load, now time.Time) record.SourceLoad {
	if l == nil {
		return record.SourceLoad{}
	}
	out := record.SourceLoad{
		Competencia: l.Period, CarregadaEm: l.FinishedAt, CoberturaInicio: l.CoverageStart, Proveniencia: &l.Provenance,
	}
	if stale := src.Stale(l.Period, now); stale != nil {
		out.Desatualizada = record.No
		if *stale {
			out.Desatualizada = record.Yes
		}
	}
	return out
}
