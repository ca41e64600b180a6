package messenger

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"razao/internal/assist/assistant"
	"razao/internal/data/cnpj"
)

const (
	mostResults  = 5
	longestText  = 200 // characters of a question; no name is longer
	shortestText = 2
)

// greetings are what people write before they ask. As names of companies they would find thousands.
var greetings = [...]string{
	"ajuda", "menu", "help", "start", "começar", "oi", "olá", "ola", "bom dia", "boa tarde", "boa noite", "obrigado", "obrigada",
}

// Answer returns the reply to a person's text: the summary of a CNPJ, the companies with a name, or
// instructions. The reply is never empty, is at most longestAnswer characters long, and never
// claims absence when something could not be read. The error is for the log: it says what failed,
// even when there is a reply.
func (m *Messenger) Answer(ctx context.Context, text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	if isCommand(text) || isSmallTalk(text) {
		return m.help(), nil
	}
	answer, err := m.find(ctx, text)
	var refusal *assistant.Refusal
	switch {
	case errors.As(err, &refusal):
		return m.refusal(refusal), nil
	case assistant.Lacks(err) != "":
		return assistant.Lacks(err), err
	case assistant.NeedsIndex(err):
		return withoutIndex, err
	case answer == "":
		return troubled, err
	}
	return fit(answer), err
}

// find answers a question. An empty answer comes with an error; with an answer, the error says
// which parts of it are missing.
func (m *Messenger) find(ctx context.Context, text string) (string, error) {
	number, ok := numberIn(text)
	if !ok {
		return m.search(ctx, text)
	}
	record, err := m.Assistant.Record(ctx, assistant.RecordQuery{CNPJ: number})
	if err != nil {
		return "", err
	}
	return m.recordText(record), record.Trouble()
}

func (m *Messenger) search(ctx context.Context, text string) (string, error) {
	found, err := m.Assistant.Search(ctx, assistant.SearchQuery{Consulta: text, Limite: mostResults})
	if err != nil {
		return "", err
	}
	return m.searchText(text, found), nil
}

// isSmallTalk reports whether a text asks nothing: a greeting, a single letter, only symbols, no
// text at all (stickers, pictures), or more than longestText characters.
func isSmallTalk(text string) bool {
	length := utf8.RuneCountInString(text)
	if length < shortestText || length > longestText || !strings.ContainsFunc(text, isWordy) {
		return true
	}
	text = strings.TrimRight(text, " .,!?")
	for _, greeting := range greetings {
		if strings.EqualFold(text, greeting) {
			return true
		}
	}
	return false
}

func isWordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// numberIn returns the CNPJ in a text. The whole text may be a CNPJ or an 8-position root; a word
// of a sentence must be a full CNPJ. Wrong check digits do not make it a name: it is returned, and
// the answer says that it is mistyped.
func numberIn(text string) (number string, ok bool) {
	if typed, ok := cnpj.Read(text); ok && typed.MeansNumber() {
		return typed.Text, true
	}
	for word := range strings.FieldsSeq(text) {
		typed, ok := cnpj.Read(strings.Trim(word, ".,;:!?()"))
		if ok && typed.IsFull() && typed.MeansNumber() {
			return typed.Text, true
		}
	}
	return "", false
}
