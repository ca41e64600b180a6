package world

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"razao/internal/sample/draw"
)

// Word is a text as the files have it nearly always, in plain ASCII, and as a few rows have it, with accents.
type Word struct{ Plain, accented string }

// In returns the text with or without accents.
func (w *Word) In(accents bool) string {
	if accents {
		return w.accented
	}
	return w.Plain
}

// Lexicon is a list of words, the most frequent first.
type Lexicon struct {
	words []Word
	ranks draw.Weighted
}

// Pick returns a word.
func (l *Lexicon) Pick(d *draw.Dice) *Word { return &l.words[l.ranks.Pick(d)] }

func newLexicon(texts []string) Lexicon {
	return Lexicon{words: newWords(texts), ranks: draw.NewWeighted(draw.Zipf(len(texts)))}
}

func newWords(texts []string) []Word {
	words := make([]Word, len(texts))
	for i, s := range texts {
		words[i] = Word{Fold(s), s}
	}
	return words
}

func (w *World) readLexicons() error {
	for _, list := range []struct {
		file, sep string
		to        *Lexicon
	}{
		{"homens.txt", " ", &w.men},
		{"mulheres.txt", " ", &w.women},
		{"sobrenomes.txt", " ", &w.Surnames},
		{"logradouros.txt", "|", &w.Streets},
		{"bairros.txt", "|", &w.Districts},
	} {
		lines, err := readLines(list.file)
		if err != nil {
			return err
		}
		*list.to = newLexicon(strings.Split(strings.Join(lines, list.sep), list.sep))
	}
	w.brands = newLexicon(brandWords())
	return nil
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

// Activity is a CNAE subclass and what companies of this trade call themselves.
type Activity struct {
	Code  string
	Title string // its name, in capitals without accents
	words []Word
}

// NotInformed is the activity of those who declared none.
const NotInformed = "8888888"

// readActivities orders the subclasses in force: those of atividades.txt first, in its order, then the others in an
// order that has nothing to do with their codes.
func (w *World) readActivities() error {
	lines, err := readLines("atividades.txt")
	if err != nil {
		return err
	}
	inForce, titles, err := w.activitiesInForce()
	if err != nil {
		return err
	}
	known := map[string]bool{}
	division := map[string][]Word{}
	for _, line := range lines {
		code, words, _ := strings.Cut(line, " ")
		if len(code) == 2 {
			division[code] = newWords(strings.Split(words, "|"))
			continue
		}
		known[code] = true
		w.Activities = append(w.Activities, Activity{code, titles[code], newWords(strings.Split(words, "|"))})
	}
	general := newWords([]string{"COMÉRCIO E SERVIÇOS", "INDÚSTRIA E COMÉRCIO", "INDÚSTRIA"})
	for i := range inForce {
		// 1009 is prime and no divisor of the number of subclasses: every one has its turn.
		code := inForce[i*1009%len(inForce)]
		if known[code] {
			continue
		}
		words, ok := division[code[:2]]
		if !ok {
			words = general
		}
		w.Activities = append(w.Activities, Activity{code, titles[code], words})
	}
	w.Frequent = draw.NewWeighted(draw.Zipf(len(w.Activities)))
	return nil
}

func (w *World) activitiesInForce() (codes []string, titles map[string]string, err error) {
	if w.Retired, err = readLines("cnaes_retirados.csv"); err != nil {
		return nil, nil, err
	}
	gone := map[string]bool{NotInformed: true}
	for _, code := range w.Retired {
		gone[code] = true
	}
	rows, err := readDomain("CNAECSV")
	titles = map[string]string{}
	for _, row := range rows {
		titles[row[0]] = Fold(strings.ToUpper(row[1]))
		if !gone[row[0]] {
			codes = append(codes, row[0])
		}
	}
	return codes, titles, err
}

// Domain returns one of the six tables of codes, CNAECSV and so on, as it was published, in ISO-8859-1.
func Domain(name string) ([]byte, error) {
	raw, err := data.ReadFile("data/" + name + ".latin1.csv")
	if err != nil {
		return nil, fmt.Errorf("embedded %s: %w", name, err)
	}
	return raw, nil
}

// readDomain returns the codes and their names of a domain.
func readDomain(name string) ([][2]string, error) {
	raw, err := Domain(name)
	var rows [][2]string
	for line := range bytes.Lines(raw) {
		code, title, _ := strings.Cut(strings.Trim(utf8Of(line), "\"\n"), `";"`)
		rows = append(rows, [2]string{code, title})
	}
	return rows, err
}

// utf8Of decodes ISO-8859-1.
func utf8Of(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

func readLines(name string) ([]string, error) {
	raw, err := data.ReadFile("data/" + name)
	if err != nil {
		return nil, fmt.Errorf("embedded %s: %w", name, err)
	}
	return strings.Split(string(bytes.TrimSuffix(raw, []byte("\n"))), "\n"), nil
}

var accents = strings.NewReplacer(
	"Á", "A", "À", "A", "Â", "A", "Ã", "A", "É", "E", "Ê", "E", "Í", "I",
	"Ó", "O", "Ô", "O", "Õ", "O", "Ú", "U", "Ü", "U", "Ç", "C",
)

// Fold drops the accents of capital letters.
func Fold(s string) string { return accents.Replace(s) }

func atoi(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("embedded tables: %w", err)
	}
	return n, nil
}
