package openapi

import (
	"razao/internal/record"
	"razao/internal/source"
)

// Schemas of single values. A field is always present unless its table says otherwise; null and "" say that there is no value.

// Text is the schema of a text.
func Text(about string) Object { return Object{{"type", "string"}, {"description", about}} }

// TextOrNull is the schema of a text that may be null.
func TextOrNull(about string) Object { return described([]string{"string", "null"}, about) }

// Integer is the schema of a number that is not negative.
func Integer(about string) Object {
	return Object{{"type", "integer"}, {"minimum", 0}, {"description", about}}
}

// IntegerOrNull is the schema of such a number that may be null.
func IntegerOrNull(about string) Object {
	return Object{{"type", []string{"integer", "null"}}, {"minimum", 0}, {"description", about}}
}

// Choice is the schema of a text that is one of some values.
func Choice(about string, values ...string) Object {
	return Object{{"type", "string"}, {"enum", values}, {"description", about}}
}

// Pattern is the schema of a text that follows a pattern.
func Pattern(about, pattern string) Object {
	return Object{{"type", "string"}, {"pattern", pattern}, {"description", about}}
}

// UUID is the schema of a UUID.
func UUID(about string) Object {
	return Object{{"type", "string"}, {"format", "uuid"}, {"description", about}}
}

// List is the schema of a list.
func List(of Object) Object { return Object{{"type", "array"}, {"items", of}} }

// OrNull returns a schema that also takes null.
func OrNull(schema Object) Object { return Object{{"anyOf", []Object{schema, {{"type", "null"}}}}} }

// Record is the schema of an object that always has all its fields.
func Record(about string, fields ...Member) Object {
	required := []string{}
	for _, f := range fields {
		required = append(required, f.Key)
	}
	return object(about, required, fields)
}

func object(about string, required []string, fields []Member) Object {
	return Object{{"type", "object"}, {"description", about}, {"required", required}, {"properties", Object(fields)}}
}

func described(types []string, about string) Object {
	return Object{{"type", types}, {"description", about}}
}

// Table is the schema of the records of a table, with further fields at the end. What a record holds of another table refers to
// the component with that table's name.
func Table(t record.Table, further ...Member) Object {
	return table(t, func(of record.Table) Object { return Ref("schemas", of.Name) }, further)
}

// WholeTable is Table with no references: a JSON Schema that stands alone.
func WholeTable(t record.Table, further ...Member) Object {
	return table(t, func(of record.Table) Object { return WholeTable(of) }, further)
}

// Property is a field of a table with its schema.
func Property(f record.Field) Member {
	return Member{f.Name, kind(&f, func(of record.Table) Object { return Ref("schemas", of.Name) })}
}

func table(t record.Table, one func(record.Table) Object, further []Member) Object {
	var fields []Member
	required := []string{}
	for _, f := range t.Fields {
		fields = append(fields, Member{f.Name, kind(&f, one)})
		if f.Kind != record.TextOrNone && f.Kind != record.Texts {
			required = append(required, f.Name)
		}
	}
	if meanings := meanings(t.Described()); meanings != nil {
		further = append([]Member{{"descricoes", meanings}}, further...)
	}
	for _, f := range further {
		required = append(required, f.Key)
	}
	return object(t.About, required, append(fields, further...))
}

// kind is the schema of a field; one is that of a record of another table.
func kind(f *record.Field, one func(record.Table) Object) Object {
	switch f.Kind {
	case record.TextOrNull:
		return TextOrNull(f.About)
	case record.Texts, record.Codes:
		return append(List(Object{{"type", "string"}}), Member{"description", f.About})
	case record.Choice:
		return Choice(f.About, f.Values...)
	case record.CNPJ:
		return Pattern(f.About, "^[0-9A-Z]{12}[0-9]{2}$")
	case record.Root:
		return Pattern(f.About, "^[0-9A-Z]{8}$")
	case record.Day, record.DayText:
		return Object{{"type", []string{"string", "null"}}, {"format", "date"}, {"description", f.About + " (AAAA-MM-DD)"}}
	case record.Moment:
		return Object{{"type", []string{"string", "null"}}, {"format", "date-time"}, {"description", f.About}}
	case record.Amount:
		return described([]string{"number", "null"}, f.About+" em reais, com duas casas")
	case record.YesOrNo:
		return described([]string{"boolean", "null"}, f.About+"; null: não informado")
	case record.Count:
		return Integer(f.About)
	case record.One:
		return append(OrNull(one(f.Of())), Member{"description", f.About})
	case record.Many:
		return append(List(WholeTable(f.Of())), Member{"description", f.About})
	}
	if record.LayoutDomains()[f.Domain] != nil {
		return Text(f.About + " (" + f.Domain.Says() + ")")
	}
	return Text(f.About)
}

// meanings is the schema of descricoes, nil when there are none: a text for every code, null when the code is unknown.
func meanings(fields []record.Field) Object {
	var texts []Member
	for _, f := range fields {
		text := TextOrNull("texto do código " + f.Name + "; null: desconhecido")
		if f.Kind == record.Codes {
			text = Object{
				{"type", "object"},
				{"description", "código → texto, null quando desconhecido"},
				{"additionalProperties", Object{{"type", []string{"string", "null"}}}},
			}
		}
		texts = append(texts, Member{f.Name, text})
	}
	if texts == nil {
		return nil
	}
	return Record("Textos dos códigos.", texts...)
}

// Source is the schema of the records of a source.
func Source(src *source.Source) Object {
	var fields []Member
	for _, f := range src.Fields {
		fields = append(fields, Member{f.Name, sourceKind(&f)})
	}
	return Record(src.Title+": um registro, com os campos e valores da fonte.", fields...)
}

func sourceKind(f *source.Field) Object {
	switch f.Kind {
	case source.Number:
		return described([]string{"number", "null"}, f.Says())
	case source.JSON:
		// Without a type, which means any: generators of clients do not know a list of all types.
		return Object{{"description", f.Says()}}
	}
	return TextOrNull(f.Says())
}
