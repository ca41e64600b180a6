package openapi

import (
	"slices"

	"razao/internal/data/record"
	"razao/internal/data/source"
)

// Schemas of single values follow. A field is always present unless its table says otherwise; an
// absent value is null or "".

// Text returns the schema of a string.
func Text(about string) Object { return Object{{"type", "string"}, {"description", about}} }

// TextOrNull returns the schema of a string or null.
func TextOrNull(about string) Object { return described([]string{"string", "null"}, about) }

// Integer returns the schema of a non-negative integer.
func Integer(about string) Object {
	return Object{{"type", "integer"}, {"minimum", 0}, {"description", about}}
}

// IntegerOrNull returns the schema of a non-negative integer or null.
func IntegerOrNull(about string) Object {
	return Object{{"type", []string{"integer", "null"}}, {"minimum", 0}, {"description", about}}
}

// Number returns the schema of a number. Without the format, generators take single precision, which has no room for cents.
func Number(about string) Object {
	return Object{{"type", "number"}, {"format", "double"}, {"description", about}}
}

// NumberOrNull returns the schema of a number or null.
func NumberOrNull(about string) Object {
	return Object{{"type", []string{"number", "null"}}, {"format", "double"}, {"description", about}}
}

// Choice returns the schema of a string enum.
func Choice(about string, values ...string) Object {
	return Object{{"type", "string"}, {"enum", values}, {"description", about}}
}

// Pattern returns the schema of a string that matches a regular expression (ECMA-262).
func Pattern(about, pattern string) Object {
	return Object{{"type", "string"}, {"pattern", pattern}, {"description", about}}
}

// UUID returns the schema of a UUID.
func UUID(about string) Object {
	return Object{{"type", "string"}, {"format", "uuid"}, {"description", about}}
}

// List returns the schema of an array with items of the schema of.
func List(of Object) Object { return Object{{"type", "array"}, {"items", of}} }

// OrNull returns a schema that also accepts null.
func OrNull(schema Object) Object { return Object{{"anyOf", []Object{schema, {{"type", "null"}}}}} }

// Record returns the schema of an object whose fields are all required.
func Record(about string, fields ...Member) Object {
	required := []string{}
	for _, f := range fields {
		required = append(required, f.Key)
	}
	return object(about, required, fields)
}

// Optional adds to the schema of an object fields that are left out when there is nothing to say.
func Optional(of Object, fields ...Member) Object {
	of = slices.Clone(of)
	for i := range of {
		if properties, ok := of[i].Value.(Object); ok && of[i].Key == "properties" {
			of[i].Value = append(slices.Clone(properties), fields...)
		}
	}
	return of
}

func object(about string, required []string, fields []Member) Object {
	return Object{{"type", "object"}, {"description", about}, {"required", required}, {"properties", Object(fields)}}
}

func described(types []string, about string) Object {
	return Object{{"type", types}, {"description", about}}
}

// Table returns the schema of a table's records, with further required fields at the end. Nested
// records are $refs to the component named after their table.
func Table(t record.Table, further ...Member) Object {
	return table(t, func(of record.Table) Object { return Ref("schemas", of.Name) }, further)
}

// WholeTable is [Table] without $refs: a self-contained JSON Schema.
func WholeTable(t record.Table, further ...Member) Object {
	return table(t, func(of record.Table) Object { return WholeTable(of) }, further)
}

// Partial is [WholeTable] for objects that have some of the fields: none is required.
func Partial(t record.Table) Object {
	var fields []Member
	for _, f := range t.Fields {
		fields = append(fields, Property(f))
	}
	if described := t.Described(); described != nil {
		texts := meanings(described)
		fields = append(fields, Member{"descricoes", slices.DeleteFunc(texts, func(m Member) bool { return m.Key == "required" })})
	}
	return Object{{"type", "object"}, {"description", t.About}, {"properties", Object(fields)}}
}

// Property returns a field of a table as a member of "properties".
func Property(f record.Field) Member {
	return Member{f.Name, kind(&f, func(of record.Table) Object { return Ref("schemas", of.Name) })}
}

// table implements Table and WholeTable; one returns the schema of a nested record. Fields that are
// left out of the JSON when empty (TextOrNone, Texts) are not required. If the table has codes,
// "descricoes" follows the fields.
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

// kind returns the schema of a field. one returns the schema of a nested record.
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
		return NumberOrNull(f.About + " em reais, com duas casas")
	case record.YesOrNo:
		return described([]string{"boolean", "null"}, f.About+"; null: não informado")
	case record.Count:
		return Integer(f.About)
	case record.One:
		return append(OrNull(one(f.Of())), Member{"description", f.About})
	case record.Many:
		return append(List(one(f.Of())), Member{"description", f.About})
	}
	if record.LayoutDomains()[f.Domain] != nil {
		return Text(f.About + " (" + f.Domain.Says() + ")")
	}
	return Text(f.About)
}

// meanings returns the schema of "descricoes", which describes the codes of a record: a text per
// code field, null for an unknown code. It returns nil if the table has no described codes.
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

// Source returns the schema of a source's records. All fields are required. Objects in them are $refs to [Shapes].
func Source(src *source.Source) Object {
	return Record(src.Title+": um registro, com os campos e valores da fonte.", sourceFields(src.Fields)...)
}

// Shapes returns the schemas of the objects in records of all sources, each once.
func Shapes() Object {
	var schemas Object
	for _, src := range source.All() {
		for _, f := range src.Fields {
			if s := f.Shape; s != nil && s.Name != "" && !slices.ContainsFunc(schemas, func(m Member) bool { return m.Key == s.Name }) {
				schemas = append(schemas, Member{s.Name, Record(s.About, sourceFields(s.Members)...)})
			}
		}
	}
	return schemas
}

func sourceFields(all []source.Field) (fields []Member) {
	for _, f := range all {
		fields = append(fields, Member{f.Name, sourceKind(&f)})
	}
	return fields
}

func sourceKind(f *source.Field) Object {
	switch f.Kind {
	case source.Number:
		return NumberOrNull(f.Says())
	case source.JSON:
		return shape(f.Shape, f.Says())
	}
	return TextOrNull(f.Says())
}

// shape returns the schema of a value of a shape, or null.
func shape(s *source.Shape, about string) Object {
	one := Object{{"type", s.Type}}
	if s.Name != "" {
		one = Ref("schemas", s.Name)
	}
	if s.Values != nil {
		one = append(one, Member{"enum", s.Values})
	}
	switch {
	case s.List:
		return Object{{"type", []string{"array", "null"}}, {"items", one}, {"description", about}}
	case s.Name != "":
		return append(OrNull(one), Member{"description", about})
	case s.Type == "number":
		return NumberOrNull(about)
	}
	return described([]string{s.Type, "null"}, about)
}
