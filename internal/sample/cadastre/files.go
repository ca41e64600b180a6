// Package cadastre writes the monthly release of the tax authority: companies, establishments, partners, Simples and the
// tables of codes.
package cadastre

import (
	"fmt"

	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// The tables, by which their rows are counted.
const (
	Empresas         = "Empresas"
	Estabelecimentos = "Estabelecimentos"
	Socios           = "Socios"
	Simples          = "Simples"
	Dominios         = "Dominios" // the six tables of codes
)

// dialect is that of the whole release.
var dialect = table.Dialect{Quoting: table.Always, End: "\n", Windows: true}

// registry writes the rows of a world's companies.
type registry struct{ *world.World }

// Files returns the 37 files of the release, the largest groups first.
func Files(w *world.World, folder string) []table.File {
	g := &registry{w}
	suffix := "D" + w.Compact(w.Release)[3:] // last digit of the year, month and day of the publication
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

const parts = 10

// parted returns the three groups of ten files.
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

// bound returns the first position of a part: the first part has two fifths, the others are alike.
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

// opposite returns the position of what stands far from a position, in another part.
func (g *registry) opposite(x int) int { return (x + g.Companies/2) % g.Companies }
