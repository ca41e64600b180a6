package sample

import (
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"razao/internal/data/source"
	"razao/internal/sample/records"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// TestNoSourceIsStaleWhenInvented generates the newest sample of every day of two years and checks
// that source.Source.Stale calls no source stale.
func TestNoSourceIsStaleWhenInvented(t *testing.T) {
	t.Parallel()
	worlds := map[string]*world.World{}
	for now := time.Date(2027, 1, 1, 23, 59, 0, 0, time.UTC); now.Year() < 2029; now = now.AddDate(0, 0, 1) {
		month, day := Latest(now)
		if worlds[month] == nil {
			w, err := world.New(1, 40, month, month)
			if err != nil {
				t.Fatal(err)
			}
			worlds[month] = w
		}
		files, err := records.Files(worlds[month], day, 0)
		if err != nil {
			t.Fatal(err)
		}
		periods := map[string]string{}
		for i := range files {
			folder, period := files[i].Folder, periodInName(&files[i])
			if period == "" && periods[folder] == "" {
				period = periodInRow(&files[i])
			}
			periods[folder] = max(periods[folder], period)
		}
		periods["pncp_orgao"] = periods["pncp"]
		for _, s := range source.All() {
			if s.StaleAfter == 0 {
				continue
			}
			if stale := s.Stale(periods[s.ID], now); stale == nil || *stale {
				t.Errorf("%s: %s of %q is stale, or nothing is known", now.Format(time.DateOnly), s.ID, periods[s.ID])
			}
			if latest := now.Format(time.DateOnly); periods[s.ID] > latest[:len(periods[s.ID])] {
				t.Errorf("%s: %s is of %s, which is to come", latest, s.ID, periods[s.ID])
			}
		}
	}
}

var (
	dayInName    = regexp.MustCompile(`^(20\d\d)(\d\d)(\d\d)_`)
	monthInName  = regexp.MustCompile(`_(20\d\d)-?(\d\d)\.(?:csv|jsonl)$`)
	monthsInName = regexp.MustCompile(`_(\d\d)_(20\d\d)\.csv$`)
	dayInTitle   = regexp.MustCompile(`Cadastro atualizado em (\d\d)/(\d\d)/(\d{4})\.`)
)

// periodInName returns the period in a file's name or title, as the loaders find it; "" for none.
func periodInName(f *table.File) string {
	name := path.Base(f.Name)
	if f.Member != "" {
		name = f.Member
	}
	if m := dayInName.FindStringSubmatch(name); m != nil {
		return strings.Join(m[1:], "-")
	}
	if m := monthInName.FindStringSubmatch(name); m != nil {
		return strings.Join(m[1:], "-")
	}
	if m := monthsInName.FindStringSubmatch(name); m != nil {
		return m[2] + "-" + m[1]
	}
	if m := dayInTitle.FindStringSubmatch(f.Header); m != nil {
		return m[3] + "-" + m[2] + "-" + m[1]
	}
	return ""
}

// periodInRow returns the period in the first row of a file.
func periodInRow(f *table.File) string {
	if f.Row == nil || f.From == f.To {
		return ""
	}
	for title, text := range f.Row(f.From).Cells {
		switch title {
		case "ULTIMA_ATUALIZACAO_RELATORIO":
			return text[:len(time.DateOnly)]
		case "data_da_contratacao":
			return text[:len("2006-01")]
		}
	}
	return ""
}
