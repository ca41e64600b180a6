package receita

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Find returns the release of a month below dir; if month is "", the newest complete one. The files
// may lie in dir/AAAA-MM or in dir itself, zipped under their published names or extracted. A
// release that lacks files is an [*IncompleteError], unless accept says that it may; then Missing names
// them. Nothing is opened.
func Find(dir, month string, accept Accept) (Release, error) {
	if month != "" && !IsMonth(month) {
		return Release{}, fmt.Errorf("month %q is not of the form AAAA-MM", month)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return Release{}, fmt.Errorf("folder of the release: %w", err)
	}
	var months []string
	for _, e := range entries {
		if e.IsDir() && IsMonth(e.Name()) {
			months = append(months, e.Name())
		}
	}
	switch {
	case month != "" && slices.Contains(months, month):
		return open(filepath.Join(dir, month), month, accept)
	case month != "":
		return open(dir, month, accept)
	case len(months) > 0:
		return newest(dir, months, accept)
	case IsMonth(filepath.Base(dir)):
		return open(dir, filepath.Base(dir), accept)
	}
	return Release{}, fmt.Errorf("%s has no folder named AAAA-MM: say which month its files are with --month", dir)
}

// newest returns the last month that is complete; with accept.Partial, the last one. If none is, the error
// is that of the last month.
func newest(dir string, months []string, accept Accept) (Release, error) {
	slices.Sort(months)
	var first error
	for _, month := range slices.Backward(months) {
		r, err := open(filepath.Join(dir, month), month, accept)
		if err == nil {
			return r, nil
		}
		if first == nil {
			first = err
		}
	}
	return Release{}, first
}

var monthPattern = regexp.MustCompile(`^20\d\d-(0[1-9]|1[0-2])$`)

// IsMonth reports whether a name is that of a month, AAAA-MM, as on the share and in the download
// folder.
func IsMonth(name string) bool { return monthPattern.MatchString(name) }

// open looks for the files of a release in one folder.
func open(dir, month string, accept Accept) (Release, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return Release{}, fmt.Errorf("folder of the release: %w", err)
	}
	r := Release{Month: month}
	r.Fictional = slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == FictionalMark })
	names, unread := choose(entries)
	found := slices.SortedFunc(maps.Keys(names), part.compare)
	for _, p := range found {
		r.Files = append(r.Files, File{Name: p.name(), Path: filepath.Join(dir, names[p]), Table: p.table})
	}
	if len(found) == 0 {
		return Release{}, fmt.Errorf("%s holds no file of a CNPJ release", dir)
	}
	r.Unread = unread
	r.Missing = accept.missing(found, r.Fictional)
	if len(r.Missing) > 0 && !accept.Partial {
		return Release{}, &IncompleteError{Month: month, Dir: dir, Missing: r.Missing, Unread: unread}
	}
	return r, nil
}

// choose returns the file of each part that is in a folder, and the names of all others: of no known table, or a second
// of the same number, as the zip beside what was extracted from it. Of several the one whose name is most like the
// published one is read.
func choose(entries []os.DirEntry) (names map[part]string, unread []string) {
	names = map[part]string{}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || strings.HasPrefix(name, ".") || slices.Contains(besides(), name) {
			continue
		}
		p, known := partOf(name)
		other, second := names[p]
		switch {
		case !known:
			unread = append(unread, name)
			continue
		case second && likeness(other, p) >= likeness(name, p):
			unread = append(unread, name)
			continue
		case second:
			unread = append(unread, other)
		}
		names[p] = name
	}
	slices.Sort(unread)
	return names, unread
}

// besides are the files that Razão writes beside an invented release.
func besides() []string { return []string{FictionalMark, "MUDANCAS.csv", "amostra.json"} }

// likeness says how much a name is like the published one of a part.
func likeness(name string, p part) int {
	switch {
	case name == p.name():
		return 3
	case strings.EqualFold(name, p.name()):
		return 2
	case strings.EqualFold(filepath.Ext(name), ".zip"):
		return 1
	}
	return 0
}

// memberDate matches the date in a member's name: D60912 is the last digit of the year, month and
// day.
var memberDate = regexp.MustCompile(`\.D(\d)(\d\d)\d\d(\.|$)`)

// checkMember compares the name of a member with the file that it lies in: table and month must
// agree. It refuses names that look like path traversal, although nothing is extracted.
func checkMember(f *File, member, month string) error {
	upper := strings.ToUpper(member)
	if strings.Contains(member, "..") || strings.HasPrefix(member, "/") || strings.HasPrefix(member, `\`) || strings.Contains(member, ":") {
		return fmt.Errorf("%s: its member is named %q: refused", f.Name, member)
	}
	want := layouts()[f.Table].member
	if !strings.Contains(upper, want) && !strings.EqualFold(member+".zip", f.Name) {
		return fmt.Errorf("%s: its member is %q, which is not a %s file: the wrong file under this name?", f.Name, member, f.Table)
	}
	if m := memberDate.FindStringSubmatch(upper); m != nil && (m[1] != month[3:4] || m[2] != month[5:7]) {
		return fmt.Errorf("%s: its member %q was published in another month than %s", f.Name, member, month)
	}
	return nil
}
