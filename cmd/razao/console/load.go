package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"razao/ingest"
	"razao/internal/store/registry"
)

// WriteLoad writes everything known of a load for people: state, counts, what each rule took,
// stages, files, the indexes that contain it and the given rejected rows.
func WriteLoad(out io.Writer, l *registry.Load, found []ingest.Findable, rejects []registry.Reject) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "load %d: %s %s, %s\n", l.ID, l.Source, cmp.Or(l.Period, "of no known period"), state(l))
	if l.Reason != "" {
		fmt.Fprintf(w, "  reason\t%s\n", visible(l.Reason))
	}
	for _, why := range l.Overruled {
		fmt.Fprintf(w, "  published in spite of\t%s\n", visible(why))
	}
	fmt.Fprintf(w, "  started\t%s\n", l.StartedAt.Format(time.DateTime))
	if l.FinishedAt != nil {
		fmt.Fprintf(w, "  finished\t%s, after %s\n", l.FinishedAt.Format(time.DateTime), l.FinishedAt.Sub(l.StartedAt).Round(time.Millisecond))
	}
	fmt.Fprintf(w, "  store\t%d bytes\n", l.StoreBytes)
	for _, f := range found {
		if f.Err != nil {
			fmt.Fprintf(w, "  index %s\t%v\n", f.Index, f.Err)
			continue
		}
		fmt.Fprintf(w, "  index %s\t%d bytes\n", f.Index, f.Bytes)
	}
	if l.CoverageStart != "" {
		fmt.Fprintf(w, "  covers\tfrom %s\n", l.CoverageStart)
	}
	if l.Invented {
		fmt.Fprintln(w, "  invented\tnothing in it is true")
	}
	writeCounts(w, l)
	writeStages(w, l.Stages)
	writeFiles(w, l)
	fmt.Fprintf(w, "rejected rows: %d of %d\n", len(rejects), l.RowsRejected)
	for i := range rejects {
		r := &rejects[i]
		place := fmt.Sprintf("%s line %d", r.File, r.Line)
		if r.Column != "" {
			place += ", " + r.Column
		}
		fmt.Fprintf(w, "  %s: %s\n    %s\n", visible(place), visible(r.Reason), visibleRow(r.Raw))
	}
	return w.Flush()
}

// writeCounts writes rows and records, with shares of the rows that were read.
func writeCounts(w io.Writer, l *registry.Load) {
	of := func(n int64) string {
		return fmt.Sprintf("%d\t(%.1f %%)", n, 100*float64(n)/float64(max(l.RowsRead, 1)))
	}
	fmt.Fprintf(w, "rows\n  read\t%d\n  loaded\t%s\n  discarded\t%s\n  rejected\t%s\n", l.RowsRead, of(l.RowsLoaded), of(l.RowsDiscarded), of(l.RowsRejected))
	fmt.Fprintln(w, "records")
	for _, k := range tables(&l.Counts) {
		if k.n > 0 {
			fmt.Fprintf(w, "  %s\t%d\n", k.name, k.n)
		}
	}
	for _, group := range rules(&l.Counts) {
		if len(group.counts) == 0 {
			continue
		}
		fmt.Fprintln(w, group.title)
		for _, name := range slices.Sorted(maps.Keys(group.counts)) {
			fmt.Fprintf(w, "  %s\t%s\n", name, of(group.counts[name]))
		}
	}
}

// kindCount is a number of records of one kind.
type kindCount struct {
	name string
	n    int64
}

// tables returns the number of records of each kind, always the same kinds in the same order.
func tables(c *registry.Counts) []kindCount {
	return []kindCount{
		{"empresas", c.Companies},
		{"empresas_ativas", c.ActiveCompanies},
		{"estabelecimentos", c.Establishments},
		{"estabelecimentos_ativos", c.ActiveEstablishments},
		{"socios", c.Partners},
		{"simples", c.Simples},
		{"registros", c.Records},
		{"cnpjs", c.Owners},
	}
}

// ruleGroup is how many rows each rule of one group took.
type ruleGroup struct {
	title  string
	counts map[string]int64
}

// rules returns the groups of rules, always the same groups in the same order.
func rules(c *registry.Counts) []ruleGroup {
	return []ruleGroup{
		{"discarded, by rule", c.Discarded},
		{"values that became null, by kind of column", c.Repaired},
		{"noted", c.Marked},
	}
}

func writeStages(w io.Writer, stages []registry.Stage) {
	if len(stages) > 0 {
		fmt.Fprintln(w, "stages\n  name\tseconds\tCPU s\tdone\tper second")
	}
	for i := range stages {
		s := &stages[i]
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", s.Name, seconds(s.Seconds), seconds(s.CPUSeconds), amount(s.Name, s.Done), amount(s.Name, int64(rate(s))))
	}
}

func writeFiles(w io.Writer, l *registry.Load) {
	p := &l.Provenance
	if p.Orgao != "" {
		fmt.Fprintf(w, "publisher\n  %s: %s\n", p.Orgao, p.Conjunto)
	}
	for _, note := range p.Observacoes {
		fmt.Fprintf(w, "  %s\n", visible(note))
	}
	if len(p.Arquivos) > 0 {
		fmt.Fprintln(w, "files\n  name\tbytes\tSHA-256")
	}
	for _, f := range p.Arquivos {
		fmt.Fprintf(w, "  %s\t%d\t%s\n", visible(f.Nome), f.Bytes, f.SHA256)
	}
	if len(p.Faltantes) > 0 {
		fmt.Fprintf(w, "partial, without\n  %s\n", visible(strings.Join(p.Faltantes, ", ")))
	}
}

// LoadJSON returns what WriteLoad writes, for encoding as JSON.
func LoadJSON(l *registry.Load, found []ingest.Findable, rejects []registry.Reject) any {
	type index struct {
		Name  string `json:"nome"`
		Bytes int64  `json:"bytes"`
	}
	type reject struct {
		File   string `json:"arquivo"`
		Line   int64  `json:"linha"`
		Column string `json:"coluna,omitempty"`
		Reason string `json:"motivo"`
		Raw    string `json:"conteudo"` // in UTF-8; U+FFFD for bytes that are no character
	}
	shown := struct {
		ID            int64              `json:"id"`
		Source        string             `json:"fonte"`
		Period        string             `json:"competencia"`
		StartedAt     time.Time          `json:"iniciada_em"`
		FinishedAt    *time.Time         `json:"terminada_em"`
		RowsRead      int64              `json:"linhas_lidas"`
		RowsLoaded    int64              `json:"linhas_carregadas"`
		RowsDiscarded int64              `json:"linhas_descartadas"`
		RowsRejected  int64              `json:"linhas_rejeitadas"`
		StoreBytes    int64              `json:"bytes"`
		Counts        registry.Counts    `json:"contagens"`
		Stages        []registry.Stage   `json:"etapas"` // null for loads that did not record them
		State         registry.LoadState `json:"estado"`
		Active        bool               `json:"ativa"`
		Reason        string             `json:"motivo,omitempty"`
		Overruled     []string           `json:"forcada_apesar_de,omitempty"`
		CoverageStart string             `json:"cobertura_inicio,omitempty"`
		Invented      bool               `json:"ficticia"`
		Provenance    any                `json:"proveniencia"`
		Indexes       []index            `json:"indices"`
		Rejects       []reject           `json:"rejeitadas"`
	}{
		l.ID, l.Source, l.Period, l.StartedAt, l.FinishedAt, l.RowsRead, l.RowsLoaded, l.RowsDiscarded, l.RowsRejected, l.StoreBytes, l.Counts, l.Stages,
		l.State, l.Active, l.Reason, l.Overruled, l.CoverageStart, l.Invented, l.Provenance,
		[]index{},
		[]reject{},
	}
	for _, f := range found {
		shown.Indexes = append(shown.Indexes, index{f.Index, f.Bytes})
	}
	for _, r := range rejects {
		shown.Rejects = append(shown.Rejects, reject{r.File, r.Line, r.Column, r.Reason, strings.ToValidUTF8(inUTF8(r.Raw), "\ufffd")})
	}
	return &shown
}

// WriteJSON writes v as indented JSON, without escaping HTML characters, but what a terminal obeys.
func WriteJSON(out io.Writer, v any) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(out, EscapeUnseen(b.String()))
	return err
}
