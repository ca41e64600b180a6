package records

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/store/registry/pack"
	"razao/internal/store/totals"
)

// publishedRecord is a record as the columns read it.
type publishedRecord struct {
	*pack.Item
	linked linker
}

// piece is one line of a cell.
type piece struct {
	Label string // prefix, where the column heading does not say what the text is
	Text  string
	Rest  string // folded continuation of a long text
	URL   string // "" for most
	Soft  bool   // less prominent
	Whole bool   // no line breaks inside
}

// part produces lines of a cell. Lines without text are dropped.
type part func(r *publishedRecord) []piece

// column is one column of a source's table.
type column struct {
	Label string
	Class string // CSS class: num (amounts, right-aligned), id (no line breaks) or wide (prose)
	parts []part
}

// cellsOf returns the cells of a record, one per column.
func cellsOf(columns []column, r *publishedRecord) [][]piece {
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

// shown returns the part that shows a field as write puts it.
func shown(name string, write func(published string) piece) part {
	return func(r *publishedRecord) []piece { return onePiece(write(totals.Value(r.Item, name))) }
}

// textOf shows a field as published, except that fixed words of publishers get their accents and
// case.
func textOf(name string) part {
	return shown(name, func(text string) piece { return piece{Text: ptbr.Value(text)} })
}

// lineOf shows a field as published, without line breaks.
func lineOf(name string) part {
	return shown(name, func(text string) piece { return piece{Text: text, Whole: true} })
}

// muted shows p less prominently.
func muted(p part) part {
	return func(r *publishedRecord) []piece {
		pieces := p(r)
		for i := range pieces {
			pieces[i].Soft = true
		}
		return pieces
	}
}

// labelled shows p less prominently, behind a label.
func labelled(label string, p part) part {
	return func(r *publishedRecord) []piece {
		pieces := p(r)
		for i := range pieces {
			pieces[i].Label, pieces[i].Soft = label, true
		}
		return pieces
	}
}

// meaningOf shows the meaning of a code; an unknown code is shown as it is.
func meaningOf(name string, meanings map[string]string) part {
	return shown(name, func(code string) piece { return piece{Text: cmp.Or(meanings[code], code)} })
}

// joined shows several fields in one line, skipping empty ones.
func joined(separator string, names ...string) part {
	return func(r *publishedRecord) []piece {
		texts := make([]string, len(names))
		for i, name := range names {
			texts[i] = totals.Value(r.Item, name)
		}
		return onePiece(piece{Text: ptbr.Join(separator, texts...)})
	}
}

// dateOf shows a published day, in any of the publishers' layouts, as dd/mm/aaaa.
func dateOf(name string) part {
	return shown(name, func(day string) piece { return piece{Text: ptbr.PublishedDay(day), Whole: true} })
}

// numberOf shows a published number with all its digits.
func numberOf(name string) part {
	return shown(name, func(number string) piece { return piece{Text: ptbr.Number(number)} })
}

// reaisOf shows a published amount in reais.
func reaisOf(name string) part {
	return shown(name, func(amount string) piece { return piece{Text: ptbr.Amount("R$", amount)} })
}

// streetOf shows an address, or that it is withheld because it may be where a person lives.
func streetOf(name string) part {
	return func(r *publishedRecord) []piece {
		if r.Withheld(name) {
			return onePiece(piece{Text: "endereço não mostrado", Soft: true})
		}
		return textOf(name)(r)
	}
}

// Where long texts are folded.
const (
	longText  = 140 // characters up to which a text is shown whole
	longBegin = 90  // visible characters of a longer one, at most
)

// longTextOf shows a text that may be long; what follows its beginning is folded.
func longTextOf(name string) part { return shown(name, shortened) }

// shortened splits a long text at the last space within longBegin characters.
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

// companyAt returns the path of a document's page, "" unless it is a valid CNPJ.
func companyAt(document string) string {
	full, err := cnpj.ParseFull(document)
	if err != nil {
		return ""
	}
	return "/" + full.String()
}

// memberOf shows one member of a field that holds a JSON object.
func memberOf(name, of string) part {
	return func(r *publishedRecord) []piece { return onePiece(piece{Text: totals.Members(r.Item, name)[of]}) }
}

// contract shows a contract's number with a link to the publisher's page. Only https links are
// made: the address comes from published data, and a javascript: URL must not become a link.
func contract(r *publishedRecord) []piece {
	p := piece{Text: totals.Value(r.Item, "numero_contrato_empenho"), URL: totals.Value(r.Item, "url")}
	control := piece{Text: totals.Value(r.Item, "numero_controle_pncp"), Soft: true, Whole: true}
	if p.Text == "" {
		p.Text, control.Text = control.Text, ""
	}
	if !strings.HasPrefix(p.URL, "https://") {
		p.URL = ""
	}
	return []piece{p, control}
}

// contractor shows the public body of a contract and its unit.
func contractor(r *publishedRecord) []piece {
	body, unit := totals.Members(r.Item, "orgao_entidade"), totals.Members(r.Item, "unidade_orgao")
	return []piece{
		{Text: ptbr.Company(body["razao_social"]), URL: companyAt(body["cnpj"])},
		{Text: ptbr.Join(", ", unit["nome_unidade"], ptbr.Join("/", unit["municipio_nome"], unit["uf_sigla"])), Soft: true},
	}
}

// supplier shows the supplier of a contract and its subcontractor. CPFs are published masked.
func supplier(r *publishedRecord) []piece {
	document := totals.Value(r.Item, "ni_fornecedor")
	subcontracted := totals.Value(r.Item, "ni_fornecedor_sub_contratado")
	return []piece{
		{Text: ptbr.Company(totals.Value(r.Item, "nome_razao_social_fornecedor")), URL: companyAt(document)},
		{Text: ptbr.Document(document), Soft: true, Whole: true},
		{
			Label: "Subcontratado", Soft: true, URL: companyAt(subcontracted),
			Text: ptbr.Join(", ", ptbr.Company(totals.Value(r.Item, "nome_fornecedor_sub_contratado")), ptbr.Document(subcontracted)),
		},
	}
}

// participation shows the company's roles in a contract.
func participation(r *publishedRecord) []piece {
	var roles []string
	if json.Unmarshal([]byte(r.Value("participacao")), &roles) != nil {
		return nil
	}
	return onePiece(piece{Text: strings.Join(roles, " e ")})
}

// effects shows the effects of a leniency agreement.
func effects(r *publishedRecord) []piece {
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

// clearanceLimit shows the limit of a customs clearance, where one is published.
func clearanceLimit(r *publishedRecord) []piece {
	currency := totals.Value(r.Item, "moeda_limite")
	if currency == "USD" {
		currency = "US$"
	}
	return onePiece(piece{Text: ptbr.Amount(currency, totals.Value(r.Item, "limite_publicado"))})
}

// cancelled shows that a form was cancelled, unless its published status already says so.
func cancelled(r *publishedRecord) []piece {
	said := strings.HasPrefix(strings.ToLower(totals.Value(r.Item, "des_status_formulario")), "cancelad")
	if said || totals.Value(r.Item, "sit_cancelado") != "S" {
		return nil
	}
	return onePiece(piece{Text: "Cancelado"})
}

// conditions shows cost, interest, terms and agent of a financing.
func conditions(r *publishedRecord) []piece {
	interest := ptbr.Number(totals.Value(r.Item, "juros"))
	if interest != "" {
		interest += ptbr.NBSP + "%" + ptbr.NBSP + "a.a."
	}
	return []piece{
		{Text: ptbr.Join(" ", totals.Value(r.Item, "custo_financeiro"), interest)},
		{Label: "Carência", Text: ptbr.Months(totals.Value(r.Item, "prazo_carencia_meses")), Soft: true},
		{Label: "Amortização", Text: ptbr.Months(totals.Value(r.Item, "prazo_amortizacao_meses")), Soft: true},
		{Label: "Agente", Text: totals.Value(r.Item, "instituicao_financeira_credenciada"), Soft: true},
	}
}
