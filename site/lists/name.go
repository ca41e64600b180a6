package lists

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"razao/internal/data/ptbr"
	"razao/internal/spreadsheet"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/page"
)

const (
	maxNames        = 1_000 // lines that are looked up by name: each costs as much as some searches
	candidatesShown = 3

	// The work of its names makes a list as many files as it takes: each pays for ten calls' worth, and the sixth is the last. A thousand
	// names as lists have them take that at most.
	callsPerFile = 10
	mostFiles    = 6
)

const (
	errUpload       spreadsheet.Problem = "O arquivo passa de 4 MB. Deixe nele só a lista e as colunas de que precisa, ou envie-o em partes."
	errTooManyNames spreadsheet.Problem = "A lista tem mais de 1.000 linhas a procurar pelo nome. Divida-a e envie as partes."
)

// lookUpNames finds the companies of the lines that have a name and no number, and candidates for those whose number is wrong. The error is
// a spreadsheet.Problem, or one of the search.
func (hs *Handlers) lookUpNames(ctx context.Context, snap *snapshot.Snapshot, a *answer) error {
	budget := hs.workOfNames()
	asked, unsought := 0, ""
	for i := range a.Lines {
		l := &a.Lines[i]
		name := a.List.Name(l.Row)
		if l.Wrong == "" || name == "" {
			continue
		}
		if asked++; asked > maxNames {
			return errTooManyNames
		}
		l.ByName, l.Unsought = l.Wrong == spreadsheet.NoNumber, unsought
		if unsought != "" {
			continue
		}
		wanted := hs.matcher.Read(shorten(name), l.Cell(a.Columns.Place), l.Cell(a.Columns.UF), l.Cell(a.Columns.Activity))
		found, err := hs.matcher.Find(ctx, snap, wanted, candidatesShown, budget)
		many, refused := errors.AsType[*web.TooManyError](err)
		switch {
		case refused:
			unsought = "não procurado: os nomes são trabalho demais para este minuto da conta; envie esta linha de novo em " + many.Seconds() + " segundos"
		case err != nil:
			return err
		case budget.Spent():
			unsought = "não procurado: os nomes desta lista são trabalho demais para uma só; envie esta linha em outra"
		}
		if l.Unsought = unsought; unsought != "" {
			continue
		}
		if l.ByName && len(found) > 0 && found[0].Sure {
			l.set(snap, &found[0].Match)
		}
		for i := range found {
			l.Candidates = append(l.Candidates, candidate{found[i].Establishment.CNPJ, found[i].Score, found[i].Reason(), &found[i].Match})
		}
	}
	return nil
}

// workOfNames returns the budget of the names of a list, whose file was taken.
func (hs *Handlers) workOfNames() *snapshot.Budget {
	further := 0 // calls
	return snapshot.NewBudget(callsPerFile, (mostFiles-1)*callsPerFile, func(ctx context.Context) error {
		if further++; further%callsPerFile != 1 {
			return nil
		}
		return hs.pages.TakeFurtherFile(ctx)
	})
}

// shorten cuts a cell to what a name may have.
func shorten(name string) string {
	runes := []rune(name)
	return string(runes[:min(len(runes), longestName)])
}

const longestName = 200 // characters

// resultByName says what became of a line that has a name.
func (l *line) resultByName() string {
	switch {
	case l.Unsought != "":
		return l.Unsought
	case l.Outcome.Found:
		return "encontrado pelo nome: " + l.best().Reason
	case len(l.Candidates) > 0:
		return "incerto: " + l.Candidates[0].Reason
	}
	return "nenhuma empresa com um nome parecido"
}

// best returns the candidate that was found, or else the likeliest one; nil if there is none.
func (l *line) best() *candidate {
	for i := range l.Candidates {
		if c := &l.Candidates[i]; !l.Outcome.Found || c.CNPJ == l.CNPJ {
			return c
		}
	}
	return nil
}

// Score returns the score of the best candidate, "" if there is none.
func (l *line) Score() string {
	best := l.best()
	if best == nil {
		return ""
	}
	return strconv.FormatFloat(best.Score, 'f', 1, 64)
}

// Others lists the candidates of a line that is in doubt in one cell.
func (l *line) Others() string {
	if l.Outcome.Found {
		return ""
	}
	var all []string
	for i := range l.Candidates {
		all = append(all, l.Candidates[i].CNPJ.Masked()+" "+l.Candidates[i].Name())
	}
	return strings.Join(all, "; ")
}

// Name returns name and trade name of a candidate, once it is read; "" if it is not there any more.
func (c *candidate) Name() string {
	if c.match == nil {
		return ""
	}
	trade := ptbr.Company(c.match.Establishment.NomeFantasia)
	return wording.NameOf(c.match.Head, &c.match.Establishment) + page.When(trade != "", " ("+trade+")")
}

// Where says what was read: the sheet, the columns that say who is meant, and what stands above their heading.
func (a *answer) Where() string {
	var parts []string
	if a.Columns.Number == a.Columns.Name {
		parts = append(parts, "CNPJs e nomes da "+a.columnName(a.Columns.Name))
	}
	for _, c := range []struct {
		what   string
		column int
	}{{"CNPJs", a.Columns.Number}, {"nomes", a.Columns.Name}, {"municípios", a.Columns.Place}, {"UFs", a.Columns.UF}, {"atividades", a.Columns.Activity}} {
		if c.column != spreadsheet.None && (len(parts) == 0 || c.column != a.Columns.Name || c.column != a.Columns.Number) {
			parts = append(parts, c.what+" da "+a.columnName(c.column))
		}
	}
	text := ptbr.List(parts)
	text = strings.ToUpper(text[:1]) + text[1:] + "."
	if a.Sheet != "" {
		text = "Planilha “" + a.Sheet + "”. " + text
	}
	if a.Answered > 0 {
		text += " As colunas de uma consulta anterior não foram lidas, e são feitas de novo."
	}
	if n := len(a.Titles); n > 0 {
		text += " O cabeçalho é a linha " + strconv.Itoa(a.Heading.Line) + "; " + ptbr.Counted(n, "linha de título não foi consultada.", "linhas de título não foram consultadas.")
	}
	return text
}

// columnName names a column in a sentence.
func (a *answer) columnName(column int) string {
	if a.Heading.Cell(column) == "" {
		return strconv.Itoa(column+1) + "ª coluna"
	}
	return "coluna " + a.HeadingOf(column)
}

// HeadingOf names a column.
func (a *answer) HeadingOf(column int) string {
	if name := a.Heading.Cell(column); name != "" {
		return "“" + name + "”"
	}
	return strconv.Itoa(column + 1)
}
