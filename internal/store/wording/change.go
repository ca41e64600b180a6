package wording

import (
	"cmp"
	"slices"
	"strings"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/journal"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

// Change is an event of a company in words. Pages, feeds, files, mails and assistants print it, and add no words of their own to what
// happened; its form for programs is that of render.
type Change struct {
	Event         *journal.Change
	Title         string   // what happened, and when if that is published: Baixa em 12/10/2026
	Lines         []string // a field each, before and after; if fields must not be shown, the last names them
	Company       Link     // by the name that it has now
	Establishment Link     // that the event is about; zero: it is about the company
	Source        string   // title of the source of the load in which it was seen
	Seen          string   // period of that load
}

// Link is a text and the page that it leads to; URL "": there is none.
type Link struct{ Text, URL string }

// CompanyOf names a company, by its number if it has no name or is not in the load: h is then nil, and there is no page.
func CompanyOf(root cnpj.Root, h *pack.Head) Link {
	l := Link{Text: "CNPJ " + root.Masked()}
	if h == nil {
		return l
	}
	if l.URL = "/" + root.String(); h.Company.RazaoSocial != "" {
		l.Text = ptbr.Holder(root, h.Company.RazaoSocial, h.Individual())
	}
	return l
}

// ChangeOf puts an event into words.
func ChangeOf(atlas *territory.Atlas, snap *snapshot.Snapshot, c *journal.Change) Change {
	w := Change{
		Event: c, Title: titleOf(c), Company: CompanyOf(c.Root, c.Company), Source: SourceTitle(c.Load.Source), Seen: ptbr.Period(c.Load.Period),
	}
	if number, ok := c.Number(); ok {
		w.Establishment.Text = number.Masked()
		if c.Company != nil && c.Kind != change.Removed {
			w.Establishment.URL = "/" + number.String()
		}
	}
	f := changedFields{atlas: atlas, snap: snap, change: c, title: w.Title}
	switch c.Kind {
	case change.Address, change.Moved:
		f.add(addressName(c), f.address(c.Before), f.address(c.After))
	case change.Contact:
		f.contact()
	case change.Activities:
		f.add("Saíram", f.activities(c.Before, c.After), "")
		f.add("Entraram", "", f.activities(c.After, c.Before))
	}
	if len(f.lines) == 0 { // also of an address or a contact that is put into other fields and reads the same as a whole
		for _, field := range c.Fields() {
			if !slices.Contains(c.Withheld, field.Name) && !titleSays(c, &field) {
				f.field(&field, c.Value(c.Before, field.Name), c.Value(c.After, field.Name))
			}
		}
	}
	var withheld []string
	for _, name := range c.Withheld {
		withheld = append(withheld, fieldName(name))
	}
	if len(withheld) > 0 {
		f.lines = append(f.lines, "Por ser, ou ter sido, de pessoa física, a página não mostra: "+strings.Join(slices.Compact(withheld), ", "))
	}
	w.Lines = f.lines
	return w
}

func titleOf(c *journal.Change) string {
	info := c.Kind.Info()
	title := ptbr.Join(" em ", KindTitle(info, c.Load.Source), ptbr.Date(c.Date.Time()))
	if info.Part == change.Partners {
		title += ": " + ptbr.Partner(&record.Partner{IdentificadorSocio: c.Partner.Type, NomeSocio: c.Partner.Name})
	}
	return title
}

// titleSays reports whether the title says already what a field does: the day, and that the company opted
// or is out. The state of a new establishment stands with its municipality.
func titleSays(c *journal.Change, field *record.Field) bool {
	switch c.Kind {
	case change.SimplesIn, change.SimplesOut, change.MEIIn, change.MEIOut:
		if field.Kind == record.YesOrNo {
			return true
		}
	case change.Opened, change.Removed:
		if field.Name == "uf" && (c.Value(c.Before, "municipio") != "" || c.Value(c.After, "municipio") != "") {
			return true
		}
	}
	return field.Kind == record.Day && c.Date != 0 && c.Value(c.After, field.Name) == c.Date.String()
}

// KindTitle names a kind of events, of records with their source: Empresas punidas (CNEP): primeiros registros.
func KindTitle(info *change.Info, source string) string {
	if info.Part != change.Records {
		return info.Title
	}
	return SourceTitle(source) + ": " + strings.ToLower(info.Title[:1]) + info.Title[1:]
}

// changedFields collects the lines of an event.
type changedFields struct {
	atlas  *territory.Atlas
	snap   *snapshot.Snapshot
	change *journal.Change
	title  string
	lines  []string
}

// add adds a line, unless both sides read the same: with one side if nothing was there before, or nothing is left. A name that is
// the title already is left out.
func (f *changedFields) add(name, before, after string) {
	if before == after {
		return
	}
	text := before + after
	gone := f.change.Kind == change.SourceOut // its figures are those of records that are there no longer
	if gone || f.change.Before != nil && f.change.After != nil && f.change.Kind != change.Activities {
		text = cmp.Or(before, "não constava") + " → " + cmp.Or(after, "não consta mais")
	}
	f.line(name, text)
}

func (f *changedFields) line(name, text string) {
	if name != f.title {
		text = name + ": " + text
	}
	f.lines = append(f.lines, text)
}

// field adds a line for a field. Values that read the same, such as after a change of case only, are
// shown as published: the line must not read as if nothing changed.
func (f *changedFields) field(field *record.Field, before, after string) {
	if field.Name == "campos" {
		f.line(fieldName(field.Name), strings.ReplaceAll(after, ",", ", "))
		return
	}
	b, a := f.value(field, before), f.value(field, after)
	if b == a && before != "" && after != "" {
		b, a = before, after
	}
	f.add(fieldName(field.Name), b, a)
}

// value puts the value of a field into words.
func (f *changedFields) value(field *record.Field, published string) string {
	switch {
	case published == "":
		return ""
	case field.Name == "municipio":
		name := placeOf(f.atlas, f.snap, &record.Establishment{UF: "BR", Municipio: published}, ptbr.Street).Municipality
		return ptbr.Join("/", name, cmp.Or(f.change.Value(f.change.After, "uf"), f.change.Value(f.change.Before, "uf")))
	case field.Name == "representante_legal" && strings.Trim(published, "*0") == "", field.Name == "qualificacao_representante_legal" && strings.Trim(published, "0") == "":
		return "" // there is none
	case field.Domain == record.DomainCNAE:
		a := ActivityOf(f.snap, published)
		return ptbr.Join(" ", a.Code, a.Text)
	case field.Domain != "":
		return Describe(f.snap, field.Domain, published)
	}
	switch field.Kind {
	case record.Day:
		return ptbr.Period(published)
	case record.Amount:
		return ptbr.Amount("R$", published)
	case record.Count:
		return ptbr.Number(published)
	case record.YesOrNo:
		return map[string]string{"S": "Sim", "N": "Não"}[published]
	}
	switch field.Name {
	case "razao_social", "nome_fantasia":
		return ptbr.Company(published)
	case "nome_representante":
		return ptbr.Person(published)
	}
	return published
}

// establishment returns one side of an event about address or contact as an establishment.
func (f *changedFields) establishment(side []string) *record.Establishment {
	v := func(field string) string { return f.change.Value(side, field) }
	return &record.Establishment{
		TipoLogradouro: v("tipo_logradouro"), Logradouro: v("logradouro"), Numero: v("numero"), Complemento: v("complemento"), Bairro: v("bairro"),
		CEP: v("cep"), UF: v("uf"), Municipio: v("municipio"), NomeCidadeExterior: v("nome_cidade_exterior"), Pais: v("pais"),
		DDD1: v("ddd_1"), Telefone1: v("telefone_1"), DDD2: v("ddd_2"), Telefone2: v("telefone_2"), DDDFax: v("ddd_fax"), Fax: v("fax"),
		CorreioEletronico: v("correio_eletronico"),
	}
}

func (f *changedFields) address(side []string) string {
	if side == nil {
		return ""
	}
	return AddressOf(f.atlas, f.snap, f.establishment(side)).String()
}

// addressName is the name of the line: without streets, as of natural persons, only the municipality
// is left.
func addressName(c *journal.Change) string {
	if len(c.Withheld) > 0 {
		return "Município"
	}
	return "Endereço"
}

func (f *changedFields) contact() {
	b, a := f.establishment(f.change.Before), f.establishment(f.change.After)
	f.add("Telefone", strings.Join(PhonesOf(b), "; "), strings.Join(PhonesOf(a), "; "))
	f.add("Fax", ptbr.Phone(b.DDDFax, b.Fax), ptbr.Phone(a.DDDFax, a.Fax))
	f.add("E-mail", ptbr.Email(b.CorreioEletronico), ptbr.Email(a.CorreioEletronico))
}

// activities returns the secondary activities that one side has and the other does not.
func (f *changedFields) activities(side, other []string) string {
	const field = "cnae_fiscal_secundaria"
	others := strings.Split(f.change.Value(other, field), ",")
	var texts []string
	for _, code := range strings.Split(f.change.Value(side, field), ",") {
		if code != "" && !slices.Contains(others, code) {
			a := ActivityOf(f.snap, code)
			texts = append(texts, ptbr.Join(" ", a.Code, a.Text))
		}
	}
	return strings.Join(texts, "; ")
}

// fieldName returns the name of a field as pages have it.
func fieldName(field string) string {
	switch field {
	case "tipo_logradouro", "logradouro", "numero", "complemento", "bairro", "cep":
		return "Rua"
	case "ddd_1", "telefone_1", "ddd_2", "telefone_2":
		return "Telefone"
	case "ddd_fax", "fax":
		return "Fax"
	}
	return fieldNames[field]
}

var fieldNames = map[string]string{
	"situacao_cadastral": "Situação", "data_situacao_cadastral": "Data da situação", "motivo_situacao_cadastral": "Motivo da situação",
	"data_inicio_atividade": "Abertura", "identificador_matriz_filial": "Matriz ou filial", "cnae_fiscal_principal": "Atividade principal",
	"cnae_fiscal_secundaria": "Atividades secundárias", "uf": "UF", "municipio": "Município", "nome_cidade_exterior": "Cidade", "pais": "País",
	"correio_eletronico": "E-mail", "nome_fantasia": "Nome fantasia", "situacao_especial": "Situação especial",
	"data_situacao_especial": "Data da situação especial", "razao_social": "Nome empresarial", "capital_social": "Capital social",
	"natureza_juridica": "Natureza jurídica", "porte_empresa": "Porte", "qualificacao_responsavel": "Qualificação do responsável",
	"ente_federativo_responsavel": "Ente federativo responsável", "qualificacao_socio": "Qualificação",
	"data_entrada_sociedade": "Entrada", "representante_legal": "CPF do representante", "nome_representante": "Representante",
	"qualificacao_representante_legal": "Qualificação do representante", "faixa_etaria": "Faixa etária",
	"opcao_pelo_simples": "Optante pelo Simples", "data_opcao_pelo_simples": "Opção pelo Simples", "data_exclusao_simples": "Exclusão do Simples",
	"opcao_pelo_mei": "Optante pelo MEI", "data_opcao_pelo_mei": "Opção pelo MEI", "data_exclusao_mei": "Exclusão do MEI",
	"registros": "Registros", "total": "Total", "campos": "Campos que mudaram",
}
