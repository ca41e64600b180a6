package load

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"razao/internal/data/cnpj"
	"razao/internal/sample"
)

const (
	month      = "2026-08" // of the release: the first month whose roots may contain letters
	maxSampled = 200_000   // of each kind of row
	maxLargest = 20
)

// Invent writes a release of invented companies into dir, with debts rows of pgfn, 0 for as many as
// the companies would have. Without sources there are only companies. The release has no mark that
// would declare it invented: marked ones get no sitemap.
func Invent(ctx context.Context, dir string, roots int, sources bool, debts int) error {
	written, err := sample.Write(ctx, dir, sample.Options{Roots: roots, Seed: 1, Month: month, OnlyReceita: !sources, Debts: debts})
	if err != nil {
		return err
	}
	return os.Remove(filepath.Join(written.Dir, sample.Mark))
}

// Establishment is what requests about one establishment are drawn from, as published.
type Establishment struct {
	CNPJ, TradeName, Situation, Activity, UF, Municipality string
}

// Company is what requests about one company are drawn from, as published.
type Company struct{ Root, Name, Nature, Size string }

// Partner is what requests about one partner are drawn from, as published. Company is the root that names
// the partner.
type Partner struct{ Company, Name, Document string }

// Release is a uniform sample of the files of a release in the format of the tax authority.
type Release struct {
	Establishments []Establishment
	Companies      []Company // some may have no establishment
	Partners       []Partner
	Largest        []string // head offices of the companies with the most establishments, those first
	Sources        []string // folders beside the release: the sources that it has records of
}

// Read samples the release below dir. The same files give the same sample.
func Read(dir string) (*Release, error) {
	out, dice := &Release{}, rand.New(rand.NewPCG(8, 8))
	branches := map[string]int{}
	var establishments, companies, partners int
	for _, table := range []struct {
		files string
		row   func(f []string)
	}{
		{"Estabelecimentos*.zip", func(f []string) {
			if f[1] != "0001" {
				branches[strings.Clone(f[0])]++
			}
			keep(&out.Establishments, &establishments, dice, Establishment{
				CNPJ: f[0] + f[1] + f[2], TradeName: f[4], Situation: f[5], Activity: f[11], UF: f[19], Municipality: f[20],
			})
		}},
		{"Empresas*.zip", func(f []string) {
			keep(&out.Companies, &companies, dice, Company{Root: f[0], Name: f[1], Nature: f[2], Size: f[5]})
		}},
		{"Socios*.zip", func(f []string) { keep(&out.Partners, &partners, dice, Partner{f[0], f[2], f[3]}) }},
	} {
		files, err := filepath.Glob(filepath.Join(dir, "receita", "*", table.files))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if err := rows(file, table.row); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	if len(out.Establishments) == 0 || len(out.Companies) == 0 || len(out.Partners) == 0 {
		return nil, fmt.Errorf("%s holds no release with establishments, companies and partners", dir)
	}
	largest := slices.SortedFunc(maps.Keys(branches), func(a, b string) int { return cmp.Or(branches[b]-branches[a], cmp.Compare(a, b)) })
	for _, text := range largest[:min(len(largest), maxLargest)] {
		root, err := cnpj.ParseRoot(text)
		if err != nil {
			return nil, err
		}
		out.Largest = append(out.Largest, cnpj.Join(root, 1).String())
	}
	return out, out.readSources(dir)
}

// readSources lists the folders beside that of the tax authority.
func (r *Release) readSources(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() && e.Name() != "receita" {
			r.Sources = append(r.Sources, e.Name())
		}
	}
	return err
}

// keep adds a row to a sample that stays uniform and bounded (reservoir sampling, Algorithm R); seen
// counts the rows.
func keep[T any](sample *[]T, seen *int, dice *rand.Rand, row T) {
	if *seen++; len(*sample) < maxSampled {
		*sample = append(*sample, row)
	} else if i := dice.IntN(*seen); i < maxSampled {
		(*sample)[i] = row
	}
}

// rows reads the one file of a zip: Latin-1, semicolons, a NUL byte here and there, and quotes that the
// strict form of CSV would refuse. Rows that are cut short are skipped: loaders reject them, too.
func rows(file string, row func(f []string)) error {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }()
	for _, member := range archive.File {
		content, err := member.Open()
		if err != nil {
			return err
		}
		table := csv.NewReader(charmap.ISO8859_1.NewDecoder().Reader(content))
		table.Comma, table.LazyQuotes, table.FieldsPerRecord = ';', true, -1
		columns := 0
		for {
			f, err := table.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return errors.Join(err, content.Close())
			}
			if columns = max(columns, len(f)); len(f) == columns {
				row(f)
			}
		}
		if err := content.Close(); err != nil {
			return err
		}
	}
	return nil
}

var companyLink = regexp.MustCompile(`href="/([0-9A-Z]{14})"`)

// Owners returns establishments with records of each source, from the first pages of a server's lists.
func Owners(ctx context.Context, address string, sources []string) (map[string][]string, error) {
	owners := map[string][]string{}
	for _, id := range sources {
		for page := 1; page <= 3; page++ {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/empresas?fonte=%s&pagina=%d", address, id, page), nil)
			if err != nil {
				return nil, err
			}
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				return nil, err
			}
			body, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err != nil {
				return nil, err
			}
			for _, link := range companyLink.FindAllSubmatch(body, -1) {
				owners[id] = append(owners[id], string(link[1]))
			}
		}
	}
	if len(owners) == 0 {
		return nil, fmt.Errorf("%s/empresas lists no company with records: is it the same release?", address)
	}
	return owners, nil
}

// Pick draws an element.
func Pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// CNPJ draws a number of 14 positions.
func (r *Release) CNPJ(dice *rand.Rand) string { return Pick(dice, r.Establishments).CNPJ }

// Words draws what somebody types who half knows a name: two of its words.
func (r *Release) Words(dice *rand.Rand) string {
	words := distinctive(Pick(dice, r.Companies).Name)
	return Pick(dice, words) + " " + Pick(dice, words)
}

// Beginning draws the first letters of a name, as somebody types them.
func (r *Release) Beginning(dice *rand.Rand) string {
	letters := []rune(strings.Join(distinctive(Pick(dice, r.Companies).Name), " "))
	return string(letters[:min(len(letters), 1+dice.IntN(10))])
}

// distinctive returns the words of a name without legal forms, numbers and short words, or the whole
// name if that leaves none.
func distinctive(name string) []string {
	words := slices.DeleteFunc(strings.Fields(name), func(w string) bool {
		return len(w) < 3 || w == "LTDA" || strings.ContainsAny(w, "0123456789*")
	})
	if len(words) == 0 {
		return []string{name}
	}
	return words
}
