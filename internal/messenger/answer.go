package messenger

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"razao/internal/assistant"
	"razao/internal/cnpj"
)

const (
	mostResults  = 5
	longestText  = 200 // characters of a question: what is longer is no name
	shortestText = 2
)

// greetings are what people write before they ask; as names of companies they would find thousands.
var greetings = [...]string{
	"ajuda", "menu", "help", "start", "começar", "oi", "olá", "ola", "bom dia", "boa tarde", "boa noite", "obrigado", "obrigada",
}

// Answer returns what a person is told who sends text: the record of a CNPJ, the establishments with a name, or how to ask. It
// is never empty and short enough for every messenger. The error says what could not be looked at, for the log; the answer
// then says so in its own words.
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
	case assistant.NeedsIndex(err):
		return withoutIndex, err
	case answer == "":
		return troubled, err
	}
	return fit(answer), err
}

// find answers a question. Without an answer there is an error; with one, the error says what is missing from it.
func (m *Messenger) find(ctx context.Context, text string) (string, error) {
	number, ok := numberIn(text)
	if !ok {
		return m.search(ctx, text)
	}
	record, err := m.Assistant.Record(ctx, assistant.RecordQuestion{CNPJ: number})
	if err != nil {
		return "", err
	}
	return m.recordText(record), record.Trouble()
}

func (m *Messenger) search(ctx context.Context, text string) (string, error) {
	found, err := m.Assistant.Search(ctx, assistant.SearchQuestion{Consulta: text, Limite: mostResults})
	if err != nil {
		return "", err
	}
	return m.searchText(text, found), nil
}

// isSmallTalk reports whether a text asks for nothing: a greeting, a sticker (which has no text), a single letter, a novel.
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

// numberIn returns the CNPJ of a text: all of it, which may also be the 8 positions of a company, or a word of a sentence. What
// is not a CNPJ for its check digits alone is one that is mistyped, and no name.
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
