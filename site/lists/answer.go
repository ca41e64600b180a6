package lists

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/spreadsheet"
	"razao/internal/store/dossier"
	"razao/internal/store/reconcile"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/page"
)

const (
	readAtOnce = 500      // companies that are read in one round trip
	maxNamed   = 64 << 20 // bytes of the headings in all lines, which NDJSON repeats
)

// answer is what a list says.
type answer struct {
	*spreadsheet.List
	Lines    []line
	Found    int
	Named    int // found by their name
	Chosen   int // somebody has chosen
	Padded   int // found with zeros that the list lacks
	Unsure   int // have candidates
	Unknown  int // have a name like none
	Unsought int // have a name that was not looked up
	Absent   int
	Lacking  int // may be in files that the load lacks
	Persons  int // about natural persons, not looked up
	Wrong    int

	file     []byte // as it was brought
	options  spreadsheet.Options
	at       time.Time
	dossiers map[cnpj.Root]dossier.Dossier

	token string // of its address
	until time.Time
}

// line is a line of the list with what was found.
type line struct {
	*spreadsheet.Row
	spreadsheet.Number
	Outcome
	Match  *snapshot.Match // once it is read; nil if nothing was found, or it is not there any more
	Status wording.Status
}

// Outcome is what became of a line, as it is kept.
type Outcome struct {
	Found      bool
	CNPJ       cnpj.Full // of the establishment that was found
	Situation  string    // its code
	Lacks      string    // files that the load lacks, which may have the number
	Chosen     bool      // somebody has chosen one of the candidates
	ByName     bool      // it is looked up by its name, since it has no number
	Unsought   string    // why its name was not looked up; "" if it was
	Candidates []candidate
}

// candidate is a company that the name of a line may mean, the likeliest first.
type candidate struct {
	CNPJ   cnpj.Full
	Score  float64
	Reason string
	match  *snapshot.Match
}

// doubtful reports whether somebody should look at the line.
func (l *line) doubtful() bool { return !l.Found || l.Padded && !l.ByName && !l.Chosen }

// Typed returns the cells with the number and the name.
func (a *answer) Typed(l *line) string {
	number, name := l.Cell(a.Columns.Number), l.Cell(a.Columns.Name)
	if a.Columns.Name == a.Columns.Number || l.ByName {
		return name
	}
	return ptbr.Join(" ", number, name)
}

// Origin says which line it is, and what it has, as far as that is not what was found.
func (a *answer) Origin(l *line) string {
	typed := a.Typed(l)
	if !l.doubtful() && !l.ByName && a.Columns.Name != a.Columns.Number {
		typed = l.Cell(a.Columns.Name)
	}
	if typed == l.Masked() || strings.EqualFold(typed, l.Name()) {
		typed = ""
	}
	return ptbr.Join(": ", "linha "+strconv.Itoa(l.Line), typed)
}

// Result says what became of a line.
func (l *line) Result() string {
	switch {
	case l.Chosen:
		return "escolhido por você: " + l.best().Reason
	case l.ByName:
		return l.resultByName()
	case l.Wrong != "" && len(l.Candidates) > 0:
		return l.Wrong + "; pelo nome: " + l.Candidates[0].Reason
	case l.Wrong != "":
		return l.Wrong
	case !l.Found && l.Lacks != "":
		return "não se sabe: os dados foram lidos sem " + l.Lacks
	case !l.Found:
		return "não está na carga" + page.When(l.Padded, ", com os zeros que faltavam")
	case l.Padded:
		return "encontrado com os zeros que faltavam: confira"
	}
	return "encontrado"
}

// Looked returns the number that was looked up or found, "" if there is none.
func (l *line) Looked() string {
	switch {
	case l.Outcome.Found:
		return l.CNPJ.String()
	case l.Wrong != "":
		return ""
	case l.Full == 0:
		return l.Root.String()
	}
	return l.Full.String()
}

// Masked is Looked as people write it.
func (l *line) Masked() string { return ptbr.CNPJ(l.Looked()) }

// Name returns the name of the company of a line, "" if nothing was found.
func (l *line) Name() string {
	if l.Match == nil {
		return ""
	}
	return wording.NameOf(l.Match.Head, &l.Match.Establishment)
}

func hasText(list []byte) bool { return len(bytes.TrimSpace(list)) > 0 }

// find reads a list, looks up its numbers and names, and adds up what sources have of the companies that it finds. The error is a
// spreadsheet.Problem, one of the form, or one of the records.
func (hs *Handlers) find(ctx context.Context, snap *snapshot.Snapshot, file []byte, options spreadsheet.Options) (*answer, error) {
	list, err := spreadsheet.Read(ctx, file, options)
	if err != nil {
		return nil, err
	}
	for field, column := range map[string]int{numberField: options.Number, nameField: options.Name} {
		if column > list.Width() {
			return nil, page.UnknownValue(field, strconv.Itoa(column), "A lista tem "+ptbr.Counted(list.Width(), "coluna", "colunas")+".")
		}
	}
	if len(strings.Join(list.Heading.Cells, ""))*len(list.Rows) > maxNamed {
		return nil, spreadsheet.ErrTooLarge
	}
	a := &answer{List: list, file: file, options: options, at: time.Now()}
	for i := range list.Rows {
		r := &list.Rows[i]
		a.Lines = append(a.Lines, line{Row: r, Number: list.Number(r)})
	}
	for part := range slices.Chunk(a.Lines, readAtOnce) {
		if err := lookUp(ctx, snap, part); err != nil {
			return nil, err
		}
	}
	if err := hs.lookUpNames(ctx, snap, a); err != nil {
		return nil, err
	}
	a.count()
	a.addUp(ctx, snap)
	return a, nil
}

// lookUp reads the companies of lines with numbers, all with one statement.
func lookUp(ctx context.Context, snap *snapshot.Snapshot, lines []line) error {
	var numbered []*line
	var numbers []registry.Document
	for i := range lines {
		l := &lines[i]
		l.Lacks = snap.Load.Gap(change.Companies, change.Establishments)
		if l.Wrong != "" {
			continue
		}
		number := registry.Document{Root: l.Root}
		if l.Full != 0 {
			number = documentOf(l.Full)
		}
		numbered, numbers = append(numbered, l), append(numbers, number)
	}
	found, err := reconcile.Numbers(ctx, snap, numbers)
	if err != nil {
		return err
	}
	for i, l := range numbered {
		l.set(snap, found[i])
	}
	return nil
}

func documentOf(full cnpj.Full) registry.Document {
	order := full.Order()
	return registry.Document{Root: full.Root(), Order: &order}
}

// set notes the establishment that was found for a line, nil for none.
func (l *line) set(snap *snapshot.Snapshot, m *snapshot.Match) {
	if m == nil {
		return
	}
	l.Found, l.CNPJ, l.Situation = true, m.Establishment.CNPJ, m.Establishment.SituacaoCadastral
	l.Match, l.Status = m, wording.StatusOf(snap, &m.Establishment)
}

// read reads what the records say of the companies of lines that were found, and of their candidates.
func read(ctx context.Context, snap *snapshot.Snapshot, lines []*line) error {
	for part := range slices.Chunk(lines, readAtOnce) {
		var numbers []registry.Document
		var into []**snapshot.Match
		for _, l := range part {
			if l.Outcome.Found {
				numbers, into = append(numbers, documentOf(l.CNPJ)), append(into, &l.Match)
			}
			for i := range l.Candidates {
				numbers, into = append(numbers, documentOf(l.Candidates[i].CNPJ)), append(into, &l.Candidates[i].match)
			}
		}
		found, err := reconcile.Numbers(ctx, snap, numbers)
		if err != nil {
			return err
		}
		for i := range found {
			*into[i] = found[i]
		}
		for _, l := range part {
			if l.Match != nil {
				l.Status = wording.StatusOf(snap, &l.Match.Establishment)
			}
		}
	}
	return nil
}

// addUp reads what sources have of the companies that were found, each once.
func (a *answer) addUp(ctx context.Context, snap *snapshot.Snapshot) {
	heads := map[cnpj.Root]*pack.Head{}
	for i := range a.Lines {
		if m := a.Lines[i].Match; m != nil {
			heads[m.Root] = m.Head
		}
	}
	var companies []*pack.Head
	for _, h := range heads {
		companies = append(companies, h)
	}
	if a.dossiers == nil {
		a.dossiers = make(map[cnpj.Root]dossier.Dossier, len(companies))
	}
	for i, d := range dossier.Read(ctx, snap, companies, dossier.Subjects()...) {
		for subject, f := range d {
			web.EventOf(ctx).Fail(f.Err)
			f.Err = nil
			d[subject] = f
		}
		a.dossiers[companies[i].Root] = d
	}
}

// dossier returns what there is of the company of a line, nil if none was found.
func (a *answer) dossier(l *line) dossier.Dossier {
	if !l.Outcome.Found {
		return nil
	}
	return a.dossiers[l.CNPJ.Root()]
}

// count adds up what became of the lines.
func (a *answer) count() {
	for i := range a.Lines {
		l := &a.Lines[i]
		switch {
		case l.Outcome.Found:
			a.Found++
			if l.Chosen {
				a.Chosen++
			} else if l.ByName {
				a.Named++
			} else if l.Padded {
				a.Padded++
			}
		case l.ByName && len(l.Candidates) > 0:
			a.Unsure++
		case l.Unsought != "":
			a.Unsought++
		case l.ByName:
			a.Unknown++
		case l.Wrong == spreadsheet.Person:
			a.Persons++
		case l.Wrong != "":
			a.Wrong++
		case l.Lacks != "":
			a.Lacking++
		default:
			a.Absent++
		}
	}
}

// companies returns the companies that were found in lines, each once, as the form has them that follows them; and how many.
func companies(lines []*line) (roots string, n int) {
	seen := map[cnpj.Root]bool{}
	var all []string
	for _, l := range lines {
		if root := l.CNPJ.Root(); l.Outcome.Found && !seen[root] {
			seen[root] = true
			all = append(all, root.String())
		}
	}
	return strings.Join(all, " "), len(all)
}
