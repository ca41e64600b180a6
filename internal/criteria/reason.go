// Package criteria is how people and programs meet a search: the words of its answers.
package criteria

import "razao/index"

// reasons are the words for why something was found: a stable one for programs, a sentence for people.
var reasons = [...]struct{ word, text string }{
	index.WhyCNPJ:      {"cnpj", "Encontrada pelo CNPJ"},
	index.WhyExactName: {"nome_exato", "Encontrada pelo nome exato"},
	index.WhyName:      {"nome", "Encontrada pelo nome"},
	index.WhyPrefix:    {"comeco_do_nome", "Encontrada pelo começo do nome"},
	index.WhyPartner:   {"socio", "Sócio encontrado"},
	index.WhyActivity:  {"atividade", "Encontrada pela atividade"},
	index.WhySound:     {"som", "Encontrada pelo som do nome"},
	index.WhyCorrected: {"outra_grafia", "Encontrada com outra grafia"},
	index.WhyPartial:   {"sem_uma_palavra", "Encontrada sem uma das palavras"},
	index.WhyListed:    {"filtro", ""},
}

// Reason is the word for a reason: one of Reasons.
func Reason(why index.Why) string { return reasons[why].word }

// ReasonText is the sentence for a reason, "" when there is nothing to say about it.
func ReasonText(why index.Why) string { return reasons[why].text }

// Reasons are all words of Reason, best first.
func Reasons() []string {
	words := make([]string, len(reasons))
	for i, r := range reasons {
		words[i] = r.word
	}
	return words
}
