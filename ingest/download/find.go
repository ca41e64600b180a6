package download

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"time"

	"razao/internal/web/fetch"
)

// read returns the body, up to 16 MiB, of a page or a catalogue. It retries.
func (r *run) read(ctx context.Context, address string) (body []byte, err error) {
	const most = 16 << 20
	err = r.Retry.Do(ctx, address, func() (bool, error) {
		req, err := http.NewRequest(http.MethodGet, address, nil)
		if err == nil {
			body, err = r.Read(ctx, req, http.StatusOK, most)
		}
		return false, err
	})
	return body, err
}

// findFixed returns a finder of files whose paths never change.
func findFixed(paths ...string) func(context.Context, *run) ([]File, error) {
	return func(_ context.Context, r *run) ([]File, error) {
		var files []File
		for _, p := range paths {
			files = append(files, File{Origins: []Origin{{Address: r.address(p), Name: path.Base(p)}}})
		}
		return files, nil
	}
}

// findEmployers finds the table of the MTE register of employers, and its text file, the only one
// that says of which day both are.
func findEmployers(_ context.Context, r *run) ([]File, error) {
	const table, text = "cadastro_de_empregadores.csv", "cadastro_de_empregadores.txt"
	return []File{
		{Origins: []Origin{{Address: r.address(table), Name: table}}},
		{Origins: []Origin{{Address: r.address(text), Name: text}}, Optional: true},
	}, nil
}

var (
	quarterLabel = regexp.MustCompile(`^20\d\d_trimestre_0[1-4]$`)
	monthLabel   = regexp.MustCompile(`^20\d\d-(?:0[1-9]|1[0-2])$`)
)

// findQuarter finds the three zips of a quarter of PGFN: of the period, or of the newest quarter,
// at most four back, that has all three.
func findQuarter(ctx context.Context, r *run) ([]File, error) {
	if r.Period != "" {
		label, err := quarterOf(r.Period)
		if err != nil {
			return nil, err
		}
		return r.quarter(label), nil
	}
	const attempts = 4
	now := r.Now()
	// The quarter that is running is never published.
	ended := time.Date(now.Year(), now.Month()-(now.Month()-1)%3-1, 1, 0, 0, 0, 0, time.UTC)
	for i := range attempts {
		label := quarterEnding(ended.AddDate(0, -3*i, 0))
		files := r.quarter(label)
		whole, err := r.allPublished(ctx, files)
		if err != nil {
			return nil, err
		}
		if whole {
			return files, nil
		}
		r.Log.Info("the quarter is not published, or not all of it", "quarter", label)
	}
	return nil, &fetch.Trouble{Err: fmt.Errorf("none of the last %d quarters is published at %s", attempts, r.hosts[0].Redacted())}
}

// quarterOf returns the folder of a quarter, given its last month or the folder itself.
func quarterOf(period string) (string, error) {
	if quarterLabel.MatchString(period) {
		return period, nil
	}
	month, err := time.Parse("2006-01", period)
	if err != nil || !monthLabel.MatchString(period) || month.Month()%3 != 0 {
		return "", fmt.Errorf("period %q is not the last month of a quarter, such as 2026-06, or its folder, such as 2026_trimestre_02", period)
	}
	return quarterEnding(month), nil
}

// quarterEnding returns the folder of the quarter that a month belongs to.
func quarterEnding(month time.Time) string {
	return fmt.Sprintf("%d_trimestre_%02d", month.Year(), (month.Month()+2)/3)
}

// quarter returns the three files of a quarter's folder.
func (r *run) quarter(label string) []File {
	var files []File
	for _, system := range []string{"Nao_Previdenciario", "Previdenciario", "FGTS"} {
		name := "Dados_abertos_" + system + ".zip"
		f := File{Origins: []Origin{{Address: r.address(label, name), Name: name}}}
		if system == "Nao_Previdenciario" { // misspelt in 2022_trimestre_04
			f.Origins = append(f.Origins, Origin{Address: r.address(label, "Dados_abertos_Nao_Previdenciariozip.zip"), Name: name})
		}
		files = append(files, f)
	}
	return files
}

// allPublished reports whether every file exists at one of its origins.
func (r *run) allPublished(ctx context.Context, files []File) (bool, error) {
	for _, f := range files {
		found := false
		for _, p := range f.Origins {
			var err error
			if found, err = r.exists(ctx, p.Address); err != nil {
				return false, err
			}
			if found {
				break
			}
		}
		if !found {
			return false, nil
		}
	}
	return true, nil
}

// publishedDay matches the script of a CGU page that names the published day.
var publishedDay = regexp.MustCompile(`arquivos\.push\(\{\s*"ano"\s*:\s*"(\d{4})"\s*,\s*"mes"\s*:\s*"(\d\d)"\s*,\s*"dia"\s*:\s*"(\d\d)"`)

// findDay returns a finder of the zip of a CGU register: of the period, or of the day that the
// register's page names.
func findDay(register, name string) func(context.Context, *run) ([]File, error) {
	return func(ctx context.Context, r *run) ([]File, error) {
		const compact = "20060102"
		day, err := time.Parse(time.DateOnly, r.Period)
		if r.Period != "" && err != nil {
			return nil, fmt.Errorf("period %q is not a day of the form %s", r.Period, r.period)
		}
		if r.Period == "" {
			if day, err = r.newestDay(ctx, r.address(register)); err != nil {
				return nil, err
			}
		}
		label := day.Format(compact)
		return []File{{Origins: []Origin{{Address: r.address(register, label), Name: label + "_" + name + ".zip"}}}}, nil
	}
}

// hasBegun reports whether a day, a month or a year may be that of published files, at the precision that it
// has: one to come is a typing error, or an attack, and would keep out what is there. It may be tomorrow
// already in another time zone.
func (r *run) hasBegun(period string) bool {
	tomorrow := r.Now().AddDate(0, 0, 1).Format(time.DateOnly)
	return period <= tomorrow[:len(period)]
}

// newestDay returns the newest day that the page of a register names and that has begun.
func (r *run) newestDay(ctx context.Context, address string) (time.Time, error) {
	page, err := r.read(ctx, address)
	if err != nil {
		return time.Time{}, err
	}
	var newest time.Time
	for _, m := range publishedDay.FindAllSubmatch(page, -1) {
		day, err := time.Parse("20060102", string(slices.Concat(m[1], m[2], m[3])))
		if err == nil && day.After(newest) && r.hasBegun(day.Format(time.DateOnly)) {
			newest = day
		}
	}
	if newest.IsZero() {
		return newest, &fetch.Trouble{Err: fmt.Errorf("the page %s names no day: it has changed, or it is one that keeps programs out", address)}
	}
	return newest, nil
}

// ceacFolder holds the versions of the CEAC, files such as 2026_0009.csv.
const ceacFolder = "cadastro-de-empregadores-em-ajustamento-de-conduta"

var (
	ceacVersion = regexp.MustCompile(`^20\d\d_\d{4}$`)
	ceacLink    = regexp.MustCompile(ceacFolder + `/(20\d\d_\d{4})\.csv`)
)

// findVersion finds a version of the CEAC: of the period, or the newest that the register's page
// links.
func findVersion(ctx context.Context, r *run) ([]File, error) {
	version := r.Period
	if version != "" && !ceacVersion.MatchString(version) {
		return nil, fmt.Errorf("period %q is not a version of the form %s", version, r.period)
	}
	if version == "" {
		var err error
		if version, err = r.newestVersion(ctx); err != nil {
			return nil, err
		}
	}
	return []File{{Origins: []Origin{r.version(version)}}}, nil
}

// version returns the origin of a version.
func (r *run) version(label string) Origin {
	return Origin{Address: r.address(ceacFolder, label+".csv"), Name: label + ".csv"}
}

// newestVersion returns the newest version that the page links. If the page fails or links none, it
// probes.
func (r *run) newestVersion(ctx context.Context) (string, error) {
	page, err := r.read(ctx, r.address("combate-ao-trabalho-escravo-e-analogo-ao-de-escravo"))
	if err != nil && !errors.As(err, new(*fetch.Trouble)) {
		return "", err
	}
	newest := ""
	for _, m := range ceacLink.FindAllSubmatch(page, -1) {
		if label := string(m[1]); r.hasBegun(label[:len("2006")]) {
			newest = max(newest, label)
		}
	}
	if newest != "" {
		return newest, nil
	}
	r.Log.Warn("the page of the register links no version, trying one after the other", "error", err)
	return r.guessVersion(ctx)
}

// guessVersion probes the versions of this year and the last, from the highest number down; a year
// has had a dozen. It pauses between requests to be no nuisance.
func (r *run) guessVersion(ctx context.Context) (string, error) {
	const years, versions, pause = 2, 40, 300 * time.Millisecond
	for year := range years {
		for n := versions; n > 0; n-- {
			label := fmt.Sprintf("%d_%04d", r.Now().Year()-year, n)
			found, err := r.exists(ctx, r.version(label).Address)
			if err != nil {
				return "", err
			}
			if found {
				return label, nil
			}
			if err := r.Sleep(ctx, pause); err != nil {
				return "", err
			}
		}
	}
	return "", &fetch.Trouble{Err: fmt.Errorf("no version of the last %d years is published at %s", years, r.address(ceacFolder))}
}
