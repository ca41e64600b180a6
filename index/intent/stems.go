package intent

import (
	"cmp"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"

	"razao/index/term"
)

// vague are stems of the official wording that say nothing alone, although few descriptions have
// them.
var vague = stems(Parse("geral similares semelhantes especializado especificados anteriormente predominancia associado relacionados " +
	"qualquer diversos comerciais industriais tipo uso variedades representacoes nacional central novos novas usados usadas vivos dia um " +
	"principalmente com por sob ou ao que"))

// official maps stems of everyday words to the stems that official descriptions use: a loja is
// comércio varejista.
var official = map[string]string{
	stem("loja"): stem("varejista"), stem("varejo"): stem("varejista"), stem("distribuidora"): stem("atacadista"),
	stem("atacado"): stem("atacadista"), stem("fabrica"): stem("fabricacao"), stem("conserto"): stem("reparacao"),
	stem("carro"): stem("automovel"), stem("moto"): stem("motocicleta"),
}

// officially returns a copy of the stems with everyday ones replaced by official ones.
func officially(all []string) []string {
	out := slices.Clone(all)
	for i, s := range out {
		out[i] = cmp.Or(official[s], s)
	}
	return out
}

// withoutGenericWords returns the words without those that add nothing to the name of an activity:
// clínica veterinária is veterinária.
func withoutGenericWords(list []Word) []Word {
	return slices.DeleteFunc(slices.Clone(list), func(q Word) bool {
		switch strings.TrimSuffix(q.Text, "s") {
		case "loja", "comercio", "casa", "clinica", "consultorio", "centro", "escritorio", "empresa", "estudio", "studio", "servico",
			"atividade", "profissional", "auto":
			return true
		}
		return false
	})
}

// stems returns the stems of the words that are not stop words.
func stems(list []Word) []string {
	var out []string
	for _, q := range list {
		if !term.IsWeightless([]byte(q.Text)) {
			out = append(out, stem(q.Text))
		}
	}
	return out
}

// joinedStem returns the stem of all significant words written as one: auto peças is autopeças.
func joinedStem(list []Word) string {
	var b strings.Builder
	for _, q := range list {
		if !term.IsWeightless([]byte(q.Text)) {
			b.WriteString(q.Text)
		}
	}
	return stem(b.String())
}

// stem strips the plural of a folded word and, unless little would be left, its gender.
func stem(word string) string {
	// The stemmer recognizes these plurals only with their accents.
	for _, ending := range [...][2]string{{"oes", "ões"}, {"aes", "ães"}, {"ois", "óis"}} {
		if before, ok := strings.CutSuffix(word, ending[0]); ok {
			word = before + ending[1]
		}
	}
	token := analysis.Token{Term: []byte(word)}
	pt.NewPortugueseLightStemmerFilter().Filter(analysis.TokenStream{&token})
	n := len(token.Term)
	if n < 5 && n < len(word) && word[:n] == string(token.Term) && (word[n] == 'o' || word[n] == 'a') {
		return word[:n+1] // pedro is not pedra
	}
	return string(token.Term)
}
