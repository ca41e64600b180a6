// Package lists looks up a whole list of CNPJs or names of companies, /lista: pasted, or a CSV or XLSX file, which
// comes back with columns added. Nothing of a list is stored, but that an account may follow what was found in it.
//
// Package spreadsheet reads the list, and package reconcile finds the companies. Each line is answered by itself: found, not in the load, or
// not a CNPJ, and why. Numbers that a spreadsheet has shortened are looked up with their zeros, and the answer says so. A line without a
// number is looked up by its name and what else it says, and is found if only one company can be meant. One about a natural person, with a
// CPF, is not looked up.
package lists

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/people/follow"
	"razao/internal/spreadsheet"
	"razao/internal/store/reconcile"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/page"
)

// Path is the path of the page and its form.
const Path = "/lista"

const (
	maxUpload  = 4<<20 + 64<<10 // bytes of a form: a file of 4 MB and the fields beside it
	readAtOnce = 500            // companies that are read in one round trip
	maxNamed   = 64 << 20       // bytes of the headings in all lines, which NDJSON repeats
	mostEchoed = 1 << 20        // bytes of a pasted list in the form of its page; HTML writes a quote in five
	mostShown  = 20             // lines in doubt on the page
	firstShown = 20             // lines of the list on the page

	// Lists that are looked up at once, once they have arrived.
	listsAtOnce    = 4
	listsOfAccount = 1
	listsOfNetwork = 2
	// Files that are sent back, each with its list in memory for as long as its client reads.
	filesAtOnce    = 8
	filesOfAccount = 2
	filesOfNetwork = 4
	filesComputing = 2
	listsWait      = 10 * time.Second // for one of them to be answered
	listTime       = 2 * time.Minute  // that one may take
)

// Fields of the form, beside the file.
const (
	pastedField  = "cnpjs"
	sheetField   = "planilha"
	numberField  = "coluna" // of the CNPJs, from 1
	nameField    = "nomes"  // column of the names
	columnsField = "colunas"
	outputField  = "saida"
)

// onScreen is the value of the field of the output for the page. The others are formats of tables.
const onScreen = "tela"

// everything is the value of the field of the columns for all that an export of companies has.
const everything = "todas"

// essential are the columns that are added otherwise.
var essential = []string{
	"razao_social", "identificador_matriz_filial", "situacao_cadastral", "data_situacao_cadastral", "cnae_fiscal_principal", "descricao_cnae", "municipio", "uf",
}

// Handlers serves the page. It is safe for concurrent use.
type Handlers struct {
	pages      *page.Server
	atlas      *territory.Atlas
	matcher    *reconcile.Matcher
	sameOrigin gin.HandlerFunc  // CSRF protection; nil if nobody can sign in
	lists      *web.SharedSlots // see listsAtOnce
	files      *web.Downloads   // see filesAtOnce
}

// New returns the handlers. The errors are that the public address is no URL, and that of reconcile.New.
func New(pages *page.Server) (*Handlers, error) {
	matcher, err := reconcile.New(pages.Live)
	if err != nil {
		return nil, err
	}
	hs := &Handlers{
		pages: pages, atlas: pages.Live.Atlas(), matcher: matcher,
		lists: web.NewSharedSlots(listsAtOnce, web.Share{Account: listsOfAccount, Network: listsOfNetwork}, listsWait),
		files: web.NewDownloads(filesAtOnce, web.Share{Account: filesOfAccount, Network: filesOfNetwork}, filesComputing, listsWait),
	}
	if pages.Sessions == nil {
		return hs, nil
	}
	hs.sameOrigin, err = web.SameOrigin(pages.BaseURL, pages.Fail)
	return hs, err
}

// Register adds the routes to pages, before its requests take a slot: a form takes one of its own, once
// it has arrived.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	web.Get(pages, Path, hs.pages.Text(func(context.Context, *snapshot.Snapshot) page.Page { return hs.newPage() }))
	if hs.sameOrigin != nil {
		pages.POST(Path, hs.sameOrigin, hs.pages.RequireAccount, hs.answer)
	}
}

// listPage is the form and, once it was sent, what was found.
type listPage struct {
	page.Frame
	Open       bool   // one can sign in, and lists are answered
	Problem    string // what is wrong with the list; "" before one is sent
	OfFile     bool   // it is the file that is wrong, and not what was pasted
	Pasted     string
	Everything bool
	Answer     *answer // nil before a list is sent
	MostKept   int     // companies that an account may follow
}

func (hs *Handlers) newPage() *listPage {
	p := &listPage{Open: hs.sameOrigin != nil, MostKept: follow.Most[follow.Company]}
	p.Crumbs = page.Trail("Consultar uma lista")
	p.Title = "Consultar uma lista de CNPJs ou nomes"
	p.Description = "Cole uma lista de CNPJs ou de nomes, ou envie um CSV ou uma planilha: cada linha volta com CNPJ, nome, situação, atividade e município."
	p.Canonical = Path
	return p
}

// answer is what a list says.
type answer struct {
	*spreadsheet.List
	Lines    []line
	Found    int
	Named    int // found by their name
	Padded   int // found with zeros that the list lacks
	Unsure   int // have candidates
	Unknown  int // have a name like none
	Unsought int // have a name that was not looked up
	Absent   int
	Lacking  int // may be in files that the load lacks
	Persons  int // about natural persons, not looked up
	Wrong    int
	Doubts   []*line // that need a look, the first mostShown
}

// line is a line of the list with what was found.
type line struct {
	*spreadsheet.Row
	spreadsheet.Number
	name       string
	Match      *snapshot.Match // nil if nothing was found
	Status     wording.Status
	lacking    string                // files that the load lacks, which may have the number
	named      bool                  // it is looked up by its name, since it has no number
	unsought   string                // why its name was not looked up; "" if it was
	Candidates []reconcile.Candidate // of the name, the likeliest first
}

// Typed returns the cells with the number and the name.
func (a *answer) Typed(l *line) string {
	number, name := l.Cell(a.Columns.Number), l.Cell(a.Columns.Name)
	if a.Columns.Name == a.Columns.Number || l.named {
		return name
	}
	return ptbr.Join(" ", number, name)
}

// First returns the first lines, for the page.
func (a *answer) First() (lines []*line) {
	for i := range a.Lines[:min(firstShown, len(a.Lines))] {
		lines = append(lines, &a.Lines[i])
	}
	return lines
}

// Result says what became of a line.
func (l *line) Result() string {
	switch {
	case l.named:
		return l.resultByName()
	case l.Wrong != "" && len(l.Candidates) > 0:
		return l.Wrong + "; pelo nome: " + l.Candidates[0].Reason()
	case l.Wrong != "":
		return l.Wrong
	case l.Match == nil && l.lacking != "":
		return "não se sabe: os dados foram lidos sem " + l.lacking
	case l.Match == nil:
		return "não está na carga" + page.When(l.Padded, ", com os zeros que faltavam")
	case l.Padded:
		return "encontrado com os zeros que faltavam: confira"
	}
	return "encontrado"
}

// CNPJ returns the number that was looked up, "" if there is none.
func (l *line) CNPJ() string {
	switch {
	case l.Match != nil:
		return l.Match.Establishment.CNPJ.String()
	case l.Wrong != "":
		return ""
	case l.Full == 0:
		return l.Root.String()
	}
	return l.Full.String()
}

// Masked is CNPJ as people write it.
func (l *line) Masked() string { return ptbr.CNPJ(l.CNPJ()) }

// answer answers the form: with the page, or with the list as a table.
func (hs *Handlers) answer(c *gin.Context) {
	if err := hs.pages.TakeFile(c); err != nil {
		hs.pages.Fail(c, err)
		return
	}
	form, err := web.ReadUpload(c, maxUpload)
	if errors.Is(err, web.ErrFormTooLarge) {
		hs.pages.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error {
			p := hs.newPage()
			p.OfFile = true
			hs.refuse(c, snap, p, errUpload, http.StatusRequestEntityTooLarge)
			return nil
		})(c)
		return
	}
	if err != nil {
		hs.pages.Fail(c, err)
		return
	}
	done, err := web.Move(c, hs.lists, listTime)
	if err != nil {
		hs.pages.Fail(c, err)
		return
	}
	defer done()
	hs.pages.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error { return hs.reply(c, snap, form) })(c)
}

func (hs *Handlers) reply(c *gin.Context, snap *snapshot.Snapshot, form *web.Upload) error {
	output := form.Values.Get(outputField)
	if output == "" {
		output = onScreen
	}
	if outputs := append([]string{onScreen}, page.Formats()...); !slices.Contains(outputs, output) {
		return page.UnknownValue(outputField, output, "Deve ser "+ptbr.Alternatives(outputs)+".")
	}
	p := hs.newPage()
	p.Everything = form.Values.Get(columnsField) == everything
	a, err := hs.find(c.Request.Context(), snap, form)
	pasted := form.Values.Get(pastedField)
	if len(form.File) == 0 && len(pasted) <= mostEchoed {
		p.Pasted = pasted
	}
	p.OfFile = hasText(form.File) || form.Chosen && !hasText([]byte(pasted))
	var refused spreadsheet.Problem
	switch {
	case errors.As(err, &refused):
		hs.refuse(c, snap, p, refused, http.StatusUnprocessableEntity)
		return nil
	case err != nil:
		return err
	case output == onScreen:
		p.Answer = a
		hs.pages.SendPage(c, snap, page.Reply{Page: p}, web.Nobody)
		return nil
	}
	t := hs.table(snap, a, p.Everything)
	return hs.pages.StreamTable(c, snap, &t, page.Format(output), hs.files)
}

// refuse answers with the form and why its list was not read.
func (hs *Handlers) refuse(c *gin.Context, snap *snapshot.Snapshot, p *listPage, why spreadsheet.Problem, status int) {
	p.Problem = string(why)
	hs.pages.SendPage(c, snap, page.Reply{Page: p, Status: status}, web.Nobody)
}

func hasText(list []byte) bool { return len(bytes.TrimSpace(list)) > 0 }

// find reads the list and looks up its numbers and names. The error is a spreadsheet.Problem, one of the form, or one of the records.
func (hs *Handlers) find(ctx context.Context, snap *snapshot.Snapshot, form *web.Upload) (*answer, error) {
	file := form.File
	if !hasText(file) {
		file = []byte(form.Values.Get(pastedField))
	}
	options := spreadsheet.Options{Sheet: form.Values.Get(sheetField), Places: hs.matcher}
	for field, column := range map[string]*int{numberField: &options.Number, nameField: &options.Name} {
		if given := form.Values.Get(field); given != "" {
			var err error
			if *column, err = strconv.Atoi(given); err != nil || *column < 1 {
				return nil, page.UnknownValue(field, given, "Deve ser o número de uma coluna, a partir de 1.")
			}
		}
	}
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
	a := &answer{List: list}
	for i := range list.Rows {
		r := &list.Rows[i]
		a.Lines = append(a.Lines, line{Row: r, Number: list.Number(r), name: list.Name(r)})
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
	return a, nil
}

// lookUp reads the companies of lines with numbers, all with one statement.
func lookUp(ctx context.Context, snap *snapshot.Snapshot, lines []line) error {
	var numbered []*line
	var numbers []registry.Document
	for i := range lines {
		l := &lines[i]
		l.lacking = snap.Load.Gap(change.Companies, change.Establishments)
		if l.Wrong != "" {
			continue
		}
		number := registry.Document{Root: l.Root}
		if l.Full != 0 {
			order := l.Full.Order()
			number.Order = &order
		}
		numbered, numbers = append(numbered, l), append(numbers, number)
	}
	found, err := reconcile.Numbers(ctx, snap, numbers)
	if err != nil {
		return err
	}
	for i, l := range numbered {
		if l.Match = found[i]; l.Match != nil {
			l.Status = wording.StatusOf(snap, &l.Match.Establishment)
		}
	}
	return nil
}

// count adds up what became of the lines.
func (a *answer) count() {
	for i := range a.Lines {
		l := &a.Lines[i]
		switch {
		case l.named && l.Match != nil:
			a.Found++
			a.Named++
			continue
		case l.named && len(l.Candidates) > 0:
			a.Unsure++
		case l.unsought != "":
			a.Unsought++
		case l.named:
			a.Unknown++
		case l.Wrong == spreadsheet.Person:
			a.Persons++
		case l.Wrong != "":
			a.Wrong++
		case l.Match == nil && l.lacking != "":
			a.Lacking++
		case l.Match == nil:
			a.Absent++
		case l.Padded:
			a.Found++
			a.Padded++
		default:
			a.Found++
			continue
		}
		if len(a.Doubts) < mostShown {
			a.Doubts = append(a.Doubts, l)
		}
	}
}

// Kept returns the companies that were found, each once, as the form has them that follows them; and how many.
func (a *answer) Kept() (roots string, n int) {
	seen := map[cnpj.Root]bool{}
	var all []string
	for i := range a.Lines {
		if m := a.Lines[i].Match; m != nil && !seen[m.Root] {
			seen[m.Root] = true
			all = append(all, m.Root.String())
		}
	}
	return strings.Join(all, " "), len(all)
}

// Name returns the name of the company of a line, "" if nothing was found.
func (l *line) Name() string {
	if l.Match == nil {
		return ""
	}
	return wording.NameOf(l.Match.Head, &l.Match.Establishment)
}
