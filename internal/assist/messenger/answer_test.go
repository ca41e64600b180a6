package messenger

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"razao/internal/assist/assistant"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// answers returns a messenger over the invented release. Two sources are loaded; the others are
// unavailable.
func answers(t *testing.T) *Messenger {
	t.Helper()
	return over(t, twoSources.Shared(t))
}

var twoSources = fixture.Prepare(func(t testing.TB, l *fixture.Loaded) {
	l.Ingest(t)
	debts := sourcefiles.Header("pgfn/arquivo_lai_SIDA_1_202606.csv") + "\n"
	for i := range 3 {
		debts += fmt.Sprintf("12.345.678/0001-95;x;PRINCIPAL;PADARIA ESTRELA DO SUL LTDA;SP;CAMPINAS;80600%08d;x;ATIVA AJUIZADA;COFINS;05/03/2019;SIM;%d.90\n", i, i)
	}
	cleared := sourcefiles.Header("habilitacao_aduaneira/empresas-habilitadas.csv") + "\nPADARIA ESTRELA DO SUL LTDA;12345678;LIMITADA (ATE US$ 150.000,00)\n"
	l.Source(t, "pgfn", sourcefiles.Write(t, "arquivo_lai_SIDA_1_202606.csv", debts), "")
	l.Source(t, "habilitacao_aduaneira", sourcefiles.Write(t, "habilitadas.csv", cleared), "2026-11")
})

func over(t *testing.T, served *fixture.Served) *Messenger {
	t.Helper()
	const base = "https://razao.exemplo"
	today := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	m, err := New(Config{
		BaseURL: base, Assistant: assistant.New(assistant.Config{Live: served.Live, BaseURL: base, Now: today}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// office returns the number of establishment 0001 of a company.
func office(t *testing.T, root string) string {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	return cnpj.Join(r, 1).String()
}

// TestAnswers compares answers with a golden file of questions and answers.
func TestAnswers(t *testing.T) {
	t.Parallel()
	m := answers(t)
	var got strings.Builder
	for _, asked := range []string{
		"12.345.678/0001-95", "qual a situação de 12345678000195?", "12345678", "12.abc.345/01de-35", office(t, fixture.MEI),
		office(t, fixture.Closed), fixture.Homeless, office(t, fixture.Nameless), office(t, fixture.Abroad), office(t, fixture.Hostile),
		"estrela", "padaria campinas", "marta figueira inventada", "loja exemplo", "xyzzyxqqq", "estrella",
		"12.345.678/0001-96", "o CNPJ 12.345.678/0001-96 existe?", "11.444.777/0001-61", "99999999",
		"/start", "/ajuda@razao_bot", "Bom dia!", "?!", "", strings.Repeat("padaria ", 60),
	} {
		answer, err := m.Answer(t.Context(), asked)
		if err != nil {
			t.Errorf("%q: %v", asked, err)
		}
		if n := utf8.RuneCountInString(answer); n == 0 || n > longestAnswer {
			t.Errorf("%q: an answer of %d characters", asked, n)
		}
		if len(asked) > 60 {
			asked = asked[:57] + "..."
		}
		fmt.Fprintf(&got, ">>> %s\n%s\n\n", asked, answer)
	}
	const file = "testdata/answers.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("answers differ from %s (-want +got):\n%s", file, diff)
	}
}

// TestAnswersSayWhatTheToolsSay compares the numbers of a summary with those of the tool.
func TestAnswersSayWhatTheToolsSay(t *testing.T) {
	t.Parallel()
	m := answers(t)
	record, err := m.Assistant.Record(t.Context(), assistant.RecordQuery{CNPJ: "12345678000195"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := m.Answer(t.Context(), "12345678000195")
	if err != nil {
		t.Fatal(err)
	}
	for i, src := range source.All() {
		s := record.RegistrosPublicos[i]
		line := lineWith(answer, src.Title)
		switch {
		case line == "":
			t.Errorf("%s is not in the answer", src.ID)
		case s.Total == nil && !strings.Contains(line, "nada se sabe"):
			t.Errorf("%s could not be asked: %q", src.ID, line)
		case s.Total != nil && *s.Total > 0 && !strings.Contains(line, fmt.Sprintf(": %d registro", *s.Total)):
			t.Errorf("%s has %d: %q", src.ID, *s.Total, line)
		}
	}
	for _, text := range []string{"competência 09/2026", "Não é certidão", record.URL, record.Name()} {
		if !strings.Contains(answer, text) {
			t.Errorf("the answer lacks %q", text)
		}
	}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

// TestPersonalData asks for what must not be told: entrepreneurs' addresses and contacts, and
// unmasked CPFs.
func TestPersonalData(t *testing.T) {
	t.Parallel()
	m := answers(t)
	for _, asked := range []string{
		office(t, fixture.MEI), fixture.MEI, fixture.OldMEI, office(t, fixture.OldMEI), "joana ficticia", "jose inventado", "ze consertos",
		fixture.HiddenCPF, fixture.Bakery, "12345678000195",
	} {
		answer, err := m.Answer(t.Context(), asked)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{
			"SEGREDO", "Segredo", "RESERVADA", "Reservada", "PALMEIRAS", "Palmeiras", "99887766", "32334455", "@", "13024", "CAMBUI", "Cambui", fixture.HiddenCPF, "MARTA FIGUEIRA", "Marta Figueira",
		} {
			if strings.Contains(answer, secret) {
				t.Errorf("%q is told %q:\n%s", asked, secret, answer)
			}
		}
	}
}

// TestNothingLoaded: without a load, no answer may claim that something does not exist.
func TestNothingLoaded(t *testing.T) {
	t.Parallel()
	m := over(t, &fixture.Empty(t).Served)
	for _, asked := range []string{"12345678000195", "padaria estrela"} {
		answer, err := m.Answer(t.Context(), asked)
		if err == nil || answer != troubled {
			t.Errorf("%q: %q, %v", asked, answer, err)
		}
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("ã", 99) + "\n"
	if got := fit(strings.Repeat(line, 40)); got != strings.TrimSpace(strings.Repeat(line, 40)) {
		t.Error("an answer that fits is changed")
	}
	for name, text := range map[string]string{"lines": strings.Repeat(line, 60), "one line": strings.Repeat("ã", 9000)} {
		got := fit(text)
		if n := utf8.RuneCountInString(got); n > longestAnswer || n < longestAnswer*9/10 || !utf8.ValidString(got) || !strings.HasSuffix(got, "ã\n…") {
			t.Errorf("%s: cut to %d characters, ending with %q", name, n, got[len(got)-8:])
		}
	}
}

func TestNumberIn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"12.345.678/0001-95": "12345678000195", "12 345 678 0001 95": "12345678000195", "CNPJ: 12.345.678/0001-95.": "12345678000195",
		"12.345.678": "12345678", "12abc345": "12ABC345", "12ABC34501DE35": "12ABC34501DE35", "12.345.678/0001-96": "12345678000196",
		"padarias": "", "padaria 24 horas": "", "abcdefghijklmn": "", "são paulo 2024": "", "123": "", "": "", "é é": "",
	} {
		if got, ok := numberIn(text); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %t; want %q", text, got, ok, want)
		}
	}
}

// TestSearchLink: the link to all results searches for the same text.
func TestSearchLink(t *testing.T) {
	t.Parallel()
	m := answers(t)
	answer, err := m.Answer(t.Context(), "padaria & confeitaria")
	if err != nil {
		t.Fatal(err)
	}
	_, address, found := strings.Cut(lineWith(answer, "Todos: "), "Todos: ")
	u, err := url.Parse(strings.TrimSpace(address))
	if !found || err != nil || u.Path != "/busca" || u.Query().Get("q") != "padaria & confeitaria" {
		t.Errorf("address %q, %v in\n%s", address, err, answer)
	}
}

// FuzzSmallTalk checks the bounds of numberIn, isSmallTalk and fit on arbitrary text.
func FuzzSmallTalk(f *testing.F) {
	for _, text := range []string{"oi", "12.345.678/0001-95", "padaria", "\x00", "é", strings.Repeat("á", 300)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if number, ok := numberIn(text); ok && len(number) != 14 && len(number) != 8 {
			t.Errorf("%q has the number %q", text, number)
		}
		if !isSmallTalk(text) && len(text) > longestText*utf8.UTFMax {
			t.Errorf("%d bytes are asked for", len(text))
		}
		if got := fit(text); utf8.RuneCountInString(got) > longestAnswer {
			t.Errorf("%d characters", utf8.RuneCountInString(got))
		}
	})
}

// TestWithoutTheIndex: without the index, numbers are answered and names get an explanation.
func TestWithoutTheIndex(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Live.Close()
	if err := os.RemoveAll(l.IndexDir); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err == nil {
		t.Fatal("the index is missing")
	}
	m := over(t, &l.Served)
	if answer, err := m.Answer(t.Context(), "12345678000195"); err != nil || !strings.Contains(answer, "Padaria Estrela do Sul Ltda.") {
		t.Errorf("a number: %q, %v", answer, err)
	}
	if answer, err := m.Answer(t.Context(), "padaria estrela"); err == nil || answer != withoutIndex {
		t.Errorf("a name: %q, %v", answer, err)
	}
}

// TestNamesAreNoBait asks for a company whose name has an address, by number and by name: messengers make no link of it.
func TestNamesAreNoBait(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08",
		"PADARIA ESTRELA DO SUL LTDA", "CONTA BLOQUEADA ACESSE https://evil.example", "ESTRELA DO SUL P", "WWW.EVIL.EXAMPLE P"))
	m := over(t, &l.Served)
	for _, question := range []string{office(t, fixture.Bakery), "conta bloqueada acesse"} {
		answer, err := m.Answer(t.Context(), question)
		if err != nil {
			t.Error(err)
		}
		if got := strings.ToLower(answer); !strings.Contains(got, "https: //evil. example") || strings.Contains(got, "evil.example") || strings.Contains(got, "www.evil") {
			t.Errorf("%s: %s", question, answer)
		}
	}
}
