package sample

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/aduana"
	"razao/ingest/antt"
	"razao/ingest/bndes"
	"razao/ingest/cgu"
	"razao/ingest/ibama"
	"razao/ingest/mte"
	"razao/ingest/pgfn"
	"razao/ingest/pncp"
	"razao/ingest/receita"
	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
)

// loaders returns a loader for each folder beside the release.
func loaders() map[string]rows.Loader {
	return map[string]rows.Loader{
		"pgfn": pgfn.PGFN(), "ceis": cgu.CEIS(), "cnep": cgu.CNEP(), "cepim": cgu.CEPIM(), "acordos_leniencia": cgu.AcordosLeniencia(),
		"mte_empregadores": mte.Empregadores(), "mte_ceac": mte.CEAC(), "habilitacao_aduaneira": aduana.Habilitacao(), "rntrc": antt.RNTRC(),
		"ibama_autos": ibama.Autos(), "ibama_embargos": ibama.Embargos(), "pncp": pncp.Contratos(),
		"bndes": bndes.Operacoes(nil, func([]byte) error { return nil }),
	}
}

// loaded is a sample as the loaders of package ingest read it.
type loaded struct {
	sum            Summary
	mu             sync.Mutex
	companies      map[cnpj.Root]record.Company
	establishments map[cnpj.Full]record.Establishment
	partners       map[cnpj.Root][]record.Partner
	simples        int64
	domains        record.Domains
	records        map[string][]rows.Record // by source
	periods        map[string]string        // by source
}

// load writes a sample and loads it. A row that is rejected, repaired or dropped for another reason
// than that it is about a person fails the test.
func load(t *testing.T, o Options) *loaded {
	t.Helper()
	dir := t.TempDir()
	sum, err := Write(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	l := &loaded{
		sum: sum, companies: map[cnpj.Root]record.Company{}, establishments: map[cnpj.Full]record.Establishment{},
		partners: map[cnpj.Root][]record.Partner{}, records: map[string][]rows.Record{}, periods: map[string]string{},
	}
	l.release(t)
	for id, loader := range loaders() {
		got, err := rowstest.Load(t, loader, filepath.Join(dir, id), rows.FindOptions{})
		if err != nil {
			t.Errorf("%+v: %s: %v", o, id, err)
			continue
		}
		l.records[id], l.periods[id] = got.Records[id], got.Facts.Period
		if more := got.Records["pncp_orgao"]; more != nil {
			l.records["pncp_orgao"], l.periods["pncp_orgao"] = more, got.Facts.Period
		}
		people := []string{"nao_cnpj", "pessoa_fisica", "autonomo_tac"}
		for rule, n := range got.Figures.Dropped {
			if !slices.Contains(people, rule) {
				t.Errorf("%+v: %s: %d rows dropped as %s", o, id, n, rule)
			}
		}
		if len(got.Rejects) > 0 || got.Figures.Read == 0 {
			t.Errorf("%+v: %s: %d rows, rejects%s", o, id, got.Figures.Read, printed(got.Rejects))
		}
	}
	return l
}

// printed returns the first ten refused rows as text, one per line.
func printed(rejects []registry.Reject) string {
	var b strings.Builder
	for _, r := range rejects[:min(len(rejects), 10)] {
		fmt.Fprintf(&b, "\n%s, line %d, column %q: %s: %q", r.File, r.Line, r.Column, r.Reason, r.Raw)
	}
	return b.String()
}

// release reads the release.
func (l *loaded) release(t *testing.T) {
	t.Helper()
	rel, err := receita.Find(l.sum.Dir, "", receita.Accept{})
	if err != nil {
		t.Fatal(err)
	}
	out := rows.NewOutput(nil, nil)
	result, err := rel.Read(context.Background(), receita.Options{Workers: 2, Output: out, NewHandler: l.handler})
	if err != nil {
		t.Fatal(err)
	}
	if figures := out.Figures(); figures.Rejected > 0 || len(figures.Repaired) > 0 {
		t.Errorf("%d rows rejected, repaired %v:%s", figures.Rejected, figures.Repaired, printed(out.Rejects()))
	}
	l.domains = result.Domains
}

func (l *loaded) handler() receita.Handler {
	return receita.Handler{
		Company: func(root cnpj.Root, c *record.Company) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			kept := *c
			kept.NaturezaJuridica, kept.QualificacaoResponsavel = strings.Clone(c.NaturezaJuridica), strings.Clone(c.QualificacaoResponsavel)
			l.companies[root] = kept
			return nil
		},
		Establishment: func(e *record.Establishment) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			kept := *e
			for _, text := range []*string{
				&kept.IdentificadorMatrizFilial, &kept.SituacaoCadastral, &kept.MotivoSituacaoCadastral, &kept.CNAEFiscalPrincipal, &kept.UF,
				&kept.Municipio, &kept.Pais, &kept.CorreioEletronico, &kept.Telefone1,
			} {
				*text = strings.Clone(*text)
			}
			l.establishments[e.CNPJ] = kept
			return nil
		},
		Partner: func(root cnpj.Root, p *record.Partner, _ uint32) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.partners[root] = append(l.partners[root], record.Partner{
				NomeSocio: strings.Clone(p.NomeSocio), CNPJCPFSocio: strings.Clone(p.CNPJCPFSocio), QualificacaoSocio: strings.Clone(p.QualificacaoSocio),
				DataEntradaSociedade: p.DataEntradaSociedade,
			})
			return nil
		},
		Simples: func(cnpj.Root, *record.Simples) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.simples++
			return nil
		},
	}
}

func TestEverythingLoads(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Roots: 1, Month: "2026-09"},
		{Roots: 3, Month: "2008-02"},
		{Roots: 300, Seed: 1, Month: "2026-08"},
		{Roots: 1000, Month: "2026-09", Debts: 5},
		{Roots: 5000, Seed: 8, First: "2026-06", Since: "2026-09", Month: "2026-10", Day: "2026-11-25"},
	} {
		l := load(t, o)
		got := []int64{int64(len(l.companies)), int64(len(l.establishments)), l.simples}
		if diff := cmp.Diff([]int64{l.sum.Companies, l.sum.Establishments, l.sum.Simples}, got); diff != "" {
			t.Errorf("%+v: rows of the summary and those read: %s", o, diff)
		}
		for _, id := range source.IDs() {
			if len(l.records[id]) == 0 && o.Roots >= 300 {
				t.Errorf("%+v: %s has no record of a company", o, id)
			}
		}
	}
}

// TestNoSourceIsStaleWhenInvented checks the newest sample that can exist on the first and the last
// days of the months of a year.
func TestNoSourceIsStaleWhenInvented(t *testing.T) {
	t.Parallel()
	for month := time.Date(2027, 1, 1, 23, 59, 0, 0, time.UTC); month.Year() < 2028; month = month.AddDate(0, 1, 0) {
		for _, now := range []time.Time{month, month.AddDate(0, 1, -1)} {
			o := Options{Roots: 40}
			o.Month, o.Day = Latest(now)
			l := load(t, o)
			for _, s := range source.All() {
				period := l.periods[s.ID]
				if stale := s.Stale(period, now); s.StaleAfter > 0 && (stale == nil || *stale) {
					t.Errorf("%s: %s of %q is stale, or nothing is known", now.Format(time.DateOnly), s.ID, period)
				}
				if today := now.Format(time.DateOnly); period > today[:min(len(today), len(period))] && s.StaleAfter > 0 {
					t.Errorf("%s: %s is of %s, which is to come", today, s.ID, period)
				}
			}
		}
	}
}

// TestTheCountryHangsTogether checks that what one table says of a company, a person or a place is
// true in all others.
func TestTheCountryHangsTogether(t *testing.T) {
	t.Parallel()
	l := load(t, Options{Roots: 20_000, Seed: 1, First: "2026-08", Month: "2026-09"})
	for name, check := range map[string]func(*testing.T){
		"establishments": l.checkEstablishments, "codes": l.checkCodes, "partners": l.checkPartners, "records": l.checkRecords,
		"embargoes": l.checkEmbargoes,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t)
		})
	}
}

// checkEstablishments checks companies against their establishments, dates, and that nobody can be
// reached under an invented address or number.
func (l *loaded) checkEstablishments(t *testing.T) {
	heads, active, sp := map[cnpj.Root]int{}, 0, 0
	for full, e := range l.establishments {
		if _, ok := l.companies[full.Root()]; !ok {
			t.Errorf("establishment %s has no company", full)
		}
		if e.IdentificadorMatrizFilial == "1" {
			heads[full.Root()]++
		}
		if e.SituacaoCadastral == "02" {
			active++
		}
		if e.UF == "SP" {
			sp++
		}
		if e.DataSituacaoCadastral < e.DataInicioAtividade || e.DataSituacaoCadastral.String() > "2026-09-12" {
			t.Errorf("%s began on %s and is as it is since %s", full, e.DataInicioAtividade, e.DataSituacaoCadastral)
		}
		_, domain, _ := strings.Cut(strings.ToLower(e.CorreioEletronico), "@")
		if !slices.Contains([]string{"", "exemplo.com.br", "example.com", "example.org"}, domain) || e.Telefone1 != "" && e.Telefone1[0] != '1' {
			t.Errorf("%s: %s or %s may be somebody's", full, e.CorreioEletronico, e.Telefone1)
		}
	}
	for root := range l.companies {
		if heads[root] != 1 {
			t.Errorf("%s has %d head offices", root, heads[root])
		}
	}
	if n := len(l.establishments); active*100/n < 38 || active*100/n > 48 || sp*100/n < 19 || sp*100/n > 26 {
		t.Errorf("of %d establishments %d are active and %d in SP", n, active, sp)
	}
}

func (l *loaded) checkCodes(t *testing.T) {
	unknown := map[record.Domain]map[string]bool{}
	look := func(kind record.Domain, code string) {
		if _, ok := l.domains.Describe(kind, code); !ok && code != "" {
			if unknown[kind] == nil {
				unknown[kind] = map[string]bool{}
			}
			unknown[kind][code] = true
		}
	}
	for _, c := range l.companies {
		look(record.DomainNatureza, c.NaturezaJuridica)
		look(record.DomainQualificacao, c.QualificacaoResponsavel)
	}
	for _, e := range l.establishments {
		look(record.DomainCNAE, e.CNAEFiscalPrincipal)
		look(record.DomainMotivo, e.MotivoSituacaoCadastral)
		look(record.DomainMunicipio, e.Municipio)
		look(record.DomainPais, e.Pais)
	}
	for _, all := range l.partners {
		for i := range all {
			look(record.DomainQualificacao, all[i].QualificacaoSocio)
		}
	}
	if len(unknown) > 0 {
		t.Errorf("codes that the tables lack: %v", unknown)
	}
}

// checkPartners checks that partners exist, that some people have several companies, and that
// companies form groups of more than one level.
func (l *loaded) checkPartners(t *testing.T) {
	companies, held := map[string]map[cnpj.Root]bool{}, map[cnpj.Root][]cnpj.Root{}
	for root, all := range l.partners {
		if _, ok := l.companies[root]; !ok {
			t.Errorf("partners of %s, which has no company", root)
		}
		for i := range all {
			p := &all[i]
			if full, err := cnpj.ParseFull(p.CNPJCPFSocio); err == nil {
				if e, ok := l.establishments[full]; !ok || full.Root() == root || p.DataEntradaSociedade < e.DataInicioAtividade {
					t.Errorf("partner %s of %s since %s does not exist, or not yet, or is itself", full, root, p.DataEntradaSociedade)
				}
				held[full.Root()] = append(held[full.Root()], root)
				continue
			}
			person := p.NomeSocio + p.CNPJCPFSocio
			if companies[person] == nil {
				companies[person] = map[cnpj.Root]bool{}
			}
			companies[person][root] = true
		}
	}
	busiest, groups, levels := 0, 0, 0
	for _, roots := range companies {
		busiest = max(busiest, len(roots))
	}
	for _, roots := range held {
		if len(roots) >= 3 {
			groups++
		}
		if slices.ContainsFunc(roots, func(root cnpj.Root) bool { return len(held[root]) > 0 }) {
			levels++
		}
	}
	if busiest < 3 || busiest > 100 || groups < 5 || levels == 0 {
		t.Errorf("the busiest partner has %d companies; %d groups, %d of them with groups below", busiest, groups, levels)
	}
}

// checkRecords checks that every record is about an establishment of the release, and how records
// spread over companies.
func (l *loaded) checkRecords(t *testing.T) {
	with := map[cnpj.Root]map[string]int{}
	for id, records := range l.records {
		for i := range records {
			o := &records[i].Owner
			if records[i].Values == nil {
				continue // of a person, or a contract without a subcontractor
			}
			_, known := l.establishments[cnpj.Join(o.Root, o.Order)]
			if o.Order == 0 {
				_, known = l.companies[o.Root]
			}
			if !known || o.Published != "" {
				t.Errorf("%s: a record of %+v, which is not in the release", id, *o)
			}
			if with[o.Root] == nil {
				with[o.Root] = map[string]int{}
			}
			with[o.Root][id]++
		}
	}
	several, most := 0, 0
	for _, sources := range with {
		if len(sources) >= 3 {
			several++
		}
		for _, n := range sources {
			most = max(most, n)
		}
	}
	if share := len(with) * 1000 / len(l.companies); share < 80 || share > 250 || several < 20 || most < 300 {
		t.Errorf("%d of 1000 companies have a record, %d companies of three sources, one has %d of one source", share, several, most)
	}
	for _, id := range slices.Sorted(maps.Keys(l.records)) {
		if len(l.records[id]) < 5 {
			t.Errorf("%s has %d records", id, len(l.records[id]))
		}
	}
}

// checkEmbargoes checks that an embargo is against the company whose notice led to it.
func (l *loaded) checkEmbargoes(t *testing.T) {
	value := func(r *rows.Record, id, field string) string {
		src, _ := source.Find(id)
		return r.Values[slices.IndexFunc(src.Fields, func(f source.Field) bool { return f.Name == field })]
	}
	notices := map[string]*rows.Record{}
	for i := range l.records["ibama_autos"] {
		r := &l.records["ibama_autos"][i]
		if r.Values == nil {
			continue // against a person
		}
		notices[value(r, "ibama_autos", "cd_termos_embargos")] = r
	}
	for i := range l.records["ibama_embargos"] {
		r := &l.records["ibama_embargos"][i]
		notice := notices[value(r, "ibama_embargos", "num_tad")]
		if notice == nil || notice.Owner != r.Owner || value(notice, "ibama_autos", "num_auto_infracao") != value(r, "ibama_embargos", "num_auto_infracao") {
			t.Errorf("embargo %+v has no notice", r.Values)
		}
	}
}
