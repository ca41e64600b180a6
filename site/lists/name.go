package lists

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"razao/index/term"
	"razao/internal/data/ptbr"
	"razao/internal/store/reconcile"
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
	guessedBy    = 200 // rows
)

// columns are the columns of a list, from 0, by what they say; none for what it does not say.
type columns struct{ number, name, place, uf, activity int }

const none = -1

var noColumns = columns{none, none, none, none, none}

// Words of headings. A heading has no others, so that EMPRESA NOVA LTDA is none.
var (
	aboutName     = wordsOf("razao social nome fantasia empresa fornecedor fornecedora favorecido favorecida credor credora cliente contratado contratada beneficiario beneficiaria doador")
	aboutPlace    = wordsOf("municipio cidade localidade")
	aboutUF       = wordsOf("uf estado")
	aboutCEP      = wordsOf("cep codigo postal")
	aboutActivity = wordsOf("atividade cnae ramo principal")
	fillers       = wordsOf("do da de e o a")
)

func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(text) {
		words[word] = true
	}
	return words
}

// heads reports whether a cell is a heading with these words.
func heads(cell string, about map[string]bool) bool {
	said := false
	for _, word := range term.Words(cell) {
		if !about[word] && !fillers[word] {
			return false
		}
		said = said || about[word]
	}
	return said
}

// columnsOf finds the columns of a list, by their headings if it has any; headed says whether the first row has
// them. Without headings, names are looked for in a list without numbers only.
func (hs *Handlers) columnsOf(rows []row) (c columns, headed bool) {
	c = noColumns
	number, found := columnOf(rows)
	for i := range width(rows) {
		cell := rows[0].cell(i)
		for _, kind := range []struct {
			column *int
			about  map[string]bool
		}{{&c.name, aboutName}, {&c.place, aboutPlace}, {&c.uf, aboutUF}, {&c.activity, aboutActivity}} {
			if *kind.column == none && heads(cell, kind.about) {
				*kind.column = i
			}
		}
	}
	headed = c.name != none
	if found && hasNumbers(rows, number) {
		c.number, headed = number, headed || isHeading(rows, number)
	}
	if c.number == none && c.name == none {
		if guessed := hs.guess(rows); guessed.name != none {
			return guessed, false
		}
		c.number, headed = number, isHeading(rows, number)
	}
	if c.name == none {
		c.place, c.uf, c.activity = none, none, none
	}
	return c, headed
}

// leastNumbers is which part of the cells of a column are CNPJs if it is one of CNPJs: of amounts, a
// hundredth look like shortened ones.
const leastNumbers = 0.2

// hasNumbers reports whether a column is one of CNPJs, by its heading or by its cells.
func hasNumbers(rows []row, column int) bool {
	heading := term.Fold(rows[0].cell(column))
	if strings.Contains(heading, "cnpj") || strings.Contains(heading, "raiz") {
		return true
	}
	numbers, all := 0, 0
	for _, r := range rows {
		cell := r.cell(column)
		if n := readNumber(cell); n.full != 0 || n.wrong == "" && !heads(rows[0].cell(column), aboutCEP) {
			numbers++
		}
		if cell != "" {
			all++
		}
	}
	return float64(numbers) > leastNumbers*float64(all)
}

// guess finds the columns of a list that has neither numbers nor headings, by its first rows: places are what most cells
// of a column are, and the first other column with words has the names.
func (hs *Handlers) guess(rows []row) columns {
	c := noColumns
	rows = rows[:min(len(rows), guessedBy)]
	for i := range width(rows) {
		cities, states, words := 0, 0, 0
		for _, r := range rows {
			cell := r.cell(i)
			said := hs.matcher.Read("", cell, "", "")
			switch {
			case said.Municipio != "":
				cities++
			case said.UF != "":
				states++
			case slices.ContainsFunc(term.Words(cell), hasLetters):
				words++
			}
		}
		switch most := len(rows) / 2; {
		case c.uf == none && states > most:
			c.uf = i
		case c.place == none && cities > most:
			c.place = i
		case c.name == none && words > 0:
			c.name = i
		}
	}
	if c.name == none && c.place != none { // names that are those of places
		c.name, c.place = c.place, none
	}
	return c
}

// hasLetters reports whether a word has three letters.
func hasLetters(word string) bool {
	return len(word) >= 3 && !strings.ContainsAny(word, "0123456789")
}

// lookUpNames finds the companies of the lines that have a name and no number. The error is a problem, or one of the
// search.
func (hs *Handlers) lookUpNames(ctx context.Context, snap *snapshot.Snapshot, a *answer) error {
	if a.Columns.name == none {
		return nil
	}
	budget := hs.workOfNames()
	asked, unsought := 0, ""
	for i := range a.Lines {
		l := &a.Lines[i]
		name := l.cell(a.Columns.name)
		if l.wrong != noNumber || name == "" {
			continue
		}
		if asked++; asked > maxNames {
			return errTooManyNames
		}
		l.named, l.unsought = true, unsought
		if unsought != "" {
			continue
		}
		wanted := hs.matcher.Read(shorten(name), l.cell(a.Columns.place), l.cell(a.Columns.uf), l.cell(a.Columns.activity))
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
		if l.unsought = unsought; unsought != "" {
			continue
		}
		if len(found) > 0 && found[0].Sure {
			l.Match, l.Status = &found[0].Match, wording.StatusOf(snap, &found[0].Establishment)
		}
		l.Candidates = found
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
	case l.unsought != "":
		return l.unsought
	case l.Match != nil:
		return "encontrado pelo nome: " + l.Candidates[0].Reason()
	case len(l.Candidates) > 0:
		return "incerto: " + l.Candidates[0].Reason()
	}
	return "nenhuma empresa com um nome parecido"
}

// Score returns the score of the first candidate, "" if there is none.
func (l *line) Score() string {
	if len(l.Candidates) == 0 {
		return ""
	}
	return strconv.FormatFloat(l.Candidates[0].Score, 'f', 1, 64)
}

// Others lists the candidates of a line that is in doubt in one cell.
func (l *line) Others() string {
	if l.Match != nil {
		return ""
	}
	var all []string
	for i := range l.Candidates {
		c := &l.Candidates[i]
		all = append(all, c.Establishment.CNPJ.Masked()+" "+nameOf(c))
	}
	return strings.Join(all, "; ")
}

// nameOf returns name and trade name of a candidate.
func nameOf(c *reconcile.Candidate) string {
	trade := ptbr.Company(c.Establishment.NomeFantasia)
	return wording.NameOf(c.Head, &c.Establishment) + page.When(trade != "", " ("+trade+")")
}

// Where names the columns in which the list says what it asks for.
func (a *answer) Where() string {
	var parts []string
	for _, c := range []struct {
		what   string
		column int
	}{{"CNPJs", a.Columns.number}, {"nomes", a.Columns.name}, {"municípios", a.Columns.place}, {"UFs", a.Columns.uf}, {"atividades", a.Columns.activity}} {
		if c.column != none {
			parts = append(parts, c.what+" da coluna "+a.headingOf(c.column))
		}
	}
	text := ptbr.List(parts)
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// headingOf names a column.
func (a *answer) headingOf(column int) string {
	if name := a.Heading.cell(column); name != "" {
		return "“" + name + "”"
	}
	return strconv.Itoa(column + 1)
}
