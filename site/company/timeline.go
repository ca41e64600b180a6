package company

import (
	"slices"
	"strconv"
	"time"

	"razao/internal/ptbr"
	"razao/internal/registry"
)

// timelineLength is how many facts the time line of a company has.
const timelineLength = 15

// event is a dated fact of a company's page.
type event struct {
	Day      time.Time
	Text     string
	Detail   string
	URL      string // of the place on the page that says so
	Expected bool   // the day is still to come
}

// Date returns the day as people write it.
func (e event) Date() string { return e.Day.Format("02/01/2006") }

// ISO returns the day as programs write it.
func (e event) ISO() string { return e.Day.Format(time.DateOnly) }

// milestone is a field of a source's records that says when something happened.
type milestone struct {
	field  string
	text   string
	detail string // field
}

// milestones are by source. Registers that only say what is in force have none.
var milestones = map[string][]milestone{
	"pgfn": {{"data_inscricao", "Inscrição em dívida ativa", "numero_inscricao"}},
	"ceis": {
		{"data_inicio_sancao", "Início de sanção (CEIS)", "categoria_sancao"},
		{"data_final_sancao", "Fim de sanção (CEIS)", "categoria_sancao"},
	},
	"cnep": {
		{"data_inicio_sancao", "Início de sanção (CNEP)", "categoria_sancao"},
		{"data_final_sancao", "Fim de sanção (CNEP)", "categoria_sancao"},
	},
	"acordos_leniencia": {
		{"data_inicio_acordo", "Início de acordo de leniência", "orgao_sancionador"},
		{"data_fim_acordo", "Fim de acordo de leniência", "orgao_sancionador"},
	},
	"ibama_autos":    {{"dat_hora_auto_infracao", "Auto de infração do IBAMA", "tipo_infracao"}},
	"ibama_embargos": {{"dat_embargo", "Embargo do IBAMA", "nome_imovel"}, {"dat_desembargo", "Desembargo do IBAMA", "nome_imovel"}},
	"pncp":           {{"data_assinatura", "Contrato público assinado", "numero_contrato_empenho"}},
	"pncp_orgao":     {{"data_assinatura", "Contrato público assinado como contratante", "numero_contrato_empenho"}},
	"bndes":          {{"data_da_contratacao", "Operação do BNDES contratada", "produto"}},
}

// timeline returns the newest dated facts of what a page shows, newest first.
func timeline(p *companyPage, pages []registry.SourcePage, now time.Time) []event {
	events := append(registrationEvents(p), partnerEvents(p.Partners.Rows)...)
	for i := range pages {
		events = append(events, recordEvents(&pages[i])...)
	}
	slices.SortStableFunc(events, func(a, b event) int { return b.Day.Compare(a.Day) })
	events = events[:min(timelineLength, len(events))]
	for i := range events {
		events[i].Expected = events[i].Day.After(now)
	}
	return events
}

func registrationEvents(p *companyPage) []event {
	const at = "#cadastro"
	var events []event
	if p.Opened != 0 {
		events = append(events, event{Day: p.Opened.Time(), Text: "Abertura do estabelecimento", URL: at})
	}
	if since := p.Status.Since; since != 0 && since != p.Opened {
		events = append(events, event{Day: since.Time(), Text: "Situação cadastral", Detail: p.Status.Text, URL: at})
	}
	if p.SpecialSince != 0 {
		events = append(events, event{Day: p.SpecialSince.Time(), Text: "Situação especial", Detail: p.Special, URL: at})
	}
	return events
}

// partnerEvents tells of those who entered on one day together: a company may have begun with hundreds.
func partnerEvents(partners []partnerRow) []event {
	var events []event
	count := map[time.Time]int{}
	for _, partner := range partners {
		if partner.Entry == 0 {
			continue
		}
		day := partner.Entry.Time()
		if count[day]++; count[day] == 1 {
			events = append(events, event{Day: day, Text: "Entrada no quadro societário", Detail: partner.Name, URL: "#socios"})
		}
	}
	for i := range events {
		if n := count[events[i].Day]; n > 1 {
			events[i].Detail = strconv.Itoa(n) + " sócios"
		}
	}
	return events
}

func recordEvents(p *registry.SourcePage) []event {
	var events []event
	for i := range p.Items {
		it := &p.Items[i]
		for _, m := range milestones[p.Source.ID] {
			day, ok := ptbr.ParseDay(valueOf(it, m.field))
			if !ok {
				continue
			}
			e := event{Day: day, Text: m.text, Detail: valueOf(it, m.detail), URL: "#" + recordID(p.Source.ID, p.From+i)}
			if it.Value("sit_cancelado") == "S" {
				e.Text += ", cancelado"
			}
			events = append(events, e)
		}
	}
	return events
}
