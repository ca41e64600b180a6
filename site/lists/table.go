package lists

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"razao/internal/data/record"
	"razao/internal/spreadsheet"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// firstAdded are the first columns that are added. A list that comes back with them is told by their headings.
var firstAdded = page.Columns[*line]{
	page.NewColumn("resultado", record.Text, "o que a consulta encontrou", (*line).Result),
	page.NewColumn("cnpj_consultado", record.CNPJ, "o número consultado, com os zeros que faltavam, ou o que o nome encontrou", (*line).Looked),
}

// addedHeadings are the headings of firstAdded.
func addedHeadings() (headings []string) {
	for _, f := range firstAdded.Fields() {
		headings = append(headings, f.Heading())
	}
	return headings
}

// table returns lines of the list with columns added.
func (hs *Handlers) table(ctx context.Context, snap *snapshot.Snapshot, a *answer, lines []*line, chosen []string) (page.Table, error) {
	added := slices.Clone(firstAdded)
	if a.Columns.Name != spreadsheet.None {
		added = append(
			added,
			page.NewColumn("pontos", record.Rate, "de 0 a 100, quanto a linha combina com a empresa encontrada pelo nome, ou com a primeira das candidatas", (*line).Score),
			page.NewColumn("candidatas", record.Text, "as empresas que podem ser a da linha, se mais de uma pode", (*line).Others),
		)
	}
	ofCompanies, err := hs.ofCompanies(ctx, snap, a, lines, chosen)
	if err != nil {
		return page.Table{}, err
	}
	added = append(added, ofCompanies...)
	columns := a.own(added)
	own := len(columns)
	columns = append(columns, added...)
	of := record.Table{Title: "Lista consultada", About: "As linhas da lista, com o que o cadastro e as fontes dizem de cada empresa.", Fields: columns.Fields()}
	if a.Workbook {
		of.About += " No CSV e no NDJSON, as datas da lista são AAAA-MM-DD, ou AAAA-MM-DDTHH:MM:SS se têm hora, e as durações são dias."
	}
	distinguish(of.Fields[:own], of.Fields[own:])
	t := page.TableOf(of, columns, lines, "lista-"+snap.Load.Period, Path)
	t.Value = func(row, column int) spreadsheet.Value {
		switch {
		case column >= own:
			return spreadsheet.Value{}
		case row < 0:
			return a.Value(&a.Heading, column)
		}
		return a.Value(lines[row].Row, column)
	}
	return t, nil
}

// distinguish numbers the titles of added columns that the list has already, as one that comes back from here has.
func distinguish(own, added []record.Field) {
	used := map[string]bool{}
	for i := range own {
		used[strings.ToLower(own[i].Title)] = true
	}
	for i := range added {
		title := added[i].Title
		for again := 2; used[strings.ToLower(added[i].Title)]; again++ {
			added[i].Title = title + " (" + strconv.Itoa(again) + ")"
		}
	}
}

// How a pasted list or a CSV file has numbers, which a spreadsheet may keep as numbers: nothing is lost by it.
var (
	plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,6})?$`)
	// brazilian is a number as Brazilians write it: 1.234,56, R$ 99,90.
	brazilian = regexp.MustCompile(`^(-?)(?:R\$\s*)?(0|[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[1-9][0-9]{0,14})(?:,([0-9]{1,6}))?$`)
	// either is a number in both ways, another in each: 1.500.
	either = regexp.MustCompile(`^-?[1-9][0-9]{0,2}\.[0-9]{3}$`)
)

// own returns the columns of the list itself. Their names are its headings, distinct for programs, and their titles as they were written.
func (a *answer) own(added page.Columns[*line]) page.Columns[*line] {
	var columns page.Columns[*line]
	used := map[string]bool{}
	for i := range added {
		used[added[i].Name] = true
	}
	for i := range a.Width() {
		title := a.Heading.Cell(i)
		name := shorten(title)
		if title == "" {
			title, name = "Coluna "+strconv.Itoa(i+1), "coluna_"+strconv.Itoa(i+1)
		}
		for again := 2; used[name]; again++ { // no two columns have one name, nor one that is added
			name = strings.TrimSuffix(name, "_"+strconv.Itoa(again-1)) + "_" + strconv.Itoa(again)
		}
		used[name] = true
		kind, convert := a.kindOf(i)
		columns = append(columns, page.Column[*line]{Field: record.Field{Name: name, Title: title, Kind: kind, About: "da lista"}, Of: func(l *line) string {
			if v := a.Value(l.Row, i); v.Format != nil {
				return v.String()
			}
			return convert(l.Cell(i))
		}})
	}
	return columns
}

// kindOf returns the kind of a column of the list, and what writes its cells as fields of this kind are. One in which all values are numbers or
// days stays one of these, so that a spreadsheet goes on adding them up. A workbook says which are numbers, days and truths.
func (a *answer) kindOf(column int) (kind record.Kind, convert func(string) string) {
	if column == a.Columns.Number {
		return record.Text, same
	}
	if !a.Workbook {
		return a.kindOfTexts(column)
	}
	for i := range a.Lines {
		l := &a.Lines[i]
		if l.Cell(column) == "" {
			continue
		}
		of := a.Value(l.Row, column).Kind()
		if kind == "" {
			kind = of
		}
		if of == record.Text || of != kind {
			return record.Text, same
		}
	}
	return cmp.Or(kind, record.Rate), same
}

func same(cell string) string { return cell }

// kindOfTexts is kindOf for a list without values of its own.
func (a *answer) kindOfTexts(column int) (record.Kind, func(string) string) {
	plain, asBrazilians, days, cents := true, true, true, false
	for i := range a.Lines {
		cell := a.Lines[i].Cell(column)
		if cell == "" {
			continue
		}
		plain = plain && plainNumber.MatchString(cell) && !either.MatchString(cell)
		asBrazilians = asBrazilians && brazilian.MatchString(cell)
		cents = cents || strings.Contains(cell, ",")
		days = days && dayOf(cell) != ""
	}
	switch {
	case plain:
		return record.Rate, same
	case asBrazilians && cents: // otherwise 1.500 may be either
		return record.Rate, func(cell string) string {
			m := brazilian.FindStringSubmatch(cell)
			if m == nil {
				return cell
			}
			number := m[1] + strings.ReplaceAll(m[2], ".", "")
			if m[3] != "" {
				number += "." + m[3]
			}
			return number
		}
	case days:
		return record.Day, dayOf
	}
	return record.Text, same
}

// dayOf returns a day as the API writes it, "" for a text that is none.
func dayOf(cell string) string {
	day, err := time.Parse("02/01/2006", cell)
	if err != nil {
		return ""
	}
	return day.Format(time.DateOnly)
}
