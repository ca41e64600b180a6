// Package glossary says what the words mean that visitors meet on these pages: each is declared once, with where that is
// laid down and which published fields it explains.
package glossary

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Entry is one term. Its text is in Portuguese.
type Entry struct {
	ID     string   // of its place in /glossario
	Term   string   // as pages write it in the middle of a sentence, or as a proper name
	About  string   // two or three sentences
	Origin Origin   // what the explanation rests on
	Fields []string // ids of /dicionario that it explains: table.field, or a table
}

// Origin is a law, a rule or a page.
type Origin struct {
	Text string
	URL  string // absolute, or a path of this site; "" of a rule that has no lasting address
}

// Label returns the term as a label or a heading has it.
func (e *Entry) Label() string {
	first, size := utf8.DecodeRuneInString(e.Term)
	return string(unicode.ToUpper(first)) + e.Term[size:]
}

// Group is terms that belong together.
type Group struct {
	ID, Title string
	Entries   []Entry
}

// Groups returns all terms in the order of the page.
func Groups() []Group {
	return []Group{
		{"cadastro", "Cadastro da empresa", registration()},
		{"situacao", "Situação cadastral", statuses()},
		{"socios", "Sócios e representantes", partners()},
		{"registros", "Registros públicos", records()},
		{"dados", "Os dados e as cargas", data()},
	}
}

// declared is the terms by their ids and by the fields that they explain, made once.
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

// Find returns a term by its id.
func Find(id string) (Entry, bool) {
	found := declared().ids[id]
	if len(found) == 0 {
		return Entry{}, false
	}
	return found[0], true
}

// Of returns the terms that explain a field or a table of the dictionary, nil for most.
func Of(field string) []Entry { return declared().fields[field] }

// About returns the terms that explain a table or any of its fields.
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

const planalto = "https://www.planalto.gov.br/ccivil_03/"

// The origins that several terms share.
var (
	registry  = Origin{"Instrução Normativa RFB 2.119/2022, sobre o CNPJ", ""}
	civilCode = Origin{"Código Civil (Lei 10.406/2002)", planalto + "leis/2002/l10406compilada.htm"}
	smallFirm = Origin{"Lei Complementar 123/2006", planalto + "leis/lcp/lcp123.htm"}
	layout    = Origin{"Receita Federal, leiaute dos dados abertos do CNPJ", "https://www.gov.br/receitafederal/dados/cnpj-metadados.pdf"}
	corrupt   = Origin{"Lei 12.846/2013 (Lei Anticorrupção)", planalto + "_ato2011-2014/2013/lei/l12846.htm"}
	bids      = Origin{"Lei 14.133/2021 (Lei de Licitações)", planalto + "_ato2019-2022/2021/lei/l14133.htm"}
	nature    = Origin{"Decreto 6.514/2008", planalto + "_ato2007-2010/2008/decreto/d6514.htm"}
	slavery   = Origin{"Portaria Interministerial MTE/MDHC/MIR 18/2024", ""}
	debt      = Origin{"Lei 6.830/1980, artigo 2º", planalto + "leis/l6830.htm"}
	concla    = Origin{"Concla, IBGE", "https://concla.ibge.gov.br/"}
	privacy   = Origin{"Privacidade, neste site", "/privacidade"}
	guide     = Origin{"Documentação da API, neste site", "/api"}
	sources   = Origin{"Situação das fontes, neste site", "/fontes"}
	bndes     = Origin{"Metodologia do BNDES, neste site", "/metodologia/bndes"}
)
