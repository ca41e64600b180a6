package messenger

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"razao/internal/assist/assistant"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
)

// longestAnswer is in characters. Both platforms take 4,096.
const longestAnswer = 4000

// Replies when there is no answer. None of them claims that something does not exist.
const (
	troubled     = "Não foi possível consultar agora. Isso não quer dizer que nada consta: tente de novo em instantes."
	withoutIndex = "A busca por nome está fora do ar. Envie o CNPJ, que posso consultar. Isso não quer dizer que nada consta."
	slower       = "Você enviou muitas mensagens em pouco tempo. Espere um minuto e pergunte de novo."
)

// text builds an answer line by line. What is published is Unlinked: messengers make links of texts.
type text struct{ strings.Builder }

// line writes a formatted line.
func (t *text) line(format string, args ...any) {
	fmt.Fprintf(&t.Builder, format, args...)
	t.WriteByte('\n')
}

// end adds the period of the data, and that they are no certificate.
func (t *text) end(o *assistant.Origin) {
	t.line("")
	if o.Lacunas != "" {
		t.line("%s", o.Lacunas)
	}
	period := "período desconhecido"
	if o.Competencia != nil {
		period = "competência " + ptbr.Period(*o.Competencia)
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

// refusal explains a question that the assistant refuses: an unknown CNPJ, or one with wrong check
// digits.
func (m *Messenger) refusal(r *assistant.Refusal) string {
	if r.Kind == assistant.Unknown {
		return "Este CNPJ não consta da carga disponível da Receita Federal. Confira o número, ou envie o nome da empresa."
	}
	return "Não entendi: isto parece um CNPJ, mas os dígitos não conferem. Confira o número, ou envie o nome da empresa."
}

// searchText lists what a search found.
func (m *Messenger) searchText(asked string, found *assistant.SearchAnswer) string {
	var t text
	for _, remark := range found.Avisos {
		t.line("%s", remark)
	}
	switch {
	case len(found.Itens) == 0:
		t.line("Nenhuma empresa encontrada. Tente com menos palavras, com outra grafia ou com o CNPJ.")
	case found.Total == 1:
		t.line("1 empresa encontrada:")
	case found.TotalMinimo:
		t.line("Mais de %s empresas encontradas. As primeiras:", ptbr.Count(found.Total))
	case found.Total > len(found.Itens):
		t.line("%s empresas encontradas. As primeiras:", ptbr.Count(found.Total))
	default:
		t.line("%s empresas encontradas:", ptbr.Count(found.Total))
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

// result lists one establishment that a search found.
func (t *text) result(r *assistant.Result) {
	t.line("")
	t.line("%s", ptbr.Unlinked(ptbr.Join(" / ", r.Name(), ptbr.Company(r.NomeFantasia))))
	t.line("CNPJ %s: %s", ptbr.CNPJ(r.CNPJ), ptbr.Join(", ", orCode(r.Descricoes.IdentificadorMatrizFilial, ""),
		orCode(r.Descricoes.SituacaoCadastral, r.SituacaoCadastral), ptbr.Unlinked(r.City())))
	if r.Motivo == "socio" {
		t.line("Encontrado por um sócio")
	}
	t.line("%s", r.URL)
}

// recordText sums up a record. It contains no personal data other than the names of companies,
// which may be those of their owners.
func (m *Messenger) recordText(r *assistant.RecordAnswer) string {
	var t text
	e := establishmentOf(r)
	name := nameOf(r, e)
	t.line("%s", ptbr.Unlinked(name))
	t.line("CNPJ %s", ptbr.CNPJ(r.Documento))
	if r.Estabelecimento == nil {
		t.line("Estabelecimentos: %s", ptbr.Count(r.TotalEstabelecimentos))
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

// establishmentOf returns the establishment asked about or, for a company, its head office if it is
// on the first page; else nil.
func establishmentOf(r *assistant.RecordAnswer) *assistant.Establishment {
	if r.Estabelecimento != nil {
		return r.Estabelecimento
	}
	for i := range r.Estabelecimentos.Itens {
		if e := &r.Estabelecimentos.Itens[i]; e.HeadOffice() {
			return e
		}
	}
	return nil
}

// nameOf returns the company's name, else the trade name, else that none was published.
func nameOf(r *assistant.RecordAnswer, e *assistant.Establishment) string {
	switch {
	case r.Empresa.RazaoSocial != "":
		return r.Name()
	case e != nil && e.NomeFantasia != "":
		return ptbr.Company(e.NomeFantasia)
	}
	return "Empresa sem nome publicado"
}

// establishment lists the facts of an establishment, without street and contact.
func (t *text) establishment(name string, e *assistant.Establishment) {
	if trade := ptbr.Company(e.NomeFantasia); trade != "" && trade != name {
		t.line("Nome fantasia: %s", ptbr.Unlinked(trade))
	}
	t.line("%s: %s", orCode(e.Describe(record.DomainMatrizFilial, e.IdentificadorMatrizFilial), "Estabelecimento"), cityOf(e))
	t.line("Situação cadastral: %s", ptbr.Since(orCode(e.Describe(record.DomainSituacao, e.SituacaoCadastral), e.SituacaoCadastral), e.DataSituacaoCadastral.Time()))
	if e.SituacaoEspecial != "" {
		t.line("Situação especial: %s", ptbr.Since(ptbr.Unlinked(ptbr.Value(e.SituacaoEspecial)), e.DataSituacaoEspecial.Time()))
	}
	if e.CNAEFiscalPrincipal != "" {
		t.line("Atividade principal: %s", orCode(e.Describe(record.DomainCNAE, e.CNAEFiscalPrincipal), e.CNAEFiscalPrincipal))
	}
	if e.DataInicioAtividade != 0 {
		t.line("Aberta em %s", ptbr.Date(e.DataInicioAtividade.Time()))
	}
}

// records lists the sources that have records, those that have none, and those that could not be
// read, of which nothing is known.
func (t *text) records(all assistant.Records) {
	var none, unknown []string
	t.line("Registros públicos:")
	for i := range all {
		s := &all[i]
		title := titled(s)
		switch {
		case s.Total == nil:
			unknown = append(unknown, title)
		case *s.Total == 0:
			none = append(none, title)
		case *s.Total == 1:
			t.line("• %s: 1 registro", title)
		default:
			t.line("• %s: %s registros", title, ptbr.Count(*s.Total))
		}
	}
	if len(none) > 0 {
		t.line("• Nada encontrado em: %s", strings.Join(none, "; "))
	}
	if len(unknown) > 0 {
		t.line("• Não foi possível consultar, e por isso nada se sabe: %s", strings.Join(unknown, "; "))
	}
}

// titled returns a source's title with the period of its load and whether that is outdated.
func titled(s *assistant.SourceSummary) string {
	var notes []string
	if s.Competencia != nil {
		notes = append(notes, ptbr.Period(*s.Competencia))
	}
	if s.Desatualizada != nil && *s.Desatualizada {
		notes = append(notes, "desatualizada")
	}
	if len(notes) == 0 {
		return s.Source.Title
	}
	return s.Source.Title + " (" + strings.Join(notes, ", ") + ")"
}

// fit shortens an answer to longestAnswer characters, at the end of a line where possible.
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

// cityOf returns Campinas/SP or, abroad, city and country.
func cityOf(e *assistant.Establishment) string {
	if e.NomeCidadeExterior != "" {
		return ptbr.Join(", ", ptbr.Unlinked(ptbr.Street(e.NomeCidadeExterior)), ptbr.Country(orCode(e.Describe(record.DomainPais, e.Pais), e.Pais)))
	}
	return e.City(e.Municipio, e.UF)
}

// orCode returns the description of a code, or the code itself if it has none.
func orCode(description *string, code string) string {
	if description != nil {
		return *description
	}
	return code
}
