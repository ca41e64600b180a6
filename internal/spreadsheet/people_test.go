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
		"a separator for Excel":              {"sep=;\nCNPJ;Fornecedor;Nota\n51.206.531/0001-76;X0;A\n55.085.785/0001-34;X1;A,B", []string{a + "|X0", b + "|X1"}},
		"a separator with a mark":            {"\uFEFFsep=;\r\nCNPJ;Nome\r\n51206531000176;A", []string{a + "|A"}},
		"lines of a Mac":                     {"CNPJ;Nota\r51.206.531/0001-76;0\r55.085.785/0001-34;1\r", []string{a, b}},
		"titles above":                       {"Relatório de fornecedores 2026;;\nEmitido em 01/11/2026;;\n\nFornecedor;CNPJ;Município\nX0;51.206.531/0001-76;Y\nX1;55.085.785/0001-34;Y", []string{a + "|X0", b + "|X1"}},
		"quotes that do not close":           {"Nome;CNPJ\n\"PADARIA 20\" LTDA;51.206.531/0001-76\n\"BAR DO ZE;55.085.785/0001-34\nOUTRA;63.852.611/0001-88", []string{a + "|\"PADARIA 20\" LTDA", b + "|\"BAR DO ZE", c + "|OUTRA"}},
		"a cell of several lines":            {"Nome;Endereço;CNPJ\n\"A \"\"B\"\"\";\"RUA X\nCENTRO; 2\";51.206.531/0001-76\nC;RUA Y;55.085.785/0001-34", []string{a + "|A \"B\"", b + "|C"}},
		"blanks around quotes":               {"\"CNPJ\"; \"Nome\"\n\"51206531000176\" ; \"A\"\n", []string{a + "|A"}},
		"CPFs":                               {"CPF/CNPJ;Nome;UF\n529.982.247-25;TIAGO PASSOS;SP\n***.982.247-**;ANA;SP\n51.206.531/0001-76;A;SP\n52998224725;RUI;SP", []string{Person, Person, a + "|A", Person}},
		"a CPF in another column":            {"CNPJ;CPF;Nome\n;529.982.247-25;TIAGO PASSOS\n51.206.531/0001-76;;A", []string{Person, a + "|A"}},
		"headings of a portal":               {"NOME_FORNECEDOR;MUNICIPIO_FORNECEDOR;UF_FORNECEDOR\nPADARIA X;Brasília;DF", []string{NoNumber + "|PADARIA X"}},
		"headings in words":                  {"Nome do Fornecedor;Município do fornecedor;UF do fornecedor\nPADARIA X;Brasília;DF", []string{NoNumber + "|PADARIA X"}},
		"roots without their zeros":          {"cnpj_basico;nome\n1445292;a\n51206531;b\n293306;c", []string{"01445292|a", "51206531|b", "00293306|c"}},
		"who bought and who sold":            {"CNPJ do órgão;CNPJ contratada;valor\n51206531000176;55085785000134;1\n51206531000176;63852611000188;2", []string{b, c}},
		"entities":                           {"CNPJ,Nome\n,PADARIA &amp; CIA", []string{NoNumber + "|PADARIA & CIA"}},
		"no heading":                         {"PADARIA X;Piquete;51206531000176\nBAR Y;Campinas;", []string{a + "|PADARIA X", NoNumber + "|BAR Y"}},
		"a heading of unknown words":         {"Inscrição;Obs\n51206531000176;x\n55085785000134;y", []string{a, b}},
		"a heading of one column":            {"CNPJ\n51206531000176\nPADARIA X", []string{a, NoNumber + "|PADARIA X"}},
		"eight digits that are no roots":     {"NF;Nome\n21410598;RESTAURANTE X\n20250115;BAR Y", []string{NoNumber + "|RESTAURANTE X", NoNumber + "|BAR Y"}},
		"telephones":                         {"Nome;Fone\nRESTAURANTE X;2141-0598", []string{NoNumber + "|RESTAURANTE X"}},
		"roots":                              {"21410598\n51.206.531", []string{"21410598", "51206531"}},
		"staff":                              {"Matrícula;Nome;CPF\n21410598;ANA;***.982.247-**\n21410599;RUI;123", []string{Person, Person}},
		"a break in the last cell":           {"CNPJ;Obs\n51206531000176;\"Rua A\nBairro B\"\n55085785000134;x", []string{a, b}},
		"breaks in every cell":               {"\"Nome\",\"Endereço\",\"CNPJ\"\n\"X\",\"Rua A, 1\nCentro\",\"51.206.531/0001-76\"\n\"Y\",\"Rua B, 2\nSul\nZ\",\"55.085.785/0001-34\"", []string{a + "|X", b + "|Y"}},
		"breaks in pasted cells":             {"51206531000176\tPADARIA X\t\"Rua A\nCentro\nCEP 01310-100\"\n55085785000134\tBAR Y\t\"Rua B\nCentro\nCEP 01310-100\"", []string{a, b}},
		"a person in two lines":              {"Nome;CPF/CNPJ;Obs\nJOSE;529.982.247-25;\"resp.:\nCARLOS FREITAS\"\nX;51206531000176;", []string{Person, a + "|X"}},
		"line ends of all kinds":             {"CNPJ;N\r51206531000176;x\r\n55085785000134;y\n63852611000188;z\r", []string{a, b, c}},
		"headings of TOTVS":                  {"A1_COD;A1_LOJA;A1_NOME;A1_CGC;A1_EST\n1;01;X;51206531000176;SP\n2;01;Y;;SP", []string{a + "|X", NoNumber + "|Y"}},
		"headings of SAP":                    {"LIFNR;NAME1;STCD1;REGIO\n1;X;51206531000176;SP", []string{a + "|X"}},
		"a heading of two rows":              {"Fornecedor;;Valores;\nNome;CNPJ;Nº;Valor\nX;51206531000176;1;2", []string{a + "|X"}},
		"a heading on each page":             {"Nome;CNPJ\nX;51206531000176\nNome;CNPJ\nY;55085785000134", []string{a + "|X", b + "|Y"}},
		"a title of names":                   {"Relação de fornecedores 2025\nPADARIA X\nBAR Y", []string{NoNumber + "|PADARIA X", NoNumber + "|BAR Y"}},
		"Mac Roman":                          {"Raz\x8bo Social;UF\rVITAR\xe6NO;SP\r", []string{NoNumber + "|VITARÊNO"}},
		"two encodings":                      {"Nome;CNPJ\nA\xe7\xe3o;51206531000176\nAção;55085785000134", []string{a + "|Ação", b + "|Ação"}},
		"a separator in a name":              {"Nome,CNPJ,UF\nSILVA, COSTA & CIA,51206531000176,SP\nX,55085785000134,SP\nY,63852611000188,SP", []string{a + "|SILVA", b + "|X", c + "|Y"}},
		"numbers behind each other":          {"51206531000176, 55085785000134, 63.852.611/0001-88", []string{a, b, c}},
		"a numbered list":                    {"1. PADARIA X\n2. BAR Y\n- BAR Z", []string{NoNumber + "|PADARIA X", NoNumber + "|BAR Y", NoNumber + "|BAR Z"}},
		"letters and more digits than a CPF": {"CNPJ/CPF;Nome\n51206531000176;A\n51206531000177;B", []string{a + "|A", Misread + "|B"}},
		"a root of letters alone":            {"Raiz do CNPJ;Nome\nABCDEFGH;A\n51206531;B", []string{"ABCDEFGH|A", "51206531|B"}},
		"what a former answer added":         {"Nome;CNPJ;Resultado;CNPJ consultado;Razão social\nA;51206531000176;encontrado;55.085.785/0001-34;B", []string{a + "|A"}},
		"zeros before a number":              {"CNPJ\n051206531000176", []string{a}},
		"a title of one column":              {"Meus fornecedores\nCNPJ\n51206531000176", []string{a}},
	} {
		l, err := Read(t.Context(), []byte(list.text), Options{Places: towns{}, Answer: []string{"Resultado", "CNPJ consultado"}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(list.want, brought(l)); diff != "" {
			t.Errorf("%s: %+v %q\n%s", name, l.Columns, l.Heading.Cells, diff)
		}
		if !strings.Contains(name, "break") && !strings.Contains(name, "several lines") && !strings.Contains(name, "two lines") && name != "numbers behind each other" && len(l.Titles)+len(l.Rows)+min(len(l.Heading.Cells), 1) != lines(list.text) {
			t.Errorf("%s: %d titles and %d rows of %d lines", name, len(l.Titles), len(l.Rows), lines(list.text))
		}
	}
}

// lines returns how many lines of a text have something, but for one that is for Excel.
func lines(text string) (n int) {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		if !strings.Contains(line, "sep=") {
			n++
		}
	}
	return n
}

// TestPersonsInAllWritings: whoever writes a CPF, or that there is one, is not looked up by the name beside it.
func TestPersonsInAllWritings(t *testing.T) {
	t.Parallel()
	for _, cell := range strings.Split("52998224725|529.982.247-25|529 982 247 25|529.982.247-24|***.982.247-**|***982247**|XXX.982.247-XX|xxx.xxx.xxx-xx|***.***.***-**|***********|***|"+
		"**.982.247-**|***.982.247|***-982-247-**|***.982.247 -**|* * *.982.247-* *|###.982.247-##|???.982.247-??|•••.982.247-••|---.982.247---|1234567890|00052998224725|0052998224725|"+
		"5,29982E+10|5.299822E10|52998200000|529.982.247|529.982.247-|529.982.247-2|...982.247-25|CPF protegido|[CPF oculto]|CPF ***|Pessoa Física|pessoa natural|PF|"+
		"529.982.\u200b247-25|５２９.９８２.２４７-２５|529.982.247–25|'52998224725|PAULO 52998224725|PAULO 529.982.247", "|") {
		for _, list := range []string{"Nome;Documento\nPADARIA X;51206531000176\nPAULO ANDRADE;", "Nome;CPF/CNPJ\nPADARIA X;51206531000176\nPAULO ANDRADE;", "Nome;CNPJ\nPADARIA X;51206531000176\nPAULO ANDRADE;"} {
			l, err := Read(t.Context(), []byte(list+cell), Options{})
			if err != nil || l.Name(&l.Rows[1]) != "" || l.Number(&l.Rows[1]).Full != 0 {
				t.Errorf("%q: %v, %+v", list+cell, err, l.Rows[1])
			}
		}
	}
	for _, cell := range []string{"(11) 3456-7890", "R$ 123.456.789,00", "123.456.789,00", "01310-100", "isento", "12.345.678-9", "2025", "-"} {
		l, err := Read(t.Context(), []byte("Nome;CNPJ;Obs\nPADARIA X;51206531000176;\nBAR Y;;"+cell), Options{})
		if err != nil || l.Name(&l.Rows[1]) != "BAR Y" {
			t.Errorf("%q is taken for a person: %v, %+v", cell, err, l.Rows[1])
		}
	}
	l, err := Read(t.Context(), []byte("Nome;CPF;CNPJ\nA;123;\nB;;\nC;52998224725;51206531000176"), Options{})
	if diff := cmp.Diff([]string{Person, NoNumber + "|B", "51206531000176|C"}, brought(l)); err != nil || diff != "" {
		t.Error(err, diff)
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
	for i, name := range f.GetSheetList() {
		if !strings.HasPrefix(name, "-") {
			f.SetActiveSheet(i) // which cannot be hidden
		}
	}
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
