package sample

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed data
var data embed.FS

// word is a text as the files have it nearly always, in plain ASCII, and as a few rows have it, with accents in
// ISO-8859-1.
type word struct{ plain, accented string }

func (w *word) in(accents bool) string {
	if accents {
		return w.accented
	}
	return w.plain
}

// lexicon is a list of words, the most frequent first.
type lexicon struct {
	words []word
	ranks weighted
}

func (l *lexicon) pick(d *dice) *word { return &l.words[l.ranks.pick(d)] }

// world is what all companies share: places, activities and the words of their names. It is never changed.
type world struct {
	activities []activity
	activity   weighted
	retired    []string // subclasses that exist no more
	cities     []city
	population weighted
	abroad     []foreignCity

	men, women, surnames, brands, streets, districts lexicon
}

// activity is a CNAE subclass and what companies of this trade call themselves.
type activity struct {
	code  string
	words []word
}

func newWorld() (*world, error) {
	w := &world{}
	for _, list := range []struct {
		file string
		sep  string
		to   *lexicon
	}{
		{"homens.txt", " ", &w.men},
		{"mulheres.txt", " ", &w.women},
		{"sobrenomes.txt", " ", &w.surnames},
		{"logradouros.txt", "|", &w.streets},
		{"bairros.txt", "|", &w.districts},
	} {
		lines, err := readLines(list.file)
		if err != nil {
			return nil, err
		}
		*list.to = newLexicon(strings.Split(strings.Join(lines, list.sep), list.sep))
	}
	w.brands = newLexicon(brandWords())
	if err := w.readActivities(); err != nil {
		return nil, err
	}
	return w, w.readPlaces()
}

func newLexicon(texts []string) lexicon {
	return lexicon{words: newWords(texts), ranks: newWeighted(zipf(len(texts)))}
}

func newWords(texts []string) []word {
	words := make([]word, len(texts))
	for i, s := range texts {
		words[i] = word{plain: fold(s), accented: latin1(s)}
	}
	return words
}

// readActivities orders the subclasses in force: those of atividades.txt first, in its order, then the others in an
// order that has nothing to do with their codes.
func (w *world) readActivities() error {
	lines, err := readLines("atividades.txt")
	if err != nil {
		return err
	}
	known := map[string]bool{}
	division := map[string][]word{}
	for _, line := range lines {
		code, words, _ := strings.Cut(line, " ")
		if len(code) == 2 {
			division[code] = newWords(strings.Split(words, "|"))
			continue
		}
		known[code] = true
		w.activities = append(w.activities, activity{code, newWords(strings.Split(words, "|"))})
	}
	if w.retired, err = readLines("cnaes_retirados.csv"); err != nil {
		return err
	}
	rest, err := activitiesInForce(w.retired)
	if err != nil {
		return err
	}
	general := newWords([]string{"COMÉRCIO E SERVIÇOS", "INDÚSTRIA E COMÉRCIO", "INDÚSTRIA"})
	for i := range rest {
		// 1009 is prime and no divisor of the number of subclasses: every one has its turn.
		code := rest[i*1009%len(rest)]
		if known[code] {
			continue
		}
		words, ok := division[code[:2]]
		if !ok {
			words = general
		}
		w.activities = append(w.activities, activity{code, words})
	}
	w.activity = newWeighted(zipf(len(w.activities)))
	return nil
}

func activitiesInForce(retired []string) ([]string, error) {
	gone := map[string]bool{notInformed: true}
	for _, code := range retired {
		gone[code] = true
	}
	lines, err := readLines("CNAECSV.latin1.csv")
	if err != nil {
		return nil, err
	}
	var codes []string
	for _, line := range lines {
		if code := line[1:8]; !gone[code] {
			codes = append(codes, code)
		}
	}
	return codes, nil
}

// brandWords makes words up from syllables, long enough not to be anybody's.
func brandWords() []string {
	starts := strings.Fields("BRAV VEL TRUC ZAN KOR LUM MIR DEL FAR GREN JAR NEV OLIV PRAD QUIV RUB SOL TAR URB VIT XAN BEL CARV DOR FLOR GAL HIL ITAP LAR MON NOR PEL RION SER TOR VALD ZEN ALV CRIS EST")
	middles := strings.Fields("A E I O U AVE ERI ILO ONI UMA ADE EVO IRA OTI ULA")
	ends := strings.Fields("NOX LUX MAR VIA TEK PAN DOR RIS ZZA LIS MIX NTO RAL VEX QUE SUL NORTE BRAS FLEX PRIME MAX RENO LANDO TINI COR")
	var words []string
	total := len(starts) * len(middles) * len(ends)
	for i := range total {
		k := i * 7919 % total // a prime that divides no part of the total: every word once, mixed
		words = append(words, starts[k%len(starts)]+middles[k/len(starts)%len(middles)]+ends[k/len(starts)/len(middles)])
	}
	return words
}

func readLines(name string) ([]string, error) {
	raw, err := data.ReadFile("data/" + name)
	if err != nil {
		return nil, fmt.Errorf("embedded %s: %w", name, err)
	}
	return strings.Split(string(bytes.TrimSuffix(raw, []byte("\n"))), "\n"), nil
}

// firstName returns one of a man or of a woman.
func (w *world) firstName(d *dice) *word {
	if d.permille(500) {
		return w.women.pick(d)
	}
	return w.men.pick(d)
}

// latin1 encodes a text whose letters all exist in ISO-8859-1.
func latin1(s string) string {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		out = append(out, byte(r))
	}
	return string(out)
}

// fold drops the accents of capital letters.
func fold(s string) string {
	return strings.NewReplacer(
		"Á", "A", "À", "A", "Â", "A", "Ã", "A", "É", "E", "Ê", "E", "Í", "I",
		"Ó", "O", "Ô", "O", "Õ", "O", "Ú", "U", "Ü", "U", "Ç", "C",
	).Replace(s)
}

func atoi(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("embedded tables: %w", err)
	}
	return n, nil
}
