package company

import (
	"context"
	"strconv"
	"time"

	"razao/internal/data/ptbr"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/site/records"
)

// firstPartners is how many partners the summary names.
const firstPartners = 3

// readRecords reads the public records and their time line, to which it adds the events of the page
// itself: registration, and the entries of the first fifty partners, which the head row holds. The
// first of these are those of the summary, whatever page of the list is shown.
func (hs *Handlers) readRecords(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, p *companyPage, r *request) error {
	first, err := partners(ctx, snap, h, registry.Range{Limit: partnersPerPage})
	if err != nil {
		return err
	}
	p.FirstPartners = first[:min(firstPartners, len(first))]
	var missing []string
	if h.Partners > len(first) {
		missing = append(missing, "Das entradas de sócios estão as dos primeiros "+ptbr.Count(len(first))+" de "+ptbr.Count(h.Partners)+".")
	}
	p.Records, err = hs.records.Read(ctx, snap, h, r.records, append(registrationEvents(p), partnerEvents(first)...), missing...)
	return err
}

// registrationAt is the fragment of the registration facts. Events that link there are not worth a
// time line alone: see Dated.
const registrationAt = "#cadastro"

// registrationEvents returns the dated registration facts: opening, registration status and special
// situation.
func registrationEvents(p *companyPage) []records.Event {
	var events []records.Event
	if p.Opened != 0 {
		events = append(events, records.Event{Day: p.Opened.Time(), Text: "Abertura do estabelecimento", URL: registrationAt})
	}
	if since := p.Status.Since; since != 0 && since != p.Opened {
		events = append(events, records.Event{Day: since.Time(), Text: "Situação cadastral", Detail: p.Status.Text, URL: registrationAt})
	}
	if p.SpecialSince != 0 {
		events = append(events, records.Event{Day: p.SpecialSince.Time(), Text: "Situação especial", Detail: p.Special, URL: registrationAt})
	}
	return events
}

// partnerEvents returns one event per day on which partners entered; several on one day are
// counted, not named, because a company may begin with hundreds.
func partnerEvents(partners []partnerRow) []records.Event {
	var events []records.Event
	count := map[time.Time]int{}
	for _, partner := range partners {
		if partner.Entry == 0 {
			continue
		}
		day := partner.Entry.Time()
		if count[day]++; count[day] == 1 {
			events = append(events, records.Event{Day: day, Text: "Entrada no quadro societário", Detail: partner.Name, URL: "#socios"})
		}
	}
	for i := range events {
		if n := count[events[i].Day]; n > 1 {
			events[i].Detail = strconv.Itoa(n) + " sócios"
		}
	}
	return events
}
