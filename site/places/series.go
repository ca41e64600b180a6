package places

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/index/figures"
	"razao/index/filter"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
	"razao/site/chart"
	"razao/site/page"
)

// Files of a place, below its path.
const (
	monthsFile = "/serie.csv"
	yearsFile  = "/coortes.csv"
)

// cohort is the establishments opened in a year.
type cohort struct {
	Year                   int
	Opened, Active, Closed int64 // Closed is -1 where it is not known
}

// cohortsOf returns the cohorts of a place by year, without those of unknown years.
func cohortsOf(f *figures.Sums) []cohort {
	at := map[int]*cohort{}
	of := func(year int) *cohort {
		if at[year] == nil {
			at[year] = &cohort{Year: year}
		}
		return at[year]
	}
	for _, o := range f.Openings {
		c := of(o.Year)
		c.Opened += o.Count
		if o.Situacao == record.SituacaoAtiva {
			c.Active += o.Count
		}
	}
	for _, o := range f.Closings {
		of(o.Year).Closed += o.Count
	}
	delete(at, 0)
	var all []cohort
	for _, c := range at {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b cohort) int { return a.Year - b.Year })
	return all
}

// month is a row of the series by month.
type month struct {
	Month string              // AAAA-MM
	Dated *figures.MonthCount // by published date; nil: before the months that the index has
	Seen  *flowLoad           // what the loads of the month changed together; nil: none has one before it
}

// monthsOf returns the months of a place, the first first.
func monthsOf(f *figures.Sums, period string, loads []flowLoad) []month {
	at := map[string]*month{}
	of := func(name string) *month {
		if at[name] == nil {
			at[name] = &month{Month: name}
		}
		return at[name]
	}
	if last, err := time.Parse("2006-01", period); err == nil {
		for i := range f.Months {
			of(last.AddDate(0, i+1-len(f.Months), 0).Format("2006-01")).Dated = &f.Months[i]
		}
	}
	for _, l := range loads {
		m := of(l.Load.Period)
		if m.Seen != nil {
			l.add(m.Seen)
		}
		m.Seen = &l
	}
	var all []month
	for _, m := range at {
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b month) int { return strings.Compare(a.Month, b.Month) })
	return all
}

func monthColumns() page.Columns[*month] {
	dated := func(of func(m *figures.MonthCount) int64) func(*month) string {
		return func(m *month) string {
			if m.Dated == nil {
				return ""
			}
			return strconv.FormatInt(of(m.Dated), 10)
		}
	}
	seen := func(of func(l *flowLoad) int32) func(*month) string {
		return func(m *month) string {
			if m.Seen == nil || !m.Seen.Known {
				return ""
			}
			return strconv.FormatInt(int64(of(m.Seen)), 10)
		}
	}
	column := page.NewColumn[*month]
	return page.Columns[*month]{
		column("mes", record.Text, "mês, AAAA-MM", func(m *month) string { return m.Month }),
		column("abertos", record.Count, "estabelecimentos com data de abertura no mês, em qualquer situação hoje; só de lugares, nos últimos treze meses", dated(func(m *figures.MonthCount) int64 { return m.Opened })),
		column("baixados", record.Count, "estabelecimentos com data de baixa no mês, que hoje estão baixados; só de lugares, nos últimos treze meses", dated(func(m *figures.MonthCount) int64 { return m.Closed })),
		column("novos_na_carga", record.Count, "estabelecimentos que a carga do mês tem e a anterior não; vazio, como nas colunas seguintes, quando não se sabe; somado, se o mês foi carregado mais de uma vez", seen(func(l *flowLoad) int32 { return l.Opened })),
		column("reativados_na_carga", record.Count, "estabelecimentos que passaram a ativos entre as duas cargas", seen(func(l *flowLoad) int32 { return l.Reactivated })),
		column("vindos_na_carga", record.Count, "estabelecimentos vindos de outro município entre as duas cargas", seen(func(l *flowLoad) int32 { return l.Arrivals })),
		column("baixados_na_carga", record.Count, "estabelecimentos baixados entre as duas cargas", seen(func(l *flowLoad) int32 { return l.Closed })),
		column("idos_na_carga", record.Count, "estabelecimentos que foram para outro município entre as duas cargas", seen(func(l *flowLoad) int32 { return l.Departures })),
	}
}

func yearColumns() page.Columns[*cohort] {
	column := page.NewColumn[*cohort]
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	return page.Columns[*cohort]{
		column("ano", record.Count, "ano", func(c *cohort) string { return strconv.Itoa(c.Year) }),
		column("abertos", record.Count, "estabelecimentos abertos no ano, em qualquer situação hoje", func(c *cohort) string { return count(c.Opened) }),
		column("ativos", record.Count, "os que, desses, estão ativos hoje", func(c *cohort) string { return count(c.Active) }),
		column("baixados_no_ano", record.Count, "estabelecimentos baixados no ano, abertos em qualquer ano, que hoje estão baixados; vazio com filtros", func(c *cohort) string {
			if c.Closed < 0 {
				return ""
			}
			return count(c.Closed)
		}),
	}
}

// ExportedSeries describes the columns of the two files for the data dictionary.
func ExportedSeries() []record.Table {
	return []record.Table{
		{Name: "serie.csv", Title: "Um lugar, mês a mês", About: "Aberturas e baixas pela data publicada, e o que mudou de uma carga para a outra, em /uf/{uf}/serie.csv e /uf/{uf}/{cidade}/serie.csv; só o que mudou, de um lugar e de divisões da CNAE, em /mudancas/serie.csv.", Fields: monthColumns().Fields()},
		{Name: "coortes.csv", Title: "Um lugar, ano a ano", About: "Dos estabelecimentos abertos em cada ano, quantos estão ativos hoje, em /uf/{uf}/coortes.csv, /uf/{uf}/{cidade}/coortes.csv e, com os filtros da busca, /mudancas/coortes.csv.", Fields: yearColumns().Fields()},
	}
}

// placeAt reads the place that a path names; name is for files. The error is page.ErrUnknownPath.
func (hs *Handlers) placeAt(c *gin.Context) (in Place, name string, err error) {
	uf, ok := hs.atlas.UF(c.Param("uf"))
	if !ok {
		return Place{}, "", page.ErrUnknownPath
	}
	in, name = Place{UF: uf.Code}, strings.ToLower(uf.Code)
	if slug := c.Param("cidade"); slug != "" {
		m, ok := hs.atlas.BySlug(uf.Code, ptbr.Slug(slug))
		if !ok || m.UF == territory.Abroad {
			return Place{}, "", page.ErrUnknownPath
		}
		in.Municipio, name = m.RFB, name+"-"+m.Slug
	}
	return in, name, nil
}

// monthsCSV answers /uf/{uf}/serie.csv and /uf/{uf}/{cidade}/serie.csv.
func (hs *Handlers) monthsCSV(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	in, name, err := hs.placeAt(c)
	if err != nil {
		return page.Table{}, err
	}
	places, err := snap.Places()
	if err != nil {
		return page.Table{}, err
	}
	place := places.Of(in.UF, in.Municipio)
	loads, err := flowLoads(c.Request.Context(), snap, hs.atlas, in, nil)
	if err != nil {
		return page.Table{}, err
	}
	return monthTable(monthsOf(&place.Sums, snap.Load.Period, loads), "serie-"+name+"-"+snap.Load.Period, pathOf(&place)), nil
}

func monthTable(months []month, name, path string) page.Table {
	rows := make([]*month, len(months))
	for i := range months {
		rows[i] = &months[i]
	}
	return page.TableOf(ExportedSeries()[0], monthColumns(), rows, name, path)
}

// Table is what the loads changed, by month. What counts by published date is not in it. path is that of the page that shows it.
func (f *Flow) Table(snap *snapshot.Snapshot, path string) page.Table {
	return monthTable(monthsOf(&figures.Sums{}, "", f.Loads), "serie-"+snap.Load.Period, path)
}

// yearsCSV answers /uf/{uf}/coortes.csv and /uf/{uf}/{cidade}/coortes.csv.
func (hs *Handlers) yearsCSV(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	in, name, err := hs.placeAt(c)
	if err != nil {
		return page.Table{}, err
	}
	places, err := snap.Places()
	if err != nil {
		return page.Table{}, err
	}
	place := places.Of(in.UF, in.Municipio)
	return cohortTable(cohortsOf(&place.Sums), "coortes-"+name+"-"+snap.Load.Period, pathOf(&place)), nil
}

func cohortTable(cohorts []cohort, name, path string) page.Table {
	rows := make([]*cohort, len(cohorts))
	for i := range cohorts {
		rows[i] = &cohorts[i]
	}
	return page.TableOf(ExportedSeries()[1], yearColumns(), rows, name, path)
}

// Cohorts are the cohorts of the establishments that pass filters.
type Cohorts struct {
	Chart   *chart.Columns // nil when the load's period is not a month
	cohorts []cohort
}

// NewCohorts counts the cohorts of the establishments that pass filters. The filter of the
// registration status is left out.
func NewCohorts(ctx context.Context, snap *snapshot.Snapshot, f filter.Set) (*Cohorts, error) {
	for _, value := range f.Values(filter.Situacao) {
		f = f.Drop(filter.Situacao, value)
	}
	at := map[string]*cohort{}
	for _, set := range []filter.Set{f, f.Add(filter.Situacao, record.SituacaoAtiva)} {
		counts, err := snap.Facets(ctx, index.Query{Filters: set})
		if err != nil {
			return nil, err
		}
		for _, v := range counts["ano"] {
			year, err := strconv.Atoi(v.Value)
			if err != nil || year == 0 {
				continue
			}
			if at[v.Value] == nil {
				at[v.Value] = &cohort{Year: year, Closed: -1}
			}
			if at[v.Value].Active = v.Count; set == f {
				at[v.Value].Opened, at[v.Value].Active = v.Count, 0
			}
		}
	}
	c := &Cohorts{}
	for _, one := range at {
		c.cohorts = append(c.cohorts, *one)
	}
	slices.SortFunc(c.cohorts, func(a, b cohort) int { return a.Year - b.Year })
	c.Chart = newCohortChart(c.cohorts, snap.Load.Period)
	return c, nil
}

// Table returns the cohorts as a table. path is that of the page that shows them.
func (c *Cohorts) Table(snap *snapshot.Snapshot, path string) page.Table {
	return cohortTable(c.cohorts, "coortes-"+snap.Load.Period, path)
}
