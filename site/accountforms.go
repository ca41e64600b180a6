package site

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/oauthserver"
	"razao/site/page"
)

const maxKeyName = 80 // characters of a name that was refused which are shown again

// cut returns the first characters of a text.
func cut(text string, most int) string {
	characters := []rune(text)
	return string(characters[:min(len(characters), most)])
}

// change does something to the account of who is signed in, and leads back to it with a notice.
func (s *Site) change(c *gin.Context, notice string, do func(ctx context.Context, who account.Session) error) (page.Reply, error) {
	who, err := s.pages.Visitor(c)
	if err != nil {
		return signedOut(err)
	}
	if err := do(c.Request.Context(), who); err != nil {
		return page.Reply{}, err
	}
	notify(c, notice)
	return page.SeeOther("/conta"), nil
}

// numbered returns the number in the address of a form. What is no number numbers nothing.
func numbered(c *gin.Context) int64 {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

func (s *Site) revokeKey(c *gin.Context) (page.Reply, error) {
	return s.change(c, "Chave revogada: novas chamadas com ela são recusadas.", func(ctx context.Context, who account.Session) error {
		return s.Accounts.RevokeKeyOf(ctx, who.Account, account.KeyID(numbered(c)))
	})
}

// endSession ends a session in another browser. That of this one is a sign-out.
func (s *Site) endSession(c *gin.Context) (page.Reply, error) {
	id := account.SessionID(numbered(c))
	if who, err := s.pages.Visitor(c); err == nil && who.ID == id {
		return s.signOut(c)
	}
	return s.change(c, "Sessão encerrada.", func(ctx context.Context, who account.Session) error {
		return s.Accounts.EndSession(ctx, who.Account, id)
	})
}

func (s *Site) endOtherSessions(c *gin.Context) (page.Reply, error) {
	return s.change(c, "Todas as outras sessões foram encerradas.", func(ctx context.Context, who account.Session) error {
		return s.Accounts.EndSessions(ctx, who.Account, who.ID)
	})
}

func (s *Site) revokeAuthorization(c *gin.Context) (page.Reply, error) {
	return s.change(c, "Autorização revogada: o programa não consulta mais em seu nome.", func(ctx context.Context, who account.Session) error {
		return s.OAuth.RevokeAuthorization(ctx, who.Account, oauthserver.AuthorizationID(numbered(c)))
	})
}

// deleteAccount deletes the account of who wrote its address to confirm.
func (s *Site) deleteAccount(c *gin.Context) (page.Reply, error) {
	p, err := s.accountPage(c)
	if err != nil {
		return signedOut(err)
	}
	if !strings.EqualFold(strings.TrimSpace(c.PostForm("email")), p.Account.Email) {
		p.DeleteProblem = "Este não é o e-mail da conta. Nada foi excluído."
		return page.Reply{Page: p, Status: http.StatusUnprocessableEntity}, nil
	}
	if err := s.SignIn.Delete(c.Request.Context(), p.Account.ID); err != nil && !errors.Is(err, account.ErrNoAccount) {
		return page.Reply{}, err
	}
	if err := s.Sessions.End(c); err != nil {
		return page.Reply{}, err
	}
	return page.SeeOther(page.LoginPath("aviso", "excluida", "/")), nil
}
