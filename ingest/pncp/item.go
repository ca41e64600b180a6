package pncp

import (
	"fmt"
	"strings"
	"unicode"

	"razao/internal/data/cnpj"
)

// kind says which JSON a member of a contract is, and how its value is made.
type kind uint8

const (
	derived kind = iota // no member: the loader sets the value
	text                // string, such as a code or the number of a proceeding; trimmed
	prose               // string written by people: trimmed, CPFs masked
	number              // number, with the published digits
	flag
	party  // string, the document of a supplier: masked when it is a CPF
	object // object, of which the known parts are kept
)

// column is a field of an item and the member of the contract that it is made of.
type column struct {
	item   string
	member string
	kind   kind
	also   string   // second spelling of member, "" for none
	parts  []column // of an object, in the order in which they are written
}

// columns returns the fields of an item, in the order of package source.
func columns() []column {
	entry := []column{{item: "id", member: "id", kind: number}, {item: "nome", member: "nome", kind: text}}
	body := []column{
		{item: "cnpj", member: "cnpj", kind: text},
		{item: "razao_social", member: "razaoSocial", kind: prose},
		{item: "poder_id", member: "poderId", kind: text},
		{item: "esfera_id", member: "esferaId", kind: text},
	}
	unit := []column{
		{item: "codigo_unidade", member: "codigoUnidade", kind: text},
		{item: "nome_unidade", member: "nomeUnidade", kind: prose},
		{item: "codigo_ibge", member: "codigoIbge", kind: text},
		{item: "municipio_nome", member: "municipioNome", kind: text},
		{item: "uf_sigla", member: "ufSigla", kind: text},
		{item: "uf_nome", member: "ufNome", kind: text},
	}
	return []column{
		{item: "numero_controle_pncp", member: "numeroControlePNCP", kind: text},
		{item: "numero_controle_pncp_compra", member: "numeroControlePncpCompra", also: "numeroControlePNCPCompra", kind: text},
		{item: "participacao"},
		{item: "ano_contrato", member: "anoContrato", kind: number},
		{item: "sequencial_contrato", member: "sequencialContrato", kind: number},
		{item: "numero_contrato_empenho", member: "numeroContratoEmpenho", kind: text},
		{item: "processo", member: "processo", kind: text},
		{item: "tipo_contrato", member: "tipoContrato", kind: object, parts: entry},
		{item: "categoria_processo", member: "categoriaProcesso", kind: object, parts: entry},
		{item: "receita", member: "receita", kind: flag},
		{item: "objeto_contrato", member: "objetoContrato", kind: prose},
		{item: "informacao_complementar", member: "informacaoComplementar", kind: prose},
		{item: "orgao_entidade", member: "orgaoEntidade", kind: object, parts: body},
		{item: "unidade_orgao", member: "unidadeOrgao", kind: object, parts: unit},
		{item: "orgao_sub_rogado", member: "orgaoSubRogado", kind: object, parts: body},
		{item: "unidade_sub_rogada", member: "unidadeSubRogada", kind: object, parts: unit},
		{item: "tipo_pessoa", member: "tipoPessoa", kind: text},
		{item: "ni_fornecedor", member: "niFornecedor", kind: party},
		{item: "nome_razao_social_fornecedor", member: "nomeRazaoSocialFornecedor", kind: prose},
		{item: "codigo_pais_fornecedor", member: "codigoPaisFornecedor", kind: text},
		{item: "tipo_pessoa_sub_contratada", member: "tipoPessoaSubContratada", kind: text},
		{item: "ni_fornecedor_sub_contratado", member: "niFornecedorSubContratado", kind: party},
		{item: "nome_fornecedor_sub_contratado", member: "nomeFornecedorSubContratado", kind: prose},
		{item: "valor_inicial", member: "valorInicial", kind: number},
		{item: "numero_parcelas", member: "numeroParcelas", kind: number},
		{item: "valor_parcela", member: "valorParcela", kind: number},
		{item: "valor_global", member: "valorGlobal", kind: number},
		{item: "valor_acumulado", member: "valorAcumulado", kind: number},
		{item: "data_assinatura", member: "dataAssinatura", kind: text},
		{item: "data_vigencia_inicio", member: "dataVigenciaInicio", kind: text},
		{item: "data_vigencia_fim", member: "dataVigenciaFim", kind: text},
		{item: "numero_retificacao", member: "numeroRetificacao", kind: number},
		{item: "data_publicacao_pncp", member: "dataPublicacaoPncp", kind: text},
		{item: "data_atualizacao", member: "dataAtualizacao", kind: text},
		{item: "data_atualizacao_global", member: "dataAtualizacaoGlobal", kind: text},
		{item: "identificador_cipi", member: "identificadorCipi", kind: text},
		{item: "url_cipi", member: "urlCipi", kind: text},
		{item: "usuario_nome", member: "usuarioNome", kind: prose},
		{item: "url"},
	}
}

// fault is the reason for which a contract that is valid JSON is rejected. column is "" for the row
// as a whole.
type fault struct {
	column string
	reason string
}

// Error implements error.
func (e *fault) Error() string { return e.column + ": " + e.reason }

// shaper turns the members of one object after another into values. Call reset, then member for
// each member, then shape. Nested objects have shapers of their own.
type shaper struct {
	columns []column
	index   map[string]int // member → column
	nested  []*shaper      // of the columns that are objects
	raw     []string       // by column: the member's JSON, "" when absent or null
	values  []string       // by column: the item's JSON, "" for null; filled by shape
}

func newShaper(columns []column) *shaper {
	s := &shaper{
		columns: columns, index: map[string]int{}, nested: make([]*shaper, len(columns)),
		raw: make([]string, len(columns)), values: make([]string, len(columns)),
	}
	for i, c := range columns {
		for _, name := range []string{c.member, c.also} {
			if name != "" {
				s.index[name] = i
			}
		}
		if c.kind == object {
			s.nested[i] = newShaper(c.parts)
		}
	}
	return s
}

// reset forgets the last object.
func (s *shaper) reset() { clear(s.raw) }

// member is the callback of scanner.object: it keeps the members that columns are made of.
func (s *shaper) member(name, value string, _ int) {
	if i, ok := s.index[name]; ok && value != "null" {
		s.raw[i] = value
	}
}

// text returns the decoded string of a column, "" for null.
func (s *shaper) text(column int) string {
	if s.raw[column] == "" {
		return ""
	}
	return decode(s.raw[column])
}

// shape fills values, except those of parties and derived columns, which stay "". A member of the
// wrong JSON type is a *fault.
func (s *shaper) shape() error {
	for i := range s.columns {
		c := &s.columns[i]
		raw := s.raw[i]
		s.values[i] = ""
		if raw == "" {
			continue
		}
		if got := kindOf(raw); got != c.kind.published() {
			return &fault{c.member, fmt.Sprintf("is %s, expected %s", got, c.kind.published())}
		}
		switch c.kind {
		case number, flag:
			s.values[i] = raw
		case text:
			s.values[i] = clean(raw)
		case prose:
			s.values[i] = masked(raw)
		case object:
			value, err := s.nested[i].object(raw)
			if err != nil {
				return &fault{c.member, err.Error()}
			}
			s.values[i] = value
		}
	}
	return nil
}

// object returns a nested object as the item has it: all parts in a fixed order, absent ones null.
func (s *shaper) object(raw string) (string, error) {
	s.reset()
	if err := newScanner(raw).object(s.member); err != nil {
		return "", err
	}
	if err := s.shape(); err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(len(raw) + 64)
	for i, c := range s.columns {
		b.WriteByte("{,"[min(i, 1)])
		b.WriteString(`"` + c.item + `":`)
		if s.values[i] == "" {
			b.WriteString("null")
		} else {
			b.WriteString(s.values[i])
		}
	}
	b.WriteByte('}')
	return b.String(), nil
}

// published names the JSON type that members of a kind must have.
func (k kind) published() string {
	switch k {
	case number:
		return "a number"
	case flag:
		return "true or false"
	case object:
		return "an object"
	default:
		return "a text"
	}
}

// kindOf names the JSON type of a valid value other than null.
func kindOf(raw string) string {
	switch raw[0] {
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case '{':
		return "an object"
	case '[':
		return "an array"
	default:
		return "a number"
	}
}

// clean returns a JSON string trimmed; one that needs no change is returned as it is. CPFs are
// masked if there are words beside them: a number alone is that of a proceeding.
func clean(raw string) string {
	if text := decode(raw); strings.ContainsFunc(text, unicode.IsLetter) {
		return rewrite(raw, cnpj.MaskCPFs(text))
	}
	return rewrite(raw, decode(raw))
}

// masked returns a JSON string trimmed and with CPFs masked.
func masked(raw string) string { return rewrite(raw, cnpj.MaskCPFs(decode(raw))) }

// rewrite returns text as a JSON string, reusing raw when it already holds exactly that text.
func rewrite(raw, text string) string {
	if raw[1:len(raw)-1] == text && plain(raw) {
		return raw
	}
	return encode(text)
}
