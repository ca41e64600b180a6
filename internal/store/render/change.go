package render

import (
	"razao/internal/data/change"
	"razao/internal/data/record"
	"razao/internal/store/journal"
)

// AppendEvent appends an event of the history with its values before and after, and the names of
// those that changed and are hidden.
func (r *Renderer) AppendEvent(dst []byte, c *journal.Change) []byte {
	head := record.Change{
		Evento: c.Code(), Data: c.Date, Fonte: c.Load.Source, Competencia: c.Load.Period, ComparadaCom: c.Load.FormerPeriod,
		VistaEm: journal.DayOf(c.Load.AnnouncedAt), Carga: c.Load.ID,
	}
	if number, ok := c.Number(); ok {
		head.CNPJ = number.String()
	}
	if c.Kind.Info().Part == change.Partners {
		head.Socio = &record.ChangedPartner{IdentificadorSocio: c.Partner.Type, NomeSocio: c.Partner.Name, CNPJCPFSocio: c.Partner.Document}
	}
	dst = AppendChange(dst, c.Root, &head)
	fields := c.Kind.Declared()
	dst = r.appendSide(append(dst, `,"antes":`...), fields, c.Before)
	dst = r.appendSide(append(dst, `,"depois":`...), fields, c.After)
	dst = append(dst, `,"ocultos":[`...)
	for i, name := range c.Withheld {
		dst = AppendString(AppendComma(dst, i), name)
	}
	return append(dst, "]}"...)
}

// appendSide appends the values of one side of an event as records have them, with the meaning of
// their codes; null if there is no such side.
func (r *Renderer) appendSide(dst []byte, fields []record.Field, values []string) []byte {
	if values == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	described := 0
	for i := range fields {
		f := &fields[i]
		dst = append(AppendComma(dst, i), '"')
		dst = append(append(dst, f.Name...), `":`...)
		dst = appendValue(dst, f.Kind, values[i])
		if f.Domain != "" {
			described++
		}
	}
	if described == 0 {
		return append(dst, '}')
	}
	dst = append(dst, `,"descricoes":{`...)
	described = 0
	for i := range fields {
		f := &fields[i]
		if f.Domain == "" {
			continue
		}
		dst = append(AppendComma(dst, described), '"')
		dst = append(append(dst, f.Name...), `":`...)
		if f.Kind == record.Codes {
			dst = r.appendMeanings(dst, "{", f.Domain, values[i])
		} else {
			dst = r.AppendMeaning(dst, "", f.Domain, values[i])
		}
		described++
	}
	return append(dst, "}}"...)
}

// appendValue appends a value of an event (change.Event) in the form that fields of its kind have.
func appendValue(dst []byte, kind record.Kind, value string) []byte {
	switch kind {
	case record.Codes:
		return appendCodes(dst, "[", value)
	case record.YesOrNo:
		return AppendFlag(dst, "", map[string]record.Flag{"S": record.Yes, "N": record.No}[value])
	case record.Amount, record.Count:
		if value == "" {
			return append(dst, "null"...)
		}
		return append(dst, value...) // a number as JSON writes it
	case record.Day:
		return AppendTextOrNull(dst, "", value)
	}
	return AppendString(dst, value)
}
