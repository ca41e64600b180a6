package spreadsheet

import (
	"regexp"
	"slices"
	"strings"

	"razao/index/term"
	"razao/internal/data/cnpj"
)

// Columns are the columns of a list, from 0, by what they say; None for what it does not say. Names may be in the column of the numbers.
type Columns struct {
	Number, Name, Place, UF, Activity int

	roots roots // what eight digits in the column of the numbers are
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
	aboutName     = wordsOf("razao social nome fantasia empresa empresas empresarial name1 rotulos linha")
	aboutPlace    = wordsOf("municipio cidade localidade mun ort01")
	aboutUF       = wordsOf("uf estado est regio")
	aboutNumber   = wordsOf("cnpj cgc raiz stcd1")
	aboutActivity = wordsOf("atividade cnae ramo principal economica")
	// denials say that there is none: the line NAME;sem CNPJ is no heading.
	denials = wordsOf("sem falta nao inapto baixado invalido irregular conferido pendente")
	fillers = wordsOf("do da de dos das e o a lista relacao rol meus nossos todos")
	// roles are what the companies of a list are to whoever made it: by itself the heading of their names.
	roles = wordsOf("fornecedor fornecedora fornecedores favorecido favorecida credor credora credores cliente clientes contratado contratada contratados beneficiario beneficiaria doador doadora sancionado sancionada")
	// makers are those who make lists. What a column says of them it does not say of the companies.
	makers = wordsOf("orgao contratante comprador compradora transportador transportadora unidade gestora ug entidade secretaria concedente pagador pagadora tomador tomadora")
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

// subjectOf reads a heading. Accounting programs write A1_NOME, where A1 is a table.
func subjectOf(cell string) subject {
	words := slices.DeleteFunc(term.Words(strings.ReplaceAll(cell, "_", " ")), func(w string) bool { return fillers[w] || ofTable.MatchString(w) })
	has := func(about map[string]bool) bool {
		return slices.ContainsFunc(words, func(w string) bool { return about[w] })
	}
	number := has(aboutNumber) || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "cnpj") })
	switch maker := has(makers); {
	case has(denials):
		return nothing
	case number && maker:
		return ofMaker
	case number:
		return ofNumber
	case maker:
		return nothing
	}
	only := func(about map[string]bool) bool {
		return has(about) && !slices.ContainsFunc(words, func(w string) bool {
			return !about[w] && !roles[w] && !(about["municipio"] && (aboutUF[w] || w == "nome"))
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

// ofTable matches the name of a table, or a year: neither says what a column has.
var ofTable = regexp.MustCompile(`^(?:[a-z]{1,2}[0-9]{1,2}|(?:19|20)[0-9]{2})$`)

// isData reports whether a cell is one of a row, and so of no heading: it has a CNPJ, right or wrong.
func isData(cell string) bool {
	n := readNumber(cell, noRoots)
	return n.Wrong == "" || n.Wrong == Misread && len(cell) >= lengthCNPJ-2
}

// divide tells rows from the heading and the titles above it, finds the columns, and reads what the rows say.
func (l *List) divide(rows []Row, o Options) {
	l.Rows = rows
	if at := headingOf(rows); at >= 0 {
		l.Titles, l.Heading, l.Rows = slices.Clone(rows[:at]), rows[at], rows[at+1:]
	} else if isHeading(rows) {
		l.Heading, l.Rows = rows[0], rows[1:] // in words that we do not know
	} else if allNumbers(rows) {
		l.Rows = oneByOne(rows)
	}
	l.cutAnswer(o.Answer)
	l.findColumns(o)
	l.Rows = slices.DeleteFunc(slices.Clone(l.Rows), func(r Row) bool {
		again := len(l.Heading.Cells) > 0 && slices.Equal(r.Cells, l.Heading.Cells) // on each page that was printed
		if again {
			l.Titles = append(l.Titles, r)
		}
		return again
	})
	for i := range l.Rows {
		l.read(&l.Rows[i])
	}
}

// cutAnswer leaves out what a former answer has added to the list.
func (l *List) cutAnswer(answer []string) {
	if len(answer) == 0 {
		return
	}
	same := func(a, b string) bool { return slices.Equal(term.Words(a), term.Words(b)) }
	for at := 1; at+len(answer) <= len(l.Heading.Cells); at++ {
		if slices.EqualFunc(l.Heading.Cells[at:at+len(answer)], answer, same) {
			l.Answered = len(l.Heading.Cells) - at
			l.Heading = l.Heading.until(at)
			for i := range l.Rows {
				l.Rows[i] = l.Rows[i].until(at)
			}
			return
		}
	}
}

// findColumns finds the columns by their headings and by their cells.
func (l *List) findColumns(o Options) {
	l.Columns = Columns{Number: None, Name: None, Place: None, UF: None, Activity: None}
	width := l.Width()
	l.persons = map[int]bool{}
	for i := range width {
		heading := l.Heading.Cell(i)
		l.persons[i] = slices.Contains(term.Words(heading), "cpf")
		for _, c := range []struct {
			column *int
			of     subject
		}{{&l.Columns.Name, ofName}, {&l.Columns.Place, ofPlace}, {&l.Columns.UF, ofUF}, {&l.Columns.Activity, ofActivity}} {
			if *c.column == None && subjectOf(heading) == c.of {
				*c.column = i
			}
		}
	}
	if o.Name > 0 {
		l.Columns.Name = o.Name - 1
	}
	number, found := l.numberColumn()
	if o.Number > 0 {
		number, found = o.Number-1, true
	}
	if found {
		l.Columns.Number = number
	}
	switch {
	case l.Columns.Name != None:
	case width == 1:
		l.Columns.Name, l.Columns.Number = 0, 0
	case slices.ContainsFunc(l.Rows, func(r Row) bool { return readNumber(r.Cell(l.Columns.Number), noRoots).Wrong != "" }):
		l.guess(width, o.Places)
	}
	if l.Columns.Name == None {
		l.Columns.Place, l.Columns.UF, l.Columns.Activity = None, None, None
	}
	if l.Columns.Number == None && l.Columns.Name == None {
		l.Columns.Number = number
	}
	if l.Columns.Number != None {
		l.Columns.roots = l.rootsIn(l.Columns.Number)
		if o.Number > 0 {
			l.Columns.roots = max(l.Columns.roots, wholeRoots)
		}
	}
}

// Width returns the number of columns.
func (l *List) Width() int { return max(width(l.Rows), len(l.Heading.Cells)) }

// rootsIn returns what eight digits in a column are: roots, if its heading says so or the list has no other column.
func (l *List) rootsIn(column int) roots {
	heading := l.Heading.Cell(column)
	words := term.Words(strings.ReplaceAll(heading, "_", " "))
	switch of := subjectOf(heading); {
	case slices.Contains(words, "basico") || slices.Contains(words, "raiz"):
		return cutRoots
	case of == ofNumber || of == ofMaker || l.Width() == 1:
		return wholeRoots
	}
	return noRoots
}

// allNumbers reports whether rows of several columns have nothing but CNPJs: they were written one behind the other.
func allNumbers(rows []Row) bool {
	for i := range rows {
		for _, cell := range rows[i].Cells {
			if cell != "" && !isData(cell) {
				return false
			}
		}
	}
	return width(rows) > 1
}

// oneByOne makes a row of each cell.
func oneByOne(rows []Row) (all []Row) {
	for i := range rows {
		for column, cell := range rows[i].Cells {
			if cell != "" {
				row := Row{Line: rows[i].Line}
				row.set(0, cell, rows[i].held(column))
				all = append(all, row)
			}
		}
	}
	return all
}

// headingOf returns the row that names the most columns, before all numbers and with words of headings, or -1. What stands above it has
// fewer cells, and below the first row it names the column of the numbers or several.
func headingOf(rows []Row) int {
	width := width(rows)
	best, most, widest := -1, 0, 0
	for at := range rows[:min(len(rows), mostTitles+1)] {
		named, filled, numbers := 0, 0, false
		for _, cell := range rows[at].Cells {
			if isData(cell) {
				return best
			}
			switch subjectOf(cell) {
			case nothing:
			case ofNumber:
				named, numbers = named+2, true // of titles it is the least likely word
			default:
				named++
			}
			if cell != "" {
				filled++
			}
		}
		alone := width == 1 && at < 2 || at == 0 && len(rows) > 1 && len(rows[1].Cells) == 1 // in its row, and that is no title
		if named > most && (filled > widest || alone) && (filled > 1 || alone) && (at == 0 || numbers || named > 1) {
			best, most = at, named
		}
		widest = max(widest, filled)
	}
	return best
}

// isHeading reports whether the first of rows is unlike the others: it has words alone, and above numbers too.
func isHeading(rows []Row) bool {
	filled := 0
	for _, cell := range rows[0].Cells {
		if cell != "" {
			filled++
		}
		if isData(cell) || startsWithDigit(cell) || subjectOf(cell) == nothing && slices.ContainsFunc(term.Words(cell), func(w string) bool { return denials[w] }) {
			return false
		}
	}
	if filled < 2 || len(rows) < 2 {
		return false
	}
	for column, name := range rows[0].Cells {
		numbers, all := 0, 0
		for i := range rows[1:min(len(rows), guessedBy)] {
			if cell := rows[i+1].Cell(column); cell != "" {
				all++
				if startsWithDigit(cell) {
					numbers++
				}
			}
		}
		if name != "" && numbers > 0 && 5*numbers >= 4*all {
			return true
		}
	}
	return false
}

func startsWithDigit(cell string) bool { return cell != "" && cell[0] >= '0' && cell[0] <= '9' }

// numberColumn returns the column with the CNPJs: the one in which most cells are one. Whole numbers count
// more than roots and than those beside a text, and a heading with the word doubles what a column has, unless they are those of who made
// the list, whose number is the same in all rows. found is false if no column is one of numbers.
func (l *List) numberColumn() (best int, found bool) {
	most := 0
	for column := range l.Width() {
		heading := l.Heading.Cell(column)
		of, as := subjectOf(heading), l.rootsIn(column)
		score, numbers, persons, filled := 0, 0, 0, 0
		distinct := map[cnpj.Root]bool{}
		for i := range l.Rows {
			cell := l.Rows[i].Cell(column)
			if cell != "" {
				filled++
			}
			n := readNumber(cell, as)
			switch {
			case n.Wrong == NoNumber, n.Wrong == Misread && (n.short || len(cell) < lengthCNPJ-2), n.Wrong == "" && n.Padded && of != ofNumber && len(cell) < lengthCNPJ-2:
				continue // also codes, and amounts that are one by chance
			case n.Wrong == Person:
				persons++
			case n.Wrong == "" && n.amid:
				score++
			case n.Wrong == "" && n.Full != 0:
				score += 3
			}
			score++
			if n.Wrong == "" {
				numbers++
				distinct[n.Root] = true
			}
		}
		if score *= 4; score > 0 && of == ofNumber {
			score = 2*score + 1
		}
		if of == ofNumber && slices.ContainsFunc(term.Words(heading), func(w string) bool { return roles[w] }) {
			score *= 2
		}
		if of == ofMaker || len(distinct) == 1 && numbers > 1 {
			score /= 8
		}
		if score > most {
			best, most = column, score
			found = of == ofNumber || of == ofMaker || numbers > 0 && float64(numbers+persons) > leastNumbers*float64(filled)
		}
	}
	return best, found
}

// guess finds the columns that no heading names by the first rows: places are what most cells of a column are, and of the others the one
// with the most different words has the names.
func (l *List) guess(width int, places Places) {
	c := &l.Columns
	rows := l.Rows[:min(len(l.Rows), guessedBy)]
	most := 0
	for i := range width {
		if i == c.Number || i == c.Place || i == c.UF || i == c.Activity || l.persons[i] || len(l.Heading.Cells) > 0 && subjectOf(l.Heading.Cell(i)) != nothing {
			continue
		}
		cities, states, words := 0, 0, map[string]bool{}
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
				words[cell] = true
			}
		}
		switch half := len(rows) / 2; {
		case c.UF == None && states > half:
			c.UF = i
		case c.Place == None && cities > half:
			c.Place = i
		case len(words) > most:
			c.Name, most = i, len(words)
		}
	}
	if c.Name == None && c.Place != None && len(l.Heading.Cells) == 0 { // names that are those of places
		c.Name, c.Place = c.Place, None
	}
}

// hasLetters reports whether a word has three letters.
func hasLetters(word string) bool {
	return len(word) >= 3 && !strings.ContainsAny(word, "0123456789")
}
