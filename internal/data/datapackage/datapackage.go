// Package datapackage describes tables as a Data Package, version 2 (https://datapackage.org), from the
// declarations of their fields: name, type, unit, description, and the codes of columns that have few.
package datapackage

import (
	"encoding/json"
	"fmt"
	"io"

	"razao/internal/data/record"
)

// FileName is the name of the file that describes a folder of tables.
const FileName = "datapackage.json"

const (
	packageProfile  = "https://datapackage.org/profiles/2.0/datapackage.json"
	resourceProfile = "https://datapackage.org/profiles/2.0/dataresource.json"
)

// Package describes tables that belong together.
type Package struct {
	Name        string     `json:"name"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Homepage    string     `json:"homepage,omitempty"`
	Version     string     `json:"version,omitempty"` // period of the load, YYYY-MM
	Created     string     `json:"created,omitempty"` // RFC 3339; when the snapshot was published
	Sources     []Source   `json:"sources,omitempty"`
	Licenses    []License  `json:"licenses,omitempty"`
	Resources   []Resource `json:"resources"`
}

// Source is who published the data.
type Source struct {
	Title   string `json:"title"`
	Path    string `json:"path,omitempty"`    // URL
	Version string `json:"version,omitempty"` // period
}

// License is a license of data, or what stands in its place.
type License struct {
	Name  string `json:"name,omitempty"`
	Title string `json:"title,omitempty"`
	Path  string `json:"path,omitempty"`
}

// Resource is one table.
type Resource struct {
	Schema      string      `json:"$schema"`
	Name        string      `json:"name"`
	Type        string      `json:"type"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"`
	Path        any         `json:"path"` // a string, or []string of files with the same columns
	Format      string      `json:"format"`
	MediaType   string      `json:"mediatype"`
	Encoding    string      `json:"encoding,omitempty"`
	Bytes       int64       `json:"bytes,omitempty"`
	Rows        int64       `json:"rows,omitempty"` // not of the standard
	Table       TableSchema `json:"schema"`
	Sources     []Source    `json:"sources,omitempty"`
	Licenses    []License   `json:"licenses,omitempty"`
}

// TableSchema describes the columns of a table.
type TableSchema struct {
	Fields      []Field      `json:"fields"`
	PrimaryKey  []string     `json:"primaryKey,omitempty"`
	ForeignKeys []ForeignKey `json:"foreignKeys,omitempty"`
}

// Field is a column.
type Field struct {
	Name        string     `json:"name"`
	Title       string     `json:"title,omitempty"` // heading in workbooks
	Type        string     `json:"type"`
	Description string     `json:"description,omitempty"`
	Unit        string     `json:"unit,omitempty"`     // not of the standard: BRL
	Personal    bool       `json:"personal,omitempty"` // not of the standard: may name a natural person or say where one can be reached
	Categories  []Category `json:"categories,omitempty"`
}

// Category is a code of a column and what it means.
type Category struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// ForeignKey says that columns hold the key of another table.
type ForeignKey struct {
	Fields    []string  `json:"fields"`
	Reference Reference `json:"reference"`
}

// Reference is what a [ForeignKey] refers to.
type Reference struct {
	Resource string   `json:"resource"`
	Fields   []string `json:"fields"`
}

// Write writes the package as JSON.
func (p *Package) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(struct {
		Profile string `json:"$schema"`
		*Package
	}{packageProfile, p})
	if err != nil {
		return fmt.Errorf("write data package: %w", err)
	}
	return nil
}

// CSV describes a CSV file in UTF-8.
func CSV(t *record.Table, path string) Resource {
	return Resource{
		Schema: resourceProfile, Name: "dados", Type: "table", Title: t.Title, Path: path,
		Format: "csv", MediaType: "text/csv", Encoding: "utf-8", Table: TableSchema{Fields: Fields(t.Fields)},
	}
}

// Parquet describes Parquet files with the same columns.
func Parquet(name string, t *record.Table, paths []string) Resource {
	return Resource{
		Schema: resourceProfile, Name: name, Type: "table", Title: t.Title, Description: t.About, Path: paths,
		Format: "parquet", MediaType: "application/vnd.apache.parquet", Table: TableSchema{Fields: Fields(t.Fields)},
	}
}

// Fields describes columns.
func Fields(of []record.Field) []Field {
	all := make([]Field, len(of))
	for i := range of {
		f := &of[i]
		all[i] = Field{Name: f.Name, Title: f.Title, Type: typeOf(f.Kind), Description: f.About, Personal: f.Personal}
		if f.Kind == record.Amount {
			all[i].Unit = "BRL"
		}
		for _, value := range f.Values {
			all[i].Categories = append(all[i].Categories, Category{value, value})
		}
	}
	return all
}

// typeOf returns the type of a kind of field.
func typeOf(k record.Kind) string {
	switch k {
	case record.Day, record.DayText:
		return "date"
	case record.Moment:
		return "datetime"
	case record.Amount, record.Rate:
		return "number"
	case record.Count:
		return "integer"
	case record.YesOrNo:
		return "boolean"
	case record.Texts, record.Codes, record.Many:
		return "array"
	case record.One:
		return "object"
	}
	return "string"
}

// Cite adds the publisher of the data and the terms under which they were published. period is that of
// the load.
func (p *Package) Cite(from *record.Provenance, period string) {
	p.Sources = append(p.Sources, SourceOf(from, period))
	if from.Licenca != "" {
		p.Licenses = append(p.Licenses, License{Title: from.Licenca})
	}
}

// SourceOf describes who published the data of a load.
func SourceOf(from *record.Provenance, period string) Source {
	return Source{Title: from.Orgao + ", " + from.Conjunto, Path: from.URL, Version: period}
}
