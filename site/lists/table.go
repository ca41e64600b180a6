package lists

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"razao/internal/data/record"
	"razao/internal/spreadsheet"
	"razao/internal/store/snapshot"
	"razao/site/find"
	"razao/site/page"
)

// table returns lines of the list with columns added.
func (hs *Handlers) table(ctx context.Context, snap *snapshot.Snapshot, a *answer, lines []*line, chosen []string) (page.Table, error) {
	columns := a.own()
	columns = append(
		columns,
		page.NewColumn("resultado", record.Text, "o que a consulta encontrou", (*line).Result),
		page.NewColumn("cnpj_consultado", record.CNPJ, "o número consultado, com os zeros que faltavam, ou o que o nome encontrou", (*line).Looked),
	)
	if a.Columns.Name != spreadsheet.None {
		columns = append(
			columns,
			page.NewColumn("pontos", record.Rate, "de 0 a 100, quanto a linha combina com a empresa encontrada pelo nome, ou com a primeira das candidatas", (*line).Score),
			page.NewColumn("candidatas", record.Text, "as empresas que podem ser a da linha, se mais de uma pode", (*line).Others),
		)
	}
	added, err := hs.added(ctx, snap, a, lines, chosen)
	if err != nil {
		return page.Table{}, err
	}
	columns = append(columns, added...)
	of := record.Table{Title: "Lista consultada", About: "As linhas da lista, com o que o cadastro e as fontes dizem de cada empresa.", Fields: columns.Fields()}
	return page.TableOf(of, columns, lines, "lista-"+snap.Load.Period, Path), nil
}

// plainNumber matches a value that a spreadsheet may keep as a number: nothing is lost by it.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,6})?$`)

// own returns the columns of the list itself. One in which all values are numbers stays one of
// numbers, so that a spreadsheet goes on adding them up.
func (a *answer) own() page.Columns[*line] {
	var columns page.Columns[*line]
	used := map[string]bool{"resultado": true, "cnpj_consultado": true, "pontos": true, "candidatas": true}
	for _, column := range find.Columns() {
		used[column.Name] = true
	}
	for i := range a.Width() {
		name := shorten(a.Heading.Cell(i))
		if name == "" {
			name = "coluna_" + strconv.Itoa(i+1)
		}
		for again := 2; used[name]; again++ { // no two columns have one name, nor one that is added
			name = strings.TrimSuffix(name, "_"+strconv.Itoa(again-1)) + "_" + strconv.Itoa(again)
		}
		used[name] = true
		kind := record.Rate
		for k := range a.Lines {
			if cell := a.Lines[k].Cell(i); i == a.Columns.Number || cell != "" && !plainNumber.MatchString(cell) {
				kind = record.Text
				break
			}
		}
		columns = append(columns, page.NewColumn(name, kind, "da lista", func(l *line) string { return l.Cell(i) }))
	}
	return columns
}
