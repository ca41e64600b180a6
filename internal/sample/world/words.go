package world

import (
	"embed"
	"strings"
	"unicode/utf8"

	"razao/internal/sample/draw"
)

//go:embed data
var data embed.FS

// Domain returns one of the six tables of codes, CNAECSV and so on, as it was published.
func Domain(name string) string {
	var decoded strings.Builder
	for _, c := range read(name + ".latin1.csv") {
		decoded.WriteRune(rune(c))
	}
	return decoded.String()
}

// read returns an embedded file; the program is broken without it.
func read(name string) []byte {
	raw, err := data.ReadFile("data/" + name)
	if err != nil {
		panic(err)
	}
	return raw
}

func readLines(name string) []string {
	return strings.Split(strings.TrimSuffix(string(read(name)), "\n"), "\n")
}

// readDomain returns the codes and their names of a domain.
func readDomain(name string) [][2]string {
	var rows [][2]string
	for line := range strings.Lines(Domain(name)) {
		code, title, _ := strings.Cut(strings.Trim(line, "\"\n"), `";"`)
		rows = append(rows, [2]string{code, title})
	}
	return rows
}

// Word is a text as the files have it nearly always, in plain ASCII, and as a few rows have it, with accents.
type Word struct{ Plain, accented string }

// In returns the text with or without accents.
func (w *Word) In(accents bool) string {
	if accents {
		return w.accented
	}
	return w.Plain
}

var accents = strings.NewReplacer(
	"Á", "A", "À", "A", "Â", "A", "Ã", "A", "É", "E", "Ê", "E", "Í", "I",
	"Ó", "O", "Ô", "O", "Õ", "O", "Ú", "U", "Ü", "U", "Ç", "C",
)

// Fold drops the accents of capital letters.
func Fold(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return s // nearly always: the replacer would copy it
	}
	return accents.Replace(s)
}

func newWords(texts []string) []Word {
	words := make([]Word, len(texts))
	for i, s := range texts {
		words[i] = Word{Fold(s), s}
	}
	return words
}

// Lexicon is a list of words, the most frequent first.
type Lexicon struct {
	words []Word
	ranks draw.Weighted
}

// Pick returns a word.
func (l *Lexicon) Pick(d *draw.Dice) *Word { return &l.words[l.ranks.Pick(d)] }

func newLexicon(texts []string) Lexicon {
	return Lexicon{newWords(texts), draw.NewWeighted(draw.Zipf(len(texts)))}
}

func readLexicon(name, separator string) Lexicon {
	return newLexicon(strings.Split(strings.Join(readLines(name), separator), separator))
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
// order that has nothing to do with their codes, which are named after their division.
func (w *World) readActivities() {
	w.Retired = readLines("cnaes_retirados.csv")
	gone := map[string]bool{NotInformed: true}
	for _, code := range w.Retired {
		gone[code] = true
	}
	var inForce []string
	titles := map[string]string{}
	for _, row := range readDomain("CNAECSV") {
		titles[row[0]] = Fold(strings.ToUpper(row[1]))
		if !gone[row[0]] {
			inForce = append(inForce, row[0])
		}
	}
	division := map[string][]Word{}
	for _, line := range readLines("atividades.txt") {
		code, list, _ := strings.Cut(line, " ")
		words := newWords(strings.Split(list, "|"))
		if len(code) == 2 {
			division[code] = words
			continue
		}
		gone[code] = true
		w.Activities = append(w.Activities, Activity{code, titles[code], words})
	}
	general := newWords([]string{"COMÉRCIO E SERVIÇOS", "INDÚSTRIA E COMÉRCIO", "INDÚSTRIA"})
	for i := range inForce {
		// 1009 is prime and no divisor of the number of subclasses: every one has its turn.
		code := inForce[i*1009%len(inForce)]
		words, ok := division[code[:2]]
		if !ok {
			words = general
		}
		if !gone[code] {
			w.Activities = append(w.Activities, Activity{code, titles[code], words})
		}
	}
	w.Frequent = draw.NewWeighted(draw.Zipf(len(w.Activities)))
}
