package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/openapi"
	"razao/internal/data/profile"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/loads"
	"razao/internal/store/registry"
	"razao/internal/web"
)

const (
	qualityPath    = "/v2/fontes/{fonte}/qualidade"
	modeQuality    = "qualidade"
	loadParameter  = "carga"
	qualityExample = "v2_fonte_qualidade"
)

// errNoLoad is the error of a load that never was in service, or is not among the last fifty.
var errNoLoad = errors.New("no such load of this source")

// qualityAnswer is "dados" of the route.
type qualityAnswer struct {
	Source string          `json:"fonte"`
	Load   *measuredLoad   `json:"carga"`
	Former *measuredLoad   `json:"anterior"`
	Tables []measuredTable `json:"tabelas"`
	Loads  []measuredLoad  `json:"cargas"`
}

type measuredLoad struct {
	ID     int64            `json:"numero"`
	Period string           `json:"competencia"`
	At     *time.Time       `json:"carregada_em"`
	State  string           `json:"estado"`
	Forced bool             `json:"forcada"`
	Checks []registry.Check `json:"apesar_de"`
}

type measuredTable struct {
	Name       string           `json:"tabela"`
	Read       int64            `json:"linhas_lidas"`
	Rows       int64            `json:"linhas_medidas"`
	FormerRows *int64           `json:"linhas_medidas_antes"`
	Columns    []measuredColumn `json:"colunas"`
}

type measuredColumn struct {
	Name   string        `json:"coluna"`
	Now    *columnShape  `json:"agora"`
	Former *columnShape  `json:"antes"`
	Move   *columnMove   `json:"mudanca"`
	Months []filledMonth `json:"historico"`
}

type columnShape struct {
	Filled   int64           `json:"preenchidas"`
	Distinct *int64          `json:"distintos"`
	Largest  *int64          `json:"mais_comum"`
	Unknown  *int64          `json:"fora_da_tabela"`
	Quantile []string        `json:"quantis"`
	Lengths  []profile.Class `json:"comprimentos"`
	Shapes   []profile.Class `json:"formatos"`
	Values   []profile.Class `json:"valores"`
}

type columnMove struct {
	Figure profile.Figure `json:"medida"`
	Class  string         `json:"classe"`
	Before float64        `json:"antes"`
	After  float64        `json:"agora"`
	Beyond bool           `json:"alem_do_limite"`
}

type filledMonth struct {
	Load   int64  `json:"carga"`
	Period string `json:"competencia"`
	Rows   int64  `json:"linhas_medidas"`
	Filled int64  `json:"preenchidas"`
}

// quality serves /v2/fontes/{fonte}/qualidade: what was measured of each column of a load, beside the load before it. It needs no
// key.
func (a *API) quality(c *gin.Context, b *body) error {
	query, err := parameters(c.Request.URL, loadParameter)
	if err != nil {
		return err
	}
	id := c.Param("fonte")
	if _, known := source.Find(id); !known && id != registry.Receita {
		return errNoSource
	}
	var load int64
	if text := query.Get(loadParameter); query.Has(loadParameter) {
		if load, err = strconv.ParseInt(text, 10, 64); err != nil || load < 1 {
			return parameterError{name: loadParameter, problem: wrongValue, value: text, must: "Envie o número de uma carga."}
		}
	}
	s, err := a.config.Live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	ctx := c.Request.Context()
	q, err := loads.QualityOf(ctx, s, id, load)
	if errors.Is(err, registry.ErrNoLoad) {
		return errNoLoad
	}
	if err != nil {
		return err
	}
	dados, err := json.Marshal(qualityOf(id, s.LoadOf(id), q))
	if err != nil {
		return fmt.Errorf("encode what was measured: %w", err)
	}
	b.bytes = append(append(b.bytes, `{"dados":`...), dados...)
	b.etag = web.ETag(b.bytes)
	b.bytes = appendRelease(b.bytes, modeQuality)
	b.bytes = append(appendSnapshot(b.bytes, s, web.EventOf(ctx).RequestID, q.Load.ID == 0, nil), '}')
	return nil
}

// qualityOf returns what the answer says.
func qualityOf(id string, served int64, q *loads.Quality) *qualityAnswer {
	answer := &qualityAnswer{Source: id, Load: measuredLoadOf(&q.Load, served), Former: measuredLoadOf(q.Former, served), Tables: []measuredTable{}, Loads: []measuredLoad{}}
	for i := range q.Loads {
		answer.Loads = append(answer.Loads, *measuredLoadOf(&q.Loads[i], served))
	}
	for i := range q.Columns {
		c := &q.Columns[i]
		if n := len(answer.Tables); n == 0 || answer.Tables[n-1].Name != c.Table {
			t := measuredTable{Name: c.Table, Read: c.Read, Rows: c.Rows}
			if q.Former != nil {
				t.FormerRows = &c.FormerRows
			}
			answer.Tables = append(answer.Tables, t)
		}
		column := measuredColumn{Name: c.Name, Now: shapeOf(&c.Declaration, c.Now), Former: shapeOf(&c.Declaration, c.Former), Months: []filledMonth{}}
		if m := c.Moved; m != nil {
			column.Move = &columnMove{m.Figure, m.Class, m.Before, m.After, c.Beyond}
		}
		for j, f := range c.Filled {
			l := &q.Recent[j]
			column.Months = append(column.Months, filledMonth{l.ID, l.Period, f.Rows, f.Filled})
		}
		t := &answer.Tables[len(answer.Tables)-1]
		t.Columns = append(t.Columns, column)
	}
	return answer
}

// States of a load, as this route names them.
const (
	stateServed  = "em_uso"
	stateOut     = "fora_de_uso"
	stateRefused = "recusada"
)

// measuredLoadOf names a load; nil without one. served is the one in service.
func measuredLoadOf(l *registry.Load, served int64) *measuredLoad {
	if l == nil || l.ID == 0 {
		return nil
	}
	m := &measuredLoad{ID: l.ID, Period: l.Period, State: stateOut, Forced: len(l.Overruled) > 0, Checks: l.OverruledChecks()}
	switch {
	case l.State == registry.LoadRefused:
		m.State = stateRefused
	case l.ID == served:
		m.State = stateServed
	}
	if l.FinishedAt != nil {
		at := l.FinishedAt.UTC().Truncate(time.Second)
		m.At = &at
	}
	return m
}

// shapeOf returns what was measured of a column; nil if nothing was.
func shapeOf(d *profile.Declaration, c *profile.Column) *columnShape {
	if c == nil {
		return nil
	}
	s := &columnShape{
		Filled: c.Filled, Distinct: &c.Distinct, Quantile: append([]string{}, c.Quantile...),
		Lengths: profile.Classes(c.Lengths), Shapes: profile.Classes(c.Shapes), Values: c.Shown(d),
	}
	if d.Owner {
		s.Distinct, s.Lengths, s.Shapes = nil, []profile.Class{}, []profile.Class{} // those of words for it
	}
	if c.Largest > 0 {
		s.Largest = &c.Largest
	}
	if d.Domain != "" {
		s.Unknown = &c.Unknown
	}
	return s
}

// qualityOperation describes the route.
func qualityOperation() operation {
	ids := append([]string{registry.Receita}, source.IDs()...)
	return operation{
		Operation: openapi.Operation{
			Path: qualityPath, ID: "fonte_qualidade", Tags: []string{tagSources},
			Parameters: []openapi.Object{
				openapi.PathParameter("fonte", openapi.Object{openapi.Field("type", "string"), openapi.Field("enum", ids)}),
				openapi.QueryParameter(loadParameter, openapi.Object{
					openapi.Field("type", "integer"), openapi.Field("minimum", 1),
				}),
			},
		},
		public: true, schema: "RespostaQualidade", example: qualityExample,
		refusals: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusTooManyRequests, http.StatusServiceUnavailable},
	}
}

// qualitySchemas are the schemas of qualityAnswer and what it has.
func qualitySchemas() openapi.Object {
	var checks []string
	for _, check := range registry.Checks {
		checks = append(checks, string(check))
	}
	load := openapi.Record("Uma carga.",
		openapi.Field("numero", openapi.Integer("número da carga")),
		openapi.Field("competencia", openapi.Text("período da carga")),
		openapi.Property(record.Field{Name: "carregada_em", Kind: record.Moment, About: "quando a carga terminou (UTC)"}),
		openapi.Field("estado", openapi.Choice("se está em uso; recusada: não passou nas verificações e nunca entrou em uso, e só a última desde a carga em uso aparece", stateServed, stateOut, stateRefused)),
		openapi.Field("forcada", yesNo("true: o operador a publicou apesar de verificações que a recusariam")),
		openapi.Field("apesar_de", openapi.List(openapi.Choice("a verificação: linhas rejeitadas, contagens de linhas e registros, regras que deixam linhas de fora, formas das colunas, significado de códigos, mudanças desde a carga anterior", checks...))))
	classes := func(about string) openapi.Object {
		return append(openapi.List(component("ClasseMedida")), openapi.Field("description", about))
	}
	shape := openapi.Record("O que se mediu de uma coluna.",
		openapi.Field("preenchidas", openapi.Integer("linhas com valor")),
		openapi.Field("distintos", openapi.IntegerOrNull("valores distintos, estimados com erro típico de 2 %; null: só se mede de que espécie é o número do dono")),
		openapi.Field("mais_comum", openapi.IntegerOrNull("linhas com o valor mais comum; null: não se contam valores desta coluna")),
		openapi.Field("fora_da_tabela", openapi.IntegerOrNull("linhas com um código que a tabela de códigos não tem; null: a coluna não tem tabela")),
		openapi.Field("quantis", openapi.List(openapi.Text("1, 25, 50, 75 e 99 % das linhas têm este valor ou um menor: mês de uma data, ano, ou número, com erro de 5 %"))),
		openapi.Field("comprimentos", classes("bytes do valor; 96: 96 ou mais")),
		openapi.Field("formatos", classes("um sinal por espécie de caractere que ocorre: 9 dígito, A maiúscula, a minúscula, é letra fora do ASCII, _ espaço, # outro do ASCII, ^ controle, Ã texto decodificado errado; os sinais * . , - / @ + ? são eles mesmos")),
		openapi.Field("valores", classes("um dos 64 valores mais comuns: código, ano de uma data ou quantidade de algarismos antes da vírgula; ?: não se lê; do dono de um registro, cnpj, raiz ou inválido. Textos livres não aparecem; do cadastro, só o que tem a forma de um código; das outras fontes, só categorias em vinte linhas ou mais")))
	move := openapi.Record("A medida que mais se moveu desde a carga anterior, de 0 a 1: em parte das linhas medidas (preenchidas) ou das preenchidas (as outras).",
		openapi.Field("medida", openapi.Choice("o que se moveu", string(profile.Filled), string(profile.Lengths), string(profile.Shapes), string(profile.Values), string(profile.Largest), string(profile.Unknown))),
		openapi.Field("classe", openapi.Text("de comprimentos, formatos e valores, a classe; vazia nas outras medidas e quando o valor não aparece em valores")),
		openapi.Field("antes", openapi.Number("parte das linhas na carga anterior")), openapi.Field("agora", openapi.Number("parte das linhas nesta")),
		openapi.Field("alem_do_limite", yesNo("true: algo nesta coluna se moveu mais do que em edições normais; sem o operador a carga não seria publicada")))
	column := openapi.Record("Uma coluna publicada.",
		openapi.Field("coluna", openapi.Text("nome, como no dicionário")),
		openapi.Field("agora", component("ColunaMedida")), openapi.Field("antes", openapi.OrNull(component("ColunaMedida"))),
		openapi.Field("mudanca", openapi.OrNull(component("MudancaDaColuna"))),
		openapi.Field("historico", append(openapi.List(component("CargaDaColuna")), openapi.Field("description", "as últimas doze cargas medidas, da mais velha a esta"))))
	before := openapi.Record("Uma coluna em uma carga.",
		openapi.Field("carga", openapi.Integer("número da carga")), openapi.Field("competencia", openapi.Text("período da carga")),
		openapi.Field("linhas_medidas", openapi.Integer("linhas da tabela que se mediram; 0: a coluna não foi medida")),
		openapi.Field("preenchidas", openapi.Integer("linhas com valor")))
	table := openapi.Record("Uma tabela publicada.",
		openapi.Field("tabela", openapi.Text("nome do arquivo, ou identificador da fonte")),
		openapi.Field("linhas_lidas", openapi.Integer("linhas que se leram da tabela, ou de todos os arquivos da fonte")),
		openapi.Field("linhas_medidas", openapi.Integer("linhas que se mediram; das fontes, só entre as que se tornam registros")),
		openapi.Field("linhas_medidas_antes", openapi.IntegerOrNull("as da carga anterior; null sem ela")),
		openapi.Field("colunas", openapi.List(component("QualidadeDaColuna"))))
	dados := openapi.Record("O que se mediu de uma carga.",
		openapi.Field("fonte", openapi.Text("identificador da fonte")),
		openapi.Field("carga", openapi.OrNull(component("CargaMedida"))), openapi.Field("anterior", openapi.OrNull(component("CargaMedida"))),
		openapi.Field("tabelas", append(openapi.List(component("TabelaMedida")), openapi.Field("description", "vazia se a carga não foi medida: é de uma versão que ainda não media"))),
		openapi.Field("cargas", append(openapi.List(component("CargaMedida")), openapi.Field("description", "as cargas da fonte que estão ou já estiveram em uso, da mais nova à mais antiga, no máximo cinquenta; antes delas, a última que foi recusada desde então, se houver"))))
	class := openapi.Record("Quantas das linhas preenchidas.", openapi.Field("classe", openapi.Text("a classe")), openapi.Field("linhas", openapi.Integer("linhas")))
	return append(openapi.Object{
		openapi.Field("CargaMedida", load), openapi.Field("TabelaMedida", table), openapi.Field("QualidadeDaColuna", column), openapi.Field("ColunaMedida", shape),
		openapi.Field("ClasseMedida", class), openapi.Field("MudancaDaColuna", move), openapi.Field("CargaDaColuna", before),
	}, answered("Qualidade", modeQuality, dados)...)
}
