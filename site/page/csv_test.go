package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/record"
)

func TestInert(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "PADARIA": "PADARIA", "=1+1": "'=1+1", "+55": "'+55", "-X": "'-X", "@a": "'@a", "\tx": "'\tx", "A=1": "A=1", "\n=1": "'\n=1", "＝1": "'＝1"} {
		if got := Inert(text); got != want {
			t.Errorf("inert(%q) = %q, want %q", text, got, want)
		}
	}
}

// spreadsheet is a table of values that spreadsheets garble, in the dialect Excel.
func spreadsheet(t *testing.T) []byte {
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
	rows := [][]string{
		all.Row(row{"00012345000165", `PÃO; "AÇÚCAR" & CIA`, "1234567.89", "12.345", "2009-03-14", "2026-09", "1", "01310100", "0001"}),
		all.Row(row{"123456780E0122", `=HYPERLINK("http://x.exemplo";"x")`, "", "", "", "@SUM(A1)", "2", "+1", ""}),
	}
	file, err := all.Encode(rows, Excel)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestExcel(t *testing.T) {
	t.Parallel()
	want := "\uFEFFcnpj;nome;capital;taxa;dia;mes;posicao;cep;codigo_municipio\r\n" +
		`00.012.345/0001-65;"PÃO; ""AÇÚCAR"" & CIA";1234567,89;12,345;14/03/2009;"=""2026-09""";1;01310-100;"=""0001"""` + "\r\n" +
		`12.345.678/0E01-22;"'=HYPERLINK(""http://x.exemplo"";""x"")";;;;'@SUM(A1);2;'+1;` + "\r\n"
	if diff := cmp.Diff(want, string(spreadsheet(t))); diff != "" {
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
	if err := os.WriteFile(filepath.Join(dir, "tabela.csv"), spreadsheet(t), 0o600); err != nil {
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
		want := "cnpj\tnome\tcapital\ttaxa\tdia\tmes\tposicao\tcep\tcodigo_municipio\n" +
			"00.012.345/0001-65\t\"PÃO; \"\"AÇÚCAR\"\" & CIA\"\t1234567.89\t12.345\t03/14/09\t" + as("2026-09") + "\t1\t01310-100\t" + as("0001") + "\n" +
			"12.345.678/0E01-22\t\"'=HYPERLINK(\"\"http://x.exemplo\"\";\"\"x\"\")\"\t\t\t\t'@SUM(A1)\t2\t'+1\t\n"
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("formulas %s: %s", formulas, diff)
		}
	}
}
