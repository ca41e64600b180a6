package relevance

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"razao/index/build"
	"razao/internal/data/cnpj"
	"razao/internal/store/reconcile"
	"razao/internal/testing/fixture"
)

const listsFile = "testdata/lists.txt"

// listed is a line of lists.txt.
type listed struct {
	stratum, name, place, activity string
	keys                           string
	wanted                         map[cnpj.Full]bool // empty: nobody is the one
	doubt                          bool               // which of the wanted is meant cannot be told
	others                         []string           // keys of companies that have nearly the name
}

// readLists reads lists.txt.
func readLists(p *planted) (out []listed, err error) {
	file, err := os.Open(listsFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		parts := strings.Split(lines.Text(), " | ")
		if len(parts) != 5 && len(parts) != 6 {
			return nil, fmt.Errorf("%s, line %d: not \"stratum | name | place | activity | keys | others\"", listsFile, n)
		}
		l := listed{stratum: parts[0], name: parts[1], place: strings.Trim(parts[2], "-"), activity: strings.Trim(parts[3], "-"), keys: parts[4]}
		if len(parts) == 6 {
			l.others = strings.Fields(parts[5])
		}
		keys := l.keys
		if keys == "NONE" {
			keys = ""
		}
		keys, l.doubt = strings.CutPrefix(keys, "TWO ")
		if l.wanted, err = p.wanted(keys); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, l)
	}
	return out, lines.Err()
}

// TestLists finds the companies that other people's lists name, and measures how often the right one is
// the first candidate and among the first ten, and how often a company is called a match that is not.
func TestLists(t *testing.T) {
	p, err := readPlanted()
	if err != nil {
		t.Fatal(err)
	}
	lists, err := readLists(p)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := readBackground()
	if err != nil {
		t.Fatal(err)
	}
	docs = append(docs, p.docs...)
	l := fixture.Empty(t)
	l.Publish(t, fixture.Rows(t, companyRows(docs), establishmentRows(docs), nil))
	snap := fixture.Acquire(t, l.Live)
	matcher, err := reconcile.New(l.Live)
	if err != nil {
		t.Fatal(err)
	}
	keyOf := map[cnpj.Full]string{}
	for key, i := range p.byKey {
		keyOf[p.docs[i].CNPJ] = key
	}
	var measured []listFigures
	var report strings.Builder
	for i := range lists {
		want := &lists[i]
		candidates, err := matcher.Find(context.Background(), snap, matcher.Read(want.name, want.place, "", want.activity), depth, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := want.judge(candidates)
		if !f.right || f.wrongMatch > 0 || f.missed > 0 {
			fmt.Fprintf(&report, "%-10s %q, %q wants %s\n", want.stratum, want.name, want.place, want.keys)
			for k := range candidates[:min(3, len(candidates))] {
				c := &candidates[k]
				fmt.Fprintf(&report, "%12s%5.1f %.3f %-5v %s / %s %s\n", "", c.Score, c.Likeness, c.Sure, c.Company.RazaoSocial, c.Establishment.NomeFantasia, keyOf[c.Establishment.CNPJ])
			}
		}
		at := slices.IndexFunc(measured, func(m listFigures) bool { return m.stratum == f.stratum })
		if at < 0 {
			measured = append(measured, f)
			continue
		}
		measured[at].add(f)
	}
	total := listFigures{stratum: "total"}
	for _, f := range measured {
		total.add(f)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%-10s %5s %6s %6s %6s %7s %6s\n", "", "lines", "top-1", "top-10", "match", "missed", "wrong")
	for _, f := range append(measured, total) {
		fmt.Fprintf(&table, "%-10s %5d %6d %6d %6d %7d %6d\n", f.stratum, f.lines, f.first, f.among, f.match, f.missed, f.wrongMatch)
	}
	t.Log("\n" + table.String())
	if *misses {
		t.Log("\n" + report.String())
	}
	if total.first < leastFirst || total.among < leastAmong || total.match < leastMatch || total.wrongMatch > 0 {
		t.Errorf("%+v; the least are %d, %d and %d, and no wrong match", total, leastFirst, leastAmong, leastMatch)
	}
}

// What has been reached so far, of all lines.
const (
	leastFirst = 159
	leastAmong = 160
	leastMatch = 111
)

// listFigures counts lines. Of lines for which nobody is the one, first and among say that none was called a match.
type listFigures struct {
	stratum             string
	right               bool
	lines, first, among int
	match, missed       int // rightly called a match; the only right one, and not called a match
	wrongMatch          int // called a match and wrong
}

func (f *listFigures) add(g listFigures) {
	f.lines += g.lines
	f.first += g.first
	f.among += g.among
	f.match += g.match
	f.missed += g.missed
	f.wrongMatch += g.wrongMatch
}

func (l *listed) judge(candidates []reconcile.Candidate) listFigures {
	f := listFigures{stratum: l.stratum, lines: 1}
	sure := slices.ContainsFunc(candidates, func(c reconcile.Candidate) bool { return c.Sure })
	rank := 1 + slices.IndexFunc(candidates, func(c reconcile.Candidate) bool { return l.wanted[c.Establishment.CNPJ] })
	switch {
	case len(l.wanted) == 0:
		f.right = !sure
		f.wrongMatch = oneIf(sure)
		f.first, f.among = oneIf(!sure), oneIf(!sure)
		return f
	case l.doubt:
		f.wrongMatch = oneIf(sure)
	case sure && rank == 1:
		f.match = 1
	case sure:
		f.wrongMatch = 1
	case len(l.wanted) == 1:
		f.missed = 1
	}
	f.right = rank == 1
	f.first, f.among = oneIf(rank == 1), oneIf(rank > 0)
	return f
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// companyRows returns the rows of Empresas of the documents.
func companyRows(docs []build.Doc) (rows [][]string) {
	for i := range docs {
		d := &docs[i]
		if i > 0 && docs[i-1].CNPJ.Root() == d.CNPJ.Root() {
			continue
		}
		capital := max(d.Capital, 0)
		rows = append(rows, []string{d.CNPJ.Root().String(), d.RazaoSocial, "2062", "49", fmt.Sprintf("%d,%02d", capital/100, capital%100), d.PorteEmpresa, ""})
	}
	return rows
}

// establishmentRows returns the rows of Estabelecimentos of the documents.
func establishmentRows(docs []build.Doc) (rows [][]string) {
	for i := range docs {
		d := &docs[i]
		rows = append(rows, fixture.EstablishmentRow(d.CNPJ, d.HeadOffice, map[int]string{4: d.NomeFantasia, 5: d.SituacaoCadastral, 11: d.CNAE, 19: d.UF, 20: d.Municipio}))
	}
	return rows
}
