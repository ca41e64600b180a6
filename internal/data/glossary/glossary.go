// Package glossary declares the terms that visitors meet on the pages, each once: a definition, the
// law or page that it rests on, and the published fields that it explains. /glossario lists them,
// the data dictionary and other pages link to them. Its [Caveats] say what an answer does not say.
package glossary

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Entry is a term with its definition, in Portuguese.
type Entry struct {
	ID     string   // anchor in /glossario
	Term   string   // in lower case unless it is a proper name or acronym
	About  string   // two or three sentences
	Origin Origin   // source of the definition
	Fields []string // ids in /dicionario that it explains: "table.field" or "table"
}

// Origin is a law, a regulation or a page.
type Origin struct {
	Text string
	URL  string // absolute, or a path of this site; "" if there is no permanent URL
}

// Label returns the term with a capital initial, for labels and headings.
func (e *Entry) Label() string {
	first, size := utf8.DecodeRuneInString(e.Term)
	return string(unicode.ToUpper(first)) + e.Term[size:]
}

// Path returns the address of the term in the glossary.
func (e *Entry) Path() string { return "/glossario#" + e.ID }

// Group is a section of the glossary.
type Group struct {
	ID, Title string
	Entries   []Entry
}

// Groups returns all terms in the order of the page. The caller may change the result.
func Groups() []Group {
	return []Group{
		{"cadastro", "Cadastro da empresa", registration()},
		{"situacao", "Situação cadastral", statuses()},
		{"socios", "Sócios e representantes", partners()},
		{"registros", "Registros públicos", records()},
		{"dados", "Os dados e as cargas", data()},
		{"nao-publicado", "O que estas fontes não publicam", unpublished()},
	}
}

// declared returns the terms by id and by field. The maps are built once and must not be changed.
var declared = sync.OnceValue(func() (all struct{ ids, fields map[string][]Entry }) {
	all.ids, all.fields = map[string][]Entry{}, map[string][]Entry{}
	for _, g := range Groups() {
		for _, e := range g.Entries {
			all.ids[e.ID] = append(all.ids[e.ID], e)
			for _, field := range e.Fields {
				all.fields[field] = append(all.fields[field], e)
			}
		}
	}
	return all
})

// Find returns the term with an id.
func Find(id string) (Entry, bool) {
	found := declared().ids[id]
	if len(found) == 0 {
		return Entry{}, false
	}
	return found[0], true
}

// Unpublished returns the terms for what none of the sources publishes, so that no answer can have it.
func Unpublished() []Entry { return unpublished() }

// Of returns the terms for a field or table of the dictionary, nil if there are none. The caller
// must not change the slice.
func Of(field string) []Entry { return declared().fields[field] }

// About returns the terms for a table or any of its fields, in the order of the page.
func About(table string) []Entry {
	var about []Entry
	for _, g := range Groups() {
		for _, e := range g.Entries {
			if slices.ContainsFunc(e.Fields, func(field string) bool { return field == table || strings.HasPrefix(field, table+".") }) {
				about = append(about, e)
			}
		}
	}
	return about
}

const planalto = "https://www.planalto.gov.br/ccivil_03/" // federal laws

// Origins shared by several terms.
var (
	registry  = Origin{"Instrução Normativa RFB 2.119/2022, sobre o CNPJ", ""}
	civilCode = Origin{"Código Civil (Lei 10.406/2002)", planalto + "leis/2002/l10406compilada.htm"}
	icms      = Origin{"Lei Complementar 87/1996 (Lei Kandir)", planalto + "leis/lcp/lcp87.htm"}
	smallFirm = Origin{"Lei Complementar 123/2006", planalto + "leis/lcp/lcp123.htm"}
	layout    = Origin{"Receita Federal, leiaute dos dados abertos do CNPJ", "https://www.gov.br/receitafederal/dados/cnpj-metadados.pdf"}
	corrupt   = Origin{"Lei 12.846/2013 (Lei Anticorrupção)", planalto + "_ato2011-2014/2013/lei/l12846.htm"}
	bids      = Origin{"Lei 14.133/2021 (Lei de Licitações)", planalto + "_ato2019-2022/2021/lei/l14133.htm"}
	nature    = Origin{"Decreto 6.514/2008", planalto + "_ato2007-2010/2008/decreto/d6514.htm"}
	slavery   = Origin{"Portaria Interministerial MTE/MDHC/MIR 18/2024", ""}
	debt      = Origin{"Lei 6.830/1980, artigo 2º", planalto + "leis/l6830.htm"}
	concla    = Origin{"Concla, IBGE", "https://concla.ibge.gov.br/"}
	listed    = Origin{"CVM, dados abertos das companhias abertas", "https://dados.cvm.gov.br/"}
	privacy   = Origin{"Privacidade, neste site", "/privacidade"}
	guide     = Origin{"Documentação da API, neste site", "/api"}
	sources   = Origin{"Situação das fontes, neste site", "/fontes"}
	bndes     = Origin{"Metodologia do BNDES, neste site", "/metodologia/bndes"}
)
