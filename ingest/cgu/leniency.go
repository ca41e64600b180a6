package cgu

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
)

const leniency = "acordos_leniencia"

// Notes of the account: effectRows counts the rows of the second file, strayEffects those whose
// agreement the first file lacks.
const (
	effectRows   = "efeitos"
	strayEffects = "efeito_sem_acordo"
)

// AcordosLeniencia returns the loader of acordos_leniencia. It joins two files of one day by ID DO
// ACORDO: AAAAMMDD_Acordos.csv, one row for each company that signed, and AAAAMMDD_Efeitos.csv, any
// number of effects for each agreement. A record holds the agreement as one company signed it, with
// the effects as a JSON list, "[]" for none. Effects are held in memory during the load: a few
// hundred rows.
func AcordosLeniencia() rows.Loader {
	return rows.Loader{
		Sources: []string{leniency},
		Read: func(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
			agreements, effects, err := leniencyFiles(in)
			if err != nil {
				return rows.Facts{}, err
			}
			j := &join{effects: map[string][]effect{}, known: map[string]bool{}}
			if err := j.readEffects(ctx, in, effects.File, out); err != nil {
				return rows.Facts{}, err
			}
			if err := j.readAgreements(ctx, in, agreements.File, out); err != nil {
				return rows.Facts{}, err
			}
			if err := j.countStray(out); err != nil {
				return rows.Facts{}, err
			}
			return rows.Facts{Period: agreements.period()}, nil
		},
	}
}

// leniencyFiles picks both files of one day, by the rule of byName. It fails when the effects of
// that day are missing: loaded without them, every agreement would claim to have none.
func leniencyFiles(in *rows.Input) (agreements, effects datedFile, err error) {
	all := byName(in, "Acordos")
	if len(all) == 0 {
		return datedFile{}, datedFile{}, in.NoFile(expected("Acordos"))
	}
	agreements = all[0]
	for _, e := range byName(in, "Efeitos") {
		if e.day == agreements.day {
			return agreements, e, nil
		}
	}
	return datedFile{}, datedFile{}, fmt.Errorf("%s has no file of effects of its day beside it: %w", agreements.Name, in.NoFile(expected("Efeitos")))
}

// join is a hash join of the two files: readEffects builds it, then readAgreements probes it, then
// countStray counts what was never probed. mu guards the maps while one file is read.
type join struct {
	mu      sync.Mutex
	effects map[string][]effect // by ID DO ACORDO
	kept    int                 // bytes of effects
	known   map[string]bool     // ids that the file of agreements has, also of rows dropped
}

// Bounds of what is kept of effects, which are some hundred rows.
const (
	mostEffects = 16 << 20 // bytes
	overhead    = 128      // of each, besides its texts
)

// effect is one effect as it is served; an empty text is null.
type effect struct {
	Efeito      *string `json:"efeito"`
	Complemento *string `json:"complemento"`

	line int64 // of the file, for the order
}

// readEffects reads the file of effects into memory.
func (j *join) readEffects(ctx context.Context, in *rows.Input, f *rows.File, out *rows.Output) error {
	const id, name, more = 0, 1, 2
	t := &rows.Table{Quoted: true, Columns: []rows.Column{
		id: {Name: "ID DO ACORDO"}, name: {Name: "EFEITO DO ACORDO DE LENIENCIA"}, more: {Name: "COMPLEMENTO"},
	}}
	t.Visit = func(w *rows.Writer) func(*rows.Row) error {
		return func(r *rows.Row) error {
			w.Mark(effectRows)
			agreement := strings.Clone(r.Value(id))
			e := effect{Efeito: textOrNull(r.Value(name)), Complemento: textOrNull(r.Value(more)), line: r.Where.Line}
			j.mu.Lock()
			defer j.mu.Unlock()
			if j.kept += len(r.Value(id)) + len(r.Value(name)) + len(r.Value(more)) + overhead; j.kept > mostEffects {
				return fmt.Errorf("%s: its effects take more than %d bytes: not a file of this kind", f.Path, mostEffects)
			}
			j.effects[agreement] = append(j.effects[agreement], e)
			return nil
		}
	}
	return t.Read(ctx, in, f, out)
}

// textOrNull clones a text out of its row, with CPFs masked; "" is nil.
func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	kept := strings.Clone(cnpj.MaskCPFs(s))
	return &kept
}

// readAgreements emits a record for each row of the file of agreements about a company, newest
// agreement first.
func (j *join) readAgreements(ctx context.Context, in *rows.Input, f *rows.File, out *rows.Output) error {
	lists, err := j.lists()
	if err != nil {
		return err
	}
	fields := agreementFields()
	id, start, effects := fields.Position("id_acordo"), fields.Position("data_inicio_acordo"), fields.Position("efeitos")
	t := newTable(fields)
	t.Visit = func(w *rows.Writer) func(*rows.Row) error {
		d := newDraft(fields)
		return func(r *rows.Row) error {
			company := d.fill(r)
			j.know(d.Values[id])
			if !company {
				w.Drop(notCompany)
				return nil
			}
			d.Values[effects] = cmp.Or(lists[d.Values[id]], "[]")
			d.Order = rows.NewestFirst(d.Values[start]) + d.Values[id] + " " + d.Owner.Order.String()
			return w.Add(leniency, &d.Record)
		}
	}
	return t.Read(ctx, in, f, out)
}

// know notes that an agreement exists.
func (j *join) know(agreement string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.known[strings.Clone(agreement)] = true
}

// lists returns the effects of each agreement as a JSON array in the order of the file.
func (j *join) lists() (map[string]string, error) {
	lists := map[string]string{}
	for agreement, effects := range j.effects {
		slices.SortFunc(effects, func(a, b effect) int { return cmp.Compare(a.line, b.line) })
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(effects); err != nil {
			return nil, fmt.Errorf("effects of agreement %s: %w", agreement, err)
		}
		lists[agreement] = string(bytes.TrimSpace(buf.Bytes()))
	}
	return lists, nil
}

// countStray counts the effects without an agreement as dropped.
func (j *join) countStray(out *rows.Output) error {
	w := out.Writer()
	for agreement, effects := range j.effects {
		if j.known[agreement] {
			continue
		}
		for range effects {
			w.Drop(strayEffects)
		}
	}
	return w.Close()
}

// agreementFields returns the fields of acordos_leniencia in the order of package source. The
// publisher writes an en dash (byte 0x96) in two headings, which package rows folds to a hyphen,
// and misspells LENIÊNICA.
func agreementFields() rows.Fields {
	return rows.Fields{
		rows.Plain("id_acordo", "ID DO ACORDO"),
		rows.Plain("cnpj", "CNPJ DO SANCIONADO"),
		rows.Plain("razao_social_receita", "RAZÃO SOCIAL - CADASTRO RECEITA"),
		rows.Plain("nome_fantasia_receita", "NOME FANTASIA - CADASTRO RECEITA"),
		rows.Plain("data_inicio_acordo", "DATA DE INÍCIO DO ACORDO"),
		rows.Plain("data_fim_acordo", "DATA DE FIM DO ACORDO"),
		rows.Plain("situacao_acordo", "SITUAÇÃO DO ACORDO DE LENIÊNICA", "SITUAÇÃO DO ACORDO DE LENIÊNCIA"),
		rows.Plain("data_informacao", "DATA DA INFORMAÇÃO"),
		rows.Plain("numero_processo", "NÚMERO DO PROCESSO"),
		rows.Plain("termos_acordo", "TERMOS DO ACORDO"),
		rows.Plain("orgao_sancionador", "ÓRGÃO SANCIONADOR"),
		rows.Derived("efeitos"),
	}
}
