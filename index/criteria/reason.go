package criteria

import "razao/index"

// reasons maps each index.Why to a stable word for programs and a sentence for people.
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

// Reason returns the stable word for a reason, one of Reasons. The words are part of the API.
func Reason(why index.Why) string { return reasons[why].word }

// ReasonText returns the sentence for a reason in Portuguese, "" when there is nothing to say.
func ReasonText(why index.Why) string { return reasons[why].text }

// Reasons returns all words of Reason, best reason first. The slice is the caller's own.
func Reasons() []string {
	words := make([]string, len(reasons))
	for i, r := range reasons {
		words[i] = r.word
	}
	return words
}
