package find

import (
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/site/page"
	"razao/site/wording"
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
	Size       string // opening date and capital, in one line
	Reason     string // why it matched; "" when it is obvious
	Partner    *foundPartner
	Others     int64 // the company's other establishments; 0 when results are not grouped by company
	OthersURL  string

	highlighter highlighter
}

// foundPartner is the partner whose name matched.
type foundPartner struct {
	Name string
	URL  string // the person's companies, /socio/…; "" for companies and without visible digits
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
	}
	opened, capital := "Abertura não informada", "Capital social não informado"
	if day := ptbr.Date(e.DataInicioAtividade.Time()); day != "" {
		opened = "Abertura em " + day
	}
	if amount := ptbr.Capital(m.Company.CapitalSocial); amount != "" {
		capital = "Capital social: " + amount
	}
	r.Size = opened + " · " + capital
	if e.CNAEFiscalPrincipal != "" {
		r.Activity = wording.ActivityOf(snap, e.CNAEFiscalPrincipal)
	}
	return r
}

// mark adds to a result what is known of the search: the words to highlight, the partner who
// matched and, when results are grouped by company, a link to the company's other establishments.
func (r *result) mark(m *snapshot.Match, h highlighter, company bool) {
	r.highlighter = h
	if m.Partner != nil {
		r.Partner = &foundPartner{ptbr.Partner(m.Partner), page.PersonPath(m.Partner)}
	}
	if company && m.Head.Establishments > 1 {
		r.Others = int64(m.Head.Establishments - 1)
		r.OthersURL = "/busca?q=" + m.Head.Root.String() + "&" + groupName + "=" + notGrouped
	}
}
