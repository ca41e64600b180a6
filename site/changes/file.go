package changes

import (
	"context"
	"iter"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/journal"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

const (
	listPath    = path + "/lista.csv"
	readForFile = 1000 // changes that are read at once for a file
)

// Exported describes the columns of /mudancas/lista.csv and /{cnpj}/mudancas.csv for the data
// dictionary.
func Exported() record.Table {
	return record.Table{
		Name: "mudancas.csv", Title: "O que mudou, uma mudança por linha", Fields: columns.Fields(),
		About: "Em /mudancas/lista.csv, com os filtros de /mudancas e até 1.000.000 de linhas, e em /{cnpj}/mudancas.csv, para quem entrou na conta. De pessoas físicas faltam nomes, endereços e contatos.",
	}
}

// columns are those of the file.
var columns = page.Columns[*wording.Change]{
	page.NewColumn("fonte", record.Text, "fonte da carga em que a mudança foi vista", func(c *wording.Change) string { return c.Event.Load.Source }),
	page.NewColumn("competencia", record.Text, "período dessa carga", func(c *wording.Change) string { return c.Event.Load.Period }),
	page.NewColumn("evento", record.Text, "código do evento, que não muda", func(c *wording.Change) string { return c.Event.Code() }),
	page.NewColumn("o_que", record.Text, "o que aconteceu", func(c *wording.Change) string { return c.Event.Kind.Info().Title }),
	page.NewColumn("data", record.Day, "quando aconteceu, se a fonte o publica", func(c *wording.Change) string { return c.Event.Date.String() }),
	page.NewColumn("cnpj_raiz", record.Root, "raiz do CNPJ da empresa", func(c *wording.Change) string { return c.Event.Root.String() }),
	page.NewColumn("cnpj", record.CNPJ, "CNPJ do estabelecimento; vazio quando a mudança é da empresa", func(c *wording.Change) string {
		if number, ok := c.Event.Number(); ok {
			return number.String()
		}
		return ""
	}),
	page.NewColumn("empresa", record.Text, "nome que a empresa tem hoje", func(c *wording.Change) string {
		return page.When(c.Event.Company != nil, c.Company.Text)
	}),
	{
		Field: record.Field{Name: "campos", Kind: record.Text, About: "o que mudou, antes e depois, em palavras", Personal: true},
		Of:    func(c *wording.Change) string { return strings.Join(c.Lines, "; ") },
	},
}

// rowOf puts a change into a row.
func rowOf(atlas *territory.Atlas, snap *snapshot.Snapshot, c *journal.Change) []string {
	w := wording.ChangeOf(atlas, snap, c)
	return columns.Row(&w)
}

// countryList answers /mudancas/lista.csv: what /mudancas shows, from the same position on.
func (hs *Handlers) countryList(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	q, err := hs.read(c, snap)
	if err != nil {
		return page.Table{}, err
	}
	from := q.from
	if from.Seq == 0 {
		from = beginning(snap, q.events)
	}
	given := c.Query(cursorName)
	query := q.query(from, readForFile)
	return page.Table{
		Of: Exported(), File: "mudancas-" + snap.Load.Period, Page: page.WithParameters(path, q.parameters()), Most: page.MaxExported,
		Rows: func(ctx context.Context) iter.Seq2[[]string, error] { return hs.listed(ctx, snap, query, given) },
	}, nil
}

// listed reads the rows of a query, MaxExported at most. given is the position as the address has it.
func (hs *Handlers) listed(ctx context.Context, snap *snapshot.Snapshot, q journal.Query, given string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for n, more := 0, true; more; {
			part, err := partOf(ctx, snap, q, given)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range part.Changes {
				if n++; n > page.MaxExported || !yield(rowOf(hs.atlas, snap, &part.Changes[i]), nil) {
					return
				}
			}
			q.From, more = part.Next, part.More
		}
	}
}

// CompanyTable returns the changes of a company, or of one of its establishments, as a table.
func CompanyTable(atlas *territory.Atlas, snap *snapshot.Snapshot, of cnpj.Full, found []journal.Change) page.Table {
	t := page.Table{Of: Exported(), File: ptbr.Join("-", "mudancas", of.String(), snap.Load.Period), Page: "/" + of.String(), Most: len(found)}
	t.Rows = func(context.Context) iter.Seq2[[]string, error] {
		return func(yield func([]string, error) bool) {
			for i := range found {
				if !yield(rowOf(atlas, snap, &found[i]), nil) {
					return
				}
			}
		}
	}
	return t
}
