package world

import (
	"embed"
	"strings"
	"unicode/utf8"

	"razao/internal/sample/draw"
)

//go:embed data
var data embed.FS

// Domain returns one of the six published tables of codes by the suffix of its member ("CNAECSV",
// "MUNICCSV", …), decoded to UTF-8. It panics for any other name.
func Domain(name string) string {
	var decoded strings.Builder
	for _, c := range read(name + ".latin1.csv") {
		decoded.WriteRune(rune(c))
	}
	return decoded.String()
}

// read returns an embedded file and panics if it is missing: the program was built wrongly.
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

// readDomain returns the pairs of code and description of a domain.
func readDomain(name string) [][2]string {
	var rows [][2]string
	for line := range strings.Lines(Domain(name)) {
		code, title, _ := strings.Cut(strings.Trim(line, "\"\n"), `";"`)
		rows = append(rows, [2]string{code, title})
	}
	return rows
}

// Word is a text in capitals, in plain ASCII as nearly all rows have it and with accents as a few
// do.
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

// Fold removes the accents of Portuguese capital letters; small letters are left alone.
func Fold(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return s // the common case, without a copy
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

// Lexicon is a list of words with Zipf frequencies, the most frequent first.
type Lexicon struct {
	words []Word
	ranks draw.Weighted
}

// Pick returns a word, which belongs to the lexicon and must not be changed.
func (l *Lexicon) Pick(d *draw.Dice) *Word { return &l.words[l.ranks.Pick(d)] }

func newLexicon(texts []string) Lexicon {
	return Lexicon{newWords(texts), draw.NewWeighted(draw.Zipf(len(texts)))}
}

// readLexicon returns the words of an embedded file, which are separated by line breaks or
// separator.
func readLexicon(name, separator string) Lexicon {
	return newLexicon(strings.Split(strings.Join(readLines(name), separator), separator))
}

// brandWords returns all combinations of three syllables in a mixed order. They are long enough not
// to be real brands.
func brandWords() []string {
	starts := strings.Fields("BRAV VEL TRUC ZAN KOR LUM MIR DEL FAR GREN JAR NEV OLIV PRAD QUIV RUB SOL TAR URB VIT XAN BEL CARV DOR FLOR GAL HIL ITAP LAR MON NOR PEL RION SER TOR VALD ZEN ALV CRIS EST")
	middles := strings.Fields("A E I O U AVE ERI ILO ONI UMA ADE EVO IRA OTI ULA")
	ends := strings.Fields("NOX LUX MAR VIA TEK PAN DOR RIS ZZA LIS MIX NTO RAL VEX QUE SUL NORTE BRAS FLEX PRIME MAX RENO LANDO TINI COR")
	var words []string
	total := len(starts) * len(middles) * len(ends)
	for i := range total {
		k := i * 7919 % total // 7919 is prime to total, so this permutes the words
		words = append(words, starts[k%len(starts)]+middles[k/len(starts)%len(middles)]+ends[k/len(starts)/len(middles)])
	}
	return words
}

// Activity is a CNAE subclass with the words by which companies of the trade call themselves.
type Activity struct {
	Code  string // seven digits
	Title string // official name, in capitals without accents
	words []Word
}

// NotInformed is the code of the activity of companies that declared none.
const NotInformed = "8888888"

// readActivities fills Activities by frequency: first the subclasses that atividades.txt lists,
// then all others in force in a mixed order. The words of a subclass are its own or those of its
// division.
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
		// 1009 is prime to the number of subclasses, so each has its turn.
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
