package sample

import (
	"bytes"
	"fmt"
	"time"
)

// table says in which count of the summary a file's rows go.
type table int

const (
	companyTable table = iota
	establishmentTable
	partnerTable
	simplesTable
	domainTable
	sourceTable
)

// file is one table, in a zip or on its own. Its rows are made by position, any range of positions apart from the
// others.
type file struct {
	folder         string // that it appears in, below the directory of the sample
	name           string // of the zip, which neighbours in the list share when they are its members, or of the table
	member         string // "" when the table is not zipped
	table          table
	source         string // id, of a sourceTable
	repeats        bool   // what another file of the folder says
	header, footer []byte
	modified       time.Time // of the file, zero for the time of writing
	from, to       int       // positions
	piece          int       // positions that a worker makes at a time, 0 for pieceSize
	rows           func(b []byte, from, to int) ([]byte, int)
}

// scattered returns a permutation whose neighbours are far apart: steps of the golden ratio spread best.
func (g *generator) scattered(which uint64) shuffle {
	return newShuffle(g.seed, g.n, int(float64(g.n)*0.6180339887), which)
}

// files returns the 37 files, the largest groups first.
func (g *generator) files() ([]file, error) {
	heads, branches := g.scattered(1), g.scattered(2)
	first, others := g.scattered(3), g.scattered(4)
	runs := newShuffle(g.seed, g.n, g.n/1000, 5) // ascending runs of a thousand companies
	var files []file
	groups := []struct {
		zip, member string
		table       table
		rows        func(b []byte, from, to int) ([]byte, int)
	}{
		{"Estabelecimentos", "ESTABELE", establishmentTable, func(b []byte, from, to int) ([]byte, int) {
			return g.establishments(b, heads, branches, from, to)
		}},
		{"Empresas", "EMPRECSV", companyTable, func(b []byte, from, to int) ([]byte, int) {
			return g.companies(b, runs, from, to)
		}},
		{"Socios", "SOCIOCSV", partnerTable, func(b []byte, from, to int) ([]byte, int) {
			return g.partners(b, first, others, from, to)
		}},
	}
	for _, group := range groups {
		for part := range parts {
			from, to := g.share(part)
			files = append(files, file{
				folder: g.folder,
				name:   fmt.Sprintf("%s%d.zip", group.zip, part),
				member: fmt.Sprintf("K3241.K03200Y%d.%s.%s", part, g.suffix, group.member),
				table:  group.table, from: from, to: to, rows: group.rows,
			})
		}
	}
	files = append(files, file{
		folder: g.folder, name: "Simples.zip", member: "F.K03200$W.SIMPLES.CSV." + g.suffix,
		table: simplesTable, from: 0, to: g.n, rows: g.simples,
	})
	domains, err := g.domains()
	return append(files, domains...), err
}

const parts = 10

// share returns the positions of a part: the first has two fifths, the others are alike.
func (g *generator) share(part int) (from, to int) {
	bound := func(part int) int { return g.n*2/5 + g.n*3/5*part/(parts-1) }
	switch part {
	case 0:
		return 0, bound(0)
	case parts - 1:
		return bound(part - 1), g.n
	}
	return bound(part - 1), bound(part)
}

// domains returns the six tables of codes, as they were published.
func (g *generator) domains() ([]file, error) {
	var files []file
	for _, t := range [...]struct{ zip, member string }{
		{"Cnaes", "CNAECSV"},
		{"Motivos", "MOTICSV"},
		{"Municipios", "MUNICCSV"},
		{"Naturezas", "NATJUCSV"},
		{"Paises", "PAISCSV"},
		{"Qualificacoes", "QUALSCSV"},
	} {
		raw, err := data.ReadFile("data/" + t.member + ".latin1.csv")
		if err != nil {
			return nil, fmt.Errorf("embedded %s: %w", t.member, err)
		}
		files = append(files, file{
			folder: g.folder, name: t.zip + ".zip", member: "F.K03200$Z." + g.suffix + "." + t.member,
			table: domainTable, from: 0, to: 1,
			rows: func(b []byte, _, _ int) ([]byte, int) { return append(b, raw...), bytes.Count(raw, []byte("\n")) },
		})
	}
	return files, nil
}
