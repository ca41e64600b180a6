package rows

import "slices"

// Field is a field of a source and the column that it is read from.
type Field struct {
	Name   string
	Column Column // without a name: the value is not a column's
	free   bool   // people wrote it: it may hold a person's number
}

// Plain returns a field whose value is that of a column.
func Plain(name, heading string, also ...string) Field {
	return Field{Name: name, Column: Column{Name: heading, Also: also}}
}

// Free returns a field whose value is that of a column in which people write what they like: CPFs in it are masked.
func Free(name, heading string, also ...string) Field {
	return Field{Name: name, Column: Column{Name: heading, Also: also}, free: true}
}

// Derived returns a field that is no column.
func Derived(name string) Field { return Field{Name: name} }

// Fields are those of a source, in its order.
type Fields []Field

// Position returns where a field stands, -1 when there is none of this name.
func (f Fields) Position(name string) int {
	return slices.IndexFunc(f, func(x Field) bool { return x.Name == name })
}

// Columns returns the columns to read, for Table.Columns.
func (f Fields) Columns() []Column {
	var columns []Column
	for _, x := range f {
		if x.Column.Name != "" {
			columns = append(columns, x.Column)
		}
	}
	return columns
}

// Draft is a record that one goroutine fills again for each row.
type Draft struct {
	Record
	fields Fields
}

// Draft returns a record with room for the values of all fields.
func (f Fields) Draft() *Draft {
	return &Draft{Record: Record{Values: make([]string, len(f))}, fields: f}
}

// Fill takes place and values of a row of a table that reads Columns. Derived values stay as they are.
func (d *Draft) Fill(r *Row) {
	d.Where = r.Where
	column := 0
	for i, f := range d.fields {
		if f.Column.Name == "" {
			continue
		}
		value := r.Value(column)
		column++
		if f.free {
			value = MaskCPFs(value)
		}
		d.Values[i] = value
	}
}
