package cgu

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"razao/ingest/rows"
)

// datedFile is a file of a register and the day in its name, AAAAMMDD, "" when it has none.
type datedFile struct {
	*rows.File
	day string
}

// period returns the day as AAAA-MM-DD, or "".
func (p datedFile) period() string {
	if p.day == "" {
		return ""
	}
	return p.day[:4] + "-" + p.day[4:6] + "-" + p.day[6:]
}

// register returns the file of a register. Of several days it takes the operator's, else the
// newest, since each file holds the whole register. If no file has the register's name, the only
// CSV of the input is taken.
func register(in *rows.Input, name string) (datedFile, error) {
	if named := byName(in, name); len(named) > 0 {
		return named[0], nil
	}
	tables := slices.DeleteFunc(slices.Clone(in.Files), func(f *rows.File) bool { return !isTable.MatchString(f.Name) })
	if len(tables) != 1 {
		return datedFile{}, in.NoFile(expected(name))
	}
	return datedFile{File: tables[0]}, nil
}

// byName returns the files named after a register: first that of the operator's period, then the
// others from the newest day to the oldest, and last those without a day. Names whose eight digits
// are no date are skipped.
func byName(in *rows.Input, name string) []datedFile {
	var files []datedFile
	for _, f := range in.Files {
		match := dayAndName.FindStringSubmatch(f.Name)
		if match == nil || !strings.EqualFold(match[2], name) {
			continue
		}
		if _, err := time.Parse("20060102", match[1]); match[1] != "" && err != nil {
			continue
		}
		files = append(files, datedFile{f, match[1]})
	}
	rank := func(p datedFile) string {
		if p.day != "" && p.period() == in.Period {
			return "asked for" // a letter sorts behind all digits
		}
		return p.day
	}
	slices.SortStableFunc(files, func(a, b datedFile) int { return strings.Compare(rank(b), rank(a)) })
	return files
}

// Names of files: any CSV, and day (group 1, may be absent) and register (group 2).
var (
	isTable    = regexp.MustCompile(`(?i)\.csv(\.gz)?$`)
	dayAndName = regexp.MustCompile(`(?i)^(?:(\d{8})_)?([^_.]+)\.csv(?:\.gz)?$`)
)

func expected(name string) string { return "AAAAMMDD_" + name + ".csv" }
