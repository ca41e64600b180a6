package spreadsheet

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// brought is what is read of a list: of each row its number or why it has none and, behind a bar, its name.
func brought(l *List) (rows []string) {
	for i := range l.Rows {
		n := l.Number(&l.Rows[i])
		text := n.Wrong
		switch {
		case n.Wrong != "":
		case n.Full != 0:
			text = n.Full.String()
		default:
			text = n.Root.String()
		}
		if name := l.Name(&l.Rows[i]); name != "" {
			text += "|" + name
		}
		rows = append(rows, text)
	}
	return rows
}

// towns knows some places.
type towns struct{}

func (towns) Place(text string) (state, municipality bool) {
	return text == "SP" || text == "DF", slices.Contains([]string{"Piquete", "Campinas"}, text)
}

// TestListsAsPeopleWriteThem reads texts as spreadsheets, portals and people write them, with nothing lost.
func TestListsAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	const a, b, c = "51206531000176", "55085785000134", "63852611000188"
	for name, list := range map[string]struct {
		text string
		want []string
	}{
		"names and numbers in one column": {
			"Ferreira Doces Ltda\n51.206.531/0001-76\n55.085.785/0001-34", []string{NoNumber + "|Ferreira Doces Ltda", a, b},
		},
		"a name beside the number": {
			"51.206.531/0001-76 - PADARIA A\nBAR B (55.085.785/0001-34)\n63.852.611/0001-80 C S/A", []string{a + "|PADARIA A", b + "|BAR B", Misread + "|C S/A"},
		},
		"commas in addresses": {
			"Razão social;CNPJ;Endereço\nA;51.206.531/0001-76;RUA X, 0, SALA 2, CENTRO\nB;55.085.785/0001-34;RUA X, 1, SALA 2, CENTRO", []string{a + "|A", b + "|B"},
		},
		"semicolons in quotes": {
			"\"CNPJ\",\"Nome\",\"Obs\"\n\"51.206.531/0001-76\",\"A; B; C\",\"x;y;z;w\"\n\"55.085.785/0001-34\",\"D; E; F\",\"x;y;z;w\"", []string{a + "|A; B; C", b + "|D; E; F"},
		},
		"a separator for Excel":      {"sep=;\nCNPJ;Fornecedor;Nota\n51.206.531/0001-76;X0;A\n55.085.785/0001-34;X1;A,B", []string{a + "|X0", b + "|X1"}},
		"a separator with a mark":    {"\uFEFFsep=;\r\nCNPJ;Nome\r\n51206531000176;A", []string{a + "|A"}},
		"lines of a Mac":             {"CNPJ;Nota\r51.206.531/0001-76;0\r55.085.785/0001-34;1\r", []string{a, b}},
		"titles above":               {"Relatório de fornecedores 2026;;\nEmitido em 01/11/2026;;\n\nFornecedor;CNPJ;Município\nX0;51.206.531/0001-76;Y\nX1;55.085.785/0001-34;Y", []string{a + "|X0", b + "|X1"}},
		"quotes that do not close":   {"Nome;CNPJ\n\"PADARIA 20\" LTDA;51.206.531/0001-76\n\"BAR DO ZE;55.085.785/0001-34\nOUTRA;63.852.611/0001-88", []string{a + "|\"PADARIA 20\" LTDA", b + "|\"BAR DO ZE", c + "|OUTRA"}},
		"a cell of several lines":    {"Nome;Endereço;CNPJ\n\"A \"\"B\"\"\";\"RUA X\nCENTRO; 2\";51.206.531/0001-76\nC;RUA Y;55.085.785/0001-34", []string{a + "|A \"B\"", b + "|C"}},
		"blanks around quotes":       {"\"CNPJ\"; \"Nome\"\n\"51206531000176\" ; \"A\"\n", []string{a + "|A"}},
		"CPFs":                       {"CPF/CNPJ;Nome;UF\n529.982.247-25;TIAGO PASSOS;SP\n***.982.247-**;ANA;SP\n51.206.531/0001-76;A;SP\n52998224725;RUI;SP", []string{Person, Person, a + "|A", Person}},
		"a CPF in another column":    {"CNPJ;CPF;Nome\n;529.982.247-25;TIAGO PASSOS\n51.206.531/0001-76;;A", []string{Person, a + "|A"}},
		"headings of a portal":       {"NOME_FORNECEDOR;MUNICIPIO_FORNECEDOR;UF_FORNECEDOR\nPADARIA X;Brasília;DF", []string{NoNumber + "|PADARIA X"}},
		"headings in words":          {"Nome do Fornecedor;Município do fornecedor;UF do fornecedor\nPADARIA X;Brasília;DF", []string{NoNumber + "|PADARIA X"}},
		"roots without their zeros":  {"cnpj_basico;nome\n1445292;a\n51206531;b\n293306;c", []string{"01445292|a", "51206531|b", "00293306|c"}},
		"who bought and who sold":    {"CNPJ do órgão;CNPJ contratada;valor\n51206531000176;55085785000134;1\n51206531000176;63852611000188;2", []string{b, c}},
		"entities":                   {"CNPJ,Nome\n,PADARIA &amp; CIA", []string{NoNumber + "|PADARIA & CIA"}},
		"no heading":                 {"PADARIA X;Piquete;51206531000176\nBAR Y;Campinas;", []string{a + "|PADARIA X", NoNumber + "|BAR Y"}},
		"a heading of unknown words": {"Inscrição;Obs\n51206531000176;x\n55085785000134;y", []string{a, b}},
		"a heading of one column":    {"CNPJ\n51206531000176\nPADARIA X", []string{a, NoNumber + "|PADARIA X"}},
		"a title of one column":      {"Meus fornecedores\nCNPJ\n51206531000176", []string{a}},
	} {
		l, err := Read(t.Context(), []byte(list.text), Options{Places: towns{}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(list.want, brought(l)); diff != "" {
			t.Errorf("%s: %+v %q\n%s", name, l.Columns, l.Heading.Cells, diff)
		}
		lines := len(l.Titles) + len(l.Rows)
		if len(l.Heading.Cells) > 0 {
			lines++
		}
		text := strings.ReplaceAll(strings.ReplaceAll(list.text, "\r\n", "\n"), "\r", "\n")
		if blank := strings.Count(text, "\n\n") + strings.Count(text, "sep=") + strings.Count(text, "RUA X\nCENTRO"); lines+blank != len(strings.Split(strings.TrimSpace(text), "\n")) {
			t.Errorf("%s: %d lines are accounted for", name, lines)
		}
	}
}

// TestPlacesOfLists finds the columns of places by their headings.
func TestPlacesOfLists(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Columns{
		"Fornecedor;Cidade/UF\nA;B": {Number: None, Name: 0, Place: 1, UF: None, Activity: None},
		"Nome do Fornecedor;Município do fornecedor;UF do fornecedor\nA;B;C":             {Number: None, Name: 0, Place: 1, UF: 2, Activity: None},
		"UF_ORGAO;MUNICIPIO_ORGAO;RAZAO_SOCIAL;MUNICIPIO;UF;CNAE_PRINCIPAL\nA;B;C;D;E;F": {Number: None, Name: 2, Place: 3, UF: 4, Activity: 5},
		"Nome do município;Empresa\nA;B":                                                 {Number: None, Name: 1, Place: 0, UF: None, Activity: None},
	} {
		l, err := Read(t.Context(), []byte(text), Options{})
		if err != nil || l.Columns != want {
			t.Errorf("%q: %+v, %v, want %+v", text, l, err, want)
		}
	}
}

// book returns a workbook with these sheets; the name of a hidden one begins with a minus.
func book(t *testing.T, sheets map[string][][]any, change func(*excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	check := func(_ any, err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, rows := range sheets {
		check(f.NewSheet(name))
		for i, cells := range rows {
			at, err := excelize.CoordinatesToCellName(1, i+1)
			check(at, err)
			check(nil, f.SetSheetRow(name, at, &cells))
		}
	}
	check(nil, f.DeleteSheet("Sheet1"))
	for name := range sheets {
		if strings.HasPrefix(name, "-") {
			check(nil, f.SetSheetVisible(name, false))
		}
	}
	if change != nil {
		change(f)
	}
	var b bytes.Buffer
	check(nil, f.Write(&b))
	return b.Bytes()
}

// TestSheets reads the visible sheet with the most CNPJs, and the one that is named.
func TestSheets(t *testing.T) {
	t.Parallel()
	file := book(t, map[string][][]any{
		"Capa":         {{"Relatório"}, {"de"}, {"muitas"}, {"linhas"}},
		"Fornecedores": {{"CNPJ"}, {51206531000176}, {"55.085.785/0001-34"}},
		"Um":           {{"CNPJ"}, {63852611000188}},
		"-Oculta":      {{"CNPJ"}, {1}, {51206531000176}, {55085785000134}, {63852611000188}},
	}, nil)
	l, err := Read(t.Context(), file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(l.Others)
	if diff := cmp.Diff([]string{"51206531000176", "55085785000134"}, brought(l)); diff != "" || l.Sheet != "Fornecedores" || !slices.Equal(l.Others, []string{"Capa", "Um"}) {
		t.Errorf("%q, %q\n%s", l.Sheet, l.Others, diff)
	}
	if l, err = Read(t.Context(), file, Options{Sheet: "Um"}); err != nil || l.Sheet != "Um" || len(l.Rows) != 1 {
		t.Errorf("%+v, %v", l, err)
	}
	for _, name := range []string{"-Oculta", "x"} {
		if _, err := Read(t.Context(), file, Options{Sheet: name}); err != errNoSheet {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMergedCells: what stands once for several rows is said by each.
func TestMergedCells(t *testing.T) {
	t.Parallel()
	file := book(t, map[string][][]any{"A": {{"Fornecedor", "CNPJ", "Valor"}, {"PADARIA X", 51206531000176, 1}, {nil, nil, 2}, {nil, nil, 3}, {"BAR Y", 55085785000134, 4}}}, func(f *excelize.File) {
		for _, cells := range [][2]string{{"A2", "A4"}, {"B2", "B4"}} {
			if err := f.MergeCell("A", cells[0], cells[1]); err != nil {
				t.Fatal(err)
			}
		}
	})
	l, err := Read(t.Context(), file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const x = "51206531000176|PADARIA X"
	if diff := cmp.Diff([]string{x, x, x, "55085785000134|BAR Y"}, brought(l)); diff != "" || l.Rows[2].Cell(2) != "3" {
		t.Error(diff)
	}
}
