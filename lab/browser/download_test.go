package browser

import (
	"encoding/csv"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// downloads fetches the lists that are offered as CSV, a drawing as PNG, and a list that was sent.
func (w *website) downloads(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	const companies = `a[href^="/empresas/todas.csv"]`
	v.open("/empresas")
	v.click(companies) // signed out: asked in, and nothing else
	if !strings.HasPrefix(v.path(), "/login?next=%2Fempresas%2Ftodas.csv") {
		t.Errorf("the list leads those who are signed out to %s", v.path())
	}
	v.open("/municipios")
	if rows := v.download(`a[href^="/municipios.csv"]`); len(rows) < 5000 {
		t.Errorf("the ranking has %d rows", len(rows))
	}
	v.open("/" + chain[:8] + "/rede")
	const drawing = `document.querySelector("svg.network").width.baseVal.value`
	before := eval[int](v, drawing)
	v.do(chromedp.Click(`button[data-zoom="1.25"]`, chromedp.ByQuery))
	width := eval[int](v, drawing)
	if width <= before {
		t.Errorf("the drawing is %d pixels wide, and %d when it is made larger", before, width)
	}
	drawn, err := os.Open(v.save("button[data-png]"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = drawn.Close() }()
	if picture, err := png.Decode(drawn); err != nil || picture.Bounds().Dx() != 2*width {
		t.Errorf("the drawing is %d pixels wide; as PNG: %v, %v", width, picture, err)
	}
	v.signIn("eva@exemplo.com.br", "/empresas")
	total := v.total()
	if rows := v.download(companies); len(rows)-1 != total {
		t.Errorf("the list has %d rows, want %d", len(rows)-1, total)
	}
	v.open("/busca?q=padaria&agrupar=nao&ordem=nome")
	total = v.total()
	if rows := v.download(`a[href^="/busca.csv"]`); len(rows)-1 != total || total == 0 {
		t.Errorf("the search has %d rows, want %d", len(rows)-1, total)
	}
	v.sendLists()
}

// sendLists sends nothing, then a list of numbers and one of names, and looks at the answers. Few may sign in from one address, so it goes on with who has.
func (v *visitor) sendLists() {
	v.open("/lista")
	v.send(422, "main form.stack button", "")
	v.shows("A lista está vazia")
	v.do(chromedp.SetValue("#cnpjs", chain+"\n"+debtor+"\n99999999000191\n191\nabc", chromedp.ByQuery))
	v.click("main form.stack button")
	v.shows("de 5 linhas", "a conferir")
	v.look(&state{name: "lista-respondida", dark: true})
	if rows := v.download(`a[href*="/linhas.csv"]`); len(rows) != 6 {
		v.t.Errorf("the list comes back with %d rows", len(rows))
	}
	v.open("/lista")
	v.do(chromedp.SetValue("#cnpjs", "Fornecedor;UF\nDrogaria Itapadesul;\nELETRICA VELOVECS LTDA;\nComércio Silva;SP\nFrigorífico Xavante Setentrional;", chromedp.ByQuery))
	v.click("main form.stack button")
	v.shows("encontrado pelo nome: nome quase igual")
	v.look(&state{name: "lista-de-nomes", dark: true})
	v.click(`button[name="escolha"]`)
	v.shows("1 foi escolhida por você", "escolhido por você: ")
}

// download clicks a link to a file and returns the rows of it.
func (v *visitor) download(link string) [][]string {
	v.t.Helper()
	file, err := os.Open(v.save(link))
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		v.t.Fatal(err)
	}
	return rows
}

// save clicks a link to a file and returns where it was saved.
func (v *visitor) save(link string) string {
	v.t.Helper()
	dir := v.t.TempDir()
	executor := cdp.WithExecutor(v.ctx, chromedp.FromContext(v.ctx).Browser)
	allow := browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllowAndName).
		WithBrowserContextID(v.profile).WithDownloadPath(dir).WithEventsEnabled(true)
	if err := allow.Do(executor); err != nil {
		v.t.Fatal(err)
	}
	ended := make(chan *browser.EventDownloadProgress, 1)
	chromedp.ListenBrowser(v.ctx, func(event any) {
		if e, ok := event.(*browser.EventDownloadProgress); ok && e.State == browser.DownloadProgressStateCompleted {
			if _, err := os.Stat(filepath.Join(dir, e.GUID)); err != nil {
				return // somebody else's: all visitors share the browser
			}
			select {
			case ended <- e:
			default:
			}
		}
	})
	v.do(chromedp.Click(link, chromedp.ByQuery))
	var e *browser.EventDownloadProgress
	select {
	case e = <-ended:
	case <-v.ctx.Done():
		v.t.Fatal("the download does not end")
	}
	return filepath.Join(dir, e.GUID)
}
