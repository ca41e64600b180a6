package receita

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Find returns the release of a month below dir; if month is "", the newest complete one. The files
// may lie in dir/AAAA-MM or in dir itself, zipped under their published names or extracted. A
// release that lacks files is an [*IncompleteError], unless partial is true; then Missing names
// them. Nothing is opened.
func Find(dir, month string, partial bool) (Release, error) {
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
		return open(filepath.Join(dir, month), month, partial)
	case month != "":
		return open(dir, month, partial)
	case len(months) > 0:
		return newest(dir, months, partial)
	case IsMonth(filepath.Base(dir)):
		return open(dir, filepath.Base(dir), partial)
	}
	return Release{}, fmt.Errorf("%s has no folder named AAAA-MM: say which month its files are with --month", dir)
}

// newest returns the last month that is complete; with partial, the last one. If none is, the error
// is that of the last month.
func newest(dir string, months []string, partial bool) (Release, error) {
	slices.Sort(months)
	var first error
	for _, month := range slices.Backward(months) {
		r, err := open(filepath.Join(dir, month), month, partial)
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

// open looks for the 37 files in one folder.
func open(dir, month string, partial bool) (Release, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return Release{}, fmt.Errorf("folder of the release: %w", err)
	}
	r := Release{Month: month}
	r.Fictional = slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == FictionalMark })
	for i, l := range layouts() {
		for part, name := range l.names() {
			path := locate(dir, entries, name, l, part)
			if path == "" {
				r.Missing = append(r.Missing, name+".zip")
				continue
			}
			r.Files = append(r.Files, File{Name: name + ".zip", Path: path, Table: Table(i)})
		}
	}
	if len(r.Files) == 0 {
		return Release{}, fmt.Errorf("%s holds no file of a CNPJ release", dir)
	}
	if len(r.Missing) > 0 && !partial {
		return Release{}, &IncompleteError{Month: month, Dir: dir, Missing: r.Missing}
	}
	return r, nil
}

// locate returns the path of a file of the release: its zip, the zip's name without extension, or
// the extracted member (K3241.K03200Y0.D60912.EMPRECSV, where Y0 is the number of the part). "" if
// there is none.
func locate(dir string, entries []os.DirEntry, name string, l layout, part int) string {
	for _, e := range entries {
		got := e.Name()
		if e.IsDir() {
			continue
		}
		extracted := strings.Contains(strings.ToUpper(got), l.member) && !strings.EqualFold(filepath.Ext(got), ".zip") &&
			(l.parts == 0 || strings.Contains(strings.ToUpper(got), "Y"+strconv.Itoa(part)+"."))
		if strings.EqualFold(got, name+".zip") || strings.EqualFold(got, name) || extracted {
			return filepath.Join(dir, got)
		}
	}
	return ""
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
