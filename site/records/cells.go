package records

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/registry/pack"
	"razao/internal/source/tally"
)

// published is one record of a source, as the parts of its table's columns read it.
type published struct {
	*pack.Item
	linked linker
}

// piece is one line of a cell: a published text in the form in which people read it.
type piece struct {
	Label string // before the text, when the column's own does not say what it is
	Text  string
	Rest  string // the continuation of a text that is too long to be shown at once
	URL   string // "" for most
	Soft  bool   // set below the others in weight
	Whole bool   // not to be broken
}

// part makes the lines of a cell. Those without a text are left out.
type part func(r *published) []piece

// column is one column of a source's table.
type column struct {
	Label string
	Class string // num: amounts, to the right; id: must not be broken; wide: prose
	parts []part
}

// cellsOf returns the cells of a record, one for each column.
func cellsOf(columns []column, r *published) [][]piece {
	row := make([][]piece, len(columns))
	for i, c := range columns {
		for _, part := range c.parts {
			for _, p := range part(r) {
				if p.Text != "" {
					row[i] = append(row[i], p)
				}
			}
		}
	}
	return row
}

func onePiece(p piece) []piece { return []piece{p} }

// textOf shows a field as it is published; the fixed words of publishers have their accents.
func textOf(name string) part {
	return func(r *published) []piece { return onePiece(piece{Text: ptbr.Value(tally.Value(r.Item, name))}) }
}

// lineOf shows a field as it is published, in one line.
func lineOf(name string) part {
	return func(r *published) []piece { return onePiece(piece{Text: tally.Value(r.Item, name), Whole: true}) }
}

// muted shows what p shows with less weight.
func muted(p part) part {
	return func(r *published) []piece {
		pieces := p(r)
		for i := range pieces {
			pieces[i].Soft = true
		}
		return pieces
	}
}

// labelled shows what p shows with less weight and says what it is.
func labelled(label string, p part) part {
	return func(r *published) []piece {
		pieces := p(r)
		for i := range pieces {
			pieces[i].Label, pieces[i].Soft = label, true
		}
		return pieces
	}
}

// meaningOf shows the meaning of a code; one that the table lacks stands for itself.
func meaningOf(name string, meanings map[string]string) part {
	return func(r *published) []piece {
		code := tally.Value(r.Item, name)
		if meaning, ok := meanings[code]; ok {
			code = meaning
		}
		return onePiece(piece{Text: code})
	}
}

// joined shows several fields in one line.
func joined(separator string, names ...string) part {
	return func(r *published) []piece {
		texts := make([]string, len(names))
		for i, name := range names {
			texts[i] = tally.Value(r.Item, name)
		}
		return onePiece(piece{Text: ptbr.Join(separator, texts...)})
	}
}

func dateOf(name string) part {
	return func(r *published) []piece {
		return onePiece(piece{Text: ptbr.PublishedDay(tally.Value(r.Item, name)), Whole: true})
	}
}

func numberOf(name string) part {
	return func(r *published) []piece { return onePiece(piece{Text: ptbr.Number(tally.Value(r.Item, name))}) }
}

func reaisOf(name string) part {
	return func(r *published) []piece { return onePiece(piece{Text: ptbr.Amount("R$", tally.Value(r.Item, name))}) }
}

// streetOf shows a field with an address, or that it is not shown: it may be where a person lives.
func streetOf(name string) part {
	return func(r *published) []piece {
		if r.Withheld(name) {
			return onePiece(piece{Text: "endereço não mostrado", Soft: true})
		}
		return textOf(name)(r)
	}
}

const (
	longText  = 140 // characters of a text that a cell shows whole
	longBegin = 90  // of a longer one, as many at the most
)

// longTextOf shows a text that may be long: what goes beyond a beginning unfolds.
func longTextOf(name string) part {
	return func(r *published) []piece { return onePiece(shortened(tally.Value(r.Item, name))) }
}

func shortened(text string) piece {
	if utf8.RuneCountInString(text) <= longText {
		return piece{Text: text}
	}
	end := len(string([]rune(text)[:longBegin]))
	if blank := strings.LastIndexAny(text[:end], " \n\t"); blank > 0 {
		end = blank
	}
	return piece{Text: strings.TrimSpace(text[:end]), Rest: strings.TrimSpace(text[end:])}
}

// companyAt is the address of the page of a published document, "" when that is not a CNPJ.
func companyAt(document string) string {
	full, err := cnpj.ParseFull(document)
	if err != nil {
		return ""
	}
	return "/" + full.String()
}

// memberOf shows one member of a field that is an object.
func memberOf(name, of string) part {
	return func(r *published) []piece { return onePiece(piece{Text: tally.Members(r.Item, name)[of]}) }
}

// contract names a contract and leads to its page at the publisher.
func contract(r *published) []piece {
	p := piece{Text: tally.Value(r.Item, "numero_contrato_empenho"), URL: tally.Value(r.Item, "url")}
	control := piece{Text: tally.Value(r.Item, "numero_controle_pncp"), Soft: true, Whole: true}
	if p.Text == "" {
		p.Text, control.Text = control.Text, ""
	}
	if !strings.HasPrefix(p.URL, "https://") {
		p.URL = ""
	}
	return []piece{p, control}
}

// contractor is the public body of a contract.
func contractor(r *published) []piece {
	body, unit := tally.Members(r.Item, "orgao_entidade"), tally.Members(r.Item, "unidade_orgao")
	return []piece{
		{Text: ptbr.Company(body["razao_social"]), URL: companyAt(body["cnpj"])},
		{Text: ptbr.Join(", ", unit["nome_unidade"], ptbr.Join("/", unit["municipio_nome"], unit["uf_sigla"])), Soft: true},
	}
}

// supplier is the other side of a contract; the documents of people are published masked.
func supplier(r *published) []piece {
	document := tally.Value(r.Item, "ni_fornecedor")
	subcontracted := tally.Value(r.Item, "ni_fornecedor_sub_contratado")
	return []piece{
		{Text: ptbr.Company(tally.Value(r.Item, "nome_razao_social_fornecedor")), URL: companyAt(document)},
		{Text: ptbr.Document(document), Soft: true, Whole: true},
		{
			Label: "Subcontratado", Soft: true, URL: companyAt(subcontracted),
			Text: ptbr.Join(", ", ptbr.Company(tally.Value(r.Item, "nome_fornecedor_sub_contratado")), ptbr.Document(subcontracted)),
		},
	}
}

// participation says as what a company takes part in a contract.
func participation(r *published) []piece {
	var roles []string
	if json.Unmarshal([]byte(r.Value("participacao")), &roles) != nil {
		return nil
	}
	return onePiece(piece{Text: strings.Join(roles, " e ")})
}

// effects are the effects of a leniency agreement.
func effects(r *published) []piece {
	var all []struct {
		Effect string `json:"efeito"`
		Detail string `json:"complemento"`
	}
	if json.Unmarshal([]byte(r.Value("efeitos")), &all) != nil {
		return nil
	}
	var pieces []piece
	for _, e := range all {
		pieces = append(pieces, shortened(ptbr.Join(": ", e.Effect, e.Detail)))
	}
	return pieces
}

// clearanceLimit is the limit of a customs clearance, only as far as it is published.
func clearanceLimit(r *published) []piece {
	currency := tally.Value(r.Item, "moeda_limite")
	if currency == "USD" {
		currency = "US$"
	}
	return onePiece(piece{Text: ptbr.Amount(currency, tally.Value(r.Item, "limite_publicado"))})
}

// cancelled says that a form was cancelled, unless its status does.
func cancelled(r *published) []piece {
	said := strings.HasPrefix(strings.ToLower(tally.Value(r.Item, "des_status_formulario")), "cancelad")
	if said || tally.Value(r.Item, "sit_cancelado") != "S" {
		return nil
	}
	return onePiece(piece{Text: "Cancelado"})
}

// conditions are those of a financing.
func conditions(r *published) []piece {
	interest := ptbr.Number(tally.Value(r.Item, "juros"))
	if interest != "" {
		interest += ptbr.NBSP + "%" + ptbr.NBSP + "a.a."
	}
	return []piece{
		{Text: ptbr.Join(" ", tally.Value(r.Item, "custo_financeiro"), interest)},
		{Label: "Carência", Text: ptbr.Months(tally.Value(r.Item, "prazo_carencia_meses")), Soft: true},
		{Label: "Amortização", Text: ptbr.Months(tally.Value(r.Item, "prazo_amortizacao_meses")), Soft: true},
		{Label: "Agente", Text: tally.Value(r.Item, "instituicao_financeira_credenciada"), Soft: true},
	}
}
