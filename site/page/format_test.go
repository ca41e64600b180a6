package page

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"razao/internal/data/record"
)

func TestInert(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "PADARIA": "PADARIA", "=1+1": "'=1+1", "+55": "'+55", "-X": "'-X", "@a": "'@a", "\tx": "'\tx", "A=1": "A=1", "\n=1": "'\n'=1", "＝1": "'＝1", "＠a": "'＠a",
		" =1": "' =1", "\u00a0\u200b\ufeff-1": "'\u00a0\u200b\ufeff-1", "\x00+1": "'\x00+1", "x;=1;y": "x;'=1;y", "x; @a": "x;' @a", "x\r\n-1": "x\r\n'-1", "=1;=2": "'=1;'=2", "x;y": "x;y", "x,=1": "x,=1", " x": " x",
	} {
		if got := Inert(text); got != want {
			t.Errorf("inert(%q) = %q, want %q", text, got, want)
		}
	}
}

// garbled is a table of values that spreadsheets garble, encoded in a format.
func garbled(t *testing.T, format Format) []byte {
	t.Helper()
	type row = []string
	var all Columns[row]
	for i, c := range []struct {
		name string
		kind record.Kind
	}{
		{"cnpj", record.CNPJ},
		{"nome", record.Text},
		{"capital", record.Amount},
		{"taxa", record.Rate},
		{"dia", record.Day},
		{"mes", record.Text},
		{"posicao", record.Count},
		{"cep", record.Code},
		{"codigo_municipio", record.Code},
	} {
		all = append(all, NewColumn(c.name, c.kind, "", func(r row) string { return r[i] }))
	}
	rows := []row{
		{"00012345000165", `PÃO; "AÇÚCAR" & CIA`, "1234567.89", "12.345", "2009-03-14", "2026-09", "1", "01310100", "0001"},
		{"123456780E0122", `=HYPERLINK("http://x.exemplo";"x")`, "", "", "", "@SUM(A1)", "-2", "+1", ""},
	}
	table := TableOf(record.Table{Title: "Teste", About: "Valores difíceis.", Fields: all.Fields()}, all, rows, "teste", "/teste")
	var file bytes.Buffer
	if err := table.encode(t.Context(), &file, format, (&Server{Config: Config{BaseURL: "https://razao.exemplo"}}).origin(nil, &table)); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestPlain(t *testing.T) {
	t.Parallel()
	want := "cnpj,nome,capital,taxa,dia,mes,posicao,cep,codigo_municipio\r\n" +
		`00012345000165,"PÃO; ""AÇÚCAR"" & CIA",1234567.89,12.345,2009-03-14,2026-09,1,01310100,0001` + "\r\n" +
		`123456780E0122,"'=HYPERLINK(""http://x.exemplo"";""x"")",,,,'@SUM(A1),-2,'+1,` + "\r\n"
	if diff := cmp.Diff(want, string(garbled(t, Plain))); diff != "" {
		t.Error(diff)
	}
}

func TestNDJSON(t *testing.T) {
	t.Parallel()
	want := `{"cnpj":"00012345000165","nome":"PÃO; \"AÇÚCAR\" & CIA","capital":1234567.89,"taxa":12.345,"dia":"2009-03-14","mes":"2026-09","posicao":1,"cep":"01310100","codigo_municipio":"0001"}` + "\n" +
		`{"cnpj":"123456780E0122","nome":"=HYPERLINK(\"http://x.exemplo\";\"x\")","capital":null,"taxa":null,"dia":null,"mes":"@SUM(A1)","posicao":-2,"cep":"+1","codigo_municipio":null}` + "\n"
	if diff := cmp.Diff(want, string(garbled(t, NDJSON))); diff != "" {
		t.Error(diff)
	}
}

// formulas are texts that spreadsheets evaluate, or would if they read the file with another separator.
var formulas = []string{"=cmd|' /C calc'!A0", "@nota", "+1+1", "-2+3", "\t=1", "\r\n=1", " =1+1", "\u00a0＝1", `x";=1;"y`, "x;=1+1;y", "x,=1+1,y", "x\n=1+1", `x;"=1+1;y`, `x,"@nota,y`, `x;" "=cmd|' /C calc'!A0;y`, `"=1`, "x|=1|y"}

// hostile is a table whose headings and cells are formulas, those of columns of numbers included.
func hostile(t testing.TB, texts []string) *Table {
	t.Helper()
	var all Columns[string]
	for _, kind := range []record.Kind{record.Text, record.Code, record.CNPJ, record.Day, record.Count, record.Amount, record.IBGECode} {
		for _, text := range texts {
			all = append(all, NewColumn(text, kind, text, func(cell string) string { return cell }))
		}
	}
	table := TableOf(record.Table{Title: "=1", About: "@a", Fields: all.Fields()}, all, append(texts, "-2", "-2.50"), "../=\"\r\nlista ção/..", "/teste")
	return &table
}

// evaluated returns the cells of a CSV that begin with a formula, but for numbers and codes as we write them. A spreadsheet splits
// lines at the separator of its language, and takes quotes in the middle of a cell in its own way.
func evaluated(file []byte, separator rune) (found []string) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\uFEFF"))))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = separator, true, -1
	for {
		cells, err := r.Read()
		if err != nil {
			return found
		}
		for _, cell := range cells {
			bare := strings.TrimLeftFunc(cell, func(r rune) bool { return r == '"' || isBlank(r) })
			first, _ := utf8.DecodeRuneInString(bare)
			if isFormula(first) && !evaluates.MatchString(bare) {
				found = append(found, cell)
			}
		}
	}
}

// evaluates matches numbers, to the end of their line if it is split elsewhere, and our codes.
var evaluates = regexp.MustCompile(`(?s)^-[0-9]+([.,][0-9]+)?([,;].*)?$|^="?"[0-9][0-9.,/: -]*([eE][0-9]+)?"`)

// TestFormulas: no heading and no cell of any format is a formula, whatever the language of the spreadsheet; numbers stay numbers, and the
// file's name is one.
func TestFormulas(t *testing.T) {
	t.Parallel()
	table := hostile(t, formulas)
	origin := (&Server{Config: Config{BaseURL: "https://razao.exemplo"}}).origin(nil, table)
	for _, format := range []Format{Plain, Excel} {
		var file bytes.Buffer
		if err := table.encode(t.Context(), &file, format, origin); err != nil {
			t.Fatal(err)
		}
		for _, separator := range ",;|" {
			if found := evaluated(file.Bytes(), separator); found != nil {
				t.Errorf("%q split at %c: %q", format, separator, found)
			}
		}
		if decimal := map[Format]string{Plain: ",-2.50,", Excel: ";-2,50;"}[format]; !strings.Contains(file.String(), decimal) {
			t.Errorf("%q has no %s", format, decimal)
		}
		if strings.Contains(file.String(), "'-2.50") {
			t.Errorf("%q: a negative number among texts is none any more", format)
		}
	}
	var lines bytes.Buffer
	if err := table.encode(t.Context(), &lines, NDJSON, origin); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(lines.Bytes()) {
		if !json.Valid(line) {
			t.Errorf("no JSON: %s", line)
		}
	}
	if got := table.fileName(XLSX); got != "lista-o.xlsx" || origin.Name != "lista-o" || origin.Resources[0].Path != "lista-o.csv" {
		t.Errorf("file %q, package %q with %q", got, origin.Name, origin.Resources[0].Path)
	}
	if got := (&Table{File: strings.Repeat("a", 1000)}).fileName(Plain); len(got) > longestFile+4 {
		t.Errorf("%d bytes", len(got))
	}
}

// TestFormulasInWorkbooks: headings, cells and what the second sheet says of them are texts.
func TestFormulasInWorkbooks(t *testing.T) {
	t.Parallel()
	table := hostile(t, formulas)
	var out bytes.Buffer
	if err := table.encode(t.Context(), &out, XLSX, (&Server{}).origin(nil, table)); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"} {
		sheet, err := fs.ReadFile(archive, name)
		if err != nil || bytes.Contains(sheet, []byte("<f")) || !bytes.Contains(sheet, []byte(`t="inlineStr"`)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzFormulas: no text becomes a formula.
func FuzzFormulas(f *testing.F) {
	for _, text := range formulas {
		f.Add(text, "x")
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		table := hostile(t, []string{one, other})
		for _, format := range []Format{Plain, Excel} {
			var file bytes.Buffer
			if err := table.encode(t.Context(), &file, format, nil); err != nil {
				t.Fatal(err)
			}
			for _, separator := range ",;|" {
				if found := evaluated(file.Bytes(), separator); found != nil {
					t.Errorf("%q split at %c: %q", format, separator, found)
				}
			}
		}
	})
}

// TestXLSX reads the workbook: text is text and no formula, numbers and days are what they are, and the
// second sheet says where the rows come from.
func TestXLSX(t *testing.T) {
	t.Parallel()
	file, err := excelize.OpenReader(bytes.NewReader(garbled(t, XLSX)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := file.GetRows(rowsSheet)
	want := [][]string{
		{"CNPJ", "Nome", "capital", "taxa", "dia", "Mês", "Posição", "CEP", "Código do município"},
		{"00.012.345/0001-65", `PÃO; "AÇÚCAR" & CIA`, "1,234,567.89", "12.345", "14/03/2009", "2026-09", "1", "01310-100", "0001"},
		{"12.345.678/0E01-22", `=HYPERLINK("http://x.exemplo";"x")`, "", "", "", "@SUM(A1)", "-2", "+1"},
	}
	if diff := cmp.Diff(want, rows); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for at, kind := range map[string]excelize.CellType{"A2": excelize.CellTypeInlineString, "B3": excelize.CellTypeInlineString, "C2": excelize.CellTypeUnset, "E2": excelize.CellTypeUnset, "I2": excelize.CellTypeInlineString} {
		if got, err := file.GetCellType(rowsSheet, at); got != kind || err != nil {
			t.Errorf("%s has type %v, want %v; %v", at, got, kind, err)
		}
	}
	if formula, err := file.GetCellFormula(rowsSheet, "B3"); formula != "" || err != nil {
		t.Errorf("formula %q, %v", formula, err)
	}
	origin, err := file.GetRows(originSheet)
	if err != nil || len(origin) < 9 || origin[0][1] != "Teste" || origin[2][1] != "https://razao.exemplo/teste" || origin[5][1] != "2" {
		t.Fatalf("%v, %q", err, origin)
	}
	if last := origin[len(origin)-1]; len(last) != 3 || last[0] != "Código do município" || last[2] != "codigo_municipio" {
		t.Errorf("the last column is %q", last)
	}
}

// TestXLSXSaysWhatItCuts: a cell of a workbook holds 32,767 characters. What is cut is said.
func TestXLSXSaysWhatItCuts(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	columns := Columns[string]{NewColumn("texto", record.Text, "", func(text string) string { return text })}
	rows := []string{strings.Repeat("é", excelize.TotalCellChars), strings.Repeat("é", excelize.TotalCellChars+1)}
	table := TableOf(record.Table{Fields: columns.Fields()}, columns, rows, "teste", "/teste")
	if err := table.encode(t.Context(), &out, XLSX, (&Server{}).origin(nil, &table)); err != nil {
		t.Fatal(err)
	}
	file, err := excelize.OpenReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	origin, err := file.GetRows(originSheet)
	if at := slices.IndexFunc(origin, func(line []string) bool { return line[0] == "Textos cortados" }); err != nil || at < 0 || !strings.HasPrefix(origin[at][1], "1:") {
		t.Errorf("%v, %q", err, origin)
	}
}

func TestDescription(t *testing.T) {
	t.Parallel()
	var got struct {
		Profile   string `json:"$schema"`
		Homepage  string
		Resources []struct {
			Path, Format string
			Schema       struct {
				Fields []struct{ Name, Type, Unit string }
			}
		}
	}
	if err := json.Unmarshal(garbled(t, Description), &got); err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, f := range got.Resources[0].Schema.Fields {
		types = append(types, f.Type+f.Unit)
	}
	want := []string{"string", "string", "numberBRL", "number", "date", "string", "integer", "string", "string"}
	if diff := cmp.Diff(want, types); diff != "" || got.Resources[0].Path != "teste.csv" || got.Homepage != "https://razao.exemplo/teste" {
		t.Errorf("%+v\n%s", got, diff)
	}
}

func TestExcel(t *testing.T) {
	t.Parallel()
	want := "\uFEFFCNPJ;Nome;capital;taxa;dia;Mês;Posição;CEP;Código do município\r\n" +
		`00.012.345/0001-65;"PÃO; ""AÇÚCAR"" & CIA";1234567,89;12,345;14/03/2009;"=""2026-09""";1;01310-100;"=""0001"""` + "\r\n" +
		`12.345.678/0E01-22;"'=HYPERLINK(""http://x.exemplo"";""x"")";;;;'@SUM(A1);-2;'+1;` + "\r\n"
	if diff := cmp.Diff(want, string(garbled(t, Excel))); diff != "" {
		t.Error(diff)
	}
}

// TestOpensInLibreOffice converts the file with LibreOffice, if installed, from the Brazilian
// locale to another one: amounts and dates that it recognized change their format.
func TestOpensInLibreOffice(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("soffice"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tabela.csv"), garbled(t, Excel), 0o600); err != nil {
		t.Fatal(err)
	}
	for formulas, as := range map[string]func(string) string{ // option "Calcular fórmulas" of the import dialog
		"true":  func(code string) string { return code },
		"false": func(code string) string { return `"=""` + code + `"""` }, // not pretty, but all zeros are there
	} {
		// In: semicolons, quotes, UTF-8, from line 1, columns as they are, Portuguese of Brazil. Out: tabs, as shown.
		cmd := exec.CommandContext(t.Context(), "soffice", "-env:UserInstallation=file://"+filepath.Join(dir, "profile"), "--headless",
			"--infilter=Text - txt - csv (StarCalc):59,34,76,1,,1046,false,true,false,false,false,-1,"+formulas,
			"--convert-to", "txt:Text - txt - csv (StarCalc):9,34,76,1,,1033,false,true", "--outdir", dir, filepath.Join(dir, "tabela.csv"))
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got, err := os.ReadFile(filepath.Join(dir, "tabela.txt"))
		if err != nil {
			t.Fatal(err)
		}
		want := "CNPJ\tNome\tcapital\ttaxa\tdia\tMês\tPosição\tCEP\tCódigo do município\n" +
			"00.012.345/0001-65\t\"PÃO; \"\"AÇÚCAR\"\" & CIA\"\t1234567.89\t12.345\t03/14/09\t" + as("2026-09") + "\t1\t01310-100\t" + as("0001") + "\n" +
			"12.345.678/0E01-22\t\"'=HYPERLINK(\"\"http://x.exemplo\"\";\"\"x\"\")\"\t\t\t\t'@SUM(A1)\t-2\t'+1\t\n"
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("formulas %s: %s", formulas, diff)
		}
	}
}
