package receita

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
)

const month = "2026-09"

// zipOf returns a zip with one member.
func zipOf(t *testing.T, member, data string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	w, err := z.Create(member)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// writeZip writes one published file with a member of the given name.
func writeZip(t *testing.T, path, member, data string) {
	t.Helper()
	if err := os.WriteFile(path, zipOf(t, member, data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// readRows collects what the handlers received.
type readRows struct {
	mu             sync.Mutex
	companies      map[cnpj.Root]record.Company
	establishments map[cnpj.Full]record.Establishment
	partners       []record.Partner
	simples        int
}

// outcomeOf is what reading gave besides records.
type outcomeOf struct {
	*Result
	Rows     map[string]int64
	Repaired map[string]int64
	Rejected int64
	Rejects  []registry.Reject
}

func readAll(t *testing.T, rel *Release, workers int) (*readRows, *outcomeOf, error) {
	t.Helper()
	out := rows.NewOutput(nil, nil)
	s := &readRows{companies: map[cnpj.Root]record.Company{}, establishments: map[cnpj.Full]record.Establishment{}}
	r, err := rel.Read(context.Background(), Options{Workers: workers, Output: out, NewHandler: func() Handler {
		return Handler{
			Company: func(root cnpj.Root, c *record.Company) error {
				s.mu.Lock()
				defer s.mu.Unlock()
				kept := *c
				kept.RazaoSocial = strings.Clone(c.RazaoSocial)
				s.companies[root] = kept
				return nil
			},
			Establishment: func(e *record.Establishment) error {
				s.mu.Lock()
				defer s.mu.Unlock()
				kept := *e
				kept.Complemento, kept.NomeFantasia = strings.Clone(e.Complemento), strings.Clone(e.NomeFantasia)
				kept.CNAEFiscalSecundaria, kept.Logradouro = strings.Clone(e.CNAEFiscalSecundaria), strings.Clone(e.Logradouro)
				kept.CorreioEletronico = strings.Clone(e.CorreioEletronico)
				s.establishments[e.CNPJ] = kept
				return nil
			},
			Partner: func(_ cnpj.Root, p *record.Partner, _ uint32) error {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.partners = append(s.partners, *p)
				return nil
			},
			Simples: func(cnpj.Root, *record.Simples) error {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.simples++
				return nil
			},
		}
	}})
	f := out.Figures()
	return s, &outcomeOf{Result: r, Rows: f.Marked, Repaired: f.Repaired, Rejected: f.Rejected, Rejects: out.Rejects()}, err
}

func companyRow(i int) string {
	return fmt.Sprintf("\"%08d\";\"EMPRESA %d\";\"2062\";\"49\";\"%d,00\";\"05\";\"\"\n", i, i, i)
}

func manyCompanies(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(companyRow(i))
	}
	return b.String()
}

func partialRelease(t *testing.T, files map[string]string) (Release, error) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Find(dir, month, Accept{Partial: true})
}

func TestReadSplitsBetweenRecords(t *testing.T) {
	t.Parallel()
	const n = 60_000 // about 3 MB: several blocks
	rel, err := partialRelease(t, map[string]string{"Empresas0": manyCompanies(n)})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 4} {
		s, r, err := readAll(t, &rel, workers)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.companies) != n || r.Rows["Empresas"] != n || r.Rejected != 0 {
			t.Errorf("%d workers: %d companies, %d rows, %d rejected; want %d", workers, len(s.companies), r.Rows["Empresas"], r.Rejected, n)
		}
		last, _ := cnpj.ParseRoot(fmt.Sprintf("%08d", n-1))
		if got := s.companies[last].CapitalSocial; got != (n-1)*100 {
			t.Errorf("capital of the last is %d", got)
		}
	}
}

func TestReadTraps(t *testing.T) {
	t.Parallel()
	row := `"12345678";"0001";"95";"1";"CAF` + "\xc9" + ` ""DO"" ZE 12345678909";"02";"20040522";"00";"";"0";"2021221";"6204000";"6201501, 6202300";"RUA";"A` + "\r" + `B` + "\x8f" + `C";"1";"LOJA 2; FUNDOS` +
		"\n" + `PORTAO \";"";"1310100";"SP";"7107";"11";"33334444";"";"";"";"";"A@` + "\x8f\x00" + `B";"";""` + "\n"
	rel, err := partialRelease(t, map[string]string{
		"Estabelecimentos0": row + strings.ReplaceAll(row, `"0001";"95"`, `"0002";"76"`),
		"Simples":           "\"12345678\";\"S\";\"20120101\";\"00000000\";\"N\";\"00000000\";\"00000000\"",
		"Municipios":        "\"7107\";\"SAO PAULO\"\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	s, r, err := readAll(t, &rel, 2)
	if err != nil {
		t.Fatal(err)
	}
	full, _ := cnpj.ParseFull("12345678000195")
	e, ok := s.establishments[full]
	if !ok || len(s.establishments) != 2 || s.simples != 1 {
		t.Fatalf("establishments %v, %d Simples rows, rejects %+v", s.establishments, s.simples, r.Rejects)
	}
	if want := `CAFÉ "DO" ZE ***456789**`; e.NomeFantasia != want {
		t.Errorf("nome_fantasia %q, want %q", e.NomeFantasia, want)
	}
	if want := `LOJA 2; FUNDOS PORTAO \`; e.Complemento != want {
		t.Errorf("complemento %q, want %q", e.Complemento, want)
	}
	if got := e.CNAEFiscalSecundaria + "|" + e.Logradouro + "|" + e.CorreioEletronico; got != "6201501,6202300|A B C|A@B" {
		t.Errorf("activities, street and e-mail are %q", got)
	}
	if e.DataInicioAtividade != 0 || r.Repaired["data"] != 2 {
		t.Errorf("date %s, %v repaired", e.DataInicioAtividade, r.Repaired)
	}
	if r.Domains[record.DomainMunicipio]["7107"] != "SAO PAULO" {
		t.Errorf("domains %v", r.Domains)
	}
}

func TestRejectsSayWhereAndWhy(t *testing.T) {
	t.Parallel()
	data := companyRow(1) + // line 1
		"\"12345678\";\"BREAK\nINSIDE\";\"2062\";\"49\";\"1,00\";\"05\";\"\"\n" + // 2 and 3
		"\"1234567\";\"SHORT ROOT\";\"2062\";\"49\";\"1,00\";\"05\";\"\"\n" + // 4
		"\"12345679\";\"FEW 52998224725\";\"2062\"\n" + // 5
		"\"12345680\";\"BARE \" QUOTE\";\"2062\";\"49\";\"1,00\";\"05\";\"\"\n" + // 6
		companyRow(2)
	rel, err := partialRelease(t, map[string]string{
		"Empresas3":         data,
		"Estabelecimentos0": `"12345678";"0001";"96"` + strings.Repeat(`;""`, 27) + "\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	s, r, err := readAll(t, &rel, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.companies) != 3 || r.Rejected != 4 {
		t.Errorf("%d companies, %d rejected", len(s.companies), r.Rejected)
	}
	want := []registry.Reject{
		{File: "Empresas3.zip", Line: 4, Column: "cnpj_basico"},
		{File: "Empresas3.zip", Line: 5},
		{File: "Empresas3.zip", Line: 6},
		{File: "Estabelecimentos0.zip", Line: 1, Column: "cnpj_dv"},
	}
	for i, got := range r.Rejects {
		if got.File != want[i].File || got.Line != want[i].Line || got.Column != want[i].Column || got.Reason == "" || len(got.Raw) == 0 ||
			strings.Contains(string(got.Raw), "52998224725") {
			t.Errorf("reject %d is %+v, want %+v", i, got, want[i])
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	bad := strings.Repeat("\"X\";\"NO ROOT\";\"2062\";\"49\";\"1,00\";\"05\";\"\"\n", 101)
	cases := map[string]struct {
		files map[string]string
		says  string
	}{
		"too many rejects":     {map[string]string{"Empresas0": companyRow(1) + bad}, "101 rows cannot be read"},
		"another layout":       {map[string]string{"Empresas0": "\"12345678\";\"X\";\"2062\"\n"}, "Empresas0.zip has 3 columns, a Empresas file has 7"},
		"another, but one row": {map[string]string{"Empresas0": companyRow(1) + strings.Repeat("\"12345678\";\"X\";\"2062\"\n", 2)}, "Empresas0.zip has 3 columns, a Empresas file has 7"},
		"another with damage":  {map[string]string{"Socios0": strings.Repeat("\"12345678\";\"X\"\n", 50) + strings.Repeat("\"12345678\"\n", 20) + strings.Repeat("\"1\";\"2\";\"3\"\n", 20)}, "Socios0.zip has 2 columns, a Socios file has 11"},
		"another separator":    {map[string]string{"Empresas9": strings.ReplaceAll(manyCompanies(2), ";", ",")}, "none of the first rows of Empresas9.zip"},
		"UTF-16":               {map[string]string{"Empresas0": "\xff\xfe" + strings.ReplaceAll(manyCompanies(20), "\"", "\"\x00")}, "none of the first rows of Empresas0.zip"},
		"another encoding":     {map[string]string{"Empresas0": strings.ReplaceAll(manyCompanies(100), "EMPRESA", "INDÚSTRIA")}, "Empresas0.zip is written in UTF-8"},
		"the same, marked":     {map[string]string{"Empresas0": "\ufeff" + strings.ReplaceAll(manyCompanies(100), "EMPRESA", "INDÚSTRIA")}, "Empresas0.zip is written in UTF-8"},
		"empty domain table":   {map[string]string{"Empresas0": companyRow(1), "Cnaes": ""}, "Cnaes.zip is empty"},
		"marked and empty":     {map[string]string{"Empresas0": companyRow(1), "Cnaes": "\ufeff\n"}, "Cnaes.zip is empty"},
		"broken domain table":  {map[string]string{"Empresas0": companyRow(1), "Cnaes": "\"1\";\"2\";\"3\"\n"}, "Cnaes.zip has 3 columns, a Cnaes file has 2"},
		"domains in UTF-8":     {map[string]string{"Empresas0": companyRow(1), "Cnaes": strings.Repeat("\"1\";\"FABRICAÇÃO\"\n", 6)}, "Cnaes.zip is written in UTF-8"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rel, err := partialRelease(t, c.files)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := readAll(t, &rel, 2); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q in it", err, c.says)
			}
		})
	}
}

// wholeRow returns a good row of a table, the nth.
func wholeRow(table Table, n int) string {
	root := fmt.Sprintf("\"%08d\"", n)
	switch table {
	case Companies:
		return companyRow(n)
	case Establishments:
		r, _ := cnpj.ParseRoot(root[1:9])
		order, _ := cnpj.ParseOrder("0001")
		return fmt.Sprintf("%s;\"0001\";\"%s\"%s\n", root, cnpj.Join(r, order).CheckDigits(), strings.Repeat(`;""`, 27))
	default:
		return root + strings.Repeat(`;""`, layouts()[table].columns-1) + "\n"
	}
}

// TestADamagedRowIsOneReject damages a row of every table: wherever it stands, it is one reject and
// not another layout.
func TestADamagedRowIsOneReject(t *testing.T) {
	t.Parallel()
	for table, l := range layouts() {
		name, whole := l.zip, wholeRow(Table(table), 1)+wholeRow(Table(table), 2)
		row := strings.TrimSuffix(wholeRow(Table(table), 3), "\n")
		for what, damaged := range map[string]string{
			"a separator in a field": row[:len(row)-1] + `";"` + row[len(row)-1:] + "\n",
			"many of them":           row[:len(row)-1] + strings.Repeat(`";"`, 9) + row[len(row)-1:] + "\n",
			"a field less":           row[:strings.LastIndex(row, ";")] + "\n",
			"one field":              row[:10] + "\n",
			"an unclosed quote":      row[:len(row)-1] + "\n",
			"a bare quote":           row[:4] + `"` + row[4:] + "\n",
			"zeros":                  strings.Repeat("\x00", 40) + "\n",
		} {
			for where, data := range map[string]string{"first": damaged + whole, "last": whole + damaged, "after a blank line": "\n" + damaged + whole, "between": wholeRow(Table(table), 1) + damaged + wholeRow(Table(table), 2)} {
				files := map[string]string{name: data, "Empresas0": companyRow(9)}
				rel, err := partialRelease(t, files)
				if err != nil {
					t.Fatal(err)
				}
				_, r, err := readAll(t, &rel, 2)
				if err != nil || r.Rejected != 1 || r.Rejects[0].File != name+".zip" || strings.TrimSpace(string(r.Rejects[0].Raw)) != strings.TrimSpace(damaged) {
					t.Errorf("%s, %s, %s: %v, rejects %+v", name, what, where, err, r.Rejects)
					continue
				}
				if got := r.Rows[Table(table).String()]; Table(table).isDomain() && (got != 0 || len(r.Domains[domainOf(Table(table))]) != 2) || !Table(table).isDomain() && got < 3 {
					t.Errorf("%s, %s, %s: %d rows, codes %v", name, what, where, got, r.Domains)
				}
			}
		}
	}
}

// TestLongRowsAreRejects: a row of megabytes, whose one field is as it should be otherwise, is a reject and not a text that
// the store and the index must hold. So is one that is longer than any block.
func TestLongRowsAreRejects(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"longer than a row": maxRecord + 8, "longer than a block": 3 << 20, "longer than what is read at once": 26 << 20} {
		for end, last := range map[string]string{"closed": "\";\"2062\";\"49\";\"1,00\";\"05\";\"\"\n", "never closed": "\n"} {
			long := "\"00000001\";\"" + strings.Repeat("0f1e2d3\xe7", size/8) + last
			rel, err := partialRelease(t, map[string]string{"Empresas0": companyRow(0) + long + companyRow(2) + companyRow(3)})
			if err != nil {
				t.Fatal(err)
			}
			got, r, err := readAll(t, &rel, 2)
			if err != nil || len(got.companies) != 3 || r.Rejected != 1 || r.Rows["Empresas"] != 4 || !strings.Contains(r.Rejects[0].Reason, "256 KiB") {
				t.Errorf("%s, %s: %d companies of %d, %v, %.200v", name, end, len(got.companies), r.Rows["Empresas"], err, r.Rejects)
			}
		}
	}
	rel, err := partialRelease(t, map[string]string{"Empresas0": companyRow(0), "Cnaes": "\"0111301\";\"" + strings.Repeat("x", 26<<20) + "\"\n\"0111302\";\"y\"\n"})
	if err != nil {
		t.Fatal(err)
	}
	if _, r, err := readAll(t, &rel, 2); err != nil || r.Rejected != 1 || r.Domains[record.DomainCNAE]["0111302"] != "y" {
		t.Errorf("a table of codes: %v", err)
	}
}

// TestByteOrderMarks checks that a mark costs no row, and is noted.
func TestByteOrderMarks(t *testing.T) {
	t.Parallel()
	for table, l := range layouts() {
		name := l.zip
		rel, err := partialRelease(t, map[string]string{name: "\ufeff" + wholeRow(Table(table), 1) + wholeRow(Table(table), 2)})
		if err != nil {
			t.Fatal(err)
		}
		_, r, err := readAll(t, &rel, 2)
		if err != nil || r.Rejected != 0 || r.Rows["marca_utf8_ignorada"] != 1 {
			t.Errorf("%s: %v, %d rejected %+v, noted %v", name, err, r.Rejected, r.Rejects, r.Rows)
			continue
		}
		if n := r.Rows[Table(table).String()]; n != 2 && len(r.Domains[domainOf(Table(table))]) != 2 {
			t.Errorf("%s: %d rows, codes %v", name, n, r.Domains)
		}
	}
}

// TestFilesOfFewRows reads files too small to show a layout.
func TestFilesOfFewRows(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		data           string
		rows, rejected int64
	}{
		"no row":                {"", 0, 0},
		"blank lines":           {"\n\r\n", 0, 0},
		"one row, not closed":   {"\"12345678\";\"X", 1, 1},
		"a header":              {strings.Repeat(`"NAME";`, 6) + "\"NAME\"\n" + companyRow(1), 2, 1},
		"as many bad as good":   {"\"12345678\";\"X\"\n" + companyRow(1), 2, 1},
		"bad ones of all sorts": {"\"12345678\";\"X\"\n" + companyRow(1) + "\"12345678\"\n\"A\";\"B\";\"C\"\n\"12345678\";\"X\n", 5, 4},
	} {
		rel, err := partialRelease(t, map[string]string{"Empresas9": c.data})
		if err != nil {
			t.Fatal(err)
		}
		_, r, err := readAll(t, &rel, 1)
		if err != nil || r.Rows["Empresas"] != c.rows || r.Rejected != c.rejected {
			t.Errorf("%s: %d rows, %d rejected %+v, %v", what, r.Rows["Empresas"], r.Rejected, r.Rejects, err)
		}
	}
}

func TestZips(t *testing.T) {
	t.Parallel()
	member := "K3241.K03200Y0.D60912.EMPRECSV"
	read := func(t *testing.T, prepare func(path string)) error {
		t.Helper()
		dir := t.TempDir()
		prepare(filepath.Join(dir, "Empresas0.zip"))
		rel, err := Find(dir, month, Accept{Partial: true})
		if err != nil {
			return err
		}
		_, _, err = readAll(t, &rel, 2)
		return err
	}
	whole := manyCompanies(50_000)
	cases := map[string]struct {
		prepare func(t *testing.T, path string)
		says    string
	}{
		"good":       {func(t *testing.T, path string) { writeZip(t, path, member, whole) }, ""},
		"short name": {func(t *testing.T, path string) { writeZip(t, path, "Empresas0", whole) }, ""},
		"truncated": {func(t *testing.T, path string) {
			writeZip(t, path, member, whole)
			if err := os.Truncate(path, 5000); err != nil {
				t.Fatal(err)
			}
		}, "is not a whole zip file"},
		"damaged inside": {func(t *testing.T, path string) {
			writeZip(t, path, member, whole)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			copy(data[len(data)/2:], make([]byte, 64))
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "Empresas0.zip"},
		"wrong member":   {func(t *testing.T, path string) { writeZip(t, path, "K3241.K03200Y0.D60912.ESTABELE", whole) }, "which is not a Empresas file"},
		"other month":    {func(t *testing.T, path string) { writeZip(t, path, "K3241.K03200Y0.D60808.EMPRECSV", whole) }, "another month"},
		"escaping name":  {func(t *testing.T, path string) { writeZip(t, path, "../K3241.K03200Y0.D60912.EMPRECSV", whole) }, "refused"},
		"not a zip file": {func(t *testing.T, path string) { _ = os.WriteFile(path, []byte("<html>"), 0o600) }, "is no zip file"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := read(t, func(path string) { c.prepare(t, path) })
			if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

// TestTablesOfCodesAreBounded: they are kept in memory, and a small zip may hold millions of rows.
func TestTablesOfCodesAreBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range mostDescribed / 80 {
		fmt.Fprintf(&b, "\"%07d\";\"%s\"\n", i, "CODIGO INVENTADO")
	}
	rel, err := partialRelease(t, map[string]string{"Cnaes": b.String()})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := readAll(t, &rel, 1); err == nil || !strings.Contains(err.Error(), "no table of codes") {
		t.Errorf("got %v", err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fill := func(month string, n int) {
		for i, l := range layouts() {
			for part := range max(l.parts, 1) {
				if n--; n < 0 {
					return
				}
				name := l.zip
				if l.parts > 0 {
					name += fmt.Sprint(part)
				}
				path := filepath.Join(dir, month, name+".zip")
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte{byte(i)}, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	fill("2026-08", 37)
	fill("2026-09", 36)
	cases := map[string]struct {
		dir, month string
		partial    bool
		want       string
		incomplete bool
	}{
		"newest complete":   {dir, "", false, "2026-08", false},
		"newest at all":     {dir, "", true, "2026-09", false},
		"named, incomplete": {dir, "2026-09", false, "", true},
		"named, partial":    {dir, "2026-09", true, "2026-09", false},
		"the folder itself": {filepath.Join(dir, "2026-08"), "", false, "2026-08", false},
		"not a month":       {dir, "2026-13", false, "", false},
		"no such month":     {dir, "2026-01", false, "", false},
		"no such folder":    {filepath.Join(dir, "nowhere"), "", false, "", false},
		"nothing in it":     {t.TempDir(), "", false, "", false},
	}
	for name, c := range cases {
		rel, err := Find(c.dir, c.month, Accept{Partial: c.partial})
		if rel.Month != c.want || (err != nil) != (c.want == "") || errors.As(err, new(*IncompleteError)) != c.incomplete {
			t.Errorf("%s: %q, %v", name, rel.Month, err)
		}
	}
	if rel, err := Find(dir, "2026-08", Accept{}); err != nil || len(rel.Files) != 37 || len(rel.Missing) != 0 {
		t.Errorf("complete release: %d files, missing %v, %v", len(rel.Files), rel.Missing, err)
	}
	if rel, _ := Find(dir, "2026-09", Accept{Partial: true}); len(rel.Missing) != 1 || rel.Missing[0] != "Qualificacoes.zip" {
		t.Errorf("missing %v", rel.Missing)
	}
}

func TestFindExtractedMembers(t *testing.T) {
	t.Parallel()
	rel, err := partialRelease(t, map[string]string{
		"K3241.K03200Y3.D60912.EMPRECSV": companyRow(1), "F.K03200$W.SIMPLES.CSV.D60912": "", "F.K03200$Z.D60912.MUNICCSV": "\"1\";\"A\"\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range rel.Files {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "Empresas3.zip Simples.zip Municipios.zip" {
		t.Errorf("found %s", got)
	}
	if s, _, err := readAll(t, &rel, 1); err != nil || len(s.companies) != 1 {
		t.Errorf("%d companies, %v", len(s.companies), err)
	}
}

func TestDomainsAreCompleted(t *testing.T) {
	t.Parallel()
	all, err := CompleteDomains(record.Domains{record.DomainMunicipio: {"7107": "PUBLISHED NAME"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind       record.Domain
		code, want string
	}{
		{record.DomainMunicipio, "7107", "PUBLISHED NAME"},
		{record.DomainMunicipio, "9701", "BRASILIA"},
		{record.DomainPorte, "03", "Empresa de Pequeno Porte"},
		{record.DomainSituacao, "02", "Ativa"},
		{record.DomainPais, "498", "MONTENEGRO"},
	} {
		if got, _ := all.Describe(c.kind, c.code); !strings.EqualFold(got, c.want) {
			t.Errorf("%s %s is %q, want %q", c.kind, c.code, got, c.want)
		}
	}
	if _, ok := all.Describe(record.DomainPais, "008"); ok {
		t.Error("a typing error in the data has a description")
	}
}
