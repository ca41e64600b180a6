package people

import (
	"context"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/people/follow"
	"razao/internal/web"
	"razao/site/changes"
	"razao/site/page"
)

// A feed's address is feedPath, its token, feedSuffix.
const (
	feedPath   = "/conta/mudancas/"
	feedSuffix = ".atom"
)

// feed answers the private feed of an account. The token in the address is the credential; a forged one
// costs no query.
func (hs *Handlers) feed(c *gin.Context) {
	body, err := hs.writeFeed(c.Request.Context(), c.Param("token"))
	if err != nil {
		hs.Pages.Fail(c, hs.missing(err))
		return
	}
	hs.Pages.Sender.Send(c, web.Reply{
		Status: 200, ContentType: page.TypeAtom + "; charset=utf-8", ETag: web.ETag(body), Body: body,
	})
}

func (hs *Handlers) writeFeed(ctx context.Context, name string) ([]byte, error) {
	token, ok := strings.CutSuffix(name, feedSuffix)
	if !ok {
		return nil, follow.ErrForged
	}
	id, err := hs.Follows.OfFeed(ctx, token)
	if err != nil {
		return nil, err
	}
	whole, err := hs.Pages.Live.Acquire()
	if err != nil {
		return nil, err
	}
	defer whole.Release()
	snap := whole.ForVisitors()
	changed, err := hs.Follows.Recent(ctx, snap, id, mostRecent)
	if err != nil {
		return nil, err
	}
	f := page.Feed{Title: "O que mudou no que você segue no Razão", Path: feedPath + token + feedSuffix, Page: followingPath}
	if err := changes.Fill(ctx, hs.Pages.Live.Atlas(), snap, &f, slices.Concat(changed...)); err != nil {
		return nil, err
	}
	return hs.Pages.EncodeFeed(&f)
}
