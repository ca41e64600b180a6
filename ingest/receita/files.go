package receita

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"razao/internal/data/record"
)

// part is one of the files of a table. Who divides a table, and into how many files, is the publisher's choice.
type part struct {
	table  Table
	number int // undivided: the name has none
}

const undivided = -1

// name returns the published name of the file.
func (p part) name() string {
	if p.number == undivided {
		return p.table.String() + ".zip"
	}
	return p.table.String() + strconv.Itoa(p.number) + ".zip"
}

// compare orders parts by table, then by number.
func (p part) compare(q part) int {
	return cmp.Or(cmp.Compare(p.table, q.table), cmp.Compare(p.number, q.number))
}

// The names of files: as published, zipped or extracted, and of the members of the zips, such as
// K3241.K03200Y0.D60912.EMPRECSV, where Y0 is the number, and F.K03200$W.SIMPLES.CSV.D60912. Three digits bound how
// many files a listing can make of a table.
var (
	publishedName = regexp.MustCompile(`^(` + alternatives(func(l layout) string { return l.zip }) + `)(0|[1-9]\d{0,2})?\.zip$`)
	plainName     = regexp.MustCompile(`(?i)^(` + alternatives(func(l layout) string { return l.zip }) + `)(\d{0,3})(?:\.zip)?$`)
	memberName    = regexp.MustCompile(`(?i)^[^.]+\.(?:[^.]*Y(\d{1,3})\.)?(?:.*\.)?(` + alternatives(func(l layout) string { return l.member }) + `)(?:\.|$)`)
)

func alternatives(of func(layout) string) string {
	var all []string
	for _, l := range layouts() {
		all = append(all, of(l))
	}
	return strings.Join(all, "|")
}

// partOf returns which file of a release has this name, in a folder or among the files of a load.
func partOf(name string) (p part, ok bool) {
	for i, l := range layouts() {
		p.table = Table(i)
		if m := plainName.FindStringSubmatch(name); m != nil && strings.EqualFold(m[1], l.zip) {
			return p.numbered(m[2]), true
		}
		if m := memberName.FindStringSubmatch(name); m != nil && strings.EqualFold(m[2], l.member) {
			return p.numbered(m[1]), true
		}
	}
	return part{}, false
}

func (p part) numbered(digits string) part {
	p.number = undivided
	if n, err := strconv.Atoi(digits); err == nil {
		p.number = n
	}
	return p
}

// Accept says which releases are complete. The zero value compares them with the 37 files of every month since 2021.
//
// A release is incomplete if it lacks a file that the load in service was made of, or has a hole among the numbers of a
// table: for hours a month is listed without all its files, and nothing else tells such a month from one that has
// fewer. So the first month that the publisher divides into fewer files has to be declared whole by an operator. The figures of a load
// are compared all the same, and those after it are compared with it.
type Accept struct {
	Served   *record.Provenance // of the load in service, with what it lacked; nil: there is none
	Invented bool               // Served is invented, and says nothing about a published release
	Partial  bool               // accept a release that lacks files, and name them
	Whole    bool               // what is there is the whole release, as long as no table is missing and none has a hole
}

// missing returns the names of the files that a release made of these parts lacks, in its order.
func (a *Accept) missing(found []part, fictional bool) (names []string) {
	wanted := a.usual(fictional)
	if a.Whole {
		wanted = slices.DeleteFunc(wanted, func(p part) bool {
			return slices.ContainsFunc(found, func(f part) bool { return f.table == p.table })
		})
	}
	first, last := map[Table]int{}, map[Table]int{} // whoever numbers from 1 has no hole
	for _, p := range found {
		if n, known := first[p.table]; p.number != undivided && (!known || p.number < n) {
			first[p.table] = p.number
		}
		last[p.table] = max(last[p.table], p.number)
	}
	for t, n := range first {
		for ; n < last[t]; n++ {
			wanted = append(wanted, part{t, n})
		}
	}
	for _, p := range wanted {
		if !slices.Contains(found, p) {
			names = append(names, p.name())
		}
	}
	return inOrder(names)
}

// inOrder returns names of zips in the order of the release, each once.
func inOrder(names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		p, _ := partOf(a)
		q, _ := partOf(b)
		return p.compare(q)
	})
	return slices.Compact(names)
}

// usual returns the parts that a release has at least.
func (a *Accept) usual(fictional bool) (parts []part) {
	if a.Served != nil && a.Invented == fictional {
		for _, f := range a.Served.Arquivos {
			parts = appendPart(parts, f.Nome)
		}
		for _, name := range a.Served.Faltantes {
			parts = appendPart(parts, name)
		}
	}
	if len(parts) > 0 {
		return parts
	}
	for i, l := range layouts() {
		if l.parts == 0 {
			parts = append(parts, part{Table(i), undivided})
		}
		for n := range l.parts {
			parts = append(parts, part{Table(i), n})
		}
	}
	return parts
}

func appendPart(parts []part, name string) []part {
	if p, ok := partOf(name); ok {
		parts = append(parts, p)
	}
	return parts
}
