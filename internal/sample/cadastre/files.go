// Package cadastre declares the tables of the tax authority's monthly release for a world.World:
// Empresas, Estabelecimentos, Sócios, Simples and the six tables of codes, 37 zips in all, and
// MUDANCAS.csv.
//
// The format is that of Dados Abertos CNPJ: headerless, ISO-8859-1, semicolons, every field in
// double quotes, LF; dates AAAAMMDD; capital with a decimal comma. Members are named
// K3241.K03200Y{part}.D{ymmdd}.{table}, where D carries the last digit of the year. As in the real
// files, part 0 of each group is by far the largest, Simples is sorted by root, Empresas ascends in
// runs, and the other tables are unordered.
//
// A position of a table stands for a company in a permuted order (draw.Shuffle), and each table has
// permutations of its own. Each row derives its company from package world and draws everything
// else from sequences of its own. When an event changes one column, the columns after it must stay
// as they were: code that draws a former value and discards it keeps the sequence in step.
package cadastre

import (
	"fmt"

	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// Groups of the release's files, in table.File.Group, under which their rows are counted.
const (
	Empresas         = "Empresas"
	Estabelecimentos = "Estabelecimentos"
	Socios           = "Socios"
	Simples          = "Simples"
	Dominios         = "Dominios" // the six tables of codes
)

// dialect is that of all files of the release.
var dialect = table.Dialect{Quoting: table.Always, End: "\n", Windows: true}

// registry makes the rows of a world's companies. It is safe for concurrent use.
type registry struct{ *world.World }

// Files returns the 37 files of the release in folder, those of the largest tables first.
func Files(w *world.World, folder string) []table.File {
	g := &registry{w}
	suffix := "D" + w.Compact(w.Release)[3:] // last digit of the year, month, day
	files := g.parted(suffix)
	files = append(files, table.File{
		Name: "Simples.zip", Member: "F.K03200$W.SIMPLES.CSV." + suffix, Group: Simples, To: w.Companies, Range: g.simples,
	})
	for _, of := range [...]struct{ zip, member string }{
		{"Cnaes", "CNAECSV"},
		{"Motivos", "MOTICSV"},
		{"Municipios", "MUNICCSV"},
		{"Naturezas", "NATJUCSV"},
		{"Paises", "PAISCSV"},
		{"Qualificacoes", "QUALSCSV"},
	} {
		files = append(files, table.File{
			Name: of.zip + ".zip", Member: "F.K03200$Z." + suffix + "." + of.member, Group: Dominios, Header: world.Domain(of.member),
		})
	}
	for i := range files {
		files[i].Folder, files[i].Dialect = folder, dialect
	}
	return files
}

// parts is the number of files of Empresas, Estabelecimentos and Socios each.
const parts = 10

// parted returns the three groups of ten files. Each table has permutations of its own.
func (g *registry) parted(suffix string) []table.File {
	heads, branches := g.Scattered(g.Companies, 1), g.Scattered(g.Companies, 2)
	first, others := g.Scattered(g.Companies, 3), g.Scattered(g.Companies, 4)
	runs := g.Runs(5)
	var files []table.File
	for _, group := range [...]struct {
		name, member string
		row          func(r *table.Rows, x int)
	}{
		{Estabelecimentos, "ESTABELE", func(r *table.Rows, x int) { g.establishments(r, heads, branches, x) }},
		{Empresas, "EMPRECSV", func(r *table.Rows, x int) { g.companies(r, runs, x) }},
		{Socios, "SOCIOCSV", func(r *table.Rows, x int) { g.partners(r, first, others, x) }},
	} {
		for part := range parts {
			files = append(files, table.File{
				Name: fmt.Sprintf("%s%d.zip", group.name, part), Member: fmt.Sprintf("K3241.K03200Y%d.%s.%s", part, suffix, group.member),
				Group: group.name, From: g.bound(part), To: g.bound(part + 1), Each: group.row,
			})
		}
	}
	return files
}

// bound returns the first position of a part. The first part has two fifths of the positions, the
// others equal shares.
func (g *registry) bound(part int) int {
	n := g.Companies
	switch part {
	case 0:
		return 0
	case parts:
		return n
	}
	return n*2/5 + n*3/5*(part-1)/(parts-1)
}

// opposite returns a position in another part of the table, for rows that repeat one another.
func (g *registry) opposite(x int) int { return (x + g.Companies/2) % g.Companies }
