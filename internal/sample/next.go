package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"razao/internal/data/cnpj"
	"razao/internal/sample/country"
)

// State is the name of the JSON file in the folder of a release that records the options it was
// generated from.
const State = "amostra.json"

// state is the content of State.
type state struct {
	Seed  uint64 `json:"seed"`
	Roots int    `json:"roots"`
	First string `json:"first"` // AAAA-MM
	Month string `json:"month"`
}

// state returns the file State.
func (o *Options) state() file {
	text, err := json.Marshal(state{o.Seed, o.Roots, o.first(), o.Month})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return file{folder: o.folder(), name: State, header: string(text) + "\n"}
}

// Next returns the options of a release that continues the newest one below dir: same seed, same
// companies and those opened since, with MUDANCAS.csv listing the differences. month is AAAA-MM, ""
// for the month after. It is an error if dir has no release with State or if month does not follow
// it.
func Next(dir, month string) (Options, error) {
	former, err := newest(dir)
	if err != nil {
		return Options{}, fmt.Errorf("former sample: %w", err)
	}
	if month == "" {
		t, err := time.Parse("2006-01", former.Month)
		if err != nil {
			return Options{}, fmt.Errorf("former sample: %w", err)
		}
		month = t.AddDate(0, 1, 0).Format("2006-01")
	}
	if month <= former.Month {
		return Options{}, fmt.Errorf("the month %s does not follow %s, that of %s", month, former.Month, dir)
	}
	return Options{Roots: former.Roots, Seed: former.Seed, First: former.First, Since: former.Month, Month: month}, nil
}

// Keep copies what Next continues from, of the release in folder dir, as that of a release below
// another folder.
func Keep(dir, below string) error {
	text, err := os.ReadFile(filepath.Join(dir, State))
	if err != nil {
		return err
	}
	kept := filepath.Join(below, "receita", filepath.Base(dir))
	if err := os.MkdirAll(kept, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(kept, State), text, 0o600)
}

// Latest returns what a sample generated at now would consist of if it were real: the release of
// last month, and sources fetched yesterday.
func Latest(now time.Time) (month, day string) {
	return time.Date(now.Year(), now.Month()-1, 1, 0, 0, 0, 0, time.UTC).Format("2006-01"), now.AddDate(0, 0, -1).Format(time.DateOnly)
}

// newest reads the State of the newest release below dir.
func newest(dir string) (s state, err error) {
	found, err := filepath.Glob(filepath.Join(dir, "receita", "????-??", State))
	if err != nil {
		return state{}, err
	}
	if len(found) == 0 {
		return state{}, errors.New(filepath.Join(dir, "receita") + " has no release with the file " + State + ": write one with razao sample --out")
	}
	text, err := os.ReadFile(slices.Max(found))
	if err != nil {
		return state{}, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return state{}, fmt.Errorf("%s: %w", slices.Max(found), err)
	}
	return s, nil
}

// Company returns the head office of the company that has an event in every month: the same number in
// every series, in all of its releases but the first.
func Company() cnpj.Full { return country.Demonstration() }

// Demonstration returns the options of two successive releases of roots companies: the newest that
// could exist at the given time and the one before it, so that there are changes to show. The
// public records come with the later one.
func Demonstration(now time.Time, roots int) (former, latest Options) {
	latest = Options{Roots: roots, Seed: 1}
	latest.Month, latest.Day = Latest(now)
	before, _ := Latest(now.AddDate(0, 0, -now.Day())) // from a day of the month before
	former = Options{Roots: roots, Seed: 1, Month: before, OnlyReceita: true}
	latest.First, latest.Since = before, before
	return former, latest
}
