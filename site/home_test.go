package site_test

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestHomeCountsTheMonth compares openings and closings of the month, and every column of their
// sparklines, with the records, and the numbers with the listings that they lead to.
func TestHomeCountsTheMonth(t *testing.T) {
	t.Parallel()
	for _, month := range []string{"2026-08", "2026-09"} {
		l := fixture.Empty(t)
		l.Publish(t, fixture.Published(t, month, "20090314", "20250831", "20181231", "20260801"))
		h := sitetest.New(t, l)
		all := h.Establishments(t)
		last, err := time.Parse("2006-01", month)
		if err != nil {
			t.Fatal(err)
		}
		for i, words := range []string{"abertos?", "baixados?"} {
			item := figureOf(t, h.Page(t, "/"), `estabelecimentos? `+words+` em `+last.Format("01/2006"))
			columns := item.All("g")
			if len(columns) != 13 {
				t.Fatalf("%d columns", len(columns))
			}
			var n int
			for at, column := range columns {
				month := last.AddDate(0, at-12, 0)
				in := func(d record.Date) bool { return d.Year() == month.Year() && d.Time().Month() == month.Month() }
				if n = all.Count(func(e *sitetest.Establishment) bool { return in(e.DataInicioAtividade) }); i == 1 {
					n = all.Count(sitetest.Closed, func(e *sitetest.Establishment) bool { return in(e.DataSituacaoCadastral) })
				}
				said := month.Format("01/2006") + ": " + ptbr.Count(n) + " "
				if at == 12 {
					said = strings.Replace(said, ":", ", até o dia do arquivo:", 1)
				}
				if got := column.All("title")[0].Text() + " "; !strings.HasPrefix(got, said) {
					t.Errorf("%s: column %q, want %q", words, got, said)
				}
			}
			number := item.All("b")[0]
			if number.Text() != ptbr.Count(n) {
				t.Errorf("%s: %s, the records have %d", words, number.Text(), n)
			}
			links := number.All("a")
			if (n > 0) != (len(links) == 1) || (n > 0) != (month == "2026-08") {
				t.Fatalf("%s: %d with %d links", words, n, len(links))
			}
			for _, link := range links {
				if got := totalOf(t, h.Body(t, link.Attribute("href"))); got != n {
					t.Errorf("%s: the listing has %d, the records %d", words, got, n)
				}
			}
		}
	}
}

// figureOf returns the item of a list of figures whose words match.
func figureOf(t *testing.T, d pagetest.Document, words string) pagetest.Document {
	t.Helper()
	for _, item := range d.Of("ul", "class", "figures")[0].All("li") {
		if regexp.MustCompile(words).MatchString(item.Text()) {
			return item
		}
	}
	t.Fatalf("no figure says %s", words)
	return pagetest.Document{}
}

// totalOf returns how many results a page says that there are.
func totalOf(t *testing.T, body string) int {
	t.Helper()
	found := regexp.MustCompile(`([\d.]+) (?:resultado|empresa|estabelecimento)s?\b`).FindStringSubmatch(pagetest.Parse(t, body).Text())
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(found[1], ".", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestHomeAnswers follows each question to the page that proves its answer.
func TestHomeAnswers(t *testing.T) {
	t.Parallel()
	for _, h := range []*sitetest.Site{sitetest.Records(t), sitetest.Published(t)} {
		answers := h.Page(t, "/").Of("dl", "class", "facts answers")[0].All("div")
		if len(answers) != 3 {
			t.Errorf("%d answers", len(answers))
		}
		for _, answer := range answers {
			link := answer.All("a")[0]
			address, err := url.Parse(link.Attribute("href"))
			if err != nil {
				t.Fatal(err)
			}
			body := h.Body(t, address.String())
			t.Logf("%s %s", answer.Text(), address)
			if address.Path == "/municipios" {
				place, number, _ := strings.Cut(link.Text(), ", com ")
				first := pagetest.Parse(t, body).Of("table", "class", "ranking")[0].Rows()[0]
				if by := first.Of("td", "class", "num by")[0]; !strings.HasPrefix(first.All("th")[0].Text(), place) || by.Text() != number {
					t.Errorf("%s: the first is %s", answer.Text(), first.Text())
				}
				continue
			}
			number, _, _ := strings.Cut(link.Text(), " ")
			if n := totalOf(t, body); ptbr.Count(n) != number || n == 0 {
				t.Errorf("%s: the listing has %d", answer.Text(), n)
			}
		}
	}
}

// TestHomeListsTheNewestLoads expects the loads that finished last, a line each, and the way to the others.
func TestHomeListsTheNewestLoads(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	d := h.Page(t, "/")
	rows := d.Rows()
	if len(rows) != 5 || d.Links()["Situação de todas as fontes"] != "/fontes" {
		t.Fatalf("%d loads, %v", len(rows), d.Links())
	}
	for _, row := range rows {
		if text := row.Text(); !regexp.MustCompile(` \d\d/\d\d/\d{4}$`).MatchString(text) {
			t.Errorf("%s", text)
		}
	}
}
