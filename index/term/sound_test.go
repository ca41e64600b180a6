package term

import (
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
	{"wilson", "uilson"},
	{"taxi", "tasi"},
	{"gnomo", "nomo"},
	{"louça", "lousa"},
	{"guia", "gia"},
	{"cana", "canha"},
	{"felipe", "filipe"},
}

func TestWordsThatSoundAlike(t *testing.T) {
	t.Parallel()
	for _, pair := range alike {
		if a, b := Sound(Fold(pair[0])), Sound(Fold(pair[1])); a != b {
			t.Errorf("%s is %s, %s is %s", pair[0], a, pair[1], b)
		}
	}
	for _, pair := range apart {
		if a, b := Sound(Fold(pair[0])), Sound(Fold(pair[1])); a == b {
			t.Errorf("%s and %s are %s", pair[0], pair[1], a)
		}
	}
}

func TestWordsWithoutSound(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"", "h", "sa", "wz", "24", "2000", "3m", "km47", "posto7", "ελλαδα", "hhh", "jcm"} {
		if got := Sound(word); got != word {
			t.Errorf("Sound(%q) = %q", word, got)
		}
	}
}

func TestSoundAllocatesItsResultOnly(t *testing.T) {
	words := []string{"construcoes", "transportadora", strings.Repeat("x", maxTokenBytes), "sa"}
	if got := testing.AllocsPerRun(100, func() {
		for _, word := range words {
			Sound(word)
		}
	}); got > 3 {
		t.Errorf("%v allocations for %d words, one of which is unchanged", got, len(words))
	}
}

func FuzzSound(f *testing.F) {
	for _, pair := range append(alike, apart...) {
		f.Add(pair[0])
	}
	f.Fuzz(func(t *testing.T, typed string) {
		for _, token := range Tokens(typed) {
			form := Sound(token.Text)
			if form == "" || Sound(form) != form {
				t.Errorf("%q is %q, and that is %q", token.Text, form, Sound(form))
			}
		}
		if form := Sound(typed); Sound(form) != form { // also what is no word
			t.Errorf("%q is %q, and that is %q", typed, form, Sound(form))
		}
	})
}

func BenchmarkSound(b *testing.B) {
	words := []string{"construcoes", "transportadora", "goncalves", "walter", "autopecas", "nascimento"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Sound(words[i%len(words)])
	}
}
