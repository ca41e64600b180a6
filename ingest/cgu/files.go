package cgu

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"razao/ingest/rows"
)

// published is a file and the day in its name, AAAAMMDD, or "".
type published struct {
	*rows.File
	day string
}

// period returns the day as the period of a load, or "".
func (p published) period() string {
	if p.day == "" {
		return ""
	}
	return p.day[:4] + "-" + p.day[4:6] + "-" + p.day[6:]
}

// register finds the file of a register: of several days the operator's or the newest, since each holds all; or the
// only table that there is, whatever its name.
func register(in *rows.Input, name string) (published, error) {
	if named := byName(in, name); len(named) > 0 {
		return named[0], nil
	}
	tables := slices.DeleteFunc(slices.Clone(in.Files), func(f *rows.File) bool { return !isTable.MatchString(f.Name) })
	if len(tables) != 1 {
		return published{}, in.NoFile(expected(name))
	}
	return published{File: tables[0]}, nil
}

// byName returns the files of a register, that of the operator's period first, then the newest, those without a day last.
func byName(in *rows.Input, name string) []published {
	var files []published
	for _, f := range in.Files {
		match := dayAndName.FindStringSubmatch(f.Name)
		if match == nil || !strings.EqualFold(match[2], name) {
			continue
		}
		if _, err := time.Parse("20060102", match[1]); match[1] != "" && err != nil {
			continue
		}
		files = append(files, published{f, match[1]})
	}
	rank := func(p published) string {
		if p.day != "" && p.period() == in.Period {
			return "asked for" // after all digits
		}
		return p.day
	}
	slices.SortStableFunc(files, func(a, b published) int { return strings.Compare(rank(b), rank(a)) })
	return files
}

var (
	isTable    = regexp.MustCompile(`(?i)\.csv(\.gz)?$`)
	dayAndName = regexp.MustCompile(`(?i)^(?:(\d{8})_)?([^_.]+)\.csv(?:\.gz)?$`)
)

func expected(name string) string { return "AAAAMMDD_" + name + ".csv" }
