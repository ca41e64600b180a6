package company

import (
	"github.com/gin-gonic/gin"

	"razao/internal/store/snapshot"
)

// markdownSuffix follows the CNPJ in the path of the Markdown version.
const markdownSuffix = ".md"

// companyMarkdown answers /{cnpj}.md: the content of the HTML page as CommonMark, for programs such
// as language models. It takes the same parameters and hides the same data.
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
	return hs.pages.SendMarkdown(c, snap, hs.markdown, p, p.Canonical, p.NoIndex)
}
