package snapshot

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"razao/internal/data/record"
	"razao/internal/store/registry"
)

// Histories returns by source the loads that are or were in service, newest first and at most fifty
// of each. Their status is that of this snapshot.
func (s *Snapshot) Histories(ctx context.Context, sources ...string) (map[string][]record.PastLoad, error) {
	loads, err := s.view.Served(ctx, sources)
	if err != nil {
		return nil, err
	}
	histories := map[string][]record.PastLoad{}
	for i := range loads {
		l := &loads[i]
		histories[l.Source] = append(histories[l.Source], s.PastLoad(l))
	}
	return histories, nil
}

// Served returns the loads of a source that are or were in service, newest first and at most fifty.
func (s *Snapshot) Served(ctx context.Context, source string) ([]registry.Load, error) {
	return s.view.Served(ctx, []string{source})
}

// PastLoad describes a load that is or was in service. Its status is that of this snapshot.
func (s *Snapshot) PastLoad(l *registry.Load) record.PastLoad {
	past := record.PastLoad{
		Competencia: l.Period, CarregadaEm: l.FinishedAt, Situacao: record.LoadKept, VinculosRefeitos: record.No, Forcada: record.No,
		LinhasLidas: l.RowsRead, Registros: l.Kept(), LinhasRejeitadas: l.RowsRejected, LinhasDescartadas: l.RowsDiscarded,
	}
	switch {
	case l.ID == s.LoadOf(l.Source):
		past.Situacao = record.LoadServed
	case l.State == registry.LoadDropped:
		past.Situacao = record.LoadGone
	}
	if l.Edition != l.ID {
		past.VinculosRefeitos = record.Yes
	}
	if len(l.Overruled) > 0 {
		past.Forcada = record.Yes
	}
	return past
}

// Rejected returns by load how many kept rejects have which unreadable column, most first. Loads
// keep a bounded number of rejects, so these counts may be less than the rows rejected.
func (s *Snapshot) Rejected(ctx context.Context, loads ...int64) (map[int64][]record.RejectedIn, error) {
	counts, err := s.view.Rejected(ctx, loads)
	if err != nil {
		return nil, err
	}
	rejected := map[int64][]record.RejectedIn{}
	for _, c := range counts {
		rejected[c.Load] = append(rejected[c.Load], record.RejectedIn{Coluna: c.Column, Linhas: c.Rows})
	}
	return rejected, nil
}

// rules has the texts of the rules that leave rows out, by the keys of registry.Counts.Discarded.
var rules = map[string]string{
	"autonomo_tac":             "transportador autônomo, que é pessoa física",
	"documento_invalido":       "documento que não é um CNPJ válido",
	"efeito_sem_acordo":        "efeito de um acordo que não está no arquivo",
	"empresa_repetida":         "empresa repetida",
	"estabelecimento_repetido": "estabelecimento repetido",
	"estrangeiro":              "documento estrangeiro",
	"linha_repetida":           "linha idêntica a outra",
	"nao_cnpj":                 "documento que não é CNPJ: pessoas físicas e estrangeiros",
	"pessoa_fisica":            "pessoa física",
	"sem_documento":            "sem documento",
	"simples_repetido":         "opção pelo Simples repetida",
	"simples_sem_empresa":      "opção pelo Simples de empresa que não está no cadastro",
	"socio_repetido":           "sócio repetido",
	"socio_sem_empresa":        "sócio de empresa que não está no cadastro",
	"versao_superada":          "versão anterior de um registro que foi publicado de novo",
}

// LeftOut returns the rules that left rows out of a load, those with the most rows first, then by
// text.
func LeftOut(l *registry.Load) []record.LeftOut {
	var left []record.LeftOut
	for rule, rows := range l.Counts.Discarded {
		left = append(left, record.LeftOut{Regra: rule, Motivo: cmp.Or(rules[rule], strings.ReplaceAll(rule, "_", " ")), Linhas: rows})
	}
	slices.SortFunc(left, func(a, b record.LeftOut) int {
		return cmp.Or(cmp.Compare(b.Linhas, a.Linhas), cmp.Compare(a.Motivo, b.Motivo))
	})
	return left
}
