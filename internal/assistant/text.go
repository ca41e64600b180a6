package assistant

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"razao/internal/cnpj"
)

// notCertificate is said wherever a source may have found nothing.
const notCertificate = "“sem_ocorrencia” quer dizer que nada foi encontrado nesta carga da fonte: não é certidão. “indisponivel” e “erro” " +
	"querem dizer que não foi possível consultar, e nunca que nada consta."

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

// join writes the parts that are not empty.
func join(separator string, parts ...string) string {
	var present []string
	for _, part := range parts {
		if part != "" {
			present = append(present, part)
		}
	}
	return strings.Join(present, separator)
}

// orCode returns what a code means, or the code itself when no table knows it.
func orCode(description *string, code string) string {
	switch {
	case description != nil:
		return *description
	case code == "":
		return "não informado"
	}
	return "código " + code
}

// day writes AAAA-MM-DD as 31/12/2026, "" for nil.
func day(date *string) string {
	if date == nil {
		return ""
	}
	return (*date)[8:] + "/" + (*date)[5:7] + "/" + (*date)[:4]
}

// since writes a date behind what has been so since then.
func since(what string, date *string) string {
	if date == nil {
		return what
	}
	return what + " desde " + day(date)
}

// money writes R$ 1.234.567,89 for an exact amount.
func money(n *json.Number) string {
	if n == nil {
		return "não informado"
	}
	whole, cents, _ := strings.Cut(n.String(), ".")
	return "R$ " + grouped(whole) + "," + cents
}

// count writes 1.234.567.
func count[T int | int64](n T) string { return grouped(strconv.FormatInt(int64(n), 10)) }

// grouped sets a point before every three digits from the end.
func grouped(digits string) string {
	var b strings.Builder
	for i := range len(digits) {
		if left := len(digits) - i; i > 0 && left%3 == 0 {
			b.WriteByte('.')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// yesNo writes what is known of an option.
func yesNo(option *bool) string {
	switch {
	case option == nil:
		return "não informado"
	case *option:
		return "sim"
	}
	return "não"
}

// masked writes a CNPJ as people do; other documents stay as published.
func masked(document string) string {
	full, err := cnpj.ParseFull(document)
	if err != nil {
		return document
	}
	return full.Masked()
}
