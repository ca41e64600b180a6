package country

import (
	"embed"
	"maps"
	"slices"
	"strings"

	"razao/internal/data/record"
)

//go:embed data
var data embed.FS

// Codes returns a table of codes and their descriptions by the end of its member's name ("PAISCSV",
// …). It panics for a name that is none.
func (c *Country) Codes(name string) (pairs [][2]string) {
	switch name {
	case "CNAECSV":
		for i := range c.Activities {
			pairs = append(pairs, [2]string{c.Activities[i].Code, c.Activities[i].Title})
		}
	case "MUNICCSV":
		for i := range c.Cities {
			pairs = append(pairs, [2]string{c.Cities[i].RFB, c.Cities[i].RFBName})
		}
		pairs = append(pairs, [2]string{AbroadCode, "EXTERIOR"})
	default:
		for _, line := range readLines(name + ".csv") {
			code, title, _ := strings.Cut(strings.Trim(line, `"`), `";"`)
			pairs = append(pairs, [2]string{code, title})
		}
	}
	return pairs
}

// AbroadUF and AbroadCode stand for UF and municipality in an address abroad.
const (
	AbroadUF   = "EX"
	AbroadCode = "9707"
)

// read returns an embedded file and panics if it is missing: the program was built wrongly.
func read(name string) string {
	raw, err := data.ReadFile("data/" + name)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func readLines(name string) []string {
	return strings.Split(strings.TrimSuffix(read(name), "\n"), "\n")
}

// Lexicon is a list of words, in capitals without accents as the registry has them, with Zipf
// frequencies, the most frequent first.
type Lexicon struct {
	words []string
	ranks Weighted
}

// Pick draws a word.
func (l *Lexicon) Pick(d *Dice) string { return l.words[l.ranks.Pick(d)] }

func newLexicon(words []string) Lexicon { return Lexicon{words, newWeighted(zipf(len(words)))} }

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
	Title string
	words []string
}

// readActivities fills Activities by frequency: first the subclasses that atividades.txt lists,
// then all others in a mixed order. The words of a subclass are its own or those of its division.
func (c *Country) readActivities() error {
	names, err := record.LoadCNAE()
	if err != nil {
		return err
	}
	const subclass = 7 // digits
	codes := slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(code string) bool { return len(code) != subclass })
	listed, division := map[string]bool{}, map[string][]string{}
	for _, line := range readLines("atividades.txt") {
		code, list, _ := strings.Cut(line, " ")
		if len(code) < subclass {
			division[code] = strings.Split(list, "|")
			continue
		}
		listed[code] = true
		c.Activities = append(c.Activities, Activity{code, names[code], strings.Split(list, "|")})
	}
	for i := range codes {
		code := codes[i*1009%len(codes)] // 1009 is prime to their number, so each has its turn
		words := division[code[:2]]
		if words == nil {
			words = []string{"COMERCIO E SERVICOS", "INDUSTRIA E COMERCIO", "INDUSTRIA"}
		}
		if !listed[code] {
			c.Activities = append(c.Activities, Activity{code, names[code], words})
		}
	}
	c.Frequent, c.activities = newWeighted(zipf(len(c.Activities))), map[string]int{}
	for i := range c.Activities {
		c.activities[c.Activities[i].Code] = i
	}
	return nil
}
