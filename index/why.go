package index

// reasons maps each Why to a stable word for programs and a sentence for people.
var reasons = [...]struct{ word, text string }{
	WhyCNPJ:      {"cnpj", "Encontrada pelo CNPJ"},
	WhyExactName: {"nome_exato", "Encontrada pelo nome exato"},
	WhyName:      {"nome", "Encontrada pelo nome"},
	WhyPrefix:    {"comeco_do_nome", "Encontrada pelo começo do nome"},
	WhyPartner:   {"socio", "Sócio encontrado"},
	WhyActivity:  {"atividade", "Encontrada pela atividade"},
	WhySound:     {"som", "Encontrada pelo som do nome"},
	WhyCorrected: {"outra_grafia", "Encontrada com outra grafia"},
	WhyPartial:   {"sem_uma_palavra", "Encontrada sem uma das palavras"},
	WhyListed:    {"filtro", ""},
}

// Word returns the stable word for a reason, one of Reasons. The words are part of the API.
func (w Why) Word() string { return reasons[w].word }

// Text returns the sentence for a reason in Portuguese, "" when there is nothing to say.
func (w Why) Text() string { return reasons[w].text }

// Reasons returns the words of all reasons, best reason first. The slice is the caller's own.
func Reasons() []string {
	words := make([]string, len(reasons))
	for i, r := range reasons {
		words[i] = r.word
	}
	return words
}
