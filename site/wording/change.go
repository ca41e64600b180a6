package wording

import (
	"slices"
	"strings"

	"razao/internal/data/change"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
)

// Change is an event of a company in words.
type Change struct {
	Title    string         // what happened: Baixa
	Of       string         // the partner or source that it is about, "" otherwise
	Date     record.Date    // when it happened, 0 if that is not published
	Fields   []ChangedField // never those that must not be shown
	Withheld []string       // names of fields that changed and must not be shown
}

// ChangedField is a field before and after, in words; "" means that it had no value.
type ChangedField struct{ Name, Before, After string }

// ChangeOf puts an event into words.
func ChangeOf(atlas *territory.Atlas, snap *snapshot.Snapshot, c *snapshot.Change) Change {
	info := c.Kind.Info()
	w := Change{Title: info.Title, Date: c.Date}
	switch info.Part {
	case change.Partners:
		w.Of = ptbr.Partner(&record.Partner{IdentificadorSocio: c.Partner.Type, NomeSocio: c.Partner.Name})
	case change.Records:
		if src, ok := source.Find(c.Load.Source); ok {
			w.Of = src.Title
		}
	}
	for _, name := range c.Withheld {
		w.Withheld = append(w.Withheld, fieldName(name))
	}
	w.Withheld = slices.Compact(w.Withheld)
	f := changedFields{atlas: atlas, snap: snap, change: c}
	switch c.Kind {
	case change.Address, change.Moved:
		f.add(addressName(c), f.address(c.Before), f.address(c.After))
	case change.Contact:
		f.contact()
	case change.Activities:
		before, after := f.activities(c.Before, c.After), f.activities(c.After, c.Before)
		f.add("Só antes, só agora", before, after)
	default:
		for _, field := range c.Fields() {
			if !slices.Contains(c.Withheld, field.Name) {
				f.add(fieldName(field.Name), f.value(&field, c.Value(c.Before, field.Name)), f.value(&field, c.Value(c.After, field.Name)))
			}
		}
	}
	w.Fields = f.rows
	return w
}

// changedFields collects the fields of an event.
type changedFields struct {
	atlas  *territory.Atlas
	snap   *snapshot.Snapshot
	change *snapshot.Change
	rows   []ChangedField
}

// add adds a row, unless both sides read the same.
func (f *changedFields) add(name, before, after string) {
	if before != after {
		f.rows = append(f.rows, ChangedField{name, before, after})
	}
}

// value puts the value of a field into words.
func (f *changedFields) value(field *record.Field, published string) string {
	switch {
	case published == "":
		return ""
	case field.Name == "municipio":
		return placeOf(f.atlas, f.snap, &record.Establishment{UF: "BR", Municipio: published}, ptbr.Street).Municipality
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

// addressName is the name of the row: without streets, as of natural persons, only the municipality
// is left.
func addressName(c *snapshot.Change) string {
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
	"registros": "Registros", "total": "Total",
}
