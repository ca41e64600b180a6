package people

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/oauthserver"
	"razao/site/page"
)

const maxKeyName = 80 // characters of a rejected key name that are echoed

// truncated returns the first most characters (runes) of text.
func truncated(text string, most int) string {
	characters := []rune(text)
	return string(characters[:min(len(characters), most)])
}

// changeAccount runs do for the signed-in visitor and redirects to the account page with a flash
// message.
func (hs *Handlers) changeAccount(c *gin.Context, flash string, do func(ctx context.Context, who account.Session) error) (page.Reply, error) {
	return hs.changeAccountAt(c, "/conta", flash, do)
}

// changeAccountAt is changeAccount with another page to redirect to.
func (hs *Handlers) changeAccountAt(c *gin.Context, to, flash string, do func(ctx context.Context, who account.Session) error) (page.Reply, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return signedOut(err)
	}
	if err := do(c.Request.Context(), who); err != nil {
		return page.Reply{}, err
	}
	addFlash(c, flash)
	return page.SeeOther(to), nil
}

// idInPath returns the path parameter "id". It returns 0, which no row has, if it is not a number.
func idInPath(c *gin.Context) int64 {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

func (hs *Handlers) revokeKey(c *gin.Context) (page.Reply, error) {
	return hs.changeAccount(c, "Chave revogada: novas chamadas com ela são recusadas.", func(ctx context.Context, who account.Session) error {
		return hs.Accounts.RevokeKeyOf(ctx, who.Account, account.KeyID(idInPath(c)))
	})
}

// endSession ends a session of the account; ending the current one is a sign-out.
func (hs *Handlers) endSession(c *gin.Context) (page.Reply, error) {
	id := account.SessionID(idInPath(c))
	if who, err := hs.Pages.Visitor(c); err == nil && who.ID == id {
		return hs.signOut(c)
	}
	return hs.changeAccount(c, "Sessão encerrada.", func(ctx context.Context, who account.Session) error {
		return hs.Accounts.EndSession(ctx, who.Account, id)
	})
}

func (hs *Handlers) endOtherSessions(c *gin.Context) (page.Reply, error) {
	return hs.changeAccount(c, "Todas as outras sessões foram encerradas.", func(ctx context.Context, who account.Session) error {
		return hs.Accounts.EndSessions(ctx, who.Account, who.ID)
	})
}

func (hs *Handlers) revokeAuthorization(c *gin.Context) (page.Reply, error) {
	return hs.changeAccount(c, "Autorização revogada: o programa não consulta mais em seu nome.", func(ctx context.Context, who account.Session) error {
		return hs.OAuth.RevokeAuthorization(ctx, who.Account, oauthserver.AuthorizationID(idInPath(c)))
	})
}

// deleteAccount deletes the account if the form repeats its e-mail address.
func (hs *Handlers) deleteAccount(c *gin.Context) (page.Reply, error) {
	p, err := hs.accountPage(c)
	if err != nil {
		return signedOut(err)
	}
	if !strings.EqualFold(strings.TrimSpace(c.PostForm("email")), p.Account.Email) {
		p.DeleteProblem = "Este não é o e-mail da conta. Nada foi excluído."
		return page.Reply{Page: p, Status: http.StatusUnprocessableEntity}, nil
	}
	if err := hs.SignIn.Delete(c.Request.Context(), p.Account.ID); err != nil && !errors.Is(err, account.ErrNoAccount) {
		return page.Reply{}, err
	}
	if err := hs.Pages.Sessions.End(c); err != nil {
		return page.Reply{}, err
	}
	return page.SeeOther(page.LoginPath("aviso", "excluida", "/")), nil
}
