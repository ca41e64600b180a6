package spreadsheet

import (
	"html"
	"slices"
	"strings"
	"unicode"

	"razao/index/term"
)

// Columns are the columns of a list, from 0, by what they say; None for what it does not say. Names may be in the column of the numbers.
type Columns struct {
	Number, Name, Place, UF, Activity int

	roots bool // the numbers are those of companies, with the zeros that spreadsheets drop
}

// None is no column.
const None = -1

// Places tells names of places from others.
type Places interface {
	// Place reports whether a text names a state or a municipality.
	Place(text string) (state, municipality bool)
}

const (
	mostTitles = 30  // lines above a heading
	guessedBy  = 200 // rows
	// leastNumbers is which part of the cells of a column are CNPJs if it is one of CNPJs: of amounts, a hundredth look like shortened ones.
	leastNumbers = 0.2
)

// Words of headings. One has no others, so that EMPRESA NOVA LTDA is none.
var (
	aboutName     = wordsOf("razao social nome fantasia empresa empresarial")
	aboutPlace    = wordsOf("municipio cidade localidade")
	aboutUF       = wordsOf("uf estado")
	aboutCEP      = wordsOf("cep codigo postal")
	aboutActivity = wordsOf("atividade cnae ramo principal economica")
	fillers       = wordsOf("do da de dos das e o a")
	// roles are what the companies of a list are to whoever made it: by itself the heading of their names.
	roles = wordsOf("fornecedor fornecedora fornecedores favorecido favorecida credor credora cliente contratado contratada beneficiario beneficiaria doador doadora sancionado sancionada")
	// makers are those who make lists. What a column says of them it does not say of the companies.
	makers = wordsOf("orgao contratante comprador compradora unidade gestora ug entidade secretaria concedente pagador pagadora tomador tomadora")
)

func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(text) {
		words[word] = true
	}
	return words
}

// subject is what a heading says that its column has.
type subject int

const (
	nothing subject = iota
	ofNumber
	ofName
	ofPlace
	ofUF
	ofActivity
	ofMaker // a number that is not the company's
)

// subjectOf reads a heading.
func subjectOf(cell string) subject {
	words := term.Words(strings.ReplaceAll(cell, "_", " "))
	has := func(about map[string]bool) bool {
		return slices.ContainsFunc(words, func(w string) bool { return about[w] })
	}
	number := !strings.ContainsAny(cell, "0123456789") && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "cnpj") || w == "raiz" })
	switch maker := has(makers); {
	case number && maker:
		return ofMaker
	case number:
		return ofNumber
	case maker:
		return nothing
	}
	only := func(about map[string]bool) bool {
		return has(about) && !slices.ContainsFunc(words, func(w string) bool {
			return !about[w] && !fillers[w] && !roles[w] && !(about["municipio"] && (aboutUF[w] || w == "nome"))
		})
	}
	switch {
	case only(aboutPlace):
		return ofPlace
	case only(aboutUF):
		return ofUF
	case only(aboutActivity):
		return ofActivity
	case only(aboutName), only(roles):
		return ofName
	}
	return nothing
}

// divide tells rows from the heading and the titles above it, and finds the columns.
func (l *List) divide(rows []Row, o Options) {
	l.Columns = Columns{Number: None, Name: None, Place: None, UF: None, Activity: None}
	l.Rows = rows
	if at := headingOf(rows); at >= 0 {
		l.Titles, l.Heading, l.Rows = rows[:at], rows[at], rows[at+1:]
	}
	width := max(Width(l.Rows), len(l.Heading.Cells))
	for i := range width {
		for _, c := range []struct {
			column *int
			of     subject
		}{{&l.Columns.Name, ofName}, {&l.Columns.Place, ofPlace}, {&l.Columns.UF, ofUF}, {&l.Columns.Activity, ofActivity}} {
			if *c.column == None && subjectOf(l.Heading.Cell(i)) == c.of {
				*c.column = i
			}
		}
	}
	number, found := l.numberColumn(width)
	if o.Number > 0 && o.Number <= width {
		number, found = o.Number-1, true
	}
	if found {
		l.Columns.Number = number
		heading := term.Fold(l.Heading.Cell(number))
		l.Columns.roots = strings.Contains(heading, "basico") || strings.Contains(heading, "raiz")
		if len(l.Heading.Cells) == 0 && isName(rows[0].Cell(number)) && l.fewNames(number) {
			l.Heading, l.Rows = rows[0], rows[1:] // words that we do not know
		}
	}
	switch {
	case l.Columns.Name != None:
	case width == 1:
		l.Columns.Name, l.Columns.Number = 0, 0
	case len(l.Heading.Cells) == 0:
		l.guess(width, o.Places)
	}
	if l.Columns.Name == None {
		l.Columns.Place, l.Columns.UF, l.Columns.Activity = None, None, None
	}
	if l.Columns.Number == None && l.Columns.Name == None {
		l.Columns.Number = number
	}
}

// headingOf returns the row that names the columns: one before all numbers, with words of headings, or -1. Below the first row it names
// that of the numbers or, in a list of several columns, several.
func headingOf(rows []Row) int {
	width := Width(rows)
	for at := range rows[:min(len(rows), mostTitles+1)] {
		named, filled, numbers := 0, 0, false
		for _, cell := range rows[at].Cells {
			if n := readNumber(cell, false); n.Wrong == "" || n.Wrong == Misread && n.amid {
				return -1
			}
			of := subjectOf(cell)
			if of != nothing {
				named++
			}
			numbers = numbers || of == ofNumber
			if cell != "" {
				filled++
			}
		}
		alone := width == 1 || at == 0 && len(rows) > 1 && len(rows[1].Cells) == 1 // in its row, and that is no title
		if named > 0 && (filled > 1 || alone) && (at == 0 || numbers || named > 1) {
			return at
		}
	}
	return -1
}

// numberColumn returns the column with the CNPJs: the one in which most cells are one. Whole numbers count
// more than eight digits, which a CEP has, too, and a heading with the word doubles what a column has, unless they are those of who made
// the list. found is false if no column is one of numbers.
func (l *List) numberColumn(width int) (best int, found bool) {
	most := 0
	for column := range width {
		of := subjectOf(l.Heading.Cell(column))
		score, numbers, filled := 0, 0, 0
		for _, r := range l.Rows {
			cell := r.Cell(column)
			n := readNumber(cell, false)
			switch {
			case n.Wrong == Misread, n.Wrong == Rounded, n.Wrong == Person, n.Wrong == Several:
				score++
			case n.Wrong == "" && n.Full != 0:
				score += 4
			case n.Wrong == "":
				score++
			}
			if n.Full != 0 || n.Wrong == "" && !onlyWords(l.Heading.Cell(column), aboutCEP) {
				numbers++
			}
			if cell != "" {
				filled++
			}
		}
		if score *= 4; score > 0 && of == ofNumber {
			score = 2*score + 1
		}
		if of == ofMaker {
			score /= 8
		}
		if score > most {
			best, most = column, score
			found = of == ofNumber || float64(numbers) > leastNumbers*float64(filled) || l.Columns.Name == None
		}
	}
	return best, most > 0 && found
}

func onlyWords(cell string, about map[string]bool) bool {
	words := term.Words(cell)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !about[w] && !fillers[w] })
}

// isName reports whether a cell has words and no digits.
func isName(cell string) bool { return cell != "" && !strings.ContainsAny(cell, "0123456789") }

// fewNames reports whether in a list of several columns the first cell of a column is the only one that is no number.
func (l *List) fewNames(column int) bool {
	if Width(l.Rows) == 1 {
		return false
	}
	for _, r := range l.Rows[1:] {
		if isName(r.Cell(column)) {
			return false
		}
	}
	return len(l.Rows) > 1
}

// guess finds the columns of a list without headings by its first rows: places are what most cells of a column are, and the first other
// column with words has the names.
func (l *List) guess(width int, places Places) {
	c := &l.Columns
	rows := l.Rows[:min(len(l.Rows), guessedBy)]
	for i := range width {
		if i == c.Number {
			continue
		}
		cities, states, words := 0, 0, 0
		for _, r := range rows {
			cell := r.Cell(i)
			state, city := false, false
			if places != nil {
				state, city = places.Place(cell)
			}
			switch {
			case city:
				cities++
			case state:
				states++
			case slices.ContainsFunc(term.Words(cell), hasLetters):
				words++
			}
		}
		switch most := len(rows) / 2; {
		case c.UF == None && states > most:
			c.UF = i
		case c.Place == None && cities > most:
			c.Place = i
		case c.Name == None && words > 0:
			c.Name = i
		}
	}
	if c.Name == None && c.Place != None { // names that are those of places
		c.Name, c.Place = c.Place, None
	}
}

// hasLetters reports whether a word has three letters.
func hasLetters(word string) bool {
	return len(word) >= 3 && !strings.ContainsAny(word, "0123456789")
}

// Name returns the name of a row, "" if it has none: what stands beside the number if both are in one cell. A row about a person has none.
func (l *List) Name(r *Row) string {
	cell := r.Cell(l.Columns.Name)
	if l.Columns.Name == l.Columns.Number {
		if n := l.Number(r); n.amid {
			cell = n.rest
		}
	}
	if !strings.ContainsFunc(cell, unicode.IsLetter) || l.Number(r).Wrong == Person {
		return ""
	}
	return html.UnescapeString(cell)
}
