package records

import (
	"strconv"
	"strings"
	"time"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/site/chart"
)

// ExampleCards are cards with invented content, for the page that shows all components.
type ExampleCards struct {
	Section
	Cards []Card
}

// NewExampleCards returns a card for each state of a source; the one without records is stale.
func NewExampleCards() ExampleCards {
	cards := exampleCards()
	return ExampleCards{Section{Briefs: exampleBriefs(), Themes: []Theme{{Cards: cards[:1]}}, Others: cards[1:]}, cards}
}

// exampleBriefs returns one brief per state of a subject.
func exampleBriefs() []Brief {
	return []Brief{
		{Text: "Com registros", URL: "#encontrado", Says: "R$" + ptbr.NBSP + "18.204,11", Detail: "2 registros", Status: registry.Found},
		{Text: "Sem registros", URL: "#sem_ocorrencia", Says: "nada nesta carga", Status: registry.None},
		{Text: "Sem carga", URL: "#indisponivel", Says: "sem carga", Status: registry.Unavailable},
		{Text: "Com erro", URL: "#erro", Says: "não foi possível consultar agora", Status: registry.Failed},
	}
}

// exampleCards returns one card per state of a source.
func exampleCards() []Card {
	loaded := time.Date(2026, 10, 2, 9, 0, 0, 0, time.UTC)
	from := record.Provenance{Orgao: "Órgão de exemplo", Conjunto: "Conjunto de exemplo", Licenca: "CC BY 4.0"}
	cards := []Card{
		{
			ID: "encontrado", Status: registry.Found, Total: 2, Among: 2, From: 1, Columns: []column{{Label: "Inscrição", Class: "id"}, {Label: "Descrição", Class: "wide"}, {Label: "Valor", Class: "num"}},
			Rows: []Row{{"registro-1", [][]piece{
				onePiece(piece{Text: "80 6 19 000123-45"}),
				{shortened("Texto longo, como as fontes publicam. " + strings.Repeat("Continua e continua. ", 8)), {Text: "em cobrança", Soft: true}},
				onePiece(piece{Text: "R$" + ptbr.NBSP + "9.104,11"}),
			}}, {"registro-2", [][]piece{
				onePiece(piece{Text: "80 6 21 000123-45"}), onePiece(piece{Text: "Texto curto."}), onePiece(piece{Text: "R$" + ptbr.NBSP + "9.100,00"}),
			}}},
		},
		{ID: "sem_ocorrencia", Status: registry.None, Stale: true},
		{ID: "indisponivel", Status: registry.Unavailable},
		{ID: "erro", Status: registry.Failed},
	}
	row := func(text string, count int64, sum string) SummaryRow {
		return SummaryRow{Choice{text, count, "#encontrado", text == "Todos"}, true, sum, "R$" + ptbr.NBSP + "18.204,11"}
	}
	cards[0].Summary = &Summary{
		StateName: "Situação", Amount: "Valor", First: "02/01/2019", Last: "31/12/2021", Notes: []string{"O que a soma é e o que ela não é."},
		Rows: []SummaryRow{row("Em cobrança", 1, "R$"+ptbr.NBSP+"18.204,11"), row("Garantia", 1, "")},
		All:  row("Todos", 2, "R$"+ptbr.NBSP+"18.204,11"),
		Years: &chart.Columns{
			Title: "Valor por ano, em reais", Axis: "Ano", Caption: "Fonte de exemplo 1, por ano", Note: "Cada coluna leva aos registros do ano.", Series: []chart.Series{{Name: "Valor"}}, Money: true,
			Points: []chart.Point{
				{Text: "2019", Row: "2019, 1 registro", URL: "#encontrado", Current: true, Values: [2]int64{9_104_11}},
				{Text: "2020", Row: "2020, 0 registros"},
				{Text: "2021", Row: "2021, 1 registro", URL: "#encontrado", Values: [2]int64{9_100_00}},
			},
			Extra: []chart.Point{{Text: "Todos os anos", Row: "Todos os anos, 2 registros", URL: "#encontrado", Values: [2]int64{18_204_11}}},
		},
		Orders: []Choice{{"da publicação", 2, "#encontrado", true}, {"maior valor", 2, "#encontrado", false}},
	}
	for i := range cards {
		c := &cards[i]
		c.Title, c.Description, c.Provenance = "Fonte de exemplo "+strconv.Itoa(i+1), "O que a fonte publica, em uma frase.", from
		if c.Found() || c.None() {
			c.Period, c.LoadedAt, c.Coverage = "06/2026", &loaded, "01/2023"
		}
	}
	return cards
}
