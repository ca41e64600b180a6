package company

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

// markdownSuffix follows the CNPJ in the path of the Markdown twin.
const markdownSuffix = ".md"

// companyMarkdown answers /{cnpj}.md: the content of the HTML page as CommonMark, for programs such
// as language models. It takes the same parameters and hides the same data. The HTML page is named
// as canonical in a Link header (RFC 8288).
func (hs *Handlers) companyMarkdown(c *gin.Context, snap *snapshot.Snapshot) error {
	p, moved, err := hs.companyAsked(c, snap, markdownSuffix)
	switch {
	case err != nil:
		return err
	case p == nil:
		c.Redirect(moved.Status, moved.Location)
		return nil
	}
	p.Month, p.Synthetic = snap.Load.Period, snap.Load.Invented
	var body bytes.Buffer
	if err := hs.markdown.Execute(&body, p); err != nil {
		return fmt.Errorf("write Markdown: %w", err)
	}
	c.Header("Link", "<"+hs.pages.BaseURL+p.Canonical+`>; rel="canonical"`)
	if p.NoIndex || p.Synthetic {
		c.Header("X-Robots-Tag", "noindex") // text has no meta element to say it
	}
	hs.pages.Sender.Send(c, web.Reply{
		Status: http.StatusOK, ContentType: "text/markdown; charset=utf-8", ETag: web.ETag(body.Bytes()), Caching: page.ForEveryone(snap, 0),
		Body: body.Bytes(),
	})
	return nil
}
