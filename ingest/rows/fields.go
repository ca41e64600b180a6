package rows

import "slices"

// Field is a field of a source and the column that it is read from.
type Field struct {
	Name   string
	Column Column // Name "": the loader computes the value
}

// Plain returns a field whose value is that of the column with this heading, or of one with another
// spelling in also.
func Plain(name, heading string, also ...string) Field {
	return Field{Name: name, Column: Column{Name: heading, Also: also}}
}

// Derived returns a field that the loader computes.
func Derived(name string) Field { return Field{Name: name} }

// Fields are the fields of a source, in the order of package source.
type Fields []Field

// Position returns the index of the field of this name, -1 if there is none.
func (f Fields) Position(name string) int {
	return slices.IndexFunc(f, func(x Field) bool { return x.Name == name })
}

// Columns returns the columns that the fields are read from, for Table.Columns.
func (f Fields) Columns() []Column {
	var columns []Column
	for _, x := range f {
		if x.Column.Name != "" {
			columns = append(columns, x.Column)
		}
	}
	return columns
}

// Draft is a record that one goroutine fills again for each row, to save allocations.
type Draft struct {
	Record
	fields Fields
}

// Draft returns a new record with room for the values of all fields.
func (f Fields) Draft() *Draft {
	return &Draft{Record: Record{Values: make([]string, len(f))}, fields: f}
}

// Fill sets Where and the values that are columns from a row of a table that reads f.Columns().
// Derived values stay as they are. The strings are valid as long as the row.
func (d *Draft) Fill(r *Row) {
	d.Where = r.Where
	column := 0
	for i, f := range d.fields {
		if f.Column.Name == "" {
			continue
		}
		d.Values[i] = r.Value(column)
		column++
	}
}
