package people

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/people/signin"
	"razao/site/page"
)

// rootsIn reads the companies of a form. The error is an *page.InvalidParameter.
func rootsIn(field string, given ...string) ([]string, error) {
	roots := slices.Compact(slices.Sorted(strings.FieldsSeq(strings.Join(given, " "))))
	for _, root := range roots {
		if _, err := cnpj.ParseRoot(root); err != nil {
			return nil, page.UnknownValue(field, root, "Deve ser as oito primeiras posições de um CNPJ.")
		}
	}
	return roots, nil
}

// addToPortfolio follows the companies that a list at /lista found, in one of the account's lists if the form names one.
func (hs *Handlers) addToPortfolio(c *gin.Context) (page.Reply, error) {
	roots, err := rootsIn("raizes", c.PostForm("raizes"))
	if err != nil {
		return page.Reply{}, err
	}
	return hs.putIntoList(c, roots, c.PostForm(listField), "Seguindo "+ptbr.Counted(len(roots), "empresa", "empresas")+" da lista.")
}

// putIntoList follows companies, in a list unless its name is blank.
func (hs *Handlers) putIntoList(c *gin.Context, roots []string, typed, flash string) (page.Reply, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return signedOut(err)
	}
	name, ok := follow.NameOfList(typed)
	problem := ""
	switch {
	case !ok:
		problem = "O nome de uma lista tem até " + ptbr.Count(follow.LongestName) + " caracteres."
	case name == "":
		err = hs.Follows.Add(c.Request.Context(), who.Account, follow.Company, roots...)
	default:
		err = hs.Follows.AddToList(c.Request.Context(), who.Account, name, roots...)
	}
	switch {
	case problem != "":
	case err == nil:
		addFlash(c, flash)
		return page.SeeOther(portfolioAddress(portfolioPath, name, "", "")), nil
	case errors.Is(err, account.ErrNoAccount):
		return signedOut(signin.ErrSignedOut)
	case errors.Is(err, follow.ErrTooMany):
		problem = tooMany(follow.Company)
	case errors.Is(err, follow.ErrTooManyLists):
		problem = "Uma conta tem até " + ptbr.Count(follow.MostLists) + " listas."
	default:
		return page.Reply{}, err
	}
	return hs.notActed(c, problem+" Nada foi incluído.", roots)
}

// actOnPortfolio does what the form of the table asks with the companies that are ticked, or with all that are shown.
func (hs *Handlers) actOnPortfolio(c *gin.Context) (page.Reply, error) {
	given := c.PostFormArray("raiz")
	if c.PostForm("quais") == "todas" {
		given = []string{c.PostForm("mostradas")}
	}
	roots, err := rootsIn("raiz", given...)
	if err != nil {
		return page.Reply{}, err
	}
	list, n := c.Query(listField), ptbr.Counted(len(roots), "empresa", "empresas")
	to := portfolioAddress(portfolioPath, list, c.Query(shownField), c.Query(orderField))
	switch action := c.PostForm("acao"); {
	case len(roots) == 0:
		return hs.notActed(c, "Marque ao menos uma empresa.", nil)
	case action == "por" && strings.TrimSpace(c.PostForm(listField)) == "":
		return hs.notActed(c, "Escreva o nome da lista.", roots)
	case action == "por":
		return hs.putIntoList(c, roots, c.PostForm(listField), n+" na lista.")
	case action == "tirar":
		return hs.changeAccountAt(c, to, n+page.Either(len(roots) == 1, " saiu", " saíram")+" da lista.", func(ctx context.Context, who account.Session) error {
			return hs.Follows.RemoveFromList(ctx, who.Account, list, roots...)
		})
	case action == "deixar" && len(roots) > 1 && c.PostForm("certeza") == "":
		return page.Reply{Page: hs.askToUnfollow(c, roots, to)}, nil
	case action == "deixar":
		return hs.changeAccountAt(c, to, "Deixou de seguir "+n+".", func(ctx context.Context, who account.Session) error {
			return hs.Follows.Remove(ctx, who.Account, follow.Company, roots...)
		})
	default:
		return page.Reply{}, page.UnknownValue("acao", action, "Deve ser por, tirar ou deixar.")
	}
}

// notActed shows the portfolio again, with what is wrong with a form and the companies that were ticked.
func (hs *Handlers) notActed(c *gin.Context, problem string, ticked []string) (page.Reply, error) {
	p, err := hs.portfolioPage(c)
	if err != nil {
		return signedOut(err)
	}
	p.Problem, p.Ticked = problem, ticked
	return page.Reply{Page: p, Status: http.StatusUnprocessableEntity}, nil
}

// unfollowPage asks whether to end following several companies.
type unfollowPage struct {
	page.Frame
	Actions string
	Roots   string
	Many    string // how many there are
	Back    string
}

func (hs *Handlers) askToUnfollow(c *gin.Context, roots []string, back string) *unfollowPage {
	p := &unfollowPage{
		Actions: portfolioAddress(actionsPath, c.Query(listField), c.Query(shownField), c.Query(orderField)), Roots: strings.Join(roots, " "),
		Many: ptbr.Counted(len(roots), "empresa", "empresas"), Back: back,
	}
	p.Crumbs, p.Title = page.Trail("Conta", "/conta", "O que sigo", followingPath, "Minha carteira", portfolioPath, "Deixar de seguir"), "Deixar de seguir"
	p.Description, p.NoIndex = "Deixar de seguir empresas da carteira.", true
	return p
}
