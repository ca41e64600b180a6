package assistant

import (
	"cmp"
	"fmt"
	"strings"

	"razao/internal/data/glossary"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
)

// notCertificate is the disclaimer of every text that reports on sources.
const notCertificate = "“sem_ocorrencia” quer dizer que nada foi encontrado nesta carga da fonte: não é certidão. “indisponivel” e “erro” " +
	"querem dizer que não foi possível consultar, e nunca que nada consta."

// unknown is shown for values that were not published.
const unknown = "não informado"

// text builds the text of an answer line by line.
type text struct{ strings.Builder }

// line writes a formatted line.
func (t *text) line(format string, args ...any) {
	fmt.Fprintf(&t.Builder, format, args...)
	t.WriteByte('\n')
}

// more tells the model how to get the next page, if there is one.
func (t *text) more(tool string, cursor *string) {
	if cursor != nil {
		t.line("Há mais itens: chame %s com os mesmos argumentos e cursor=%q.", tool, *cursor)
	}
}

// caveats returns what an answer does not say, each with its evidence.
func (a *Assistant) caveats(of []glossary.Caveat) []string {
	texts := make([]string, 0, len(of))
	for i := range of {
		texts = append(texts, fmt.Sprintf("%s (%s; %s)", of[i].Text, of[i].Origin.Text, a.baseURL+of[i].Path()))
	}
	return texts
}

// orCode returns the description of a code, "código 99" if it has none, and unknown if the code is
// "".
func orCode(description *string, code string) string {
	switch {
	case description != nil:
		return *description
	case code == "":
		return unknown
	}
	return "código " + code
}

// capital formats an amount for plain text: R$ 1.234.567,89.
func capital(c record.Cents) string { return cmp.Or(ptbr.Plain(ptbr.Capital(c)), unknown) }

// yesNo formats a flag in Portuguese.
func yesNo(option record.Flag) string {
	switch option {
	case record.Yes:
		return "sim"
	case record.No:
		return "não"
	}
	return unknown
}
