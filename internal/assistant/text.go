package assistant

import (
	"cmp"
	"fmt"
	"strings"

	"razao/internal/ptbr"
	"razao/internal/record"
)

// notCertificate is said wherever a source may have found nothing.
const notCertificate = "“sem_ocorrencia” quer dizer que nada foi encontrado nesta carga da fonte: não é certidão. “indisponivel” e “erro” " +
	"querem dizer que não foi possível consultar, e nunca que nada consta."

// unknown stands for what was not published.
const unknown = "não informado"

// text is written line by line.
type text struct{ strings.Builder }

// line writes what fmt.Sprintf returns and ends the line.
func (t *text) line(format string, args ...any) {
	fmt.Fprintf(&t.Builder, format, args...)
	t.WriteByte('\n')
}

// more says how to get the next page.
func (t *text) more(tool string, cursor *string) {
	if cursor != nil {
		t.line("Há mais itens: chame %s com os mesmos argumentos e cursor=%q.", tool, *cursor)
	}
}

// orCode returns what a code means, or the code itself when no table knows it.
func orCode(description *string, code string) string {
	switch {
	case description != nil:
		return *description
	case code == "":
		return unknown
	}
	return "código " + code
}

// capital writes R$ 1.234.567,89.
func capital(c record.Cents) string { return cmp.Or(ptbr.Plain(ptbr.Capital(c)), unknown) }

// yesNo writes what is known of an option.
func yesNo(option record.Flag) string {
	switch option {
	case record.Yes:
		return "sim"
	case record.No:
		return "não"
	}
	return unknown
}
