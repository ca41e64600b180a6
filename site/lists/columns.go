package lists

import (
	"context"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/dossier"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/find"
	"razao/site/page"
)

// always are the columns of companies that every file has: who was found.
var always = []string{"razao_social", "identificador_matriz_filial", "municipio", "uf"}

// choice is a group of columns that one ticks.
type choice struct {
	value, label string
	usual        bool            // ticked before anything is chosen
	fields       []string        // columns of a file of companies (find.Columns)
	subject      dossier.Subject // that the columns are about; "": none
}

// The groups that are neither fields of companies alone nor a subject.
const (
	simplesGroup  = "simples"
	partnersGroup = "socios"
)

// choicesOf are all groups, in the order of pages and files.
var choicesOf = []choice{
	{"situacao", "Situação, e desde quando", true, []string{"situacao_cadastral", "data_situacao_cadastral"}, ""},
	{"atividade", "Atividade principal", true, []string{"cnae_fiscal_principal", "descricao_cnae"}, ""},
	ofSubject(dossier.Debts, true),
	ofSubject(dossier.Sanctions, true),
	ofSubject(dossier.Labour, false),
	ofSubject(dossier.Environment, false),
	ofSubject(dossier.Contracts, false),
	{simplesGroup, "Simples e MEI", false, nil, ""},
	{partnersGroup, "Sócios", false, nil, ""},
	{"cadastro", "Nome fantasia, abertura, natureza, porte e capital", false, []string{
		"nome_fantasia", "data_inicio_atividade", "natureza_juridica", "porte_empresa", "capital_social", "codigo_municipio", "codigo_municipio_ibge",
	}, ""},
	{"contato", "Endereço e contato de pessoas jurídicas", false, []string{"cep", "logradouro", "correio_eletronico", "telefone_1", "telefone_2"}, ""},
}

func ofSubject(s dossier.Subject, usual bool) choice {
	return choice{value: string(s), label: wording.SubjectTitle(s), usual: usual, subject: s}
}

// columnChoice is a tick box.
type columnChoice struct {
	Value, Label string
	Ticked       bool
}

func choices(chosen []string) (all []columnChoice) {
	for _, c := range choicesOf {
		all = append(all, columnChoice{c.value, c.label, slices.Contains(chosen, c.value)})
	}
	return all
}

// chosenColumns reads the groups of columns of a request: without any, the usual ones. The error is an *page.InvalidParameter.
func chosenColumns(c *gin.Context) (chosen []string, err error) {
	given := c.QueryArray(columnsField)
	var values []string
	for _, of := range choicesOf {
		values = append(values, of.value)
		if slices.Contains(given, of.value) || len(given) == 0 && of.usual {
			chosen = append(chosen, of.value)
		}
	}
	for _, value := range given {
		if !slices.Contains(values, value) {
			return nil, page.UnknownValue(columnsField, value, "Deve ser "+ptbr.Alternatives(values)+".")
		}
	}
	return chosen, nil
}

// ofCompanies returns the columns of companies that a file has beside those of the list.
func (hs *Handlers) ofCompanies(ctx context.Context, snap *snapshot.Snapshot, a *answer, lines []*line, chosen []string) (page.Columns[*line], error) {
	columns := hs.fieldsOf(snap, always)
	for _, c := range choicesOf {
		if slices.Contains(chosen, c.value) {
			further, err := hs.columnsOf(ctx, snap, a, lines, c)
			if err != nil {
				return nil, err
			}
			columns = append(columns, further...)
		}
	}
	return columns, nil
}

// columnsOf returns the columns of a group.
func (hs *Handlers) columnsOf(ctx context.Context, snap *snapshot.Snapshot, a *answer, lines []*line, c choice) (page.Columns[*line], error) {
	switch {
	case c.value == simplesGroup:
		return optionColumns(snap), nil
	case c.value == partnersGroup:
		names, err := partnersOf(ctx, snap, lines)
		return page.Columns[*line]{page.NewColumn("socios", record.Text, "nomes no quadro societário, os primeiros dez", func(l *line) string { return names[l] })}, err
	case c.subject != "":
		return find.SubjectColumns(a.dossier, c.subject), nil
	}
	return hs.fieldsOf(snap, c.fields), nil
}

// fieldsOf returns columns of companies for lines.
func (hs *Handlers) fieldsOf(snap *snapshot.Snapshot, names []string) (columns page.Columns[*line]) {
	for _, column := range find.Columns() {
		if slices.Contains(names, column.Name) {
			columns = append(columns, page.Column[*line]{Field: column.Field, Of: func(l *line) string {
				if l.Match == nil {
					return ""
				}
				return column.Of(find.NewRow(hs.atlas, snap, l.Match))
			}})
		}
	}
	return columns
}

// optionColumns are the options for Simples and MEI, in words.
func optionColumns(snap *snapshot.Snapshot) page.Columns[*line] {
	column := func(name, about string, of func(*snapshot.Snapshot, *pack.Head) wording.Regime) page.Column[*line] {
		return page.NewColumn(name, record.Text, about, func(l *line) string {
			if l.Match == nil {
				return ""
			}
			return of(snap, l.Match.Head).String()
		})
	}
	return page.Columns[*line]{
		column("simples", "opção pelo Simples Nacional, com as datas", wording.SimplesOf), column("mei", "opção pelo MEI, com as datas", wording.MEIOf),
	}
}

const mostPartners = 10 // that a cell names

// partnersOf returns the names of the partners of the companies of lines.
func partnersOf(ctx context.Context, snap *snapshot.Snapshot, lines []*line) (map[*line]string, error) {
	names := make(map[*line]string, len(lines))
	for _, l := range lines {
		if l.Match == nil {
			continue
		}
		var all []string
		err := snap.Partners(ctx, l.Match.Head, registry.Range{Limit: mostPartners}, func(p *record.Partner) error {
			all = append(all, ptbr.Partner(p))
			return nil
		})
		if err != nil {
			return nil, err
		}
		if more := l.Match.Partners - len(all); more > 0 {
			all = append(all, "e mais "+ptbr.Count(more))
		}
		names[l] = strings.Join(all, "; ")
	}
	return names, nil
}
