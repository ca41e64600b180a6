package reference

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/glossary"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/snapshot"
	"razao/site/changes"
	"razao/site/find"
	"razao/site/network"
	"razao/site/page"
	"razao/site/people"
	"razao/site/places"
)

// dictionaryPage describes every published field.
type dictionaryPage struct {
	page.Frame
	Groups []dictionaryGroup
}

// dictionaryGroup is a section of tables.
type dictionaryGroup struct {
	ID, Title, About string
	Tables           []dictionaryTable
}

// dictionaryTable is a kind of record: a table of the company registry, a source, or a CSV file.
type dictionaryTable struct {
	ID, Title, About string
	Fields           []dictionaryField
	Terms            []glossary.Entry // for the table as a whole
}

// dictionaryField describes a published field.
type dictionaryField struct {
	Table    string // id of the table
	Name     string
	Kind     string
	Domain   string // valid values, or where they are listed; "" if not a code
	Unit     string
	Personal bool
	About    string
	Terms    []glossary.Entry // glossary entries not linked earlier on the page
}

// ID returns the field's anchor in the page.
func (f *dictionaryField) ID() string { return f.Table + "." + f.Name }

// Given returns type and unit; the unit is left out if the type names it.
func (f *dictionaryField) Given() string {
	if f.Unit == "" || strings.Contains(f.Kind, f.Unit) {
		return f.Kind
	}
	return f.Kind + ", " + f.Unit
}

// dictionary answers /dicionario.
func (hs *Handlers) dictionary(context.Context, *snapshot.Snapshot) page.Page {
	p := &dictionaryPage{Groups: dictionaryGroups()}
	p.Crumbs = page.Trail("API", "/api", "Dicionário de dados")
	p.link()
	p.Title = "Dicionário de dados"
	p.Description = "O que quer dizer cada campo da API, dos registros públicos e das tabelas: tipo, unidade, códigos, descrição e se é dado pessoal."
	p.Canonical = "/dicionario"
	return p
}

// link sets the glossary entries of tables and fields. Each entry is linked only once, where it
// first applies.
func (p *dictionaryPage) link() {
	linked := map[string]bool{}
	first := func(id string) []glossary.Entry {
		return slices.DeleteFunc(slices.Clone(glossary.Of(id)), func(e glossary.Entry) bool {
			again := linked[e.ID]
			linked[e.ID] = true
			return again
		})
	}
	for _, g := range p.Groups {
		for i := range g.Tables {
			t := &g.Tables[i]
			t.Terms = first(t.ID)
			for j := range t.Fields {
				t.Fields[j].Terms = first(t.Fields[j].ID())
			}
		}
	}
}

// dictionaryCSV answers /dicionario.csv with the rows of /dicionario.
func (hs *Handlers) dictionaryCSV() gin.HandlerFunc {
	column := page.NewColumn[*dictionaryField]
	columns := page.Columns[*dictionaryField]{
		column("tabela", record.Text, "tabela, como na API", func(f *dictionaryField) string { return f.Table }),
		column("campo", record.Text, "nome do campo", func(f *dictionaryField) string { return f.Name }),
		column("tipo", record.Text, "tipo", func(f *dictionaryField) string { return f.Kind }),
		column("dominio", record.Text, "códigos ou valores possíveis", func(f *dictionaryField) string { return f.Domain }),
		column("unidade", record.Text, "unidade ou formato", func(f *dictionaryField) string { return f.Unit }),
		column("pessoal", record.Text, "sim quando pode ser dado pessoal, ou não", func(f *dictionaryField) string { return map[bool]string{true: "sim", false: "não"}[f.Personal] }),
		column("descricao", record.Text, "o que quer dizer", func(f *dictionaryField) string { return f.About }),
	}
	var rows []*dictionaryField
	for _, g := range dictionaryGroups() {
		for _, t := range g.Tables {
			for i := range t.Fields {
				rows = append(rows, &t.Fields[i])
			}
		}
	}
	of := record.Table{Title: "Dicionário de dados", About: "Os campos da API, dos registros públicos e das tabelas para baixar.", Fields: columns.Fields()}
	return hs.pages.FixedTable(page.TableOf(of, columns, rows, "dicionario", "/dicionario"))
}

// dictionaryGroups builds the dictionary from the declarations: company registry, sources, loads, CSV
// files.
func dictionaryGroups() []dictionaryGroup {
	groups := []dictionaryGroup{
		{ID: "cadastro", Title: "Cadastro", About: "Como a API publica o cadastro da Receita Federal. Texto ou código ausente é vazio; o que mais faltar é null. " +
			"O que os códigos de um registro querem dizer está no objeto descricoes, ao fim dele."},
		{ID: "registros", Title: "Registros públicos", About: "Os registros de cada fonte, com os nomes e os valores de quem publica. O que falta é null."},
		{ID: "cargas", Title: "Fontes e cargas", About: "O que a API diz de cada página de uma fonte, antes dos registros, de cada fonte no catálogo e de cada mudança."},
		{ID: "tabelas", Title: "Tabelas para baixar", About: "Arquivos CSV em UTF-8, separados por vírgula. Com formato=excel, como o Excel e o LibreOffice do Brasil os abrem; com formato=xlsx, uma planilha que diz de onde vem, e nesses dois as colunas têm títulos em vez destes nomes; com formato=ndjson, um objeto JSON por linha; com formato=descricao, as colunas e a origem, como Data Package. O que falta é vazio, em NDJSON null."},
	}
	for _, t := range record.Tables() {
		of := &groups[0]
		if len(of.Tables) == 4 { // the four tables of the release come first, those about loads follow
			of = &groups[2]
		}
		of.Tables = append(of.Tables, tableOf(&t))
	}
	for _, src := range source.All() {
		groups[1].Tables = append(groups[1].Tables, sourceOf(&src))
	}
	for _, t := range append([]record.Table{find.Exported(), find.ExportedPartner(), changes.Exported(), network.Exported(), network.ExportedGroup(), people.ExportedPortfolio(), places.Exported()}, places.ExportedSeries()...) {
		groups[3].Tables = append(groups[3].Tables, fileOf(&t))
	}
	return groups
}

// tableOf converts a table of package record.
func tableOf(t *record.Table) dictionaryTable {
	out := dictionaryTable{ID: strings.ToLower(t.Name), Title: t.Title, About: t.About}
	for _, f := range t.Fields {
		field := dictionaryField{
			Table: out.ID, Name: f.Name, Kind: string(f.Kind), Unit: f.Kind.Unit(), Personal: f.Personal, About: f.About,
			Domain: cmp.Or(f.Domain.Says(), strings.Join(f.Values, "; ")),
		}
		if f.Of != nil {
			field.Domain = "os campos de " + strings.ToLower(f.Of().Name)
		}
		out.Fields = append(out.Fields, field)
	}
	return out
}

// fileOf is tableOf for a CSV file, in which an absent value is empty instead of null.
func fileOf(t *record.Table) dictionaryTable {
	out := tableOf(t)
	for i := range out.Fields {
		kind, _ := strings.CutSuffix(out.Fields[i].Kind, " ou null")
		out.Fields[i].Kind = strings.TrimSuffix(kind, ",")
	}
	return out
}

// sourceOf converts the fields of a source.
func sourceOf(src *source.Source) dictionaryTable {
	kinds := map[source.Kind]string{
		source.Text: "texto", source.Code: "texto", source.Number: "número", source.JSON: "valor JSON", source.Document: string(record.CNPJ),
	}
	out := dictionaryTable{ID: src.ID, Title: src.Title, About: src.Description}
	for _, f := range src.Fields {
		out.Fields = append(out.Fields, dictionaryField{
			Table: src.ID, Name: f.Name, Kind: kinds[f.Kind], Unit: f.Unit, Personal: f.Personal, About: f.About,
		})
	}
	return out
}
