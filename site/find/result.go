package find

import (
	"razao/index"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

// result is one establishment in a list of results, as people read it.
type result struct {
	CNPJ       cnpj.Full
	Name       string
	TradeName  string
	HeadOffice string
	City       string
	Status     wording.Status
	Activity   wording.Activity
	Opened     string // "" when it is not known, as Capital
	Capital    string // of the company, as the numbers below
	Improbable bool   // the capital is not plausible
	Offices    int64  // establishments
	Sources    int    // that have records
	Reason     string // why it matched; "" when it is obvious
	Partner    *foundPartner
	Others     int64 // the company's other establishments; 0 when results are not grouped by company
	OthersURL  string

	name, tradeName []piece // with what matches highlighted; nil: nothing is, as in Partner
}

// foundPartner is the partner whose name matched.
type foundPartner struct {
	Name string
	URL  string // the person's companies, /socio/…; "" for companies and without visible digits
	name []piece
}

// resultsOf puts matches into words, in their order. It never returns nil.
func (hs *Handlers) resultsOf(snap *snapshot.Snapshot, matches []snapshot.Match) []result {
	results := make([]result, 0, len(matches))
	for i := range matches {
		results = append(results, hs.resultOf(snap, &matches[i]))
	}
	return results
}

// resultOf puts a match into words. It leaves what only a search knows to mark.
func (hs *Handlers) resultOf(snap *snapshot.Snapshot, m *snapshot.Match) result {
	e := &m.Establishment
	r := result{
		CNPJ: e.CNPJ, Name: wording.NameOf(m.Head, e), TradeName: ptbr.Company(e.NomeFantasia), City: wording.CityOf(hs.atlas, snap, e), Status: wording.StatusOf(snap, e),
		HeadOffice: wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial), Reason: m.Why.Text(),
		Opened: ptbr.Date(e.DataInicioAtividade.Time()), Capital: ptbr.Money(m.Company.CapitalSocial), Improbable: record.ImplausibleCapital(m.Company.CapitalSocial),
		Offices: int64(m.Head.Establishments), Sources: snap.SourcesOf(m.Head.Root),
	}
	if e.CNAEFiscalPrincipal != "" {
		r.Activity = wording.ActivityOf(snap, e.CNAEFiscalPrincipal)
	}
	return r
}

// mark adds to a result what is known of the search: the words to highlight, the partner who
// matched and, when results are grouped by company, a link to the company's other establishments.
// A name that was found shows why by its highlighted words.
func (r *result) mark(m *snapshot.Match, h highlighter, company bool) {
	r.name, r.tradeName = h.split(r.Name), h.split(r.TradeName)
	if m.Why == index.WhyExactName || m.Why == index.WhyName || m.Why == index.WhyPrefix {
		switch {
		case r.name != nil:
			r.Reason = ""
		case r.tradeName != nil:
			r.Reason = "Encontrada pelo nome fantasia"
		}
	}
	if m.Partner != nil {
		name := ptbr.Partner(m.Partner)
		r.Partner = &foundPartner{name, page.PersonPath(m.Partner), h.split(name)}
	}
	if company && m.Head.Establishments > 1 {
		r.Others = int64(m.Head.Establishments - 1)
		r.OthersURL = "/busca?q=" + m.Head.Root.String() + "&" + groupName + "=" + notGrouped
	}
}
