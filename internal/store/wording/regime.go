package wording

import (
	"razao/internal/data/change"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

// Regime is a company's option for a tax regime: the Simples Nacional or the MEI.
type Regime struct {
	Gap       string      // files of Simples that the load lacks, "" for none
	Published bool        // false: no Simples row, so without a gap the company never opted
	In        record.Flag // opted in now
	From, To  record.Date
}

// SimplesOf returns the option of a company for the Simples Nacional.
func SimplesOf(snap *snapshot.Snapshot, h *pack.Head) Regime {
	return Regime{snap.Load.Gap(change.Simples), h.HasSimples, h.Simples.OpcaoPeloSimples, h.Simples.DataOpcaoPeloSimples, h.Simples.DataExclusaoSimples}
}

// MEIOf returns the option of a company for the MEI, which is in the same row.
func MEIOf(snap *snapshot.Snapshot, h *pack.Head) Regime {
	return Regime{snap.Load.Gap(change.Simples), h.HasSimples, h.Simples.OpcaoPeloMEI, h.Simples.DataOpcaoPeloMEI, h.Simples.DataExclusaoMEI}
}

// String returns the option as the facts of the page show it, with its dates.
func (r Regime) String() string {
	from, to := ptbr.Date(r.From.Time()), ptbr.Date(r.To.Time())
	switch {
	case !r.Published && r.Gap != "":
		return "Não se sabe: faltou " + r.Gap
	case !r.Published:
		return "Sem registro de opção"
	case r.In == record.Yes:
		return ptbr.Join(" desde ", "Optante", from)
	case r.In != record.No:
		return "Não informado"
	case from != "" && to != "":
		return "Não optante, optou de " + from + " a " + to
	case to != "":
		return "Não optante, excluída em " + to
	}
	return "Não optante"
}
