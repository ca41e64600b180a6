// Package lists looks up a whole list of CNPJs or names of companies, /lista: pasted, or a CSV or XLSX file. The answer has a page of its own, for a
// quarter of an hour: what was found, counted, as filters; the columns that somebody ticks; and the list to download with these columns added.
//
// Package spreadsheet reads the list, package reconcile finds the companies, package dossier adds up what sources have of them, and package kept
// keeps it all. Each line is answered by itself: found, not in the load, or not a CNPJ, and why. Numbers that a spreadsheet has shortened are looked
// up with their zeros, and the answer says so. A line without a number is looked up by its name and what else it says, and is found if only one
// company can be meant. One about a natural person, with a CPF, is not looked up.
package lists

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/people/follow"
	"razao/internal/people/kept"
	"razao/internal/spreadsheet"
	"razao/internal/store/reconcile"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

// Path is the path of the form. What it found is below it.
const Path = "/lista"

const (
	maxUpload  = 4<<20 + 64<<10 // bytes of a form: a file of 4 MB and the fields beside it
	mostEchoed = 1 << 20        // bytes of a pasted list in the form that refuses it; HTML writes a quote in five

	// Lists that are looked up at once, once they have arrived.
	listsAtOnce    = 4
	listsOfAccount = 1
	listsOfNetwork = 2
	// Answers that are opened at once: a visitor may go on before one is there.
	answersAtOnce    = 8
	answersOfAccount = 3
	answersOfNetwork = 6
	// Files that are sent back, each with its list in memory for as long as its client reads.
	filesAtOnce    = 8
	filesOfAccount = 2
	filesOfNetwork = 4
	filesComputing = 2
	listsWait      = 10 * time.Second // for one of them to be answered
	listTime       = 2 * time.Minute  // that one may take
)

// Fields of the forms, beside the file.
const (
	pastedField = "cnpjs"
	sheetField  = "planilha"
	numberField = "coluna" // of the CNPJs, from 1
	nameField   = "nomes"  // column of the names
)

// Handlers serves the pages. It is safe for concurrent use.
type Handlers struct {
	pages      *page.Server
	kept       *kept.Store
	follows    *follow.Store
	atlas      *territory.Atlas
	matcher    *reconcile.Matcher
	sameOrigin gin.HandlerFunc  // CSRF protection; nil if nobody can sign in
	lists      *web.SharedSlots // see listsAtOnce
	answers    *web.SharedSlots // see answersAtOnce
	files      *web.Downloads   // see filesAtOnce
}

// New returns the handlers. keeper and follows are nil if nobody can sign in. The errors are that the public address is no URL, and that of reconcile.New.
func New(pages *page.Server, keeper *kept.Store, follows *follow.Store) (*Handlers, error) {
	matcher, err := reconcile.New(pages.Live)
	if err != nil {
		return nil, err
	}
	hs := &Handlers{
		pages: pages, kept: keeper, follows: follows, atlas: pages.Live.Atlas(), matcher: matcher,
		lists:   web.NewSharedSlots(listsAtOnce, web.Share{Account: listsOfAccount, Network: listsOfNetwork}, listsWait),
		answers: web.NewSharedSlots(answersAtOnce, web.Share{Account: answersOfAccount, Network: answersOfNetwork}, listsWait),
		files:   web.NewDownloads(filesAtOnce, web.Share{Account: filesOfAccount, Network: filesOfNetwork}, filesComputing, listsWait),
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
	if hs.sameOrigin == nil {
		return
	}
	pages.POST(Path, hs.sameOrigin, hs.pages.RequireAccount, hs.receive)
	one := Path + "/:lista"
	web.Get(pages, one, hs.pages.RequireAccount, hs.onAnswer(hs.show))
	pages.POST(one, hs.sameOrigin, hs.pages.RequireAccount, hs.readAnew)
	pages.POST(one+"/escolhas", hs.sameOrigin, web.Form(hs.pages.Fail), hs.pages.RequireAccount, hs.onAnswer(hs.chooseCandidate))
	web.Get(pages, one+"/linhas.csv", hs.pages.RequireAccount, hs.onAnswer(hs.file))
}

// listPage is the form.
type listPage struct {
	page.Frame
	Open    bool   // one can sign in, and lists are answered
	Problem string // what is wrong with the list; "" before one is sent
	OfFile  bool   // it is the file that is wrong, and not what was pasted
	Pasted  string
}

func (hs *Handlers) newPage() *listPage {
	p := &listPage{Open: hs.sameOrigin != nil}
	p.Crumbs = page.Trail("Consultar uma lista")
	p.Title = "Consultar uma lista de CNPJs ou nomes"
	p.Description = "Cole uma lista de CNPJs ou de nomes, ou envie um CSV ou uma planilha: quais estão ativas, quais têm dívidas ou sanções, e a lista de volta com as colunas que você escolher."
	p.Canonical = Path
	return p
}

// receive answers the form: with the address of what was found, or with what is wrong with the list.
func (hs *Handlers) receive(c *gin.Context) {
	form, ok := hs.readForm(c)
	if !ok {
		return
	}
	p := hs.newPage()
	pasted := form.Values.Get(pastedField)
	if len(form.File) == 0 && len(pasted) <= mostEchoed {
		p.Pasted = pasted
	}
	p.OfFile = hasText(form.File) || form.Chosen && !hasText([]byte(pasted))
	list := form.File
	if !hasText(list) {
		list = []byte(pasted)
	}
	done, err := web.Move(c, hs.lists, listTime)
	if err != nil {
		hs.pages.Fail(c, err)
		return
	}
	defer done()
	hs.pages.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error { return hs.look(c, snap, list, form.Values, p) })(c)
}

// readAnew answers the form of an answer: the same list, read as it says.
func (hs *Handlers) readAnew(c *gin.Context) {
	form, ok := hs.readForm(c)
	if !ok {
		return
	}
	hs.onAnswer(func(c *gin.Context, snap *snapshot.Snapshot, a *answer) error {
		looked, err := web.Move(c, hs.lists, listTime)
		if err != nil {
			return err
		}
		defer looked()
		p := hs.newPage()
		p.OfFile = true
		return hs.look(c, snap, a.file, form.Values, p)
	})(c)
}

// onAnswer returns a handler that calls do with the answer that a request names, in one of the slots of answers. If it is not kept, or not any
// more, the form says so.
func (hs *Handlers) onAnswer(do func(*gin.Context, *snapshot.Snapshot, *answer) error) gin.HandlerFunc {
	return hs.pages.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error {
		a, done, err := hs.opened(c)
		if err == nil {
			defer done()
			err = do(c, snap, a)
		}
		if errors.Is(err, kept.ErrGone) {
			return hs.gone(c, snap)
		}
		return err
	})
}

// opened returns the answer that a request names, in one of the slots of answers until done is called. The errors are kept.ErrGone and those
// of web.Move.
func (hs *Handlers) opened(c *gin.Context) (a *answer, done func(), err error) {
	who, err := hs.pages.Visitor(c)
	if err != nil {
		return nil, nil, err
	}
	if done, err = web.Move(c, hs.answers, listTime); err != nil {
		return nil, nil, err
	}
	if a, err = hs.open(c.Request.Context(), who.Account, c.Param("lista")); err != nil {
		done()
	}
	return a, done, err
}

// readForm reads a form, whose list takes a file of the account. It has answered if ok is false.
func (hs *Handlers) readForm(c *gin.Context) (form *web.Upload, ok bool) {
	if err := hs.pages.TakeFile(c); err != nil {
		hs.pages.Fail(c, err)
		return nil, false
	}
	form, err := web.ReadUpload(c, maxUpload)
	if errors.Is(err, web.ErrFormTooLarge) {
		hs.pages.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error {
			p := hs.newPage()
			p.OfFile = true
			hs.refuse(c, snap, p, errUpload, http.StatusRequestEntityTooLarge)
			return nil
		})(c)
		return nil, false
	}
	if err != nil {
		hs.pages.Fail(c, err)
		return nil, false
	}
	return form, true
}

// look looks a list up, keeps what was found, and leads there. p is the page that says what is wrong with it.
func (hs *Handlers) look(c *gin.Context, snap *snapshot.Snapshot, list []byte, values url.Values, p *listPage) error {
	ctx := c.Request.Context()
	who, err := hs.pages.Visitor(c)
	if err != nil {
		return err
	}
	options, err := hs.options(values)
	if err != nil {
		return err
	}
	a, err := hs.find(ctx, snap, list, options)
	if refused, ok := errors.AsType[spreadsheet.Problem](err); ok {
		hs.refuse(c, snap, p, refused, http.StatusUnprocessableEntity)
		return nil
	}
	var token string
	if err == nil {
		token, err = hs.keep(ctx, who.Account, a)
	}
	if err != nil {
		return err
	}
	hs.pages.SendPage(c, snap, page.SeeOther(Path+"/"+token), web.Nobody)
	return nil
}

// options reads how a list is to be read. The error is one of the form.
func (hs *Handlers) options(values url.Values) (spreadsheet.Options, error) {
	options := spreadsheet.Options{Sheet: values.Get(sheetField), Places: hs.matcher, Answer: addedHeadings()}
	for field, column := range map[string]*int{numberField: &options.Number, nameField: &options.Name} {
		if given := values.Get(field); given != "" {
			var err error
			if *column, err = strconv.Atoi(given); err != nil || *column < 1 {
				return options, page.UnknownValue(field, given, "Deve ser o número de uma coluna, a partir de 1.")
			}
		}
	}
	return options, nil
}

// refuse answers with the form and why its list was not read.
func (hs *Handlers) refuse(c *gin.Context, snap *snapshot.Snapshot, p *listPage, why spreadsheet.Problem, status int) {
	p.Problem = string(why)
	hs.pages.SendPage(c, snap, page.Reply{Page: p, Status: status}, web.Nobody)
}

// gone answers for a list that is not kept, or no longer.
func (hs *Handlers) gone(c *gin.Context, snap *snapshot.Snapshot) error {
	p := hs.newPage()
	p.Problem, p.OfFile = "Esta consulta não está mais guardada: ficam as "+ptbr.Count(kept.Most)+" últimas de uma conta, por "+ptbr.Counted(kept.Minutes, "minuto", "minutos")+". Envie a lista de novo.", true
	hs.pages.SendPage(c, snap, page.Reply{Page: p, Status: http.StatusNotFound}, web.Nobody)
	return nil
}
