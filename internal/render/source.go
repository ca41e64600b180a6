package render

import (
	"strconv"
	"time"

	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/source"
)

// AppendRecords appends a page of a source without its last brace: what is known of the load, the records and their number.
// document is the one that was asked about.
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

// AppendItem appends a record of a source: an object with every field, by kind.
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

// AppendSource appends a source of the catalogue with the load that is in service, nil when there is none, the number of its
// records and of the CNPJs that have them. availability is what the catalogue says of the load.
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

// sourceLoad returns what is said of the load of a source; l is nil when there is none.
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
