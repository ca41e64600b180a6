package reference

import (
	"embed"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/record"
	"razao/internal/store/loads"
	"razao/internal/store/proof"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

// markdownSuffix follows the number of a load in the path of the Markdown version.
const markdownSuffix = ".md"

//go:embed load.md
var markdownFiles embed.FS

// loadPage shows a load of the company registry, whether or not its records are still kept: files, figures, what was left
// out, and its checkpoint.
type loadPage struct {
	page.Frame
	*registry.Load
	History    record.SourceHistory // only what was left out
	Became     string
	Uncounted  bool             // the rejected rows could not be counted
	Checkpoint proof.Checkpoint // without a text if the load has none
}

// Path returns the path of the page.
func (p *loadPage) Path() string { return proof.Path(p.ID) }

// TwinURL returns the path of the Markdown version.
func (p *loadPage) TwinURL() string { return p.Path() + markdownSuffix }

// named returns the load that a path names, without the suffix. Those that were never in service have no page.
func (hs *Handlers) named(c *gin.Context, snap *snapshot.Snapshot, suffix string) (registry.Load, error) {
	text := strings.TrimSuffix(c.Param("carga"), suffix)
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(id, 10) != text || c.Param("fonte") != registry.Receita {
		return registry.Load{}, page.ErrUnknownPath
	}
	l, err := loads.Find(c.Request.Context(), snap, id)
	if errors.Is(err, registry.ErrNoLoad) {
		err = page.ErrUnknownPath
	}
	return l, err
}

// loadOf makes the page of a load.
func (hs *Handlers) loadOf(c *gin.Context, snap *snapshot.Snapshot, suffix string) (*loadPage, error) {
	l, err := hs.named(c, snap, suffix)
	if err != nil {
		return nil, err
	}
	past := loads.Past(snap, &l)
	p := &loadPage{Load: &l, Became: became(&past)}
	p.Checkpoint, err = hs.checkpoints.Checkpoint(&l)
	if err != nil && !errors.Is(err, proof.ErrNone) {
		return nil, err
	}
	p.History.DeixadasDeFora = loads.LeftOut(&l)
	if l.RowsRejected > 0 {
		ctx := c.Request.Context()
		rejected, err := loads.Rejected(ctx, snap, l.ID)
		web.EventOf(ctx).Fail(err) // logged, and keeps the page out of caches
		p.History.Rejeitadas, p.Uncounted = rejected[l.ID], err != nil
	}
	number := strconv.FormatInt(l.ID, 10)
	p.Crumbs = page.Trail("Fontes", "/fontes", "Receita Federal", "/fontes/"+registry.Receita, "Carga "+number)
	p.Title = "Carga " + number + " do cadastro: arquivos, contagens e checkpoint"
	p.Description = "Os arquivos lidos, com SHA-256, as linhas lidas, carregadas e deixadas de fora e o checkpoint assinado da carga " + number + " do cadastro do CNPJ."
	p.Canonical = p.Path()
	return p, nil
}

// load answers /fontes/receita/cargas/{carga}.
func (hs *Handlers) load(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	p, err := hs.loadOf(c, snap, "")
	if err != nil {
		return page.Reply{}, err
	}
	return page.Reply{Page: p}, nil
}

// loadMarkdown answers the same with .md: the content of the page as CommonMark.
func (hs *Handlers) loadMarkdown(c *gin.Context, snap *snapshot.Snapshot) error {
	p, err := hs.loadOf(c, snap, markdownSuffix)
	if err != nil {
		return err
	}
	return hs.pages.SendMarkdown(c, snap, hs.markdown, p, p.Canonical, false)
}

// checkpoint answers /fontes/receita/cargas/{carga}/checkpoint: the signed note alone, as tools for
// transparency logs read it.
func (hs *Handlers) checkpoint(c *gin.Context, snap *snapshot.Snapshot) error {
	l, err := hs.named(c, snap, "")
	if err != nil {
		return err
	}
	signed, err := hs.checkpoints.Checkpoint(&l)
	if errors.Is(err, proof.ErrNone) {
		err = page.ErrUnknownPath
	}
	if err != nil {
		return err
	}
	text := []byte(signed.Text)
	hs.pages.Sender.Send(c, web.Reply{
		Status: http.StatusOK, ContentType: "text/plain; charset=utf-8", ETag: web.ETag(text), Caching: page.ForEveryone(snap, 0), Body: text,
	})
	return nil
}
