package term

import (
	"slices"
	"strings"
	"testing"
)

// alike lists spellings that a Brazilian pronounces the same way.
var alike = [][2]string{
	{"hotel", "otel"},
	{"luiz", "luis"},
	{"luiza", "luisa"},
	{"souza", "sousa"},
	{"valter", "walter"},
	{"wanderley", "vanderlei"},
	{"cristina", "christina"},
	{"cristina", "kristina"},
	{"thiago", "tiago"},
	{"felipe", "phelipe"},
	{"rafael", "raphael"},
	{"mello", "melo"},
	{"anna", "ana"},
	{"camilla", "camila"},
	{"peça", "pessa"},
	{"autopeças", "autopessas"},
	{"caça", "cassa"},
	{"construções", "construssoes"},
	{"conceição", "conceissao"},
	{"gonçalves", "gonsalves"},
	{"açougue", "assougue"},
	{"nascimento", "nacimento"},
	{"excelente", "esselente"},
	{"geovana", "jeovana"},
	{"agencia", "ajencia"},
	{"victor", "vitor"},
	{"octavio", "otavio"},
	{"xavier", "chavier"},
	{"caixa", "caicha"},
	{"beatriz", "beatris"},
	{"carla", "karla"},
	{"kelly", "queli"},
	{"queijo", "keijo"},
	{"yara", "iara"},
	{"wesley", "veslei"},
	{"jackson", "jakson"},
	{"teresa", "thereza"},
	{"campos", "canpos"},
	{"milton", "miltom"},
	{"ellen", "helen"},
	{"jhonatan", "jonathan"},
	{"cassio", "cacio"},
	{"deise", "deyze"},
	{"casa", "caza"},
	{"elétrica", "electrica"},
	{"henrique", "henrrique"},
	{"sheila", "cheila"},
	{"pizzaria", "pizaria"},
	{"rebecca", "rebeka"},
	{"acácio", "akassio"},
	{"quatro", "cuatro"},
	{"exemplo", "ezemplo"},
	{"extra", "estra"},
	{"isaac", "isac"},
	{"wilson", "uilson"},
	{"wilson", "vilson"},
	{"alexsandro", "alexandro"},
	{"thaynah", "taina"},
	{"jacqueline", "jakeline"},
	{"moisés", "moyses"},
	{"queirós", "queiroz"},
	{"hannah", "ana"},
	{"michelle", "mixele"},
	{"phelippe", "felipe"},
}

// apart lists words that sound different although they are spelled alike.
var apart = [][2]string{
	{"casa", "caça"},
	{"casa", "cassa"},
	{"caro", "carro"},
	{"moro", "morro"},
	{"era", "erra"},
	{"velha", "vela"},
	{"filha", "fila"},
	{"telha", "tela"},
	{"ninho", "nino"},
	{"sonho", "sono"},
	{"manha", "mana"},
	{"lucia", "luzia"},
	{"doce", "doze"},
	{"selo", "zelo"},
	{"cinco", "zinco"},
	{"asa", "assa"},
	{"gato", "jato"},
	{"guerra", "gera"},
	{"galo", "calo"},
	{"pote", "bote"},
	{"tia", "dia"},
	{"faca", "vaca"},
	{"mata", "nata"},
	{"rato", "lato"},
	{"maria", "mario"},
	{"paulo", "paula"},
	{"carlos", "carla"},
	{"cheio", "seio"},
	{"chave", "nave"},
	{"queijo", "beijo"},
	{"silva", "selva"},
	{"lima", "lema"},
	{"ponte", "fonte"},
	{"dente", "gente"},
	{"fabio", "flavio"},
	{"sol", "sul"},
	{"luis", "luisa"},
	{"coral", "curral"},
	{"rico", "risco"},
	{"nova", "nora"},
	{"alto", "auto"},
	{"banco", "branco"},
	{"marca", "marcia"},
	{"balcão", "balsao"},
	{"falcão", "falsao"},
	{"taxi", "tasi"},
	{"gnomo", "nomo"},
	{"louça", "lousa"},
	{"guia", "gia"},
	{"cana", "canha"},
	{"felipe", "filipe"},
	{"pena", "penha"},
	{"mara", "maria"},
	{"paulo", "pablo"},
	{"sheila", "keila"},
	{"lourenço", "lorenzo"},
	{"júlio", "julho"},
	{"elza", "elsa"},
	{"ueda", "veda"},
	{"uilson", "vilson"},
	{"machado", "macado"},
	{"geraldo", "gueraldo"},
	{"área", "areia"},
	{"mães", "mais"},
	{"davi", "dave"},
	{"thiago", "diego"},
}

// share reports whether two lists of readings have one in common.
func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(reading string) bool { return slices.Contains(b, reading) })
}

func TestWordsThatSoundAlike(t *testing.T) {
	t.Parallel()
	for _, pair := range alike {
		if a, b := Sounds(Fold(pair[0])), Sounds(Fold(pair[1])); !share(a, b) {
			t.Errorf("%s is %s, %s is %s", pair[0], a, pair[1], b)
		}
	}
	for _, pair := range apart {
		if a, b := Sounds(Fold(pair[0])), Sounds(Fold(pair[1])); share(a, b) {
			t.Errorf("%s and %s are %s", pair[0], pair[1], a)
		}
	}
}

// TestRulesOfSound checks the table by its examples: each rule has some that it reads, and both
// words of an example are alike because of it.
func TestRulesOfSound(t *testing.T) {
	t.Parallel()
	for i := range rules {
		r := &rules[i]
		if r.examples == "" {
			t.Errorf("%s has no examples", r.pattern)
		}
		for example := range strings.FieldsSeq(r.examples) {
			a, b, same := strings.Cut(example, "=")
			if !same {
				a, b, _ = strings.Cut(example, ">")
			}
			if !uses(a, r) {
				t.Errorf("%s does not read %s", r.pattern, a)
			}
			if share(Sounds(a), Sounds(b)) != same || !share(ByEar(a), Sounds(b)) {
				t.Errorf("%s: %s is %s and meant %s, %s is %s", example, a, Sounds(a), ByEar(a), b, Sounds(b))
			}
		}
	}
}

// uses reports whether a rule reads some letters of a word.
func uses(word string, r *rule) bool {
	letters := fuse(nil, restoreCedilla(word))
	for i := 0; i < len(letters); {
		n := 1
		for _, one := range rulesOf[letters[i]] {
			if one.matches(letters, i) {
				if one == r {
					return true
				}
				n = len(one.letters)
				break
			}
		}
		i += n
	}
	return false
}

func TestWordsWithoutSound(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"", "h", "sa", "wz", "24", "2000", "3m", "km47", "posto7", "ελλαδα", "hhh", "jcm"} {
		if got := Sounds(word); len(got) != 1 || got[0] != word {
			t.Errorf("Sounds(%q) = %q", word, got)
		}
	}
}

func TestReadingsAreFew(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"wilson", "michelwoxana", strings.Repeat("xara", 10), strings.Repeat("assowache", 4)} {
		if sounds, meant := Sounds(word), ByEar(word); len(sounds) > maxReadings || len(meant) > maxReadings || sounds[0] != meant[0] {
			t.Errorf("%s is %s, meant %s", word, sounds, meant)
		}
	}
}

func TestSoundsAllocatesItsResultOnly(t *testing.T) {
	words := []string{"construcoes", "transportadora", strings.Repeat("x", maxTokenBytes), "sa"}
	if got := testing.AllocsPerRun(100, func() {
		for _, word := range words {
			Sounds(word)
		}
	}); got > 8 {
		t.Errorf("%v allocations for %d words", got, len(words))
	}
}

func FuzzSounds(f *testing.F) {
	for _, pair := range append(alike, apart...) {
		f.Add(pair[0])
	}
	f.Fuzz(func(t *testing.T, typed string) {
		for _, token := range append(Tokens(typed), Token{Text: typed}) { // also what is no word
			for _, form := range slices.Concat(Sounds(token.Text), ByEar(token.Text)) {
				if form == "" && token.Text != "" || !slices.Equal(Sounds(form), []string{form}) {
					t.Errorf("%q is %q, and that is %q", token.Text, form, Sounds(form))
				}
			}
		}
	})
}

func BenchmarkSounds(b *testing.B) {
	words := []string{"construcoes", "transportadora", "goncalves", "walter", "autopecas", "nascimento"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Sounds(words[i%len(words)])
	}
}
