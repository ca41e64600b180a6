package messenger

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"razao/internal/assistant"
	"razao/internal/cnpj"
	"razao/internal/source"
)

// longestAnswer is in characters. Both messengers take 4,096.
const longestAnswer = 4000

// headOffice is the tax authority's code of one.
const headOffice = "1"

// What is said when there is no answer.
const (
	troubled = "Não foi possível consultar agora. Isso não quer dizer que nada consta: tente de novo em instantes."
	slower   = "Você enviou muitas mensagens em pouco tempo. Espere um minuto e pergunte de novo."
)

// text is written line by line.
type text struct{ strings.Builder }

// line writes what fmt.Sprintf returns and ends the line.
func (t *text) line(format string, args ...any) {
	fmt.Fprintf(&t.Builder, format, args...)
	t.WriteByte('\n')
}

// end says of when the data are, and what they are not.
func (t *text) end(o *assistant.Origin) {
	t.line("")
	period := "período desconhecido"
	if o.Competencia != nil {
		period = "competência " + periodText(*o.Competencia)
	}
	t.line("Dados públicos da Receita Federal, %s. Não é certidão.", period)
}

func (m *Messenger) help() string {
	return `Eu sou o Razão e consulto dados públicos de empresas brasileiras. Envie:

• um CNPJ, com ou sem pontuação, como 12.345.678/0001-95
• ou o nome de uma empresa, se quiser com a cidade, como padaria estrela campinas

Respondo só em conversas particulares, com texto. Não sou um órgão público e o que digo não é certidão. Não guardo o que você envia.

` + m.BaseURL + "/assistente"
}

func (m *Messenger) refusal(r *assistant.Refusal) string {
	if r.Kind == assistant.Unknown {
		return "Este CNPJ não consta da carga disponível da Receita Federal. Confira o número, ou envie o nome da empresa."
	}
	return "Não entendi: isto parece um CNPJ, mas os dígitos não conferem. Confira o número, ou envie o nome da empresa."
}

// searchText lists what a search found.
func (m *Messenger) searchText(asked string, found *assistant.SearchAnswer) string {
	var t text
	for _, notice := range found.Avisos {
		t.line("%s", notice)
	}
	switch {
	case len(found.Itens) == 0:
		t.line("Nenhum estabelecimento encontrado. Tente com menos palavras, com outra grafia ou com o CNPJ.")
	case found.Total == 1:
		t.line("1 estabelecimento encontrado:")
	case found.TotalMinimo:
		t.line("Mais de %s estabelecimentos encontrados. Os primeiros:", count(found.Total))
	case found.Total > len(found.Itens):
		t.line("%s estabelecimentos encontrados. Os primeiros:", count(found.Total))
	default:
		t.line("%s estabelecimentos encontrados:", count(found.Total))
	}
	for i := range found.Itens {
		t.result(&found.Itens[i])
	}
	if found.Total > len(found.Itens) {
		t.line("")
		t.line("Todos: %s/busca?q=%s", m.BaseURL, url.QueryEscape(asked))
	}
	t.end(&found.Origin)
	return t.String()
}

func (t *text) result(r *assistant.Result) {
	t.line("")
	t.line("%s", join(" / ", r.RazaoSocial, r.NomeFantasia))
	t.line("CNPJ %s: %s", masked(r.CNPJ), join(", ", orCode(r.Descricoes.IdentificadorMatrizFilial, ""),
		orCode(r.Descricoes.SituacaoCadastral, r.SituacaoCadastral), join("/", orCode(r.Descricoes.Municipio, r.Municipio), r.UF)))
	if r.Motivo == "socio" {
		t.line("Encontrado por um sócio")
	}
	t.line("%s", r.URL)
}

// recordText sums up a record: nothing in it is of a person but what names a company.
func (m *Messenger) recordText(r *assistant.RecordAnswer) string {
	var t text
	e := establishmentOf(r)
	name := nameOf(r, e)
	t.line("%s", name)
	t.line("CNPJ %s", masked(r.Documento))
	if r.Estabelecimento == nil {
		t.line("Estabelecimentos: %s", count(r.TotalEstabelecimentos))
	}
	if e != nil {
		t.establishment(name, e)
	}
	t.line("")
	t.records(r.RegistrosPublicos)
	t.end(&r.Origin)
	t.line("%s", r.URL)
	return t.String()
}

// establishmentOf returns the one that was asked about or, of a company, its head office when it is among the first; else nil.
func establishmentOf(r *assistant.RecordAnswer) *assistant.Establishment {
	if r.Estabelecimento != nil {
		return r.Estabelecimento
	}
	for i := range r.Estabelecimentos.Itens {
		if e := &r.Estabelecimentos.Itens[i]; e.IdentificadorMatrizFilial == headOffice {
			return e
		}
	}
	return nil
}

func nameOf(r *assistant.RecordAnswer, e *assistant.Establishment) string {
	switch {
	case r.Empresa.RazaoSocial != "":
		return r.Empresa.RazaoSocial
	case e != nil && e.NomeFantasia != "":
		return e.NomeFantasia
	}
	return "Empresa sem nome publicado"
}

func (t *text) establishment(name string, e *assistant.Establishment) {
	if e.NomeFantasia != "" && e.NomeFantasia != name {
		t.line("Nome fantasia: %s", e.NomeFantasia)
	}
	t.line("%s: %s", orCode(e.Descricoes.IdentificadorMatrizFilial, "Estabelecimento"), cityOf(e))
	t.line("Situação cadastral: %s", since(orCode(e.Descricoes.SituacaoCadastral, e.SituacaoCadastral), e.DataSituacaoCadastral))
	if e.SituacaoEspecial != "" {
		t.line("Situação especial: %s", since(e.SituacaoEspecial, e.DataSituacaoEspecial))
	}
	if e.CNAEFiscalPrincipal != "" {
		t.line("Atividade principal: %s", orCode(e.Descricoes.CNAEFiscalPrincipal, e.CNAEFiscalPrincipal))
	}
	if e.DataInicioAtividade != nil {
		t.line("Aberta em %s", day(*e.DataInicioAtividade))
	}
}

// records says what each source has: those with records, those without, and those that could not be asked, of which nothing is
// known.
func (t *text) records(all assistant.Records) {
	var none, unknown []string
	t.line("Registros públicos:")
	for _, src := range source.All() {
		s := all[src.Theme][src.ID]
		title := titled(src.Title, &s)
		switch {
		case s.Total == nil:
			unknown = append(unknown, title)
		case *s.Total == 0:
			none = append(none, title)
		case *s.Total == 1:
			t.line("• %s: 1 registro", title)
		default:
			t.line("• %s: %s registros", title, count(*s.Total))
		}
	}
	if len(none) > 0 {
		t.line("• Nada encontrado em: %s", strings.Join(none, "; "))
	}
	if len(unknown) > 0 {
		t.line("• Não foi possível consultar, e por isso nada se sabe: %s", strings.Join(unknown, "; "))
	}
}

// titled writes the period of a source's load behind its title, and whether the load is old.
func titled(title string, s *assistant.SourceSummary) string {
	var notes []string
	if s.Competencia != nil {
		notes = append(notes, periodText(*s.Competencia))
	}
	if s.Desatualizada != nil && *s.Desatualizada {
		notes = append(notes, "desatualizada")
	}
	if len(notes) == 0 {
		return title
	}
	return title + " (" + strings.Join(notes, ", ") + ")"
}

// fit cuts an answer that no messenger would take behind its last whole line.
func fit(answer string) string {
	answer = strings.TrimSpace(answer)
	if utf8.RuneCountInString(answer) <= longestAnswer {
		return answer
	}
	const mark = "\n…"
	runes := []rune(answer)[:longestAnswer-len(mark)]
	cut := string(runes)
	if end := strings.LastIndexByte(cut, '\n'); end > 0 {
		cut = cut[:end]
	}
	return cut + mark
}

func cityOf(e *assistant.Establishment) string {
	if e.NomeCidadeExterior != "" {
		return join(", ", e.NomeCidadeExterior, orCode(e.Descricoes.Pais, e.Pais))
	}
	return join("/", orCode(e.Descricoes.Municipio, e.Municipio), e.UF)
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
	if description != nil {
		return *description
	}
	return code
}

// since writes a date behind what has been so since then.
func since(what string, date *string) string {
	if date == nil {
		return what
	}
	return what + " desde " + day(*date)
}

// day writes AAAA-MM-DD as 31/12/2026.
func day(date string) string {
	const length = len("2006-01-02")
	if len(date) != length {
		return date
	}
	return date[8:] + "/" + date[5:7] + "/" + date[:4]
}

// periodText writes AAAA-MM as 12/2026 and AAAA-MM-DD as 31/12/2026; the labels of publishers stay as they are.
func periodText(period string) string {
	const length = len("2006-01")
	if len(period) == length && period[4] == '-' {
		return period[5:] + "/" + period[:4]
	}
	if len(period) == length+len("-02") && period[4] == '-' && period[7] == '-' {
		return day(period)
	}
	return period
}

// count writes 1.234.567.
func count(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "." + digits[at:]
	}
	return digits
}

// masked writes a CNPJ of 14 or 8 positions as people do.
func masked(number string) string {
	if full, err := cnpj.ParseFull(number); err == nil {
		return full.Masked()
	}
	if root, err := cnpj.ParseRoot(number); err == nil {
		return root.Masked()
	}
	return number
}
